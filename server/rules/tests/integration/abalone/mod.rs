//! Robot Abalone: its rules, turns and boards as text.

mod actions;
pub(crate) mod common;
mod diagram;
mod naive;
mod rules;
mod turns;
