//! The list of all keys, shown over the board.

use ratatui_core::style::{Modifier, Style};

use crate::canvas::{Canvas, bold, columns, ink};
use crate::input::BINDINGS;
use crate::look::{ACCENT, GROUND, TEXT, rgb};

/// Paints the list in the middle of the screen.
pub(crate) fn paint(canvas: &mut Canvas<'_>) {
    let look = canvas.look;
    let lines = BINDINGS.iter().filter(|binding| !binding.what.is_empty());
    let lines: Vec<(&str, &str)> =
        lines.map(|binding| (look.sign(binding.shown.0, binding.shown.1), binding.what)).collect();
    let keys = lines.iter().map(|(key, _)| columns(key)).max().unwrap_or(0);
    let words = lines.iter().map(|(_, what)| columns(what)).max().unwrap_or(0);
    // With the frame and a column inside it.
    let (width, height) = (keys + words + 6, lines.len() as i32 + 2);
    let style = if look.has_color() {
        ink(TEXT).bg(rgb(0x202731))
    } else {
        ink(TEXT).add_modifier(Modifier::REVERSED)
    };
    let tinted = |style: Style| if look.has_color() { style.bg(rgb(0x202731)) } else { style };
    // Of a small screen nothing is left beside it.
    if canvas.width() < 2 * width || canvas.height() < height + 2 {
        canvas.clear(ink(TEXT).bg(GROUND));
    }
    let (x, y) = ((canvas.width() - width) / 2, (canvas.height() - height) / 2);
    let mut part = canvas.part(x, y.max(0), width, height);
    part.clear(style);
    frame(&mut part, style);
    part.text(2, 0, " Keyboard shortcuts ", tinted(bold(ACCENT)));
    for ((key, what), y) in lines.iter().zip(1..) {
        part.text(2, y, key, tinted(ink(ACCENT)));
        part.text(keys + 4, y, what, tinted(ink(TEXT)));
    }
}

/// Paints lines along the edges.
fn frame(canvas: &mut Canvas<'_>, style: Style) {
    let (look, right, bottom) = (canvas.look, canvas.width() - 1, canvas.height() - 1);
    for x in 1..right {
        canvas.sign(x, 0, look.sign('─', '-'), style);
        canvas.sign(x, bottom, look.sign('─', '-'), style);
    }
    for y in 1..bottom {
        canvas.sign(0, y, look.sign('│', '|'), style);
        canvas.sign(right, y, look.sign('│', '|'), style);
    }
    for (x, y, sign) in [(0, 0, '┌'), (right, 0, '┐'), (0, bottom, '└'), (right, bottom, '┘')] {
        canvas.sign(x, y, look.sign(sign, '+'), style);
    }
}
