//! Names of places, painted on them where they are large enough.

use egui::{Align2, FontId, Painter, Rect, vec2};

use crate::theme::{Palette, semibold};

/// Smallest text size, in points.
const SMALLEST: f32 = 8.5;

/// Font for names on places of this size, if the longest is `longest`; `None` if the text would be too small to read.
pub fn font(painter: &Painter, place: Rect, longest: &str) -> Option<FontId> {
    let font = FontId::new((place.height() * 0.27).clamp(SMALLEST, 16.0), semibold());
    let width = painter.layout_no_wrap(longest.to_owned(), font.clone(), egui::Color32::WHITE).size().x;
    (place.height() >= 20.0 && width + 2.0 <= place.width()).then_some(font)
}

/// Paints the visible names at the upper edges of their places.
pub(super) fn paint<N: ToString>(
    painter: &Painter,
    palette: &Palette,
    longest: &str,
    places: impl Iterator<Item = (N, Rect)>,
) {
    let clip = painter.clip_rect();
    let mut letters = None;
    for (name, area) in places.filter(|(_, area)| clip.intersects(*area)) {
        let letters = letters.get_or_insert_with(|| font(painter, area, longest));
        let Some(font) = letters.clone() else { return };
        let galley = painter.layout_no_wrap(name.to_string().replace('-', "−"), font, palette.text);
        let at = area.center_top() + vec2(0.0, galley.size().y * 0.5);
        let plate = Align2::CENTER_CENTER.anchor_size(at, galley.size());
        painter.rect_filled(plate.expand2(vec2(1.5, -0.5)), 2.0, palette.ground.gamma_multiply(0.72));
        painter.galley(plate.min, galley, palette.text);
    }
}
