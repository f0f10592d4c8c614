//! Log of a match of programs: the fates of its bots, and what they said.

use std::fmt;

use grandstand_languages::{Cause, End, LockWait};
use grandstand_protocol::Marker;
use grandstand_rules::Pid;

use super::world::BotInfo;
use crate::spec::LogLine;
use grandstand_protocol::terminal;

/// What is logged of a bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogEvent {
    /// The world took it away: what became of it, in words.
    Removed(String),
    /// Its thread ended: its program is a value, or stuck, or went past a limit.
    Ended(End),
    /// It said this to everybody, by `A_TALK`.
    Said(String),
    /// It began to wait for a lock, and with that closed a circle of threads that wait for each other: its own wait is the first.
    Deadlocked(Vec<LockWait>),
    /// It waited for a lock when the match was over.
    Waited(LockWait),
}

/// Something about a bot that who wrote its program wants to know.
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
    /// What.
    pub event: LogEvent,
}

impl LogEntry {
    /// An event of a bot.
    pub(super) fn new(team: &'static str, bot: BotInfo, event: LogEvent) -> Self {
        let BotInfo { cycle, pid, who, when, .. } = bot;
        Self { cycle, pid, team, who, when, event }
    }

    /// The end of a thread as a named moment of the match; `None` for everything else, which is drawn already or is for the log only.
    pub(super) fn marker(&self) -> Option<Marker> {
        let LogEvent::Ended(end) = &self.event else { return None };
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
    /// One line; for a program's mistake its source line with a caret besides, for a deadlock a line for each thread.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { when, who, event, .. } = self;
        write!(f, "{when}: {who} ")?;
        match event {
            LogEvent::Removed(how) => f.write_str(how),
            LogEvent::Ended(End { cause: Cause::Value(_), .. }) => write!(f, "ended: its program is a value"),
            LogEvent::Ended(end) => write!(f, "died: {end}"),
            LogEvent::Said(text) => write!(f, "says: {}", terminal::line(text)),
            LogEvent::Deadlocked(circle) => {
                write!(f, "is in a deadlock:")?;
                circle.iter().try_for_each(|wait| write!(f, "\n    {wait}"))
            }
            LogEvent::Waited(wait) => {
                write!(f, "waits for a lock to the end: {wait}, since cycle {}", wait.since)
            }
        }
    }
}

impl From<&LogEntry> for LogLine {
    fn from(entry: &LogEntry) -> Self {
        Self { text: entry.to_string(), is_talk: matches!(entry.event, LogEvent::Said(_)) }
    }
}
