//! Widgets that egui does not have.

mod button;
mod disabled;
mod field;
pub(crate) mod list_keys;
pub(crate) mod panel_edge;
pub(crate) mod rows;
pub(crate) mod time_steps;

pub(crate) use button::{IconButton, chip, chip_width, main_button, paint_chip};
pub(crate) use disabled::add_enabled;
pub(crate) use field::line_edit;
