//! Numbers of the windows of a line: the four cells on either side of an empty point.

use std::sync::OnceLock;

/// The number of cells on each side of the point.
pub(in super::super) const REACH: u32 = 4;
/// The number of windows; a window and its mirror image are the same one.
pub(in super::super) const WINDOWS: usize = 7381;
/// The bits of one colour in an index.
const CELLS: u32 = 2 * REACH;
/// The number of indices.
const INDICES: usize = 1 << (2 * CELLS);

/// The index of the window around bit `at` of a line: black's cells in the high byte, white's in the low one, each from the lowest bit of
/// the line and without the point itself. A cell of both colours is off the board.
#[inline]
pub(in super::super) fn index(black: u64, white: u64, at: u32) -> usize {
    let from = at - REACH;
    let pack = |bits: u64| {
        let bits = (bits >> from) as usize;
        bits & 0x0f | bits >> 1 & 0xf0
    };
    pack(black) << CELLS | pack(white)
}

/// The index of the window with the colours exchanged.
#[inline]
pub(in super::super) fn exchanged(index: usize) -> usize {
    (index >> CELLS | index << CELLS) & (INDICES - 1)
}

/// The index of a window without the stone of this side (0: black) at this distance from its point, which is not zero.
#[inline]
pub(super) fn without(index: usize, side: usize, distance: i32) -> usize {
    let bit = distance + REACH as i32 - i32::from(distance > 0);
    let colour = if side == 0 { CELLS } else { 0 };
    index & !(1 << (bit as u32 + colour))
}

/// The numbers of all windows, by [`index`].
pub(in super::super) fn numbers() -> &'static [u16; INDICES] {
    static NUMBERS: OnceLock<Box<[u16; INDICES]>> = OnceLock::new();
    NUMBERS.get_or_init(|| {
        let mut numbers = Box::new([0; INDICES]);
        let mut next = 0;
        for index in (0..INDICES).filter(|&index| exists(index)) {
            let mirrored = mirrored(index);
            if mirrored < index {
                numbers[index] = numbers[mirrored];
            } else {
                numbers[index] = next;
                next += 1;
            }
        }
        numbers
    })
}

/// Every window once, as the bits of black and of white around bit `REACH`, in the order of their numbers.
pub(in super::super) fn all() -> impl Iterator<Item = [u64; 2]> {
    let spread = |cells: usize| (cells & 0x0f | (cells & 0xf0) << 1) as u64;
    (0..INDICES)
        .filter(|&index| exists(index) && index <= mirrored(index))
        .map(move |index| [spread(index >> CELLS), spread(index & 0xff)])
}

/// Whether a board can have this window: what is beyond a cell off the board is off the board too.
fn exists(index: usize) -> bool {
    let off = index >> CELLS & index & 0xff;
    let (low, high) = (off & 0x0f, off >> 4);
    // From the border inwards: ones, then zeros.
    matches!(low, 0 | 0b0001 | 0b0011 | 0b0111 | 0b1111)
        && matches!(high, 0 | 0b1000 | 0b1100 | 0b1110 | 0b1111)
}

fn mirrored(index: usize) -> usize {
    let mirror = |cells: usize| usize::from((cells as u8).reverse_bits());
    mirror(index >> CELLS) << CELLS | mirror(index & 0xff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_window_of_a_board_has_a_number_that_its_mirror_image_shares() {
        let numbers = numbers();
        assert_eq!(all().count(), WINDOWS);
        for (number, [black, white]) in all().enumerate() {
            let index = index(black, white, REACH);
            assert_eq!(usize::from(numbers[index]), number);
            assert_eq!(numbers[mirrored(index)], numbers[index]);
            assert_eq!(exchanged(exchanged(index)), index);
            assert!(usize::from(numbers[exchanged(index)]) < WINDOWS);
        }
    }

    #[test]
    fn a_window_without_a_stone_is_the_one_before_it() {
        for distance in [-4, -1, 1, 4] {
            let stone = 1 << (10 + distance);
            assert_eq!(without(index(stone, 0, 10), 0, distance), 0);
            assert_eq!(without(index(stone, 1 << 12, 10), 0, distance), index(0, 1 << 12, 10));
            assert_eq!(without(index(0, stone, 10), 1, distance), 0);
        }
    }
}
