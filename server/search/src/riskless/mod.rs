//! Riskless for the searches: its estimates and orders of moves.

mod armies;
mod balance;
mod chance;
mod memory;

pub use armies::Armies;
pub use balance::{Balance, Weights};
pub use chance::opening;
