//! The derived values of a point, and the tables of a rule that they come from.

use std::sync::{Arc, OnceLock};

use super::super::Rule;
use super::super::combo::{ComboTable, Lines};
use super::super::fitted;
use super::super::geometry::BLACK;
use super::super::line::{Fives, LineTable};

/// The derived values of a point. All zero for an occupied one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Cell {
    pub(super) lines: [Lines; 2],
    /// The table's values, copied so that a change needs no lookup of the old ones.
    pub(super) values: [[i16; 2]; 2],
    pub(super) kinds: [u8; 2],
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

    /// Sets a side's line patterns of a point, and the values derived from them.
    #[inline]
    pub(super) fn fill(&self, cell: &mut Cell, side: usize, lines: Lines) {
        let combo = self.combos(side).of(lines);
        cell.lines[side] = lines;
        cell.values[side] = combo.value;
        cell.kinds[side] = combo.kind;
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
