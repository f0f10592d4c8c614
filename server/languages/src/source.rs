//! Source files, locations in them, and file access.
//!
//! This crate reads no files itself: the caller of a loader passes a [`FileSource`].

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Access to the main file and to included files.
///
/// `path` has passed [`check_path`]: relative, with `/` between its components, without `..`, without empty components. An
/// implementation on a file system must in addition refuse symbolic links that lead out of its directory.
pub trait FileSource {
    /// The whole content of the file at `path`.
    ///
    /// # Errors
    /// [`FileError`] says why the file is not available.
    fn read(&self, path: &str) -> Result<Vec<u8>, FileError>;
}

/// The reason why a [`FileSource`] did not supply a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// There is no such file.
    #[error("there is no such file")]
    Missing,
    /// The file is outside of the directories that programs may read.
    #[error("it leads out of the directories that programs may read")]
    Outside,
    /// The file is larger than a program may be.
    #[error("it is larger than {limit} bytes")]
    TooLarge {
        /// The maximal size of a program in bytes.
        limit: usize,
    },
    /// Any other reason, in words.
    #[error("{0}")]
    Other(String),
}

/// Files in memory, by path: for tests, and for libraries that are part of an executable.
#[derive(Clone, Debug, Default)]
pub struct MemoryFiles {
    files: BTreeMap<String, Vec<u8>>,
}

impl MemoryFiles {
    /// An empty set of files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file, or replaces its content.
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

/// Checks the form of an include's path: relative, components separated by `/`, no `..`, no empty component, no backslash or control
/// character.
///
/// Returns the path without its `.` components.
///
/// # Errors
/// [`PathError`] for a malformed path.
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

/// The fault in the form of an include's path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// The path is missing.
    #[error("the name of a file is missing")]
    Empty,
    /// The path is in quotes, as in other languages.
    #[error("the name stands without quotes: `#include lib.ch`")]
    Quoted,
    /// The path begins with `/`.
    #[error("the path must be relative to the working directory")]
    Absolute,
    /// The path contains `..`.
    #[error("the path must not contain `..`")]
    Parent,
    /// The path has an empty component, a backslash, a colon or a control character.
    #[error("the path is malformed")]
    Form,
}

/// A range of bytes in a source file.
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
    /// The range from the beginning of `self` to the end of `last` if both are in one file; otherwise `self`.
    pub(crate) fn to(self, last: Span) -> Span {
        if self.file == last.file && last.end >= self.start { Span { end: last.end, ..self } } else { self }
    }
}

/// One file of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The path by which the file was requested.
    pub name: String,
    /// The whole text of the file.
    pub text: Arc<str>,
    /// The offset of each line.
    lines: Arc<[u32]>,
}

/// The files of a program, in the order of their first use; the main file is the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    pub(crate) fn add(&mut self, name: &str, text: &str) -> u32 {
        let ends = text.match_indices('\n').map(|(at, _)| at as u32 + 1);
        let lines = std::iter::once(0).chain(ends).collect();
        self.files.push(SourceFile { name: name.to_owned(), text: Arc::from(text), lines });
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

    /// The location of a span's beginning, with its source line.
    pub fn place(&self, span: Span) -> Location {
        let Some(file) = self.files.get(span.file as usize) else {
            return Location::default();
        };
        let text = file.text.as_ref();
        let start = text.floor_char_boundary(span.start as usize);
        let end = text.floor_char_boundary(span.end as usize).max(start);
        let line = file.lines.partition_point(|&line| line as usize <= start);
        let line_start = file.lines[line - 1] as usize;
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let source_line = text[line_start..line_end].trim_end_matches('\r');
        let marked_end =
            end.min(line_start + source_line.len()).max(start.min(line_start + source_line.len()));
        Location {
            file: file.name.clone(),
            line: line as u32,
            column: text[line_start..start].chars().count() as u32 + 1,
            source_line: source_line.to_owned(),
            width: text.get(start..marked_end).map_or(1, |marked| marked.chars().count().max(1)) as u32,
        }
    }
}

/// A location in a source file in a displayable form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// The path by which the file was requested.
    pub file: String,
    /// The number of the line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The line itself, without its end.
    pub source_line: String,
    /// The number of marked characters of the line, at least 1.
    pub width: u32,
}

/// The most characters of a source line that are shown.
const SHOWN: usize = 160;

impl Location {
    /// The source line with carets under the marked characters: two lines, each indented by four blanks, without a final line feed.
    ///
    /// Of a long line only the part around the location is shown.
    pub fn excerpt(&self) -> String {
        let column = self.column.max(1) as usize - 1;
        let length = self.source_line.chars().count();
        let from = if length <= SHOWN { 0 } else { column.saturating_sub(SHOWN / 2) };
        // Control characters (including tabs) take one column each, so that the carets stay in their place.
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
