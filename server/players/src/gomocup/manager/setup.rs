//! Settings of an engine's match, the questions that it is asked, and the times that it is told.

use std::time::Duration;

use grandstand_rules::clock::TimeControl;
use grandstand_rules::stones::Rule;

use crate::gomocup::command::UNLIMITED;

/// A point of the board: column and row, from zero.
pub type BoardPoint = (u16, u16);

/// Settings of a match, as they are sent to the engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// Columns and rows.
    pub size: BoardPoint,
    /// The rule.
    pub rule: Rule,
    /// The time control.
    pub time: TimeControl,
    /// Memory that the engine may use, in bytes.
    pub memory_bytes: u64,
    /// Kind of the opponent.
    pub opponent: Opponent,
    /// Directory in which the engine may keep files.
    pub folder: Option<String>,
}

/// Kind of the opponent, as `INFO game_type` has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opponent {
    /// A person.
    Person = 0,
    /// A program.
    Program = 1,
}

/// Limits on the output of an engine. `server/GOMOCUP.md` has the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a line that are kept. Default 4,096.
    pub line_bytes: usize,
    /// Bytes of an answer, with everything that the engine wrote before it. Default 1 MiB.
    pub answer_bytes: u64,
    /// Meaningless lines before an answer. Default 100.
    pub senseless: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { line_bytes: 4_096, answer_bytes: 1 << 20, senseless: 100 }
    }
}

/// Request to an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// A move after these moves, which are in the order of play and by turns.
    Move(Vec<BoardPoint>),
    /// A decision in a swap2 opening after these stones: none, three or five.
    Swap2(Vec<BoardPoint>),
}

/// Bounds of the reserve, the part of the engine's time that is kept back for delays of this program.
const RESERVE: (Duration, Duration) = (Duration::from_millis(10), Duration::from_millis(100));

/// Reserve of a time span: a twentieth of it, from 10 to 100 ms, for the answer to reach us.
pub fn reserve(time: Duration) -> Duration {
    (time / 20).clamp(RESERVE.0, RESERVE.1)
}

/// Time that is sent to an engine, in milliseconds: the time that it has, without the reserve.
pub fn told(time: Duration) -> i64 {
    let told = time.saturating_sub(reserve(time));
    i64::try_from(told.as_millis()).unwrap_or(UNLIMITED).clamp(1, UNLIMITED - 1)
}
