//! Naive estimate of section 4.1.3.

use grandstand_rules::riskless::Position;
use grandstand_rules::turn::{Outcome, Position as _, Side};

use crate::value::{Estimate, Estimator};

/// The number of Maxie's armies minus Minnie's.
#[derive(Debug, Clone, Copy, Default)]
pub struct Armies;

impl Estimator<Position> for Armies {
    fn estimate(&self, position: &Position) -> Estimate {
        over(position).unwrap_or_else(|| {
            let [maxie, minnie] = Side::ALL.map(|side| i32::from(position.armies(side)));
            Estimate::Guess(maxie - minnie)
        })
    }
}

/// The value of a position at the end of the game; a draw is worth 0.
pub(super) fn over(position: &Position) -> Option<Estimate> {
    position.end().map(|end| match end.outcome {
        Outcome::Win(side) => Estimate::win(side),
        Outcome::Draw => Estimate::Guess(0),
    })
}
