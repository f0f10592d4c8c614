//! Matches without threads, sockets, processes and clocks: their specifications, their referees, and the runner of
//! programs.
//!
//! - [`MatchSpec`], [`RunningMatch`], [`Ending`]: a match before, during and after play;
//! - [`settings`], [`header`], [`bundle`], [`drawn_by`](drawn_by()): settings by their names, and headers of
//!   recordings;
//! - [`inputs`]: files of a match's inputs from outside; [`SeriesScore`]: the score of many matches;
//! - [`games`]: the games, one folder each, and their table of [`MatchGame`]s;
//! - [`machine`]: matches of programs, whose threads live in a game's world;
//! - [`turns`]: matches of turn games for two players, and their referee;
//! - [`maps`], [`map_format`]: map files; [`programs`]: shipped programs;
//! - [`fuzz`]: the bodies of the fuzz targets.
//!
//! Moments are arguments, chance comes from a seed, and the same inputs give the same commands. A match can therefore
//! be played in a browser:
//!
//! ```
//! use grandstand_matches::RunningMatch as _;
//! use grandstand_matches::machine::{ProgramMatch, Runner, Settings};
//! use grandstand_matches::programs::load_shipped;
//! use grandstand_protocol::Game;
//! use grandstand_rules::abalone::World;
//!
//! let player = |name| load_shipped(Game::Abalone, name).expect("a shipped program").map(Into::into);
//! let players = [player("random")?, player("idle")?];
//! let spec = ProgramMatch::<World> { settings: Settings::default(), seed: 7, players };
//! let mut runner = Runner::new(&spec)?;
//! while runner.ending().is_none() {
//!     runner.advance();
//! }
//! assert!(!runner.drain_commands().is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bundle;
mod drawn_by;
pub mod fuzz;
pub mod games;
pub mod header;
pub mod inputs;
pub mod machine;
pub mod map_format;
pub mod maps;
mod match_game;
pub mod programs;
pub mod settings;
mod spec;
mod tally;
pub mod turns;

pub use drawn_by::drawn_by;
pub use header::HeaderError;
pub use match_game::{ActionHelp, MatchGame, ReplayInputs};
pub use spec::{
    Ending, LabelledValue, LogLevel, LogLine, MatchSpec, RunningMatch, SeatChoices, SeatReply, Seats, Side,
    StampedCommand, StartError, Tempo, Tracing, each, play_out,
};
pub use tally::{Frequency, SeriesScore};
