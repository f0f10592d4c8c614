//! Teams that more than one game has.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::color::Color;

/// Black and white: the two teams of Abalone and of every game played with stones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Team {
    Black,
    White,
}

impl Team {
    /// Both teams, black first: black moves first.
    pub const ALL: [Team; 2] = [Team::Black, Team::White];

    /// The other team.
    #[must_use]
    pub fn opponent(self) -> Team {
        match self {
            Team::Black => Team::White,
            Team::White => Team::Black,
        }
    }

    /// The team's name, as it is written in JSON: `black` or `white`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Team::Black => "black",
            Team::White => "white",
        }
    }

    /// The colour that the team is named after.
    #[must_use]
    pub fn color(self) -> Color {
        match self {
            Team::Black => Color::Black,
            Team::White => Color::White,
        }
    }

    /// 0 for black, 1 for white: where the team stands in [`Team::ALL`].
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Team {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
