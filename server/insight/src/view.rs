//! Views of bots, and errors of questions.

use std::sync::Arc;

use grandstand_languages::view::{CellView, State, ThreadView};
use grandstand_matches::machine::{LogEntry, LogEvent};

use crate::search::Moment;

/// A bot at a moment.
#[derive(Debug, Clone, PartialEq)]
pub struct BotView {
    /// The moment.
    pub moment: Moment,
    /// The moment in words: `turn 8 cycle 16017`.
    pub when: String,
    /// The bot in words: `black bot 5 at E−1`.
    pub who: String,
    /// Its place on the board.
    pub at: String,
    /// Number of its thread.
    pub bot: u32,
    /// Index of its side.
    pub side: usize,
    /// Its thread: state, calls, and names in scope.
    pub thread: ThreadView,
    /// Its latest actions, the oldest first.
    pub past_actions: Vec<Arc<LogEntry>>,
    /// Cells that its team shares.
    pub cells: Vec<CellView>,
}

impl BotView {
    /// The action under way; its text contains the answer once the world has given it. `None` if there is none.
    pub fn action(&self) -> Option<&LogEntry> {
        let is_under_way = matches!(self.thread.state, State::InAction { .. } | State::Waits { .. });
        let last =
            self.past_actions.iter().rev().find(|action| matches!(action.event, LogEvent::Acted { .. }));
        last.filter(|_| is_under_way).map(Arc::as_ref)
    }
}

/// Errors of questions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    /// No bot has this number.
    #[error("no bot has the number {0}")]
    NoBot(u32),
    /// The bot is not alive at that time.
    #[error("bot {bot} is not there at the end of cycle {cycle}: {life}")]
    NotThere {
        /// The bot.
        bot: u32,
        /// The cycle.
        cycle: u64,
        /// Its life in words.
        life: String,
    },
    /// The cycle is after the end of the match.
    #[error("the match is over in cycle {end}, and cycle {cycle} never comes")]
    Over {
        /// The cycle.
        cycle: u64,
        /// The last cycle.
        end: u64,
    },
    /// The cycle has not been played yet; see [`play_on`](crate::ReplayedMatch::play_on).
    #[error("the match has been played to cycle {played} so far")]
    NotPlayed {
        /// The last cycle that has been played.
        played: u64,
    },
    /// The text is not an expression; the language's message.
    #[error("{0}")]
    Condition(String),
    /// The expression has no value there; the reason.
    #[error("{0}")]
    Value(String),
}
