//! Figure beside a team's name.

use egui::{Align2, FontId, Painter, Pos2, pos2};

use crate::SideFigure;
use crate::theme::{BODY, Palette, semibold};

/// An emblem with a number; `words` are its text for screen readers.
pub(super) fn counted(
    number: u32,
    words: String,
    emblem: impl Fn(&Painter, &Palette, Pos2, f32) + 'static,
) -> SideFigure {
    let text = number.to_string();
    let width = 1.5 + 0.45 * text.len() as f32;
    let paint = move |painter: &Painter, palette: &Palette, rect: egui::Rect| {
        let size = rect.height();
        emblem(painter, palette, pos2(rect.left() + size * 0.5, rect.center().y), size);
        let at = pos2(rect.left() + size * 1.3, rect.center().y);
        painter.text(at, Align2::LEFT_CENTER, &text, FontId::new(BODY, semibold()), palette.text);
    };
    SideFigure::Drawn { width, paint: Box::new(paint), words }
}
