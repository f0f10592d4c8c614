//! Results of a manager: what an engine answered, and the faults by which it loses.

use grandstand_search::gomoku::Thought;
use thiserror::Error;

use crate::gomocup::Pair;
use crate::sandbox::{Ending, LimitExceeded};

/// Result of the engine's output, or of the time that passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The engine is ready for its first question.
    Ready,
    /// The engine can't begin another match: its process must be replaced.
    Renew,
    /// Answer: one point for a move, or the points of the stones that an opening gets. They need not be on the board.
    Points(Vec<Pair>),
    /// Answer in an opening: the engine takes the other side.
    Swap,
    /// Name of the engine.
    Name(String),
    /// Evaluation of the position by the engine.
    Thought(Thought),
    /// Line of the engine for the log.
    Note(String),
    /// Fault by which the engine has lost.
    Fault(Fault),
}

/// Fault by which an engine has lost.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Fault {
    /// The engine refused to begin.
    #[error("to `{command}` it said `{answer}`")]
    Refused {
        /// The command.
        command: String,
        /// The engine's answer.
        answer: String,
    },
    /// The engine was not ready in time.
    #[error("it was not ready in time")]
    NotReady,
    /// The engine's time was over, and it had written nothing since the question.
    #[error("its time was over, and it had said nothing")]
    Silent,
    /// The engine's time was over, and what it had written since the question is no answer.
    #[error("its time was over, and what it had said is no answer: `{said}`")]
    NoAnswer {
        /// The last line, or the beginning of one.
        said: String,
    },
    /// The engine wrote too many meaningless lines.
    #[error("what it says means nothing: `{said}`")]
    Senseless {
        /// The last line.
        said: String,
    },
    /// The engine wrote more bytes than an answer may have.
    #[error("it said more than {limit} bytes instead of an answer")]
    Flood {
        /// Bytes that are allowed.
        limit: u64,
    },
    /// The engine's process ended, or was ended.
    #[error("{0}")]
    Ended(Ending),
    /// The engine closed its standard output.
    #[error("it has closed its output")]
    Closed,
}

impl Fault {
    /// The termination of the match, as `server/GOMOCUP.md` lists them.
    pub fn termination(&self) -> &'static str {
        match self {
            Self::Refused { .. }
            | Self::NotReady
            | Self::Ended(Ending::NotStarted { .. } | Ending::NoBox { .. }) => "startup",
            Self::Silent => "time",
            Self::NoAnswer { .. } | Self::Senseless { .. } => "rubbish",
            Self::Flood { .. } => "flood",
            Self::Ended(Ending::Limit(LimitExceeded::Memory { .. })) => "memory",
            Self::Ended(Ending::Limit(LimitExceeded::Processes { .. })) => "processes",
            Self::Ended(_) | Self::Closed => "crash",
        }
    }
}
