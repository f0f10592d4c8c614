//! Range of a match that the viewer has chosen: played again and again, and what an export begins with.

use grandstand_protocol::Micros;
use grandstand_replays::playback::State;
use grandstand_story::format;

use super::Session;

/// The shortest range, in seconds.
const SHORTEST: f64 = 0.01;

/// The shortest one whose start and end have different words, in seconds.
const TOLD: f64 = 0.1;

/// A part of a match, in seconds from its start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TimeRange {
    pub from: f64,
    pub to: f64,
}

impl TimeRange {
    /// The time between two moments, in either order; `None` where that is next to nothing.
    pub(crate) fn between(one: f64, other: f64) -> Option<TimeRange> {
        let range = TimeRange { from: one.min(other).max(0.0), to: one.max(other) };
        (range.secs() >= SHORTEST).then_some(range)
    }

    /// `0:07.0 – 0:19.5`
    pub(crate) fn words(self) -> String {
        format!("{} – {}", format::clock(self.from), format::clock(self.to))
    }

    /// How long it is, in seconds.
    pub(crate) fn secs(self) -> f64 {
        self.to - self.from
    }
}

impl Session {
    /// The range that the viewer has chosen.
    pub(crate) fn range(&self) -> Option<TimeRange> {
        // In spoiler mode there is nothing after what was seen.
        let range = self.range?;
        TimeRange::between(range.from, range.to.min(self.end_secs()))
    }

    /// What spoiler mode has hidden of the range, in words; `None` without any.
    pub(crate) fn range_hidden(&self) -> Option<String> {
        let chosen = self.range?;
        match self.range() {
            Some(range) if range.to >= chosen.to.min(self.whole_end_secs()) => None,
            Some(range) if range.secs() >= TOLD => {
                Some(format!("Range {}: the rest comes as you see it", range.words()))
            }
            _ => Some("The range comes as you see it".to_owned()),
        }
    }

    /// Chooses a range, or none. The picture goes to its start where it is outside of it.
    pub(crate) fn set_range(&mut self, range: Option<TimeRange>) {
        self.range = range;
        if let Some(range) = self.range()
            && !(range.from..=range.to).contains(&self.secs())
        {
            self.seek_secs(range.from);
        }
    }

    /// The range begins at the picture, and ends where it did, or at the end; `false` where that is no range.
    pub(crate) fn begin_range(&mut self) -> bool {
        let (now, end) = (self.secs(), self.end_secs());
        let to = self.range().map_or(end, |range| range.to);
        let chosen = TimeRange::between(now, if to > now { to } else { end });
        self.range = chosen.or(self.range);
        chosen.is_some()
    }

    /// The range ends at the picture, and begins where it did, or at the start; `false` where that is no range.
    pub(crate) fn end_range(&mut self) -> bool {
        let now = self.secs();
        let from = self.range().map_or(0.0, |range| range.from);
        let chosen = TimeRange::between(if from < now { from } else { 0.0 }, now);
        self.range = chosen.or(self.range);
        chosen.is_some()
    }

    /// Goes back to the start of the range where playback has gone from within it to its end. `before` is where it was.
    pub(super) fn play_range_again(&mut self, before: f64) -> bool {
        // In spoiler mode the range goes on beyond what was seen, so that the rest of it can be seen.
        let Some(range) = self.range.filter(|_| self.loops_range) else { return false };
        let range = TimeRange { to: range.to.min(self.whole_end_secs()), ..range };
        if !(range.from..=range.to).contains(&before) || self.secs() < range.to {
            return false;
        }
        let from = Micros::from_secs_f64(range.from).unwrap_or_default();
        self.go(|playback, log| {
            playback.seek_time(log, from);
            if playback.state() != State::Playing {
                playback.play(log);
            }
        });
        self.show(false);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_its_start_first_and_some_length() {
        assert_eq!(TimeRange::between(3.0, 1.0), Some(TimeRange { from: 1.0, to: 3.0 }));
        assert_eq!(TimeRange::between(-1.0, 2.0), Some(TimeRange { from: 0.0, to: 2.0 }));
        assert_eq!(TimeRange::between(2.0, 2.001), None);
        assert_eq!(TimeRange::between(f64::NAN, 2.0).map(TimeRange::secs), None);
    }
}
