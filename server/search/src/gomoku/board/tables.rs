//! The derived values of a point, and the tables of a rule that they come from.

use std::sync::{Arc, OnceLock};

use super::super::Rule;
use super::super::combo::{Combo, ComboTable, Lines};
use super::super::fitted;
use super::super::geometry::{BLACK, Point};
use super::super::line::{Fives, LineTable};

/// The derived values of a point for one colour; zero for an occupied one. From the lowest bits: the table's values for a colour that is
/// to move and for one that is not, copied so that a change needs no lookup of the old ones, the patterns of the four lines, and the kind (four bits).
/// One word, since a processor waits where it reads several members at once that were just written one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct View(u64);

/// The views of black and of white.
pub(super) type Cell = [View; 2];

impl View {
    #[inline]
    fn new(lines: Lines, combo: &Combo) -> View {
        let [first, second] = combo.value.map(|value| u64::from(value as u16));
        View(first | second << 16 | u64::from(lines) << 32 | u64::from(combo.kind) << 48)
    }

    #[inline]
    pub(super) fn values(self) -> [i32; 2] {
        [self.0 as i16, (self.0 >> 16) as i16].map(i32::from)
    }

    #[inline]
    pub(super) fn lines(self) -> Lines {
        (self.0 >> 32) as Lines
    }

    #[inline]
    pub(super) fn kind(self) -> u8 {
        (self.0 >> 48) as u8
    }
}

/// The bits of a view below a point's number.
const VIEW_BITS: u32 = 52;

/// A point and its cell before a change, in two words: the number of the point is above black's view.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change([u64; 2]);

impl Change {
    #[inline]
    pub(super) fn new(point: Point, cell: Cell) -> Change {
        let [black, white] = cell.map(|view| view.0);
        Change([black | u64::from(point) << VIEW_BITS, white])
    }

    #[inline]
    pub(super) fn point(self) -> Point {
        (self.0[0] >> VIEW_BITS) as Point
    }

    #[inline]
    pub(super) fn cell(self) -> Cell {
        let [black, white] = self.0;
        [View(black & ((1 << VIEW_BITS) - 1)), View(white)]
    }
}

/// The tables of a rule, shared by all boards.
pub(in super::super) struct Tables {
    pub(super) lines: LineTable,
    combos: ComboTable,
    /// Black's table, if the rules restrict black.
    fouls: Option<ComboTable>,
}

impl Tables {
    /// The tables of this rule; built once.
    pub(in super::super) fn of(rule: Rule) -> Arc<Tables> {
        static TABLES: [OnceLock<Arc<Tables>>; 4] = [const { OnceLock::new() }; 4];
        let (slot, black, white) = match rule {
            Rule::Freestyle => (0, Fives::OrMore, Fives::OrMore),
            Rule::Pente => (3, Fives::OrMore, Fives::OrMore),
            Rule::Exactly5 => (1, Fives::Exactly, Fives::Exactly),
            Rule::Renju => (2, Fives::Fouls, Fives::OrMore),
        };
        let make = || {
            let fitted = fitted::of_rule(rule == Rule::Pente);
            let fouls = (black == Fives::Fouls).then(|| ComboTable::new(true, fitted));
            Arc::new(Tables {
                lines: LineTable::new(black, white),
                combos: ComboTable::new(false, fitted),
                fouls,
            })
        };
        Arc::clone(TABLES[slot].get_or_init(make))
    }

    /// A side's line patterns of a point, and the values derived from them.
    #[inline]
    pub(super) fn view(&self, side: usize, lines: Lines) -> View {
        View::new(lines, self.combos(side).of(lines))
    }

    /// The table of a side. Both sides share one where the rules permit it, since caches are small.
    #[inline]
    pub(super) fn combos(&self, side: usize) -> &ComboTable {
        match &self.fouls {
            Some(fouls) if side == BLACK => fouls,
            _ => &self.combos,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_comes_back_as_it_was_noted() {
        let combos = [[i16::MIN, i16::MAX], [-1, 1], [0, -7]].map(|value| Combo { value, kind: 13 });
        for (number, combo) in combos.iter().enumerate() {
            let lines = Lines::MAX - number as Lines;
            let (black, white) = (View::new(lines, combo), View::new(1, &Combo::default()));
            assert_eq!((black.lines(), black.kind()), (lines, 13));
            assert_eq!(black.values(), combo.value.map(i32::from));
            for point in [0, 31, 1023] {
                for cell in [[black, white], [white, black], Cell::default()] {
                    let change = Change::new(point, cell);
                    assert_eq!((change.point(), change.cell()), (point, cell));
                }
            }
        }
    }
}
