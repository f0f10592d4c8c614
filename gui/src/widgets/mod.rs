//! Widgets that egui does not have.

mod button;
pub(crate) mod panel_edge;
pub(crate) mod rows;
pub(crate) mod time_steps;

pub(crate) use button::{IconButton, chip, main_button};
