//! Openings drawn by chance, so that programs without chance do not play one match again and again.

use grandstand_rules::SplitMix64;
use grandstand_rules::riskless::Position;
use grandstand_rules::turn::Position as _;

/// The position after `plies` moves, each as likely as any other legal one; fewer when the game is over before.
#[must_use]
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
