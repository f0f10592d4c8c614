//! Tiles, headings and the line of a shot.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::by_text::ParseError;
use crate::games::grid;
use crate::words;

/// The number of columns of the board.
pub const WIDTH: u8 = 32;
/// The number of rows of the board.
pub const HEIGHT: u8 = 16;

/// A tile of the board, `X,Y`: column 0 to 31 from the left, row 0 to 15 from the top. Ordered row by row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "Coordinates", into = "Coordinates")]
pub struct Tile {
    y: u8,
    x: u8,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Coordinates {
    x: u8,
    y: u8,
}

const EXPECTED: &str = "X,Y with X from 0 to 31 and Y from 0 to 15";

impl Tile {
    /// The number of tiles of the board.
    pub const COUNT: usize = WIDTH as usize * HEIGHT as usize;

    /// The tile in column `x` of row `y`; `None` off the board.
    pub fn new(x: u8, y: u8) -> Option<Tile> {
        (x < WIDTH && y < HEIGHT).then_some(Tile { y, x })
    }

    /// Every tile, row by row.
    pub fn all() -> impl DoubleEndedIterator<Item = Tile> + ExactSizeIterator + Clone {
        let width = u16::from(WIDTH);
        (0..Tile::COUNT as u16).map(move |i| Tile { y: (i / width) as u8, x: (i % width) as u8 })
    }

    /// The column, 0 at the left.
    pub fn x(self) -> u8 {
        self.x
    }

    /// The row, 0 at the top.
    pub fn y(self) -> u8 {
        self.y
    }

    /// The tile's index in [`Tile::all`], 0 to 511.
    pub fn index(self) -> usize {
        usize::from(self.y) * usize::from(WIDTH) + usize::from(self.x)
    }

    /// The neighbouring tile in a direction; `None` off the board.
    #[must_use]
    pub fn neighbour(self, heading: Heading) -> Option<Tile> {
        let (x, y) = heading.step();
        Tile::new(self.x.checked_add_signed(x)?, self.y.checked_add_signed(y)?)
    }

    /// The number of moves between two tiles (section 2.3).
    pub fn distance(self, other: Tile) -> u32 {
        u32::from(self.x.abs_diff(other.x)) + u32::from(self.y.abs_diff(other.y))
    }
}

impl TryFrom<Coordinates> for Tile {
    type Error = ParseError;

    fn try_from(Coordinates { x, y }: Coordinates) -> Result<Tile, ParseError> {
        Tile::new(x, y).ok_or_else(|| ParseError::new(&format!("{x},{y}"), "a tile", EXPECTED))
    }
}

impl From<Tile> for Coordinates {
    fn from(Tile { x, y }: Tile) -> Coordinates {
        Coordinates { x, y }
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

impl FromStr for Tile {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Tile, ParseError> {
        let place = text.parse::<grid::Coord>().ok().and_then(|place| Tile::new(place.x(), place.y()));
        place.ok_or_else(|| ParseError::new(text, "a tile", EXPECTED))
    }
}

words! {
    /// The direction of a robot: the handout's figure 2.
    #[expect(missing_docs, reason = "the names say it")]
    Heading {
        Up = "UP",
        Down = "DOWN",
        Left = "LEFT",
        Right = "RIGHT",
    }
}

impl Heading {
    /// The change of column and row with one step in this direction: up is towards row 0.
    pub fn step(self) -> (i8, i8) {
        match self {
            Heading::Up => (0, -1),
            Heading::Down => (0, 1),
            Heading::Left => (-1, 0),
            Heading::Right => (1, 0),
        }
    }
}

/// A laser beam, along a row or a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Shot {
    #[serde(serialize_with = "pair")]
    from: Tile,
    #[serde(serialize_with = "pair")]
    to: Tile,
}

impl Shot {
    /// The beam between two tiles; `None` unless they share a row or a column.
    pub fn new(from: Tile, to: Tile) -> Option<Shot> {
        (from.x == to.x || from.y == to.y).then_some(Shot { from, to })
    }

    /// The tile where the shot was fired.
    pub fn from(self) -> Tile {
        self.from
    }

    /// The tile that was hit.
    pub fn to(self) -> Tile {
        self.to
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn pair<S: serde::Serializer>(place: &Tile, serializer: S) -> Result<S::Ok, S::Error> {
    (place.x, place.y).serialize(serializer)
}

impl<'de> Deserialize<'de> for Shot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Shot, D::Error> {
        #[derive(Deserialize)]
        struct Raw {
            from: (u8, u8),
            to: (u8, u8),
        }
        let Raw { from, to } = Raw::deserialize(deserializer)?;
        let place = |(x, y)| Tile::try_from(Coordinates { x, y }).map_err(D::Error::custom);
        let (from, to) = (place(from)?, place(to)?);
        Shot::new(from, to).ok_or_else(|| {
            D::Error::custom(format_args!("a shot from {from} to {to} runs along no row and no column"))
        })
    }
}
