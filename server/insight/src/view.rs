//! What one is told of a bot at a moment.

use std::sync::Arc;

use grandstand_languages::view::{CellView, State, ThreadView};
use grandstand_matches::machine::{LogEntry, LogEvent};

use crate::search::Moment;

/// A bot at a moment.
#[derive(Debug, Clone, PartialEq)]
pub struct BotView {
    /// When.
    pub moment: Moment,
    /// When, in words: `turn 8 cycle 16017`.
    pub when: String,
    /// Who, in words: `black bot 5 at E~1`.
    pub who: String,
    /// Where it is.
    pub at: String,
    /// Its thread's number.
    pub bot: u32,
    /// Its side, as an index.
    pub side: usize,
    /// What its thread is at, with the names in scope.
    pub thread: ThreadView,
    /// What it did last, the oldest first.
    pub deeds: Vec<Arc<LogEntry>>,
    /// The cells that its team shares.
    pub cells: Vec<CellView>,
}

impl BotView {
    /// The action that is under way: in its words its answer, where the world has given it already. `None` when the bot is in none.
    pub fn action(&self) -> Option<&LogEntry> {
        let is_under_way = matches!(self.thread.state, State::InAction { .. } | State::Waits { .. });
        let last = self.deeds.iter().rev().find(|deed| matches!(deed.event, LogEvent::Acted { .. }));
        last.filter(|_| is_under_way).map(Arc::as_ref)
    }
}

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    /// There is no such bot.
    #[error("no bot has the number {0}")]
    NoBot(u32),
    /// It is not there at that time.
    #[error("bot {bot} is not there at the end of cycle {cycle}: {life}")]
    NotThere {
        /// Which.
        bot: u32,
        /// When.
        cycle: u64,
        /// When it is there, in words.
        life: String,
    },
    /// The match is not as long.
    #[error("the match is over in cycle {end}, and cycle {cycle} never comes")]
    Over {
        /// When.
        cycle: u64,
        /// The last cycle.
        end: u64,
    },
    /// The match has been played up to a cycle before that one only: see [`Insight::play_on`](crate::Insight::play_on).
    #[error("the match has been played to cycle {played} so far")]
    NotPlayed {
        /// The last cycle that has been.
        played: u64,
    },
    /// A condition is not an expression of the language, in its words.
    #[error("{0}")]
    Condition(String),
    /// An expression has no value there, in words.
    #[error("{0}")]
    Value(String),
}
