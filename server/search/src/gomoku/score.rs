//! Scores from a player's view, with the distance of forced wins and losses.

/// The score of a five on the board; a win in `n` plies is `WIN - n`.
pub(super) const WIN: i32 = 30_000;
/// The least score that is a forced win.
pub(super) const SURE: i32 = 29_000;
/// A bound above all scores.
pub(super) const INFINITE: i32 = 31_000;
/// The largest static evaluation.
pub(super) const MAX_EVAL: i32 = 20_000;

/// A win `plies` after the root.
#[inline]
pub(super) fn win_at(plies: usize) -> i32 {
    WIN - plies as i32
}

/// Converts a score for the transposition table, which counts wins from the position, at `ply`, instead of the root.
pub(super) fn to_table(score: i32, ply: usize) -> i16 {
    let from_here = match score {
        SURE.. => score + ply as i32,
        ..=-29_000 => score - ply as i32,
        _ => score,
    };
    from_here.clamp(-WIN, WIN) as i16
}

/// Converts a score from the transposition table, so that wins count from the root again.
pub(super) fn from_table(score: i16, ply: usize) -> i32 {
    let score = i32::from(score);
    match score {
        SURE.. => score - ply as i32,
        ..=-29_000 => score + ply as i32,
        _ => score,
    }
}
