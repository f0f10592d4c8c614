//! Weights that `benches/tune` fits to games, and their application to the patterns of a point.

mod five;
mod pente;

use super::kind;

/// The number of threat features of `evaluation::flags`.
pub(super) const FLAGS: usize = 9;
/// The number of capture features of `evaluation::captures`.
pub(super) const CAPTURES: usize = 10;

/// Additional move-ordering scores by kind, for moves that are played at once and therefore are not part of the fit.
const KIND_ORDER: [[i16; 2]; kind::COUNT] = {
    let mut order = [[0; 2]; kind::COUNT];
    order[kind::FOUR_THREE as usize] = [200, 60];
    order[kind::OPEN_FOUR as usize] = [800, 150];
    order[kind::FIVE as usize] = [4000, 2000];
    order
};

/// The value of a point with these patterns.
pub(super) fn value(each: [u8; 4], fitted: &Fitted) -> [i16; 2] {
    let [a, b, c, d] = sorted(each);
    let (pair, rest) = (&fitted.value_pair, &fitted.value_rest);
    [0, 1].map(|side| pair[side][a][b] + rest[side][c] + rest[side][d])
}

/// The move-ordering score of a point with these patterns.
pub(super) fn order(each: [u8; 4], kind: u8, fitted: &Fitted) -> [i16; 2] {
    let [a, b, c, d] = sorted(each);
    let (pair, rest) = (&fitted.order_pair, &fitted.order_rest);
    [0, 1].map(|side| pair[side][a][b] + rest[side][c] + rest[side][d] + KIND_ORDER[usize::from(kind)][side])
}

/// The weights that `benches/tune` fits to games. The indices are the owner of the patterns (the side to move, the other), then
/// patterns: the two strongest of a point's four lines together (the strongest first), and each of the other two.
pub(super) struct Fitted {
    pub(super) value_pair: [[[i16; 14]; 14]; 2],
    pub(super) value_rest: [[i16; 14]; 2],
    pub(super) flags: [i32; FLAGS],
    pub(super) captures: [i32; CAPTURES],
    pub(super) tempo: i32,
    pub(super) order_pair: [[[i16; 14]; 14]; 2],
    pub(super) order_rest: [[i16; 14]; 2],
    /// The weights of `SearchBoard::capture_effects`.
    pub(super) order_captures: [i16; 4],
}

/// The weights of a rule.
pub(super) fn of_rule(pente: bool) -> &'static Fitted {
    if pente { &pente::FITTED } else { &five::FITTED }
}

/// The patterns in descending order of strength.
fn sorted(each: [u8; 4]) -> [usize; 4] {
    let mut sorted = each.map(usize::from);
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    sorted
}
