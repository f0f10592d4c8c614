//! Map format of a game: its shipped maps, what its files are called, and the check of a map.

use grandstand_protocol::Game;
use grandstand_rules::map::MapFaults;

/// What a game's maps are.
#[derive(Debug)]
pub struct MapFormat {
    /// The game.
    pub game: Game,
    /// Name and text of the shipped maps; the first is the one that is played on when none is named.
    pub shipped: &'static [(&'static str, &'static str)],
    /// What the names of map files end with.
    pub extension: &'static str,
    /// The characters that maps are made of, where that tells them from maps of other games.
    pub letters: &'static str,
    /// The most bytes that a map has.
    pub max_bytes: usize,
    /// Warnings about a map, or why it is none.
    pub check: fn(&[u8]) -> Result<MapFaults, MapFaults>,
}

impl MapFormat {
    /// The names of the shipped maps, for messages.
    pub fn names(&self) -> String {
        names(self.shipped)
    }
}

/// The names of shipped maps, for messages.
pub(crate) fn names(shipped: &[(&str, &str)]) -> String {
    shipped.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}
