//! Games in which two players move by turns: who plays them, and the referee between them.
//!
//! - [`player`]: what the referee knows of a player, and what a player knows of a match;
//! - [`reports`]: what a player tells besides its moves.

pub mod player;
pub mod reports;

pub use player::{Asked, Bid, Choice, Forfeit, Player, Preparation, Stop, Thought, Turn};
pub use reports::{Event, Report, Reports};
