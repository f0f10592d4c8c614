//! Board of Steam Fortress: its painter, movements and effects, and the roster beside a team's name.

mod cards;
mod crowd;
mod effects;
mod fight;
mod paint;
mod roster;
mod terrain;
#[cfg(test)]
mod tests;
mod unit;

use egui::layers::ShapeIdx;
use egui::{Painter, Pos2, Rect, Ui, Vec2};
use grandstand_protocol::fortress::{Direction, Elevation, Scene, Square, Team, Unit};
use grandstand_protocol::{Place, Scene as AnyScene, SeatRequest};

use super::tiles::{Movers, Token, Trails};
use crate::cached_mesh::CachedMesh;
use crate::layer::Layer;
use crate::step::SceneChange;
use crate::theme::Palette;
use crate::{BoardInput, BoardOptions, BoardPainter, BoardView, CellShape, MatchContext, SideFigure};

/// Number of commands between two pictures up to which they are animated.
const COMMANDS_MAX: u64 = 400;
/// Duration of a shot, a cone or a blow, in seconds.
const EFFECT_SECS: f64 = 0.7;
impl BoardView for Scene {
    fn shape(&self) -> f32 {
        2.0
    }

    fn can_stand(&self) -> bool {
        true
    }

    fn drawn(&self, rect: Rect, options: BoardOptions) -> Rect {
        paint::drawn(rect, options)
    }

    fn has_fights(&self) -> bool {
        true
    }

    fn thumbnail(&self, painter: &Painter, palette: &Palette, square: Rect) {
        paint::paint_thumbnail(painter, palette, square);
    }

    fn new_painter(&self) -> Box<dyn BoardPainter> {
        Box::new(FortressBoard::default())
    }

    /// The team's units: class and health of those on the board, and waiting times of the others.
    fn tally(&self, side: usize, about: &MatchContext<'_>) -> Vec<SideFigure> {
        roster::roster(self, Team::ALL[side.min(1)], about)
    }
}

/// Column and row of a square, counted from the north-west.
fn tile(at: Square) -> (u8, u8) {
    ((at.x() + Square::X_MAX) as u8, (Square::Y_MAX - at.y()) as u8)
}

fn quarter(direction: Direction) -> u8 {
    match direction {
        Direction::East => 0,
        Direction::South => 1,
        Direction::West => 2,
        Direction::North => 3,
    }
}

/// A unit as a moving token.
fn token(unit: &Unit) -> Token {
    let (column, row) = tile(unit.at);
    Token { id: Some(unit.id), team: unit.team.index(), column, row, quarter: quarter(unit.facing) }
}

fn tokens(scene: &Scene) -> Vec<Token> {
    scene.units().iter().map(token).collect()
}

/// Last report of a capture's progress, which is extrapolated between two reports.
#[derive(Debug, Clone, Copy)]
struct Heard {
    point: u8,
    millis: u32,
    /// Time in the match, in seconds.
    secs: f64,
}

/// The board, with its movements.
#[derive(Debug, Default)]
struct FortressBoard {
    /// Cached parts of the board.
    ground: CachedMesh,
    labels: CachedMesh,
    below_pieces: Layer,
    movers: Movers,
    trails: Trails,
    captures: Vec<Heard>,
}

impl BoardPainter for FortressBoard {
    fn animate(&mut self, step: &SceneChange<'_>) {
        let (AnyScene::Fortress(before), AnyScene::Fortress(after)) = (step.before, step.after) else {
            return;
        };
        let secs = step.secs_of_moves(COMMANDS_MAX);
        let (before, after_tokens) = (tokens(before), tokens(after));
        self.movers.animate(step.now, secs, step.plays, &before, &after_tokens);
        self.trails.animate(step, COMMANDS_MAX, &before, &after_tokens);
        let known = std::mem::take(&mut self.captures);
        let secs = step.log.time_of(step.to).as_secs_f64();
        self.captures = after
            .points()
            .iter()
            .filter_map(|point| {
                let millis = point.capture?.millis;
                let same = |heard: &&Heard| heard.point == point.point && heard.millis == millis;
                let fresh = Heard { point: point.point, millis, secs };
                Some(known.iter().find(same).filter(|_| step.to > step.from).copied().unwrap_or(fresh))
            })
            .collect();
    }

    fn settle(&mut self) {
        self.movers.settle();
    }

    fn is_moving(&self, picture: &BoardInput<'_>) -> bool {
        let AnyScene::Fortress(scene) = picture.scene else { return false };
        let effects = || scene.effects().rev().any(|effect| picture.age(effect.t, EFFECT_SECS).is_some());
        let runs = picture.playback_rate > 0.0;
        self.movers.is_moving(picture.now)
            || runs && (!self.captures.is_empty() || effects() || self.trails.are_seen(picture))
    }

    fn show(
        &self,
        ui: &mut Ui,
        rect: Rect,
        picture: &BoardInput<'_>,
        options: BoardOptions,
    ) -> Option<SeatRequest> {
        if let AnyScene::Fortress(scene) = picture.scene {
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
        let AnyScene::Fortress(scene) = picture.scene else { return None };
        let (tiles, _) = paint::tiles(rect, picture, options);
        if let Some(unit) = paint::unit_of_card(rect, &tiles, (scene, picture), options, at) {
            return Some(Place::Square(unit.at));
        }
        paint::place_at(&tiles, &paint::placed(&tiles, scene, self, picture), at).map(Place::Square)
    }

    fn ground<'a>(
        &'a self,
        rect: Rect,
        picture: &'a BoardInput<'a>,
        options: BoardOptions,
    ) -> Box<dyn Fn(Pos2) -> bool + 'a> {
        let (tiles, _) = paint::tiles(rect, picture, options);
        Box::new(move |at| tiles.tile_at(at).is_some())
    }

    fn unit_area(
        &self,
        rect: Rect,
        picture: &BoardInput<'_>,
        options: BoardOptions,
        id: u32,
    ) -> Option<Rect> {
        let AnyScene::Fortress(scene) = picture.scene else { return None };
        let (tiles, _) = paint::tiles(rect, picture, options);
        let units = paint::placed(&tiles, scene, self, picture);
        let unit = units.iter().find(|placed| placed.unit.id == id)?;
        Some(Rect::from_center_size(unit.at, Vec2::splat(2.0 * crowd::plate_radius(tiles.side))))
    }

    fn fight(&self, rect: Rect, picture: &BoardInput<'_>, options: BoardOptions) -> Option<Rect> {
        let AnyScene::Fortress(scene) = picture.scene else { return None };
        let (tiles, _) = paint::tiles(rect, picture, options);
        let units = paint::placed(&tiles, scene, self, picture);
        let plate = Vec2::splat(2.0 * crowd::plate_radius(tiles.side));
        let areas = fight::units(scene, picture).into_iter().filter_map(|id| {
            let placed = units.iter().find(|placed| placed.unit.id == id)?;
            Some(Rect::from_center_size(placed.at, plate))
        });
        let area = areas.reduce(Rect::union)?;
        let ground = Vec2::splat(fight::GROUND * tiles.side);
        Some(area.union(Rect::from_center_size(area.center(), ground)))
    }

    fn unit_at(&self, rect: Rect, picture: &BoardInput<'_>, options: BoardOptions, at: Pos2) -> Option<u32> {
        let AnyScene::Fortress(scene) = picture.scene else { return None };
        let (tiles, _) = paint::tiles(rect, picture, options);
        if let Some(unit) = paint::unit_of_card(rect, &tiles, (scene, picture), options, at) {
            return Some(unit.id);
        }
        let units = paint::placed(&tiles, scene, self, picture);
        crowd::unit_at(&units, crowd::plate_radius(tiles.side), at).map(|unit| unit.id)
    }

    fn texts(&self, rect: Rect, picture: &BoardInput<'_>, options: BoardOptions) -> Option<Vec<Rect>> {
        Some(paint::tiles(rect, picture, options).0.named(options))
    }

    fn occupied(&self, rect: Rect, picture: &BoardInput<'_>, options: BoardOptions) -> Vec<Rect> {
        let AnyScene::Fortress(scene) = picture.scene else { return Vec::new() };
        paint::occupied(rect, scene, self, picture, options)
    }

    fn heights(&self, rect: Rect, picture: &BoardInput<'_>, options: BoardOptions) -> Vec<Rect> {
        let AnyScene::Fortress(scene) = picture.scene else { return Vec::new() };
        let (tiles, _) = paint::tiles(rect, picture, options);
        let high = Square::all().filter(|at| scene.elevation().get(*at) != Elevation::Low);
        high.map(|at| tiles.tile(tile(at).0, tile(at).1)).collect()
    }

    fn below_pieces(&self) -> Option<ShapeIdx> {
        self.below_pieces.get()
    }

    /// Around the units that stand there, which may be seen beside their square.
    fn mark_areas(
        &self,
        rect: Rect,
        picture: &BoardInput<'_>,
        options: BoardOptions,
        place: Place,
    ) -> Vec<(CellShape, Rect)> {
        let (AnyScene::Fortress(scene), Place::Square(at)) = (picture.scene, place) else {
            return Vec::new();
        };
        let (tiles, _) = paint::tiles(rect, picture, options);
        let plate = Vec2::splat(2.0 * crowd::plate_radius(tiles.side));
        let units = paint::placed(&tiles, scene, self, picture).into_iter();
        let here = units.filter(|placed| placed.unit.at == at);
        let plates: Vec<_> =
            here.map(|placed| (CellShape::Disc, Rect::from_center_size(placed.at, plate))).collect();
        if !plates.is_empty() {
            return plates;
        }
        let (column, row) = tile(at);
        vec![(CellShape::Square, tiles.tile(column, row))]
    }

    fn area_of(
        &self,
        rect: Rect,
        picture: &BoardInput<'_>,
        options: BoardOptions,
        place: Place,
    ) -> Option<Rect> {
        let Place::Square(at) = place else { return None };
        let (column, row) = tile(at);
        Some(paint::tiles(rect, picture, options).0.tile(column, row))
    }
}
