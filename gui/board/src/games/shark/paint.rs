//! Painter of the λ-Shark board: water with walls, stands, spawn points and drop points, and sharks over it.
//!
//! All sizes follow from the board's rectangle.

use egui::{
    Align2, Color32, FontId, Painter, Pos2, Rect, Role, Sense, Shape, Stroke, StrokeKind, Ui, Vec2,
    WidgetInfo, pos2, vec2,
};
use grandstand_protocol::Scene as AnyScene;
use grandstand_protocol::shark::{Bot, Ground, HEIGHT, Scene, Sprite, Team, Tile, WIDTH};
use grandstand_story::games::shark::text;

use super::bot::{INK, Shark, paint_health, paint_powerup};
use super::{BEAM_SECS, SharkBoard, token};
use crate::angle::angled;
use crate::cached_mesh::bits;
use crate::games::tiles::{Fade, Movers, Pose, Quads, Tiles, middle, paint_fade};
use crate::layer::Layer;
use crate::theme::{Palette, mix, rgb, semibold};
use crate::{BoardInput, BoardOptions, node, overlay, place_labels, team_marks};

/// Colours of the ground.
struct Colors {
    deep: Color32,
    rim: Color32,
    water: [Color32; 2],
    wall: Color32,
    crest: Color32,
    foot: Color32,
    /// Marks on the water: drop points.
    chalk: Color32,
}

/// Length of a robot, in sides of its tile.
const SHARK: f32 = 1.16;
/// Side of a tile from which robots have their numbers, in points.
const NUMBERED: f32 = 17.0;

const NIGHT: Colors = Colors {
    deep: rgb(0x0b1f2d),
    rim: rgb(0x24495e),
    water: [rgb(0x10314a), rgb(0x12364f)],
    wall: rgb(0x56687a),
    crest: rgb(0x7d92a6),
    foot: rgb(0x26323e),
    chalk: rgb(0xd9b85a),
};

const DAY: Colors = Colors {
    deep: rgb(0xa9cddc),
    rim: rgb(0x82adc0),
    water: [rgb(0xc9e4ee), rgb(0xc1dfeb)],
    wall: rgb(0x7a8896),
    crest: rgb(0x9aa8b5),
    foot: rgb(0x525e6a),
    chalk: rgb(0x9a7410),
};

/// Positions of the tiles when the board is shown in `rect`.
pub(super) fn tiles(rect: Rect, picture: &BoardInput<'_>, options: BoardOptions) -> Tiles {
    Tiles::fit(rect.shrink(2.0), WIDTH, HEIGHT, options, picture.pixels)
}

/// The tile at a point of the screen. A robot on its way is where it is seen.
pub(super) fn place_at(tiles: &Tiles, scene: &Scene, movers: &Movers, now: f64, at: Pos2) -> Option<Tile> {
    let (column, row) = tiles.tile_at(at)?;
    let is_seen_here = |bot: &(Tile, Pose)| tiles.at(bot.1.at).distance(at) <= tiles.side / 2.0;
    let moving = movers.is_moving(now).then(|| bots(scene, movers, now).map(|(at, _, pose)| (at, pose)));
    // The last one is painted over the others.
    let bot = moving.and_then(|moving| moving.filter(is_seen_here).last());
    bot.map(|(at, _)| at).or_else(|| Tile::new(column, row))
}

/// The robots with their tiles, and where they are seen.
fn bots(scene: &Scene, movers: &Movers, now: f64) -> impl Iterator<Item = (Tile, Bot, Pose)> {
    scene.sprites().filter_map(move |(place, sprite)| match sprite {
        Sprite::Bot(bot) => Some((place, bot, movers.pose(&token(place, &bot), now))),
        Sprite::Wall | Sprite::Powerup => None,
    })
}

/// Where a robot's number of this size is. A flag on the back takes the place above the robot: the number ends beside its pole.
fn number_area(at: Pos2, side: f32, flag: bool, size: Vec2) -> Rect {
    let (align, left) = if flag { (Align2::RIGHT_CENTER, -0.15) } else { (Align2::CENTER_CENTER, 0.0) };
    align.anchor_size(at + vec2(left, -0.56) * side, size)
}

/// Where the robots' numbers stand.
pub(super) fn numbers(tiles: &Tiles, scene: &Scene, movers: &Movers, now: f64) -> Vec<Rect> {
    let numbered = bots(scene, movers, now).filter(|(_, bot, _)| tiles.side >= NUMBERED && bot.who.is_some());
    let area = |(_, bot, pose): (Tile, Bot, Pose)| {
        number_area(tiles.at(pose.at), tiles.side, bot.flag, vec2(0.5, 0.4) * tiles.side)
    };
    numbered.map(area).collect()
}

/// Shows the board in `rect`.
pub(super) fn show(
    ui: &mut Ui,
    rect: Rect,
    scene: &Scene,
    board: &SharkBoard,
    picture: &BoardInput<'_>,
    options: BoardOptions,
) {
    let SharkBoard { movers, trails, cached_meshes } = board;
    let palette = Palette::of(ui.ctx());
    let colors = if palette.is_dark { &NIGHT } else { &DAY };
    let tiles = tiles(rect, picture, options);
    let painter = ui.painter_at(rect.intersect(ui.clip_rect()));
    let response = ui.interact(rect, ui.scope_id().with("board"), Sense::hover());
    let hovered = response.hover_pos().and_then(|at| place_at(&tiles, scene, movers, picture.now, at));
    let canvas = Canvas { painter, palette, colors, tiles, scene };

    let place = (bits(rect), (options.coordinates, options.upright), palette.is_dark);
    let walls: Vec<Tile> =
        scene.sprites().filter(|(_, sprite)| *sprite == Sprite::Wall).map(|(at, _)| at).collect();
    let full = Team::ALL.map(|team| scene.is_full(team));
    cached_meshes.ground.paint(&canvas.painter, (place, scene.map(), walls, full, hovered), || {
        canvas.ground(hovered);
        canvas.fixtures();
        if options.coordinates {
            tiles.names(&canvas.painter, palette, i32::from, i32::from);
        }
    });
    cached_meshes.below_pieces.keep(&canvas.painter);
    canvas.powerups();
    trails.paint(&canvas.painter, palette, &tiles, picture);
    canvas.bots(movers, picture.now, &cached_meshes.below_signs);
    canvas.beams(picture);
    if options.labels {
        cached_meshes.labels.paint(&canvas.painter, place, || {
            let places = Tile::all().map(|at| (at, tiles.tile(at.x(), at.y())));
            place_labels::paint(&canvas.painter, palette, "31,15", places);
        });
    }
    let place = |name: &str| name.parse().ok().map(|place: Tile| canvas.center(place));
    overlay::paint(&canvas.painter, palette, picture, options, tiles.side, place);

    response.widget_info(|| WidgetInfo::labeled(Role::Figure, true, summary(picture)));
    describe(ui, scene, &tiles);
}

/// A shark in the water.
pub(super) fn paint_thumbnail(painter: &Painter, palette: &Palette, square: Rect) {
    let colors = if palette.is_dark { &NIGHT } else { &DAY };
    painter.rect_filled(square, square.width() * 0.2, colors.water[0]);
    let painter = painter.with_clip_rect(square.intersect(painter.clip_rect()));
    let way = vec2(0.8, -0.6);
    let (at, size) = (square.center() - way * square.width() * 0.02, square.width() * 0.82);
    Shark { at, way, size, team: Team::Red, alpha: 1.0 }.paint(&painter, palette);
}

fn summary(picture: &BoardInput<'_>) -> String {
    let AnyScene::Shark(scene) = picture.scene else { return String::new() };
    let [red, blue] = super::robots(scene);
    let away = Team::ALL.into_iter().filter(|team| !scene.is_full(*team));
    let away: String = away.map(|team| format!(", the {team} flag is away")).collect();
    format!("λ-Shark board: {red} red and {blue} blue robots{away}")
}

/// Adds accessibility nodes for robots and stands, if the tree is in use.
fn describe(ui: &Ui, scene: &Scene, tiles: &Tiles) {
    if !node::are_read(ui) {
        return;
    }
    let node = |at: Tile, text: String| {
        node::show(ui, tiles.tile(at.x(), at.y()), ("tile", at.index()), Role::Image, text);
    };
    for (at, sprite) in scene.sprites() {
        if let Sprite::Bot(bot) = sprite {
            node(at, format!("{at}: {}", text::describe_bot(&bot)));
        }
    }
    let Some(map) = scene.map() else { return };
    for at in Tile::all() {
        if let Ground::Stand(team) = map.get(at) {
            node(at, format!("{at}: {}", text::describe_stand(scene, team)));
        }
    }
}

struct Canvas<'a> {
    painter: Painter,
    palette: &'a Palette,
    colors: &'a Colors,
    tiles: Tiles,
    scene: &'a Scene,
}

impl Canvas<'_> {
    fn side(&self) -> f32 {
        self.tiles.side
    }

    fn center(&self, place: Tile) -> Pos2 {
        self.tiles.tile(place.x(), place.y()).center()
    }

    fn is_wall(&self, place: Tile) -> bool {
        self.scene.map().is_some_and(|map| map.get(place) == Ground::Wall)
            || self.scene.get(place) == Some(Sprite::Wall)
    }

    /// Water and walls.
    fn ground(&self, hovered: Option<Tile>) {
        let board = self.tiles.board();
        let frame = Stroke::new((self.side() * 0.06).max(1.0), self.colors.rim);
        let radius = (self.side() * 0.18).max(2.0);
        self.painter.rect_filled(board.expand(4.0), radius, self.colors.deep);
        let mut quads = Quads::default();
        for place in Tile::all() {
            let area = self.tiles.tile(place.x(), place.y());
            let water = self.colors.water[usize::from((place.x() + place.y()) % 2)];
            quads.add(area, water);
        }
        for place in Tile::all().filter(|place| self.is_wall(*place)) {
            self.wall(&mut quads, place);
        }
        if let Some(place) = hovered {
            let color = self.palette.text.gamma_multiply(0.16);
            quads.add(self.tiles.tile(place.x(), place.y()), color);
        }
        quads.paint(&self.painter);
        self.painter.rect_stroke(board.expand(3.0), radius, frame, StrokeKind::Middle);
    }

    /// A block of rock, lit from above, so that walls look raised in either theme.
    fn wall(&self, quads: &mut Quads, place: Tile) {
        let area = self.tiles.tile(place.x(), place.y());
        let edge = (self.side() * 0.14).max(1.0);
        let open = |right: i8, down: i8| {
            let (dx, dy) = self.tiles.step_of((right, down));
            let next = place.x().checked_add_signed(dx).zip(place.y().checked_add_signed(dy));
            let next = next.and_then(|(x, y)| Tile::new(x, y));
            next.is_some_and(|next| !self.is_wall(next))
        };
        let Colors { wall, crest, foot, .. } = *self.colors;
        quads.add(area, wall);
        if open(0, -1) {
            quads.add(Rect::from_min_size(area.min, vec2(area.width(), edge)), crest);
        }
        if open(0, 1) {
            let min = pos2(area.left(), area.bottom() - 1.6 * edge);
            quads.add(Rect::from_min_max(min, area.max), foot);
        }
        if open(-1, 0) {
            let size = vec2(edge * 0.6, area.height());
            quads.add(Rect::from_min_size(area.min, size), mix(wall, crest, 0.7));
        }
        if open(1, 0) {
            let min = pos2(area.right() - edge * 0.6, area.top());
            quads.add(Rect::from_min_max(min, area.max), mix(wall, foot, 0.7));
        }
    }

    /// Spawn points, drop points and stands.
    fn fixtures(&self) {
        let Some(map) = self.scene.map() else { return };
        let side = self.side();
        for place in Tile::all() {
            let at = self.center(place);
            match map.get(place) {
                Ground::Spawn(team) => {
                    let accent = self.palette.squad(team).accent;
                    let pen = Stroke::new((side * 0.06).max(1.0), accent.gamma_multiply(0.75));
                    team_marks::paint_plate(
                        &self.painter,
                        at,
                        side * 0.33,
                        team,
                        accent.gamma_multiply(0.12),
                        pen,
                    );
                    team_marks::paint_mark(&self.painter, at, side * 0.15, team, accent.gamma_multiply(0.75));
                }
                Ground::Drop => self.drop_point(at),
                Ground::Stand(team) => self.stand(at, team),
                Ground::Empty | Ground::Wall => {}
            }
        }
    }

    /// A drop point: four corners, where powerups appear.
    fn drop_point(&self, at: Pos2) {
        let side = self.side();
        let pen = Stroke::new((side * 0.055).max(1.0), self.colors.chalk.gamma_multiply(0.8));
        for way in [vec2(1.0, 1.0), vec2(1.0, -1.0), vec2(-1.0, -1.0), vec2(-1.0, 1.0)] {
            let corner = at + way * side * 0.30;
            let ends = [corner - vec2(way.x, 0.0) * side * 0.15, corner - vec2(0.0, way.y) * side * 0.15];
            self.painter.add(Shape::line(vec![ends[0], corner, ends[1]], pen));
        }
    }

    /// A pedestal, with its flag when that is at home.
    fn stand(&self, at: Pos2, team: Team) {
        let side = self.side();
        let colors = self.palette.squad(team);
        let full = self.scene.is_full(team);
        let rim = Stroke::new((side * 0.08).max(1.5), colors.accent);
        team_marks::paint_plate(&self.painter, at, side * 0.47, team, INK.gamma_multiply(0.55), rim);
        if full {
            team_marks::paint_plate(
                &self.painter,
                at,
                side * 0.30,
                team,
                colors.piece.gamma_multiply(0.8),
                Stroke::NONE,
            );
            let foot = at + vec2(-0.20, 0.34) * side;
            team_marks::paint_flag(&self.painter, self.palette, foot, side * 0.98, team, 1.0);
        } else {
            // The hole for the pole.
            let pen = Stroke::new((side * 0.05).max(1.0), colors.accent.gamma_multiply(0.8));
            self.painter.circle_stroke(at, side * 0.10, pen);
        }
    }

    fn powerups(&self) {
        for (place, sprite) in self.scene.sprites() {
            if sprite == Sprite::Powerup {
                paint_powerup(&self.painter, self.palette, self.center(place), self.side() * 0.27);
            }
        }
    }

    /// The robots. `below_signs` gets the place of frames, below what is told of each: nothing runs through a number.
    fn bots(&self, movers: &Movers, now: f64, below_signs: &Layer) {
        let side = self.side();
        let bots: Vec<_> = bots(self.scene, movers, now).map(|(_, bot, pose)| (bot, pose)).collect();
        let shark = |bot: &Bot, pose: &Pose| Shark {
            at: self.tiles.at(pose.at),
            way: self.tiles.way(pose.angle),
            size: side * SHARK,
            team: bot.team,
            alpha: 1.0,
        };
        for (bot, pose) in &bots {
            shark(bot, pose).paint_shadow(&self.painter);
        }
        for passing in movers.passing(now).filter(|passing| !passing.comes) {
            self.passing(&passing);
        }
        for (bot, pose) in &bots {
            shark(bot, pose).paint(&self.painter, self.palette);
        }
        for passing in movers.passing(now).filter(|passing| passing.comes) {
            self.passing(&passing);
        }
        below_signs.keep(&self.painter);
        for (bot, pose) in &bots {
            let at = self.tiles.at(pose.at);
            if bot.flag {
                self.carried(at, bot.team.opponent());
            }
            if let Some(who) = bot.who {
                paint_health(&self.painter, at + vec2(0.0, side * 0.47), side, who.health);
                self.label(at, &who.pid.to_string(), bot.flag);
            }
        }
    }

    fn passing(&self, passing: &Fade) {
        let at = self.tiles.at(middle(passing.token.column, passing.token.row));
        let team = Team::ALL[passing.token.team.min(1)];
        let what = (team, passing.comes, passing.progress);
        paint_fade(&self.painter, self.palette, at, self.side(), what);
    }

    /// The other team's flag on a robot's back.
    fn carried(&self, at: Pos2, flag: Team) {
        let side = self.side();
        let halo = Stroke::new((side * 0.06).max(1.2), self.palette.squad(flag).mark);
        self.painter.circle_stroke(at, side * 0.60, Stroke::new(halo.width * 2.2, INK.gamma_multiply(0.45)));
        self.painter.circle_stroke(at, side * 0.60, halo);
        team_marks::paint_flag(
            &self.painter,
            self.palette,
            at + vec2(-0.02, 0.05) * side,
            side * 0.95,
            flag,
            1.0,
        );
    }

    /// The robot's number above it; left out on small tiles.
    fn label(&self, at: Pos2, name: &str, flag: bool) {
        let side = self.side();
        if side < NUMBERED {
            return;
        }
        let font = FontId::new((side * 0.36).round().clamp(10.0, 30.0), semibold());
        let galley = self.painter.layout_no_wrap(name.to_owned(), font, Color32::WHITE);
        let area = number_area(at, side, flag, galley.size());
        self.painter.rect_filled(area.expand2(vec2(3.0, -1.0)), 3.0, INK.gamma_multiply(0.72));
        self.painter.galley(area.min, galley, Color32::WHITE);
    }

    /// Laser beams, fading with age.
    fn beams(&self, picture: &BoardInput<'_>) {
        let side = self.side();
        for line in self.scene.shots() {
            let Some(age) = picture.age(line.t, BEAM_SECS) else { continue };
            let strength = (1.0 - age) * (1.0 - age);
            let color = line.team.map_or(Color32::WHITE, |team| self.palette.squad(team).accent);
            let (from, to) = (self.center(line.shot.from()), self.center(line.shot.to()));
            let way = (to - from).normalized();
            let hard = self.is_wall(line.shot.to());
            let from = from + way * side * 0.45;
            let to = to - way * side * if hard { 0.5 } else { 0.15 };
            for (width, color) in [
                (0.30, color.gamma_multiply(0.28 * strength)),
                (0.14, color.gamma_multiply(0.75 * strength)),
                (0.05, Color32::WHITE.gamma_multiply(strength)),
            ] {
                self.painter.line_segment([from, to], Stroke::new((side * width).max(1.0), color));
            }
            for n in 0..8 {
                let ray = angled(std::f32::consts::TAU * (n as f32 / 8.0 + 0.06));
                let long = side * (0.20 + 0.16 * (n % 2) as f32) * (0.6 + 0.4 * age);
                let pen = Stroke::new(
                    (side * 0.06).max(1.2),
                    mix(color, Color32::WHITE, 0.5).gamma_multiply(strength),
                );
                self.painter.line_segment([to + ray * side * 0.08, to + ray * long], pen);
            }
        }
    }
}
