//! The colours that teams, cells and overlays are drawn in.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A colour by name. What exactly it looks like is the spectator's choice, which knows its background.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Color {
    Black,
    White,
    Gray,
    Red,
    Orange,
    Yellow,
    Green,
    Cyan,
    Blue,
    Purple,
    Pink,
    Brown,
}

/// The word is not the name of a colour.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a colour: expected {COLOR_NAMES}")]
pub struct ColorError(String);

/// The names of all colours, as an error lists them.
pub(crate) const COLOR_NAMES: &str =
    "black, white, gray, red, orange, yellow, green, cyan, blue, purple, pink or brown";

impl Color {
    /// Every colour.
    pub const ALL: [Color; 12] = [
        Color::Black,
        Color::White,
        Color::Gray,
        Color::Red,
        Color::Orange,
        Color::Yellow,
        Color::Green,
        Color::Cyan,
        Color::Blue,
        Color::Purple,
        Color::Pink,
        Color::Brown,
    ];

    /// The colour's name, as it is written in text and in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Color::Black => "black",
            Color::White => "white",
            Color::Gray => "gray",
            Color::Red => "red",
            Color::Orange => "orange",
            Color::Yellow => "yellow",
            Color::Green => "green",
            Color::Cyan => "cyan",
            Color::Blue => "blue",
            Color::Purple => "purple",
            Color::Pink => "pink",
            Color::Brown => "brown",
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Color {
    type Err = ColorError;

    fn from_str(name: &str) -> Result<Color, ColorError> {
        let found = Color::ALL.into_iter().find(|color| color.name() == name);
        found.ok_or_else(|| ColorError(crate::text::shorten(name, 40)))
    }
}
