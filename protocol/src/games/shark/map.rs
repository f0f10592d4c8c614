//! The ground of the board: the handout's section 3.1.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{HEIGHT, Team, Tile, WIDTH};
use crate::text::shorten;

/// The ground of a tile of a map.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Ground {
    /// `.`: empty space.
    #[default]
    Empty,
    /// `*`: a wall.
    Wall,
    /// `r`, `b`: a spawn point of a team's robots.
    Spawn(Team),
    /// `R`, `B`: the stand of a team's flag.
    Stand(Team),
    /// `i`: a drop point of powerups.
    Drop,
}

impl Ground {
    /// Every ground, in the order of the handout's list.
    pub const ALL: [Ground; 7] = [
        Ground::Empty,
        Ground::Wall,
        Ground::Spawn(Team::Red),
        Ground::Spawn(Team::Blue),
        Ground::Stand(Team::Red),
        Ground::Stand(Team::Blue),
        Ground::Drop,
    ];

    /// The letter of this ground in a map.
    pub fn letter(self) -> char {
        match self {
            Ground::Empty => '.',
            Ground::Wall => '*',
            Ground::Spawn(Team::Red) => 'r',
            Ground::Spawn(Team::Blue) => 'b',
            Ground::Stand(Team::Red) => 'R',
            Ground::Stand(Team::Blue) => 'B',
            Ground::Drop => 'i',
        }
    }

    /// The ground with that letter.
    pub fn from_letter(letter: char) -> Option<Ground> {
        Ground::ALL.into_iter().find(|ground| ground.letter() == letter)
    }
}

/// A map: the ground of every tile, without a check that it is playable. A clone shares the tiles.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Map(Arc<[Ground; Tile::COUNT]>);

/// A map with an invalid row, or with a wrong number of rows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MapError {
    /// The number of rows is not sixteen.
    #[error("a map has 16 rows, this one has {0}")]
    Rows(usize),
    /// A row is not 32 letters of grounds.
    #[error("row {row} of a map is `{text}`: expected {ROW}")]
    Row {
        /// The row's number, from 0.
        row: usize,
        /// The row, shortened.
        text: String,
    },
}

pub(super) const ROW: &str = "a row of the map: 32 of . * r b R B i";
pub(super) const LETTER: &str = "the letter of a tile: . * r b R B or i";

impl Map {
    /// The map with this ground.
    pub fn new(ground: impl Fn(Tile) -> Ground) -> Map {
        let mut tiles = [Ground::Empty; Tile::COUNT];
        Tile::all().for_each(|place| tiles[place.index()] = ground(place));
        Map(Arc::new(tiles))
    }

    /// The map with these rows, the topmost first.
    ///
    /// # Errors
    /// [`MapError`] unless there are sixteen rows of 32 letters.
    pub fn from_rows<T: AsRef<str>>(rows: impl IntoIterator<Item = T>) -> Result<Map, MapError> {
        let mut tiles = [Ground::Empty; Tile::COUNT];
        let mut count = 0;
        for row in rows {
            let text = row.as_ref();
            if let Some(tiles) = tiles.chunks_exact_mut(usize::from(WIDTH)).nth(count) {
                let parsed = parse_row(text.as_bytes());
                let parsed = parsed.ok_or_else(|| MapError::Row { row: count, text: shorten(text, 40) })?;
                tiles.copy_from_slice(&parsed);
            }
            count += 1;
        }
        if count == usize::from(HEIGHT) { Ok(Map(Arc::new(tiles))) } else { Err(MapError::Rows(count)) }
    }

    /// The ground of a tile.
    pub fn get(&self, place: Tile) -> Ground {
        self.0[place.index()]
    }

    /// The rows as text, the topmost first.
    pub fn rows(&self) -> impl Iterator<Item = String> {
        self.0.chunks_exact(usize::from(WIDTH)).map(|row| row.iter().map(|ground| ground.letter()).collect())
    }
}

/// Parses a row: 32 letters, each a ground.
pub(super) fn parse_row(bytes: &[u8]) -> Option<[Ground; WIDTH as usize]> {
    let mut row = [Ground::Empty; WIDTH as usize];
    if bytes.len() != row.len() {
        return None;
    }
    for (ground, &byte) in row.iter_mut().zip(bytes) {
        *ground = Ground::from_letter(char::from(byte))?;
    }
    Some(row)
}

/// Writes the rows, each on a line of its own, as in a map file.
impl fmt::Display for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows().try_for_each(|row| writeln!(f, "{row}"))
    }
}

impl fmt::Debug for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.rows()).finish()
    }
}

impl Serialize for Map {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.rows())
    }
}

impl<'de> Deserialize<'de> for Map {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Map, D::Error> {
        Map::from_rows(Vec::<String>::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}
