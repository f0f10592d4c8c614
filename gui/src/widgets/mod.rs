//! Widgets that egui does not have.

mod button;
mod field;
pub(crate) mod panel_edge;
pub(crate) mod rows;
pub(crate) mod time_steps;

pub(crate) use button::{IconButton, chip, main_button};
pub(crate) use field::line_edit;
