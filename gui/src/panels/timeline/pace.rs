//! Pace of the timeline: a turn that took hardly any time has its place too.
//!
//! Programs often play the end of a match in a few milliseconds. In true measure its moves would lie on one point of the screen.

use crate::session::Chapters;

/// Least length of a turn on the timeline, as a part of their mean.
const LEAST: f64 = 0.5;
/// Number of turns up to which short ones are stretched: of more than this none has a place of its own.
const TURNS_MAX: usize = 4096;

/// Map between the times of a match and their places on its timeline, both in seconds. All of both is equally long, and times keep
/// their order.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pace {
    /// Times with their places, in order: from the start of the match to its end.
    knots: Vec<(f64, f64)>,
}

impl Pace {
    /// The pace of a match that is `end` long.
    pub(super) fn of(chapters: &Chapters, end: f64) -> Pace {
        Pace::between(chapters.times().take(TURNS_MAX + 1), end)
    }

    /// The pace of turns that were made at these times.
    fn between(times: impl Iterator<Item = f64>, end: f64) -> Pace {
        let mut ends: Vec<f64> = times.filter(|secs| *secs > 0.0 && *secs < end).collect();
        ends.dedup();
        if ends.len() > TURNS_MAX {
            ends.clear();
        }
        ends.push(end);
        let least = LEAST * end / ends.len() as f64;
        let mut from = 0.0;
        let lengths = ends.iter().map(|to| (to - std::mem::replace(&mut from, *to)).max(least));
        let lengths: Vec<f64> = lengths.collect();
        let stretch = end / lengths.iter().sum::<f64>();
        let mut place = 0.0;
        let places = lengths.iter().map(|length| {
            place += length * stretch;
            place
        });
        let mut knots: Vec<(f64, f64)> =
            [(0.0, 0.0)].into_iter().chain(ends.into_iter().zip(places)).collect();
        // The sum of many parts is only nearly the whole.
        knots.last_mut().into_iter().for_each(|last| last.1 = end);
        Pace { knots }
    }

    /// The place of a time.
    pub(super) fn place(&self, secs: f64) -> f64 {
        mapped(&self.knots, secs, |knot| knot)
    }

    /// The time at a place.
    pub(super) fn secs(&self, place: f64) -> f64 {
        mapped(&self.knots, place, |(secs, place)| (place, secs))
    }
}

/// Where `at` leads between two knots, of which `of` tells both ends; beyond all of them by as much as it is beyond.
fn mapped(knots: &[(f64, f64)], at: f64, of: impl Fn((f64, f64)) -> (f64, f64)) -> f64 {
    let next = knots.partition_point(|knot| of(*knot).0 <= at);
    match (next.checked_sub(1).map(|before| of(knots[before])), knots.get(next).map(|knot| of(*knot))) {
        (Some((from, start)), Some((to, stop))) => start + (at - from) / (to - from) * (stop - start),
        (Some((end, stop)), None) => stop + at - end,
        (None, _) => at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_of_no_time_have_their_places_and_long_ones_are_longer() {
        // Four moves of 20 s, and ten in a tenth of a second.
        let times = [20.0, 40.0, 60.0, 80.0].into_iter().chain((1..=9).map(|n| 80.0 + f64::from(n) * 0.01));
        let pace = Pace::between(times, 80.1);
        let turn = |from: f64, to: f64| pace.place(to) - pace.place(from);
        assert!(turn(80.01, 80.02) > 80.1 / 14.0 / 2.0, "{pace:?}");
        assert!(turn(20.0, 40.0) > 3.0 * turn(80.01, 80.02), "{pace:?}");
        assert_eq!((pace.place(0.0), pace.place(80.1)), (0.0, 80.1));
    }

    #[test]
    fn of_an_even_match_each_time_is_its_own_place() {
        let pace = Pace::between((1..30).map(f64::from), 30.0);
        let same = |secs: f64| (pace.place(secs) - secs).abs() < 1e-9;
        assert!([0.0, 0.3, 17.5, 30.0].into_iter().all(same), "{pace:?}");
        let pace = Pace::between(std::iter::empty(), 7.0);
        assert_eq!((pace.place(3.5), pace.secs(3.5)), (3.5, 3.5));
    }

    #[test]
    fn places_and_times_lead_to_each_other_in_order() {
        let pace = Pace::between([0.0, 0.0, 0.001, 0.001, 5.0, 5.5, 90.0, 300.0].into_iter(), 100.0);
        let mut before = -1.0;
        for n in 0..=1000 {
            let place = f64::from(n) / 10.0;
            let secs = pace.secs(place);
            assert!(secs >= before && (pace.place(secs) - place).abs() < 1e-6, "{place}: {secs}");
            before = secs;
        }
        // Beyond the end it goes on, as a live match does.
        assert_eq!((pace.place(103.0), pace.secs(103.0)), (103.0, 103.0));
    }
}
