//! The squares of the board.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};

use super::Direction;
use crate::by_text::ParseError;
use crate::line::integer;

/// A square of the board: |x| ≤ 25 and |y| ≤ 12, x to the east, y to the north, (0, 0) in the middle. As text it is
/// `X,Y`, where `~` and `-` both mean minus; in JSON it is a member `x` and a member `y`, or a pair.
///
/// Ordered as a map is written: the northernmost line first, each from the west.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Square {
    x: i8,
    y: i8,
}

const EXPECTED: &str = "X,Y with X from -25 to 25 and Y from -12 to 12";

impl Square {
    /// The greatest x, that of the easternmost squares.
    pub const X_MAX: i8 = 25;
    /// The greatest y, that of the northernmost squares.
    pub const Y_MAX: i8 = 12;
    /// The number of squares in a row, from west to east.
    pub const COLUMNS: usize = 51;
    /// The number of rows, from north to south.
    pub const ROWS: usize = 25;
    /// The number of squares of the board.
    pub const COUNT: usize = Square::COLUMNS * Square::ROWS;

    /// The square (x, y); `None` when it is off the board.
    pub fn new(x: i64, y: i64) -> Option<Square> {
        let (x, y) = (i8::try_from(x).ok()?, i8::try_from(y).ok()?);
        let is_on =
            (-Square::X_MAX..=Square::X_MAX).contains(&x) && (-Square::Y_MAX..=Square::Y_MAX).contains(&y);
        is_on.then_some(Square { x, y })
    }

    /// The x coordinate, −25 (west) to 25 (east).
    pub fn x(self) -> i8 {
        self.x
    }

    /// The y coordinate, −12 (south) to 12 (north).
    pub fn y(self) -> i8 {
        self.y
    }

    /// The square's index in [`Square::all`].
    pub fn index(self) -> usize {
        (Square::Y_MAX - self.y) as usize * Square::COLUMNS + (self.x + Square::X_MAX) as usize
    }

    /// Every square, the northernmost line first, each from the west.
    pub fn all() -> impl ExactSizeIterator<Item = Square> + Clone {
        (0..Square::COUNT as u16).map(|index| {
            let columns = Square::COLUMNS as u16;
            Square { x: (index % columns) as i8 - Square::X_MAX, y: Square::Y_MAX - (index / columns) as i8 }
        })
    }

    /// The next square in the direction; `None` past the edge.
    #[must_use]
    pub fn step(self, direction: Direction) -> Option<Square> {
        let (dx, dy) = direction.delta();
        self.offset(dx, dy)
    }

    /// The square `dx` to the east and `dy` to the north; `None` off the board.
    #[must_use]
    pub fn offset(self, dx: i8, dy: i8) -> Option<Square> {
        Square::new(i64::from(self.x) + i64::from(dx), i64::from(self.y) + i64::from(dy))
    }

    /// The square mirrored at the line x = 0.
    #[must_use]
    pub fn mirrored(self) -> Square {
        Square { x: -self.x, y: self.y }
    }

    /// The square of the Euclidean distance between the two.
    pub fn distance_squared(self, other: Square) -> u32 {
        let (dx, dy) = (i32::from(self.x) - i32::from(other.x), i32::from(self.y) - i32::from(other.y));
        (dx * dx + dy * dy).unsigned_abs()
    }

    /// The square's name as the board and all texts for people have it: `4,−2`.
    pub fn label(self) -> String {
        self.to_string().replace('-', "−")
    }

    /// The larger of the distances along x and along y (Chebyshev distance): 1 for the eight squares around.
    pub fn steps_apart(self, other: Square) -> u8 {
        self.x.abs_diff(other.x).max(self.y.abs_diff(other.y))
    }
}

impl PartialOrd for Square {
    fn partial_cmp(&self, other: &Square) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Square {
    fn cmp(&self, other: &Square) -> std::cmp::Ordering {
        self.index().cmp(&other.index())
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

impl FromStr for Square {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Square, ParseError> {
        let parse = || {
            let (x, y) = text.split_once(',')?;
            Square::new(integer(x.as_bytes())?, integer(y.as_bytes())?)
        };
        parse().ok_or_else(|| ParseError::new(text, "a square", EXPECTED))
    }
}

impl<'de> Deserialize<'de> for Square {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Square, D::Error> {
        #[derive(Deserialize)]
        struct Raw {
            x: i64,
            y: i64,
        }
        let Raw { x, y } = Raw::deserialize(deserializer)?;
        Square::new(x, y).ok_or_else(|| off_the_board(x, y))
    }
}

fn off_the_board<E: serde::de::Error>(x: i64, y: i64) -> E {
    E::custom(ParseError::new(&format!("{x},{y}"), "a square", EXPECTED))
}

/// JSON of a square as the pair `[x,y]`, for `#[serde(with = "…")]`.
pub mod pair {
    use super::Square;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Writes `[x,y]`.
    ///
    /// # Errors
    /// The errors of `serializer`.
    pub fn serialize<S: Serializer>(place: &Square, serializer: S) -> Result<S::Ok, S::Error> {
        (place.x, place.y).serialize(serializer)
    }

    /// Reads `[x,y]`.
    ///
    /// # Errors
    /// The value is not a pair of whole numbers, or the square is off the board.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Square, D::Error> {
        let (x, y) = Deserialize::deserialize(deserializer)?;
        Square::new(x, y).ok_or_else(|| super::off_the_board(x, y))
    }
}
