//! Places on the boards of all games.

use std::fmt;

use crate::games::{abalone, fortress, grid, shark, stones};

/// A place on a board of any game. `Display` writes the name that overlays use: `B-2`, `3,4`, `h8`, `17`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// A hex of Abalone.
    Hex(abalone::Hex),
    /// A tile of λ-Shark.
    Tile(shark::Tile),
    /// A square of Steam Fortress.
    Square(fortress::Square),
    /// A point of a board with stones.
    Point(stones::Point),
    /// The number of a territory of Riskless.
    Territory(u8),
    /// A cell of a grid.
    Cell(grid::Coord),
}

impl Place {
    /// The place's name as the board and all texts for people have it: `B−2`, where overlays say `B-2`.
    pub fn label(self) -> String {
        self.to_string().replace('-', "−")
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Hex(hex) => f.pad(hex.name()),
            Place::Tile(place) => place.fmt(f),
            Place::Square(place) => place.fmt(f),
            Place::Point(point) => point.fmt(f),
            Place::Territory(number) => number.fmt(f),
            Place::Cell(place) => place.fmt(f),
        }
    }
}

/// The places that a command names: up to two without an allocation, and any number in an iterator after them.
#[derive(Default)]
pub(crate) struct Places<'a> {
    pub(crate) few: [Option<Place>; 2],
    pub(crate) many: Option<Box<dyn Iterator<Item = Place> + 'a>>,
}

impl<'a> Places<'a> {
    pub(crate) fn one(place: Place) -> Places<'a> {
        Places { few: [Some(place), None], many: None }
    }

    pub(crate) fn two(places: [Place; 2]) -> Places<'a> {
        Places { few: places.map(Some), many: None }
    }

    pub(crate) fn many(places: impl Iterator<Item = Place> + 'a) -> Places<'a> {
        Places { few: [None; 2], many: Some(Box::new(places)) }
    }
}

impl Iterator for Places<'_> {
    type Item = Place;

    fn next(&mut self) -> Option<Place> {
        let [first, second] = &mut self.few;
        first.take().or_else(|| second.take()).or_else(|| self.many.as_mut()?.next())
    }
}
