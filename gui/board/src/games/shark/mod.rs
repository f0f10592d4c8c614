//! Board of λ-Shark: its painter, movements and beams, and the tally beside a team's name.

mod bot;
mod paint;
mod tally;

use egui::layers::ShapeIdx;
use egui::{Painter, Pos2, Rect, Ui, Vec2};
use grandstand_protocol::shark::{Ground, Heading, Scene, Sprite, Team, Tile};
use grandstand_protocol::{Place, Scene as AnyScene, SeatRequest, shark};
use grandstand_story::format;
use grandstand_story::games::shark::robots;

use super::tiles::{Movers, Token, Trails};
use crate::cached_mesh::CachedMesh;
use crate::layer::Layer;
use crate::step::SceneChange;
use crate::theme::Palette;
use crate::{BoardInput, BoardOptions, BoardPainter, BoardView, MatchContext, SideFigure};

/// Number of commands between two pictures up to which they are animated.
const COMMANDS_MAX: u64 = 400;
/// Duration of a beam, in seconds.
const BEAM_SECS: f64 = 0.55;
impl BoardView for Scene {
    fn shape(&self) -> f32 {
        2.0
    }

    fn can_stand(&self) -> bool {
        true
    }

    fn thumbnail(&self, painter: &Painter, palette: &Palette, square: Rect) {
        paint::paint_thumbnail(painter, palette, square);
    }

    fn new_painter(&self) -> Box<dyn BoardPainter> {
        Box::new(SharkBoard::default())
    }

    fn tally(&self, side: usize, _: &MatchContext<'_>) -> Vec<SideFigure> {
        let team = Team::ALL[side.min(1)];
        let (robots, credits) = (robots(self)[team.index()], self.credits(team));
        let robots_text = format::count(robots.into(), "robot", "robots");
        let credits_text = format::count(credits.into(), "spawn credit", "spawn credits");
        vec![
            tally::counted(robots, robots_text, move |painter, palette, at, size| {
                bot::paint_emblem(painter, palette, at, size, team);
            }),
            tally::counted(credits, credits_text, |painter, palette, at, size| {
                bot::paint_powerup(painter, palette, at, size * 0.36);
            }),
        ]
    }
}

/// The robots as moving tokens.
fn tokens(scene: &Scene) -> Vec<Token> {
    let token = |(place, sprite): (shark::Tile, Sprite)| match sprite {
        Sprite::Bot(bot) => Some(token(place, &bot)),
        Sprite::Wall | Sprite::Powerup => None,
    };
    scene.sprites().filter_map(token).collect()
}

fn token(place: shark::Tile, bot: &shark::Bot) -> Token {
    let quarter = match bot.heading {
        Heading::Right => 0,
        Heading::Down => 1,
        Heading::Left => 2,
        Heading::Up => 3,
    };
    let id = bot.who.map(|who| who.pid);
    Token { id, team: bot.team.index(), column: place.x(), row: place.y(), quarter }
}

/// Width of a robot with the ring of one that carries a flag, in tiles.
const REACH: f32 = 1.35;

/// Cached parts of the board.
#[derive(Debug, Default)]
struct CachedMeshes {
    ground: CachedMesh,
    labels: CachedMesh,
    /// The place for frames of places among the shapes that were painted last.
    below_signs: Layer,
    /// The place for marks of places, below all pieces.
    below_pieces: Layer,
}

/// The board, with its movements.
#[derive(Debug, Default)]
struct SharkBoard {
    movers: Movers,
    trails: Trails,
    cached_meshes: CachedMeshes,
}

impl BoardPainter for SharkBoard {
    fn animate(&mut self, step: &SceneChange<'_>) {
        let (AnyScene::Shark(before), AnyScene::Shark(after)) = (step.before, step.after) else { return };
        if before.map() != after.map() {
            self.movers.settle();
            return;
        }
        let secs = step.secs_of_moves(COMMANDS_MAX);
        let (before, after) = (tokens(before), tokens(after));
        self.movers.animate(step.now, secs, step.plays, &before, &after);
        self.trails.animate(step, COMMANDS_MAX, &before, &after);
    }

    fn settle(&mut self) {
        self.movers.settle();
    }

    fn is_moving(&self, picture: &BoardInput<'_>) -> bool {
        let AnyScene::Shark(scene) = picture.scene else { return false };
        let beams = || scene.shots().rev().any(|line| picture.age(line.t, BEAM_SECS).is_some());
        let runs = picture.playback_rate > 0.0;
        self.movers.is_moving(picture.now) || runs && (beams() || self.trails.are_seen(picture))
    }

    fn show(
        &self,
        ui: &mut Ui,
        rect: Rect,
        picture: &BoardInput<'_>,
        options: BoardOptions,
    ) -> Option<SeatRequest> {
        if let AnyScene::Shark(scene) = picture.scene {
            paint::show(ui, rect, scene, self, picture, options);
        }
        None
    }

    fn place_at(
        &self,
        rect: Rect,
        picture: &BoardInput<'_>,
        options: BoardOptions,
        at: Pos2,
    ) -> Option<Place> {
        let AnyScene::Shark(scene) = picture.scene else { return None };
        let tiles = paint::tiles(rect, picture, options);
        paint::place_at(&tiles, scene, &self.movers, picture.now, at).map(Place::Tile)
    }

    fn ground<'a>(
        &'a self,
        rect: Rect,
        picture: &'a BoardInput<'a>,
        options: BoardOptions,
    ) -> Box<dyn Fn(Pos2) -> bool + 'a> {
        let tiles = paint::tiles(rect, picture, options);
        Box::new(move |at| tiles.tile_at(at).is_some())
    }

    fn unit_area(
        &self,
        rect: Rect,
        picture: &BoardInput<'_>,
        options: BoardOptions,
        id: u32,
    ) -> Option<Rect> {
        let AnyScene::Shark(scene) = picture.scene else { return None };
        let (at, bot) = scene.sprites().find_map(|(at, sprite)| match sprite {
            shark::Sprite::Bot(bot) if bot.who.is_some_and(|who| who.pid == id) => Some((at, bot)),
            _ => None,
        })?;
        let tiles = paint::tiles(rect, picture, options);
        let pose = self.movers.pose(&token(at, &bot), picture.now);
        Some(Rect::from_center_size(tiles.at(pose.at), Vec2::splat(REACH * tiles.side)))
    }

    fn texts(&self, rect: Rect, picture: &BoardInput<'_>, options: BoardOptions) -> Option<Vec<Rect>> {
        let AnyScene::Shark(scene) = picture.scene else { return None };
        let tiles = paint::tiles(rect, picture, options);
        let numbers = paint::numbers(&tiles, scene, &self.movers, picture.now);
        Some(tiles.named(options).into_iter().chain(numbers).collect())
    }

    fn below_pieces(&self) -> Option<ShapeIdx> {
        self.cached_meshes.below_pieces.get()
    }

    fn below_signs(&self) -> Option<ShapeIdx> {
        self.cached_meshes.below_signs.get()
    }

    fn occupied(&self, rect: Rect, picture: &BoardInput<'_>, options: BoardOptions) -> Vec<Rect> {
        let AnyScene::Shark(scene) = picture.scene else { return Vec::new() };
        let tiles = paint::tiles(rect, picture, options);
        let stands = |at: &Tile| scene.map().is_some_and(|map| map.get(*at) != Ground::Empty);
        let ground = Tile::all().filter(stands).map(|at| tiles.tile(at.x(), at.y()));
        // A robot's number stands above it, and its tail behind it.
        let sprites = scene.sprites().map(|(at, _)| tiles.tile(at.x(), at.y()).expand(tiles.side * 0.3));
        ground.chain(sprites).collect()
    }

    fn area_of(
        &self,
        rect: Rect,
        picture: &BoardInput<'_>,
        options: BoardOptions,
        place: Place,
    ) -> Option<Rect> {
        let Place::Tile(at) = place else { return None };
        Some(paint::tiles(rect, picture, options).tile(at.x(), at.y()))
    }
}

#[cfg(test)]
mod tests {
    use grandstand_protocol::{Command, Game, Micros};

    use super::*;
    use crate::input_tests::still;

    fn scene(lines: &[&str]) -> AnyScene {
        let mut scene = AnyScene::new(Game::Shark);
        for (seq, line) in (1..).zip(lines) {
            scene.apply(seq, Micros(0), &Command::parse(Game::Shark, line.as_bytes()));
        }
        scene
    }

    #[test]
    fn frames_lie_below_the_numbers_of_robots_which_no_card_hides() {
        let scene = scene(&["draw RED_RIGHT 3 3 17 3"]);
        let ctx = egui::Context::default();
        crate::theme::install(&ctx);
        let board = SharkBoard::default();
        let mut texts = Vec::new();
        let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
            let rect = Rect::from_min_size(Pos2::ZERO, Vec2::new(1000.0, 500.0));
            let picture = still(&scene);
            let options = BoardOptions { coordinates: false, ..BoardOptions::default() };
            board.show(ui, rect, &picture, options);
            let below = board.below_signs().expect("a place for frames");
            ui.painter().set(below, egui::Shape::circle_filled(Pos2::ZERO, 123.0, egui::Color32::RED));
            texts = board.texts(rect, &picture, options).expect("texts");
        });
        output.textures_delta.clear();
        let shapes: Vec<_> = output.shapes.iter().map(|clipped| &clipped.shape).collect();
        let frame =
            shapes.iter().position(|shape| matches!(shape, egui::Shape::Circle(one) if one.radius == 123.0));
        let number = |shape: &&egui::Shape| match shape {
            egui::Shape::Text(text) if text.galley.text() == "17" => Some(text.visual_bounding_rect()),
            _ => None,
        };
        let (at, area) =
            shapes.iter().enumerate().find_map(|(n, shape)| Some((n, number(shape)?))).expect("a number");
        assert!(frame.expect("the frame") < at);
        assert!(texts.iter().any(|text| text.contains(area.center())), "{texts:?}");
    }

    #[test]
    fn a_robot_on_its_way_is_pointed_at_where_it_is_seen() {
        let lines = ["draw RED_RIGHT 3 3 17 3", "erase 3 3", "draw RED_RIGHT 4 3 17 3"];
        let (before, after) = (scene(&lines[..1]), scene(&lines));
        let robots = |scene: &AnyScene| match scene {
            AnyScene::Shark(scene) => tokens(scene),
            _ => Vec::new(),
        };
        let (before, moved) = (robots(&before), robots(&after));
        assert_eq!((before.len(), moved.len()), (1, 1));
        let mut board = SharkBoard::default();
        board.movers.animate(0.0, Some(0.4), true, &before, &moved);
        let rect = Rect::from_min_size(Pos2::ZERO, Vec2::new(800.0, 450.0));
        let picture = BoardInput { now: 0.02, ..still(&after) };
        let options = BoardOptions::default();
        let seen = board.unit_area(rect, &picture, options, 17).expect("the robot").center();
        let tiles = paint::tiles(rect, &picture, options);
        assert_eq!(tiles.tile_at(seen), Some((3, 3)), "it has hardly begun to move");
        let pointed = board.place_at(rect, &picture, options, seen);
        assert_eq!(pointed.map(|place| place.to_string()).as_deref(), Some("4,3"));
        board.settle();
        let left = board.place_at(rect, &picture, options, seen);
        assert_eq!(left.map(|place| place.to_string()).as_deref(), Some("3,3"));
    }
}
