//! Raw text logs: the recorded lines of a connection, with or without times, to a replay and back.
//!
//! A log has one line of the protocol per line. Each may begin with the time at which it came, then one blank:
//!
//! | [`Stamps`] | example | meaning of the time |
//! | --- | --- | --- |
//! | `none` | `set B~2 w4` | no times: see below |
//! | `seconds` | `12.5 set B~2 w4` | seconds since the match began; from 10,000,000 on, seconds of an epoch |
//! | `clock` | `[10:23:07.250] set B~2 w4` | time of day; it may pass midnight |
//! | `rfc3339` | `2008-11-02T10:23:07.25Z set B~2 w4` | a moment; the first one is the header's `started` |
//!
//! Times of day, moments and seconds of an epoch are counted from that of the first line. Any of them may be in square
//! brackets, and may have up to nine decimal places; a moment may have a blank in place of `T`. The form is detected
//! by the first [`DETECT_LINES`] lines that are not blank: all of them must have the same form. A later line without
//! a time, or with an earlier time than the line before it, gets the time of the line before it.
//!
//! Without times every turn takes [`Options::pace`]: all lines up to and including the one that sets the turn number are
//! drawn at once. Without turn numbers, [`LINES_PER_TURN`] lines are a turn.

mod export;
mod import;
mod stamp;

use std::str::FromStr;

use grandstand_protocol::{Game, Micros, words};

pub use export::{Export, ExportError, export};
pub use import::{Import, ImportError, import};

/// The number of lines that are not blank by which the form of times is detected.
pub const DETECT_LINES: usize = 16;

/// The number of commands in a turn of a log that has neither times nor turn numbers.
pub const LINES_PER_TURN: u64 = 64;

words! {
    /// The form of the times at the beginnings of a log's lines.
    Stamps {
        /// No times.
        None = "none",
        /// Seconds, with decimals.
        Seconds = "seconds",
        /// `hh:mm:ss`, with decimals.
        Clock = "clock",
        /// Date and time with an offset from UTC.
        Rfc3339 = "rfc3339",
    }
}

/// A text that names no form of time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a form of time: expected none, seconds, clock or rfc3339")]
pub struct StampsError(String);

impl FromStr for Stamps {
    type Err = StampsError;

    fn from_str(name: &str) -> Result<Stamps, StampsError> {
        Stamps::named(name).ok_or_else(|| StampsError(grandstand_protocol::text::shorten(name, 40)))
    }
}

/// Options for reading a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The game of a log without `#gs game`. Default Abalone.
    pub game: Game,
    /// The form of times; by default it is detected.
    pub stamps: Option<Stamps>,
    /// The duration of a turn in a log without times. Default 0.3 seconds.
    pub pace: Micros,
    /// The limits of the lines' length.
    pub limits: grandstand_protocol::Limits,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            game: Game::Abalone,
            stamps: None,
            pace: Micros(300_000),
            limits: grandstand_protocol::Limits::default(),
        }
    }
}
