//! Combination of the patterns of a point's four lines: its kind, and what it is worth.

use super::fitted::{self, Fitted};
use super::kind;
use super::line::pattern;

/// The patterns of a point's four lines for one colour, four bits a line.
pub(super) type Lines = u16;

/// What follows from the patterns of a point's four lines.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Combo {
    /// What the point counts for, for a colour that is to move and for one that is not.
    pub(super) value: [i16; 2],
    /// One of [`kind`].
    pub(super) kind: u8,
}

/// [`Combo`] and the order of moves, of every four patterns. They are apart since every change of a line looks at the
/// first and few positions at the second.
pub(super) struct ComboTable {
    combos: Vec<Combo>,
    order: Vec<[i16; 2]>,
}

impl ComboTable {
    /// Works the table out; `fouls` for black in renju.
    pub(super) fn new(fouls: bool, fitted: &Fitted) -> ComboTable {
        let (combos, order) = (0..=u16::MAX).map(|lines| combo(lines, fouls, fitted)).unzip();
        ComboTable { combos, order }
    }

    /// What these lines make.
    #[inline]
    pub(super) fn of(&self, lines: Lines) -> &Combo {
        &self.combos[usize::from(lines)]
    }

    /// How soon to try such a point: for what is made there, and for what the other side is kept from.
    #[inline]
    pub(super) fn order(&self, lines: Lines) -> [i16; 2] {
        self.order[usize::from(lines)]
    }
}

fn combo(lines: Lines, fouls: bool, fitted: &Fitted) -> (Combo, [i16; 2]) {
    let mut each = [0, 4, 8, 12].map(|shift| (lines >> shift) as u8 & 15);
    if each.iter().any(|&p| p > pattern::FOUL) {
        return Default::default();
    }
    let kind = kind_of(&each, fouls);
    for p in &mut each {
        *p = if *p == pattern::FOUL { pattern::DEAD } else { *p };
    }
    (Combo { value: fitted::value(each, fitted), kind }, fitted::order(each, kind, fitted))
}

fn kind_of(each: &[u8; 4], fouls: bool) -> u8 {
    let count = |low: u8, high: u8| each.iter().filter(|&&p| (low..=high).contains(&p)).count();
    let any = |p: u8| each.contains(&p);
    let fours = count(pattern::FOUR, pattern::OPEN_FOUR);
    let threes = count(pattern::OPEN_THREE, pattern::OPEN_THREE_WIDE);
    let closed_threes = count(pattern::CLOSED_THREE, pattern::CLOSED_THREE);
    let twos = count(pattern::OPEN_TWO, pattern::OPEN_TWO_WIDEST);
    if any(pattern::FIVE) {
        return kind::FIVE;
    }
    if fouls && (any(pattern::FOUL) || fours >= 2 || threes >= 2) {
        return kind::FORBIDDEN;
    }
    if any(pattern::OPEN_FOUR) || fours >= 2 {
        return kind::OPEN_FOUR;
    }
    let more = closed_threes + twos > 0;
    match (fours, threes) {
        (1, 1..) => kind::FOUR_THREE,
        (1, 0) if more => kind::FOUR_PLUS,
        (1, 0) => kind::FOUR,
        (_, 2..) => kind::THREE_THREE,
        (_, 1) if more => kind::THREE_PLUS,
        (_, 1) => kind::THREE,
        _ if closed_threes > 0 && closed_threes + twos > 1 => kind::CLOSED_THREE_PLUS,
        _ if twos > 1 => kind::TWO_TWO,
        _ if closed_threes > 0 => kind::CLOSED_THREE,
        _ if twos > 0 => kind::TWO,
        _ => kind::QUIET,
    }
}
