//! What became of the bots of a match.

use std::fmt;

use grandstand_languages::{Cause, End};
use grandstand_protocol::Marker;
use grandstand_protocol::abalone::{Hex, Team};
use grandstand_rules::Pid;

/// How a bot left the match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// It was pushed off the board.
    PushedOff,
    /// Its thread ended: its program is a value, or stuck, or went past a limit.
    Ended(End),
}

/// A bot that left the match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// When, counted from 1.
    pub cycle: u64,
    /// In which turn.
    pub turn: u32,
    /// Its thread.
    pub pid: Pid,
    /// Its team.
    pub team: Team,
    /// Where it stood.
    pub hex: Hex,
    /// How.
    pub fate: Fate,
}

impl LogEntry {
    /// The entry as a named moment of the match; `None` for a bot that was pushed off, which the world marks
    /// itself.
    pub(crate) fn marker(&self) -> Option<Marker> {
        let Fate::Ended(end) = &self.fate else { return None };
        let reason = match &end.cause {
            Cause::Value(_) => "its program ended".to_owned(),
            Cause::Stuck { reason, place } => format!("stuck at {place}: {reason}"),
            Cause::Limit { limit, place } => format!("stopped at {place}: {limit}"),
        };
        Some(Marker {
            label: format!("{} bot {} at {}: {reason}", self.team, self.pid, self.hex).into(),
            kind: Some("thread-end".into()),
            team: Some(self.team.name().into()),
        })
    }
}

impl fmt::Display for LogEntry {
    /// One line, and for a program's mistake its source line with a caret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cycle, turn, pid, team, hex, fate } = self;
        write!(f, "turn {turn} cycle {cycle}: {team} bot {pid} at {hex} ")?;
        match fate {
            Fate::PushedOff => f.write_str("was pushed off"),
            Fate::Ended(End { cause: Cause::Value(_), .. }) => write!(f, "ended: its program is a value"),
            Fate::Ended(end) => write!(f, "died: {end}"),
        }
    }
}
