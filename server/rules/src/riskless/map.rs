//! Map of Riskless.

use std::fmt::{self, Write};

use super::Graph;
use crate::turn::Side;

/// The most territories of a map: a set of territories is the bits of one word.
pub const TERRITORIES_MAX: usize = 64;
/// The longest name of a territory or map, in characters.
pub const NAME_MAX_CHARS: usize = 40;
/// The highest army cap of a territory.
pub const ARMIES_MAX: u8 = 100;
/// The latest ply that a map may set for a draw.
pub const PLIES_MAX: u32 = 10_000;

/// A territory of a map, with its holder at the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Territory {
    /// The territory's name.
    pub name: String,
    /// The x coordinate in thousandths of the map's width from the left: 0 to 1,000.
    pub x: u16,
    /// The y coordinate in thousandths of the map's height from the top: 0 to 1,000.
    pub y: u16,
    /// The holder at the start, and the number of armies.
    pub start: Option<(Side, u8)>,
}

/// A checked map: its graph is simple, undirected and connected, both sides can move and nobody has won yet.
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
    /// The title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The most armies that a territory can hold.
    pub fn cap(&self) -> u8 {
        self.cap
    }

    /// The number of armies that wins.
    pub fn goal(&self) -> u16 {
        self.goal
    }

    /// The ply at which a match without a winner is a draw.
    pub fn draw_plies(&self) -> u32 {
        self.draw_plies
    }

    /// The territories, in order of their numbers.
    pub fn territories(&self) -> &[Territory] {
        &self.territories
    }

    /// The roads: pairs of territories, each pair once.
    pub fn roads(&self) -> &[(u8, u8)] {
        &self.roads
    }

    /// Territories and roads as a graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The neighbours of a territory, ascending; empty for an invalid number.
    pub fn neighbours(&self, territory: u8) -> &[u8] {
        self.neighbours.get(usize::from(territory)).map_or(&[], Vec::as_slice)
    }

    /// A territory's name; empty for an invalid number.
    pub fn name(&self, territory: u8) -> &str {
        self.territories.get(usize::from(territory)).map_or("", |territory| &territory.name)
    }

    /// The numbers of armies and of territories of a side at the start.
    pub(super) fn start_of(&self, side: Side) -> (u32, u32) {
        let holdings = self.territories.iter().filter_map(|territory| territory.start);
        holdings
            .filter(|start| start.0 == side)
            .fold((0, 0), |(armies, held), (_, more)| (armies + u32::from(more), held + 1))
    }
}

/// Writes the text of a map file, which [`Map::parse`] reads as an equal map.
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

/// A TOML string. Names have no control characters, so only quotes and backslashes are escaped.
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

/// The name of a side: `maxie` or `minnie`.
pub(super) fn side_name(side: Side) -> &'static str {
    match side {
        Side::First => "maxie",
        Side::Second => "minnie",
    }
}
