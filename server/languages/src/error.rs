//! Errors of loading a program.

use std::error::Error;
use std::fmt;

use crate::source::{FileError, Location, PathError, Span};

/// Why a program can't be loaded. Its text names the place and shows the source line with a caret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// The text does not follow the grammar.
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
    Token {
        /// Where.
        place: Box<Location>,
        /// What is wrong with it.
        problem: String,
    },
    /// Something goes past what a program may have.
    TooLarge {
        /// Where it was noticed.
        place: Box<Location>,
        /// What is too large.
        what: &'static str,
        /// The most that is allowed.
        limit: usize,
    },
    /// An `#include` with a path of a wrong form.
    Path {
        /// Where the `#include` stands.
        place: Box<Location>,
        /// As written.
        path: String,
        /// What is wrong with it.
        problem: PathError,
    },
    /// An included file can't be read.
    Include {
        /// Where the `#include` stands.
        place: Box<Location>,
        /// As written.
        path: String,
        /// Why.
        problem: FileError,
    },
    /// A file includes itself, by way of others or directly.
    Cycle {
        /// Where the `#include` that closes the circle stands.
        place: Box<Location>,
        /// The file.
        path: String,
    },
    /// The program's own file can't be read.
    File {
        /// Its path.
        path: String,
        /// Why.
        problem: FileError,
    },
    /// A file is not UTF-8.
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

    /// What is wrong, without its place.
    pub fn problem(&self) -> String {
        match self {
            LoadError::Syntax { expected, found, note, .. } => {
                format!("expected {expected}, found {found}{note}")
            }
            LoadError::Token { problem, .. } => problem.clone(),
            LoadError::TooLarge { what, limit, .. } => format!("{what} of more than {limit}"),
            LoadError::Path { path, problem, .. } => format!("can't include `{path}`: {problem}"),
            LoadError::Include { path, problem, .. } => format!("can't include `{path}`: {problem}"),
            LoadError::Cycle { path, .. } => format!("`{path}` includes itself"),
            LoadError::File { problem, .. } => problem.to_string(),
            LoadError::NotText { byte, .. } => format!("the byte 0x{byte:02X} is not UTF-8 text"),
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = self.problem();
        match (self, self.place()) {
            (LoadError::File { path, .. }, _) => write!(f, "{path}: {problem}"),
            (_, Some(place)) => write!(f, "{place}: {problem}\n{}", place.excerpt()),
            (_, None) => f.write_str(&problem),
        }
    }
}

impl Error for LoadError {}

/// So many problems of a text are told; the parser ends there.
pub(crate) const MAX_PROBLEMS: usize = 100;

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What.
    pub error: LoadError,
    /// The `#include` of the main file that led there, when it is in another file.
    pub include: Option<Span>,
}
