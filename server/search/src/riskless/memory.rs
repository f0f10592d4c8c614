//! History of positions on the board.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use grandstand_rules::riskless::{Move, Position};
use grandstand_rules::turn::{Position as _, Side};

/// More returns than that make a position no worse.
const RETURNS_MAX: i32 = 10;

/// Takes a number that is spread over its word as its own hash: each leaf of a search is looked up.
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

/// How often each position of a match stood on the board, and who thinks of it now.
///
/// Without it two players go round in circles: who breaks off loses an army or a territory that he sees, and gains by room and time that no
/// search sees so soon.
#[derive(Debug, Clone, Default)]
pub(super) struct Memory {
    thinker: Option<Side>,
    returns: HashMap<u64, i32, BuildHasherDefault<AsItIs>>,
}

impl Memory {
    /// The positions of a match, the one that it has come to included; whose turn it is there is the thinker.
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

    /// How often the position stood on the board, counted for Maxie when Minnie thinks and against her when she does.
    pub(super) fn returns(&self, position: &Position) -> i32 {
        let Some(thinker) = self.thinker else { return 0 };
        let times = self.returns.get(&position.standing()).copied().unwrap_or_default();
        if thinker == Side::First { -times } else { times }
    }
}
