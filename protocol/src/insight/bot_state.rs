//! A bot at a moment.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A bot at a moment, as a question is answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BotAnswer {
    /// The bot.
    #[serde(flatten)]
    pub state: BotState,
    /// Its activity in words.
    pub doing: String,
    /// Number of the recording's last command drawn by then.
    pub seq: u64,
    /// The turn.
    pub turn: u64,
}

/// A bot at a moment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BotState {
    /// The bot.
    pub bot: u32,
    /// Index of its side.
    pub side: usize,
    /// The last complete cycle.
    pub cycle: u64,
    /// Number of the bot's operations after it.
    pub within: u32,
    /// The moment in words.
    pub when: String,
    /// The bot in words.
    pub who: String,
    /// Its place on the board.
    pub at: String,
    /// Number of its reductions.
    pub steps: u64,
    /// State of its thread.
    #[serde(rename = "state")]
    pub thread: ThreadState,
    /// The active calls, the innermost first.
    pub calls: Vec<Call>,
    /// Number of all active calls.
    pub depth: usize,
    /// The locks that it holds.
    pub locks: Vec<HeldLock>,
    /// The cells that its team shares and can name.
    pub cells: Vec<SharedCell>,
    /// The action under way.
    pub action: Option<String>,
    /// Its latest actions, the oldest first.
    pub last: Vec<PastAction>,
}

/// State of a bot's thread.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum ThreadState {
    /// It runs.
    Runs {
        /// Cycle in which its next operation begins.
        next: u64,
    },
    /// It performs an action that takes several cycles.
    InAction {
        /// Cycle in which it gets the answer.
        until: u64,
    },
    /// It waits for the answer to an action.
    Waits {
        /// Cycle in which the wait began.
        since: u64,
    },
    /// It waits for a lock.
    WaitsForLock {
        /// Cycle in which the wait began.
        since: u64,
        /// The bot that holds the lock.
        holder: u32,
        /// Where that bot took it.
        taken: SourcePlace,
        /// Cycle in which that bot took it.
        taken_at: u64,
    },
}

/// An active call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// Name of the function; `None` for an anonymous one.
    pub function: Option<String>,
    /// In the innermost call the next expression, in the others the call.
    pub place: SourcePlace,
    /// The names in scope, the innermost first.
    pub names: Vec<ScopeName>,
}

/// A name in scope.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScopeName {
    /// The name.
    pub name: String,
    /// Whether the value is a constant of the code.
    pub constant: bool,
    /// The value; `None` if it is not kept.
    pub value: Option<ShownValue>,
}

/// A value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShownValue {
    /// As the program's language writes it.
    pub text: String,
    /// The same as JSON: integers, arrays, pairs as arrays of two; null for everything else.
    pub value: Value,
}

/// A lock that a bot holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HeldLock {
    /// Where it was taken.
    pub taken: SourcePlace,
    /// Cycle in which it was taken.
    pub since: u64,
    /// The cell's value.
    pub value: ShownValue,
}

/// A cell that a team shares.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SharedCell {
    /// The team's names for it.
    pub names: Vec<String>,
    /// Its value.
    pub value: ShownValue,
    /// The bot that holds its lock.
    pub holder: Option<u32>,
    /// The bots that wait for its lock.
    pub waiting: Vec<u32>,
    /// The last write.
    pub written: Option<CellWrite>,
}

/// A write to a cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellWrite {
    /// Its cycle.
    pub cycle: u64,
    /// The bot that wrote.
    pub bot: u32,
    /// Where it wrote.
    pub place: SourcePlace,
}

/// An action of a bot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastAction {
    /// Its cycle.
    pub cycle: u64,
    /// The action in words, with its answer.
    pub text: String,
}

/// A place in a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourcePlace {
    /// Name of the file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// Number of characters.
    pub width: u32,
    /// The whole line.
    pub source: String,
}
