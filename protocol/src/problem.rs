//! Unknown lines, which no dialect understands, and their problems.

use std::borrow::Cow;
use std::fmt;

use data_encoding::BASE64;
use serde::Deserialize;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use crate::text::shorten;

/// The most characters of a received problem's texts that are kept.
const SENT_MAX_CHARS: usize = 1_000;

/// The reason why a line was not understood.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, Deserialize)]
pub struct Problem {
    /// The position in the line, counted in characters from 1; a byte that is not UTF-8 may count as one.
    pub column: usize,
    /// The expected text at this position.
    pub expected: Cow<'static, str>,
    /// The text at this position, shortened and with control characters escaped; empty at the end of the line.
    pub found: String,
}

impl Problem {
    /// Reads a problem from another program's JSON and makes it safe to display; `None` for any other JSON.
    pub(crate) fn sent(value: Option<&Value>) -> Option<Problem> {
        let Problem { column, expected, found } = Problem::deserialize(value?).ok()?;
        Some(Problem {
            column,
            expected: visible(&shorten(&expected, SENT_MAX_CHARS)).into(),
            found: visible(&shorten(&found, SENT_MAX_CHARS)),
        })
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: expected {}, found ", self.column, self.expected)?;
        if self.found.is_empty() { f.write_str("the end of the line") } else { write!(f, "`{}`", self.found) }
    }
}

/// A problem with positions in bytes of the line: `start..end` is the wrong part.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) expected: Cow<'static, str>,
}

impl Fault {
    pub(crate) fn new(start: usize, end: usize, expected: impl Into<Cow<'static, str>>) -> Fault {
        Fault { start, end, expected: expected.into() }
    }

    pub(crate) fn in_line(self, line: &[u8]) -> Problem {
        let start = self.start.min(line.len());
        let end = self.end.clamp(start, line.len());
        Problem {
            column: String::from_utf8_lossy(&line[..start]).chars().count() + 1,
            expected: self.expected,
            found: visible(&shorten(&String::from_utf8_lossy(&line[start..end]), 40)),
        }
    }
}

/// The text with its control characters escaped, safe to display anywhere.
fn visible(text: &str) -> String {
    let escape = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escape).collect()
}

/// A line that was not understood: its bytes as they came, without the line ending, and its [`Problem`].
///
/// In JSON it is `{"cmd":"unknown","line":"…","problem":{…}}`. Bytes that are not UTF-8 appear as U+FFFD in `line`, and
/// then the member `base64` holds the whole line exactly. If `problem` is missing, the reader derives it from the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    line: Vec<u8>,
    problem: Problem,
}

impl Unknown {
    /// Makes an unknown line. `line` has no line feed and does not end in a carriage return.
    pub(crate) fn new(line: &[u8], fault: Fault) -> Unknown {
        Unknown { line: line.to_vec(), problem: fault.in_line(line) }
    }

    /// Makes an unknown line with a problem that another program found.
    pub(crate) fn sent(line: &[u8], problem: Problem) -> Unknown {
        Unknown { line: line.to_vec(), problem }
    }

    /// The line's bytes, without its ending.
    pub fn bytes(&self) -> &[u8] {
        &self.line
    }

    /// The line as text; bytes that are not UTF-8 appear as U+FFFD.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.line)
    }

    /// The line's problem.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }
}

impl Serialize for Unknown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.text();
        let exact = matches!(text, Cow::Borrowed(_));
        let mut map = serializer.serialize_map(Some(if exact { 3 } else { 4 }))?;
        map.serialize_entry("cmd", "unknown")?;
        map.serialize_entry("line", &text)?;
        if !exact {
            map.serialize_entry("base64", &BASE64.encode(&self.line))?;
        }
        map.serialize_entry("problem", &self.problem)?;
        map.end()
    }
}
