//! The sums of the windows' numbers over a board, which follow its moves.

use super::super::board::SearchBoard;
use super::super::fitted::FLAGS;
use super::super::geometry::{Bits, NOWHERE, POINTS, Point, STEPS, place_in};
use super::windows::{self, REACH};
use super::{CHANNELS, Net, ONE};

/// The numbers of a point or sum: as black sees the windows, then as white does.
type Both<T> = [[T; CHANNELS]; 2];

/// The state after a move.
#[derive(Debug, Clone)]
struct Level {
    /// The hash of the position.
    key: u64,
    sums: Both<i32>,
    /// The length of the log, and the stone of the move.
    log: usize,
    stone: Option<(Point, usize)>,
}

/// The sums of a position. They follow a board only when they are asked for, so that moves without an evaluation cost nothing.
#[derive(Debug, Clone)]
pub(in super::super) struct Accumulator {
    net: &'static Net,
    numbers: &'static [u16; 1 << 16],
    bits: Bits,
    /// The sums of the four windows' numbers of each empty point, not clipped.
    points: Vec<Both<i16>>,
    /// The number of moves of the position that it began with, which is the first of the levels.
    begin: usize,
    levels: Vec<Level>,
    /// The points that moves changed, as they were before.
    log: Vec<(Point, Both<i16>)>,
}

impl Accumulator {
    /// Works out the sums of a position.
    pub(in super::super) fn new(net: &'static Net, board: &SearchBoard) -> Accumulator {
        let mut new = Accumulator {
            net,
            numbers: windows::numbers(),
            bits: *board.bits(),
            points: vec![Both::default(); POINTS],
            begin: board.move_count(),
            levels: Vec::with_capacity(64),
            log: Vec::with_capacity(64 * 32),
        };
        let mut sums = Both::default();
        for point in board.points().filter(|&point| board.is_empty(point)) {
            for direction in 0..4 {
                let (line, at) = place_in(direction, point);
                let [black, white] = new.bits[direction][line];
                let index = windows::index(black, white, at);
                for (side, seen) in [index, windows::exchanged(index)].into_iter().enumerate() {
                    let more = &net.windows[usize::from(new.numbers[seen])];
                    new.points[usize::from(point)][side]
                        .iter_mut()
                        .zip(more)
                        .for_each(|(sum, more)| *sum += more);
                }
            }
            for (sum, &number) in
                sums.as_flattened_mut().iter_mut().zip(new.points[usize::from(point)].as_flattened())
            {
                *sum += i32::from(clip(number));
            }
        }
        new.levels.push(Level { key: board.key(), sums, log: 0, stone: None });
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
    pub(in super::super) fn sums(&self) -> &Both<i32> {
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
            self.make(board.move_at(number), number % 2, board.key_at(number + 1));
        }
    }

    fn undo(&mut self) {
        let Some(level) = self.levels.pop() else { return };
        if let Some((point, side)) = level.stone {
            self.flip(point, side);
        }
        for (point, numbers) in self.log.drain(level.log..) {
            self.points[usize::from(point) & (POINTS - 1)] = numbers;
        }
    }

    /// Flips the bits of a stone in its four lines.
    fn flip(&mut self, point: Point, side: usize) {
        for direction in 0..4 {
            let (line, at) = place_in(direction, point);
            self.bits[direction][line & 63][side] ^= 1 << at;
        }
    }

    /// Adds the stone of a move, which changes the windows of at most 32 points.
    fn make(&mut self, point: Point, side: usize, key: u64) {
        let mut level = Level { key, sums: *self.sums(), log: self.log.len(), stone: None };
        if point != NOWHERE {
            level.stone = Some((point, side));
            self.flip(point, side);
            // What the points' clipped numbers rise by; with 32 points it fits into 16 bits.
            let mut rise = Both::<i16>::default();
            let gone = &self.points[usize::from(point) & (POINTS - 1)];
            rise.as_flattened_mut()
                .iter_mut()
                .zip(gone.as_flattened())
                .for_each(|(rise, &old)| *rise -= clip(old));
            for (direction, step) in STEPS.into_iter().enumerate() {
                let (line, at) = place_in(direction, point);
                let [black, white] = self.bits[direction][line & 63];
                let mut free = (!(black | white) >> (at - REACH)) & ((1 << (2 * REACH + 1)) - 1);
                while free != 0 {
                    let offset = free.trailing_zeros();
                    free &= free - 1;
                    let distance = offset as i32 - REACH as i32;
                    let near = (i32::from(point) + distance * step) as Point;
                    let index = windows::index(black, white, at + offset - REACH);
                    self.change(near, windows::without(index, side, -distance), index, &mut rise);
                }
            }
            for (sum, &rise) in level.sums.as_flattened_mut().iter_mut().zip(rise.as_flattened()) {
                *sum += i32::from(rise);
            }
        }
        self.levels.push(level);
    }

    /// Replaces a window of an empty point.
    #[inline]
    fn change(&mut self, point: Point, old: usize, new: usize, rise: &mut Both<i16>) {
        let point_numbers = &mut self.points[usize::from(point) & (POINTS - 1)];
        self.log.push((point, *point_numbers));
        for side in 0..2 {
            let [old, new] =
                [old, new].map(|index| if side == 0 { index } else { windows::exchanged(index) });
            let less = &self.net.windows[usize::from(self.numbers[old])];
            let more = &self.net.windows[usize::from(self.numbers[new])];
            for channel in 0..CHANNELS {
                let before = point_numbers[side][channel];
                let after = before + more[channel] - less[channel];
                point_numbers[side][channel] = after;
                rise[side][channel] += clip(after) - clip(before);
            }
        }
    }
}

#[inline]
fn clip(number: i16) -> i16 {
    number.clamp(0, ONE)
}
