//! Prints after the event: the value of an expression each time that a line was reached.

use grandstand_languages::view::ValueView;
use grandstand_languages::{Line, LoadError};

/// A line and an expression, written as `mybot.cl:31: (pos, n)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logpoint {
    /// The line.
    pub line: Line,
    /// The expression, in the program's language.
    pub expression: String,
    /// Only for this bot; `None` for all.
    pub bot: Option<u32>,
}

/// A value of the expression.
#[derive(Debug, Clone, PartialEq)]
pub struct LogpointHit {
    /// Cycle in which the line was reached.
    pub cycle: u64,
    /// The bot.
    pub bot: u32,
    /// Index of its side.
    pub side: usize,
    /// The value, or the reason for none.
    pub value: Result<ValueView, String>,
}

/// Errors of a print.
#[derive(Debug, thiserror::Error)]
pub enum LogpointError {
    /// The text has not the form `FILE:LINE: EXPRESSION`.
    #[error("expected FILE:LINE: EXPRESSION, like `mybot.cl:31: (pos, n)`, and this is `{0}`")]
    Form(String),
    /// The expression can't be compiled.
    #[error(transparent)]
    Expression(#[from] LoadError),
    /// No program has such a file.
    #[error("no program of the match has a file {file}; there are {files}")]
    File {
        /// The file that was asked for.
        file: String,
        /// The files that there are.
        files: String,
    },
    /// The line has no code.
    #[error("nothing is done on line {line} of {file} itself{hint}")]
    Line {
        /// The file.
        file: String,
        /// The line.
        line: u32,
        /// The nearest line with code, in words.
        hint: String,
    },
}

impl Logpoint {
    /// Parses `FILE:LINE: EXPRESSION`.
    ///
    /// # Errors
    /// [`LogpointError::Form`] for any other text.
    pub fn parse(text: &str) -> Result<Self, LogpointError> {
        let form = || LogpointError::Form(text.to_owned());
        let (place, expression) = text
            .split_once(": ")
            .or_else(|| {
                // The space after the second colon may be left out.
                let (at, _) = text.match_indices(':').nth(1)?;
                Some((&text[..at], &text[at + 1..]))
            })
            .ok_or_else(form)?;
        let (file, line) = place.rsplit_once(':').ok_or_else(form)?;
        let line = line.trim().parse().ok().ok_or_else(form)?;
        if file.is_empty() || expression.trim().is_empty() {
            return Err(form());
        }
        Ok(Self { line: Line { file: file.to_owned(), line }, expression: expression.to_owned(), bot: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_and_an_expression_are_read() {
        let read = |text: &str| {
            Logpoint::parse(text).map(|prints| (prints.line.file, prints.line.line, prints.expression))
        };
        let expected = ("lib/a.ch".to_owned(), 31, "(pos, n)".to_owned());
        assert_eq!(read("lib/a.ch:31: (pos, n)").unwrap(), expected);
        assert_eq!(read("lib/a.ch:31:(pos, n)").unwrap(), expected);
        for wrong in ["", "a.cl", "a.cl:3", "a.cl:x: 1", ":3: 1", "a.cl:3: "] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
