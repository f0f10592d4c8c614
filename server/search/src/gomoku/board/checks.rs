//! Checks of a board, for tests only.

use super::super::Rule;
use super::super::kind;
use super::super::line::LineTable;
use super::{Bits, Cell, Point, STRIDE, SearchBoard, TURN, WHITE, place_in};

impl SearchBoard {
    /// Everything that moves change, in a form that can be compared and printed.
    pub(in super::super) fn state(&self) -> impl PartialEq + std::fmt::Debug + use<> {
        let kinds: Vec<u16> = self.counts.iter().flat_map(|side| side[1..kind::COUNT].to_vec()).collect();
        let cells: Vec<Cell> = self.points().map(|point| self.cells[usize::from(point)]).collect();
        let captures = (self.capture_count, self.captures.clone());
        (kinds, cells, self.fours, self.sums, self.key(), (self.turn, self.stones, self.pairs), captures)
    }

    /// The same position, built anew from its stones.
    pub(in super::super) fn afresh(&self) -> SearchBoard {
        let rule = match (self.pente, self.renju, self.tables.lines.radius()) {
            (true, ..) => Rule::Pente,
            (_, true, _) => Rule::Renju,
            (.., 4) => Rule::Freestyle,
            _ => Rule::Exactly5,
        };
        let mut board = SearchBoard::new(rule, self.size);
        for point in self.points() {
            if let Some(side) = self.stone_at(i32::from(point % STRIDE), i32::from(point / STRIDE)) {
                board.place(point, side);
            }
        }
        board.turn = self.turn;
        board.key ^= if self.turn == WHITE { TURN } else { 0 };
        board.pairs = self.pairs;
        board
    }

    /// The side of the stone at this column and row.
    pub(in super::super) fn stone_at(&self, x: i32, y: i32) -> Option<usize> {
        let on = |at: i32| (0..i32::from(self.size)).contains(&at);
        if !on(x) || !on(y) {
            return None;
        }
        let (line, at) = place_in(0, (y * i32::from(STRIDE) + x) as Point);
        (0..2).find(|&side| self.bits[0][line][side] >> at & 1 == 1)
    }

    /// The board as rows of text, from the bottom.
    pub(in super::super) fn picture(&self) -> Vec<String> {
        let cell = |x, y| self.stone_at(x, y).map_or('.', |side| ['x', 'o'][side]);
        let size = i32::from(self.size);
        (0..size).map(|y| (0..size).map(|x| cell(x, y)).collect()).collect()
    }

    pub(in super::super) fn bits_of(&self) -> Bits {
        *self.bits
    }

    pub(in super::super) fn lines(&self) -> &LineTable {
        &self.tables.lines
    }

    pub(in super::super) fn put_bit(bits: &mut Bits, point: Point, side: usize) {
        for (direction, lines) in bits.iter_mut().enumerate() {
            let (line, at) = place_in(direction, point);
            lines[line][side] |= 1 << at;
        }
    }
}
