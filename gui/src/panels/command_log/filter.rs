//! Filter of the lines, evaluated in small steps.

use std::time::Duration;

use crate::budget::Budget;
use grandstand_protocol::{Command, Game, Place, Scene};
use grandstand_replays::{Growth, Log};

use super::missing::Missing;
use super::word_counts::{first_word, problems};

/// Number of lines listed of a live match at most; the oldest are dropped.
const MATCHES_MAX: usize = 1 << 18;
/// Lines, or bytes of them, examined between two looks at the clock.
const STEP: u64 = 256;
const STEP_BYTES: usize = 32 * 1024;
/// Lines examined between two looks, when the log's own marks are enough.
const MARKS_STEP: u64 = 20_000;

/// Conditions on a line; all must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Query {
    /// Text that the line contains, ignoring case.
    pub text: String,
    pub verdict: LineStatus,
    /// The first word.
    pub word: Option<String>,
    /// The team that the line is about, by its key in the dialect.
    pub team: Option<String>,
    /// The place that the line touches.
    pub place: Option<Place>,
}

/// Condition on the parser's verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum LineStatus {
    #[default]
    Any,
    Understood,
    Problem,
}

impl Query {
    /// Whether all lines pass.
    pub(super) fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
            && self.verdict == LineStatus::Any
            && self.word.is_none()
            && self.team.is_none()
            && self.place.is_none()
    }
}

/// The filter, and the lines that pass.
#[derive(Debug, Default)]
pub(super) struct Filter {
    query: Query,
    needle: Vec<u8>,
    matches: Vec<u64>,
    /// The last examined line.
    seen: u64,
    /// The scene after it, for games whose lines name units only by number.
    scene: Option<Scene>,
    /// Lines that were not in memory when they were examined.
    missing: Missing,
    /// The log's last command at the last call, to notice a replaced log.
    log_end: u64,
}

impl Filter {
    /// Starts again if the query has changed.
    pub(super) fn ask(&mut self, query: &Query) {
        if *query != self.query {
            let needle = query.text.trim().to_ascii_lowercase().into_bytes();
            *self = Filter { query: query.clone(), needle, ..Filter::default() };
        }
    }

    /// Examines more lines; returns `true` while there are more.
    pub(super) fn advance(&mut self, log: &Log, budget: Duration) -> bool {
        if log.last_seq() < self.log_end {
            (self.matches, self.seen, self.scene) = (Vec::new(), 0, None);
            self.missing = Missing::default();
        }
        self.log_end = log.last_seq();
        if self.query.is_empty() {
            return false;
        }
        let time = Budget::new(budget);
        while self.seen < log.last_seq() && time.is_left() {
            let from = self.seen;
            if self.query.verdict == LineStatus::Problem {
                self.take_problems(log);
            } else {
                self.take_lines(log);
            }
            self.missing.note(log, from, self.seen);
        }
        let mut late = false;
        while time.is_left() {
            late = self.take_late(log);
            if !late {
                break;
            }
        }
        // A match may be live for a week.
        if log.growth() == Growth::Live && self.matches.len() > MATCHES_MAX {
            self.matches.drain(..MATCHES_MAX / 2);
        }
        late || self.seen < log.last_seq()
    }

    /// Examines some lines that have come late; returns `false` if there are none.
    fn take_late(&mut self, log: &Log) -> bool {
        let Some(range) = self.missing.take_arrived(log, STEP) else { return false };
        // A separate filter for these lines; this one keeps its position.
        let mut part = Filter { query: self.query.clone(), needle: self.needle.clone(), ..Filter::default() };
        part.seen = range.start() - 1;
        while part.seen < *range.end() {
            match part.query.verdict {
                LineStatus::Problem => part.take_problems(log),
                _ => part.take_lines(log),
            }
        }
        let found: Vec<u64> = part.matches.into_iter().filter(|seq| range.contains(seq)).collect();
        let at = self.matches.partition_point(|seq| seq < range.start());
        self.matches.splice(at..at, found);
        true
    }

    /// Number of lines that were not in memory.
    pub(super) fn missing(&self) -> u64 {
        self.missing.count()
    }

    /// The last of these lines.
    pub(super) fn last_missing(&self) -> Option<u64> {
        self.missing.last()
    }

    /// Whether every line has been examined.
    pub(super) fn is_done(&self, log: &Log) -> bool {
        self.query.is_empty() || self.seen >= log.last_seq()
    }

    fn take_problems(&mut self, log: &Log) {
        let to = (self.seen + MARKS_STEP).min(log.last_seq());
        for seq in problems(log, self.seen, to) {
            if log.line(seq).is_some_and(|line| self.fits(log, seq, line)) {
                self.matches.push(seq);
            }
        }
        self.seen = to;
    }

    fn take_lines(&mut self, log: &Log) {
        let to = (self.seen + STEP).min(log.last_seq());
        let mut problems = problems(log, self.seen, to).into_iter().peekable();
        let mut bytes = 0;
        while self.seen < to && bytes < STEP_BYTES {
            let seq = self.seen + 1;
            self.seen = seq;
            let is_problem = problems.next_if_eq(&seq).is_some();
            let Some(line) = log.line(seq) else {
                self.scene = None;
                continue;
            };
            bytes += line.len();
            let wanted = self.query.verdict == LineStatus::Any || !is_problem;
            if self.fits(log, seq, line) && wanted {
                self.matches.push(seq);
            }
        }
    }

    /// Whether a line fits the query, apart from the verdict.
    fn fits(&mut self, log: &Log, seq: u64, line: &[u8]) -> bool {
        let plays = self.plays_along(log.game());
        let found = self.query.word.as_ref().is_none_or(|word| first_word(line) == word.as_bytes())
            && (self.needle.is_empty()
                || line.windows(self.needle.len()).any(|part| part.eq_ignore_ascii_case(&self.needle)));
        if !(found && (self.query.team.is_some() || self.query.place.is_some()) || plays) {
            return found;
        }
        let command = Command::parse(log.game(), line);
        if !plays {
            return self.concerns(None, log.game(), &command);
        }
        let mut scene = self.scene.take().unwrap_or_else(|| log.scene_at(seq - 1));
        let fits = found && self.concerns(Some(&scene), log.game(), &command);
        scene.apply(seq, log.time_of(seq), &command);
        self.scene = Some(scene);
        fits
    }

    /// Whether the scene must be built line by line to evaluate the query: lines of Steam Fortress name units by
    /// number.
    fn plays_along(&self, game: Game) -> bool {
        let asks = self.query.team.is_some() || self.query.place.is_some();
        // Lines that were not understood have no team and no place.
        asks && game == Game::Fortress && self.query.verdict != LineStatus::Problem
    }

    /// Whether the command is about the team and touches the place.
    fn concerns(&self, scene: Option<&Scene>, game: Game, command: &Command) -> bool {
        let team = || match scene {
            Some(scene) => scene.team_of(command),
            None => command.team(),
        };
        let touches = |place: Place| {
            command.is_of_whole_board()
                || match scene {
                    Some(scene) => scene.places(command).any(|touched| touched == place),
                    None => command.places(game).any(|touched| touched == place),
                }
        };
        self.query.team.as_deref().is_none_or(|wanted| team() == Some(wanted))
            && self.query.place.is_none_or(touches)
    }

    /// Number of lines that pass.
    pub(super) fn count(&self, log: &Log) -> usize {
        if self.query.is_empty() { log.last_seq() as usize } else { self.matches.len() }
    }

    /// The line in a row.
    pub(super) fn seq_of(&self, row: usize) -> u64 {
        if self.query.is_empty() { row as u64 + 1 } else { self.matches.get(row).copied().unwrap_or(0) }
    }

    /// The row of the last passing line at or before a command.
    pub(super) fn row_of(&self, seq: u64) -> Option<usize> {
        if self.query.is_empty() {
            seq.checked_sub(1).map(|row| row as usize)
        } else {
            self.matches.partition_point(|found| *found <= seq).checked_sub(1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::word_counts::WordCounts;
    use super::*;
    use grandstand_protocol::Micros;

    fn log_of(game: Game, lines: &[&str]) -> Log {
        let mut log = Log::live(game);
        for (seq, line) in (1..).zip(lines) {
            let _ = log.insert(seq, Micros(seq), &Command::parse(game, line.as_bytes()));
        }
        log
    }

    fn found(filter: &mut Filter, log: &Log, query: &Query) -> Vec<u64> {
        filter.ask(query);
        while filter.advance(log, Duration::from_secs(1)) {}
        (0..filter.count(log)).map(|row| filter.seq_of(row)).collect()
    }

    fn text(text: &str) -> Query {
        Query { text: text.to_owned(), ..Query::default() }
    }

    fn at(game: Game, name: &str) -> Query {
        Query { place: Place::parse(game, name), ..Query::default() }
    }

    #[test]
    fn lines_are_found_by_text_and_by_verdict() {
        let log = log_of(Game::Abalone, &["set E0 b1", "bsay Set me", "sett E0", "turns 3"]);
        let mut filter = Filter::default();
        let mut found = |query: Query| found(&mut filter, &log, &query);
        let problems = |query: Query| Query { verdict: LineStatus::Problem, ..query };
        assert_eq!(found(text("")), [1, 2, 3, 4]);
        assert_eq!(found(text("SET")), [1, 2, 3]);
        assert_eq!(found(problems(text(""))), [3]);
        assert_eq!(found(problems(text("turns"))), Vec::<u64>::new());
        assert_eq!(found(Query { verdict: LineStatus::Understood, ..text("set") }), [1, 2]);
        assert_eq!(found(text("bsay")), [2]);
        assert_eq!((filter.row_of(1), filter.row_of(2), filter.row_of(4)), (None, Some(0), Some(0)));
    }

    #[test]
    fn what_is_asked_for_is_asked_for_together() {
        let lines = ["set E0 b1", "set E0 w2", "set E1 b1", "bsay E0", "set E0 e", "set E0 b1 x"];
        let log = log_of(Game::Abalone, &lines);
        let mut filter = Filter::default();
        let mut found = |query: Query| found(&mut filter, &log, &query);
        let place = at(Game::Abalone, "E0");
        assert_eq!(found(place.clone()), [1, 2, 5]);
        let black = Query { team: Some("black".to_owned()), ..Query::default() };
        assert_eq!(found(black.clone()), [1, 3, 4]);
        assert_eq!(found(Query { team: black.team.clone(), ..place.clone() }), [1]);
        assert_eq!(found(Query { word: Some("set".to_owned()), ..Query::default() }), [1, 2, 3, 5, 6]);
        assert_eq!(found(Query { word: Some("set".to_owned()), ..black }), [1, 3]);
        assert_eq!(found(Query { text: "w2".to_owned(), ..place.clone() }), [2]);
        assert_eq!(found(Query { verdict: LineStatus::Problem, ..place }), Vec::<u64>::new());
    }

    #[test]
    fn a_square_is_found_in_lines_that_name_only_a_unit() {
        let lines = [
            "init",
            "spawn 4 red 1 1 north 60 soldier",
            "spawn 5 blue 9 9 south 60 medic",
            "update 4 1 2 north 60",
            "hit 5 4 10",
            "update 4 3 3 north 60",
            "remove 4",
        ];
        let log = log_of(Game::Fortress, &lines);
        let mut filter = Filter::default();
        assert_eq!(found(&mut filter, &log, &at(Game::Fortress, "1,2")), [1, 4, 5, 6]);
        assert_eq!(found(&mut filter, &log, &at(Game::Fortress, "3,3")), [1, 6, 7]);
        let red = Query { team: Some("red".to_owned()), ..Query::default() };
        assert_eq!(found(&mut filter, &log, &red), [2, 4, 6, 7]);
    }

    #[test]
    fn lines_that_come_later_are_filtered_too() {
        let mut log = log_of(Game::Abalone, &["set E0 b1"]);
        let mut filter = Filter::default();
        assert_eq!(found(&mut filter, &log, &text("e0")), [1]);
        let _ = log.insert(2, Micros(9), &Command::parse(Game::Abalone, b"set E0 e"));
        assert_eq!(found(&mut filter, &log, &text("e0")), [1, 2]);
    }

    #[test]
    fn lines_that_come_late_are_found_at_their_places() {
        for (game, lines, query) in [
            (
                Game::Abalone,
                ["turns 1", "set E0 b1", "what", "set E0 e", "set E0 w1"],
                at(Game::Abalone, "E0"),
            ),
            (
                Game::Fortress,
                [
                    "init",
                    "spawn 4 red 1 1 north 60 soldier",
                    "say red Hm",
                    "update 4 1 2 north 50",
                    "remove 4",
                ],
                at(Game::Fortress, "1,1"),
            ),
        ] {
            let whole = log_of(game, &lines);
            let mut log = Log::live(game);
            log.rebase(4, Micros(4), whole.scene_at(4));
            let put = |log: &mut Log, seq: u64| {
                let _ = log.insert(seq, Micros(seq), &whole.command(seq).expect("a command"));
            };
            put(&mut log, 5);
            let (mut filter, mut problems) = (Filter::default(), Filter::default());
            let wrong = Query { verdict: LineStatus::Problem, ..Query::default() };
            let known = found(&mut filter, &log, &query);
            assert!(known.len() < 2 && filter.missing() == 4, "{known:?}");
            assert_eq!(found(&mut problems, &log, &wrong), Vec::<u64>::new());
            let mut word_counts = WordCounts::default();
            while word_counts.advance(&log, Duration::from_secs(1)) {}
            for seq in 1..=4 {
                put(&mut log, seq);
                found(&mut filter, &log, &query);
            }
            let mut fresh = Filter::default();
            assert_eq!(found(&mut filter, &log, &query), found(&mut fresh, &whole, &query), "{game:?}");
            assert_eq!(filter.missing(), 0);
            let expected = if game == Game::Abalone { vec![3] } else { Vec::new() };
            assert_eq!(found(&mut problems, &log, &wrong), expected);
            while word_counts.advance(&log, Duration::from_secs(1)) {}
            let counted: u64 = word_counts.words.iter().map(|(_, count)| count).sum();
            assert_eq!(counted, 5 - expected.len() as u64);
        }
    }
}
