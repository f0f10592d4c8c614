//! The colours that teams, cells and overlays are drawn in.

use std::str::FromStr;

use crate::words;

words! {
    /// A colour by name. What exactly it looks like is the spectator's choice, which knows its background.
    #[expect(missing_docs, reason = "the names say it")]
    Color {
        Black = "black",
        White = "white",
        Gray = "gray",
        Red = "red",
        Orange = "orange",
        Yellow = "yellow",
        Green = "green",
        Cyan = "cyan",
        Blue = "blue",
        Purple = "purple",
        Pink = "pink",
        Brown = "brown",
    }
}

/// The word is not the name of a colour.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a colour: expected {COLOR_NAMES}")]
pub struct ColorError(String);

/// The names of all colours, as an error lists them.
pub(crate) const COLOR_NAMES: &str =
    "black, white, gray, red, orange, yellow, green, cyan, blue, purple, pink or brown";

impl FromStr for Color {
    type Err = ColorError;

    fn from_str(name: &str) -> Result<Color, ColorError> {
        Color::named(name).ok_or_else(|| ColorError(crate::text::shorten(name, 40)))
    }
}
