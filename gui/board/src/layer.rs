//! Places among the shapes of a picture that are filled once the picture is painted.

use std::cell::Cell;

use egui::layers::ShapeIdx;
use egui::{Painter, Shape};

/// The place of a layer, as the picture that was painted last has it.
#[derive(Debug, Default)]
pub(crate) struct Layer(Cell<Option<ShapeIdx>>);

impl Layer {
    /// Keeps a place above what was painted so far.
    pub(crate) fn keep(&self, painter: &Painter) {
        self.0.set(Some(painter.add(Shape::Noop)));
    }

    /// The place that was kept last.
    pub(crate) fn get(&self) -> Option<ShapeIdx> {
        self.0.get()
    }
}
