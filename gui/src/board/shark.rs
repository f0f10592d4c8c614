//! λ-Shark in the spectator: its board as a grid of characters.

use eframe::egui::{Rect, Ui};
use grandstand_protocol::grid::{Cell, Command as Put, Place, Scene as Grid};
use grandstand_protocol::shark::{self, Ground, Heading, Scene, Sprite, Squad};
use grandstand_protocol::{Color, Command, Micros, Scene as AnyScene, TeamInfo};

use super::{Board, EventWords, GameView, Group, Options, Picture, Said, Step, grid};
use crate::annals::Records;
use crate::sides::{Badge, Side, two_sides};
use crate::words;

impl GameView for Scene {
    fn board(&self) -> Box<dyn Board> {
        Box::new(SharkBoard)
    }

    fn sides(&self, teams: &[TeamInfo]) -> Vec<Side> {
        let names = Squad::ALL.map(|team| self.name(team).map(|name| name.replace('_', " ")));
        let sent = Squad::ALL.map(|team| {
            let name = names[team.index()].as_deref().unwrap_or_default();
            TeamInfo { name: name.into(), color: team.color() }
        });
        let own =
            Squad::ALL.map(|team| (team.color(), team.name(), Badge::Color(team.color()), self.score(team)));
        two_sides(if teams.is_empty() { &sent } else { teams }, own)
    }

    fn talk(&self) -> Vec<Said<'_>> {
        let lines = self.talk().iter();
        lines
            .map(|line| Said { seq: line.seq, t: line.t, team: line.team.name(), text: &line.text })
            .collect()
    }

    fn moment(&self) -> String {
        match self.steps() {
            Some(steps) => format!("Step {}", words::number(steps)),
            None => self.time().to_string(),
        }
    }

    fn scores(&self) -> Vec<(String, i32)> {
        Squad::ALL.iter().map(|&team| (crate::sides::capitalised(team.name()), self.score(team))).collect()
    }

    fn events(&self) -> &'static EventWords {
        &EventWords::POINTS
    }

    fn record(&self, group: &Group<'_>, records: &mut Records) {
        let mut before = Squad::ALL.map(|team| self.score(team));
        for (seq, t, command) in group.commands {
            let Command::Shark(shark::Command::Score(scores)) = command else { continue };
            for team in Squad::ALL {
                let Some(index) = records.put(0, team.name(), *t, scores[team]) else { continue };
                if scores[team] > before[team.index()] {
                    records.event(*seq, *t, index, "Point for");
                }
                before[team.index()] = scores[team];
            }
        }
    }

    fn said(&self, command: &Command) -> Option<(String, String)> {
        match command {
            Command::Shark(shark::Command::Say { team, text }) => Some((team.to_string(), text.to_string())),
            _ => None,
        }
    }
}

/// The board; nothing moves on it.
#[derive(Debug)]
struct SharkBoard;

impl Board for SharkBoard {
    fn advance(&mut self, _: &Step<'_>) {}

    fn settle(&mut self) {}

    fn is_moving(&self, _: &Picture<'_>) -> bool {
        false
    }

    fn show(&self, ui: &mut Ui, rect: Rect, picture: &Picture<'_>, options: Options) {
        if let AnyScene::Shark(scene) = picture.scene {
            grid::show(ui, rect, &as_grid(scene), picture.sides, options);
        }
    }
}

/// What the scene shows, for the painter of the generic board.
fn as_grid(scene: &Scene) -> Grid {
    let mut grid = Grid::default();
    let mut draw = |command| grid.apply(0, Micros(0), &command);
    draw(Put::Size { width: shark::WIDTH, height: shark::HEIGHT });
    for place in shark::Place::all() {
        let ground = scene.map().map_or(Ground::Empty, |map| map.get(place));
        let shown = match (scene.get(place), ground) {
            (Some(sprite), _) => Some(sprite_cell(&sprite)),
            (None, Ground::Empty) => None,
            (None, Ground::Wall) => Some(('█', Color::Gray)),
            (None, Ground::Drop) => Some(('·', Color::Green)),
            (None, Ground::Spawn(team)) => Some(('·', team.color())),
            (None, Ground::Stand(team)) if scene.is_full(team) => Some(('⚑', team.color())),
            (None, Ground::Stand(team)) => Some(('□', team.color())),
        };
        let cell =
            shown.and_then(|(glyph, color)| Some(Cell { glyph: glyph.try_into().ok()?, color: Some(color) }));
        if let Some(at) = Place::new(place.x(), place.y()) {
            draw(Put::Cell { at, cell });
        }
    }
    grid
}

fn sprite_cell(sprite: &Sprite) -> (char, Color) {
    match sprite {
        Sprite::Wall => ('█', Color::Gray),
        Sprite::Powerup => ('+', Color::Green),
        Sprite::Bot(bot) => {
            let glyph = match bot.heading {
                Heading::Up => '▲',
                Heading::Down => '▼',
                Heading::Left => '◀',
                Heading::Right => '▶',
            };
            (glyph, bot.team.color())
        }
    }
}
