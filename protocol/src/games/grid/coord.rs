//! Places, glyphs and team names of the grid.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::SIZE_MAX;
use crate::by_text::{ParseError, json_by_text};
use crate::line::integer;
use crate::text::shorten;

/// The place of a cell, `X,Y`: column and row, each 0 to 63, from the upper left corner. Ordered row by row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Coord {
    y: u8,
    x: u8,
}

pub(super) const PLACE: &str = "a place X,Y: column and row from 0 to 63";

impl Coord {
    /// The cell in column `x` of row `y`; `None` unless both are below [`SIZE_MAX`].
    pub fn new(x: u8, y: u8) -> Option<Coord> {
        (x < SIZE_MAX && y < SIZE_MAX).then_some(Coord { y, x })
    }

    /// The column, 0 at the left.
    pub fn x(self) -> u8 {
        self.x
    }

    /// The row, 0 at the top.
    pub fn y(self) -> u8 {
        self.y
    }

    pub(super) fn parse(bytes: &[u8]) -> Option<Coord> {
        let comma = bytes.iter().position(|&byte| byte == b',')?;
        let [x, y] = [&bytes[..comma], &bytes[comma + 1..]].map(|digits| {
            let plain = digits.first().is_some_and(u8::is_ascii_digit);
            integer(digits).filter(|_| plain).and_then(|number| u8::try_from(number).ok())
        });
        Coord::new(x?, y?)
    }
}

impl fmt::Display for Coord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

impl FromStr for Coord {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Coord, ParseError> {
        Coord::parse(text.as_bytes()).ok_or_else(|| ParseError::new(text, "a place", PLACE))
    }
}

json_by_text!(Coord);

/// Deserializes a width or a height: 1 to [`SIZE_MAX`].
pub(super) fn extent<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    let extent = u8::deserialize(deserializer)?;
    if (1..=SIZE_MAX).contains(&extent) {
        Ok(extent)
    } else {
        Err(D::Error::custom(format_args!("{extent} is not a width or height: expected 1 to {SIZE_MAX}")))
    }
}

/// One visible character: neither white space nor a control character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "char")]
pub struct Glyph(char);

/// A text that is not a glyph.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a glyph: expected one character that is neither white space nor a control character")]
pub struct GlyphError(String);

impl Glyph {
    /// The character.
    pub fn as_char(self) -> char {
        self.0
    }
}

impl TryFrom<char> for Glyph {
    type Error = GlyphError;

    fn try_from(c: char) -> Result<Glyph, GlyphError> {
        if c.is_whitespace() || c.is_control() { Err(GlyphError(c.to_string())) } else { Ok(Glyph(c)) }
    }
}

impl FromStr for Glyph {
    type Err = GlyphError;

    fn from_str(text: &str) -> Result<Glyph, GlyphError> {
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) => Glyph::try_from(c),
            _ => Err(GlyphError(shorten(text, 40))),
        }
    }
}
