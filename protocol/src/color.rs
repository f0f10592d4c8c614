//! The colours that teams, cells and overlays are drawn in.

use crate::by_text::named_by_text;
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

named_by_text!(Color, "a colour");
