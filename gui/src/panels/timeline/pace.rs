//! Pace of the timeline: a turn that took hardly any time has its place too.
//!
//! Programs often play the end of a match in a few milliseconds. In true measure its moves would lie on one point of the screen.

use crate::session::Chapters;

/// Least length of a turn on the timeline, as a part of their mean, before all are shortened alike to fit.
const LEAST: f64 = 0.5;
/// Time of a turn below which its beginning stands for all of it, in seconds.
const SHORTEST: f64 = 0.005;
/// Number of turns up to which short ones are stretched: of more than this none has a place of its own.
const TURNS_MAX: usize = 4096;

/// A turn: the command that made it, its time, and its place.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Knot {
    seq: u64,
    secs: f64,
    place: f64,
}

/// Map between the times of a match and their places on its timeline, both in seconds. All of both is equally long, and times keep
/// their order.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pace {
    /// The turns in order, after the start of the match and before its end.
    knots: Vec<Knot>,
    /// Whether each time is its own place.
    is_even: bool,
}

impl Pace {
    /// The pace of a match that is `end` long.
    pub(super) fn of(chapters: &Chapters, end: f64) -> Pace {
        Pace::between(chapters.turns().take(TURNS_MAX + 1), end)
    }

    /// The pace of a match with turns of these numbers that were made by these commands at these times. Numbers that are missing belong to
    /// turns that are not known yet: a stretch without known turns is as long as these are.
    fn between(turns: impl Iterator<Item = (u64, u64, f64)>, end: f64) -> Pace {
        // The ends of the parts, with the number of turns in each.
        let mut parts: Vec<(u64, f64, f64)> = Vec::new();
        let mut before = 0;
        for (number, seq, secs) in turns.filter(|(.., secs)| *secs > 0.0 && *secs <= end) {
            let count = number.saturating_sub(std::mem::replace(&mut before, number)).max(1) as f64;
            parts.push((seq, secs, count));
        }
        if parts.len() > TURNS_MAX {
            parts.clear();
        }
        // What follows the last known turn may be many more, which have not been read yet.
        let known = parts.iter().map(|(.., count)| count).sum::<f64>();
        let last = parts.last().map_or(0.0, |(_, last, _)| *last);
        if last < end {
            parts.push((u64::MAX, end, ((end - last) * known / last.max(1e-9)).max(1.0)));
        }
        let least = LEAST * end / parts.iter().map(|(.., count)| count).sum::<f64>();
        let mut from = 0.0;
        let length =
            |(_, to, count): &(u64, f64, f64)| (to - std::mem::replace(&mut from, *to)).max(least * count);
        let lengths: Vec<f64> = parts.iter().map(length).collect();
        let whole = lengths.iter().sum::<f64>();
        let mut place = 0.0;
        let mut knots = vec![Knot { seq: 0, secs: 0.0, place }];
        for ((seq, secs, _), length) in parts.iter().zip(&lengths) {
            place += length * end / whole;
            knots.push(Knot { seq: *seq, secs: *secs, place });
        }
        // The sum of many parts is only nearly the whole.
        knots.last_mut().into_iter().for_each(|last| last.place = end);
        Pace { knots, is_even: whole <= end * (1.0 + 1e-9) }
    }

    /// Whether each time is its own place.
    pub(super) fn is_even(&self) -> bool {
        self.is_even
    }

    /// The place of a time: of several turns at one time, that of the last.
    pub(super) fn place(&self, secs: f64) -> f64 {
        self.mapped(secs, |knot| (knot.secs, knot.place))
    }

    /// The time at a place.
    pub(super) fn secs(&self, place: f64) -> f64 {
        self.mapped(place, |knot| (knot.place, knot.secs))
    }

    /// The place of a command and its time. Turns at one time have their own places.
    pub(super) fn place_of(&self, seq: u64, secs: f64) -> f64 {
        let next = self.knots.partition_point(|knot| knot.seq <= seq);
        let (Some(begun), Some(end)) = (self.knots.get(next.wrapping_sub(1)), self.knots.get(next)) else {
            return self.place(secs);
        };
        let took = end.secs - begun.secs;
        // What came within a moment of a move belongs to it, until the next one.
        let part = if took < SHORTEST && !self.is_even { 0.0 } else { (secs - begun.secs) / took };
        begun.place + part.clamp(0.0, 1.0) * (end.place - begun.place)
    }

    /// The command that made the turn at a place, no more than `near` from it, or within it where it took no time; `None` where a time tells
    /// as much.
    pub(super) fn turn_at(&self, place: f64, near: f64) -> Option<u64> {
        if self.is_even {
            return None;
        }
        let next = self.knots.partition_point(|knot| knot.place <= place + near);
        let begun = self.knots.get(next.checked_sub(1)?).filter(|knot| (1..u64::MAX).contains(&knot.seq))?;
        let took = self.knots.get(next).map_or(0.0, |end| end.secs - begun.secs);
        (took < SHORTEST || (begun.place - place).abs() <= near).then_some(begun.seq)
    }

    /// Where `at` leads between two knots, of which `of` tells both ends; beyond all of them by as much as it is beyond.
    fn mapped(&self, at: f64, of: impl Fn(&Knot) -> (f64, f64)) -> f64 {
        let next = self.knots.partition_point(|knot| of(knot).0 <= at);
        match (next.checked_sub(1).map(|before| of(&self.knots[before])), self.knots.get(next).map(of)) {
            (Some((from, start)), Some((to, stop))) => start + (at - from) / (to - from) * (stop - start),
            (Some((end, stop)), None) => stop + at - end,
            (None, _) => at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(times: impl IntoIterator<Item = f64>, end: f64) -> Pace {
        Pace::between((1..).zip(times).map(|(number, secs)| (number, 10 * number, secs)), end)
    }

    #[test]
    fn turns_at_one_time_have_their_own_places() {
        let pace = pace([5.0, 9.0, 9.0, 9.0, 9.0], 9.0);
        let places = [10, 20, 30, 40, 50, 59].map(|seq| pace.place_of(seq, if seq < 20 { 5.0 } else { 9.0 }));
        assert!(places.windows(2).take(4).all(|two| two[1] - two[0] > 0.5), "{places:?}");
        assert_eq!((places[4], places[5], pace.place(9.0)), (9.0, 9.0, 9.0), "the end is the end");
        assert!((pace.place_of(15, 7.0) - (places[0] + places[1]) / 2.0).abs() < 1e-6);
        assert!(!pace.is_even());
        let turns = [1, 2, 3].map(|at| pace.turn_at(places[at] + 0.1, 0.01));
        assert_eq!(turns, [Some(20), Some(30), Some(40)], "each can be pointed at");
        assert_eq!(
            pace.turn_at(places[0] + 0.3, 0.1),
            None,
            "a turn that took its time is pointed at by that"
        );
        assert_eq!(pace.turn_at(places[0] - 0.05, 0.1), Some(10));
    }

    #[test]
    fn what_is_not_known_yet_keeps_its_length() {
        // A late comer knows the last turns of many.
        let last = (900..1000).map(|number| (number, number, number as f64 * 0.3));
        let pace = Pace::between(last, 300.0);
        assert!((pace.place(150.0) - 150.0).abs() < 1.0, "{pace:?}");
        // Of a long recording the first turns have been read.
        let first = (1..100).map(|number| (number, number, number as f64 * 0.3));
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
        assert!([0.0, 0.3, 17.5, 30.0].into_iter().all(same) && even.is_even(), "{even:?}");
        let without_turns = pace([], 7.0);
        assert_eq!((without_turns.place(3.5), without_turns.secs(3.5)), (3.5, 3.5));
    }

    #[test]
    fn places_and_times_lead_to_each_other_in_order() {
        let pace = pace([0.0, 0.0, 0.001, 5.0, 5.5, 90.0, 300.0], 100.0);
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
