//! Thoughts of players about the position.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};

use crate::json::at_most;
use crate::time::Micros;

/// How many moves the line of a thought has at most.
pub const LINE_MAX: usize = 64;

/// About how many bytes of memory a thought takes.
pub(crate) const THOUGHT_BYTES: usize = 320;

/// How many thoughts that come late are kept of a match.
pub const LATE_THOUGHTS_MAX: usize = 4_096;

/// A score of this much, or more, is a win that can't be prevented; of as much below zero, a loss.
pub const FORCED: i32 = 30_000;

/// What a player thinks of the position and of how the game will go on.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(bound(deserialize = "T: Deserialize<'de>, M: Deserialize<'de>"))]
pub struct Thought<T, M> {
    /// Who thinks so.
    pub team: T,
    /// How well that team stands, in the player's own measure; from [`FORCED`] on a forced win.
    pub score: i32,
    /// How many moves were looked ahead.
    pub depth: u32,
    /// How many positions were looked at.
    pub nodes: u64,
    /// The moves that the player expects, at most [`LINE_MAX`].
    #[serde(deserialize_with = "short_line")]
    pub line: Arc<[M]>,
}

/// A thought that is told only when it can no longer help anybody who plays, with the position that it was about.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(bound(deserialize = "T: Deserialize<'de>, M: Deserialize<'de>"))]
pub struct LateThought<T, M> {
    /// How many moves had been made when it was thought.
    pub ply: u32,
    /// What was thought.
    #[serde(flatten)]
    pub thought: Thought<T, M>,
}

/// A thought, as a scene keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(deserialize = "T: Deserialize<'de>, M: Deserialize<'de>"))]
pub struct ThoughtLine<T, M> {
    /// The number of the command that said it.
    pub seq: u64,
    /// When it was said.
    pub t: Micros,
    /// How many moves of its line have been made since; all of them once another move was made.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub made: u8,
    /// What was thought.
    #[serde(flatten)]
    pub thought: Thought<T, M>,
}

fn is_zero(made: &u8) -> bool {
    *made == 0
}

impl<T, M: PartialEq> ThoughtLine<T, M> {
    /// The moves that are still expected, each with its place in the line.
    pub fn to_come(&self) -> impl Iterator<Item = (usize, &M)> {
        self.thought.line.iter().enumerate().skip(usize::from(self.made))
    }

    /// A move was made.
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
