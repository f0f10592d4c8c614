//! Teams of a match: names, badges and scores.

use grandstand_protocol::team::{BlackWhite, RedBlue};
use grandstand_protocol::{Color, TeamInfo};

use crate::format::capitalised;

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

impl Badge {
    /// Its colour in words: `red`; `None` for the badge of a team that the game itself names.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Badge::Piece(team) | Badge::Stone(team) => Some(team.name()),
            Badge::Squad(team) => Some(team.name()),
            Badge::Color(_) => None,
        }
    }
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

/// Name of the side that the viewer plays, or has played.
pub const YOU: &str = "You";

impl Side {
    /// The team within a sentence: its colour, as it is seen on the board, or else its name in the dialect.
    pub fn word(&self) -> &str {
        self.badge.word().unwrap_or(&self.key)
    }

    /// Whose something is within a sentence: `Reds’s`, `your`.
    pub fn whose(&self) -> String {
        if self.name == YOU { "your".to_owned() } else { format!("{}’s", self.name) }
    }

    /// Name beside its badge, without the suffix for equal names.
    pub fn short(&self) -> &str {
        let own = self.name.strip_suffix(')').and_then(|name| name.strip_suffix(self.word()));
        own.and_then(|name| name.strip_suffix(" (")).unwrap_or(&self.name)
    }
}

/// The teams of a header that play two sides with these colours: that of the same colour, else that in the same place,
/// else one that is left. A team plays at most one side.
pub fn teams_of_sides(teams: &[TeamInfo], colors: [Color; 2]) -> [Option<&TeamInfo>; 2] {
    let mut places = colors.map(|color| teams.iter().position(|info| info.color == color));
    if places[0].is_some() && places[0] == places[1] {
        places[1] = None;
    }
    for side in 0..2 {
        let other = places[1 - side];
        let is_free = |place: &usize| *place < teams.len() && Some(*place) != other;
        places[side] = places[side].or_else(|| [side, 1 - side].into_iter().find(is_free));
    }
    places.map(|place| teams.get(place?))
}

/// Two teams with names in the dialect. One without a name in the header is called by its colour.
pub fn two_sides(teams: &[TeamInfo], own: [(Color, &str, Badge, i32); 2]) -> Vec<Side> {
    let mut infos = teams_of_sides(teams, own.map(|(color, ..)| color)).into_iter();
    let mut sides = own.map(|(_, key, badge, score)| {
        let info = infos.next().flatten();
        let name = info.map_or("", |info| info.name.trim());
        let name = if name.is_empty() { capitalised(badge.word().unwrap_or(key)) } else { name.to_owned() };
        Side { key: key.to_owned(), name, badge, score }
    });
    tell_apart(&mut sides);
    sides.into()
}

/// Adds the colours to equal names: a program plays against itself.
pub fn tell_apart(sides: &mut [Side]) {
    if let [one, other] = sides
        && one.name == other.name
    {
        sides.iter_mut().for_each(|side| side.name = format!("{} ({})", side.name, side.word()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_team_of_the_header_plays_one_side() {
        let (black, white) = (BlackWhite::Black.color(), BlackWhite::White.color());
        let red = RedBlue::Red.color();
        let own =
            [(black, "black"), (white, "white")].map(|(color, key)| (color, key, Badge::Color(color), 0));
        let named = |teams: &[(&str, Color)]| {
            let teams: Vec<TeamInfo> =
                teams.iter().map(|&(name, color)| TeamInfo { name: name.into(), color }).collect();
            let [first, second] = two_sides(&teams, own).try_into().expect("two sides");
            (first.name, second.name)
        };
        let names = |first: &str, second: &str| (first.to_owned(), second.to_owned());
        assert_eq!(named(&[("One", red), ("Two", black)]), names("Two", "One"));
        assert_eq!(named(&[("One", white), ("Two", red)]), names("Two", "One"));
        assert_eq!(named(&[("One", white), ("Two", black)]), names("Two", "One"));
        assert_eq!(named(&[("One", red), ("Two", red)]), names("One", "Two"));
        assert_eq!(named(&[("One", white)]), names("Black", "One"));
        assert_eq!(named(&[("One", red)]), names("One", "White"));
        assert_eq!(named(&[]), names("Black", "White"));
    }
}
