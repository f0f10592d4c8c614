//! Controls that may be disabled.

use eframe::egui::{Id, Response, Stroke, StrokeKind, Ui, Widget};
use grandstand_board::theme::Palette;

/// Adds a control. While it is disabled it keeps the keyboard's focus that it had.
pub(crate) fn add_enabled(ui: &mut Ui, enabled: bool, control: impl Widget) -> Response {
    let focused = ui.memory(|memory| memory.focused());
    let response = ui.add_enabled(enabled, control);
    if !enabled && keep_focus(ui, focused, &response) {
        let ring = Stroke::new(1.5, Palette::of(ui.ctx()).accent);
        ui.painter().rect_stroke(response.rect, 6.0, ring, StrokeKind::Inside);
    }
    response
}

/// Gives a disabled control the focus back that egui took away from it, so that Tab goes on from there and not from the
/// first control. `focused` had the focus before the control was added. Returns whether it is this one.
pub(super) fn keep_focus(ui: &Ui, focused: Option<Id>, response: &Response) -> bool {
    let is_focused = focused == Some(response.id);
    if is_focused {
        // egui takes the focus from what is not there; what senses no click counts as such.
        ui.ctx().check_for_id_clash(response.id, response.rect, "disabled control");
        ui.memory_mut(|memory| {
            memory.request_focus(response.id);
            // Tab, in this frame, leads on from it.
            memory.interested_in_focus(response.id, ui.layer_id());
        });
    }
    is_focused
}
