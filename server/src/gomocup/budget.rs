//! How long an engine may think, from what its manager has told it.

use std::time::Duration;

/// What the manager has told of time, in milliseconds; values as they came, negative ones too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Times {
    /// The most for a move; 0 is as fast as possible.
    pub turn: Option<i64>,
    /// What is left for the match.
    pub left: Option<i64>,
    /// What is added after each move.
    pub increment: i64,
}

/// How long to think, from the moment at which a move was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// What the move is worth.
    pub soft: Duration,
    /// When the answer must leave.
    pub hard: Duration,
}

/// The limit of a move where nobody has told one: that of Gomocup.
const TURN_DEFAULT: i64 = 30_000;
/// No time is longer, in milliseconds.
const YEAR: i64 = 365 * 24 * 3_600_000;
/// What a move takes that is to be as fast as possible.
const AT_ONCE: Budget = Budget { soft: Duration::ZERO, hard: Duration::from_millis(20) };
/// How many moves of its own an engine expects to make still, at the least and at the beginning.
const MOVES: (i64, i64) = (12, 30);
/// No move takes more than this part of what is left.
const PART: i64 = 5;

/// How long to think about a move, with so many of its own made. The answer leaves early enough to reach a manager on a busy machine:
/// by a fifteenth of the limit of a move (20 to 150 ms), and by a fiftieth of what is left of the match (30 to 500 ms).
pub fn budget(times: &Times, own_moves: usize) -> Budget {
    let sane = |millis: i64| millis.clamp(-YEAR, YEAR);
    let (turn, increment) = (sane(times.turn.unwrap_or(TURN_DEFAULT)), times.increment.clamp(0, YEAR));
    if turn <= 0 {
        return AT_ONCE;
    }
    let mut hard = turn - (turn / 15).clamp(20, 150);
    let mut soft = hard;
    if let Some(left) = times.left.map(sane) {
        let left = left - (left / 50).clamp(30, 500);
        let made = i64::try_from(own_moves).unwrap_or(i64::MAX);
        let further = (MOVES.1 - made / 2).max(MOVES.0);
        hard = hard.min(left / PART + increment.min(left.max(0)) / 2);
        soft = soft.min(left / further + increment * 3 / 4);
    }
    let millis = |n: i64| Duration::from_millis(u64::try_from(n).unwrap_or(0));
    let hard = millis(hard).max(Duration::from_millis(1));
    Budget { soft: millis(soft).min(hard), hard }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_second_a_move_is_used_but_for_a_margin() {
        let budget = budget(&Times { turn: Some(1_000), ..Times::default() }, 0);
        assert_eq!(budget, Budget { soft: Duration::from_millis(934), hard: Duration::from_millis(934) });
    }

    #[test]
    fn nothing_left_is_played_at_once() {
        for left in [i64::MIN, -20, 0, 1, 30] {
            let budget = budget(&Times { turn: Some(5_000), left: Some(left), increment: 0 }, 10);
            assert!(budget.hard <= Duration::from_millis(1), "{left}");
        }
        assert_eq!(budget(&Times { turn: Some(0), ..Times::default() }, 0), AT_ONCE);
    }

    proptest! {
        #[test]
        fn a_match_is_never_overstepped(
            turn in proptest::option::of(1..200_000_i64),
            mut left in 100..3_600_000_i64,
            increment in 0..10_000_i64,
        ) {
            // As long as it ever may, every move, and a few milliseconds for the way.
            for own_moves in 0..200 {
                let budget = budget(&Times { turn, left: Some(left), increment }, own_moves);
                prop_assert!(budget.soft <= budget.hard);
                let took = i64::try_from(budget.hard.as_millis()).unwrap() + 2;
                prop_assert!(turn.is_none_or(|turn| took <= turn.max(3)));
                prop_assert!(took < left.max(31), "{took} of {left}");
                left = (left - took).max(100) + increment;
            }
        }
    }
}
