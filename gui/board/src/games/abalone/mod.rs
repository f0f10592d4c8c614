//! Board of Robot Abalone: its painter, its transitions, and the tally beside a team's name.

mod paint;

use egui::layers::ShapeIdx;
use egui::{Painter, Pos2, Rect, Ui};
use grandstand_protocol::abalone::{self, Scene, Team};
use grandstand_protocol::{Command, Micros, Place, Scene as AnyScene, SeatRequest};
use grandstand_replays::Log;
use grandstand_story::games::abalone::motion::{self, Motion};
use grandstand_story::sides::Badge;
use grandstand_story::{GameStory as _, format};

use self::paint::{Change, Geometry};
use crate::cached_mesh::CachedMesh;
use crate::layer::Layer;
use crate::step::SceneChange;
use crate::theme::Palette;
use crate::{BoardInput, BoardOptions, BoardPainter, BoardView, CellShape, MatchContext, SideFigure};

pub(crate) use self::paint::paint_badge;

/// Moves that begin within this time of each other are animated together, in seconds.
const TOGETHER_SECS: f64 = 0.05;
/// Sets within this time belong to the same moves.
const SAME_MOVES: Micros = Micros(20_000);
/// Number of commands searched for the last moves.
const LOOK_BACK: u64 = 600;

impl BoardView for Scene {
    fn can_flip(&self) -> bool {
        true
    }

    fn thumbnail(&self, painter: &Painter, palette: &Palette, square: Rect) {
        paint::paint_thumbnail(painter, palette, square);
    }

    fn new_painter(&self) -> Box<dyn BoardPainter> {
        Box::new(AbaloneBoard::default())
    }

    /// Pieces that the team has taken, of those it needs to win, and its pieces on the board.
    fn tally(&self, side: usize, about: &MatchContext<'_>) -> Vec<SideFigure> {
        let team = Team::ALL[side.min(1)];
        let have = self.score(team).max(0) as u32;
        let of = (self.winning_score(about.rules).unwrap_or(0).max(0) as u32).max(have);
        let pieces = self.pieces().filter(|(_, piece)| piece.team == team).count();
        let mut tally = Vec::new();
        if of > 0 {
            tally.push(SideFigure::Pips { badge: Badge::Piece(team.opponent()), have, of });
        }
        tally.push(SideFigure::Words(format::count(pieces as u64, "piece", "pieces")));
        tally
    }
}

/// Animation between two pictures.
#[derive(Debug)]
struct Transition {
    motions: Vec<Motion>,
    /// The command and the picture at its start.
    from: (u64, Box<Scene>),
    began: f64,
    secs: f64,
}

/// Cached parts of the board.
#[derive(Debug, Default)]
struct CachedMeshes {
    cells: CachedMesh,
    /// The place for marks of hexes, below all pieces.
    below_pieces: Layer,
    pieces: CachedMesh,
    labels: CachedMesh,
}

/// The board, with the animation under way.
#[derive(Debug, Default)]
struct AbaloneBoard {
    cached_meshes: CachedMeshes,
    transition: Option<Transition>,
    /// The last moves before the picture.
    last_moves: Vec<Motion>,
    /// The last command and its picture, to replay the last moves.
    shown: Option<(u64, Box<Scene>)>,
}

impl BoardPainter for AbaloneBoard {
    fn animate(&mut self, step: &SceneChange<'_>) {
        let (AnyScene::Abalone(before), AnyScene::Abalone(after)) = (step.before, step.after) else { return };
        self.last_moves = last_moves(step.log, step.to);
        self.shown = Some((step.to, Box::new(after.clone())));
        let running = self.transition.take();
        let secs = step.secs_of_moves(LOOK_BACK).filter(|secs| *secs >= TOGETHER_SECS);
        let Some(secs) = secs else { return };
        let running = running.filter(|t| step.now - t.began < TOGETHER_SECS && t.from.0 < step.to);
        let fresh = || ((step.from, Box::new(before.clone())), step.now);
        let (from, began) = running.map_or_else(fresh, |t| (t.from, t.began));
        let commands: Vec<abalone::Command> =
            (from.0 + 1..=step.to).filter_map(|seq| set_command(step.log, seq)).collect();
        let motions = motion::while_drawing(&from.1, &commands);
        if !motions.is_empty() {
            self.transition = Some(Transition { motions, from, began, secs });
        }
    }

    fn settle(&mut self) {
        self.transition = None;
    }

    fn replay(&mut self, now: f64, secs: f64) {
        if let Some(from) = self.shown.clone() {
            let motions = self.last_moves.clone();
            self.transition = Some(Transition { motions, from, began: now, secs });
        }
    }

    fn is_moving(&self, picture: &BoardInput<'_>) -> bool {
        self.transition.as_ref().is_some_and(|t| picture.now - t.began < t.secs)
    }

    fn show(
        &self,
        ui: &mut Ui,
        rect: Rect,
        picture: &BoardInput<'_>,
        options: BoardOptions,
    ) -> Option<SeatRequest> {
        let AnyScene::Abalone(scene) = picture.scene else { return None };
        let (motions, progress) = match &self.transition {
            Some(t) => (&*t.motions, ((picture.now - t.began) / t.secs).clamp(0.0, 1.0) as f32),
            None => (&[][..], 1.0),
        };
        let change = Change { motions, progress, last: &self.last_moves };
        paint::show(ui, rect, scene, (change, &self.cached_meshes), picture, options);
        None
    }

    fn face(&self, rect: Rect, _: &BoardInput<'_>, options: BoardOptions) -> Rect {
        Geometry::fit(rect, options).tray(options)
    }

    fn place_at(&self, rect: Rect, _: &BoardInput<'_>, options: BoardOptions, at: Pos2) -> Option<Place> {
        Geometry::fit(rect, options).hex_at(at).map(Place::Hex)
    }

    fn texts(&self, rect: Rect, _: &BoardInput<'_>, options: BoardOptions) -> Option<Vec<Rect>> {
        let geometry = Geometry::fit(rect, options);
        let names = if options.coordinates { geometry.coordinates() } else { Vec::new() };
        let area = |at| Rect::from_center_size(at, egui::Vec2::splat(geometry.letters() * 1.3));
        Some(names.into_iter().map(|(at, _)| area(at)).collect())
    }

    fn occupied(&self, rect: Rect, picture: &BoardInput<'_>, options: BoardOptions) -> Vec<Rect> {
        let AnyScene::Abalone(scene) = picture.scene else { return Vec::new() };
        let geometry = Geometry::fit(rect, options);
        scene.pieces().map(|(hex, _)| geometry.area(hex)).collect()
    }

    fn below_pieces(&self) -> Option<ShapeIdx> {
        self.cached_meshes.below_pieces.get()
    }

    fn cell_shape(&self) -> CellShape {
        CellShape::Hexagon
    }

    fn area_of(&self, rect: Rect, _: &BoardInput<'_>, options: BoardOptions, place: Place) -> Option<Rect> {
        let Place::Hex(hex) = place else { return None };
        Some(Geometry::fit(rect, options).area(hex))
    }
}

fn set_command(log: &Log, seq: u64) -> Option<abalone::Command> {
    match log.command(seq) {
        Some(Command::Abalone(command @ abalone::Command::Set { .. })) => Some(command),
        _ => None,
    }
}

/// The last moves at or before a command: the latest sets that moved pieces and came together.
fn last_moves(log: &Log, seq: u64) -> Vec<Motion> {
    let two_turns = log.previous_turn(seq).and_then(|turn| log.previous_turn(turn)).unwrap_or(0);
    let start = log.known(two_turns.max(seq.saturating_sub(LOOK_BACK)));
    let AnyScene::Abalone(mut scene) = log.scene_at(start) else { return Vec::new() };
    let mut before = scene.clone();
    let mut together: Vec<abalone::Command> = Vec::new();
    let mut last = None::<Micros>;
    for seq in start + 1..=seq {
        let Some(command) = set_command(log, seq) else { continue };
        let abalone::Command::Set { hex, piece } = &command else { continue };
        let t = log.time_of(seq);
        if scene.get(*hex).map(|p| p.team) != piece.map(|p| p.team) {
            if last.is_none_or(|last| t.since(last) > SAME_MOVES) {
                before = scene.clone();
                together.clear();
            }
            last = Some(t);
        }
        scene.apply(seq, t, &command);
        together.push(command);
    }
    motion::while_drawing(&before, &together)
}
