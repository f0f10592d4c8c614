//! The teams of a match as they are shown: who they are, their colour, their score.

use eframe::egui::Color32;
use grandstand_protocol::team::{Squad, Team};
use grandstand_protocol::{Color, Scene, TeamInfo};

use crate::theme::Palette;

/// How a team is told from the others at a glance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Badge {
    /// By its piece.
    Piece(Team),
    /// By its stone.
    Stone(Team),
    /// Red or blue, by its emblem.
    Squad(Squad),
    /// By its colour and its first letter.
    Color(Color),
}

/// One team.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Side {
    /// Its name in the dialect: `black`.
    pub key: String,
    /// Its name for people.
    pub name: String,
    pub badge: Badge,
    pub score: i32,
}

impl Side {
    /// Its name beside its badge, which tells it from a team of the same name.
    pub(crate) fn short(&self) -> &str {
        let own = self.name.strip_suffix(')').and_then(|name| name.strip_suffix(self.key.as_str()));
        own.and_then(|name| name.strip_suffix(" (")).unwrap_or(&self.name)
    }

    /// The colour of the team's lines and edges.
    pub(crate) fn accent(&self, palette: &Palette) -> Color32 {
        match self.badge {
            Badge::Piece(team) | Badge::Stone(team) => palette.team(team).accent,
            Badge::Squad(squad) => palette.squad(squad).accent,
            Badge::Color(color) => palette.color(color),
        }
    }
}

/// The teams of a match, in the order in which they play. `teams` is what the header says of them.
pub(crate) fn sides(scene: &Scene, teams: &[TeamInfo]) -> Vec<Side> {
    crate::board::view(scene).sides(teams)
}

/// Two teams with names of their own in the dialect: the header's name for a colour, else the one in its place, else the
/// dialect's.
pub(crate) fn two_sides(teams: &[TeamInfo], own: [(Color, &str, Badge, i32); 2]) -> Vec<Side> {
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
pub(crate) fn tell_apart(sides: &mut [Side]) {
    if let [one, other] = sides
        && one.name == other.name
    {
        sides.iter_mut().for_each(|side| side.name = format!("{} ({})", side.name, side.key));
    }
}

/// The word with a capital.
pub(crate) fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use grandstand_protocol::{Command, Game, Micros};

    fn info(name: &str, color: Color) -> TeamInfo {
        TeamInfo { name: name.into(), color }
    }

    #[test]
    fn teams_are_named_by_the_header_and_otherwise_by_their_colour() {
        let scene = Scene::new(Game::Abalone);
        let names = |teams: &[TeamInfo]| sides(&scene, teams).into_iter().map(|s| s.name).collect::<Vec<_>>();
        assert_eq!(names(&[]), ["Black", "White"]);
        assert_eq!(names(&[info("Simple", Color::White), info("Team", Color::Black)]), ["Team", "Simple"]);
        assert_eq!(names(&[info("One", Color::Red), info("", Color::Blue)]), ["One", "White"]);
        let same = [info("Team", Color::Black), info("Team", Color::White)];
        assert_eq!(names(&same), ["Team (black)", "Team (white)"]);
        let short: Vec<String> = sides(&scene, &same).iter().map(|side| side.short().to_owned()).collect();
        assert_eq!(short, ["Team", "Team"]);
        assert_eq!(sides(&scene, &[])[0].short(), "Black");
    }

    #[test]
    fn a_grids_teams_appear_with_their_first_score() {
        let mut scene = Scene::new(Game::Grid);
        for line in ["score red 2", "score zed 7"] {
            scene.apply(1, Micros(0), &Command::parse(Game::Grid, line.as_bytes()));
        }
        let sides = sides(&scene, &[info("red", Color::Red)]);
        let scores: Vec<_> = sides.iter().map(|side| (side.key.as_str(), side.score)).collect();
        assert_eq!(scores, [("red", 2), ("zed", 7)]);
    }
}
