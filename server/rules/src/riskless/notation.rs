//! Moves as text: `FROM-TO`, territories by number or by name.

use thiserror::Error;

use super::{Map, Move};

/// The reason why a text is not a move.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unreadable {
    /// The text does not have the form of a move.
    #[error("`{0}` is not a move; expected FROM-TO, by number or name, for example `3-7`")]
    Form(String),
    /// A name or number is not that of a territory.
    #[error("there is no territory `{0}`")]
    Unknown(String),
    /// The text has several readings, because names contain `-`.
    #[error("`{0}` can be read as more than one move; write the numbers of the territories")]
    Ambiguous(String),
}

/// The form of a name for comparisons: lower case, with `_` as a blank.
pub(super) fn folded(name: &str) -> String {
    name.trim().to_lowercase().replace('_', " ")
}

impl Map {
    /// The territory of that number or name, ignoring case, with `_` as a blank.
    pub fn territory(&self, text: &str) -> Option<u8> {
        let text = folded(text);
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return text.parse().ok().filter(|&number: &u8| usize::from(number) < self.territories.len());
        }
        (0_u8..).zip(&self.territories).find(|(_, territory)| folded(&territory.name) == text).map(|(n, _)| n)
    }

    /// Reads `FROM-TO`. Names may have `-` in them.
    pub(super) fn read_move(&self, text: &str) -> Result<Move, Unreadable> {
        let shown = || text.chars().take(100).flat_map(char::escape_debug).collect::<String>();
        let mut found = None;
        let mut unknown = None;
        // A move has at most as many dashes as two names can have.
        for (at, _) in text.match_indices('-').take(2 * super::NAME_MAX_CHARS) {
            let (from, to) = (&text[..at], &text[at + 1..]);
            match (self.territory(from), self.territory(to)) {
                (Some(from), Some(to)) if found.is_some_and(|found| found != Move { from, to }) => {
                    return Err(Unreadable::Ambiguous(shown()));
                }
                (Some(from), Some(to)) => found = Some(Move { from, to }),
                (Some(_), None) => unknown = unknown.or(Some(to)),
                (None, _) => unknown = unknown.or(Some(from)),
            }
        }
        match (found, unknown.map(str::trim)) {
            (Some(found), _) => Ok(found),
            (None, Some(name)) if !name.is_empty() => {
                Err(Unreadable::Unknown(name.chars().take(100).flat_map(char::escape_debug).collect()))
            }
            _ => Err(Unreadable::Form(shown())),
        }
    }
}
