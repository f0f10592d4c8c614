//! Walking distances on a map.

use std::collections::VecDeque;
use std::sync::Arc;

use grandstand_rules::fortress::{Direction, Map, Square};

/// Distance that is longer than any path on the board.
const FAR: i32 = 2_000;

/// Number of steps from every square to the nearest of some goal squares.
#[derive(Debug, Clone)]
pub(super) struct Field {
    goals: Vec<Square>,
    steps: Vec<i32>,
    /// Squares that are one step away, by [`Square::index`].
    neighbours: Arc<[Vec<u16>]>,
}

impl Field {
    /// Distances to the squares within `radius` of `place` along x and along y, as far as they can be reached on foot
    /// from there.
    pub(super) fn around(map: &Map, place: Square, radius: i64) -> Self {
        let reachable = map.reachable(place);
        let near = |at: &Square| i64::from(at.steps_apart(place)) <= radius && reachable[at.index()];
        let goals: Vec<Square> = Square::all().filter(near).collect();
        let index = |at: Square| at.index() as u16;
        let neighbours =
            |at: Square| Direction::ALL.iter().filter_map(|way| map.step(at, *way)).map(index).collect();
        let neighbours: Arc<[Vec<u16>]> = Square::all().map(neighbours).collect();
        let steps = flood(&neighbours, &goals, &[]);
        Self { goals, steps, neighbours }
    }

    /// The distances from `from` if some squares are taken. If there is no path around those, or no free goal at its
    /// end, the taken squares are ignored.
    pub(super) fn around_others(&self, from: Square, taken: &[Square]) -> Self {
        let goals: Vec<Square> = self.goals.iter().copied().filter(|goal| !taken.contains(goal)).collect();
        let steps = flood(&self.neighbours, &goals, taken);
        if steps[from.index()] >= FAR {
            return self.clone();
        }
        Self { goals, steps, neighbours: Arc::clone(&self.neighbours) }
    }

    /// Number of steps from a square.
    pub(super) fn distance(&self, at: Square) -> i32 {
        self.steps[at.index()]
    }
}

fn flood(neighbours: &[Vec<u16>], goals: &[Square], taken: &[Square]) -> Vec<i32> {
    // Taken squares count as visited.
    const TAKEN: i32 = FAR + 1;
    let mut steps = vec![FAR; Square::COUNT];
    for place in taken {
        steps[place.index()] = TAKEN;
    }
    let mut open: VecDeque<usize> = goals.iter().map(|goal| goal.index()).collect();
    for goal in goals {
        steps[goal.index()] = 0;
    }
    while let Some(at) = open.pop_front() {
        let next_step = steps[at] + 1;
        for &next in &neighbours[at] {
            let next = usize::from(next);
            if steps[next] == FAR {
                steps[next] = next_step;
                open.push_back(next);
            }
        }
    }
    steps
}
