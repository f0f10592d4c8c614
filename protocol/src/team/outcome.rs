//! Outcome of a match between two teams: a win of one of them, or a draw.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::TwoTeams;
use crate::text::shorten;

/// The outcome of a game, without the reason for its end. In text and in JSON it is the winning team's name, or `draw`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome<T> {
    /// This team has won.
    Win(T),
    /// No team has won.
    Draw,
}

/// A word that is neither the name of a team of the game nor `draw`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{word}` does not say who won: expected {expected}")]
pub struct OutcomeError {
    word: String,
    expected: String,
}

impl<T> Outcome<T> {
    /// The winning team; `None` for a draw.
    pub fn winner(self) -> Option<T> {
        match self {
            Outcome::Win(team) => Some(team),
            Outcome::Draw => None,
        }
    }

    /// The same outcome with the team converted to another type.
    #[must_use]
    pub fn map<U>(self, other: impl FnOnce(T) -> U) -> Outcome<U> {
        self.winner().map(other).into()
    }
}

impl<T: TwoTeams> Outcome<T> {
    /// All outcomes: a win of the first team, a win of the second team, a draw.
    pub const ALL: [Outcome<T>; 3] = [Outcome::Win(T::ALL[0]), Outcome::Win(T::ALL[1]), Outcome::Draw];

    /// The outcome for the greater count: `order` compares the first team's count with the second team's.
    pub fn of_order(order: Ordering) -> Outcome<T> {
        match order {
            Ordering::Greater => Outcome::Win(T::ALL[0]),
            Ordering::Less => Outcome::Win(T::ALL[1]),
            Ordering::Equal => Outcome::Draw,
        }
    }

    /// The outcome in text: the winner's name, or `draw`.
    pub fn name(self) -> &'static str {
        self.winner().map_or("draw", T::name)
    }

    pub(crate) fn expected() -> String {
        format!("{}, {} or draw", T::ALL[0].name(), T::ALL[1].name())
    }
}

impl<T> From<Option<T>> for Outcome<T> {
    fn from(winner: Option<T>) -> Outcome<T> {
        winner.map_or(Outcome::Draw, Outcome::Win)
    }
}

impl<T: TwoTeams> fmt::Display for Outcome<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl<T: TwoTeams> FromStr for Outcome<T> {
    type Err = OutcomeError;

    fn from_str(word: &str) -> Result<Outcome<T>, OutcomeError> {
        let found = Outcome::ALL.into_iter().find(|outcome| outcome.name() == word);
        found.ok_or_else(|| OutcomeError { word: shorten(word, 40), expected: Outcome::<T>::expected() })
    }
}

impl<T: TwoTeams> Serialize for Outcome<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de, T: TwoTeams> Deserialize<'de> for Outcome<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Outcome<T>, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}
