//! Exact forbidden points of renju: overlines, double fours and double threes of black.
//!
//! A three counts only if black may really make its open four: the point for that must not be forbidden itself, so
//! the check is recursive, with one more stone on the board at each level.

use super::geometry::{BLACK, Bits, Point, STEPS, place_in};
use super::line::{LineTable, pattern};

/// The maximal recursion depth; real positions stay far below.
const MAX_DEPTH: u32 = 8;

/// Whether an empty point is forbidden to black.
pub(super) fn is_forbidden(bits: &mut Bits, lines: &LineTable, point: Point) -> bool {
    forbidden(bits, lines, point, 0)
}

fn forbidden(bits: &mut Bits, lines: &LineTable, point: Point, depth: u32) -> bool {
    let made: [u8; 4] = std::array::from_fn(|direction| made_of(bits, lines, direction, point));
    if made.contains(&pattern::FIVE) {
        return false;
    }
    let fours = made.iter().filter(|&&p| p == pattern::FOUR || p == pattern::OPEN_FOUR).count();
    if made.contains(&pattern::FOUL) || fours >= 2 {
        return true;
    }
    let three = |p: u8| p == pattern::OPEN_THREE || p == pattern::OPEN_THREE_WIDE;
    if depth >= MAX_DEPTH || made.iter().filter(|&&p| three(p)).count() < 2 {
        return false;
    }
    flip(bits, point);
    let real = (0..4)
        .filter(|&direction| three(made[direction]) && has_open_four(bits, lines, direction, point, depth))
        .take(2)
        .count();
    flip(bits, point);
    real >= 2
}

/// Whether black, after a stone on `point`, may make an open four with it in this direction.
fn has_open_four(bits: &mut Bits, lines: &LineTable, direction: usize, point: Point, depth: u32) -> bool {
    let (line, at) = place_in(direction, point);
    for way in [-1i32, 1] {
        for step in 1..=3i32 {
            let there = (at as i32 + way * step) as u32;
            let [black, white] = bits[direction][line];
            if white >> there & 1 == 1 {
                break;
            }
            if black >> there & 1 == 1 {
                continue;
            }
            // The first gap in the row: a stone beyond it would not make a straight four with this one.
            let gap = (i32::from(point) + way * step * STEPS[direction]) as Point;
            if made_of(bits, lines, direction, gap) == pattern::OPEN_FOUR
                && !forbidden(bits, lines, gap, depth + 1)
            {
                return true;
            }
            break;
        }
    }
    false
}

fn made_of(bits: &Bits, lines: &LineTable, direction: usize, point: Point) -> u8 {
    let (line, at) = place_in(direction, point);
    let [black, white] = bits[direction][line];
    lines.lookup(black, white, at) & 15
}

fn flip(bits: &mut Bits, point: Point) {
    for (direction, lines) in bits.iter_mut().enumerate() {
        let (line, at) = place_in(direction, point);
        lines[line][BLACK] ^= 1 << at;
    }
}
