//! History of the positions of a match.

use std::collections::HashMap;

use grandstand_rules::riskless::{Move, Position};
use grandstand_rules::turn::Position as _;

/// The most occurrences that are counted; further ones add no cost.
const RETURNS_MAX: i32 = 10;

/// The number of occurrences of each position in a match.
///
/// Without it two players repeat positions for ever: the side that deviates loses an army or a territory within its search depth, and
/// gains room and time only beyond it.
#[derive(Debug, Clone, Default)]
pub(super) struct Memory {
    returns: HashMap<u64, i32>,
}

impl Memory {
    /// The positions of a match, including the current one.
    pub(super) fn of(start: &Position, moves: &[Move]) -> Self {
        let mut position = start.clone();
        let mut returns = HashMap::from([(position.standing(), 1)]);
        for &mv in moves {
            position.advance(mv);
            let times = returns.entry(position.standing()).or_insert(0);
            *times = RETURNS_MAX.min(*times + 1);
        }
        Self { returns }
    }

    /// The number of occurrences of the position.
    pub(super) fn returns(&self, position: &Position) -> i32 {
        self.returns.get(&position.standing()).copied().unwrap_or_default()
    }
}
