//! The Gomocup protocol, both of its ends: managing engines as their GUI, and being one. `server/GOMOCUP.md` describes
//! what is said.
//!
//! - [`Lines`]: bytes cut into lines, as either end must read them;
//! - [`Manager`]: what is said to an engine and awaited from it; [`Answer`]: what an engine says; [`evaluation`]: what it
//!   says of its thinking;
//! - [`Brain`]: what an engine answers; [`Command`]: what it is told; [`times`]: what it is told of time;
//! - [`process`]: an engine in its box, on pipes and a clock; [`run`]: this program as an engine, on its standard streams.
//!
//! The first three groups own no socket, thread or clock: bytes and `now` are arguments.

mod answer;
mod board;
pub mod brain;
mod command;
pub mod evaluation;
pub mod fuzz;
mod lines;
pub mod manager;
mod opening;
mod pipes;
pub mod process;
pub mod run;
mod search;
pub mod times;

pub use answer::{Answer, Pair};
pub use board::EngineBoard;
pub use brain::Brain;
pub use command::{Command, Info};
pub use lines::Lines;
pub use manager::Manager;
