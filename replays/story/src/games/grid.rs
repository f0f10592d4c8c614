//! Generic dialect: characters on a grid, for games without a module.

use grandstand_protocol::grid::{self, Coord, Scene};
use grandstand_protocol::{Color, Command, Place, TeamInfo};

use crate::findings::Findings;
use crate::format::number;
use crate::game::{ChatLine, EventNames, GameStory, Group, event_names};
use crate::markers::kind;
use crate::sides::{Badge, Side};

/// Colours of teams without a colour in the header.
const OTHERS: [Color; 6] =
    [Color::Blue, Color::Orange, Color::Green, Color::Purple, Color::Cyan, Color::Pink];

impl GameStory for Scene {
    /// Teams of the header, then further teams with scores.
    fn sides(&self, teams: &[TeamInfo]) -> Vec<Side> {
        let side = |name: &str, color, score| Side {
            key: name.to_owned(),
            name: name.to_owned(),
            badge: Badge::Color(color),
            score,
        };
        let mut sides: Vec<Side> = teams.iter().map(|info| side(&info.name, info.color, 0)).collect();
        for (team, score) in self.scores() {
            match sides.iter_mut().find(|side| *side.key == **team) {
                Some(side) => side.score = score,
                None => sides.push(side(team, OTHERS[sides.len() % OTHERS.len()], score)),
            }
        }
        sides
    }

    fn talk(&self) -> Vec<ChatLine<'_>> {
        let lines = self.talk().iter();
        lines.map(|line| ChatLine { seq: line.seq, t: line.t, team: &line.team, text: &line.text }).collect()
    }

    fn progress_text(&self) -> String {
        format!("Turn {}", number(u64::from(self.step())))
    }

    fn turn_counter(&self) -> Option<(&'static str, u64)> {
        Some(("Turn", self.step().into()))
    }

    fn ply(&self) -> u32 {
        self.step()
    }

    fn scores(&self) -> Vec<(String, i32)> {
        self.scores().map(|(team, score)| (team.to_string(), score)).collect()
    }

    fn figure(&self, plot: usize, team: &str) -> Option<i32> {
        let found = self.scores().find(|(name, _)| ***name == *team);
        (plot == 0).then(|| found.map_or(0, |(_, score)| score))
    }

    fn events(&self) -> &'static EventNames {
        event_names!("point")
    }

    fn record(&self, group: &Group<'_>, findings: &mut Findings) {
        let mut scores: Vec<(&str, i32)> = self.scores().map(|(team, score)| (&**team, score)).collect();
        let mut step = self.step();
        for (seq, t, command) in group.commands {
            let (team, value) = match command {
                Command::Grid(grid::Command::Score { team, value }) => (team, value),
                Command::Grid(grid::Command::Step { value }) if *value != step => {
                    step = *value;
                    findings.turn(*seq, *t, None);
                    continue;
                }
                _ => continue,
            };
            findings.put(0, team, (*seq, *t), *value);
            let Some(side) = findings.markers.team(team) else { continue };
            let before = match scores.iter_mut().find(|(name, _)| *name == &**team) {
                Some((_, score)) => std::mem::replace(score, *value),
                None => {
                    scores.push((team, *value));
                    0
                }
            };
            if *value > before {
                findings.event((*seq, *t), kind::SCORE, side, "Point for", true);
            }
        }
    }

    fn describe(&self, place: Place) -> Option<String> {
        let Place::Cell(at) = place else { return None };
        let is_on = at.x() < self.width() && at.y() < self.height();
        is_on.then(|| match self.get(at) {
            Some(cell) => format!("{at}: {}", cell.glyph.as_char()),
            None => format!("{at}: empty"),
        })
    }

    fn widest_place(&self) -> Option<Place> {
        Coord::new(self.width() - 1, self.height() - 1).map(Place::Cell)
    }

    fn chat_message(&self, command: &Command) -> Option<(String, String)> {
        let Command::Grid(grid::Command::Say { team, text }) = command else { return None };
        Some((team.to_string(), text.to_string()))
    }
}
