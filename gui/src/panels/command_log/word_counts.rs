//! Counts of the lines by their first word.

use std::time::Duration;

use grandstand_protocol::MarkKind;
use grandstand_replays::Log;

use super::missing::Missing;
use crate::budget::Budget;

/// Lines counted between two looks at the clock.
const STEP: u64 = 256;

/// Lines after `after` up to `to` that were not understood.
pub(super) fn problems(log: &Log, after: u64, to: u64) -> Vec<u64> {
    log.marks(after, to).filter(|mark| mark.kind == MarkKind::Unknown).map(|mark| mark.seq).collect()
}

/// The word that names a line's command: `set`; of Grandstand's own lines the first two words.
pub(super) fn first_word(line: &[u8]) -> &[u8] {
    let end = |from: usize| {
        line[from..].iter().position(u8::is_ascii_whitespace).map_or(line.len(), |length| from + length)
    };
    match line {
        [b'#', b'g', b's', b' ', ..] => &line[..end(4)],
        _ => &line[..end(0)],
    }
}

/// Number of understood lines by their first word, counted in small steps.
#[derive(Debug, Default)]
pub(super) struct WordCounts {
    /// Words in alphabetic order, with their counts.
    pub(super) words: Vec<(String, u64)>,
    seen: u64,
    missing: Missing,
}

impl WordCounts {
    /// Counts more lines; returns `true` while there are more.
    pub(super) fn advance(&mut self, log: &Log, budget: Duration) -> bool {
        if log.last_seq() < self.seen {
            *self = WordCounts::default();
        }
        let time = Budget::new(budget);
        while self.seen < log.last_seq() && time.is_left() {
            let to = (self.seen + STEP).min(log.last_seq());
            self.take(log, self.seen, to);
            self.missing.note(log, self.seen, to);
            self.seen = to;
        }
        while time.is_left() {
            let Some(late) = self.missing.take_arrived(log, STEP) else { return self.seen < log.last_seq() };
            self.take(log, late.start() - 1, *late.end());
        }
        true
    }

    fn take(&mut self, log: &Log, after: u64, to: u64) {
        let mut problems = problems(log, after, to).into_iter().peekable();
        for seq in after + 1..=to {
            // Lines that were not understood are found by their verdict; their words would only crowd the menu.
            if let (None, Some(line)) = (problems.next_if_eq(&seq), log.line(seq)) {
                self.count(first_word(line));
            }
        }
    }

    fn count(&mut self, word: &[u8]) {
        match self.words.binary_search_by(|(known, _)| known.as_bytes().cmp(word)) {
            Ok(index) => self.words[index].1 += 1,
            Err(index) => self.words.insert(index, (String::from_utf8_lossy(word).into_owned(), 1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grandstand_protocol::{Command, Game, Micros};

    #[test]
    fn words_are_counted_of_lines_that_were_understood() {
        let marker = r#"#gs marker {"label":"x"}"#;
        let mut log = Log::live(Game::Abalone);
        let insert = |log: &mut Log, line: &str| {
            let seq = log.last_seq() + 1;
            let _ = log.insert(seq, Micros(seq), &Command::parse(Game::Abalone, line.as_bytes()));
        };
        for line in ["set E0 b1", "sett E0", "turns 1", "set E0 e", marker] {
            insert(&mut log, line);
        }
        let mut word_counts = WordCounts::default();
        while word_counts.advance(&log, Duration::from_secs(1)) {}
        let words = |word_counts: &WordCounts| -> Vec<String> {
            word_counts.words.iter().map(|(word, count)| format!("{word} {count}")).collect()
        };
        assert_eq!(words(&word_counts), ["#gs marker 1", "set 2", "turns 1"]);
        insert(&mut log, "bsay set");
        while word_counts.advance(&log, Duration::from_secs(1)) {}
        assert_eq!(words(&word_counts), ["#gs marker 1", "bsay 1", "set 2", "turns 1"]);
    }
}
