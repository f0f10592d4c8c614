//! Elevation of every square.

use std::fmt;
use std::sync::Arc;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Elevation, Square};

/// The elevation of every square; by default low ground everywhere. In JSON it is one string for each row of the board,
/// the northernmost first, with a letter for each square from the west. A clone shares the squares until one of the two
/// changes.
#[derive(Clone, PartialEq, Eq)]
pub struct Terrain(Arc<[Elevation; Square::COUNT]>);

impl Terrain {
    /// The elevation of a square.
    pub fn get(&self, at: Square) -> Elevation {
        self.0[at.index()]
    }

    /// Sets the elevation of a square.
    pub fn set(&mut self, at: Square, elevation: Elevation) {
        if self.get(at) != elevation {
            Arc::make_mut(&mut self.0)[at.index()] = elevation;
        }
    }

    /// The rows of the board, the northernmost first.
    fn rows(&self) -> impl Iterator<Item = String> {
        self.0.chunks(Square::COLUMNS).map(|row| row.iter().map(|elevation| elevation.letter()).collect())
    }
}

impl Default for Terrain {
    fn default() -> Terrain {
        Terrain(Arc::new([Elevation::Low; Square::COUNT]))
    }
}

impl fmt::Debug for Terrain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.rows()).finish()
    }
}

impl Serialize for Terrain {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.rows())
    }
}

impl<'de> Deserialize<'de> for Terrain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Terrain, D::Error> {
        let rows: Vec<String> = Vec::deserialize(deserializer)?;
        if rows.len() != Square::ROWS {
            let message = format_args!("{} lines of elevations: expected {}", rows.len(), Square::ROWS);
            return Err(D::Error::custom(message));
        }
        let mut terrain = Terrain::default();
        let squares = Arc::make_mut(&mut terrain.0);
        for (row, squares) in rows.iter().zip(squares.chunks_mut(Square::COLUMNS)) {
            let mut letters = row.chars();
            for square in squares {
                *square = letters.next().and_then(Elevation::from_letter).ok_or_else(|| not_a_row(row))?;
            }
            if letters.next().is_some() {
                return Err(not_a_row(row));
            }
        }
        Ok(terrain)
    }
}

fn not_a_row<E: serde::de::Error>(row: &str) -> E {
    let row = crate::text::shorten(row, 60);
    E::custom(format_args!("`{row}` is not a line of elevations: expected {} of l, r and h", Square::COLUMNS))
}
