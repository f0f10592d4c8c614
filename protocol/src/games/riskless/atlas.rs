//! Territories, roads and the notation of moves in Riskless.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::by_text::{ParseError, json_by_text, like_str};
use crate::text::Label;

/// Coordinates on a map are in thousandths of its width and height.
pub const MILLE: u16 = 1000;

/// A name of one or several words: a [`Label`] without spaces at its ends. A clone shares the characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Name(Label);

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        let label = Label::from(text);
        let trimmed = label.trim_matches(' ');
        Name(if trimmed.len() == label.len() { label } else { Label::from(trimmed) })
    }
}

like_str!(Name);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Name, D::Error> {
        Ok(Name::from(String::deserialize(deserializer)?.as_str()))
    }
}

/// A territory of the map.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Territory {
    /// The territory's number.
    pub id: u8,
    /// The x coordinate from the left, in thousandths of the map's width.
    #[serde(deserialize_with = "mille")]
    pub x: u16,
    /// The y coordinate from the top, in thousandths of the map's height.
    #[serde(deserialize_with = "mille")]
    pub y: u16,
    /// The territory's name.
    pub name: Name,
}

/// A road: two neighbouring territories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Road {
    /// The number of one territory.
    pub a: u8,
    /// The number of the other territory.
    pub b: u8,
}

/// A move of Riskless in players' notation, `3-7`: all armies of a territory go to another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// The number of the territory that the armies leave.
    pub from: u8,
    /// The number of the territory that the armies enter.
    pub to: u8,
}

pub(super) const STEP: &str = "a move: the numbers of two territories, as in 3-7";

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from, self.to)
    }
}

impl FromStr for Step {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Step, ParseError> {
        let numbers = text.split_once('-').and_then(|(from, to)| Some((number(from)?, number(to)?)));
        numbers.map(|(from, to)| Step { from, to }).ok_or_else(|| ParseError::new(text, "a move", STEP))
    }
}

/// Parses the number of a territory, without a sign.
fn number(text: &str) -> Option<u8> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

json_by_text!(Step);

fn mille<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u16, D::Error> {
    let mille = u16::deserialize(deserializer)?;
    if mille <= MILLE {
        return Ok(mille);
    }
    Err(D::Error::custom(format_args!("{mille} is not on the map: expected 0 to {MILLE}")))
}
