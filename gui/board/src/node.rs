//! Accessibility nodes for painted things.

use egui::{AsIdSalt, Rect, Response, Role, Sense, Ui, WidgetInfo};

/// A node for what is painted in a rectangle. `id` must be unique in the scope of `ui`.
pub fn show(ui: &Ui, rect: Rect, id: impl AsIdSalt, role: Role, words: impl ToString) -> Response {
    let node = ui.interact(rect, ui.scope_id().with(id), Sense::hover());
    node.widget_info(|| WidgetInfo::labeled(role, true, words.to_string()));
    node
}

/// Whether the accessibility tree is in use; nodes of single pieces are made only then.
pub(crate) fn are_read(ui: &Ui) -> bool {
    ui.ctx().has_accesskit_node(ui.unique_id())
}
