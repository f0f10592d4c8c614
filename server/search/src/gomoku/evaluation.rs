//! Evaluation of a position, and the influence of captures on move ordering.

use super::board::SearchBoard;
use super::fitted::{self, CAPTURES, FLAGS};
use super::geometry::Point;
use super::kind;
use super::score::MAX_EVAL;

/// The divisor of the sum of point values, which count twice.
const VALUE_UNIT: i32 = 2;
/// Razoring margins below the window, by depth.
pub(super) const RAZOR: [i32; 4] = [120, 170, 240, 330];
/// Futility margin above the window, for each ply of depth.
pub(super) const FUTILITY: i32 = 90;
/// The greatest depth of futility pruning.
pub(super) const FUTILITY_DEPTH: i32 = 12;
/// The margin above the window, for each ply of depth, from which on a position is searched less deep.
pub(super) const FAIL_HIGH: i32 = 34;

/// The static value of the position for the side to move, without a net; 200 correspond to odds of e to one.
pub(super) fn evaluate(board: &SearchBoard, flags: &[bool; FLAGS]) -> i32 {
    let fitted = fitted::of_rule(board.pente());
    let flags = flags.iter().zip(fitted.flags).map(|(&flag, value)| if flag { value } else { 0 });
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

/// The capture features: the numbers of points at which the side to move and the other side may capture; for each number of
/// pairs from 1 on, whether the side to move has captured as many, and then the same for the other side.
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

/// The additional move-ordering score of a point because of captures: a pair that is taken or saved counts more the more pairs
/// were captured.
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

/// The threat features: an open four, a four and a three, two threes, a four, a three; of the other side and of the side to
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
