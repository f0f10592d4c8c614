//! Geometry of the board: points as numbers, and the lines through each point.

/// A point: its row times [`STRIDE`] and its column.
pub(super) type Point = u16;

/// The distance between adjacent points of a column.
pub(super) const STRIDE: u16 = 32;
/// The largest board.
pub(super) const MAX_SIZE: u16 = 31;
/// The length of arrays indexed by points.
pub(super) const POINTS: usize = 1024;
/// A value for no point.
pub(super) const NOWHERE: Point = 31;

/// The number of steps between two points, along lines and diagonals.
#[inline]
pub(super) fn distance(one: Point, other: Point) -> u16 {
    (one % STRIDE).abs_diff(other % STRIDE).max((one / STRIDE).abs_diff(other / STRIDE))
}

/// Black, the first to move: an index into all arrays with an entry for each side.
pub(super) const BLACK: usize = 0;
/// White, as an index.
pub(super) const WHITE: usize = 1;

/// The step to the next point in each of the four directions.
pub(super) const STEPS: [i32; 4] = [1, STRIDE as i32, STRIDE as i32 + 1, 1 - STRIDE as i32];
/// The bit of column or row 0 in a line: a window around it must not leave the word.
pub(super) const PAD: u32 = 5;

/// The bits of both colours, by direction and line.
pub(super) type Bits = [[[u64; 2]; 64]; 4];

/// The number of the line through a point in one of the four directions, and the point's bit in it.
#[inline]
pub(super) fn place_in(direction: usize, point: Point) -> (usize, u32) {
    let (x, y) = (u32::from(point % STRIDE), u32::from(point / STRIDE));
    match direction {
        0 => (y as usize, x + PAD),
        1 => (x as usize, y + PAD),
        2 => ((x + 31 - y) as usize, x + PAD),
        _ => ((x + y) as usize, x + PAD),
    }
}
