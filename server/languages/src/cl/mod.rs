//! CL's front end: from source text to a [`Program`]. The language is defined in `CL.md`.

mod grammar;

use crate::draft::Draft;
use crate::error::LoadError;
use crate::parser;
use crate::program::Program;
use crate::source::{FileSource, MemoryFiles};

/// The words that can't be names.
pub const KEYWORDS: &[&str] = &[
    "let", "in", "fn", "rec", "if", "then", "else", "mod", "div", "do", "spawn", "lref", "gref", "acquire",
    "release", "typeof", "rand",
];

/// Reads the program at `path` and everything that it includes from `files`.
///
/// # Errors
/// What can't be read, and what is wrong in the source, with its location.
pub fn load(path: &str, files: &dyn FileSource) -> Result<Program, LoadError> {
    draft(path, files)?.program()
}

/// As [`load`], but reads to the end whatever is wrong: see [`Draft`].
///
/// # Errors
/// What is wrong with the main file as a whole.
pub(crate) fn draft(path: &str, files: &dyn FileSource) -> Result<Draft, LoadError> {
    parser::parse::<grammar::Cl>(path, files)
}

/// Reads a program that includes nothing from its text; messages name it `name`.
///
/// # Errors
/// What is wrong in the text, with its location.
pub fn parse(name: &str, text: &str) -> Result<Program, LoadError> {
    load(name, &MemoryFiles::new().with(name, text))
}
