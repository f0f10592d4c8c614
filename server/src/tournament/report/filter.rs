//! Filter of games: by player, opponent, stage and result.

use super::GameLine;

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
    pub outcome: Option<Outcome>,
    /// Numbers of the only games to include; empty for all games.
    pub numbers: Vec<u64>,
}

/// Result as a filter criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Won by the player of the filter.
    Won,
    /// Lost by the player of the filter.
    Lost,
    /// Drawn.
    Drawn,
    /// Ended by a player's own fault.
    Fault,
}

impl Outcome {
    /// All outcomes.
    pub const ALL: [Self; 4] = [Self::Won, Self::Lost, Self::Drawn, Self::Fault];

    /// The name in an address.
    pub fn name(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Lost => "lost",
            Self::Drawn => "drawn",
            Self::Fault => "fault",
        }
    }

    /// The outcome with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.name() == name)
    }

    /// Whether the outcome refers to a player, so that the filter needs one.
    pub fn is_of_a_player(self) -> bool {
        matches!(self, Self::Won | Self::Lost)
    }
}

impl GameFilter {
    /// Whether a game matches.
    pub fn takes(&self, line: &GameLine) -> bool {
        let plays = |name: &Option<String>| name.as_ref().is_none_or(|name| line.players.contains(name));
        let side = self.player.as_ref().and_then(|name| line.players.iter().position(|of| of == name));
        let winner = line.winner.map(usize::from);
        let outcome = match self.outcome {
            None => true,
            Some(Outcome::Won) => side.is_some() && winner == side,
            // If both sides are at fault, both have lost.
            Some(Outcome::Lost) => match winner {
                Some(winner) => side.is_some_and(|side| side != winner),
                None => side.is_some() && line.result.as_deref() == Some("0-0"),
            },
            Some(Outcome::Drawn) => line.result.as_deref() == Some("½-½"),
            Some(Outcome::Fault) => line.fault.is_some(),
        };
        outcome
            && plays(&self.player)
            && plays(&self.opponent)
            && self.stage.as_ref().is_none_or(|stage| *stage == line.stage)
            && (self.numbers.is_empty() || self.numbers.contains(&line.number))
    }
}
