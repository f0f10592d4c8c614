//! Stretch that playback passed by itself, and arrival at the end. Jumps don't count.

use std::ops::RangeInclusive;

use grandstand_protocol::MarkKind;
use grandstand_protocol::Micros;

use super::Session;

/// Way in which the picture reached the end of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// By playback, or by following the live match.
    Played,
    /// By a jump of the viewer.
    Gone,
}

/// The stretch and the arrival.
#[derive(Debug, Default)]
pub(super) struct Passed {
    /// Playback went from after command `from` to after command `to`.
    from: u64,
    to: u64,
    /// Side to move before the last step.
    mover: Option<usize>,
    pub(super) arrival: Option<Arrival>,
}

impl Session {
    /// The last stretch that playback passed: from after the first command to after the last.
    pub(crate) fn passed(&self) -> RangeInclusive<u64> {
        self.passed_range.from..=self.passed_range.to
    }

    /// Side that was to move before the last step of playback.
    pub(crate) fn passed_mover(&self) -> Option<usize> {
        self.passed_range.mover
    }

    /// Ends of turns that playback passed after command `from`.
    pub(crate) fn turns_passed(&self, from: u64) -> impl Iterator<Item = Micros> {
        // Commands that were passed have been seen; nothing of them is hidden.
        let marks = self.whole_log().marks(from, self.passed_range.to);
        marks.filter(|mark| mark.kind == MarkKind::Turn).map(|mark| mark.t)
    }

    /// Whether nothing was played yet, and the picture still is the one that was asked for.
    pub(crate) fn awaits_start(&self) -> bool {
        let asked = self.target.moment().map(|seq| seq.min(self.reach()));
        !self.is_running() && self.passed_range.to == 0 && asked.is_none_or(|seq| seq == self.seq())
    }

    /// Way in which the picture reached the end, if it is the end of a finished match.
    pub(crate) fn arrival(&self) -> Option<Arrival> {
        self.passed_range.arrival.filter(|_| self.is_at_end())
    }

    /// Notes a step of playback from command `from`, where side `mover` was to move.
    pub(super) fn went_on(&mut self, (from, mover): (u64, Option<usize>)) {
        self.passed_range.mover = mover;
        // The past of a live match arrives at the opening and was not watched.
        let from = if self.is_following() { from.max(self.seq_at_opening.min(self.seq())) } else { from };
        if from != self.passed_range.to {
            self.passed_range.from = from;
        }
        self.passed_range.to = self.seq();
        if !self.is_running() && self.is_at_end() {
            self.passed_range.arrival = Some(Arrival::Played);
        }
    }

    /// Notes a jump to the end.
    pub(super) fn gone_to_end(&mut self) {
        if self.is_at_end() {
            self.passed_range.arrival.get_or_insert(Arrival::Gone);
        }
    }

    /// Index of the winner, if the picture is the end and the result is known.
    pub(crate) fn winner(&self) -> Option<usize> {
        let winner = self.result().filter(|_| self.is_at_end())?.winner.as_ref()?;
        let sides = grandstand_story::games::sides(self.scene(), &self.view.about.teams);
        sides.iter().position(|side| *side.key == **winner)
    }
}
