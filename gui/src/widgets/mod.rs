//! Widgets that egui does not have.

mod button;
pub(crate) mod rows;

pub(crate) use button::{IconButton, chip, main_button};
