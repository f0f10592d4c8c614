//! The protocol's tests: one program, one module a subject.

mod decoder;
mod fuzz;
mod game_scenes;
mod golden;
mod places;
mod properties;
mod scene;
