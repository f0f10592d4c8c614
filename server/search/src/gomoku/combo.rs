//! Combination of the patterns of a point's four lines: the point's kind and value.

use super::fitted::{self, Fitted};
use super::kind;
use super::line::pattern;

/// The patterns of a point's four lines for one colour, four bits each.
pub(super) type Lines = u16;

/// The values derived from the patterns of a point's four lines.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Combo {
    /// The point's value for a colour that is to move, and for one that is not.
    pub(super) value: [i16; 2],
    /// The point's kind: one of [`kind`].
    pub(super) kind: u8,
}

/// The [`Combo`] and the move-ordering score of every combination of four patterns. They are in separate arrays, because every
/// change of a line reads the former and only few positions read the latter.
pub(super) struct ComboTable {
    combos: Vec<Combo>,
    order: Vec<[i16; 2]>,
}

impl ComboTable {
    /// Computes the table; `fouls` for black in renju.
    pub(super) fn new(fouls: bool, fitted: &Fitted) -> ComboTable {
        let (combos, order) = (0..=u16::MAX).map(|lines| combo(lines, fouls, fitted)).unzip();
        ComboTable { combos, order }
    }

    /// The combination for these lines.
    #[inline]
    pub(super) fn of(&self, lines: Lines) -> &Combo {
        &self.combos[usize::from(lines)]
    }

    /// The move-ordering score of a point with these lines: for its own pattern, and for preventing the other side's.
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
