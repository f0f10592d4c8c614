//! The 61 hexes of the board: the Abalone handout, section 2.2.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use super::Facing;
use crate::by_text::{ParseError, from_json_by_text};
use crate::line::integer;

/// A hex of the board, in row order: `A-4` is the first and `I4` the last. There is no hex off the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hex(u8);

/// The names of all hexes, in their order.
#[rustfmt::skip]
const NAMES: [&str; Hex::COUNT] = [
    "A-4", "A-3", "A-2", "A-1", "A0",
    "B-4", "B-3", "B-2", "B-1", "B0", "B1",
    "C-4", "C-3", "C-2", "C-1", "C0", "C1", "C2",
    "D-4", "D-3", "D-2", "D-1", "D0", "D1", "D2", "D3",
    "E-4", "E-3", "E-2", "E-1", "E0", "E1", "E2", "E3", "E4",
    "F-3", "F-2", "F-1", "F0", "F1", "F2", "F3", "F4",
    "G-2", "G-1", "G0", "G1", "G2", "G3", "G4",
    "H-1", "H0", "H1", "H2", "H3", "H4",
    "I0", "I1", "I2", "I3", "I4",
];

/// Row and diagonal of every hex, and the inverse table, in which [`OFF`] means off the board.
const TABLES: ([(i8, i8); Hex::COUNT], [[u8; 9]; 9]) = {
    let mut coordinates = [(0, 0); Hex::COUNT];
    let mut indices = [[OFF; 9]; 9];
    let mut next = 0;
    let mut row = -4;
    while row <= 4 {
        let mut diagonal = -4;
        while diagonal <= 4 {
            if row - diagonal >= -4 && row - diagonal <= 4 {
                coordinates[next as usize] = (row, diagonal);
                indices[(row + 4) as usize][(diagonal + 4) as usize] = next;
                next += 1;
            }
            diagonal += 1;
        }
        row += 1;
    }
    (coordinates, indices)
};
static COORDINATES: [(i8, i8); Hex::COUNT] = TABLES.0;
static INDICES: [[u8; 9]; 9] = TABLES.1;
const OFF: u8 = u8::MAX;

impl Hex {
    /// The number of hexes of the board.
    pub const COUNT: usize = 61;

    /// Every hex, in order.
    pub fn all() -> impl DoubleEndedIterator<Item = Hex> + ExactSizeIterator + Clone {
        (0..Hex::COUNT as u8).map(Hex)
    }

    /// The hex (r, d); `None` off the board, that is unless |r|, |d| and |r − d| are all at most 4.
    pub fn from_rd(row: i8, diagonal: i8) -> Option<Hex> {
        let row = usize::try_from(i16::from(row) + 4).ok()?;
        let diagonal = usize::try_from(i16::from(diagonal) + 4).ok()?;
        let index = *INDICES.get(row)?.get(diagonal)?;
        (index != OFF).then_some(Hex(index))
    }

    /// The row, −4 (A) to 4 (I).
    pub fn row(self) -> i8 {
        COORDINATES[self.index()].0
    }

    /// The diagonal, −4 to 4.
    pub fn diagonal(self) -> i8 {
        COORDINATES[self.index()].1
    }

    /// The row's letter, `A` to `I`.
    pub fn letter(self) -> char {
        char::from(b'A' + (self.row() + 4) as u8)
    }

    /// The hex's index in [`Hex::all`], 0 to 60.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The neighbouring hex in a direction; `None` off the board, and for [`Facing::None`].
    #[must_use]
    pub fn neighbour(self, direction: Facing) -> Option<Hex> {
        if direction == Facing::None {
            return None;
        }
        let (rows, diagonals) = direction.step();
        Hex::from_rd(self.row() + rows, self.diagonal() + diagonals)
    }

    /// The hex's name with `-` for minus, as in JSON: `B-2`.
    pub fn name(self) -> &'static str {
        NAMES[self.index()]
    }

    /// The hex's name as the board and all texts for people have it: `B−2`.
    pub fn label(self) -> String {
        self.name().replace('-', "−")
    }

    /// Writes the hex's name with `~` for minus, as in text lines: `B~2`.
    #[inline]
    pub(crate) fn push_text(self, out: &mut String) {
        let (row, diagonal) = COORDINATES[self.index()];
        out.push(char::from(b'E'.wrapping_add_signed(row)));
        if diagonal < 0 {
            out.push('~');
        }
        out.push(char::from(b'0' + diagonal.unsigned_abs()));
    }

    /// Parses a row letter and a diagonal, where `~` and `-` both mean minus. The error is the offset of the first wrong
    /// byte, and the expected text there.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Hex, (usize, String)> {
        let row = match bytes.first() {
            Some(letter @ b'A'..=b'I') => (letter - b'A') as i8 - 4,
            _ => return Err((0, "a position: a row from A to I and a diagonal from ~4 to 4".to_owned())),
        };
        let diagonal = integer(&bytes[1..]).and_then(|diagonal| i8::try_from(diagonal).ok());
        diagonal.and_then(|diagonal| Hex::from_rd(row, diagonal)).ok_or_else(|| {
            let sign = |n: i8| if n < 0 { format!("~{}", n.unsigned_abs()) } else { n.to_string() };
            let (first, last) = ((row - 4).max(-4), (row + 4).min(4));
            let expected =
                format!("a diagonal from {} to {} on row {}", sign(first), sign(last), char::from(bytes[0]));
            (1, expected)
        })
    }
}

/// The name with `~` for minus, as in text lines: `B~2`.
impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(3);
        self.push_text(&mut text);
        f.pad(&text)
    }
}

impl fmt::Debug for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hex({self})")
    }
}

/// Reads both signs: `B~2` and `B-2`.
impl FromStr for Hex {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Hex, ParseError> {
        Hex::parse(text.as_bytes()).map_err(|(_, expected)| ParseError::new(text, "a hex", expected))
    }
}

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

from_json_by_text!(Hex);
