//! Error in a definition, with its place.

use std::fmt;
use std::ops::Range;

/// The first error, in one sentence, with its place in the file if it has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefinitionError {
    /// File, line and column; the latter two count from 1.
    place: Option<(String, usize, usize)>,
    what: String,
}

impl DefinitionError {
    /// An error without a place, in the options of the command line.
    pub(super) fn new(what: impl Into<String>) -> Self {
        Self { place: None, what: what.into() }
    }

    /// Removes the place.
    pub(super) fn without_place(self) -> Self {
        Self { place: None, ..self }
    }

    /// An error in the file `file` with the given text, at these bytes.
    pub(super) fn at(file: &str, text: &str, span: Range<usize>, what: impl Into<String>) -> Self {
        let before = text.get(..span.start).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Self { place: Some((file.to_owned(), line, column)), what: what.into() }
    }
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((file, line, column)) = &self.place {
            write!(f, "{file}:{line}:{column}: ")?;
        }
        f.write_str(&self.what)
    }
}

impl std::error::Error for DefinitionError {}
