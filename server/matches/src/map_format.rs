//! Map format of a game: its shipped maps, the extension of its files, and the check of a map.

use grandstand_protocol::Game;
use grandstand_rules::map::MapFaults;

/// Map format of a game.
#[derive(Debug)]
pub struct MapFormat {
    /// The game.
    pub game: Game,
    /// Names and texts of the shipped maps; the first is the default.
    pub shipped: &'static [(&'static str, &'static str)],
    /// Extension of map files.
    pub extension: &'static str,
    /// Characters that maps consist of; empty if they do not distinguish them from maps of other games.
    pub letters: &'static str,
    /// Check of a map: warnings, or the faults of an invalid one.
    pub check: fn(&[u8]) -> Result<MapFaults, MapFaults>,
}

impl MapFormat {
    /// Names of the shipped maps, for messages.
    pub fn names(&self) -> String {
        names(self.shipped)
    }
}

/// Names of shipped maps, for messages.
pub(crate) fn names(shipped: &[(&str, &str)]) -> String {
    shipped.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}
