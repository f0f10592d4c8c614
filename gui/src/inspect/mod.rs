//! What a viewer learns of a board by pointing at it.

use eframe::egui::{Rect, Stroke, StrokeKind, Ui};

use crate::board::{self, Board, Options, Picture};
use crate::theme::Palette;

/// Marks the place of the board that is pointed at, and tells what is there. The board was shown in `rect` by this `ui`.
pub(crate) fn point_out(ui: &Ui, rect: Rect, board: &dyn Board, picture: &Picture<'_>, options: Options) {
    let Some(response) = ui.ctx().read_response(ui.scope_id().with("board")) else { return };
    let Some(place) = response.hover_pos().and_then(|at| board.place_at(rect, picture, options, at)) else {
        return;
    };
    if let Some(area) = board.area_of(rect, picture, options, place) {
        let pen = Stroke::new(1.5, Palette::of(ui.ctx()).text.gamma_multiply(0.6));
        ui.painter().rect_stroke(area, area.width() * 0.2, pen, StrokeKind::Inside);
    }
    if let Some(words) = board::view(picture.scene).describe(place) {
        response.on_hover_text_at_pointer(words);
    }
}
