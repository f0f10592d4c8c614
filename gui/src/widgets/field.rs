//! Fields for text.

use eframe::egui::{Align2, TextEdit};

/// A field of one line, whose text stands in its middle, however high the field is.
pub(crate) fn line_edit(text: &mut dyn eframe::egui::TextBuffer) -> TextEdit<'_> {
    TextEdit::singleline(text).align(Align2::LEFT_CENTER)
}
