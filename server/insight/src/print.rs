//! Prints after the event: an expression's value each time that a line was reached.

use grandstand_languages::view::Seen;
use grandstand_languages::{Line, LoadError};

use crate::breakpoint::{Breakpoint, Stops};
use crate::insight::Insight;
use crate::scan::LONGEST;
use crate::search::{Direction, Moment};
use crate::view::AskError;

/// A line and an expression, as `mybot.cl:31: (pos, n)` says them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prints {
    /// Where.
    pub line: Line,
    /// What, in the program's language.
    pub expression: String,
    /// Of one bot, or of all.
    pub bot: Option<u32>,
}

/// A value that an expression had.
#[derive(Debug, Clone, PartialEq)]
pub struct Printed {
    /// The cycle in which the line was reached.
    pub cycle: u64,
    /// By whom.
    pub bot: u32,
    /// Its side, as an index.
    pub side: usize,
    /// The value, or why there was none.
    pub value: Result<Seen, String>,
}

/// Why nothing can be printed.
#[derive(Debug, thiserror::Error)]
pub enum PrintError {
    /// It is not of the form `FILE:LINE: EXPRESSION`.
    #[error("expected FILE:LINE: EXPRESSION, like `mybot.cl:31: (pos, n)`, and this is `{0}`")]
    Form(String),
    /// The expression is none.
    #[error(transparent)]
    Expression(#[from] LoadError),
    /// No program has such a file.
    #[error("no program of the match has a file {file}; there are {files}")]
    File {
        /// The one that was asked for.
        file: String,
        /// Those that there are.
        files: String,
    },
    /// Nothing is done on the line.
    #[error("nothing is done on line {line} of {file} itself{hint}")]
    Line {
        /// The file.
        file: String,
        /// The line.
        line: u32,
        /// Which lines are near, in words.
        hint: String,
    },
}

impl Prints {
    /// Reads `FILE:LINE: EXPRESSION`.
    ///
    /// # Errors
    /// If it is not of that form.
    pub fn parse(text: &str) -> Result<Self, PrintError> {
        let form = || PrintError::Form(text.to_owned());
        let (place, expression) = text
            .split_once(": ")
            .or_else(|| {
                // The blank is not needed.
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

/// A print over a whole match that is under way, a stretch at a time.
#[derive(Debug)]
pub struct Printing {
    stops: Stops,
    most: usize,
    /// The last cycle that has been gone through.
    edge: u64,
    /// What was printed so far, in order.
    pub printed: Vec<Printed>,
    /// How often the line was reached so far.
    pub count: u64,
}

impl Printing {
    /// A print of which `most` values are kept.
    ///
    /// # Errors
    /// If the expression is none, or nothing is done on the line.
    pub fn new(insight: &Insight, prints: &Prints, most: usize) -> Result<Self, PrintError> {
        insight.played.check_prints(prints)?;
        let Prints { line, expression, bot } = prints.clone();
        let breakpoint = Breakpoint { line, bot, condition: None, values: vec![expression], stops: false };
        let stops = Stops { breakpoints: vec![breakpoint], ..Stops::default() };
        Ok(Self { stops, most, edge: 0, printed: Vec::new(), count: 0 })
    }

    /// How much of the match has been gone through, from 0 to 1.
    pub fn progress(&self, insight: &Insight) -> f32 {
        self.edge as f32 / insight.last_cycle().max(1) as f32
    }

    /// Goes through the next stretch; whether there is more.
    ///
    /// # Errors
    /// If the match has not been played.
    pub fn go_on(&mut self, insight: &mut Insight) -> Result<bool, AskError> {
        let from = (Moment::end_of(self.edge), None);
        let resumed = insight.resume(from, &self.stops, Direction::Forward, LONGEST)?;
        self.count += resumed.passed.len() as u64;
        for mut reached in resumed.passed {
            if self.printed.len() == self.most {
                break;
            }
            let side = insight.played.side_of(reached.bot);
            let value = reached.values.pop();
            self.printed.extend(value.map(|value| Printed {
                cycle: reached.cycle,
                bot: reached.bot,
                side,
                value,
            }));
        }
        self.edge = resumed.cycle;
        Ok(!resumed.at_end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_and_an_expression_are_read() {
        let read = |text: &str| {
            Prints::parse(text).map(|prints| (prints.line.file, prints.line.line, prints.expression))
        };
        let expected = ("lib/a.ch".to_owned(), 31, "(pos, n)".to_owned());
        assert_eq!(read("lib/a.ch:31: (pos, n)").unwrap(), expected);
        assert_eq!(read("lib/a.ch:31:(pos, n)").unwrap(), expected);
        for wrong in ["", "a.cl", "a.cl:3", "a.cl:x: 1", ":3: 1", "a.cl:3: "] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
