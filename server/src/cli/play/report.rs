//! Messages and progress on standard error.

use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use grandstand_protocol::terminal;

use crate::locked::Locked as _;

/// Minimum interval between two progress lines.
const EVERY: Duration = Duration::from_millis(100);

/// Messages, and one line of progress below them if standard error is a terminal. Clones share the line.
#[derive(Debug, Clone)]
pub(in crate::cli) struct Report {
    line: Arc<Mutex<Line>>,
}

#[derive(Debug)]
struct Line {
    on: bool,
    shown: bool,
    last: Option<Instant>,
}

impl Report {
    /// A report to standard error.
    pub(in crate::cli) fn new() -> Self {
        let on = io::stderr().is_terminal();
        Self { line: Arc::new(Mutex::new(Line { on, shown: false, last: None })) }
    }

    /// Writes a message.
    pub(in crate::cli) fn say(&self, message: &str) {
        self.print(&format!("grandstand: {message}\n"));
    }

    /// Writes text, which must end with a line feed.
    pub(in crate::cli) fn print(&self, text: &str) {
        self.write(|line| line.clear() + &terminal::lines(text));
    }

    /// Shows progress, rate-limited.
    pub(in crate::cli) fn progress(&self, words: impl FnOnce() -> String) {
        self.write(|line| {
            if !line.on || line.last.is_some_and(|last| last.elapsed() < EVERY) {
                return String::new();
            }
            line.last = Some(Instant::now());
            let words = words();
            let text = line.clear() + &terminal::line(&words);
            line.shown = !words.is_empty();
            text
        });
    }

    /// Removes the progress line.
    pub(in crate::cli) fn clear(&self) {
        self.write(Line::clear);
    }

    fn write(&self, text: impl FnOnce(&mut Line) -> String) {
        let mut line = self.line.locked();
        let text = text(&mut line);
        // Standard error may be closed.
        let _ = io::stderr().write_all(text.as_bytes());
    }
}

impl Line {
    fn clear(&mut self) -> String {
        let text = if self.shown { "\r\x1b[K" } else { "" };
        self.shown = false;
        text.to_owned()
    }
}
