//! Front end of CL: from source text to a [`Program`]. The language is defined in `CL.md`.

mod grammar;

use crate::draft::Draft;
use crate::error::LoadError;
use crate::parser;
use crate::program::Program;
use crate::source::{FileSource, MemoryFiles};

/// The reserved words, which can't be names.
pub const KEYWORDS: &[&str] = &[
    "let", "in", "fn", "rec", "if", "then", "else", "mod", "div", "do", "spawn", "lref", "gref", "acquire",
    "release", "typeof", "rand",
];

/// Loads the program at `path` with everything that it includes from `files`.
///
/// # Errors
/// [`LoadError`] for an unreadable file, and for an error in the source, with its location.
pub fn load(path: &str, files: &dyn FileSource) -> Result<Program, LoadError> {
    draft(path, files)?.program()
}

/// Like [`load`], but reads to the end despite errors: see [`Draft`].
///
/// # Errors
/// [`LoadError`] if the main file can't be read at all.
pub(crate) fn draft(path: &str, files: &dyn FileSource) -> Result<Draft, LoadError> {
    parser::parse::<grammar::Cl>(path, files)
}

/// Loads a program without includes from its text; messages call it `name`.
///
/// # Errors
/// [`LoadError`] for an error in the text, with its location.
pub fn parse(name: &str, text: &str) -> Result<Program, LoadError> {
    load(name, &MemoryFiles::new().with(name, text))
}
