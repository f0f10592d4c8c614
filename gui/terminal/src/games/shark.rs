//! λ-Shark: tiles of water with walls, stands and spawn points, and robots that show their heading.

use grandstand_protocol::Micros;
use grandstand_protocol::shark::{Bot, Ground, HEIGHT, Heading, Scene, Sprite, Team, Tile, WIDTH};
use grandstand_story::format;
use grandstand_story::games::shark::robots;
use ratatui_core::style::Color;

use super::tiles::{DrawnTile, Tiles};
use super::{Size, TextBoard};
use crate::canvas::Canvas;
use crate::look::{Look, rgb, squad};

const TILES: Tiles = Tiles { columns: WIDTH as i32, rows: HEIGHT as i32 };
const WATER: [Color; 2] = [rgb(0x10314a), rgb(0x12364f)];
const WALL: Color = rgb(0x6d8093);
const CHALK: Color = rgb(0xd9b85a);

impl TextBoard for Scene {
    fn size(&self, room: Size, _: Look) -> Size {
        TILES.size(room)
    }

    fn paint(&self, canvas: &mut Canvas<'_>) {
        let look = canvas.look;
        TILES.paint(canvas, |x, y| {
            let Some(at) = Tile::new(x as u8, y as u8) else { return bare(WATER[0], [' ', ' ']) };
            match self.get(at) {
                Some(Sprite::Bot(bot)) => robot(&bot, look),
                Some(Sprite::Wall) => wall(look),
                Some(Sprite::Powerup) => DrawnTile {
                    signs: [look.sign('♦', '+'), ' '],
                    ink: CHALK,
                    ground: water(at),
                    weight: 2,
                    strong: false,
                },
                None => ground(self, at, look),
            }
        });
    }

    fn figures(&self, side: usize, _: Micros, _: Look) -> Vec<String> {
        let team = Team::ALL[side.min(1)];
        vec![
            format::count(robots(self)[team.index()].into(), "robot", "robots"),
            format::count(self.credits(team).into(), "spawn credit", "spawn credits"),
        ]
    }
}

fn water(at: Tile) -> Color {
    WATER[usize::from(at.x() + at.y()) % 2]
}

fn bare(ground: Color, signs: [char; 2]) -> DrawnTile {
    DrawnTile { signs, ink: rgb(0x3d6a8a), ground, weight: 0, strong: false }
}

fn wall(look: Look) -> DrawnTile {
    let sign = if look.has_color() { ' ' } else { look.sign('█', '#') };
    DrawnTile { signs: [sign; 2], ink: WALL, ground: WALL, weight: 1, strong: false }
}

/// The ground under everything that moves.
fn ground(scene: &Scene, at: Tile, look: Look) -> DrawnTile {
    let ground = water(at);
    let of = |team: Team, signs: [char; 2], weight| DrawnTile {
        signs,
        ink: squad(team).accent,
        ground,
        weight,
        strong: false,
    };
    match scene.map().map_or(Ground::Empty, |map| map.get(at)) {
        Ground::Empty => bare(ground, [look.sign('·', '.'), ' ']),
        Ground::Wall => wall(look),
        Ground::Spawn(team) => of(team, [look.sign('∘', if team == Team::Red { 'r' } else { 'b' }), ' '], 1),
        // The stand of a team with its flag, or without it.
        Ground::Stand(team) if scene.is_full(team) => {
            of(team, [if team == Team::Red { 'R' } else { 'B' }, look.sign('⚑', '!')], 3)
        }
        Ground::Stand(team) => of(team, [if team == Team::Red { 'R' } else { 'B' }, '_'], 3),
        Ground::Drop => {
            DrawnTile { signs: [look.sign('◇', 'i'), ' '], ink: CHALK, ground, weight: 1, strong: false }
        }
    }
}

/// A robot as its heading. Without colours it also has the letter of its team. A flag is an additional sign.
fn robot(bot: &Bot, look: Look) -> DrawnTile {
    let heading = match bot.heading {
        Heading::Up => look.sign('▲', '^'),
        Heading::Down => look.sign('▼', 'v'),
        Heading::Left => look.sign('◀', '<'),
        Heading::Right => look.sign('▶', '>'),
    };
    let colors = squad(bot.team);
    let signs = match (look.has_color(), bot.flag) {
        (true, true) => [heading, look.sign('⚑', '!')],
        (true, false) => [heading, ' '],
        (false, _) => [if bot.team == Team::Red { 'R' } else { 'B' }, heading],
    };
    DrawnTile {
        signs,
        ink: colors.mark,
        ground: colors.piece,
        weight: 5,
        strong: look.has_color() || bot.flag,
    }
}
