//! A better estimate than the naive one, and which moves look good.

use grandstand_rules::riskless::{Map, Move, Position, TERRITORIES_MAX};
use grandstand_rules::turn::{Position as _, Side};

use super::armies::over;
use super::memory::Memory;
use crate::strong::Knowledge;
use crate::value::{Estimate, Estimator};

/// What each feature is worth, in hundredths of an army.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weights {
    /// An army.
    pub army: i32,
    /// A territory: it trains for the rest of the match.
    pub territory: i32,
    /// A territory that has not reached the cap: it trains at the next move.
    pub growing: i32,
    /// A territory that the opponent next to it could take, and each army on it.
    pub threatened: [i32; 2],
    /// The same for the opponent's move: of all such territories he can take one, the best.
    pub hanging: [i32; 2],
    /// An empty neighbour of one's own.
    pub open: i32,
    /// A territory that could take one of the opponent's next to it.
    pub pressing: i32,
    /// An army that stands next to the opponent's.
    pub front: i32,
    /// Being the one to move.
    pub turn: i32,
    /// What a position costs who thinks, for each time that it stood on the board before.
    pub again: i32,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            army: 100,
            territory: 700,
            growing: 200,
            threatened: [49, 12],
            hanging: [489, 51],
            open: 20,
            pressing: 100,
            front: 24,
            turn: 278,
            again: 100,
        }
    }
}

/// Armies, territories, what still grows, what can be taken at once, room to spread, armies where they are of use, and no way back to
/// what [stood on the board before](Self::recall).
#[derive(Debug, Clone)]
pub struct Balance {
    weights: Weights,
    cap: i8,
    /// The neighbours of each territory, as bits.
    neighbours: [u64; TERRITORIES_MAX],
    memory: Memory,
}

impl Balance {
    /// The estimate for matches on this map.
    #[must_use]
    pub fn new(map: &Map) -> Self {
        Self::with(map, Weights::default())
    }

    /// The estimate with other weights.
    #[must_use]
    pub fn with(map: &Map, weights: Weights) -> Self {
        let mut neighbours = [0; TERRITORIES_MAX];
        for (from, to) in map.graph().edges().filter(|&(from, _)| from < TERRITORIES_MAX) {
            neighbours[from] |= 1 << to;
        }
        Self { weights, cap: map.cap() as i8, neighbours, memory: Memory::default() }
    }

    /// Takes the moves of a match as what was played, and the side to move after them as the one that thinks. Positions that were there
    /// before are worth less to it from now on. Without that, no position was there before.
    pub fn recall(&mut self, start: &Position, moves: &[Move]) {
        self.memory = Memory::of(start, moves);
    }

    /// What a side's holdings are worth.
    fn side(&self, position: &Position, side: Side) -> i32 {
        let w = &self.weights;
        let (own, enemy) = (position.territories(side), position.territories(side.opponent()));
        let holdings = position.holdings();
        let mut value = w.army * i32::from(position.armies(side)) + w.territory * own.count_ones() as i32;
        let mut around = 0;
        let mut hanging = 0;
        let mut left = own;
        while left != 0 {
            let at = left.trailing_zeros() as usize;
            left &= left - 1;
            let Some(&armies) = holdings.get(at) else { break };
            let armies = armies.unsigned_abs();
            value += w.growing * i32::from(armies < self.cap.unsigned_abs());
            around |= self.neighbours[at];
            let mut against = self.neighbours[at] & enemy;
            if against == 0 {
                continue;
            }
            let (mut weakest, mut strongest) = (u8::MAX, 0);
            while against != 0 {
                let from = against.trailing_zeros() as usize;
                against &= against - 1;
                let attackers = holdings.get(from).map_or(0, |attackers| attackers.unsigned_abs());
                (weakest, strongest) = (weakest.min(attackers), strongest.max(attackers));
            }
            let (is_pressing, is_threatened) = (armies >= weakest, strongest >= armies);
            let armies = i32::from(armies);
            value += w.front * armies + w.pressing * i32::from(is_pressing);
            if is_threatened {
                value -= w.threatened[0] + w.threatened[1] * armies;
                hanging = hanging.max(w.hanging[0] + w.hanging[1] * armies);
            }
        }
        if position.to_move() != side {
            value -= hanging;
        }
        value + w.open * (around & !own & !enemy).count_ones() as i32
    }
}

impl Estimator<Position> for Balance {
    fn estimate(&self, position: &Position) -> Estimate {
        over(position).unwrap_or_else(|| {
            let turn = match position.to_move() {
                Side::First => self.weights.turn,
                Side::Second => -self.weights.turn,
            };
            let guess = self.side(position, Side::First) - self.side(position, Side::Second) + turn;
            Estimate::Guess(guess + self.weights.again * self.memory.returns(position))
        })
    }
}

impl Knowledge<Position> for Balance {
    fn promise(&self, position: &Position, mv: Move) -> i32 {
        let armies = |at: u8| position.holding(at).map_or(0, |(_, armies)| i32::from(armies));
        let (moved, met) = (armies(mv.from), armies(mv.to));
        let enemy = position.territories(position.to_move().opponent());
        let (from, to) = (usize::from(mv.from) % TERRITORIES_MAX, usize::from(mv.to) % TERRITORIES_MAX);
        let left_open = if self.neighbours[from] & enemy & !(1 << to) != 0 { -200 } else { 0 };
        left_open
            + match (met, enemy >> to & 1) {
                (0, _) => 400 + moved,
                (_, 0) => -100 - 100 * (moved + met - i32::from(self.cap)).max(0),
                _ if moved >= met => 800 + 200 * met - 100 * moved,
                _ => -100 * moved,
            }
    }

    fn slot(&self, mv: Move) -> usize {
        usize::from(mv.from) % TERRITORIES_MAX * TERRITORIES_MAX + usize::from(mv.to) % TERRITORIES_MAX
    }
}
