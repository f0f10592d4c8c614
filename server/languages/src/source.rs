//! Source files, places in them, and how they are read.
//!
//! This crate reads no files itself: whoever loads a program hands over a [`FileSource`].

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Where `#include` and the main file get their bytes from.
///
/// `path` has passed [`check_path`]: relative, with `/` between its parts, without `..`, without empty parts. An
/// implementation over a file system must besides refuse what leads out of its directory by a symbolic link.
pub trait FileSource {
    /// The whole content of the file at `path`, or why it can't be had.
    ///
    /// # Errors
    /// Why the file is not handed over.
    fn read(&self, path: &str) -> Result<Vec<u8>, FileError>;
}

/// Why a [`FileSource`] did not hand over a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// There is no such file.
    #[error("there is no such file")]
    Missing,
    /// The file lies outside of what programs may read.
    #[error("it leads out of the directories that programs may read")]
    Outside,
    /// The file is larger than a program may be.
    #[error("it is larger than {limit} bytes")]
    TooLarge {
        /// The most bytes that a program may have.
        limit: usize,
    },
    /// Anything else, in words.
    #[error("{0}")]
    Other(String),
}

/// Files in memory, by their paths: for tests, and for libraries that are part of an executable.
#[derive(Clone, Debug, Default)]
pub struct MemoryFiles {
    files: BTreeMap<String, Vec<u8>>,
}

impl MemoryFiles {
    /// No files yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same files and one more (or another content for one of them).
    #[must_use]
    pub fn with(mut self, path: &str, content: impl Into<Vec<u8>>) -> Self {
        self.files.insert(path.to_owned(), content.into());
        self
    }
}

impl FileSource for MemoryFiles {
    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        self.files.get(path).cloned().ok_or(FileError::Missing)
    }
}

/// Checks the form of an include's path: relative, parts between `/`, no `..`, no empty part, no backslash or control character.
///
/// Returns the path without its `.` parts.
///
/// # Errors
/// What of the form is wrong.
pub fn check_path(path: &str) -> Result<String, PathError> {
    if path.is_empty() {
        return Err(PathError::Empty);
    }
    if path.starts_with(['"', '<', '\'']) {
        return Err(PathError::Quoted);
    }
    if path.starts_with('/') {
        return Err(PathError::Absolute);
    }
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => return Err(PathError::Parent),
            "" => return Err(PathError::Form),
            _ if part.contains(['\\', ':']) || part.chars().any(char::is_control) => {
                return Err(PathError::Form);
            }
            _ => parts.push(part),
        }
    }
    if parts.is_empty() { Err(PathError::Empty) } else { Ok(parts.join("/")) }
}

/// What is wrong with the form of an include's path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// Nothing is there.
    #[error("the name of a file is missing")]
    Empty,
    /// It stands in quotes, as other languages write it.
    #[error("the name stands without quotes: `#include lib.ch`")]
    Quoted,
    /// It begins with `/`.
    #[error("the path must be relative to the working directory")]
    Absolute,
    /// It contains `..`.
    #[error("the path must not contain `..`")]
    Parent,
    /// It has an empty part, a backslash, a colon or a control character.
    #[error("the path is malformed")]
    Form,
}

/// A stretch of one source file, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Span {
    /// The index of the file in its [`Sources`].
    pub file: u32,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// From the beginning of `self` to the end of `last`, when both lie in one file; otherwise `self`.
    pub(crate) fn to(self, last: Span) -> Span {
        if self.file == last.file && last.end >= self.start { Span { end: last.end, ..self } } else { self }
    }
}

/// One file of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The path by which it was asked for.
    pub name: String,
    /// Its whole text.
    pub text: Arc<str>,
}

/// The files of a program, in the order in which they were first read; the main file is the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    pub(crate) fn add(&mut self, name: &str, text: &str) -> u32 {
        self.files.push(SourceFile { name: name.to_owned(), text: Arc::from(text) });
        (self.files.len() - 1) as u32
    }

    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        self.files.iter().position(|file| file.name == name).map(|index| index as u32)
    }

    /// Every file, the main one first.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> &str {
        let text = self.files.get(span.file as usize).map(|file| file.text.as_ref());
        text.and_then(|text| text.get(span.start as usize..span.end as usize)).unwrap_or_default()
    }

    /// The place that a span begins at, with its source line.
    pub fn place(&self, span: Span) -> Location {
        let Some(file) = self.files.get(span.file as usize) else {
            return Location::default();
        };
        let text = file.text.as_ref();
        let start = floor_char(text, span.start as usize);
        let end = floor_char(text, span.end as usize).max(start);
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let source_line = text[line_start..line_end].trim_end_matches('\r');
        let marked_end =
            end.min(line_start + source_line.len()).max(start.min(line_start + source_line.len()));
        Location {
            file: file.name.clone(),
            line: text[..start].matches('\n').count() as u32 + 1,
            column: text[line_start..start].chars().count() as u32 + 1,
            source_line: source_line.to_owned(),
            width: text.get(start..marked_end).map_or(1, |marked| marked.chars().count().max(1)) as u32,
        }
    }
}

fn floor_char(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A place in a source file, fit to be shown to a person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// The path by which the file was asked for.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
    /// The line itself, without its end.
    pub source_line: String,
    /// How many characters of the line are meant, at least 1.
    pub width: u32,
}

/// At most this many characters of a source line are shown.
const SHOWN: usize = 160;

impl Location {
    /// The source line with carets under what is meant: two lines, each indented by four blanks, without a last line end.
    ///
    /// Of a long line only the part around the place is shown.
    pub fn excerpt(&self) -> String {
        let column = self.column.max(1) as usize - 1;
        let length = self.source_line.chars().count();
        let from = if length <= SHOWN { 0 } else { column.saturating_sub(SHOWN / 2) };
        // Control characters (a tab is one) take one column each, so that the carets stay under their place.
        let shown = self.source_line.chars().skip(from).take(SHOWN);
        let shown: String = shown.map(|c| if c.is_control() { ' ' } else { c }).collect();
        let width = (self.width.max(1) as usize).min((from + SHOWN).saturating_sub(column).max(1));
        format!("    {shown}\n    {}{}", " ".repeat(column - from), "^".repeat(width))
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        assert_eq!(check_path("cl/constants.ch").as_deref(), Ok("cl/constants.ch"));
        assert_eq!(check_path("./a.ch").as_deref(), Ok("a.ch"));
        assert_eq!(check_path(""), Err(PathError::Empty));
        assert_eq!(check_path("."), Err(PathError::Empty));
        assert_eq!(check_path("\"a.ch\""), Err(PathError::Quoted));
        assert_eq!(check_path("<a.ch>"), Err(PathError::Quoted));
        assert_eq!(check_path("/etc/passwd"), Err(PathError::Absolute));
        assert_eq!(check_path("a/../../b"), Err(PathError::Parent));
        assert_eq!(check_path("a//b"), Err(PathError::Form));
        assert_eq!(check_path("c:\\b"), Err(PathError::Form));
    }

    #[test]
    fn places_count_characters() {
        let mut sources = Sources::default();
        let file = sources.add("a.cl", "let é = 1 in\r\n  é + b\r\n");
        let at = "let é = 1 in\r\n  é + ".len() as u32;
        let place = sources.place(Span { file, start: at, end: at + 1 });
        assert_eq!((place.line, place.column), (2, 7));
        assert_eq!(place.to_string(), "a.cl:2:7");
        assert_eq!(place.excerpt(), "      é + b\n          ^");
    }

    #[test]
    fn any_span_has_a_place() {
        let mut sources = Sources::default();
        sources.add("a.cl", "é\n");
        for start in 0..5 {
            for end in 0..5 {
                let place = sources.place(Span { file: 0, start, end });
                assert!(place.excerpt().contains('^'));
            }
        }
        sources.place(Span { file: 7, start: 1, end: 2 });
    }
}
