//! Riskless in the spectator: how it is told, what its plots and its timeline show, and the map.

mod atlas;
mod grown;
mod land;
mod paint;
mod terrain;
mod triangles;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use egui::{Painter, Pos2, Rect, Ui};
use grandstand_protocol::riskless::{Name, Road, Scene, Team};
use grandstand_protocol::{Place, Scene as AnyScene, SeatRequest};
use grandstand_story::format;

use self::atlas::Atlas;
use self::land::Land;
use super::turn_tally;
use crate::cached_mesh::CachedMesh;
use crate::piece_numbers::Numbers;
use crate::step::Step;
use crate::theme::Palette;
use crate::view::move_request;
use crate::{BoardPainter, BoardView, CellShape, MatchContext, Options, Picture, Tally};

/// How many commands a change of the picture may take and still be seen as a move.
const COMMANDS_MAX: u64 = 300;
impl BoardView for Scene {
    fn shape(&self) -> f32 {
        1.9
    }

    fn thumbnail(&self, painter: &Painter, palette: &Palette, square: Rect) {
        paint::paint_thumbnail(painter, palette, square);
    }

    fn board(&self) -> Box<dyn BoardPainter> {
        Box::new(RisklessBoard::default())
    }

    fn tally(&self, side: usize, about: &MatchContext<'_>) -> Vec<Tally> {
        let team = Team::ALL[side.min(1)];
        let own = [turn_tally::clock(self.table(), team, about), turn_tally::thought(self.table(), team)];
        let mut tally: Vec<Tally> = own.into_iter().flatten().collect();
        tally.push(Tally::Words(format::count(self.held(team) as u64, "territory", "territories")));
        tally
    }
}

/// When the armies of the last move set out, in the interface's time, and how long they take, in seconds.
#[derive(Debug, Default)]
struct March {
    began: f64,
    secs: f64,
}

impl March {
    /// How far they have come, from 0 to 1; `None` when they are there.
    fn progress(&self, now: f64) -> Option<f32> {
        let progress = (now - self.began) / self.secs.max(1e-6);
        (self.secs > 0.0 && progress < 1.0).then_some(progress.max(0.0) as f32)
    }
}

/// Where the territories are, in which rectangle.
#[derive(Debug)]
struct Fitted {
    rect: Rect,
    atlas: Rc<Atlas>,
}

/// The land of a map, and by which territories and roads it was found.
#[derive(Debug, Default)]
struct KnownLand {
    places: Vec<(u8, u16, u16, Name)>,
    roads: Vec<Road>,
    land: Rc<Land>,
}

/// What of the map stands still.
#[derive(Debug, Default)]
struct CachedMeshes {
    sea: CachedMesh,
    ground: CachedMesh,
    borders: CachedMesh,
    signs: CachedMesh,
    names: CachedMesh,
    digits: Numbers,
    land: RefCell<KnownLand>,
    atlas: RefCell<Option<Fitted>>,
}

/// The map, with the armies that are on their way.
#[derive(Debug, Default)]
struct RisklessBoard {
    march: March,
    cached_meshes: CachedMeshes,
    /// The territory that the viewer is going to move from.
    source: Cell<Option<u8>>,
    /// Where a finger has aimed, for the next press to confirm.
    aim: Cell<Option<u8>>,
}

impl BoardPainter for RisklessBoard {
    fn advance(&mut self, step: &Step<'_>) {
        self.march = March::default();
        let (AnyScene::Riskless(before), AnyScene::Riskless(after)) = (step.before, step.after) else {
            return;
        };
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

    fn is_moving(&self, picture: &Picture<'_>) -> bool {
        self.march.progress(picture.now).is_some()
    }

    fn show(&self, ui: &mut Ui, rect: Rect, picture: &Picture<'_>, options: Options) -> Option<SeatRequest> {
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

    fn place_at(&self, rect: Rect, picture: &Picture<'_>, _: Options, at: Pos2) -> Option<Place> {
        let AnyScene::Riskless(scene) = picture.scene else { return None };
        paint::atlas(rect, scene, &self.cached_meshes).territory_at(at).map(Place::Territory)
    }

    fn cell_shape(&self) -> CellShape {
        CellShape::Disc
    }

    fn shape_of(&self, rect: Rect, picture: &Picture<'_>, _: Options, place: Place) -> CellShape {
        match (picture.scene, place) {
            (AnyScene::Riskless(scene), Place::Territory(number)) => {
                CellShape::Land(paint::atlas(rect, scene, &self.cached_meshes).outlines(number).into())
            }
            _ => self.cell_shape(),
        }
    }

    fn area_of(&self, rect: Rect, picture: &Picture<'_>, _: Options, place: Place) -> Option<Rect> {
        let (AnyScene::Riskless(scene), Place::Territory(number)) = (picture.scene, place) else {
            return None;
        };
        paint::atlas(rect, scene, &self.cached_meshes).area(number)
    }
}
