//! Better estimate than the naive one, and move ordering.

use grandstand_rules::riskless::{Map, Move, Position, TERRITORIES_MAX};
use grandstand_rules::turn::{Position as _, Side};

use super::armies::over;
use super::memory::Memory;
use crate::strong::Knowledge;
use crate::value::{Estimate, Estimator};

/// The weights of the features, in hundredths of an army.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weights {
    /// An army.
    pub army: i32,
    /// A territory, which trains for the rest of the match.
    pub territory: i32,
    /// A territory below the cap, which trains at the next move.
    pub growing: i32,
    /// A territory that an adjacent territory of the opponent could take, and each army on it.
    pub threatened: [i32; 2],
    /// The same when the opponent is to move: of all such territories only the best one counts.
    pub hanging: [i32; 2],
    /// An adjacent empty territory.
    pub open: i32,
    /// A territory that could take an adjacent territory of the opponent.
    pub pressing: i32,
    /// An army next to a territory of the opponent.
    pub front: i32,
    /// The right to move.
    pub turn: i32,
    /// The cost of a move for each earlier occurrence of the position that it leads to.
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
            again: 200,
        }
    }
}

/// An estimate from armies, territories, growth, territories that can be taken at once, room to spread, the placement of armies,
/// and [repetitions](Self::recall) of positions as the costs of moves.
#[derive(Debug, Clone)]
pub struct Balance {
    weights: Weights,
    cap: i8,
    /// The neighbours of each territory, as a bit set.
    neighbours: [u64; TERRITORIES_MAX],
    memory: Memory,
}

impl Balance {
    /// The estimate for matches on this map.
    pub fn new(map: &Map) -> Self {
        Self::with(map, Weights::default())
    }

    /// The estimate with other weights.
    pub fn with(map: &Map, weights: Weights) -> Self {
        let mut neighbours = [0; TERRITORIES_MAX];
        for (from, to) in map.graph().edges().filter(|&(from, _)| from < TERRITORIES_MAX) {
            neighbours[from] |= 1 << to;
        }
        Self { weights, cap: map.cap() as i8, neighbours, memory: Memory::default() }
    }

    /// Sets the moves of the match so far. From now on a move that leads to an earlier position has a [cost](Estimator::cost).
    /// Without this call there are no earlier positions.
    pub fn recall(&mut self, start: &Position, moves: &[Move]) {
        self.memory = Memory::of(start, moves);
    }

    /// The value of a side's holdings.
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
            Estimate::Guess(guess)
        })
    }

    fn cost(&self, after: &Position) -> i32 {
        self.weights.again * self.memory.returns(after)
    }
}

impl Knowledge<Position> for Balance {
    fn order_score(&self, position: &Position, mv: Move) -> i32 {
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

    fn history_index(&self, mv: Move) -> usize {
        usize::from(mv.from) % TERRITORIES_MAX * TERRITORIES_MAX + usize::from(mv.to) % TERRITORIES_MAX
    }
}
