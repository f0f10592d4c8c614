//! Evaluation of a position, and what captures count for the order of moves.

use super::board::SearchBoard;
use super::fitted::{self, CAPTURES, FLAGS};
use super::geometry::Point;
use super::kind;
use super::score::MAX_EVAL;

/// Fitted values count twice.
const VALUE_UNIT: i32 = 2;
/// How far below the window a position near the leaves is given up, by depth.
pub(super) const RAZOR: [i32; 4] = [120, 170, 240, 330];
/// How far above the window, for each ply of depth, a position is taken as good enough.
pub(super) const FUTILITY: i32 = 90;
/// How much less than the window a position may count before a pass is tried.
pub(super) const NULL_SLACK: i32 = 0;
/// How many quiet moves are tried at least near the leaves.
pub(super) const WIDTH: i32 = 6;

/// What the position is worth to the side to move; 200 stand for odds of e to one.
pub(super) fn evaluate(board: &SearchBoard) -> i32 {
    let fitted = fitted::of_rule(board.pente());
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

/// What there is to say of captures: at how many points the side to move may capture, and the other; for each number of
/// pairs from 1 whether the side to move has taken as many, and then for the other.
pub(super) fn captures(board: &SearchBoard) -> [u8; CAPTURES] {
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
pub(super) fn captures_order(board: &SearchBoard, point: Point) -> i32 {
    let (me, other) = (board.turn(), board.turn() ^ 1);
    let effects = board.capture_effects(me, point);
    let fitted: i32 = effects
        .into_iter()
        .zip(fitted::of_rule(true).order_captures)
        .map(|(n, value)| i32::from(n) * i32::from(value))
        .sum();
    let [taken, saved, ..] = effects.map(i32::from);
    fitted + 20 * (taken * i32::from(board.pairs(me)) + saved * i32::from(board.pairs(other)))
}

/// What threatens: an open four, a four and a three, two threes, a four, a three; of the other side and of the one to
/// move.
pub(super) fn flags(board: &SearchBoard) -> [bool; FLAGS] {
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
