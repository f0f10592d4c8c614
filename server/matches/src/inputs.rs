//! Files of a match's inputs from outside, by which it can be played again: the part that all games share.
//!
//! The first line is an object with the game and its settings. Each further line is an input. Played again, the inputs
//! give the same commands byte for byte.

use grandstand_protocol::{Game, MatchHeader, Software};
use serde_json::Value;
use thiserror::Error;

use crate::spec::{Ending, StampedCommand};

/// Version of the format.
pub const VERSION: u64 = 1;

/// Field of the first line that contains the version.
pub const VERSION_FIELD: &str = "grandstand-inputs";

/// Reason for which a file of inputs can't be played.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct InputsError {
    /// Line number, from 1.
    pub line: usize,
    /// Mistake in the line.
    pub reason: String,
}

impl InputsError {
    /// An error in that line.
    pub fn new(line: usize, reason: impl Into<String>) -> Self {
        Self { line, reason: reason.into() }
    }
}

/// A match that was played again from its inputs.
#[derive(Debug)]
pub struct Replayed {
    /// Header of its recording.
    pub header: MatchHeader,
    /// All commands of the match.
    pub commands: Vec<StampedCommand>,
    /// Ending of the match, if the inputs reach it.
    pub ending: Option<Ending>,
}

/// Game that the first line of a file names, if it is such a line.
pub fn game_of(line: &str) -> Option<Game> {
    let value: Value = serde_json::from_str(line).ok()?;
    serde_json::from_value(value.get("game")?.clone()).ok()
}

/// Software that drew the match, if the first line of the file tells.
pub fn by_of(line: &str) -> Option<Software> {
    let value: Value = serde_json::from_str(line).ok()?;
    let by = value.get("by").or_else(|| value.get("match")?.get("by"))?;
    serde_json::from_value(by.clone()).ok()
}

/// First line of a file.
///
/// # Errors
/// If the file is empty.
pub(crate) fn first_line(text: &str) -> Result<&str, InputsError> {
    text.lines().next().ok_or_else(|| InputsError::new(1, "expected the object that begins a file"))
}

/// Non-blank lines after the first, with their numbers.
pub(crate) fn input_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).skip(1).filter(|(_, line)| !line.trim().is_empty())
}
