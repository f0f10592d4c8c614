//! Log of a match of programs: the fates of its bots, and what they said.

use std::fmt;

use grandstand_languages::{Cause, End, Location, LockWait};
use grandstand_protocol::Marker;
use grandstand_rules::Pid;
use serde_json::{Value, json};

use super::refused::Refused;
use super::world::BotInfo;
use crate::spec::{LogLevel, LogLine};
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
    /// It was seen to wait for a lock. This and what follows is there only where the match is traced.
    Waits(LockWait),
    /// It did an action.
    Acted {
        /// The action with its arguments.
        action: String,
        /// The answer, as its language writes it; `None` when it waits for one, or is stuck.
        answer: Option<String>,
        /// In how many cycles the answer comes.
        delay: u64,
        /// Where in its program.
        place: Location,
        /// Why nothing came of it.
        refused: Option<Refused>,
    },
    /// It wanted a child.
    Spawned {
        /// The child, when it may have one.
        child: Option<Pid>,
        /// Where in its program.
        place: Location,
        /// Why it may have none.
        refused: Option<Refused>,
    },
    /// The move that it had committed, with others of its chain, was tried.
    Moved {
        /// From where to where.
        text: String,
        /// Why they stayed.
        refused: Option<Refused>,
    },
    /// Its team moved, and it had committed nothing.
    NoMove {
        /// Whether it waited in an action; otherwise it was still computing.
        waits: bool,
    },
    /// It committed a move after the end of a turn in which it had none.
    Late {
        /// How many cycles after.
        cycles: u64,
        /// Where in its program.
        place: Location,
    },
}

/// Something about a bot that who wrote its program wants to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// When, counted from 1.
    pub cycle: u64,
    /// Its thread.
    pub pid: Pid,
    /// The bots, where several did it together.
    pub bots: Vec<Pid>,
    /// Where it was.
    pub at: String,
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
        let BotInfo { cycle, pid, at, who, when, .. } = bot;
        Self { cycle, pid, bots: Vec::new(), at, team, who, when, event }
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
            LogEvent::Waits(wait) => write!(f, "waits for a lock: {wait}, since cycle {}", wait.since),
            LogEvent::Acted { action, answer, delay, place, refused } => {
                write!(f, "{}", terminal::line(action))?;
                match (answer, refused) {
                    (_, Some(Refused { words, .. })) => write!(f, " failed: {words}")?,
                    (Some(answer), None) => write!(f, " = {answer}")?,
                    (None, None) => write!(f, " waits")?,
                }
                if *delay > 0 {
                    write!(f, ", {delay} cycles later")?;
                }
                write!(f, " ({place})")
            }
            LogEvent::Spawned { child: Some(child), place, .. } => write!(f, "spawns {child} ({place})"),
            LogEvent::Spawned { refused, place, .. } => {
                write!(f, "can't spawn: {} ({place})", words(refused))
            }
            LogEvent::Moved { text, refused: None } => write!(f, "moved: {text}"),
            LogEvent::Moved { refused, .. } => write!(f, "could not move: {}", words(refused)),
            LogEvent::NoMove { waits: true } => write!(f, "had no move, and waited"),
            LogEvent::NoMove { waits: false } => {
                write!(f, "had no move: it was still computing when the turn ended")
            }
            LogEvent::Late { cycles, place } => {
                write!(f, "committed its move {cycles} cycles after the end of the turn ({place})")
            }
        }
    }
}

fn words(refused: &Option<Refused>) -> &str {
    refused.as_ref().map_or("", |refused| &refused.words)
}

impl LogEntry {
    fn level(&self) -> LogLevel {
        match &self.event {
            LogEvent::Said(_) => LogLevel::Talk,
            LogEvent::Removed(_) | LogEvent::Ended(_) | LogEvent::Deadlocked(_) | LogEvent::Waited(_) => {
                LogLevel::Fate
            }
            LogEvent::Late { .. } | LogEvent::Waits(_) | LogEvent::NoMove { waits: false } => {
                LogLevel::Failure
            }
            LogEvent::Acted { refused, .. }
            | LogEvent::Spawned { refused, .. }
            | LogEvent::Moved { refused, .. }
                if refused.is_some() =>
            {
                LogLevel::Failure
            }
            _ => LogLevel::Action,
        }
    }

    /// The entry as `server/TRACE.md` describes it.
    fn to_json(&self) -> Value {
        let Self { cycle, pid, bots, at, team, event, .. } = self;
        let mut object = match event {
            LogEvent::Removed(how) => json!({ "event": "removed", "reason": how }),
            LogEvent::Ended(End { cause, .. }) => match cause {
                Cause::Value(_) => json!({ "event": "ended", "reason": "its program is a value" }),
                Cause::Stuck { reason, place } => {
                    json!({ "event": "ended", "reason": format!("stuck: {reason}"), "place": json_place(place) })
                }
                Cause::Limit { limit, place } => {
                    json!({ "event": "ended", "reason": limit.to_string(), "place": json_place(place) })
                }
            },
            LogEvent::Said(text) => json!({ "event": "said", "text": text }),
            LogEvent::Deadlocked(circle) => {
                json!({ "event": "deadlock", "bots": circle.iter().map(|wait| wait.pid.0).collect::<Vec<_>>() })
            }
            LogEvent::Waited(wait) => json_wait("stuck", wait),
            LogEvent::Waits(wait) => json_wait("waits", wait),
            LogEvent::Acted { action, answer, delay, place, refused } => {
                let mut object = json!({ "event": "action", "action": action, "place": json_place(place) });
                if let Some(answer) = answer {
                    object["answer"] = json!(answer);
                }
                if *delay > 0 {
                    object["delay"] = json!(delay);
                }
                with_reason(object, refused)
            }
            LogEvent::Spawned { child, place, refused } => {
                let mut object = json!({ "event": "spawn", "place": json_place(place) });
                if let Some(child) = child {
                    object["child"] = json!(child.0);
                }
                with_reason(object, refused)
            }
            LogEvent::Moved { text, refused } => {
                let mut object =
                    json!({ "event": "move", "bots": bots.iter().map(|bot| bot.0).collect::<Vec<_>>() });
                if refused.is_none() {
                    object["move"] = json!(text);
                }
                with_reason(object, refused)
            }
            LogEvent::NoMove { waits } => json!({ "event": "no-move", "waits": waits }),
            LogEvent::Late { cycles, place } => {
                json!({ "event": "late", "cycles": cycles, "place": json_place(place) })
            }
        };
        object["t"] = json!(cycle);
        object["team"] = json!(team);
        object["bot"] = json!(pid.0);
        object["at"] = json!(at);
        object
    }
}

fn with_reason(mut object: Value, refused: &Option<Refused>) -> Value {
    if let Some(Refused { rule, words }) = refused {
        object["rule"] = json!(rule);
        object["reason"] = json!(words);
    }
    object
}

fn json_place(place: &Location) -> Value {
    json!({ "file": place.file, "line": place.line, "column": place.column })
}

fn json_wait(event: &str, wait: &LockWait) -> Value {
    let LockWait { place, since, holder, taken, .. } = wait;
    json!({
        "event": event,
        "place": json_place(place),
        "since": since,
        "holder": holder.0,
        "taken": json_place(taken),
    })
}

impl LogEntry {
    /// The entry for people, and for programs where the match is `traced`.
    pub(super) fn line(&self, traced: bool) -> LogLine {
        LogLine { text: self.to_string(), level: self.level(), trace: traced.then(|| self.to_json()) }
    }
}
