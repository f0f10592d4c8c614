//! Chapters of a match: the times of its turns or moves, read from the log a little in each frame.

use std::collections::BTreeMap;

use grandstand_protocol::{MarkKind, Scene};
use grandstand_replays::Log;
use grandstand_story::story;

/// Commands read between two checks of the frame budget.
const STRETCH: u64 = 1 << 14;

/// Times of the turns of a match by their numbers. They stay when the log drops the turns.
#[derive(Debug, Default)]
pub(crate) struct Chapters {
    /// The command that made each, and its time in seconds from the start of the match.
    turns: BTreeMap<u64, (u64, f64)>,
    /// The game's name for one: `Turn`; `None` until there is one.
    word: Option<&'static str>,
    /// Everything up to this command has been read.
    read_to: u64,
    /// The number of the last turn that was read.
    number: u64,
    /// First command of the stretch of the log with that turn.
    began: Option<u64>,
    /// Number of commands that arrived late when it was read.
    late: u64,
}

impl Chapters {
    /// The game's name for one: `Turn`; `None` in a game without turns.
    pub(crate) fn unit_name(&self) -> Option<&'static str> {
        self.word
    }

    /// Time of a turn, in seconds from the start of the match.
    pub(crate) fn time_of(&self, number: u64) -> Option<f64> {
        self.turns.get(&number).map(|(_, secs)| *secs)
    }

    /// The numbers of all turns that are known, with the commands that made them and their times, in their order.
    pub(crate) fn turns(&self) -> impl Iterator<Item = (u64, u64, f64)> {
        self.turns.iter().map(|(number, (seq, secs))| (*number, *seq, *secs))
    }

    /// The command that made a turn.
    pub(crate) fn seq_of(&self, number: u64) -> Option<u64> {
        self.turns.get(&number).map(|(seq, _)| *seq)
    }

    /// The numbers of the first turn that is known and of the last one.
    pub(crate) fn known(&self) -> Option<(u64, u64)> {
        Some((*self.turns.first_key_value()?.0, *self.turns.last_key_value()?.0))
    }

    /// The last turn that was made at a time, or before it.
    pub(crate) fn at(&self, secs: f64) -> Option<u64> {
        self.last_of(|(_, time)| time <= secs)
    }

    /// The last turn that was made with a command, or before it. Several turns may have the same time.
    pub(crate) fn at_seq(&self, seq: u64) -> Option<u64> {
        self.last_of(|(made, _)| made <= seq)
    }

    /// The last turn that `is_made`. Numbers grow with commands and with time.
    fn last_of(&self, is_made: impl Fn((u64, f64)) -> bool) -> Option<u64> {
        let (mut from, mut to) = self.known()?;
        if self.turns.get(&from).is_none_or(|first| !is_made(*first)) {
            return None;
        }
        while from < to {
            let middle = from + (to - from).div_ceil(2);
            let known = self.turns.range(middle..=to).next();
            match known {
                Some((number, turn)) if is_made(*turn) => from = *number,
                _ => to = middle - 1,
            }
        }
        self.turns.range(..=from).next_back().map(|(number, _)| *number)
    }

    /// Reads the new commands of the log; returns whether some are left for the next frame.
    pub(crate) fn update(&mut self, log: &Log, may_go_on: impl Fn() -> bool) -> bool {
        if story(&Scene::new(log.game())).turn_counter().is_none() {
            return false;
        }
        if self.read_to > log.last_seq() {
            // Another log, or in spoiler mode less of it than was known.
            *self = Chapters::default();
        }
        if self.late != log.late() {
            // Missing commands arrived late: rescan from the start.
            (self.read_to, self.began, self.late) = (0, None, log.late());
        }
        while let Some(next) = log.known_after(self.read_to) {
            let stretch = log.stretch(next);
            let from = self.read_to.max(*stretch.start());
            let to = (*stretch.end()).min(from + STRETCH);
            for mark in log.marks(from, to).filter(|mark| mark.kind == MarkKind::Turn) {
                if self.began == Some(*stretch.start()) {
                    self.number += 1;
                } else if let Some((word, number)) = story(&log.scene_at(mark.seq)).turn_counter() {
                    (self.word, self.number) = (Some(word), number);
                    self.began = Some(*stretch.start());
                }
                self.turns.insert(self.number, (mark.seq, mark.t.as_secs_f64()));
            }
            self.read_to = to.max(next);
            if !may_go_on() {
                return self.read_to < log.last_seq();
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grandstand_protocol::{Command, Game, Micros};

    fn put(log: &mut Log, seq: u64, t: u64, line: &str) {
        let _ = log.insert(seq, Micros(t * 1_000_000), &Command::parse(log.game(), line.as_bytes()));
    }

    #[test]
    fn turns_are_numbered_as_the_game_does_however_they_come() {
        let mut log = Log::live(Game::Abalone);
        let mut chapters = Chapters::default();
        assert!(!chapters.update(&log, || true) && chapters.unit_name().is_none());
        for (seq, line) in (1..).zip(["turns 1", "set E0 b1", "turns 2", "turns 3"]) {
            put(&mut log, seq, seq, line);
            // A command at a time, as of a live match.
            chapters.update(&log, || true);
        }
        let known: Vec<(u64, (u64, f64))> = chapters.turns.clone().into_iter().collect();
        assert_eq!(known, [(1, (1, 1.0)), (2, (3, 3.0)), (3, (4, 4.0))]);
        assert_eq!(
            [0, 1, 2, 3, 9].map(|seq| chapters.at_seq(seq)),
            [None, Some(1), Some(1), Some(2), Some(3)]
        );
        assert_eq!((chapters.unit_name(), chapters.known()), (Some("Turn"), Some((1, 3))));
        assert_eq!([0.5, 1.0, 3.9, 9.0].map(|secs| chapters.at(secs)), [None, Some(1), Some(2), Some(3)]);
        let mut whole = Chapters::default();
        whole.update(&log, || true);
        assert_eq!(whole.turns.into_iter().collect::<Vec<_>>(), known);
    }

    #[test]
    fn what_a_late_comer_gets_has_its_own_numbers() {
        let mut log = Log::live(Game::Abalone);
        put(&mut log, 1, 1, "turns 1");
        let mut scene = log.scene_at(1);
        scene.apply(7, Micros(7_000_000), &Command::parse(Game::Abalone, b"turns 40"));
        log.rebase(7, Micros(7_000_000), scene);
        put(&mut log, 8, 8, "turns 41");
        put(&mut log, 9, 9, "turns 42");
        let mut chapters = Chapters::default();
        chapters.update(&log, || true);
        let known: Vec<(u64, (u64, f64))> = chapters.turns.clone().into_iter().collect();
        assert_eq!(known, [(1, (1, 1.0)), (41, (8, 8.0)), (42, (9, 9.0))]);
        assert_eq!(chapters.at(8.5), Some(41));
    }
}
