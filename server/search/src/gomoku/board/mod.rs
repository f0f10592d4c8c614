//! Board of the search: lines of bits and all values derived from them, updated incrementally.

mod captures;
#[cfg(test)]
mod checks;
mod tables;

use std::sync::Arc;

pub(super) use self::tables::Tables;
use self::tables::{Cell, Change, View};
use super::Rule;
use super::geometry::{BLACK, Bits, NOWHERE, PAD, POINTS, Point, STEPS, STRIDE, WHITE, place_in};
use super::{kind, renju};

/// The data for undoing a move, besides the cells in the log.
#[derive(Debug, Clone, Copy)]
struct Past {
    point: Point,
    log: usize,
    captured: usize,
    sums: [[i32; 2]; 2],
    key: u64,
}

/// A position with the moves that led to it.
#[derive(Clone)]
pub(super) struct SearchBoard {
    tables: Arc<Tables>,
    size: u16,
    pente: bool,
    renju: bool,
    /// The bits of both colours, by direction and line; both are set for cells off the board.
    bits: Box<Bits>,
    cells: Box<[Cell; POINTS]>,
    /// The points where a side makes at least a four, as bits by row.
    fours: [[u32; STRIDE as usize]; 2],
    /// The number of points of each kind.
    counts: [[u16; 16]; 2],
    /// The sums of the points' values: by colour, and then for the side to move and for the other.
    sums: [[i32; 2]; 2],
    key: u64,
    turn: usize,
    stones: u16,
    past: Vec<Past>,
    log: Vec<Change>,
    captured: Vec<Point>,
    /// The number of pairs that each side has captured.
    pairs: [u16; 2],
    /// The points of each line where a side could capture, as bits; `capture_count` is their number.
    captures: Box<[[[u64; 2]; 64]; 4]>,
    capture_count: [u16; 2],
}

/// A hash for a colour on a point, for the turn, or for captures.
#[inline]
fn hash(of: u64) -> u64 {
    let mut z = (of + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// All points of a board with `size` points along each edge, by row and column.
pub(super) fn points(size: u16) -> impl Iterator<Item = Point> + use<> {
    (0..size).flat_map(move |y| (0..size).map(move |x| y * STRIDE + x))
}

const TURN: u64 = 0x6a09_e667_f3bc_c909;

impl SearchBoard {
    /// An empty board with `size` (at most 31) points along each edge.
    pub(super) fn new(rule: Rule, size: u16) -> SearchBoard {
        let mut board = SearchBoard {
            tables: Tables::of(rule),
            size,
            pente: rule == Rule::Pente,
            renju: rule == Rule::Renju,
            bits: SearchBoard::empty_bits(size),
            cells: Box::new([Cell::default(); POINTS]),
            fours: [[0; STRIDE as usize]; 2],
            counts: [[0; 16]; 2],
            sums: [[0; 2]; 2],
            key: 0,
            turn: BLACK,
            stones: 0,
            past: Vec::with_capacity(POINTS),
            log: Vec::with_capacity(POINTS * 40),
            captured: Vec::new(),
            pairs: [0; 2],
            captures: Box::new([[[0; 2]; 64]; 4]),
            capture_count: [0; 2],
        };
        for point in board.points() {
            board.work_out(point);
        }
        board.log.clear();
        board
    }

    /// The bits of an empty board with `size` points along each edge.
    pub(super) fn empty_bits(size: u16) -> Box<Bits> {
        let mut bits = Box::new([[[u64::MAX; 2]; 64]; 4]);
        for point in points(size) {
            for (direction, lines) in bits.iter_mut().enumerate() {
                let (line, at) = place_in(direction, point);
                lines[line] = lines[line].map(|bits| bits & !(1 << at));
            }
        }
        bits
    }

    /// All points, by row and column.
    pub(super) fn points(&self) -> impl Iterator<Item = Point> + use<> {
        points(self.size)
    }

    /// The number of points along an edge.
    #[inline]
    pub(super) fn size(&self) -> u16 {
        self.size
    }

    /// The side to move.
    #[inline]
    pub(super) fn turn(&self) -> usize {
        self.turn
    }

    /// A hash of the position.
    #[inline]
    pub(super) fn key(&self) -> u64 {
        if self.pente {
            self.key ^ hash(0x10_0000 + u64::from(self.pairs[0])) ^ hash(0x20_0000 + u64::from(self.pairs[1]))
        } else {
            self.key
        }
    }

    /// The hash of the position after a stone of the side to move on an empty point, if it captures nothing.
    #[inline]
    pub(super) fn key_after(&self, point: Point) -> u64 {
        self.key() ^ hash(u64::from(point) << 1 | self.turn as u64) ^ TURN
    }

    /// Whether the board is full.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.stones == self.size * self.size
    }

    /// The number of stones.
    #[inline]
    pub(super) fn stones(&self) -> u16 {
        self.stones
    }

    /// Whether the rule has captures.
    #[inline]
    pub(super) fn pente(&self) -> bool {
        self.pente
    }

    /// Whether the rule is freestyle: five or more stones win for both sides, without captures.
    #[inline]
    pub(super) fn freestyle(&self) -> bool {
        !self.pente && self.tables.lines.radius() == 4
    }

    /// Whether the point is on the board.
    #[inline]
    pub(super) fn is_on(&self, point: Point) -> bool {
        point % STRIDE < self.size && point / STRIDE < self.size
    }

    /// Whether the point is on the board and empty.
    #[inline]
    pub(super) fn is_empty(&self, point: Point) -> bool {
        self.is_on(point) && {
            let (line, at) = place_in(0, point);
            let [black, white] = self.bits[0][line];
            (black | white) >> at & 1 == 0
        }
    }

    /// The occupied columns of a row, as bits.
    #[inline]
    pub(super) fn row(&self, y: usize) -> u32 {
        let [black, white] = self.bits[0][y & 63];
        (((black | white) >> PAD) as u32) & self.full_row()
    }

    /// All columns of a row, as bits.
    #[inline]
    pub(super) fn full_row(&self) -> u32 {
        (1u32 << self.size) - 1
    }

    /// The last move, or the one `back` moves before it.
    #[inline]
    pub(super) fn last(&self, back: usize) -> Point {
        self.past.iter().rev().nth(back).map_or(NOWHERE, |past| past.point)
    }

    /// The number of moves, passes too.
    #[inline]
    pub(super) fn move_count(&self) -> usize {
        self.past.len()
    }

    /// The point of the move of this number, [`NOWHERE`] for a pass.
    #[inline]
    pub(super) fn move_at(&self, number: usize) -> Point {
        self.past[number].point
    }

    /// The hash of the position after so many of the moves, without captures.
    #[inline]
    pub(super) fn key_at(&self, count: usize) -> u64 {
        self.past.get(count).map_or(self.key, |past| past.key)
    }

    /// The bits of both colours, by direction and line; both are set for cells off the board.
    pub(super) fn bits(&self) -> &Bits {
        &self.bits
    }

    /// The kind of an empty point for a stone of `side`: one of [`kind`].
    #[inline]
    pub(super) fn kind(&self, side: usize, point: Point) -> u8 {
        self.cells[usize::from(point) & (POINTS - 1)][side].kind()
    }

    /// The move-ordering score of an empty point: for the side's own pattern there, and for preventing the other side's.
    #[inline]
    pub(super) fn order(&self, side: usize, point: Point) -> [i16; 2] {
        self.tables.combos(side).order(self.cells[usize::from(point) & (POINTS - 1)][side].lines())
    }

    /// The pattern that a side makes in each line through an empty point.
    pub(super) fn patterns(&self, side: usize, point: Point) -> [u8; 4] {
        let lines = self.cells[usize::from(point) & (POINTS - 1)][side].lines();
        [0, 4, 8, 12].map(|shift| (lines >> shift) as u8 & 15)
    }

    /// The number of points at which a side makes this kind.
    #[inline]
    pub(super) fn count(&self, side: usize, kind: u8) -> u16 {
        self.counts[side][usize::from(kind & 15)]
    }

    /// The number of points at which a side makes at least a four.
    #[inline]
    pub(super) fn four_count(&self, side: usize) -> u16 {
        self.counts[side][usize::from(kind::FOUR)..=usize::from(kind::FIVE)].iter().sum()
    }

    /// The points of a row where a side makes at least a four, as bits.
    #[inline]
    pub(super) fn fours(&self, side: usize, y: usize) -> u32 {
        self.fours[side][y & 31]
    }

    /// The first point (by row and column) where a side makes a five.
    pub(super) fn five(&self, side: usize) -> Option<Point> {
        if self.count(side, kind::FIVE) == 0 {
            return None;
        }
        self.four_points(side).find(|&point| self.kind(side, point) == kind::FIVE)
    }

    /// The points where a side makes at least a four.
    #[inline]
    pub(super) fn four_points(&self, side: usize) -> impl Iterator<Item = Point> + '_ {
        (0..self.size)
            .flat_map(move |y| Columns(self.fours[side][usize::from(y) & 31]).map(move |x| y * STRIDE + x))
    }

    /// Whether the rules forbid some points to a side.
    #[inline]
    pub(super) fn restricts(&self, side: usize) -> bool {
        self.renju && side == BLACK
    }

    /// Whether an empty point is forbidden to a side.
    #[inline]
    pub(super) fn is_forbidden(&self, side: usize, point: Point) -> bool {
        self.renju
            && side == BLACK
            && self.kind(side, point) == kind::FORBIDDEN
            && renju::is_forbidden(&mut self.bits.clone(), &self.tables.lines, point)
    }

    /// The sum of the points' values, for the side to move plus for the other.
    #[inline]
    pub(super) fn balance(&self) -> i32 {
        self.sums[self.turn][0] + self.sums[self.turn ^ 1][1]
    }

    /// Plays a move of the side to move on an empty point.
    pub(super) fn make(&mut self, point: Point) {
        let side = self.turn;
        self.past.push(Past {
            point,
            log: self.log.len(),
            captured: self.captured.len(),
            sums: self.sums,
            key: self.key,
        });
        self.place(point, side);
        if self.pente {
            self.capture(point, side);
        }
        self.turn ^= 1;
        self.key ^= TURN;
    }

    /// Undoes the last move.
    pub(super) fn undo(&mut self) {
        let Some(past) = self.past.pop() else { return };
        self.turn ^= 1;
        let side = self.turn;
        if past.point != NOWHERE {
            self.pairs[side] -= ((self.captured.len() - past.captured) / 2) as u16;
            while self.captured.len() > past.captured {
                if let Some(stone) = self.captured.pop() {
                    self.flip(stone, side ^ 1);
                    self.stones += 1;
                }
            }
            self.flip(past.point, side);
            self.stones -= 1;
            while self.log.len() > past.log {
                if let Some(change) = self.log.pop() {
                    self.restore(change.point(), change.cell());
                }
            }
        }
        self.sums = past.sums;
        self.key = past.key;
    }

    /// Passes the turn, as a move that [`undo`](SearchBoard::undo) can undo.
    pub(super) fn pass(&mut self) {
        let (log, captured) = (self.log.len(), self.captured.len());
        self.past.push(Past { point: NOWHERE, log, captured, sums: self.sums, key: self.key });
        self.turn ^= 1;
        self.key ^= TURN;
    }

    /// Adds a stone.
    fn place(&mut self, point: Point, side: usize) {
        self.change(point, Cell::default());
        self.flip(point, side);
        self.stones += 1;
        self.key ^= hash(u64::from(point) << 1 | side as u64);
        for direction in 0..4 {
            self.refresh(direction, point);
        }
    }

    /// Flips the bits of a stone in its four lines.
    #[inline]
    fn flip(&mut self, point: Point, side: usize) {
        for direction in 0..4 {
            let (line, at) = place_in(direction, point);
            let line = line & 63;
            self.bits[direction][line][side] ^= 1 << at;
            if self.pente {
                self.find_captures(direction, line);
            }
        }
    }

    /// Updates the patterns of the empty points of a line that a change at `point` affects.
    #[inline]
    fn refresh(&mut self, direction: usize, point: Point) {
        let (line, at) = place_in(direction, point);
        let [black, white] = self.bits[direction][line & 63];
        let radius = self.tables.lines.radius();
        let from = at - radius;
        let mut free = (!(black | white) >> from) & ((1 << (2 * radius + 1)) - 1) & !(1 << radius);
        let shift = 4 * direction as u32;
        while free != 0 {
            let offset = free.trailing_zeros();
            free &= free - 1;
            let patterns = u16::from(self.tables.lines.lookup(black, white, from + offset));
            let near = (i32::from(point) + (offset as i32 - radius as i32) * STEPS[direction]) as Point;
            let mut cell = self.cells[usize::from(near) & (POINTS - 1)];
            let [black_lines, white_lines] = cell.map(View::lines);
            let old = (black_lines >> shift & 15) | (white_lines >> shift & 15) << 4;
            if old == patterns {
                continue;
            }
            for (side, pattern) in [(BLACK, patterns & 15), (WHITE, patterns >> 4)] {
                let before = cell[side].lines();
                let lines = before & !(15 << shift) | pattern << shift;
                if lines != before {
                    cell[side] = self.tables.view(side, lines);
                }
            }
            self.change(near, cell);
        }
    }

    /// Computes all patterns of an empty point.
    fn work_out(&mut self, point: Point) {
        let mut lines = [0; 2];
        for direction in 0..4 {
            let (line, at) = place_in(direction, point);
            let [black, white] = self.bits[direction][line & 63];
            let patterns = u16::from(self.tables.lines.lookup(black, white, at));
            lines[BLACK] |= (patterns & 15) << (4 * direction);
            lines[WHITE] |= (patterns >> 4) << (4 * direction);
        }
        let cell = [BLACK, WHITE].map(|side| self.tables.view(side, lines[side]));
        self.change(point, cell);
    }

    /// Replaces a cell, updates sums and counts, and logs the old cell.
    #[inline]
    fn change(&mut self, point: Point, cell: Cell) {
        let index = usize::from(point) & (POINTS - 1);
        let old = self.cells[index];
        self.log.push(Change::new(point, old));
        for side in [BLACK, WHITE] {
            let (before, after) = (old[side].values(), cell[side].values());
            for turn in [0, 1] {
                self.sums[side][turn] += after[turn] - before[turn];
            }
        }
        self.restore(point, cell);
    }

    /// Replaces a cell and updates the counts.
    #[inline]
    fn restore(&mut self, point: Point, cell: Cell) {
        let index = usize::from(point) & (POINTS - 1);
        let old = self.cells[index];
        self.cells[index] = cell;
        for side in [BLACK, WHITE] {
            let (before, after) = (old[side].kind(), cell[side].kind());
            if before != after {
                self.counts[side][usize::from(before & 15)] =
                    self.counts[side][usize::from(before & 15)].wrapping_sub(1);
                self.counts[side][usize::from(after & 15)] =
                    self.counts[side][usize::from(after & 15)].wrapping_add(1);
                if (before >= kind::FOUR) != (after >= kind::FOUR) {
                    self.fours[side][usize::from(point / STRIDE) & 31] ^= 1 << (point % STRIDE);
                }
            }
        }
    }
}

/// The set bits of a row, from the lowest.
pub(super) struct Columns(pub(super) u32);

impl Iterator for Columns {
    type Item = u16;

    #[inline]
    fn next(&mut self) -> Option<u16> {
        if self.0 == 0 {
            return None;
        }
        let x = self.0.trailing_zeros() as u16;
        self.0 &= self.0 - 1;
        Some(x)
    }
}
