//! The games that are played by turns.

pub mod stones;
