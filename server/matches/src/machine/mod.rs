//! Matches of programs: a machine runs the threads that live in a game's world.
//!
//! - [`GameWorld`], [`GameRules`]: the interface that a game implements;
//! - [`ProgramMatch`]: everything that decides a match, with its [`Settings`]; conversion to and from its header;
//! - [`Runner`]: the match, played from one event of its world to the next;
//! - [`LogEntry`]: diagnostics: fates and messages of the bots.
//!
//! Such a match has no clock: its commands are stamped with cycles, and the caller decides how fast these pass.

pub mod bot_request;
mod costs;
mod log;
mod program_match;
mod recording_world;
mod refused;
mod runner;
mod settings;
pub(crate) mod text;
mod tracer;
mod world;

pub use costs::Account;
pub use log::{LogEntry, LogEvent};
pub use program_match::{Player, ProgramMatch, RUST, Recorded};
pub use refused::Refused;
pub use runner::{Runner, RunnerSnapshot};
pub use settings::{Settings, read_limits};
pub use text::request as request_text;
pub use world::{BotInfo, CycleEnd, Departure, GameRules, GameWorld, MoveReport, TurnReport};
