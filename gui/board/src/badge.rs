//! Badge of a team: its piece, or its colour with the first letter of its name.

use egui::{Align2, FontId, Painter, Pos2, Stroke, Ui};
use grandstand_story::sides::{Badge, Side};

use crate::theme::{Palette, mix};

/// Paints a team's badge.
pub fn team_badge(ui: &Ui, side: &Side, center: Pos2, radius: f32) {
    paint_badge(ui.painter(), Palette::of(ui.ctx()), center, radius, side.badge, &side.name);
}

/// Paints a badge of this kind, for a team of this name.
pub fn paint_badge(
    painter: &Painter,
    palette: &Palette,
    center: Pos2,
    radius: f32,
    badge: Badge,
    name: &str,
) {
    match badge {
        Badge::Stone(team) => {
            // The rim makes a black stone visible on a dark ground.
            let rim =
                Stroke::new(1.0, mix(palette.ground, palette.text, if palette.is_dark { 0.5 } else { 0.3 }));
            painter.circle_stroke(center, radius, rim);
            crate::games::stones::paint_stone(painter, center, radius - 0.5, team, 1.0);
        }
        Badge::Piece(team) => crate::games::abalone::paint_badge(painter, palette, center, radius, team),
        Badge::Squad(squad) => crate::team_marks::paint_badge(painter, palette, center, radius, squad),
        Badge::Color(color) => {
            painter.circle_filled(center, radius, palette.color(color));
            let initial: String = name.chars().take(1).flat_map(char::to_uppercase).collect();
            let font = FontId::proportional(radius * 1.1);
            let ink = crate::theme::ink_on(palette.color(color));
            painter.text(center, Align2::CENTER_CENTER, initial, font, ink);
        }
    }
}
