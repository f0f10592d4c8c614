//! Random openings, so that deterministic programs do not repeat one match.

use grandstand_rules::SplitMix64;
use grandstand_rules::riskless::Position;
use grandstand_rules::turn::Position as _;

/// The position after `plies` uniformly random legal moves; after fewer if the game ends before.
pub fn opening(start: &Position, plies: u32, seed: u64) -> Position {
    let mut random = SplitMix64::new(seed);
    let mut position = start.clone();
    let mut moves = Vec::new();
    for _ in 0..plies {
        moves.clear();
        position.legal_moves(&mut moves);
        let Some(mv) = random.choose(&moves) else { break };
        position.advance(mv);
    }
    position
}
