//! The screen without a match: the match is being opened, or it can't be opened.

use grandstand_source::errors::SourceError;

use crate::canvas::{Canvas, bold, ink, shortened, wrapped};
use crate::look::{TEXT, WARNING, WEAK};

/// Paints that a match is being opened.
pub(crate) fn paint_opening(canvas: &mut Canvas<'_>, what: &str) {
    let text = shortened(&format!("Opening {what}"), canvas.width() - 2, canvas.look);
    canvas.text(1, canvas.height() / 2, &text, ink(WEAK));
}

/// Paints the reason why nothing can be shown.
pub(crate) fn paint(canvas: &mut Canvas<'_>, trouble: &SourceError) {
    let room = canvas.width() - 4;
    let mut y = (canvas.height() / 2 - 3).max(0);
    canvas.text(2, y, &trouble.title, bold(WARNING));
    for text in [&trouble.detail, &trouble.advice] {
        y += 1;
        for line in wrapped(text, room) {
            canvas.text(2, y, &line, ink(TEXT));
            y += 1;
        }
    }
    canvas.text(2, y + 1, "r: again   Esc: back   q: quit", ink(WEAK));
}
