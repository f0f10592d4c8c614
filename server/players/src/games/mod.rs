//! Players of each game that need more than the crate `grandstand-matches` has, one folder a game.

pub mod fortress;
pub mod riskless;
pub mod stones;
