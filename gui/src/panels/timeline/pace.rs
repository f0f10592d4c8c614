//! Pace of the timeline: a turn that took hardly any time has its place too.
//!
//! Programs often play the end of a match in a few milliseconds. In true measure its moves would lie on one point of the screen.

use crate::session::Chapters;

/// Least length of a turn on the timeline, as a part of their mean, before all are shortened alike to fit.
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

    /// The pace of a match with turns of these numbers that were made at these times. Numbers that are missing belong to turns that are
    /// not known yet: a stretch without known turns is as long as these are.
    fn between(turns: impl Iterator<Item = (u64, f64)>, end: f64) -> Pace {
        // The ends of the parts, with the number of turns in each.
        let mut parts: Vec<(f64, f64)> = Vec::new();
        let mut before = 0;
        for (number, secs) in turns.filter(|(_, secs)| *secs > 0.0 && *secs < end) {
            let count = number.saturating_sub(std::mem::replace(&mut before, number)).max(1) as f64;
            match parts.last().is_some_and(|(last, _)| *last == secs) {
                // Of turns at one time none can be shown by itself.
                true => continue,
                false => parts.push((secs, count)),
            }
        }
        if parts.len() > TURNS_MAX {
            parts.clear();
        }
        // What follows the last known turn may be many more, which have not been read yet.
        let known = parts.iter().map(|(_, count)| count).sum::<f64>();
        let last = parts.last().map_or(0.0, |(last, _)| *last);
        parts.push((end, ((end - last) * known / last.max(1e-9)).max(1.0)));
        let least = LEAST * end / parts.iter().map(|(_, count)| count).sum::<f64>();
        let mut from = 0.0;
        let length = |(to, count): &(f64, f64)| (to - std::mem::replace(&mut from, *to)).max(least * count);
        let lengths: Vec<f64> = parts.iter().map(length).collect();
        let stretch = end / lengths.iter().sum::<f64>();
        let mut place = 0.0;
        let places = lengths.iter().map(|length| {
            place += length * stretch;
            place
        });
        let ends = parts.iter().map(|(to, _)| *to);
        let mut knots: Vec<(f64, f64)> = [(0.0, 0.0)].into_iter().chain(ends.zip(places)).collect();
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

    fn pace(times: impl IntoIterator<Item = f64>, end: f64) -> Pace {
        Pace::between((1..).zip(times), end)
    }

    #[test]
    fn what_is_not_known_yet_keeps_its_length() {
        // A late comer knows the last turns of many.
        let last = (900..1000).map(|number| (number, number as f64 * 0.3));
        let pace = Pace::between(last, 300.0);
        assert!((pace.place(150.0) - 150.0).abs() < 1.0, "{pace:?}");
        // Of a long recording the first turns have been read.
        let first = (1..100).map(|number| (number, number as f64 * 0.3));
        let pace = Pace::between(first, 3000.0);
        assert!((pace.place(15.0) - 15.0).abs() < 1.0, "{pace:?}");
    }

    #[test]
    fn turns_of_no_time_have_their_places_and_long_ones_are_longer() {
        // Four moves of 20 s, and ten in a tenth of a second.
        let times = [20.0, 40.0, 60.0, 80.0].into_iter().chain((1..=9).map(|n| 80.0 + f64::from(n) * 0.01));
        let pace = pace(times, 80.1);
        let turn = |from: f64, to: f64| pace.place(to) - pace.place(from);
        assert!(turn(80.01, 80.02) > 80.1 / 14.0 / 3.0, "{pace:?}");
        assert!(turn(20.0, 40.0) > 3.0 * turn(80.01, 80.02), "{pace:?}");
        assert_eq!((pace.place(0.0), pace.place(80.1)), (0.0, 80.1));
    }

    #[test]
    fn of_an_even_match_each_time_is_its_own_place() {
        let even = pace((1..30).map(f64::from), 30.0);
        let same = |secs: f64| (even.place(secs) - secs).abs() < 1e-9;
        assert!([0.0, 0.3, 17.5, 30.0].into_iter().all(same), "{even:?}");
        let without_turns = pace([], 7.0);
        assert_eq!((without_turns.place(3.5), without_turns.secs(3.5)), (3.5, 3.5));
    }

    #[test]
    fn places_and_times_lead_to_each_other_in_order() {
        let pace = pace([0.0, 0.0, 0.001, 0.001, 5.0, 5.5, 90.0, 300.0], 100.0);
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
