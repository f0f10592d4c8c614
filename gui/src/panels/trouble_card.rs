//! Card with an error and what to do about it.

use eframe::egui::{Frame, RichText, Sense, Stroke, Ui, vec2};
use grandstand_board::theme::{BODY, Palette, mix, semibold};

use crate::errors::SourceError;
use crate::icons::{self, Icon};

/// Shows the card; returns `true` if its button was pressed.
pub(crate) fn show(ui: &mut Ui, trouble: &SourceError, button: Option<&str>) -> bool {
    let palette = Palette::of(ui.ctx());
    let frame = Frame::new()
        .fill(mix(palette.panel, palette.error, 0.10))
        .corner_radius(8.0)
        .inner_margin(14.0)
        .stroke(Stroke::new(1.0, mix(palette.panel, palette.error, 0.35)));
    let mut pressed = false;
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal_top(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(26.0, 24.0), Sense::hover());
            icons::paint(ui.painter(), Icon::Error, icons::square(rect.center(), 20.0), palette.error);
            ui.vertical(|ui| {
                ui.label(
                    RichText::new(&trouble.title).family(semibold()).size(BODY + 1.0).color(palette.error),
                );
                ui.label(&trouble.detail);
                ui.label(RichText::new(&trouble.advice).color(palette.weak));
                if let Some(button) = button {
                    ui.add_space(4.0);
                    pressed = ui.button(button).clicked();
                }
            });
        });
    });
    pressed
}
