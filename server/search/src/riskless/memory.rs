//! History of the positions of a match.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use grandstand_rules::riskless::{Move, Position};
use grandstand_rules::turn::{Position as _, Side};

/// The most occurrences that are counted; further ones add no penalty.
const RETURNS_MAX: i32 = 10;

/// A hasher that returns a number, which is already well mixed, unchanged: it is called at each leaf of a search.
#[derive(Debug, Clone, Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The number of occurrences of each position in a match, and the thinking side.
///
/// Without it two players repeat positions for ever: the side that deviates loses an army or a territory within its search depth, and
/// gains room and time only beyond it.
#[derive(Debug, Clone, Default)]
pub(super) struct Memory {
    thinker: Option<Side>,
    returns: HashMap<u64, i32, BuildHasherDefault<AsItIs>>,
}

impl Memory {
    /// The positions of a match, including the current one; the side to move there is the thinking side.
    pub(super) fn of(start: &Position, moves: &[Move]) -> Self {
        let mut position = start.clone();
        let mut returns = HashMap::default();
        returns.insert(position.standing(), 1);
        for &mv in moves {
            position.advance(mv);
            let times = returns.entry(position.standing()).or_insert(0);
            *times = RETURNS_MAX.min(*times + 1);
        }
        Self { thinker: Some(position.to_move()), returns }
    }

    /// The number of occurrences of the position: positive if Minnie thinks, negative if Maxie does.
    pub(super) fn returns(&self, position: &Position) -> i32 {
        let Some(thinker) = self.thinker else { return 0 };
        let times = self.returns.get(&position.standing()).copied().unwrap_or_default();
        if thinker == Side::First { -times } else { times }
    }
}
