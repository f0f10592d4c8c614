//! Nodes of the accessibility tree for what is painted.

use egui::{AsIdSalt, Rect, Response, Role, Sense, Ui, WidgetInfo};

/// A node whose words say what is painted in a rectangle. `id` is unique in the scope of `ui`.
pub fn show(ui: &Ui, rect: Rect, id: impl AsIdSalt, role: Role, words: impl ToString) -> Response {
    let node = ui.interact(rect, ui.scope_id().with(id), Sense::hover());
    node.widget_info(|| WidgetInfo::labeled(role, true, words.to_string()));
    node
}

/// Whether anybody reads nodes: those of single pieces are made only then.
pub(crate) fn are_read(ui: &Ui) -> bool {
    ui.ctx().has_accesskit_node(ui.unique_id())
}
