//! Lines for the clipboard, as text or JSON.

use std::time::Duration;

use crate::budget::Budget;
use grandstand_protocol::Command;
use grandstand_replays::Log;
use grandstand_story::format;
use serde_json::json;

use super::list::problem_of;

/// Number of lines copied at most.
pub(super) const LINES_MAX: usize = 100_000;
/// Bytes copied at most.
const BYTES_MAX: usize = 10_000_000;

/// Format of copied lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CopyFormat {
    /// The text as received, one line each.
    Text,
    /// Objects with number, time, line, command and verdict; several as an array.
    Json,
}

/// One line; `None` if it is not in memory.
pub(crate) fn one(log: &Log, seq: u64, form: CopyFormat) -> Option<String> {
    let line = log.line(seq)?;
    Some(match form {
        CopyFormat::Text => String::from_utf8_lossy(line).into_owned(),
        CopyFormat::Json => object(log, seq, line),
    })
}

fn object(log: &Log, seq: u64, line: &[u8]) -> String {
    let command = Command::parse(log.game(), line);
    let t = log.time_of(seq).as_secs_f64();
    let text = String::from_utf8_lossy(line);
    match problem_of(&command) {
        Some(problem) => json!({
            "seq": seq, "t": t, "line": text, "understood": false,
            "problem": { "column": problem.column, "expected": problem.expected, "found": problem.found },
        }),
        None => json!({ "seq": seq, "t": t, "line": text, "understood": true, "command": command }),
    }
    .to_string()
}

/// A copy in progress; many lines take longer than a frame.
#[derive(Debug)]
pub(super) struct Copying {
    form: CopyFormat,
    seqs: Vec<u64>,
    next: usize,
    text: String,
    /// Whether there were more lines than are copied.
    cut: bool,
}

impl Copying {
    /// A copy of the lines `seqs`; `more` says that the selection had others besides.
    pub(super) fn new(form: CopyFormat, seqs: Vec<u64>, more: bool) -> Copying {
        Copying { form, seqs, next: 0, text: String::new(), cut: more }
    }

    /// Writes more lines; returns `true` when all are written.
    pub(super) fn advance(&mut self, log: &Log, budget: Duration) -> bool {
        let time = Budget::new(budget);
        while self.next < self.seqs.len() && time.is_left() {
            let end = (self.next + 64).min(self.seqs.len());
            for index in self.next..end {
                let Some(line) = one(log, self.seqs[index], self.form) else { continue };
                if self.text.len() + line.len() > BYTES_MAX {
                    self.cut = true;
                    self.seqs.truncate(index);
                    return true;
                }
                let before = match (self.form, self.text.is_empty()) {
                    (CopyFormat::Text, _) => "",
                    (CopyFormat::Json, true) => "[",
                    (CopyFormat::Json, false) => ",\n",
                };
                self.text.push_str(before);
                self.text.push_str(&line);
                if self.form == CopyFormat::Text {
                    self.text.push('\n');
                }
            }
            self.next = end;
        }
        self.next >= self.seqs.len()
    }

    /// Progress in words.
    pub(super) fn progress(&self) -> String {
        format!("Copying, {} %", 100 * self.next / self.seqs.len().max(1))
    }

    /// The text, and a message.
    pub(super) fn finish(self) -> (String, String) {
        let mut text = self.text;
        if self.form == CopyFormat::Json {
            text.push_str(if text.is_empty() { "[]" } else { "]\n" });
        }
        let what = if self.form == CopyFormat::Json { " as JSON" } else { "" };
        let cut = if self.cut { "the first " } else { "" };
        let lines = format::count(self.seqs.len() as u64, "line", "lines");
        (text, format!("Copied {cut}{lines}{what}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grandstand_protocol::{Game, Micros};
    use serde_json::Value;

    fn log(lines: &[&str]) -> Log {
        let mut log = Log::live(Game::Abalone);
        for (seq, line) in (1..).zip(lines) {
            let _ = log.insert(seq, Micros(seq * 500_000), &Command::parse(Game::Abalone, line.as_bytes()));
        }
        log
    }

    fn copied(log: &Log, form: CopyFormat, seqs: Vec<u64>) -> (String, String) {
        let mut copying = Copying::new(form, seqs, false);
        while !copying.advance(log, Duration::from_secs(1)) {}
        copying.finish()
    }

    #[test]
    fn lines_are_copied_as_they_came() {
        let log = log(&["turns 1", "sett E0", "set E0 b1"]);
        let expected = ("turns 1\nset E0 b1\n".to_owned(), "Copied 2 lines".to_owned());
        assert_eq!(copied(&log, CopyFormat::Text, vec![1, 3]), expected);
        assert_eq!(one(&log, 2, CopyFormat::Text).as_deref(), Some("sett E0"));
        assert_eq!(one(&log, 9, CopyFormat::Text), None);
    }

    #[test]
    fn json_has_number_time_line_verdict_and_command() {
        let log = log(&["turns 1", "sett E0", "set E0 b1"]);
        let (text, words) = copied(&log, CopyFormat::Json, vec![2, 3]);
        assert_eq!(words, "Copied 2 lines as JSON");
        let value: Value = serde_json::from_str(&text).expect("an array");
        assert_eq!(value[0]["seq"], 2);
        assert_eq!(value[0]["understood"], false);
        assert_eq!(value[0]["problem"]["column"], 1);
        assert_eq!((&value[1]["t"], &value[1]["line"]), (&json!(1.5), &json!("set E0 b1")));
        assert_eq!(
            value[1]["command"],
            json!({"cmd":"set","hex":"E0","piece":{"team":"black","facing":"right"}})
        );
        assert_eq!(copied(&log, CopyFormat::Json, Vec::new()).0, "[]");
    }

    #[test]
    fn no_more_is_copied_than_a_clipboard_takes() {
        let long = format!("bsay {}", "x".repeat(60_000));
        let log = log(&vec![&*long; 200]);
        let (text, words) = copied(&log, CopyFormat::Text, (1..=200).collect());
        assert!(text.len() <= BYTES_MAX && text.len() > BYTES_MAX - 70_000);
        assert_eq!(words, "Copied the first 166 lines");
    }
}
