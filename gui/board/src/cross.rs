//! A cross over a place: what was lost there, or may not go there.

use egui::{Painter, Pos2, Stroke, vec2};

/// Paints two strokes that reach so far from the middle to each side, with each of the pens.
pub(crate) fn paint_cross(painter: &Painter, at: Pos2, arm: f32, pens: impl IntoIterator<Item = Stroke>) {
    for pen in pens {
        for way in [vec2(arm, arm), vec2(arm, -arm)] {
            painter.line_segment([at - way, at + way], pen);
        }
    }
}
