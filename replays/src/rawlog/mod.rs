//! Raw text logs: the lines of a connection as somebody kept them, with or without times, to a replay and back.
//!
//! A log has one line of the protocol a line. Each may begin with the time at which it came, then one blank:
//!
//! | [`Stamps`] | example | what the time is |
//! | --- | --- | --- |
//! | `none` | `set B~2 w4` | none is given: see below |
//! | `seconds` | `12.5 set B~2 w4` | seconds since the match began; from 10,000,000 on, seconds of an epoch |
//! | `clock` | `[10:23:07.250] set B~2 w4` | time of day; after midnight it goes on |
//! | `rfc3339` | `2008-11-02T10:23:07.25Z set B~2 w4` | a moment; the header's `started` is the first |
//!
//! Times of day, moments and seconds of an epoch are counted from the first line's. Any of them may stand in square
//! brackets or not, with up to nine decimal places; a moment may have a blank for its `T`. Which form it is, is told
//! from the first [`DETECT_LINES`] lines that are not blank: all of them must have the same one. A later line without
//! a time came when the line before it did, and one whose time is earlier than the line before it, too.
//!
//! Without times every turn takes [`Options::pace`]: what comes up to and with the line that sets the turn number is
//! drawn at once. Where no turn number comes, [`LINES_PER_TURN`] lines are a turn.

mod export;
mod import;
mod stamp;

use std::fmt;
use std::str::FromStr;

use grandstand_protocol::{Game, Micros};

pub use export::{Export, ExportError, export};
pub use import::{Import, ImportError, import};

/// How many lines that are not blank tell which form of time a log has.
pub const DETECT_LINES: usize = 16;

/// How many commands make a turn of a log that has neither times nor turn numbers.
pub const LINES_PER_TURN: u64 = 64;

/// The form of the times at the beginnings of a log's lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stamps {
    /// There are none.
    None,
    /// Seconds, with decimals.
    Seconds,
    /// `hh:mm:ss`, with decimals.
    Clock,
    /// Date and time with an offset from UTC.
    Rfc3339,
}

impl Stamps {
    /// Every form.
    pub const ALL: [Stamps; 4] = [Stamps::None, Stamps::Seconds, Stamps::Clock, Stamps::Rfc3339];

    /// The form's name: `none`, `seconds`, `clock` or `rfc3339`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Stamps::None => "none",
            Stamps::Seconds => "seconds",
            Stamps::Clock => "clock",
            Stamps::Rfc3339 => "rfc3339",
        }
    }
}

impl fmt::Display for Stamps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text names no form of time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a form of time: expected none, seconds, clock or rfc3339")]
pub struct StampsError(String);

impl FromStr for Stamps {
    type Err = StampsError;

    fn from_str(name: &str) -> Result<Stamps, StampsError> {
        let found = Stamps::ALL.into_iter().find(|stamps| stamps.name() == name);
        found.ok_or_else(|| StampsError(grandstand_protocol::text::shorten(name, 40)))
    }
}

/// How a log is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The game, unless the log says `#gs game`. Default Abalone.
    pub game: Game,
    /// The form of its times; by default it is told from the first lines.
    pub stamps: Option<Stamps>,
    /// How long a turn takes where the log has no times. Default 0.3 seconds.
    pub pace: Micros,
    /// How long its lines may be.
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
