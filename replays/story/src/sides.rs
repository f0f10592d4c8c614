//! The teams of a match as they are shown: who they are, their badge, their score.

use grandstand_protocol::team::{BlackWhite, RedBlue};
use grandstand_protocol::{Color, TeamInfo};

/// How a team is told from the others at a glance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Badge {
    /// By its piece.
    Piece(BlackWhite),
    /// By its stone.
    Stone(BlackWhite),
    /// Red or blue, by its emblem.
    Squad(RedBlue),
    /// By its colour and its first letter.
    Color(Color),
}

/// One team.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    /// Its name in the dialect: `black`.
    pub key: String,
    /// Its name for people.
    pub name: String,
    /// How it is told from the others.
    pub badge: Badge,
    /// How many points it has, in the game's own measure.
    pub score: i32,
}

impl Side {
    /// Its name beside its badge, which tells it from a team of the same name.
    pub fn short(&self) -> &str {
        let own = self.name.strip_suffix(')').and_then(|name| name.strip_suffix(self.key.as_str()));
        own.and_then(|name| name.strip_suffix(" (")).unwrap_or(&self.name)
    }
}

/// Two teams with names of their own in the dialect: the header's name for a colour, else the one in its place, else the
/// dialect's.
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

/// Names that are the same get the side's: a program plays against itself.
pub fn tell_apart(sides: &mut [Side]) {
    if let [one, other] = sides
        && one.name == other.name
    {
        sides.iter_mut().for_each(|side| side.name = format!("{} ({})", side.name, side.key));
    }
}

/// The word with a capital.
pub fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
