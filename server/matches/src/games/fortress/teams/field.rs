//! Walking distances on a map.

use std::collections::VecDeque;
use std::sync::Arc;

use grandstand_rules::fortress::{Direction, Map, Place};

/// Farther than any way on the board.
const FAR: i32 = 2_000;

/// For every square, how many steps it is from there to the nearest of some squares.
#[derive(Debug, Clone)]
pub(super) struct Field {
    goals: Vec<Place>,
    steps: Vec<i32>,
    /// By [`Place::index`]: the squares that are a step away.
    beside: Arc<[Vec<u16>]>,
}

impl Field {
    /// The steps to the squares within so many of a place along x and along y, as far as one can walk from there to it.
    pub(super) fn around(map: &Map, place: Place, radius: i64) -> Self {
        let reachable = map.reachable(place);
        let near = |at: &Place| i64::from(at.steps_apart(place)) <= radius && reachable[at.index()];
        let goals: Vec<Place> = Place::all().filter(near).collect();
        let index = |at: Place| at.index() as u16;
        let beside =
            |at: Place| Direction::ALL.iter().filter_map(|way| map.step(at, *way)).map(index).collect();
        let beside: Arc<[Vec<u16>]> = Place::all().map(beside).collect();
        let steps = flood(&beside, &goals, &[]);
        Self { goals, steps, beside }
    }

    /// The same where some squares are taken, for who stands at `from`; where there is no way round them, or no free
    /// square at its end, as if they were not.
    pub(super) fn around_others(&self, from: Place, taken: &[Place]) -> Self {
        let goals: Vec<Place> = self.goals.iter().copied().filter(|goal| !taken.contains(goal)).collect();
        let steps = flood(&self.beside, &goals, taken);
        if steps[from.index()] >= FAR {
            return self.clone();
        }
        Self { goals, steps, beside: Arc::clone(&self.beside) }
    }

    /// Steps from there.
    pub(super) fn distance(&self, at: Place) -> i32 {
        self.steps[at.index()]
    }
}

fn flood(beside: &[Vec<u16>], goals: &[Place], taken: &[Place]) -> Vec<i32> {
    // What is taken counts as seen.
    const TAKEN: i32 = FAR + 1;
    let mut steps = vec![FAR; Place::COUNT];
    for place in taken {
        steps[place.index()] = TAKEN;
    }
    let mut open: VecDeque<usize> = goals.iter().map(|goal| goal.index()).collect();
    for goal in goals {
        steps[goal.index()] = 0;
    }
    while let Some(at) = open.pop_front() {
        let next_step = steps[at] + 1;
        for &next in &beside[at] {
            let next = usize::from(next);
            if steps[next] == FAR {
                steps[next] = next_step;
                open.push_back(next);
            }
        }
    }
    steps
}
