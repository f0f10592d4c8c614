//! Thoughts of players about the position.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};

use crate::json::at_most;
use crate::time::Micros;

/// The most moves in the line of a thought.
pub const LINE_MAX: usize = 64;

/// Approximate size in bytes of a thought in memory.
pub(crate) const THOUGHT_BYTES: usize = 320;

/// The most late thoughts that are kept of a match.
pub const LATE_THOUGHTS_MAX: usize = 4_096;

/// A score of at least this much is a forced win; of at most its negative, a forced loss.
pub const FORCED: i32 = 30_000;

/// A player's evaluation of the position and its expected continuation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(bound(deserialize = "T: Deserialize<'de>, M: Deserialize<'de>"))]
pub struct Thought<T, M> {
    /// The team of the player.
    pub team: T,
    /// The evaluation for that team, in the player's own unit; from [`FORCED`] on a forced win.
    pub score: i32,
    /// The search depth in moves.
    pub depth: u32,
    /// The number of positions searched.
    pub nodes: u64,
    /// The moves that the player expects, at most [`LINE_MAX`].
    #[serde(deserialize_with = "short_line")]
    pub line: Arc<[M]>,
}

/// A thought about an earlier position, which is sent only when it can no longer help any player.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(bound(deserialize = "T: Deserialize<'de>, M: Deserialize<'de>"))]
pub struct LateThought<T, M> {
    /// The number of moves in the position of the thought.
    pub ply: u32,
    /// The thought.
    #[serde(flatten)]
    pub thought: Thought<T, M>,
}

/// A thought in a scene.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(deserialize = "T: Deserialize<'de>, M: Deserialize<'de>"))]
pub struct ThoughtLine<T, M> {
    /// The sequence number of the thought's command.
    pub seq: u64,
    /// The time of that command.
    pub t: Micros,
    /// The number of the line's moves that have been made since; all of them after a different move.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub made: u8,
    /// The thought.
    #[serde(flatten)]
    pub thought: Thought<T, M>,
}

fn is_zero(made: &u8) -> bool {
    *made == 0
}

impl<T, M: PartialEq> ThoughtLine<T, M> {
    /// The moves that are still expected, each with its index in the line.
    pub fn to_come(&self) -> impl Iterator<Item = (usize, &M)> {
        self.thought.line.iter().enumerate().skip(usize::from(self.made))
    }

    /// Updates the count of expected moves after a move.
    pub(crate) fn moved(&mut self, mv: &M) {
        let expected = self.thought.line.get(usize::from(self.made)) == Some(mv);
        // A line has at most LINE_MAX moves.
        self.made = if expected { self.made + 1 } else { self.thought.line.len() as u8 };
    }
}

fn short_line<'de, M: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<[M]>, D::Error> {
    let too_many = |count: usize| format!("{count} moves in a line: expected at most {LINE_MAX}");
    let line: Vec<M> = at_most(deserializer, LINE_MAX, too_many)?;
    Ok(line.into())
}
