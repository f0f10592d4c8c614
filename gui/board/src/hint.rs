//! Hint: a short text about a place, above it or below it, so far off that its neighbours are seen.

use egui::{Color32, FontId, Painter, Pos2, Rect, Stroke, StrokeKind, pos2, vec2};

use crate::theme::{Palette, SMALL, semibold};

/// Paints the text at the distance `away` from a place, within `room`. `edge` is the colour of its frame.
pub fn paint(
    painter: &Painter,
    palette: &Palette,
    (at, away): (Pos2, f32),
    room: Rect,
    (words, edge): (String, Color32),
) {
    let font = FontId::new(SMALL + 1.0, semibold());
    let galley = painter.layout_no_wrap(words, font, palette.text);
    let rect = place((at, away), galley.size() + vec2(14.0, 8.0), room.shrink(2.0));
    painter.rect_filled(rect, 6.0, palette.panel);
    painter.rect_stroke(rect, 6.0, Stroke::new(1.0, edge), StrokeKind::Inside);
    painter.galley(rect.min + vec2(7.0, 4.0), galley, palette.text);
}

fn place((at, away): (Pos2, f32), size: egui::Vec2, room: Rect) -> Rect {
    let above = at.y - away - size.y / 2.0;
    let y = if above - size.y / 2.0 > room.top() { above } else { at.y + away + size.y / 2.0 };
    let half = (size.x / 2.0).min(room.width() / 2.0);
    let x = at.x.max(room.left() + half).min(room.right() - half);
    Rect::from_center_size(pos2(x, y), size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_neighbours_of_a_place_are_seen_and_the_text_lies_on_the_board() {
        let room = Rect::from_min_size(pos2(0.0, 0.0), vec2(400.0, 300.0));
        for (x, y) in [(200.0, 150.0), (3.0, 3.0), (397.0, 297.0), (200.0, 20.0)] {
            let hint = place((pos2(x, y), 30.0), vec2(120.0, 22.0), room);
            assert!(room.contains_rect(hint), "{x} {y}: {hint}");
            let neighbours = Rect::from_center_size(pos2(x, y), vec2(58.0, 58.0));
            assert!(!hint.intersects(neighbours), "{x} {y}: {hint}");
        }
    }
}
