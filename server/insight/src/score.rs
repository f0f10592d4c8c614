//! Score of a match over time, from the drawn commands.

use grandstand_matches::{Side, StampedCommand};
use grandstand_protocol::{Game, Micros, Scene};
use grandstand_story::story;

/// Scores of the two sides from a cycle on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scored {
    /// The cycle.
    pub cycle: u64,
    /// The scores, by side.
    pub scores: [i32; 2],
}

/// The scene so far, and the history of the score.
#[derive(Debug)]
pub(crate) struct Scores {
    scene: Scene,
    seq: u64,
    pub(crate) list: Vec<Scored>,
}

impl Scores {
    pub(crate) fn new(game: Game) -> Self {
        Self { scene: Scene::new(game), seq: 0, list: vec![Scored { cycle: 0, scores: [0; 2] }] }
    }

    /// Takes the next drawn commands.
    pub(crate) fn take(&mut self, commands: &[StampedCommand], sides: [Side; 2]) {
        for StampedCommand { tick, command } in commands {
            self.seq += 1;
            self.scene.apply(self.seq, Micros(*tick), command);
            let told = story(&self.scene).scores();
            let of = |side: Side| told.iter().find(|(team, _)| team.eq_ignore_ascii_case(side.name));
            let scores = sides.map(|side| of(side).map_or(0, |(_, score)| *score));
            match self.list.last_mut() {
                Some(last) if last.scores == scores => {}
                Some(last) if last.cycle == *tick => last.scores = scores,
                _ => self.list.push(Scored { cycle: *tick, scores }),
            }
        }
    }

    /// Cycle from which on the winner leads for good; `None` if it led from the start, or doesn't lead at the end.
    pub(crate) fn turned(&self, winner: usize) -> Option<u64> {
        let leads = |scored: &Scored| scored.scores[winner] > scored.scores[1 - winner];
        let last = self.list.iter().rposition(|scored| !leads(scored))?;
        self.list.get(last + 1).map(|scored| scored.cycle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_turns_where_the_last_lead_begins() {
        let list = [(0, [0, 0]), (10, [1, 0]), (20, [1, 1]), (30, [1, 2]), (40, [1, 3])];
        let list = list.map(|(cycle, scores)| Scored { cycle, scores }).to_vec();
        let scores = Scores { list, ..Scores::new(Game::Abalone) };
        assert_eq!((scores.turned(1), scores.turned(0)), (Some(30), None));
    }
}
