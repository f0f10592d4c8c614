//! What bots have drawn over a board: the same on every board.

use eframe::egui::{Align2, Color32, FontFamily, FontId, Painter, Pos2, Stroke};
use grandstand_protocol::Mark;
use grandstand_protocol::scene::Overlays;

use crate::sides::Side;
use crate::theme::Palette;

/// Paints the marks. `unit` is the size of a place in points, and `place` says where the place of a name is.
pub(crate) fn paint(
    painter: &Painter,
    palette: &Palette,
    overlays: &Overlays,
    sides: &[Side],
    unit: f32,
    place: impl Fn(&str) -> Option<Pos2>,
) {
    for overlay in overlays.iter() {
        let side = sides.iter().find(|side| overlay.team == *side.key.as_str());
        let own = side.map_or(palette.accent, |side| side.accent(palette));
        let ink = |color: Option<grandstand_protocol::Color>| color.map_or(own, |c| palette.color(c));
        for mark in overlay.marks() {
            match mark {
                Mark::Dot { at, color } => {
                    let Some(at) = place(at) else { continue };
                    painter.circle_filled(at, unit * 0.13, palette.tray);
                    painter.circle_filled(at, unit * 0.10, ink(*color));
                }
                Mark::Arrow { from, to, color } => {
                    let (Some(from), Some(to)) = (place(from), place(to)) else { continue };
                    let pen = Stroke::new((unit * 0.07).max(1.2), ink(*color).gamma_multiply(0.85));
                    painter.arrow(from, to - from, pen);
                }
                Mark::Text { at, text, color } => {
                    let Some(at) = place(at) else { continue };
                    plate(painter, palette, at, text, unit, ink(*color));
                }
            }
        }
    }
}

/// A few words on a plate, so that they can be read over anything.
fn plate(painter: &Painter, palette: &Palette, at: Pos2, text: &str, unit: f32, color: Color32) {
    let font = FontId::new((unit * 0.26).max(11.0), FontFamily::Proportional);
    let galley = painter.layout_no_wrap(text.to_owned(), font, color);
    let area = Align2::CENTER_CENTER.anchor_size(at, galley.size());
    painter.rect_filled(area.expand(3.0), 3.0, palette.tray.gamma_multiply(0.85));
    painter.galley(area.min, galley, color);
}
