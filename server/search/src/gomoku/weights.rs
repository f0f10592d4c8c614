//! The numbers of the evaluation and of the order of moves.

use super::board::{Board, Point};
use super::combo::kind;
use super::fitted::{FLAG_VALUE, ORDER_PAIR, ORDER_REST, TEMPO, VALUE_PAIR, VALUE_REST};
use super::score::MAX_EVAL;

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
pub(super) fn value(each: [u8; 4]) -> [i16; 2] {
    let [a, b, c, d] = sorted(each);
    [0, 1].map(|side| VALUE_PAIR[side][a][b] + VALUE_REST[side][c] + VALUE_REST[side][d])
}

/// How soon a point with these patterns is tried.
pub(super) fn order(each: [u8; 4], kind: u8) -> [i16; 2] {
    let [a, b, c, d] = sorted(each);
    [0, 1].map(|side| {
        ORDER_PAIR[side][a][b]
            + ORDER_REST[side][c]
            + ORDER_REST[side][d]
            + KIND_ORDER[usize::from(kind)][side]
    })
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
pub(super) const WIDTH: i32 = 10;

/// What the position is worth to the side to move: about a hundredth of a stone's lead a point.
pub(super) fn evaluate(board: &Board) -> i32 {
    let (me, other) = (board.turn(), board.turn() ^ 1);
    let flags = flags(board).into_iter().zip(FLAG_VALUE).map(|(flag, value)| if flag { value } else { 0 });
    let mut value = board.balance() / VALUE_UNIT + TEMPO + flags.sum::<i32>();
    if board.pente() {
        value += pairs_value(board, me) - pairs_value(board, other);
        value += 25 * i32::from(board.capture_count(me)) - 15 * i32::from(board.capture_count(other));
    }
    value.clamp(-MAX_EVAL, MAX_EVAL)
}

/// What captured pairs are worth: more and more, towards the five that win.
fn pairs_value(board: &Board, side: usize) -> i32 {
    const VALUE: [i32; 5] = [0, 50, 120, 230, 420];
    VALUE[usize::from(board.pairs(side)).min(4)]
}

/// How soon to try a point for what is captured there, by either side.
pub(super) fn captures_order(board: &Board, point: Point) -> i32 {
    let (me, other) = (board.turn(), board.turn() ^ 1);
    let own = board.captures_at(me, point) as i32 * (60 + 40 * i32::from(board.pairs(me)));
    let saved = board.captures_at(other, point) as i32 * (40 + 30 * i32::from(board.pairs(other)));
    own + saved
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
