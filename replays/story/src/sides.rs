//! Teams of a match: names, badges and scores.

use grandstand_protocol::team::{BlackWhite, RedBlue};
use grandstand_protocol::{Color, TeamInfo};

/// Badge of a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Badge {
    /// A piece.
    Piece(BlackWhite),
    /// A stone.
    Stone(BlackWhite),
    /// The emblem of red or blue.
    Squad(RedBlue),
    /// A colour with the first letter.
    Color(Color),
}

/// A team.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    /// Name in the dialect: `black`.
    pub key: String,
    /// Name for people.
    pub name: String,
    /// Badge.
    pub badge: Badge,
    /// Score in the game's own measure.
    pub score: i32,
}

impl Side {
    /// Name beside its badge, without the suffix for equal names.
    pub fn short(&self) -> &str {
        let own = self.name.strip_suffix(')').and_then(|name| name.strip_suffix(self.key.as_str()));
        own.and_then(|name| name.strip_suffix(" (")).unwrap_or(&self.name)
    }
}

/// Two teams with names in the dialect. Their names are that of the same colour in the header, else that in the same
/// place, else that of the dialect.
pub fn two_sides(teams: &[TeamInfo], own: [(Color, &str, Badge, i32); 2]) -> Vec<Side> {
    let mut index = 0;
    let mut sides = own.map(|(color, key, badge, score)| {
        let info = teams.iter().find(|info| info.color == color).or(teams.get(index));
        index += 1;
        let name = info.map_or("", |info| info.name.trim());
        let name = if name.is_empty() { capitalised(key) } else { name.to_owned() };
        Side { key: key.to_owned(), name, badge, score }
    });
    tell_apart(&mut sides);
    sides.into()
}

/// Adds the dialect's names to equal names: a program plays against itself.
pub fn tell_apart(sides: &mut [Side]) {
    if let [one, other] = sides
        && one.name == other.name
    {
        sides.iter_mut().for_each(|side| side.name = format!("{} ({})", side.name, side.key));
    }
}

/// The word with a capital first letter.
pub fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
