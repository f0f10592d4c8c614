//! The sums of the windows' numbers over a board, which follow its moves.

use super::super::board::SearchBoard;
use super::super::fitted::FLAGS;
use super::super::geometry::{Bits, NOWHERE, POINTS, Point, STEPS, place_in};
use super::windows::{self, REACH};
use super::{BOTH, CHANNELS, Net, ONE, Row};

/// The state after a move.
#[derive(Debug, Clone)]
struct Level {
    /// The hash of the position.
    key: u64,
    /// The sums of black's view, then those of white's.
    sums: [[i32; CHANNELS]; 2],
    /// The length of the log, and the stone of the move.
    log: usize,
    stone: Option<(Point, usize)>,
    /// Whether the stone is in the lines and in the points' numbers too, not in the sums alone.
    written: bool,
}

/// The sums of a position. They follow a board only when they are asked for, so that moves without an evaluation cost nothing; and
/// of the last move only the sums are worked out, since no move follows most positions that are evaluated.
#[derive(Debug, Clone)]
pub(in super::super) struct Accumulator {
    net: &'static Net,
    numbers: &'static [u16; 1 << 16],
    bits: Bits,
    /// The sums of the four windows' numbers of each empty point, not clipped.
    points: Box<[Row; POINTS]>,
    /// The number of moves of the position that it began with, which is the first of the levels.
    begin: usize,
    levels: Vec<Level>,
    /// The points that moves changed, and what they were before.
    log: Vec<Row>,
    changed: Vec<Point>,
}

impl Accumulator {
    /// Works out the sums of a position.
    pub(in super::super) fn new(net: &'static Net, board: &SearchBoard) -> Accumulator {
        let mut new = Accumulator {
            net,
            numbers: windows::numbers(),
            bits: *board.bits(),
            points: Box::new([Row::default(); POINTS]),
            begin: board.move_count(),
            levels: Vec::with_capacity(64),
            log: Vec::with_capacity(64 * 32),
            changed: Vec::with_capacity(64 * 32),
        };
        let mut sums = [[0; CHANNELS]; 2];
        for point in board.points().filter(|&point| board.is_empty(point)) {
            let row = &mut new.points[usize::from(point)];
            for direction in 0..4 {
                let (line, at) = place_in(direction, point);
                let [black, white] = new.bits[direction][line];
                let more = &net.rows[usize::from(new.numbers[windows::index(black, white, at)])];
                row.0.iter_mut().zip(more.0).for_each(|(sum, more)| *sum += more);
            }
            for (sum, number) in sums.as_flattened_mut().iter_mut().zip(row.0) {
                *sum += i32::from(clip(number));
            }
        }
        new.levels.push(Level { key: board.key(), sums, log: 0, stone: None, written: true });
        new
    }

    /// The net's correction of an evaluation of this board, for the side to move.
    pub(in super::super) fn correction(
        &mut self,
        board: &SearchBoard,
        flags: &[bool; FLAGS],
        eval: i32,
    ) -> i32 {
        self.follow(board);
        let [black, white] = self.sums();
        let sums = if board.turn() == 0 { [black, white] } else { [white, black] };
        self.net.layers.correction(sums, flags, eval)
    }

    /// The sums of black's and white's views.
    pub(in super::super) fn sums(&self) -> &[[i32; CHANNELS]; 2] {
        &self.levels[self.levels.len() - 1].sums
    }

    /// Goes back to the last position that the board's moves have in common with those it knows, and on to the board's.
    pub(in super::super) fn follow(&mut self, board: &SearchBoard) {
        let count = board.move_count();
        while self.levels.len() > 1
            && (self.begin + self.levels.len() - 1 > count
                || self.levels[self.levels.len() - 1].key != board.key_at(self.begin + self.levels.len() - 1))
        {
            self.undo();
        }
        if self.begin > count || self.levels[0].key != board.key_at(self.begin) {
            *self = Accumulator::new(self.net, board);
        }
        for number in self.begin + self.levels.len() - 1..count {
            self.write();
            self.make(board.move_at(number), number % 2, board.key_at(number + 1), number + 1 < count);
        }
    }

    fn undo(&mut self) {
        let Some(level) = self.levels.pop() else { return };
        let Some((point, side)) = level.stone.filter(|_| level.written) else { return };
        self.flip(point, side);
        for (&point, row) in self.changed[level.log..].iter().zip(&self.log[level.log..]) {
            self.points[usize::from(point) & (POINTS - 1)] = *row;
        }
        self.changed.truncate(level.log);
        self.log.truncate(level.log);
    }

    /// Flips the bits of a stone in its four lines.
    fn flip(&mut self, point: Point, side: usize) {
        for direction in 0..4 {
            let (line, at) = place_in(direction, point);
            self.bits[direction][line & 63][side] ^= 1 << at;
        }
    }

    /// Brings the points' numbers up to date with the last move.
    fn write(&mut self) {
        let last = self.levels.len() - 1;
        let level = &mut self.levels[last];
        if let Some((point, side)) = level.stone.filter(|_| !level.written) {
            level.written = true;
            self.change::<false, true>(point, side);
        }
    }

    /// Adds the stone of a move to the sums, and to the points' numbers if they are to be written.
    fn make(&mut self, point: Point, side: usize, key: u64, written: bool) {
        let log = self.log.len();
        let mut level = Level { key, sums: *self.sums(), log, stone: None, written };
        if point != NOWHERE {
            level.stone = Some((point, side));
            let rise = if written {
                self.change::<true, true>(point, side)
            } else {
                self.change::<true, false>(point, side)
            };
            for (sum, rise) in level.sums.as_flattened_mut().iter_mut().zip(rise.0) {
                *sum += i32::from(rise);
            }
        }
        self.levels.push(level);
    }

    /// Goes through the points, at most 32, whose windows a stone changes. Returns what their clipped numbers rise by, which fits into
    /// 16 bits, if `RISE`; and writes lines, numbers and log if `WRITE`.
    #[inline]
    fn change<const RISE: bool, const WRITE: bool>(&mut self, point: Point, side: usize) -> Row {
        if WRITE {
            self.flip(point, side);
        }
        let mut rise = Row::default();
        if RISE {
            let gone = self.points[usize::from(point) & (POINTS - 1)];
            rise.0.iter_mut().zip(gone.0).for_each(|(rise, gone)| *rise = -clip(gone));
        }
        for (direction, step) in STEPS.into_iter().enumerate() {
            let (line, at) = place_in(direction, point);
            let mut stones = self.bits[direction][line & 63];
            stones[side] |= 1 << at;
            let [black, white] = stones;
            let mut free = (!(black | white) >> (at - REACH)) & ((1 << (2 * REACH + 1)) - 1);
            while free != 0 {
                let offset = free.trailing_zeros();
                free &= free - 1;
                let distance = offset as i32 - REACH as i32;
                let near = (i32::from(point) + distance * step) as Point;
                let index = windows::index(black, white, at + offset - REACH);
                let less =
                    &self.net.rows[usize::from(self.numbers[windows::without(index, side, -distance)])];
                let more = &self.net.rows[usize::from(self.numbers[index])];
                let numbers = &mut self.points[usize::from(near) & (POINTS - 1)];
                if RISE {
                    add_rise(&mut rise, numbers, less, more);
                }
                if WRITE {
                    self.log.push(*numbers);
                    self.changed.push(near);
                    replace(numbers, less, more);
                }
            }
        }
        rise
    }
}

/// Adds what a point's clipped numbers rise by when one window replaces another. Inlined, it does not become vector instructions.
#[inline(never)]
fn add_rise(rise: &mut Row, numbers: &Row, less: &Row, more: &Row) {
    for number in 0..BOTH {
        let before = numbers.0[number];
        let after = before + more.0[number] - less.0[number];
        rise.0[number] += clip(after) - clip(before);
    }
}

/// Replaces one window of a point by another. Not inlined for the same reason.
#[inline(never)]
fn replace(numbers: &mut Row, less: &Row, more: &Row) {
    for number in 0..BOTH {
        numbers.0[number] += more.0[number] - less.0[number];
    }
}

#[inline]
fn clip(number: i16) -> i16 {
    number.clamp(0, ONE)
}
