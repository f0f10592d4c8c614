//! Board of Riskless: the map with its land, signs and moves, and the tally beside a team's name.

mod atlas;
mod battle;
mod expected;
mod grown;
mod input;
mod land;
mod names;
mod paint;
mod terrain;
mod triangles;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use egui::layers::ShapeIdx;
use egui::{Painter, Pos2, Rect, Ui};
use grandstand_protocol::riskless::{Name, Road, Scene, Step, Team};
use grandstand_protocol::{Place, Scene as AnyScene, SeatRequest};
use grandstand_story::format;

use self::atlas::Atlas;
use self::land::Land;
use super::turn_tally;
use crate::cached_mesh::CachedMesh;
use crate::layer::Layer;
use crate::piece_numbers::Numbers;
use crate::step::SceneChange;
use crate::theme::Palette;
use crate::view::move_request;
use crate::{
    BegunMove, BoardInput, BoardOptions, BoardPainter, BoardView, CellShape, MatchContext, SideFigure,
};

/// Number of commands between two pictures up to which they are animated.
const COMMANDS_MAX: u64 = 300;

impl BoardView for Scene {
    fn shape(&self) -> f32 {
        1.9
    }

    fn fills_width(&self) -> bool {
        true
    }

    /// In a high window the Earth is a little higher than its shape: names find room, and the continents stay what they are.
    fn least_shape(&self) -> f32 {
        1.2
    }

    /// The sea fills all of it.
    fn drawn(&self, rect: Rect, _: BoardOptions) -> Rect {
        rect
    }

    fn head(&self, rect: Rect) -> f32 {
        paint::parts(rect).0.height()
    }

    fn thumbnail(&self, painter: &Painter, palette: &Palette, square: Rect) {
        paint::paint_thumbnail(painter, palette, square);
    }

    fn new_painter(&self) -> Box<dyn BoardPainter> {
        Box::new(RisklessBoard::default())
    }

    fn tally(&self, side: usize, about: &MatchContext<'_>) -> Vec<SideFigure> {
        let team = Team::ALL[side.min(1)];
        let (timed, secs) = about.clocks(self, |scene| match scene {
            AnyScene::Riskless(scene) => Some(scene),
            _ => None,
        });
        let thought = turn_tally::thought(self, self.table(), team).filter(|_| !about.is_judged);
        let own = [turn_tally::clock(timed.table(), team, (secs, about.rules)), thought];
        let mut tally: Vec<SideFigure> = own.into_iter().flatten().collect();
        tally.push(SideFigure::Words(format::count(self.held(team) as u64, "territory", "territories")));
        tally
    }
}

/// Animation of the last move's armies: its start in egui's time and its duration, in seconds.
#[derive(Debug, Default)]
struct March {
    began: f64,
    secs: f64,
}

impl March {
    /// Progress from 0 to 1; `None` after the end.
    fn progress(&self, now: f64) -> Option<f32> {
        let progress = (now - self.began) / self.secs.max(1e-6);
        (self.secs > 0.0 && progress < 1.0).then_some(progress.max(0.0) as f32)
    }
}

/// An atlas with the rectangle that it was made for.
#[derive(Debug)]
struct Fitted {
    rect: Rect,
    atlas: Rc<Atlas>,
}

/// Land of a map, with the territories and roads that it was made for.
#[derive(Debug, Default)]
struct KnownLand {
    places: Vec<(u8, u16, u16, Name)>,
    roads: Vec<Road>,
    land: Rc<Land>,
}

/// Cached parts of the map.
#[derive(Debug, Default)]
struct CachedMeshes {
    sea: CachedMesh,
    ground: CachedMesh,
    borders: CachedMesh,
    signs: CachedMesh,
    names: CachedMesh,
    /// The place for frames of places among the shapes that were painted last.
    below_signs: Layer,
    /// The place for marks of places, below all signs.
    below_pieces: Layer,
    /// Where the names are.
    named: RefCell<Vec<Rect>>,
    /// Where the numbers of the last battle are, and where their place was found.
    plated: Cell<Option<Rect>>,
    plate: battle::Known,
    expected: expected::Known,
    digits: Numbers,
    land: RefCell<KnownLand>,
    atlas: RefCell<Option<Fitted>>,
}

/// The map, with the animation under way.
#[derive(Debug, Default)]
struct RisklessBoard {
    march: March,
    cached_meshes: CachedMeshes,
    /// The territory from which the viewer is going to move.
    source: Cell<Option<u8>>,
    /// The target that a finger has pressed once; a second press confirms it.
    aim: Cell<Option<u8>>,
}

impl BoardPainter for RisklessBoard {
    fn animate(&mut self, step: &SceneChange<'_>) {
        self.march = March::default();
        let (AnyScene::Riskless(before), AnyScene::Riskless(after)) = (step.before, step.after) else {
            return;
        };
        if after.ply() != before.ply() {
            self.source.set(None);
            self.aim.set(None);
        }
        if after.ply() == before.ply().wrapping_add(1)
            && let Some(secs) = step.secs_of_moves(COMMANDS_MAX)
        {
            self.march = March { began: step.now, secs: secs * 1.6 };
        }
    }

    fn settle(&mut self) {
        self.march = March::default();
    }

    fn replay(&mut self, now: f64, secs: f64) {
        self.march = March { began: now, secs };
    }

    fn is_moving(&self, picture: &BoardInput<'_>) -> bool {
        self.march.progress(picture.now).is_some()
    }

    fn show(
        &self,
        ui: &mut Ui,
        rect: Rect,
        picture: &BoardInput<'_>,
        options: BoardOptions,
    ) -> Option<SeatRequest> {
        let AnyScene::Riskless(scene) = picture.scene else { return None };
        let step = paint::show(
            ui,
            rect,
            scene,
            (&self.march, &self.cached_meshes),
            (&self.source, &self.aim),
            picture,
            options,
        )?;
        Some(move_request(picture.scene, &step))
    }

    fn begun(&self, picture: &BoardInput<'_>) -> Option<BegunMove> {
        picture.may_move?;
        let AnyScene::Riskless(scene) = picture.scene else { return None };
        let name = |number| scene.territory(number).map(|territory| territory.name.to_string());
        let aimed = self.aim.get().filter(|_| self.source.get().is_some()).and_then(name);
        let from = || self.source.get().and_then(name).map(BegunMove::From);
        aimed.map(BegunMove::Aimed).or_else(from)
    }

    fn take_back(&self) -> bool {
        self.aim.take().or_else(|| self.source.take()).is_some()
    }

    fn confirm(&self, picture: &BoardInput<'_>) -> Option<SeatRequest> {
        picture.may_move?;
        let (from, to) = (self.source.get()?, self.aim.take()?);
        Some(move_request(picture.scene, &Step { from, to }))
    }

    fn face(&self, rect: Rect, _: &BoardInput<'_>, _: BoardOptions) -> Rect {
        paint::parts(rect).1
    }

    fn place_at(
        &self,
        rect: Rect,
        picture: &BoardInput<'_>,
        options: BoardOptions,
        at: Pos2,
    ) -> Option<Place> {
        let AnyScene::Riskless(scene) = picture.scene else { return None };
        paint::atlas(rect, scene, options.is_tile, &self.cached_meshes).territory_at(at).map(Place::Territory)
    }

    fn ground<'a>(
        &'a self,
        rect: Rect,
        picture: &'a BoardInput<'a>,
        options: BoardOptions,
    ) -> Box<dyn Fn(Pos2) -> bool + 'a> {
        let AnyScene::Riskless(scene) = picture.scene else { return Box::new(|_| false) };
        let atlas = paint::atlas(rect, scene, options.is_tile, &self.cached_meshes);
        Box::new(move |at| atlas.territory_at(at).is_some())
    }

    fn neighbours(&self, picture: &BoardInput<'_>, place: Place) -> Vec<Place> {
        let (AnyScene::Riskless(scene), Place::Territory(number)) = (picture.scene, place) else {
            return Vec::new();
        };
        let others = scene.territories().map(|other| other.id);
        others.filter(|other| scene.has_road(number, *other)).map(Place::Territory).collect()
    }

    fn texts(&self, rect: Rect, picture: &BoardInput<'_>, options: BoardOptions) -> Option<Vec<Rect>> {
        let AnyScene::Riskless(scene) = picture.scene else { return None };
        let atlas = paint::atlas(rect, scene, options.is_tile, &self.cached_meshes);
        let signs = scene.territories().filter_map(|place| atlas.area(place.id));
        let plate = self.cached_meshes.plated.get();
        Some(self.cached_meshes.named.borrow().iter().copied().chain(signs).chain(plate).collect())
    }

    /// The numbers of the last battle.
    fn occupied(&self, _: Rect, _: &BoardInput<'_>, _: BoardOptions) -> Vec<Rect> {
        self.cached_meshes.plated.get().into_iter().collect()
    }

    fn land(&self, rect: Rect, picture: &BoardInput<'_>, options: BoardOptions) -> Rc<[Rect]> {
        let AnyScene::Riskless(scene) = picture.scene else { return Rc::default() };
        paint::atlas(rect, scene, options.is_tile, &self.cached_meshes).rows()
    }

    fn below_pieces(&self) -> Option<ShapeIdx> {
        self.cached_meshes.below_pieces.get()
    }

    fn below_signs(&self) -> Option<ShapeIdx> {
        self.cached_meshes.below_signs.get()
    }

    fn cell_shape(&self) -> CellShape {
        CellShape::Disc
    }

    /// Around the signs: their shape tells the team.
    fn mark_size(&self) -> f32 {
        1.36
    }

    fn shape_of(
        &self,
        rect: Rect,
        picture: &BoardInput<'_>,
        options: BoardOptions,
        place: Place,
    ) -> CellShape {
        match (picture.scene, place) {
            (AnyScene::Riskless(scene), Place::Territory(number)) => CellShape::Land(
                paint::atlas(rect, scene, options.is_tile, &self.cached_meshes).outlines(number).into(),
            ),
            _ => self.cell_shape(),
        }
    }

    fn area_of(
        &self,
        rect: Rect,
        picture: &BoardInput<'_>,
        options: BoardOptions,
        place: Place,
    ) -> Option<Rect> {
        let (AnyScene::Riskless(scene), Place::Territory(number)) = (picture.scene, place) else {
            return None;
        };
        let atlas = paint::atlas(rect, scene, options.is_tile, &self.cached_meshes);
        paint::area_of(&atlas, scene, picture.marked, number)
    }
}
