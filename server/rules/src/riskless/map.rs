//! A map on which Riskless can be played.

use std::fmt::{self, Write};

use super::Graph;
use crate::turn::Side;

/// The most territories of a map: sets of them are bits of one word.
pub const TERRITORIES_MAX: usize = 64;
/// The longest name of a territory or map, in characters.
pub const NAME_MAX_CHARS: usize = 40;
/// The highest army cap of a territory.
pub const ARMIES_MAX: u8 = 100;
/// The latest ply at which a map may call a match a draw.
pub const PLIES_MAX: u32 = 10_000;

/// A territory of a map, and who holds it at the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Territory {
    /// Its name.
    pub name: String,
    /// Where it is, in thousandths of the map's width from the left: 0 to 1,000.
    pub x: u16,
    /// Where it is, in thousandths of the map's height from the top: 0 to 1,000.
    pub y: u16,
    /// Whose it is at the start, with how many armies.
    pub start: Option<(Side, u8)>,
}

/// A map that was checked: its graph is simple, undirected and connected, both sides can move and nobody has won yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Map {
    pub(super) title: String,
    pub(super) cap: u8,
    pub(super) goal: u16,
    pub(super) draw_plies: u32,
    pub(super) territories: Vec<Territory>,
    /// Pairs of territories, in the order of the file.
    pub(super) roads: Vec<(u8, u8)>,
    pub(super) graph: Graph,
    /// The neighbours of each territory, ascending.
    pub(super) neighbours: Vec<Vec<u8>>,
}

impl Map {
    /// What it is called.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The most armies that a territory can hold.
    #[must_use]
    pub fn cap(&self) -> u8 {
        self.cap
    }

    /// The armies that win.
    #[must_use]
    pub fn goal(&self) -> u16 {
        self.goal
    }

    /// The ply at which a match that nobody has won is a draw.
    #[must_use]
    pub fn draw_plies(&self) -> u32 {
        self.draw_plies
    }

    /// The territories, by their numbers.
    #[must_use]
    pub fn territories(&self) -> &[Territory] {
        &self.territories
    }

    /// The roads: pairs of territories, each pair once.
    #[must_use]
    pub fn roads(&self) -> &[(u8, u8)] {
        &self.roads
    }

    /// Territories and roads as a graph.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The territories to which a road leads from this one, ascending; none for a number that is no territory.
    #[must_use]
    pub fn neighbours(&self, territory: u8) -> &[u8] {
        self.neighbours.get(usize::from(territory)).map_or(&[], Vec::as_slice)
    }

    /// A territory's name; empty for a number that is no territory.
    #[must_use]
    pub fn name(&self, territory: u8) -> &str {
        self.territories.get(usize::from(territory)).map_or("", |territory| &territory.name)
    }

    /// The armies of a side at the start, and on how many territories.
    pub(super) fn start_of(&self, side: Side) -> (u32, u32) {
        let holdings = self.territories.iter().filter_map(|territory| territory.start);
        holdings
            .filter(|start| start.0 == side)
            .fold((0, 0), |(armies, held), (_, more)| (armies + u32::from(more), held + 1))
    }
}

/// The text of a map file, which [`Map::parse`] reads as an equal map.
impl fmt::Display for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "title = {}", Quoted(&self.title))?;
        writeln!(f, "cap = {}\ngoal = {}\ndraw_plies = {}\n", self.cap, self.goal, self.draw_plies)?;
        f.write_str("territories = [\n")?;
        for Territory { name, x, y, start } in &self.territories {
            write!(f, "    {{ name = {}, x = {x}, y = {y}", Quoted(name))?;
            match start {
                Some((side, armies)) => writeln!(f, ", {} = {armies} }},", side_name(*side))?,
                None => f.write_str(" },\n")?,
            }
        }
        f.write_str("]\n\nroads = [\n")?;
        for &(a, b) in &self.roads {
            writeln!(f, "    [{}, {}],", Quoted(self.name(a)), Quoted(self.name(b)))?;
        }
        f.write_str("]\n")
    }
}

/// A string of TOML. Names have no control characters.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for character in self.0.chars() {
            if matches!(character, '"' | '\\') {
                f.write_char('\\')?;
            }
            f.write_char(character)?;
        }
        f.write_char('"')
    }
}

/// What a side is called: `maxie` or `minnie`.
pub(super) fn side_name(side: Side) -> &'static str {
    match side {
        Side::First => "maxie",
        Side::Second => "minnie",
    }
}
