//! What the searches know of Riskless.

mod armies;
mod balance;
mod chance;
mod memory;

pub use armies::Armies;
pub use balance::{Balance, Weights};
pub use chance::opening;
