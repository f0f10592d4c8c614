//! Filter of games: by player, opponent, stage and result.

use super::GameLine;

/// Which games are wanted. Names, since that is what a line has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// Of this player.
    pub player: Option<String>,
    /// Against this one.
    pub opponent: Option<String>,
    /// In this stage.
    pub stage: Option<String>,
    /// With this result.
    pub outcome: Option<Outcome>,
    /// These alone, by number; all where there are none.
    pub numbers: Vec<u64>,
}

/// A result by which games are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Won by the player of the filter.
    Won,
    /// Lost by the player of the filter.
    Lost,
    /// Nobody won.
    Drawn,
    /// Somebody's own fault ended it.
    Fault,
}

impl Outcome {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Won, Self::Lost, Self::Drawn, Self::Fault];

    /// Its name in an address.
    pub fn name(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Lost => "lost",
            Self::Drawn => "drawn",
            Self::Fault => "fault",
        }
    }

    /// The one of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.name() == name)
    }

    /// Whether it is somebody's: without a player nobody is meant.
    pub fn is_of_a_player(self) -> bool {
        matches!(self, Self::Won | Self::Lost)
    }
}

impl GameFilter {
    /// Whether a game is wanted.
    pub fn takes(&self, line: &GameLine) -> bool {
        let plays = |name: &Option<String>| name.as_ref().is_none_or(|name| line.players.contains(name));
        let side = self.player.as_ref().and_then(|name| line.players.iter().position(|of| of == name));
        let winner = line.winner.map(usize::from);
        let outcome = match self.outcome {
            None => true,
            Some(Outcome::Won) => side.is_some() && winner == side,
            // Where both are at fault, both have lost.
            Some(Outcome::Lost) => match winner {
                Some(winner) => side.is_some_and(|side| side != winner),
                None => side.is_some() && line.result == Some("0-0"),
            },
            Some(Outcome::Drawn) => line.result == Some("½-½"),
            Some(Outcome::Fault) => line.fault.is_some(),
        };
        outcome
            && plays(&self.player)
            && plays(&self.opponent)
            && self.stage.as_ref().is_none_or(|stage| *stage == line.stage)
            && (self.numbers.is_empty() || self.numbers.contains(&line.number))
    }
}
