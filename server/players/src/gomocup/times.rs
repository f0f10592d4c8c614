//! Time settings from a manager, and the time for a move.

use std::time::Duration;

use grandstand_search::budget::{Budget, TimeLeft};

/// Time settings in milliseconds, as the manager sent them; they may be negative.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Times {
    /// Time limit of a move; 0 is as fast as possible.
    pub turn: Option<i64>,
    /// Remaining time of the match.
    pub left: Option<i64>,
    /// Increment after each move.
    pub increment: i64,
}

/// Time for a move if the manager sent none, in milliseconds, as in Gomocup.
const TURN_DEFAULT: i64 = 30_000;
/// Longest time, in milliseconds.
const YEAR: i64 = 365 * 24 * 3_600_000;
/// Time for a move that is to be as fast as possible, in milliseconds.
const FAST: i64 = 25;

impl Times {
    /// Time for the next move, if `to_come` moves are still to be made.
    pub fn budget(&self, to_come: u32) -> Budget {
        let span = |millis: i64| Duration::from_millis(millis.clamp(0, YEAR).unsigned_abs());
        let turn = Some(self.turn.unwrap_or(TURN_DEFAULT)).filter(|turn| *turn > 0).unwrap_or(FAST);
        let left =
            TimeLeft { turn: Some(span(turn)), game: self.left.map(span), increment: span(self.increment) };
        // A move always has a limit, so a budget exists.
        left.budget(to_come).unwrap_or(Budget { soft: span(0), hard: span(1), answer: span(1) })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nothing_left_is_played_at_once() {
        for left in [i64::MIN, -20, 0, 1] {
            let budget = Times { turn: Some(5_000), left: Some(left), increment: 0 }.budget(10);
            assert!(budget.answer <= Duration::from_millis(1), "{left}");
        }
        for turn in [i64::MIN, 0] {
            let budget = Times { turn: Some(turn), ..Times::default() }.budget(10);
            assert!((15..25).contains(&budget.answer.as_millis()), "{budget:?}");
        }
    }

    proptest! {
        #[test]
        fn a_match_is_never_overstepped(
            turn in proptest::option::of(1..200_000_i64),
            mut left in 100..3_600_000_i64,
            increment in 0..10_000_i64,
        ) {
            // Every move takes as long as it may, and a few milliseconds for the transport.
            for _ in 0..200 {
                let budget = Times { turn, left: Some(left), increment }.budget(22);
                prop_assert!(budget.soft <= budget.hard && budget.hard <= budget.answer);
                let took = i64::try_from(budget.answer.as_millis()).unwrap() + 2;
                prop_assert!(turn.is_none_or(|turn| took <= turn.max(3)));
                prop_assert!(took < left.max(31), "{took} of {left}");
                left = (left - took).max(100) + increment;
            }
        }
    }
}
