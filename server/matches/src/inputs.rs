//! Files of what happened to a match from outside, from which it can be played again: what those of all games share.
//!
//! The first line is an object: the game and its settings. Each further line is an input. Played again, the inputs give the same commands
//! byte for byte.

use grandstand_protocol::{By, Game, MatchHeader};
use serde_json::Value;
use thiserror::Error;

use crate::spec::{Ending, StampedCommand};

/// The version of the format.
pub const VERSION: u64 = 1;

/// The name under which a first line has the version.
pub const VERSION_FIELD: &str = "grandstand-inputs";

/// Why a file of inputs can't be played.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct InputsError {
    /// Which line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

impl InputsError {
    /// In that line.
    pub fn new(line: usize, reason: impl Into<String>) -> Self {
        Self { line, reason: reason.into() }
    }
}

/// A match that was played again from its inputs.
#[derive(Debug)]
pub struct Replayed {
    /// What its recording begins with.
    pub header: MatchHeader,
    /// All that was drawn.
    pub commands: Vec<StampedCommand>,
    /// How it ended, if the inputs go that far.
    pub ending: Option<Ending>,
}

/// The game that a file's first line names, if it is such a line.
pub fn game_of(line: &str) -> Option<Game> {
    let value: Value = serde_json::from_str(line).ok()?;
    serde_json::from_value(value.get("game")?.clone()).ok()
}

/// What drew the match of a file's first line, if it says so.
pub fn by_of(line: &str) -> Option<By> {
    let value: Value = serde_json::from_str(line).ok()?;
    let by = value.get("by").or_else(|| value.get("match")?.get("by"))?;
    serde_json::from_value(by.clone()).ok()
}

/// The first line of a file.
///
/// # Errors
/// If the file is empty.
pub(crate) fn first_line(text: &str) -> Result<&str, InputsError> {
    text.lines().next().ok_or_else(|| InputsError::new(1, "expected the object that begins a file"))
}

/// The lines after the first that are not blank, with their numbers.
pub(crate) fn input_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).skip(1).filter(|(_, line)| !line.trim().is_empty())
}
