//! A better estimate than the naive one, and which moves look good.

use grandstand_rules::riskless::{Map, Move, Position, TERRITORIES_MAX};
use grandstand_rules::turn::{Position as _, Side};

use super::armies::over;
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
    /// An army that stands next to the opponent's.
    pub front: i32,
    /// Being the one to move.
    pub turn: i32,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            army: 100,
            territory: 520,
            growing: 150,
            threatened: [49, 12],
            hanging: [489, 51],
            open: 20,
            front: 36,
            turn: 278,
        }
    }
}

/// Armies, territories, what still grows, what can be taken at once, room to spread, and armies where they are of use.
#[derive(Debug, Clone)]
pub struct Balance {
    weights: Weights,
    cap: i8,
    /// The neighbours of each territory, as bits.
    neighbours: [u64; TERRITORIES_MAX],
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
        Self { weights, cap: map.cap() as i8, neighbours }
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
            if against != 0 {
                value += w.front * i32::from(armies);
                while against != 0 {
                    let from = against.trailing_zeros() as usize;
                    against &= against - 1;
                    if holdings.get(from).is_some_and(|attackers| attackers.unsigned_abs() >= armies) {
                        let armies = i32::from(armies);
                        value -= w.threatened[0] + w.threatened[1] * armies;
                        hanging = hanging.max(w.hanging[0] + w.hanging[1] * armies);
                        break;
                    }
                }
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
            Estimate::Guess(self.side(position, Side::First) - self.side(position, Side::Second) + turn)
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
