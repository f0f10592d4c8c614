//! Generation and selection of moves for the search.

use super::board::{Columns, SearchBoard};
use super::geometry::{BLACK, Point, STRIDE, WHITE};
use super::kind;

/// A move with its ordering score.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scored {
    pub(super) point: Point,
    pub(super) score: i32,
}

/// The set of moves that was generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    /// All moves near stones.
    Free,
    /// The other side threatens an open four: defences and own fours.
    Threatened,
    /// The other side threatens a five: defences only.
    Forced,
}

/// Appends the candidate moves for the side to move, unscored; the side to move has no five.
pub(super) fn generate(board: &SearchBoard, moves: &mut Vec<Scored>) -> Choice {
    let (me, other) = (board.turn(), board.turn() ^ 1);
    let push = |moves: &mut Vec<Scored>, point| moves.push(Scored { point, score: 0 });
    if board.count(other, kind::FIVE) > 0 {
        for point in board.four_points(other) {
            if board.kind(other, point) == kind::FIVE {
                push(moves, point);
            }
        }
        if board.pente() && board.capture_count(me) > 0 {
            for point in board.capture_points(me) {
                if board.kind(other, point) != kind::FIVE {
                    push(moves, point);
                }
            }
        }
        return Choice::Forced;
    }
    let threatened = board.count(other, kind::OPEN_FOUR) > 0;
    if threatened && !board.pente() {
        against_an_open_four(board, |point| push(moves, point));
        return Choice::Threatened;
    }
    let rows = near(board);
    for y in 0..board.size() {
        for x in Columns(rows[usize::from(y)]) {
            push(moves, y * STRIDE + x);
        }
    }
    if moves.is_empty() {
        let middle = board.size() / 2;
        push(moves, middle * STRIDE + middle);
    }
    if threatened { Choice::Threatened } else { Choice::Free }
}

/// All defences against a threatened open four: stones in a line of the threat, and own fours.
pub(super) fn against_an_open_four(board: &SearchBoard, mut push: impl FnMut(Point)) {
    // Points that may be forbidden to black are included, although their kind is not a four: for white they may stop
    // black's double four, and for black they may turn out to be allowed.
    let doubtful = board.count(BLACK, kind::FORBIDDEN) > 0;
    for y in 0..board.size() {
        let mut row = board.fours(BLACK, usize::from(y)) | board.fours(WHITE, usize::from(y));
        if doubtful {
            for x in Columns(board.full_row() & !board.row(usize::from(y)) & !row) {
                row |= u32::from(board.kind(BLACK, y * STRIDE + x) == kind::FORBIDDEN) << x;
            }
        }
        for x in Columns(row) {
            push(y * STRIDE + x);
        }
    }
}

/// The empty points within two of a stone, or within three in one of the four directions, as bits by row.
pub(super) fn near(board: &SearchBoard) -> [u32; STRIDE as usize] {
    let size = usize::from(board.size());
    let full = board.full_row();
    let mut stones = [0u32; STRIDE as usize + 6];
    for y in 0..size {
        stones[y + 3] = board.row(y);
    }
    let two = |r: u32| r | r << 1 | r >> 1 | r << 2 | r >> 2;
    let three = |r: u32| r | r << 3 | r >> 3;
    let mut rows = [0u32; STRIDE as usize];
    for (y, row) in rows.iter_mut().enumerate().take(size) {
        let at = y + 3;
        let square = stones[at - 2] | stones[at - 1] | stones[at] | stones[at + 1] | stones[at + 2];
        let star = three(stones[at - 3] | stones[at + 3]) | three(stones[at]);
        *row = (two(square) | star) & full & !stones[at];
    }
    rows
}

/// Moves the best of the moves from `next` on to index `next`, and returns it.
pub(super) fn pick(moves: &mut [Scored], next: usize) -> Point {
    let (mut best, mut top) = (next, moves[next].score);
    for (index, scored) in moves.iter().enumerate().skip(next + 1) {
        if scored.score > top {
            (best, top) = (index, scored.score);
        }
    }
    moves.swap(next, best);
    moves[next].point
}
