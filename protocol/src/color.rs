//! Colours of teams, cells and overlays.

use crate::by_text::named_by_text;
use crate::words;

words! {
    /// A colour by name. The spectator chooses the exact shade, since it knows the background.
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
