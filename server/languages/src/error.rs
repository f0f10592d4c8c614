//! Errors of loading a program.

use std::error::Error;
use std::fmt;

use crate::source::{FileError, Location, PathError, Span};

/// The reason why a program can't be loaded. Its text names the location and shows the source line with a caret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// The text does not follow the grammar.
    Syntax {
        /// The location.
        place: Box<Location>,
        /// The expected syntax.
        expected: String,
        /// The token found.
        found: String,
        /// Unclosed constructs, and the probable intention.
        note: String,
    },
    /// A number, a text or a comment is malformed.
    Token {
        /// The location.
        place: Box<Location>,
        /// The fault.
        problem: String,
    },
    /// The program exceeds a limit.
    TooLarge {
        /// The location where the excess was noticed.
        place: Box<Location>,
        /// The thing that is too large.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// The path of an `#include` is malformed.
    Path {
        /// The location of the `#include`.
        place: Box<Location>,
        /// The path as written.
        path: String,
        /// The fault.
        problem: PathError,
    },
    /// An included file can't be read.
    Include {
        /// The location of the `#include`.
        place: Box<Location>,
        /// The path as written.
        path: String,
        /// The cause.
        problem: FileError,
    },
    /// A file includes itself, directly or through others.
    Cycle {
        /// The location of the `#include` that closes the cycle.
        place: Box<Location>,
        /// The file.
        path: String,
    },
    /// The program's own file can't be read.
    File {
        /// The path.
        path: String,
        /// The cause.
        problem: FileError,
    },
    /// A file is not UTF-8.
    NotText {
        /// The location.
        place: Box<Location>,
        /// The first invalid byte.
        byte: u8,
    },
}

impl LoadError {
    /// The location of the error, if it is in a source file.
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

    /// The error in words, without its location.
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

/// The most problems of a text that are reported; the parser stops there.
pub(crate) const MAX_PROBLEMS: usize = 100;

/// A problem of a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The error.
    pub error: LoadError,
    /// The `#include` of the main file that led to the problem, if it is in another file.
    pub include: Option<Span>,
}
