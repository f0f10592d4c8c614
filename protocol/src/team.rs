//! Teams that more than one game has, and who of them won.

use std::fmt;
use std::ops::{Deref, Index, IndexMut};
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};

use crate::color::Color;
use crate::text::shorten;

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

/// Red and blue: the two teams of λ-Shark and of Steam Fortress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Squad {
    Red,
    Blue,
}

impl Squad {
    /// Both teams, red first.
    pub const ALL: [Squad; 2] = [Squad::Red, Squad::Blue];

    /// The other team.
    #[must_use]
    pub fn opponent(self) -> Squad {
        match self {
            Squad::Red => Squad::Blue,
            Squad::Blue => Squad::Red,
        }
    }

    /// The team's name, as it is written in text and in JSON: `red` or `blue`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Squad::Red => "red",
            Squad::Blue => "blue",
        }
    }

    /// The colour that the team is named after.
    #[must_use]
    pub fn color(self) -> Color {
        match self {
            Squad::Red => Color::Red,
            Squad::Blue => Color::Blue,
        }
    }

    /// 0 for red, 1 for blue: where the team stands in [`Squad::ALL`].
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Squad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The word is neither `red` nor `blue`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a team: expected red or blue")]
pub struct SquadError(String);

impl FromStr for Squad {
    type Err = SquadError;

    fn from_str(name: &str) -> Result<Squad, SquadError> {
        let found = Squad::ALL.into_iter().find(|squad| squad.name() == name);
        found.ok_or_else(|| SquadError(shorten(name, 40)))
    }
}

/// The same for red and for blue: credits, scores, names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BySquad<T> {
    /// Red's.
    pub red: T,
    /// Blue's.
    pub blue: T,
}

impl<T> Index<Squad> for BySquad<T> {
    type Output = T;

    fn index(&self, squad: Squad) -> &T {
        match squad {
            Squad::Red => &self.red,
            Squad::Blue => &self.blue,
        }
    }
}

impl<T> IndexMut<Squad> for BySquad<T> {
    fn index_mut(&mut self, squad: Squad) -> &mut T {
        match squad {
            Squad::Red => &mut self.red,
            Squad::Blue => &mut self.blue,
        }
    }
}

/// How a game of red and blue ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Verdict {
    Red,
    Blue,
    Draw,
}

impl Verdict {
    /// The verdict's name, as it is written in text and in JSON: `red`, `blue` or `draw`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.winner().map_or("draw", Squad::name)
    }

    /// Who won; nobody in a draw.
    #[must_use]
    pub fn winner(self) -> Option<Squad> {
        match self {
            Verdict::Red => Some(Squad::Red),
            Verdict::Blue => Some(Squad::Blue),
            Verdict::Draw => None,
        }
    }
}

impl From<Option<Squad>> for Verdict {
    fn from(winner: Option<Squad>) -> Verdict {
        match winner {
            Some(Squad::Red) => Verdict::Red,
            Some(Squad::Blue) => Verdict::Blue,
            None => Verdict::Draw,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The word is neither `red` nor `blue` nor `draw`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` does not say who won: expected red, blue or draw")]
pub struct VerdictError(String);

impl FromStr for Verdict {
    type Err = VerdictError;

    fn from_str(name: &str) -> Result<Verdict, VerdictError> {
        let all = [Verdict::Red, Verdict::Blue, Verdict::Draw];
        let found = all.into_iter().find(|verdict| verdict.name() == name);
        found.ok_or_else(|| VerdictError(shorten(name, 40)))
    }
}

/// Maxie and Minnie: the two teams of Riskless.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Duelist {
    Maxie,
    Minnie,
}

impl Duelist {
    /// Both, Maxie first: Maxie moves first.
    pub const ALL: [Duelist; 2] = [Duelist::Maxie, Duelist::Minnie];

    /// The name, as it is written in text and in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Duelist::Maxie => "maxie",
            Duelist::Minnie => "minnie",
        }
    }

    /// Maxie is red, Minnie blue.
    #[must_use]
    pub fn color(self) -> Color {
        match self {
            Duelist::Maxie => Color::Red,
            Duelist::Minnie => Color::Blue,
        }
    }
}

impl fmt::Display for Duelist {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The name of a team: one word of 1 to 32 characters. A clone shares the characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct TeamName(Arc<str>);

/// The text can't be a team's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a team's name: expected {TEAM_NAME}")]
pub struct TeamNameError(String);

pub(crate) const TEAM_NAME: &str = "a team's name: one word of at most 32 characters";

impl FromStr for TeamName {
    type Err = TeamNameError;

    fn from_str(name: &str) -> Result<TeamName, TeamNameError> {
        let length = name.chars().take(33).count();
        if (1..=32).contains(&length) && !name.contains(|c: char| c.is_whitespace() || c.is_control()) {
            Ok(TeamName(name.into()))
        } else {
            Err(TeamNameError(shorten(name, 40)))
        }
    }
}

impl Deref for TeamName {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TeamName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl<'de> Deserialize<'de> for TeamName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TeamName, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
