//! Time budget of a search for one move.

use std::time::Duration;

/// The time of a side when it is asked for a move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TimeLeft {
    /// The limit for this move.
    pub turn: Option<Duration>,
    /// The remaining time for the whole match.
    pub game: Option<Duration>,
    /// The time added to that after each move.
    pub increment: Duration,
}

/// Thinking times, counted from the request for the move, in non-descending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// The time that the move should take.
    pub soft: Duration,
    /// The time at which the search must end.
    pub hard: Duration,
    /// The time at which the answer is sent, even if the search has not ended.
    pub answer: Duration,
}

/// The longest thinking time of a move when no time is left.
const AT_ONCE: Duration = Duration::from_millis(1);
/// Reserve of a match's time that is not allotted to moves: it covers the transmission of the answers, on a machine that may be busy.
const RESERVE: Duration = Duration::from_millis(300);
/// The longest time that a search takes to end.
const END: Duration = Duration::from_millis(20);
/// The longest transmission time of an answer, in addition to a fraction of the limit.
const WAY: Duration = Duration::from_millis(30);
/// The upper bound of the assumed transmission time of an answer.
const LONGEST_WAY: Duration = Duration::from_millis(250);

impl TimeLeft {
    /// The thinking times when the side has about `to_come` moves left; `None` without any clock.
    ///
    /// Of a match's time a move gets its share; of its own limit, everything except the time to end and to answer.
    pub fn budget(&self, to_come: u32) -> Option<Budget> {
        let most = self.turn.into_iter().chain(self.game).min()?;
        let answer = most - (most / 8).min(WAY + most / 80).min(LONGEST_WAY);
        let hard = answer - (answer / 8).min(END);
        let whole = match self.game {
            None => Budget { soft: hard, hard, answer },
            Some(left) => {
                let (soft, at_most) = share(left, self.increment, to_come);
                let at_most = at_most.min(hard);
                Budget {
                    soft: soft.min(at_most),
                    hard: at_most,
                    answer: answer.min(at_most + END.min(left / 16)),
                }
            }
        };
        let Budget { soft, hard, answer } = whole;
        Some(Budget { soft, hard: hard.max(AT_ONCE), answer: answer.max(AT_ONCE) })
    }
}

/// The share of the remaining time for one of `to_come` moves, as target and as maximum: hardly anything if only the reserve is left.
fn share(left: Duration, increment: Duration, to_come: u32) -> (Duration, Duration) {
    let (free, least) = (left.saturating_sub(RESERVE), left / 100);
    let soft = (free / to_come.max(1)).max(least) + increment * 3 / 4;
    let hard = (soft * 4).min(free / 3 + increment).max(least);
    (soft.min(hard), hard)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn a_second_a_move_is_used_but_for_a_margin() {
        let budget = TimeLeft { turn: Some(millis(1_000)), ..TimeLeft::default() }.budget(22).unwrap();
        assert_eq!(
            (budget.soft, budget.hard, budget.answer),
            (
                budget.hard,
                millis(1_000) - WAY - millis(12) - millis(1) / 2 - END,
                millis(1_000) - WAY - millis(12) - millis(1) / 2
            )
        );
        assert_eq!(TimeLeft::default().budget(22), None);
    }

    #[test]
    fn nothing_left_is_played_at_once() {
        for turn in [None, Some(millis(5_000))] {
            let budget =
                TimeLeft { turn, game: Some(Duration::ZERO), increment: Duration::ZERO }.budget(10).unwrap();
            assert_eq!((budget.hard, budget.answer), (AT_ONCE, AT_ONCE));
        }
    }

    #[test]
    fn a_match_of_any_length_is_played_out_within_its_clock() {
        // Every tenth move takes all of its time until the answer is sent, plus the transmission of the answer.
        let way = Duration::from_micros(700);
        for (seconds, moves, cap) in [(10, 200, 60), (10, 200, 22), (1, 60, 22), (60, 200, 60)] {
            let mut left = Duration::from_secs(seconds);
            for mv in 0..moves {
                let clock = TimeLeft { game: Some(left), ..TimeLeft::default() };
                let budget = clock.budget(cap.min(moves - mv)).unwrap();
                let took = way + if mv % 10 == 3 { budget.answer } else { budget.soft };
                assert!(took < left, "lost at move {mv} of {moves} in {seconds} s");
                left -= took;
            }
        }
        // A move may use up its increment; the rest of the time stays.
        let (soft, hard) = share(millis(350), millis(1_000), 10);
        assert!(soft >= millis(750) && hard < millis(1_100));
    }

    proptest! {
        #[test]
        fn nothing_is_overstepped_and_a_limit_is_used(
            turn in proptest::option::of(2..200_000_u64),
            game in proptest::option::of(0..3_600_000_u64),
            increment in 0..10_000_u64,
            to_come in 0..300_u32,
        ) {
            let [turn, game] = [turn, game].map(|time| time.map(millis));
            let increment = game.map_or(Duration::ZERO, |_| millis(increment));
            let budget = TimeLeft { turn, game, increment }.budget(to_come);
            prop_assert_eq!(budget.is_none(), turn.or(game).is_none());
            let Some(Budget { soft, hard, answer }) = budget else { return Ok(()) };
            prop_assert!(soft <= hard && hard <= answer);
            for limit in turn.into_iter().chain(game) {
                prop_assert!(answer < limit.max(2 * AT_ONCE), "{answer:?} of {limit:?}");
            }
            if let (Some(turn), None) = (turn, game) {
                prop_assert!(hard >= turn * 3 / 4);
            }
        }
    }
}
