//! The numbers of the evaluation and of the order of moves.

use super::board::{Board, Point};
use super::combo::kind;
use super::score::MAX_EVAL;
use super::{fitted, fitted_pente};

/// How many threats [`flags`] tells apart.
pub(super) const FLAGS: usize = 9;
/// Fitted values count twice.
const VALUE_UNIT: i32 = 2;
/// How soon a point is tried besides, by its kind: what the fit never sees, since it is played at once.
const KIND_ORDER: [[i16; 2]; kind::COUNT] = {
    let mut order = [[0; 2]; kind::COUNT];
    order[kind::FOUR_THREE as usize] = [200, 60];
    order[kind::OPEN_FOUR as usize] = [800, 150];
    order[kind::FIVE as usize] = [4000, 2000];
    order
};

/// What a point with these patterns counts for.
pub(super) fn value(each: [u8; 4], fitted: &Fitted) -> [i16; 2] {
    let [a, b, c, d] = sorted(each);
    let (pair, rest) = (&fitted.value_pair, &fitted.value_rest);
    [0, 1].map(|side| pair[side][a][b] + rest[side][c] + rest[side][d])
}

/// How soon a point with these patterns is tried.
pub(super) fn order(each: [u8; 4], kind: u8, fitted: &Fitted) -> [i16; 2] {
    let [a, b, c, d] = sorted(each);
    let (pair, rest) = (&fitted.order_pair, &fitted.order_rest);
    [0, 1].map(|side| pair[side][a][b] + rest[side][c] + rest[side][d] + KIND_ORDER[usize::from(kind)][side])
}

/// The numbers that `benches/tune.rs` fits to games. Indices: whose patterns (the side to move, the other), then
/// patterns: the strongest two of a point's four lines together (the strongest first), and each of the rest.
pub(super) struct Fitted {
    pub(super) value_pair: [[[i16; 14]; 14]; 2],
    pub(super) value_rest: [[i16; 14]; 2],
    pub(super) flags: [i32; FLAGS],
    pub(super) captures: [i32; CAPTURES],
    pub(super) tempo: i32,
    pub(super) order_pair: [[[i16; 14]; 14]; 2],
    pub(super) order_rest: [[i16; 14]; 2],
    /// For each of `Board::capture_effects`.
    pub(super) order_captures: [i16; 4],
}

/// The numbers of a rule.
pub(super) fn fitted(pente: bool) -> &'static Fitted {
    if pente { &fitted_pente::FITTED } else { &fitted::FITTED }
}

/// The strongest first.
fn sorted(each: [u8; 4]) -> [usize; 4] {
    let mut sorted = each.map(usize::from);
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    sorted
}

/// How far below the window a position near the leaves is given up, by depth.
pub(super) const RAZOR: [i32; 4] = [120, 170, 240, 330];
/// How far above the window, for each ply of depth, a position is taken as good enough.
pub(super) const FUTILITY: i32 = 90;
/// How much less than the window a position may count before a pass is tried.
pub(super) const NULL_SLACK: i32 = 0;
/// How many quiet moves are tried at least near the leaves.
pub(super) const WIDTH: i32 = 6;

/// What the position is worth to the side to move; 200 stand for odds of e to one.
pub(super) fn evaluate(board: &Board) -> i32 {
    let fitted = fitted(board.pente());
    let flags = flags(board).into_iter().zip(fitted.flags).map(|(flag, value)| if flag { value } else { 0 });
    let mut value = board.balance() / VALUE_UNIT + fitted.tempo + flags.sum::<i32>();
    if board.pente() {
        value += captures(board)
            .into_iter()
            .zip(fitted.captures)
            .map(|(n, value)| i32::from(n) * value)
            .sum::<i32>();
    }
    value.clamp(-MAX_EVAL, MAX_EVAL)
}

/// How many numbers [`captures`] gives.
pub(super) const CAPTURES: usize = 10;

/// What there is to say of captures: at how many points the side to move may capture, and the other; for each number of
/// pairs from 1 whether the side to move has taken as many, and then for the other.
pub(super) fn captures(board: &Board) -> [u8; CAPTURES] {
    let mut numbers = [0; CAPTURES];
    for (which, side) in [board.turn(), board.turn() ^ 1].into_iter().enumerate() {
        numbers[which] = board.capture_count(side).min(6) as u8;
        for pairs in 1..=4u16 {
            numbers[1 + 4 * which + usize::from(pairs)] = u8::from(board.pairs(side) >= pairs);
        }
    }
    numbers
}

/// How soon to try a point besides, for what it means for captures: a pair that is taken or saved is worth more the more
/// are gone.
pub(super) fn captures_order(board: &Board, point: Point) -> i32 {
    let (me, other) = (board.turn(), board.turn() ^ 1);
    let effects = board.capture_effects(me, point);
    let fitted: i32 = effects
        .into_iter()
        .zip(fitted(true).order_captures)
        .map(|(n, value)| i32::from(n) * i32::from(value))
        .sum();
    let [taken, saved, ..] = effects.map(i32::from);
    fitted + 20 * (taken * i32::from(board.pairs(me)) + saved * i32::from(board.pairs(other)))
}

/// What threatens: an open four, a four and a three, two threes, a four, a three; of the other side and of the one to
/// move.
pub(super) fn flags(board: &Board) -> [bool; FLAGS] {
    let (me, other) = (board.turn(), board.turn() ^ 1);
    let has = |side, kind| board.count(side, kind) > 0;
    let three = |side| has(side, kind::THREE) || has(side, kind::THREE_PLUS) || has(side, kind::THREE_THREE);
    [
        has(other, kind::OPEN_FOUR),
        has(other, kind::FOUR_THREE),
        has(me, kind::FOUR_THREE),
        has(other, kind::THREE_THREE),
        has(me, kind::THREE_THREE),
        board.four_count(other) > 0,
        board.four_count(me) > 0,
        three(other),
        three(me),
    ]
}
