//! Geometry of the board: points as numbers, and the lines through each.

/// A point: its row times [`STRIDE`] and its column.
pub(super) type Point = u16;

/// The distance of two points of a column.
pub(super) const STRIDE: u16 = 32;
/// The largest board.
pub(super) const MAX_SIZE: u16 = 31;
/// The length of tables over points.
pub(super) const POINTS: usize = 1024;
/// No point.
pub(super) const NOWHERE: Point = 31;

/// Black, the first to move: an index into everything that there is twice.
pub(super) const BLACK: usize = 0;
/// White.
pub(super) const WHITE: usize = 1;

/// The steps to the next point of the four lines through each.
pub(super) const STEPS: [i32; 4] = [1, STRIDE as i32, STRIDE as i32 + 1, 1 - STRIDE as i32];
/// Where column or row 0 is in a line's bits: a window around it must not leave the word.
pub(super) const PAD: u32 = 5;

/// The bits of both colours, by direction and line.
pub(super) type Bits = [[[u64; 2]; 64]; 4];

/// A line's number and the place in it of a point, for one of the four directions.
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
