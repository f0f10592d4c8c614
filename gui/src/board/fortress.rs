//! Steam Fortress in the spectator: its board as a grid of characters.

use eframe::egui::{Rect, Ui};
use grandstand_protocol::fortress::{self, Direction, Elevation, Scene, Squad};
use grandstand_protocol::grid::{Cell, Command as Put, Place, Scene as Grid};
use grandstand_protocol::{Color, Command, Micros, Scene as AnyScene, TeamInfo};

use super::{Board, EventWords, GameView, Group, Options, Picture, Said, Step, grid};
use crate::annals::{Plot, Records};
use crate::sides::{Badge, Side, capitalised, two_sides};
use crate::words;

/// How many control points a team holds.
fn held(scene: &Scene, team: Squad) -> i32 {
    i32::try_from(scene.held(team)).unwrap_or(i32::MAX)
}

impl GameView for Scene {
    fn board(&self) -> Box<dyn Board> {
        Box::new(FortressBoard)
    }

    fn sides(&self, teams: &[TeamInfo]) -> Vec<Side> {
        let side = |team: Squad| (team.color(), team.name(), Badge::Color(team.color()), held(self, team));
        two_sides(teams, Squad::ALL.map(side))
    }

    fn talk(&self) -> Vec<Said<'_>> {
        let said = self.talk().iter();
        said.map(|line| Said { seq: line.seq, t: line.t, team: line.team.name(), text: &line.text }).collect()
    }

    fn moment(&self) -> String {
        match self.time() {
            Some(millis) => format!("{} left", words::clock(f64::from(millis) / 1_000.0)),
            None => String::new(),
        }
    }

    fn scores(&self) -> Vec<(String, i32)> {
        Squad::ALL.iter().map(|&team| (capitalised(team.name()), held(self, team))).collect()
    }

    fn goal(&self, _: Option<&serde_json::Value>) -> Option<i32> {
        Some(i32::from(fortress::POINTS))
    }

    fn plots(&self) -> Vec<Plot> {
        vec![Plot::steps("Points held", &[])]
    }

    fn events(&self) -> &'static EventWords {
        &EventWords::POINTS
    }

    fn record(&self, group: &Group<'_>, records: &mut Records) {
        let mut scene = self.clone();
        for (seq, t, command) in group.commands {
            let Command::Fortress(command) = command else { continue };
            scene.apply(*seq, *t, command);
            let (fortress::Command::Point { .. } | fortress::Command::Control { .. }) = command else {
                continue;
            };
            for team in Squad::ALL {
                let Some(index) = records.put(0, team.name(), *t, held(&scene, team)) else { continue };
                if matches!(command, fortress::Command::Control { owner, .. } if *owner == Some(team)) {
                    records.event(*seq, *t, index, "Point for");
                }
            }
        }
    }

    fn said(&self, command: &Command) -> Option<(String, String)> {
        match command {
            Command::Fortress(fortress::Command::Say { team, text }) => {
                Some((team.to_string(), text.to_string()))
            }
            _ => None,
        }
    }
}

/// The board; nothing moves on it.
#[derive(Debug)]
struct FortressBoard;

impl Board for FortressBoard {
    fn advance(&mut self, _: &Step<'_>) {}

    fn settle(&mut self) {}

    fn is_moving(&self, _: &Picture<'_>) -> bool {
        false
    }

    fn show(&self, ui: &mut Ui, rect: Rect, picture: &Picture<'_>, options: Options) {
        if let AnyScene::Fortress(scene) = picture.scene {
            grid::show(ui, rect, &as_grid(scene), picture.sides, options);
        }
    }
}

/// What the scene shows, for the painter of the generic board.
fn as_grid(scene: &Scene) -> Grid {
    let mut grid = Grid::default();
    let mut draw = |command| grid.apply(0, Micros(0), &command);
    draw(Put::Size { width: fortress::Place::COLUMNS as u8, height: fortress::Place::ROWS as u8 });
    let mut put = |at: fortress::Place, glyph: char, color: Color| {
        let x = u8::try_from(at.x() + fortress::Place::X_MAX).ok();
        let y = u8::try_from(fortress::Place::Y_MAX - at.y()).ok();
        let cell = glyph.try_into().ok().map(|glyph| Cell { glyph, color: Some(color) });
        if let (Some(x), Some(y)) = (x, y)
            && let Some(at) = Place::new(x, y)
        {
            draw(Put::Cell { at, cell });
        }
    };
    for at in fortress::Place::all() {
        match scene.elevation().get(at) {
            Elevation::Low => {}
            Elevation::Ramp => put(at, '▒', Color::Brown),
            Elevation::High => put(at, '█', Color::Gray),
        }
    }
    for point in scene.points() {
        put(point.at, '⚑', point.owner.map_or(Color::White, Squad::color));
    }
    for unit in scene.units() {
        let glyph = match unit.facing {
            Direction::North => '▲',
            Direction::East => '▶',
            Direction::South => '▼',
            Direction::West => '◀',
        };
        put(unit.at, glyph, unit.team.color());
    }
    grid
}
