//! Steam Fortress: ground of three heights, control points, and units as the letter of their class.

use grandstand_protocol::Micros;
use grandstand_protocol::fortress::{Direction, Elevation, Scene, Square, Team, Unit, UnitClass};
use ratatui_core::style::Color;

use super::tiles::{DrawnTile, Tiles};
use super::{Size, TextBoard};
use crate::canvas::Canvas;
use crate::look::{Look, TEXT, rgb, squad};

const TILES: Tiles = Tiles { columns: Square::COLUMNS as i32, rows: Square::ROWS as i32 };
const LOW: Color = rgb(0x1d2a33);
const RAMP: Color = rgb(0x4b4d4b);
const HIGH: Color = rgb(0x716c61);

impl TextBoard for Scene {
    fn size(&self, room: Size, _: Look) -> Size {
        TILES.size(room)
    }

    fn paint(&self, canvas: &mut Canvas<'_>) {
        let look = canvas.look;
        TILES.paint(canvas, |x, y| {
            let at =
                Square::new(i64::from(x) - i64::from(Square::X_MAX), i64::from(Square::Y_MAX) - i64::from(y));
            let Some(at) = at else {
                return DrawnTile { signs: [' '; 2], ink: TEXT, ground: LOW, weight: 0, strong: false };
            };
            let ground = ground(self, at, look);
            if let Some(unit) = self.units().iter().find(|unit| unit.at == at) {
                return stand(unit, look);
            }
            point(self, at, look, ground.ground).unwrap_or(ground)
        });
    }

    /// The class and health of each unit. A unit that waits to come back has a cross.
    fn figures(&self, side: usize, _: Micros, look: Look) -> Vec<String> {
        let team = Team::ALL[side.min(1)];
        let standing = self.units().iter().filter(|unit| unit.team == team);
        let mut units: Vec<(u32, String)> = standing.map(|unit| (unit.id, in_short(unit, look))).collect();
        let fallen = self.fallen().iter().filter(|unit| unit.team == team);
        units.extend(fallen.map(|unit| (unit.id, format!("{}{}", letter(unit.class), look.sign('×', 'x')))));
        units.sort_by_key(|(id, _)| *id);
        let units: Vec<String> = units.into_iter().map(|(_, text)| text).collect();
        if units.is_empty() { Vec::new() } else { vec![units.join(" ")] }
    }
}

fn letter(class: UnitClass) -> char {
    match class {
        UnitClass::Medic => 'M',
        UnitClass::Pyro => 'P',
        UnitClass::Soldier => 'S',
    }
}

/// The class of the unit and the remaining part of its health: in eighths, or in tenths where the signs are missing.
fn in_short(unit: &Unit, look: Look) -> String {
    let part = f64::from(unit.health.max(0)) / f64::from(unit.max.max(1));
    let bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let bar = bars[((part * 8.0).ceil() as usize).clamp(1, 8) - 1];
    let tenth = char::from(b'0' + ((part * 10.0).ceil() as u8).min(9));
    format!("{}{}", letter(unit.class), look.sign(bar, tenth))
}

fn ground(scene: &Scene, at: Square, look: Look) -> DrawnTile {
    let (color, sign) = match scene.elevation().get(at) {
        Elevation::Low => (LOW, look.sign('·', '.')),
        Elevation::Ramp => (RAMP, look.sign('░', ':')),
        Elevation::High => (HIGH, look.sign('▒', '^')),
    };
    let sign = if look.has_color() && look.unicode { ' ' } else { sign };
    DrawnTile { signs: [sign; 2], ink: rgb(0x8d867a), ground: color, weight: 0, strong: false }
}

/// A control point as its number, in the colour of its owner.
fn point(scene: &Scene, at: Square, look: Look, ground: Color) -> Option<DrawnTile> {
    let point = scene.points().iter().find(|point| point.at == at)?;
    let number = char::from(b'0' + point.point.min(9));
    let owner = match point.owner {
        Some(Team::Red) => 'r',
        Some(Team::Blue) => 'b',
        None => '-',
    };
    // The point is being captured.
    let second = if point.capture.is_some() {
        '!'
    } else if look.has_color() {
        ' '
    } else {
        owner
    };
    let ground = point.owner.map_or(ground, |team| match team {
        Team::Red => rgb(0x6e241b),
        Team::Blue => rgb(0x163d78),
    });
    Some(DrawnTile { signs: [number, second], ink: rgb(0xffe08a), ground, weight: 3, strong: true })
}

fn stand(unit: &Unit, look: Look) -> DrawnTile {
    let facing = match unit.facing {
        Direction::North => look.sign('↑', '^'),
        Direction::East => look.sign('→', '>'),
        Direction::South => look.sign('↓', 'v'),
        Direction::West => look.sign('←', '<'),
    };
    let colors = squad(unit.team);
    // Without colours, the size of the letter shows the team.
    let sign = letter(unit.class);
    let sign = if look.has_color() || unit.team == Team::Red { sign } else { sign.to_ascii_lowercase() };
    DrawnTile { signs: [sign, facing], ink: colors.mark, ground: colors.piece, weight: 4, strong: true }
}
