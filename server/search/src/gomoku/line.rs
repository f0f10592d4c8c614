//! Table of line patterns: the result of a stone in one line.
//!
//! The pattern that a stone on an empty point makes in one of its four lines depends on the cells around it within a radius:
//! a five, an open four, a four, an open three and so on. A pattern is defined by the patterns that one more stone
//! makes of it (an open three can become an open four), so the table is valid for any rule about fives.

/// Patterns of a stone in one line, in ascending strength; the numbers fit into four bits.
pub(super) mod pattern {
    /// No five is possible here.
    pub(in super::super) const DEAD: u8 = 0;
    /// One stone, closed on one side.
    pub(in super::super) const CLOSED_ONE: u8 = 1;
    /// One stone that may become an open two.
    pub(in super::super) const OPEN_ONE: u8 = 2;
    /// Two stones that may become a closed three.
    pub(in super::super) const CLOSED_TWO: u8 = 3;
    /// Two stones that one or two points make an open three.
    pub(in super::super) const OPEN_TWO: u8 = 4;
    /// Two stones that three points make an open three.
    pub(in super::super) const OPEN_TWO_WIDE: u8 = 5;
    /// Two stones that four or more points make an open three.
    pub(in super::super) const OPEN_TWO_WIDEST: u8 = 6;
    /// Three stones that may become a four.
    pub(in super::super) const CLOSED_THREE: u8 = 7;
    /// Three stones that one point makes an open four.
    pub(in super::super) const OPEN_THREE: u8 = 8;
    /// Three stones that each of several points makes an open four.
    pub(in super::super) const OPEN_THREE_WIDE: u8 = 9;
    /// Four stones that one point makes a five.
    pub(in super::super) const FOUR: u8 = 10;
    /// Four stones that several points make a five.
    pub(in super::super) const OPEN_FOUR: u8 = 11;
    /// The winning row.
    pub(in super::super) const FIVE: u8 = 12;
    /// A row too long for a rule with exact fives, or two fours in one line that are no open four under such a
    /// rule: forbidden to black in renju.
    pub(in super::super) const FOUL: u8 = 13;
}

/// The winning rows of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fives {
    /// Five or more stones.
    OrMore,
    /// Exactly five stones.
    Exactly,
    /// Exactly five stones; in addition, two fours in a line that are no open four are a foul (black in renju).
    Fouls,
}

/// The distance from a point to the farthest cell of its line pattern.
const MAX_RADIUS: u32 = 5;

/// The patterns of both colours for every content of a line around an empty point.
pub(super) struct LineTable {
    /// The number of cells on each side that determine a pattern.
    radius: u32,
    patterns: Vec<u8>,
}

impl LineTable {
    /// Computes the table for the winning rows of black and white.
    pub(super) fn new(black: Fives, white: Fives) -> LineTable {
        let radius = if black == Fives::OrMore && white == Fives::OrMore { 4 } else { MAX_RADIUS };
        let (mut of_black, mut of_white) = (Classifier::new(black), Classifier::new(white));
        let cells = 2 * radius;
        let side = 1usize << cells;
        let mut patterns = vec![0; side * side];
        for (index, slot) in patterns.iter_mut().enumerate() {
            // A cell in both sets is off the board.
            let black = spread((index >> cells) as u32, radius);
            let white = spread((index & (side - 1)) as u32, radius);
            let outside = black & white | beyond(radius);
            let centre = 1 << MAX_RADIUS;
            let for_black = of_black.pattern(black & !white | centre, white | outside);
            let for_white = of_white.pattern(white & !black | centre, black | outside);
            *slot = for_black | for_white << 4;
        }
        LineTable { radius, patterns }
    }

    /// The number of cells on each side of a point that determine its pattern.
    #[inline]
    pub(super) fn radius(&self) -> u32 {
        self.radius
    }

    /// The pattern of a stone on bit `at` of the line for black (low four bits) and white (high four bits). A bit that is set in
    /// both words is off the board; the point itself is empty.
    #[inline]
    pub(super) fn lookup(&self, black: u64, white: u64, at: u32) -> u8 {
        let radius = self.radius;
        let low = (1u64 << radius) - 1;
        let from = at - radius;
        let (black, white) = (black >> from, white >> from);
        let pack = |bits: u64| bits & low | (bits >> 1) & (low << radius);
        let index = pack(black) << (2 * radius) | pack(white) & ((1 << (2 * radius)) - 1);
        let index = index as usize & ((1 << (4 * radius)) - 1);
        self.patterns[index]
    }
}

/// Spreads the packed cells of a window to their places around bit [`MAX_RADIUS`].
fn spread(packed: u32, radius: u32) -> u32 {
    let low = packed & ((1 << radius) - 1);
    let high = packed >> radius;
    (low << (MAX_RADIUS - radius)) | high << (MAX_RADIUS + 1)
}

/// The cells of the widest window outside this radius. They count as free of both colours for
/// rows of five or more, since they can't be part of such a row.
fn beyond(radius: u32) -> u32 {
    let window = (1u32 << (2 * MAX_RADIUS + 1)) - 1;
    let seen = spread((1 << (2 * radius)) - 1, radius) | 1 << MAX_RADIUS;
    window & !seen
}

/// Classifies windows of eleven cells with a stone in the middle, and caches the patterns.
struct Classifier {
    fives: Fives,
    known: Vec<u8>,
}

impl Classifier {
    const UNKNOWN: u8 = u8::MAX;

    fn new(fives: Fives) -> Classifier {
        Classifier { fives, known: vec![Classifier::UNKNOWN; 1 << (2 * (2 * MAX_RADIUS + 1))] }
    }

    fn pattern(&mut self, own: u32, blocked: u32) -> u8 {
        let blocked = blocked & !own;
        let index = (own << (2 * MAX_RADIUS + 1) | blocked) as usize;
        if self.known[index] == Classifier::UNKNOWN {
            self.known[index] = self.work_out(own, blocked);
        }
        self.known[index]
    }

    fn work_out(&mut self, own: u32, blocked: u32) -> u8 {
        if let Some(pattern) = self.row(own) {
            return pattern;
        }
        // The pattern of each further stone; rows through the centre end at most four cells away.
        let mut count = [0u32; 16];
        let mut wins = 0u32;
        for cell in MAX_RADIUS - 4..=MAX_RADIUS + 4 {
            let bit = 1 << cell;
            if (own | blocked) & bit == 0 {
                let made = self.pattern(own | bit, blocked);
                count[usize::from(made)] += 1;
                if made == pattern::FIVE {
                    wins |= bit;
                }
            }
        }
        let open_threes =
            count[usize::from(pattern::OPEN_THREE)] + count[usize::from(pattern::OPEN_THREE_WIDE)];
        let open_twos =
            (pattern::OPEN_TWO..=pattern::OPEN_TWO_WIDEST).map(|p| count[usize::from(p)]).sum::<u32>();
        let closed = |p: u8| count[usize::from(p)] > 0;
        match count[usize::from(pattern::FIVE)] {
            0 => {}
            1 => return pattern::FOUR,
            _ if self.fives == Fives::Fouls && !straight(wins) => return pattern::FOUL,
            _ => return pattern::OPEN_FOUR,
        }
        match count[usize::from(pattern::OPEN_FOUR)] {
            0 => {}
            1 => return pattern::OPEN_THREE,
            _ => return pattern::OPEN_THREE_WIDE,
        }
        if closed(pattern::FOUR) {
            return pattern::CLOSED_THREE;
        }
        match open_threes {
            0 => {}
            1 | 2 => return pattern::OPEN_TWO,
            3 => return pattern::OPEN_TWO_WIDE,
            _ => return pattern::OPEN_TWO_WIDEST,
        }
        if closed(pattern::CLOSED_THREE) {
            pattern::CLOSED_TWO
        } else if open_twos > 0 {
            pattern::OPEN_ONE
        } else if closed(pattern::CLOSED_TWO) {
            pattern::CLOSED_ONE
        } else {
            pattern::DEAD
        }
    }

    /// The pattern of a five or of a row that is too long, through the centre.
    fn row(&self, own: u32) -> Option<u8> {
        let above = (own >> MAX_RADIUS).trailing_ones();
        let below = (own << (31 - MAX_RADIUS)).leading_ones();
        match (above + below - 1, self.fives) {
            (0..=4, _) => None,
            (5, _) | (_, Fives::OrMore) => Some(pattern::FIVE),
            _ => Some(pattern::FOUL),
        }
    }
}

/// Whether two points make fives of the same four stones, and so are the ends of an open four.
fn straight(wins: u32) -> bool {
    let low = wins.trailing_zeros();
    wins == (1 << low | 1 << (low + 5))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pattern of a stone at `*` for black, on a line of `x` (black), `o` (white), `.` and `|` (off the board).
    fn made(line: &str, fives: Fives) -> u8 {
        let table = LineTable::new(fives, Fives::OrMore);
        let (mut black, mut white, mut at) = (u64::MAX, u64::MAX, 0);
        for (index, cell) in line.chars().enumerate() {
            let bit = 1u64 << (index + 10);
            match cell {
                'x' => white &= !bit,
                'o' => black &= !bit,
                '|' => {}
                _ => {
                    black &= !bit;
                    white &= !bit;
                    if cell == '*' {
                        at = index as u32 + 10;
                    }
                }
            }
        }
        table.lookup(black, white, at) & 15
    }

    #[test]
    fn lines_have_the_patterns_of_the_game() {
        for (line, expected) in [
            ("xx*xx", pattern::FIVE),
            ("oxxxx*o", pattern::FIVE),
            ("....xxx*....", pattern::OPEN_FOUR),
            ("oxxx*.", pattern::FOUR),
            ("oxx*x.o", pattern::FOUR),
            ("x.xx*.x", pattern::OPEN_FOUR),
            ("...xx*...", pattern::OPEN_THREE_WIDE),
            ("...x.*x...", pattern::OPEN_THREE),
            ("o.xx*..", pattern::OPEN_THREE),
            ("o.xx*.o", pattern::CLOSED_THREE),
            ("oxx*..", pattern::CLOSED_THREE),
            ("....x*....", pattern::OPEN_TWO_WIDEST),
            ("....x..*....", pattern::OPEN_TWO),
            ("ox*...o", pattern::CLOSED_TWO),
            ("o.x*.o", pattern::DEAD),
            ("..o.*.o..", pattern::DEAD),
            ("......*......", pattern::OPEN_ONE),
            ("xxx*xx", pattern::FIVE),
        ] {
            assert_eq!(made(line, Fives::OrMore), expected, "{line}");
        }
    }

    #[test]
    fn six_is_no_five_where_fives_are_exact() {
        for (line, expected) in [
            ("xxx*xx", pattern::FOUL),
            ("oxxxx*o", pattern::FIVE),
            (".xxx*.", pattern::OPEN_FOUR),
            ("x.xx*x.o", pattern::FOUR),
            ("x.xx*x.x", pattern::DEAD),
            ("x.xx*.x", pattern::OPEN_FOUR),
        ] {
            assert_eq!(made(line, Fives::Exactly), expected, "{line}");
        }
        assert_eq!(made("x.xx*.x", Fives::Fouls), pattern::FOUL, "two fours in a line");
        assert_eq!(made(".xxx*.", Fives::Fouls), pattern::OPEN_FOUR);
    }
}
