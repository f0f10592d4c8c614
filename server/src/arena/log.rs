//! What became of the bots of a match.

use std::fmt;

use grandstand_languages::{Cause, End};
use grandstand_protocol::Marker;
use grandstand_rules::Pid;

use super::world::Departure;

/// How a bot left the match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// The world took it away: what became of it, in words.
    Removed(String),
    /// Its thread ended: its program is a value, or stuck, or went past a limit.
    Ended(End),
}

/// A bot that left the match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// When, counted from 1.
    pub cycle: u64,
    /// Its thread.
    pub pid: Pid,
    /// Its team, by the dialect's name.
    pub team: &'static str,
    /// Who it was, in words.
    pub who: String,
    /// When it was, in words.
    pub when: String,
    /// How.
    pub fate: Fate,
}

impl LogEntry {
    /// A bot that the world took away.
    pub(super) fn removed(team: &'static str, departure: Departure) -> Self {
        let Departure { cycle, pid, who, when, how, .. } = departure;
        Self { cycle, pid, team, who, when, fate: Fate::Removed(how) }
    }

    /// A bot whose thread has ended.
    pub(super) fn ended(team: &'static str, departure: Departure, end: &End) -> Self {
        let Departure { cycle, pid, who, when, .. } = departure;
        Self { cycle, pid, team, who, when, fate: Fate::Ended(end.clone()) }
    }

    /// The entry as a named moment of the match; `None` for a bot that the world took away, which it marks itself.
    pub(super) fn marker(&self) -> Option<Marker> {
        let Fate::Ended(end) = &self.fate else { return None };
        let reason = match &end.cause {
            Cause::Value(_) => "its program ended".to_owned(),
            Cause::Stuck { reason, place } => format!("stuck at {place}: {reason}"),
            Cause::Limit { limit, place } => format!("stopped at {place}: {limit}"),
        };
        Some(Marker {
            label: format!("{}: {reason}", self.who).into(),
            kind: Some("thread-end".into()),
            team: Some(self.team.into()),
        })
    }
}

impl fmt::Display for LogEntry {
    /// One line, and for a program's mistake its source line with a caret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { when, who, fate, .. } = self;
        write!(f, "{when}: {who} ")?;
        match fate {
            Fate::Removed(how) => f.write_str(how),
            Fate::Ended(End { cause: Cause::Value(_), .. }) => write!(f, "ended: its program is a value"),
            Fate::Ended(end) => write!(f, "died: {end}"),
        }
    }
}
