//! Log of a match of programs: fates and messages of its bots.

use std::fmt;

use grandstand_languages::{Cause, End, Location, LockWait};
use grandstand_protocol::Marker;
use grandstand_rules::Pid;
use serde_json::{Value, json};

use super::refused::Refused;
use super::world::BotInfo;
use crate::spec::{LogLevel, LogLine};
use grandstand_protocol::terminal;

/// Event of a bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogEvent {
    /// The world removed the bot; the text says how.
    Removed(String),
    /// The bot's thread ended: the program is a value, got stuck, or exceeded a limit.
    Ended(End),
    /// A message to everybody, by `A_TALK`.
    Said(String),
    /// The bot began to wait for a lock, which closed a ring of threads that wait for each other; its own wait is the
    /// first.
    Deadlocked(Vec<LockWait>),
    /// The bot was waiting for a lock when the match ended.
    Waited(LockWait),
    /// The bot began to wait for a lock. This and the following events occur only if the match is traced.
    Waits(LockWait),
    /// An action.
    Acted {
        /// The action with its arguments.
        action: String,
        /// The answer as its language writes it; `None` if the bot waits for one, or is stuck.
        answer: Option<String>,
        /// Number of cycles until the answer.
        delay: u64,
        /// Place in the program.
        place: Location,
        /// Reason for which the action had no effect, if it had none.
        refused: Option<Refused>,
    },
    /// An attempt to spawn.
    Spawned {
        /// The child, if the spawn succeeded.
        child: Option<Pid>,
        /// Place in the program.
        place: Location,
        /// Reason for which the spawn failed.
        refused: Option<Refused>,
    },
    /// A move that was committed, with others of its chain, was tried.
    Moved {
        /// The move in words.
        text: String,
        /// The move as a trace writes it.
        path: String,
        /// Reason for which the bots did not move.
        refused: Option<Refused>,
    },
    /// The bot's team moved, and the bot had committed no move.
    NoMove {
        /// Whether it waited in an action; otherwise it was still computing.
        waits: bool,
    },
    /// The bot committed a move after the end of a turn in which it had none.
    Late {
        /// Number of cycles after the end of the turn.
        cycles: u64,
        /// Place in the program.
        place: Location,
    },
}

/// Event of a bot, for the author of its program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// Cycle, counted from 1.
    pub cycle: u64,
    /// Pid of the thread.
    pub pid: Pid,
    /// The bots, if several acted together.
    pub bots: Vec<Pid>,
    /// Position of the bot.
    pub at: String,
    /// Name of the team in the dialect.
    pub team: &'static str,
    /// The bot in words.
    pub who: String,
    /// The moment in words.
    pub when: String,
    /// The event.
    pub event: LogEvent,
}

impl LogEntry {
    /// An event of a bot.
    pub(super) fn new(team: &'static str, bot: BotInfo, event: LogEvent) -> Self {
        let BotInfo { cycle, pid, at, who, when, .. } = bot;
        Self { cycle, pid, bots: Vec::new(), at, team, who, when, event }
    }

    /// Named moment of the match for the end of a thread; `None` for other events, which are drawn already or belong to
    /// the log only. `bot` is the game's word for a bot. Commands name places as the wire does, whatever people read.
    pub(super) fn marker(&self, bot: &str) -> Option<Marker> {
        let LogEvent::Ended(end) = &self.event else { return None };
        let reason = match &end.cause {
            Cause::Value(_) => "its program ended".to_owned(),
            Cause::Stuck { reason, place } => format!("stuck at {place}: {reason}"),
            Cause::Limit { limit, place } => format!("stopped at {place}: {limit}"),
        };
        Some(Marker {
            label: format!("{} {bot} {} at {}: {reason}", self.team, self.pid, self.at).into(),
            kind: Some("thread-end".into()),
            team: Some(self.team.into()),
        })
    }
}

impl fmt::Display for LogEntry {
    /// One line; a program's mistake adds its source line with a caret, a deadlock a line for each thread.
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
            LogEvent::Moved { text, refused: None, .. } => write!(f, "moved: {text}"),
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

    /// The entry as JSON, described in `server/TRACE.md`.
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
            LogEvent::Moved { path, refused, .. } => {
                let mut object =
                    json!({ "event": "move", "bots": bots.iter().map(|bot| bot.0).collect::<Vec<_>>() });
                if refused.is_none() {
                    object["move"] = json!(path);
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
    /// The entry as text, and also as JSON if the match is `traced`.
    pub(super) fn line(&self, traced: bool) -> LogLine {
        LogLine { text: self.to_string(), level: self.level(), trace: traced.then(|| self.to_json()) }
    }
}
