//! The games that are played by turns.

pub mod riskless;
pub mod stones;
