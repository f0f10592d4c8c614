//! Overlay shown while a file is dragged over the window.

use eframe::egui::{Align2, FontId, Id, LayerId, Order, Stroke, StrokeKind, Ui};
use grandstand_board::theme::{Palette, semibold};

/// Shows the overlay.
pub(crate) fn show(ui: &Ui) {
    let palette = Palette::of(ui.ctx());
    let area = ui.ctx().content_rect();
    let painter = ui.ctx().layer_painter(LayerId::new(Order::Foreground, Id::unique("drop")));
    painter.rect_filled(area, 0.0, palette.ground.gamma_multiply(0.85));
    let frame = area.shrink(24.0);
    painter.rect_stroke(frame, 14.0, Stroke::new(2.5, palette.accent), StrokeKind::Inside);
    let font = FontId::new(22.0, semibold());
    painter.text(area.center(), Align2::CENTER_CENTER, "Drop to open the replay", font, palette.text);
}
