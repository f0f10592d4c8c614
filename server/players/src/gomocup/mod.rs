//! The Gomocup protocol, from both ends: managing engines, as Gomocup's GUI does, and being one. `server/GOMOCUP.md`
//! describes the messages.
//!
//! - [`TruncatingLineDecoder`]: decoder of lines from bytes, for both ends;
//! - [`Manager`]: the manager's end; [`Answer`]: parser of an engine's lines; [`evaluation`]: parser of an engine's
//!   evaluations;
//! - [`Brain`]: the engine's end; [`Command`]: parser of a manager's lines; [`times`]: time settings from a manager;
//! - [`process`]: an engine in its sandbox, on pipes and a clock; [`run`]: this program as an engine, on its standard
//!   streams.
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
pub use lines::TruncatingLineDecoder;
pub use manager::Manager;
