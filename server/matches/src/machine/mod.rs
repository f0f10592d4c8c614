//! Matches of programs: a machine runs the threads that live in a game's world.
//!
//! - [`GameWorld`], [`GameRules`]: what a game supplies;
//! - [`ProgramMatch`]: all that decides a match, with its [`Settings`]; its header, and back;
//! - [`Runner`]: the match, played from one event of its world to the next;
//! - [`LogEntry`]: diagnostics: what became of the bots, and what they said.
//!
//! Such a match has no clock: what it draws is stamped with cycles, and the caller says how fast they pass.

mod costs;
mod log;
mod program_match;
mod refused;
mod runner;
mod settings;
pub(crate) mod text;
mod tracer;
mod world;

pub use costs::Account;
pub use log::{LogEntry, LogEvent};
pub use program_match::{Player, ProgramMatch, RUST};
pub use refused::Refused;
pub use runner::Runner;
pub use settings::{Settings, read_limits};
pub use text::request as request_text;
pub use world::{BotInfo, CycleEnd, Departure, GameRules, GameWorld, MoveReport, TurnReport};
