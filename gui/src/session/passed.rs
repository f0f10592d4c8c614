//! Stretch that the picture passes by itself, and how it came to the end: what was gone to or jumped over does not count.

use std::ops::RangeInclusive;

use grandstand_protocol::MarkKind;
use grandstand_protocol::Micros;

use super::Session;

/// How the picture came to the end of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// The match was played, or followed, until it was over.
    Played,
    /// The viewer went there.
    Gone,
}

/// What was passed.
#[derive(Debug, Default)]
pub(super) struct Passed {
    /// The picture went on by itself from after one command to after another.
    from: u64,
    to: u64,
    /// Whose turn it was before it went on last.
    mover: Option<usize>,
    pub(super) arrival: Option<Arrival>,
}

impl Session {
    /// The last stretch that the picture went through by itself: from after the first command to after the last.
    pub(crate) fn passed(&self) -> RangeInclusive<u64> {
        self.passed_range.from..=self.passed_range.to
    }

    /// Which of the sides was to move in the picture before the last one that came by itself.
    pub(crate) fn passed_mover(&self) -> Option<usize> {
        self.passed_range.mover
    }

    /// When turns ended that the picture passed by itself after command `from`.
    pub(crate) fn turns_passed(&self, from: u64) -> impl Iterator<Item = Micros> {
        // What was passed has been seen: nothing of it is hidden.
        let marks = self.whole_log().marks(from, self.passed_range.to);
        marks.filter(|mark| mark.kind == MarkKind::Turn).map(|mark| mark.t)
    }

    /// How the picture came to the end, where it is the end of a match that is over.
    pub(crate) fn arrival(&self) -> Option<Arrival> {
        self.passed_range.arrival.filter(|_| self.is_at_end())
    }

    /// The picture has gone on by itself from after a command, when that side was to move.
    pub(super) fn went_on(&mut self, (from, mover): (u64, Option<usize>)) {
        self.passed_range.mover = mover;
        // What was there before somebody came to a live match arrives, and was not watched.
        let from = if self.is_following() { from.max(self.seq_at_opening.min(self.seq())) } else { from };
        if from != self.passed_range.to {
            self.passed_range.from = from;
        }
        self.passed_range.to = self.seq();
        if !self.is_running() && self.is_at_end() {
            self.passed_range.arrival = Some(Arrival::Played);
        }
    }

    /// The viewer went to the end.
    pub(super) fn gone_to_end(&mut self) {
        if self.is_at_end() {
            self.passed_range.arrival = Some(Arrival::Gone);
        }
    }

    /// Which of the sides has won, where the picture is the end and that is known.
    pub(crate) fn winner(&self) -> Option<usize> {
        let winner = self.result().filter(|_| self.is_at_end())?.winner.as_ref()?;
        let sides = grandstand_story::games::sides(self.scene(), &self.view.about.teams);
        sides.iter().position(|side| *side.key == **winner)
    }
}
