//! Captures of pairs, on the lines of the board.

use super::{BLACK, PAD, Point, STEPS, STRIDE, SearchBoard, WHITE, hash, place_in};

/// The number of captured pairs that wins.
const PAIRS_TO_WIN: u16 = 5;

/// The point at an index of a line: the inverse of [`place_in`].
fn point_at(direction: usize, line: usize, at: u32) -> Point {
    let (line, at) = (line as Point, (at - PAD) as Point);
    let (x, y) = match direction {
        0 => (at, line),
        1 => (line, at),
        2 => (at, at + 31 - line),
        _ => (at, line - at),
    };
    y * STRIDE + x
}

impl SearchBoard {
    /// Whether a side can win at once by a capture.
    #[inline]
    pub(in super::super) fn wins_by_capture(&self, side: usize) -> bool {
        self.pente
            && self.capture_count[side] > 0
            && self.pairs[side] + self.capture_count[side] >= PAIRS_TO_WIN
            && (self.pairs[side] + 1 >= PAIRS_TO_WIN
                || self.capture_points(side).into_iter().any(|point| self.captures_win(side, point)))
    }

    /// Whether a side wins by the captures of a stone on an empty point.
    pub(in super::super) fn captures_win(&self, side: usize, point: Point) -> bool {
        self.pente && u32::from(self.pairs[side]) + self.captures_at(side, point) >= u32::from(PAIRS_TO_WIN)
    }

    /// Whether a side has won by captures.
    #[inline]
    pub(in super::super) fn has_captured_all(&self, side: usize) -> bool {
        self.pairs[side] >= PAIRS_TO_WIN
    }

    /// The number of pairs that a side has captured.
    #[inline]
    pub(in super::super) fn pairs(&self, side: usize) -> u16 {
        self.pairs[side]
    }

    /// The number of points at which a side could capture, counted once for each line.
    #[inline]
    pub(in super::super) fn capture_count(&self, side: usize) -> u16 {
        self.capture_count[side]
    }

    /// The number of directions in which a stone of the side on this point would capture.
    pub(in super::super) fn captures_at(&self, side: usize, point: Point) -> u32 {
        let mut lines = 0;
        for direction in 0..4 {
            let (line, at) = place_in(direction, point);
            lines += (self.captures[direction][line][side] >> at & 1) as u32;
        }
        lines
    }

    /// The effects on captures of a stone of `side` on an empty point, each as a number of lines: pairs that it takes,
    /// pairs that the other side could have taken there, pairs that it threatens, and own pairs that it exposes.
    pub(in super::super) fn capture_effects(&self, side: usize, point: Point) -> [u8; 4] {
        let (mut threatens, mut exposes) = (0, 0);
        for direction in 0..4 {
            let (line, at) = place_in(direction, point);
            let [own, other] = [self.bits[direction][line][side], self.bits[direction][line][side ^ 1]];
            // Seven cells around the point, in both directions along the line. Cells off the board are set in both colours.
            let window = |bits: u64| [bits >> (at - 3) & 0x7f, (bits << (60 - at)).reverse_bits() & 0x7f];
            let (owns, others) = (window(own & !other), window(other & !own));
            let empties = window(!(own | other));
            for way in 0..2 {
                let is = |bits: [u64; 2], k: i32| bits[way] >> (3 + k) & 1 == 1;
                threatens += u8::from(is(others, 1) && is(others, 2) && is(empties, 3));
                let flanked = is(others, -1) && is(empties, 2) || is(empties, -1) && is(others, 2);
                exposes += u8::from(is(owns, 1) && flanked);
            }
        }
        [self.captures_at(side, point) as u8, self.captures_at(side ^ 1, point) as u8, threatens, exposes]
    }

    /// The points where a side could capture, in ascending order.
    pub(in super::super) fn capture_points(&self, side: usize) -> Vec<Point> {
        let mut points = Vec::new();
        if self.capture_count[side] == 0 {
            return points;
        }
        for (direction, lines) in self.captures.iter().enumerate() {
            for (line, sides) in lines.iter().enumerate() {
                let mut bits = sides[side];
                while bits != 0 {
                    points.push(point_at(direction, line, bits.trailing_zeros()));
                    bits &= bits - 1;
                }
            }
        }
        points.sort_unstable();
        points.dedup();
        points
    }

    /// Removes the pairs that the stone captures.
    pub(super) fn capture(&mut self, point: Point, side: usize) {
        for (direction, step) in STEPS.into_iter().enumerate() {
            let (line, at) = place_in(direction, point);
            for way in [step, -step] {
                let [own, other] = [self.bits[direction][line][side], self.bits[direction][line][side ^ 1]];
                // Cells off the board are set in both colours.
                let (own, other) = (own & !other, other & !own);
                let bit = |bits: u64, k: u32| {
                    if way == step { bits >> (at + k) & 1 } else { bits >> (at - k) & 1 }
                };
                if bit(other, 1) & bit(other, 2) & bit(own, 3) == 1 {
                    for k in [1, 2] {
                        self.remove((i32::from(point) + way * k) as Point, side ^ 1);
                    }
                    self.pairs[side] += 1;
                }
            }
        }
    }

    /// Removes a captured stone.
    fn remove(&mut self, point: Point, side: usize) {
        self.captured.push(point);
        self.flip(point, side);
        self.stones -= 1;
        self.key ^= hash(u64::from(point) << 1 | side as u64);
        for direction in 0..4 {
            self.refresh(direction, point);
        }
        self.work_out(point);
    }

    /// Updates the points of a line where a side could capture.
    pub(super) fn find_captures(&mut self, direction: usize, line: usize) {
        let [black, white] = self.bits[direction][line];
        let empty = !(black | white);
        let stones = [black & !white, white & !black];
        for side in [BLACK, WHITE] {
            let (own, other) = (stones[side], stones[side ^ 1]);
            let up = empty & (other >> 1) & (other >> 2) & (own >> 3);
            let down = empty & (other << 1) & (other << 2) & (own << 3);
            let old = self.captures[direction][line][side].count_ones() as u16;
            self.captures[direction][line][side] = up | down;
            self.capture_count[side] += (up | down).count_ones() as u16;
            self.capture_count[side] -= old;
        }
    }
}
