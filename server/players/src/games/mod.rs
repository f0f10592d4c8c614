//! Players of each game, beyond those that the crate `grandstand-matches` has; one folder a game.

pub mod fortress;
pub mod riskless;
pub mod stones;
