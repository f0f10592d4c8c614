//! Matches of programs: the machine that runs the threads, joined with the world that they live in.
//!
//! - [`MatchSetup`]: all that decides a match, with its [`Settings`]; its header, and back;
//! - [`Runner`]: the match, played turn after turn;
//! - [`LogEntry`]: what became of the bots, for who wants to know why one died;
//! - [`request`]: a program's `do` as an action of the world, and the answer as a value of the program;
//! - [`Peer`]: a connection that a match is drawn over;
//! - [`Tally`]: the score of many matches;
//! - [`fuzz`]: the bodies of the fuzz targets.
//!
//! A match has no clock. What it draws is stamped with cycles; how fast they pass is for the caller to say.

pub mod fuzz;
mod header;
mod log;
mod peer;
pub mod request;
mod runner;
mod settings;
mod tally;

pub use header::AgainError;
pub use log::{Fate, LogEntry};
pub use peer::{Patience, Peer, PeerError};
pub use runner::{MatchSetup, Runner, StampedCommand, StartError};
pub use settings::{Settings, SettingsError};
pub use tally::{MatchCount, Tally};
