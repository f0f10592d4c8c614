//! Points and sizes of boards.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::by_text::{ParseError, json_by_text};

/// The number of columns and rows of a board: an odd number from 5 to 999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u16", into = "u16")]
pub struct Size(u16);

/// A number that is not the size of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not the size of a board: expected an odd number from 5 to 999")]
pub struct SizeError(u16);

impl Size {
    /// The smallest size.
    pub const MIN: Size = Size(5);
    /// The largest size.
    pub const MAX: Size = Size(999);
    /// The size of the board before the first `board` command.
    pub const USUAL: Size = Size(15);

    /// The size with this number of columns and rows; `None` unless it is an odd number from 5 to 999.
    pub fn new(size: u16) -> Option<Size> {
        ((Size::MIN.0..=Size::MAX.0).contains(&size) && size % 2 == 1).then_some(Size(size))
    }

    /// The number of columns and rows.
    pub fn get(self) -> u16 {
        self.0
    }

    /// The point in the middle.
    pub fn centre(self) -> Point {
        Point { y: self.0 / 2, x: self.0 / 2 }
    }

    /// The point in the last column and the last row.
    pub fn last(self) -> Point {
        Point { y: self.0 - 1, x: self.0 - 1 }
    }

    /// Whether the point is on the board.
    pub fn has(self, point: Point) -> bool {
        point.x < self.0 && point.y < self.0
    }
}

impl TryFrom<u16> for Size {
    type Error = SizeError;

    fn try_from(size: u16) -> Result<Size, SizeError> {
        Size::new(size).ok_or(SizeError(size))
    }
}

impl From<Size> for u16 {
    fn from(size: Size) -> u16 {
        size.0
    }
}

/// A point of the largest board, `h8`: the letters of its column, from `a` on the left (after `z` come `aa`, `ab`, …), and
/// the number of its row, from 1 at the bottom. Ordered row by row, from below.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    y: u16,
    x: u16,
}

pub(super) const POINT: &str = "a point: the letters of a column from a and a row from 1 to 999, as in h8";

impl Point {
    /// The point in column `x` from the left and row `y` from below, both from 0; `None` off the largest board.
    pub fn new(x: u16, y: u16) -> Option<Point> {
        let point = Point { y, x };
        Size::MAX.has(point).then_some(point)
    }

    /// The column, 0 at the left.
    pub fn x(self) -> u16 {
        self.x
    }

    /// The row, 0 at the bottom.
    pub fn y(self) -> u16 {
        self.y
    }

    /// The letters of a column.
    pub fn column(x: u16) -> String {
        let mut letters = [b'a'; 4];
        let (mut at, mut rest) = (letters.len(), u32::from(x) + 1);
        while rest > 0 {
            at -= 1;
            letters[at] = b'a' + ((rest - 1) % 26) as u8;
            rest = (rest - 1) / 26;
        }
        letters[at..].iter().map(|&letter| char::from(letter)).collect()
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = Point::column(self.x);
        write!(name, "{}", self.y + 1)?;
        f.pad(&name)
    }
}

impl FromStr for Point {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Point, ParseError> {
        read(text).ok_or_else(|| ParseError::new(text, "a point", POINT))
    }
}

fn read(text: &str) -> Option<Point> {
    let letters = text.bytes().take_while(u8::is_ascii_lowercase).count();
    let (column, row) = text.split_at(letters);
    if !(1..=3).contains(&letters) || row.len() > 9 || !row.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let x = column.bytes().fold(0, |x, letter| x * 26 + u32::from(letter - b'a') + 1);
    let y: u32 = row.parse().ok()?;
    Point::new(u16::try_from(x - 1).ok()?, u16::try_from(y.checked_sub(1)?).ok()?)
}

json_by_text!(Point);
