//! The list of all keys, shown over the board.

use ratatui_core::style::Modifier;

use crate::canvas::{Canvas, bold, columns, ink};
use crate::input::BINDINGS;
use crate::look::{ACCENT, TEXT, rgb};

/// Paints the list in the middle of the screen.
pub(crate) fn paint(canvas: &mut Canvas<'_>) {
    let look = canvas.look;
    let lines = BINDINGS.iter().filter(|binding| !binding.what.is_empty());
    let lines: Vec<(&str, &str)> =
        lines.map(|binding| (look.sign(binding.shown.0, binding.shown.1), binding.what)).collect();
    let keys = lines.iter().map(|(key, _)| columns(key)).max().unwrap_or(0);
    let words = lines.iter().map(|(_, what)| columns(what)).max().unwrap_or(0);
    let (width, height) = (keys + words + 6, lines.len() as i32 + 2);
    let (x, y) = ((canvas.width() - width) / 2, (canvas.height() - height) / 2);
    let mut part = canvas.part(x, y.max(0), width, height);
    let style = if look.has_color() {
        ink(TEXT).bg(rgb(0x202731))
    } else {
        ink(TEXT).add_modifier(Modifier::REVERSED)
    };
    part.clear(style);
    part.text(
        2,
        0,
        "Keyboard shortcuts",
        if look.has_color() { bold(ACCENT).bg(rgb(0x202731)) } else { style },
    );
    for ((key, what), y) in lines.iter().zip(1..) {
        part.text(2, y, key, if look.has_color() { ink(ACCENT) } else { style });
        part.text(keys + 4, y, what, if look.has_color() { ink(TEXT) } else { style });
    }
}
