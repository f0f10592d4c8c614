//! Board of Gomoku and Pente: its painter, the stones under way, and the tally beside a team's name.

mod geometry;
mod paint;
mod stone;

use std::cell::Cell;

use egui::layers::ShapeIdx;
use egui::{Painter, Pos2, Rect, Ui, vec2};
use grandstand_protocol::stones::{Command, Point, Scene, Team};
use grandstand_protocol::{Command as AnyCommand, Place, Scene as AnyScene, SeatRequest};
use grandstand_replays::Log;
use grandstand_story::games::stones::{PAIRS, text};

use self::geometry::Geometry;
use super::turn_tally;
use crate::cached_mesh::CachedMesh;
use crate::layer::Layer;
use crate::piece_numbers::Numbers;
use crate::sprites::Sprites;
use crate::step::SceneChange;
use crate::theme::Palette;
use crate::view::move_request;
use crate::{
    BegunMove, BoardInput, BoardOptions, BoardPainter, BoardView, CellShape, MatchContext, SideFigure,
};

pub(crate) use self::stone::paint_stone;

/// Number of commands between two pictures up to which they are animated.
const COMMANDS_MAX: u64 = 60;
/// Number of commands searched for the last move.
const LOOK_BACK: u64 = 100;

impl BoardView for Scene {
    fn can_flip(&self) -> bool {
        true
    }

    fn thumbnail(&self, painter: &Painter, palette: &Palette, square: Rect) {
        stone::paint_thumbnail(painter, palette, square, self.game());
    }

    fn new_painter(&self) -> Box<dyn BoardPainter> {
        Box::new(StonesBoard::default())
    }

    fn closest(&self) -> f32 {
        f32::from(self.size().get()) / 4.0
    }

    fn tally(&self, side: usize, about: &MatchContext<'_>) -> Vec<SideFigure> {
        let team = Team::ALL[side.min(1)];
        let (timed, secs) = about.clocks(self, |scene| match scene {
            AnyScene::Stones(scene) => Some(scene),
            _ => None,
        });
        let mut tally: Vec<SideFigure> =
            turn_tally::clock(timed.table(), team, (secs, about.rules)).into_iter().collect();
        if let Some(words) = text::captures(self, team) {
            let (have, taken) = (self.captures(team), team.opponent());
            // Five pairs of the opponent's stones on wood; captured ones are filled.
            let paint = move |painter: &Painter, palette: &Palette, rect: Rect| {
                let wood = paint::Wood::of(palette);
                wood.tray(painter, rect);
                let pitch = rect.width() / PAIRS as f32;
                for n in 0..PAIRS {
                    for (x, y) in [(0.34, 0.34), (0.62, 0.64)] {
                        let at = rect.min + vec2(pitch * (n as f32 + x), rect.height() * y);
                        if n < have {
                            paint_stone(painter, at, pitch * 0.29, taken, 1.0);
                        } else {
                            painter.circle_stroke(at, pitch * 0.22, (1.0, wood.line.gamma_multiply(0.5)));
                        }
                    }
                }
            };
            tally.push(SideFigure::Drawn { width: 4.0, paint: Box::new(paint), words });
        }
        tally.extend(turn_tally::thought(self, self.table(), team).filter(|_| !about.is_judged));
        tally
    }
}

/// Animation of stones that are placed and of captured ones.
#[derive(Debug, Default)]
struct Drops {
    put: Vec<Point>,
    taken: Vec<(Point, Team)>,
    began: f64,
    secs: f64,
}

impl Drops {
    /// Progress from 0 to 1; `None` without an animation.
    fn progress(&self, now: f64) -> Option<f32> {
        let progress = (now - self.began) / self.secs.max(1e-6);
        let moves = !(self.put.is_empty() && self.taken.is_empty()) && progress < 1.0;
        moves.then_some(progress.max(0.0) as f32)
    }
}

/// Cached parts of the board.
#[derive(Debug, Default)]
struct CachedMeshes {
    ground: CachedMesh,
    /// The place for marks of points, below all stones.
    below_pieces: Layer,
    stones: CachedMesh,
    figures: Sprites,
    numbers: CachedMesh,
    digits: Numbers,
    labels: CachedMesh,
}

/// The viewer's pointer as that of a player.
#[derive(Debug, Default)]
struct Hand {
    /// The point that a finger has pressed once; a second press confirms it.
    aim: Cell<Option<Point>>,
    /// The point that was chosen, as long as the pointer rests on it: that a stone is there now is no news.
    chosen: Cell<Option<Point>>,
}

/// The board, with the animation under way.
#[derive(Debug, Default)]
struct StonesBoard {
    drops: Drops,
    cached_meshes: CachedMeshes,
    hand: Hand,
    /// Stones placed and captured by the last change, to replay it.
    change: (Vec<Point>, Vec<(Point, Team)>),
    /// Stones that the last move has captured.
    captured: Vec<(Point, Team)>,
}

impl StonesBoard {
    fn drop_in(&mut self, now: f64, secs: f64) {
        let (put, taken) = self.change.clone();
        self.drops = Drops { put, taken, began: now, secs };
    }
}

impl BoardPainter for StonesBoard {
    fn animate(&mut self, step: &SceneChange<'_>) {
        self.drops = Drops::default();
        self.change = Default::default();
        let (AnyScene::Stones(before), AnyScene::Stones(after)) = (step.before, step.after) else { return };
        self.captured = captured(step.log, step.to, after);
        if before.size() != after.size() || step.to < step.from || step.to - step.from > COMMANDS_MAX {
            return;
        }
        let put = after.stones().filter(|(point, stone)| before.stone(*point) != Some(*stone));
        let taken = before.stones().filter(|(point, _)| after.stone(*point).is_none());
        self.change = (
            put.map(|(point, _)| point).collect(),
            taken.map(|(point, stone)| (point, stone.team)).collect(),
        );
        if let Some(secs) = step.secs {
            self.drop_in(step.now, secs);
        }
    }

    fn settle(&mut self) {
        self.drops = Drops::default();
    }

    fn replay(&mut self, now: f64, secs: f64) {
        self.drop_in(now, secs);
    }

    fn is_moving(&self, picture: &BoardInput<'_>) -> bool {
        self.drops.progress(picture.now).is_some()
    }

    fn show(
        &self,
        ui: &mut Ui,
        rect: Rect,
        picture: &BoardInput<'_>,
        options: BoardOptions,
    ) -> Option<SeatRequest> {
        let AnyScene::Stones(scene) = picture.scene else { return None };
        let point = paint::show(ui, rect, scene, self, picture, options)?;
        Some(move_request(picture.scene, &point))
    }

    fn begun(&self, picture: &BoardInput<'_>) -> Option<BegunMove> {
        picture.may_move?;
        self.hand.aim.get().map(|point| BegunMove::Aimed(point.to_string()))
    }

    fn take_back(&self) -> bool {
        self.hand.aim.take().is_some()
    }

    fn confirm(&self, picture: &BoardInput<'_>) -> Option<SeatRequest> {
        picture.may_move?;
        let point = self.hand.aim.take()?;
        Some(move_request(picture.scene, &point))
    }

    fn face(&self, rect: Rect, picture: &BoardInput<'_>, options: BoardOptions) -> Rect {
        match picture.scene {
            AnyScene::Stones(scene) => Geometry::fit(rect, scene.size(), options, picture.pixels).board,
            _ => rect,
        }
    }

    fn place_at(
        &self,
        rect: Rect,
        picture: &BoardInput<'_>,
        options: BoardOptions,
        at: Pos2,
    ) -> Option<Place> {
        let AnyScene::Stones(scene) = picture.scene else { return None };
        let geometry = Geometry::fit(rect, scene.size(), options, picture.pixels);
        geometry.point_at(at).map(Place::Point)
    }

    fn occupied(&self, rect: Rect, picture: &BoardInput<'_>, options: BoardOptions) -> Vec<Rect> {
        let AnyScene::Stones(scene) = picture.scene else { return Vec::new() };
        let geometry = Geometry::fit(rect, scene.size(), options, picture.pixels);
        scene.stones().map(|(point, _)| geometry.area(point)).collect()
    }

    fn below_pieces(&self) -> Option<ShapeIdx> {
        self.cached_meshes.below_pieces.get()
    }

    fn cell_shape(&self) -> CellShape {
        CellShape::Disc
    }

    fn area_of(
        &self,
        rect: Rect,
        picture: &BoardInput<'_>,
        options: BoardOptions,
        place: Place,
    ) -> Option<Rect> {
        let (AnyScene::Stones(scene), Place::Point(point)) = (picture.scene, place) else { return None };
        let geometry = Geometry::fit(rect, scene.size(), options, picture.pixels);
        scene.size().has(point).then(|| geometry.area(point))
    }
}

/// The stones that the last move at or before a command has captured; `scene` is the one after that command.
fn captured(log: &Log, seq: u64, scene: &Scene) -> Vec<(Point, Team)> {
    let since = *log.stretch(seq).start();
    let mut recent = (since.max(seq.saturating_sub(LOOK_BACK)) + 1..=seq).rev();
    let moved = recent.find(|seq| {
        matches!(log.command(*seq), Some(AnyCommand::Stones(Command::Move { .. } | Command::Board { .. })))
    });
    let Some(AnyScene::Stones(placed)) = moved.map(|seq| log.scene_at(seq)) else { return Vec::new() };
    let gone = placed.stones().filter(|(point, _)| scene.stone(*point).is_none());
    gone.map(|(point, stone)| (point, stone.team)).collect()
}

#[cfg(test)]
mod tests {
    use grandstand_protocol::{Game, Micros};

    use super::*;

    #[test]
    fn the_stones_that_the_last_move_took_are_known_until_the_next_one_also_after_a_seek() {
        let lines = [
            "board 19",
            "move black a1",
            "move white b1",
            "move black a9",
            "move white c1",
            "move black d1",
            "set b1 e",
            "set c1 e",
            "captures black 1",
            "move white j9",
            "move black k9",
            "set a9 e",
        ];
        let mut log = Log::live(Game::Pente);
        for (seq, line) in (1..).zip(lines) {
            let _ = log.insert(seq, Micros(seq), &AnyCommand::parse(Game::Pente, line.as_bytes()));
        }
        let names = |seq: u64| {
            let AnyScene::Stones(scene) = log.scene_at(seq) else { return Vec::new() };
            let taken = captured(&log, seq, &scene).into_iter();
            taken.map(|(point, team)| format!("{team} {point}")).collect::<Vec<_>>()
        };
        assert_eq!(names(6), [""; 0]);
        assert_eq!(names(9), ["white b1", "white c1"]);
        assert_eq!(names(10), [""; 0], "of the last move only");
        assert_eq!(names(12), ["black a9"]);
        assert_eq!(names(1), [""; 0]);
    }
}
