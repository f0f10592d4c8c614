//! Errors of loading a program.

use crate::source::{FileError, Location, PathError};

/// Why a program can't be loaded. Its text names the place and shows the source line with a caret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// The text does not follow the grammar.
    #[error("{place}: expected {expected}, found {found}{note}\n{}", place.excerpt())]
    Syntax {
        /// Where.
        place: Box<Location>,
        /// What could have stood there.
        expected: String,
        /// What stands there.
        found: String,
        /// What is open there, and what may have been meant.
        note: String,
    },
    /// A number, a text or a comment is malformed.
    #[error("{place}: {problem}\n{}", place.excerpt())]
    Token {
        /// Where.
        place: Box<Location>,
        /// What is wrong with it.
        problem: String,
    },
    /// Something goes past what a program may have.
    #[error("{place}: {what} of more than {limit}\n{}", place.excerpt())]
    TooLarge {
        /// Where it was noticed.
        place: Box<Location>,
        /// What is too large.
        what: &'static str,
        /// The most that is allowed.
        limit: usize,
    },
    /// An `#include` with a path of a wrong form.
    #[error("{place}: can't include `{path}`: {problem}\n{}", place.excerpt())]
    Path {
        /// Where the `#include` stands.
        place: Box<Location>,
        /// As written.
        path: String,
        /// What is wrong with it.
        problem: PathError,
    },
    /// An included file can't be read.
    #[error("{place}: can't include `{path}`: {problem}\n{}", place.excerpt())]
    Include {
        /// Where the `#include` stands.
        place: Box<Location>,
        /// As written.
        path: String,
        /// Why.
        problem: FileError,
    },
    /// A file includes itself, by way of others or directly.
    #[error("{place}: `{path}` includes itself\n{}", place.excerpt())]
    Cycle {
        /// Where the `#include` that closes the circle stands.
        place: Box<Location>,
        /// The file.
        path: String,
    },
    /// The program's own file can't be read.
    #[error("{path}: {problem}")]
    File {
        /// Its path.
        path: String,
        /// Why.
        problem: FileError,
    },
    /// A file is not UTF-8.
    #[error("{place}: the byte 0x{byte:02X} is not UTF-8 text\n{}", place.excerpt())]
    NotText {
        /// Where.
        place: Box<Location>,
        /// The first byte that is not.
        byte: u8,
    },
}

impl LoadError {
    /// Where the error is, if it has a place in a source file.
    pub fn place(&self) -> Option<&Location> {
        match self {
            LoadError::Syntax { place, .. }
            | LoadError::Token { place, .. }
            | LoadError::TooLarge { place, .. }
            | LoadError::Path { place, .. }
            | LoadError::Include { place, .. }
            | LoadError::Cycle { place, .. }
            | LoadError::NotText { place, .. } => Some(place),
            LoadError::File { .. } => None,
        }
    }
}
