//! Filter of games: by player, opponent, stage and result.

use super::{GameLine, OutcomeFilter};

/// Filter for lists of games. Players and stages are given by name, as in a line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// The player.
    pub player: Option<String>,
    /// The opponent.
    pub opponent: Option<String>,
    /// The stage.
    pub stage: Option<String>,
    /// The result.
    pub outcome: Option<OutcomeFilter>,
    /// Numbers of the only games to include; empty for all games.
    pub numbers: Vec<u64>,
}

impl GameFilter {
    /// Whether a game matches.
    pub fn takes(&self, line: &GameLine) -> bool {
        let plays = |name: &Option<String>| name.as_ref().is_none_or(|name| line.players.contains(name));
        let side = self.player.as_ref().and_then(|name| line.players.iter().position(|of| of == name));
        let winner = line.winner.map(usize::from);
        let outcome = match self.outcome {
            None => true,
            Some(OutcomeFilter::Won) => side.is_some() && winner == side,
            // If both sides are at fault, both have lost.
            Some(OutcomeFilter::Lost) => match winner {
                Some(winner) => side.is_some_and(|side| side != winner),
                None => side.is_some() && line.result.as_deref() == Some("0-0"),
            },
            Some(OutcomeFilter::Drawn) => line.result.as_deref() == Some("½-½"),
            Some(OutcomeFilter::Fault) => line.fault.is_some(),
        };
        outcome
            && plays(&self.player)
            && plays(&self.opponent)
            && self.stage.as_ref().is_none_or(|stage| *stage == line.stage)
            && (self.numbers.is_empty() || self.numbers.contains(&line.number))
    }
}
