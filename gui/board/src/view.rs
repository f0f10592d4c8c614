//! Traits that a game implements to be painted, with their inputs and outputs.

use std::fmt;
use std::rc::Rc;

use egui::layers::ShapeIdx;
use egui::{Painter, Pos2, Rect, Ui, Vec2};
use grandstand_protocol::{Micros, Place, Scene, SeatRequest};
use grandstand_replays::{Cursor, Log};
use grandstand_story::sides::{Badge, Side};
use grandstand_story::story;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cell_shape::CellShape;
use crate::games::view;
use crate::hidden::Hidden;
use crate::step::{SceneChange, StepTiming};
use crate::theme::Palette;

/// The viewer's choices for boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BoardOptions {
    /// Names of rows and columns.
    pub coordinates: bool,
    /// The name of every place, on it.
    pub labels: bool,
    /// Numbers of moves.
    pub numbers: bool,
    /// Moves that players expect.
    pub thoughts: bool,
    /// The bots' drawings.
    pub overlays: bool,
    /// Whether the board is seen from its other side, where it has one. It is of one match, and not remembered.
    #[serde(skip)]
    pub flipped: bool,
    /// Whether a wide board is turned by a quarter, with its left edge above, where that makes it larger. It follows
    /// from the room, and is not remembered.
    #[serde(skip)]
    pub upright: bool,
    /// Whether the board is one of several that are looked at together: names and numbers without room on or beside their
    /// places are left out there. It is of the screen, and not remembered.
    #[serde(skip)]
    pub is_tile: bool,
}

impl Default for BoardOptions {
    fn default() -> BoardOptions {
        BoardOptions {
            coordinates: true,
            labels: false,
            numbers: false,
            thoughts: true,
            overlays: true,
            flipped: false,
            upright: false,
            is_tile: false,
        }
    }
}

/// Presentation of a game's scene.
pub trait BoardView {
    /// Width of the board divided by its height.
    fn shape(&self) -> f32 {
        1.0
    }

    /// Whether a board in a wider place than its shape fills all of it, as the sea around a map does.
    fn fills_width(&self) -> bool {
        false
    }

    /// Width divided by height down to which a board is stretched that fills a higher place than its shape.
    fn least_shape(&self) -> f32 {
        self.shape()
    }

    /// The part of `rect` that a board shown there with these options covers.
    fn drawn(&self, rect: Rect, options: BoardOptions) -> Rect {
        let shape = self.shape_with(options);
        let high = rect.height().min(rect.width() / shape);
        Rect::from_center_size(rect.center(), Vec2::new(high * shape, high))
    }

    /// Height of the figures at the top of a board that is drawn in `rect`, which nothing may cover.
    fn head(&self, rect: Rect) -> f32 {
        let _ = rect;
        0.0
    }

    /// Largest zoom of the board.
    fn closest(&self) -> f32 {
        6.0
    }

    /// Whether the board can be [turned around](BoardOptions::flipped).
    fn can_flip(&self) -> bool {
        false
    }

    /// Whether units [fight](BoardPainter::fight) on the board.
    fn has_fights(&self) -> bool {
        false
    }

    /// Whether the board can be shown [upright](BoardOptions::upright).
    fn can_stand(&self) -> bool {
        false
    }

    /// Width of the board divided by its height, as these options show it.
    fn shape_with(&self, options: BoardOptions) -> f32 {
        if options.upright && self.can_stand() { 1.0 / self.shape() } else { self.shape() }
    }

    /// Whether the board is larger [upright](BoardOptions::upright) in an area of this size.
    fn stands_in(&self, area: Vec2) -> bool {
        let width = |shape: f32| area.x.min(area.y * shape);
        let (lying, upright) = (width(self.shape()), area.y.min(area.x * self.shape()));
        self.can_stand() && upright > lying
    }

    /// Paints a small picture of the game into a square, for lists of matches.
    fn thumbnail(&self, painter: &Painter, palette: &Palette, square: Rect);

    /// Makes a painter for the game.
    fn new_painter(&self) -> Box<dyn BoardPainter>;

    /// Figures beside a side's name, besides its score.
    fn tally(&self, side: usize, about: &MatchContext<'_>) -> Vec<SideFigure> {
        let _ = (side, about);
        Vec::new()
    }
}

/// Facts about a match that are not in its scene.
#[derive(Debug, Clone, Copy)]
pub struct MatchContext<'a> {
    /// Settings in force, if the header has them.
    pub rules: Option<&'a Value>,
    /// Time of the picture, in seconds since the start of the match.
    pub secs: f64,
    /// The present of the match, where its clocks are shown instead of those of the picture: to a player who looks at an
    /// earlier position.
    pub present: Option<Present<'a>>,
    /// Whether an engine has judged the match: its evaluations stand elsewhere, in place of the players' own.
    pub is_judged: bool,
}

/// The present of a match.
#[derive(Debug, Clone, Copy)]
pub struct Present<'a> {
    /// The scene.
    pub scene: &'a Scene,
    /// Its time, in seconds since the start of the match.
    pub secs: f64,
}

impl<'a> MatchContext<'a> {
    /// The scene whose clocks are shown, and its time. `picture` is the one of the picture, and `own` finds its kind.
    pub(crate) fn clocks<S>(&self, picture: &'a S, own: impl Fn(&'a Scene) -> Option<&'a S>) -> (&'a S, f64) {
        let present = self.present.and_then(|present| Some((own(present.scene)?, present.secs)));
        present.unwrap_or((picture, self.secs))
    }
}

/// What a viewer who moves has begun on the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BegunMove {
    /// What moves from this place was chosen; its target is to follow.
    From(String),
    /// A finger has pressed this place once; a second press plays there.
    Aimed(String),
}

/// A figure beside a side's name.
pub enum SideFigure {
    /// A row of emblems.
    Pips {
        /// The emblem.
        badge: Badge,
        /// Number of emblems.
        have: u32,
        /// Number of places; the others are empty.
        of: u32,
    },
    /// A picture.
    Drawn {
        /// Width divided by height.
        width: f32,
        /// Its painter.
        paint: PaintTally,
        /// Its text for screen readers.
        words: String,
    },
    /// A text, which is shorter in little room.
    Text {
        /// The text, and what of it stays in little room.
        texts: [String; 2],
        /// Its text for screen readers.
        words: String,
    },
    /// A text for screen readers only.
    Words(String),
}

impl fmt::Debug for SideFigure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SideFigure::Pips { badge, have, of } => {
                f.debug_struct("Pips").field("badge", badge).field("have", have).field("of", of).finish()
            }
            SideFigure::Drawn { width, words, .. } => {
                f.debug_struct("Drawn").field("width", width).field("words", words).finish_non_exhaustive()
            }
            SideFigure::Text { words, .. } => f.debug_tuple("Text").field(words).finish(),
            SideFigure::Words(words) => f.debug_tuple("Words").field(words).finish(),
        }
    }
}

/// Paints a figure into a rectangle.
pub type PaintTally = Box<dyn Fn(&Painter, &Palette, Rect)>;

/// Painter of a game's board, with its animations.
pub trait BoardPainter: fmt::Debug {
    /// Takes a change of the picture and starts its animation.
    fn animate(&mut self, step: &SceneChange<'_>);

    /// Ends all animations.
    fn settle(&mut self);

    /// Replays the last change from egui's time `now` on, for `secs` seconds.
    fn replay(&mut self, now: f64, secs: f64) {
        let _ = (now, secs);
    }

    /// Whether the picture changes with time.
    fn is_moving(&self, picture: &BoardInput<'_>) -> bool;

    /// Paints the board into `rect`, with its accessibility nodes and tooltips. Returns a move that the viewer has made
    /// on it.
    fn show(
        &self,
        ui: &mut Ui,
        rect: Rect,
        picture: &BoardInput<'_>,
        options: BoardOptions,
    ) -> Option<SeatRequest>;

    /// What the viewer has begun, if the viewer may move.
    fn begun(&self, picture: &BoardInput<'_>) -> Option<BegunMove> {
        let _ = picture;
        None
    }

    /// Takes back what the viewer has begun, the last step first; whether there was anything.
    fn take_back(&self) -> bool {
        false
    }

    /// The move that a finger has aimed at, which is made in place of a second press.
    fn confirm(&self, picture: &BoardInput<'_>) -> Option<SeatRequest> {
        let _ = picture;
        None
    }

    /// The rectangle of the board itself, without what stands above and below it, for a board shown in `rect`.
    fn face(&self, rect: Rect, picture: &BoardInput<'_>, options: BoardOptions) -> Rect {
        view(picture.scene).drawn(rect, options)
    }

    /// The place at a point of the screen, for a board shown in `rect`.
    fn place_at(
        &self,
        rect: Rect,
        picture: &BoardInput<'_>,
        options: BoardOptions,
        at: Pos2,
    ) -> Option<Place>;

    /// Tells of points of the screen whether the board has a place there, whatever stands on it, for a board shown in `rect`.
    fn ground<'a>(
        &'a self,
        rect: Rect,
        picture: &'a BoardInput<'a>,
        options: BoardOptions,
    ) -> Box<dyn Fn(Pos2) -> bool + 'a> {
        Box::new(move |at| self.place_at(rect, picture, options, at).is_some())
    }

    /// Places that are one step from a place and may be drawn anywhere, such as territories with a road to it. Squares have
    /// none: theirs lie around them.
    fn neighbours(&self, picture: &BoardInput<'_>, place: Place) -> Vec<Place> {
        let _ = (picture, place);
        Vec::new()
    }

    /// Where names, labels and signs stand that no card should hide, for a board shown in `rect`; `None` if they stand
    /// along its edges.
    fn texts(&self, rect: Rect, picture: &BoardInput<'_>, options: BoardOptions) -> Option<Vec<Rect>> {
        let _ = (rect, picture, options);
        None
    }

    /// Where pieces, walls and other things stand on a board shown in `rect`, besides its
    /// [names and signs](BoardPainter::texts).
    fn occupied(&self, rect: Rect, picture: &BoardInput<'_>, options: BoardOptions) -> Vec<Rect> {
        let _ = (rect, picture, options);
        Vec::new()
    }

    /// Where the ground is high on a board shown in `rect`: cards hide it rather than [things](BoardPainter::occupied).
    fn heights(&self, rect: Rect, picture: &BoardInput<'_>, options: BoardOptions) -> Vec<Rect> {
        let _ = (rect, picture, options);
        Vec::new()
    }

    /// Where the land is on a board whose rest is free, as the sea of a map is, for a board shown in `rect`; none where all of the
    /// board counts.
    fn land(&self, rect: Rect, picture: &BoardInput<'_>, options: BoardOptions) -> Rc<[Rect]> {
        let _ = (rect, picture, options);
        Rc::default()
    }

    /// The place for frames of places among the shapes of the picture that was shown last, where names and signs lie over
    /// them; `None` if frames lie over everything.
    fn below_signs(&self) -> Option<ShapeIdx> {
        None
    }

    /// The place for marks of places among the shapes of the picture that was shown last: above the ground, below all that stands
    /// on it.
    fn below_pieces(&self) -> Option<ShapeIdx>;

    /// Shapes and squares of the marks of a place, around what is seen of it: a piece that is larger than its place, or beside it, has
    /// the mark around itself.
    fn mark_areas(
        &self,
        rect: Rect,
        picture: &BoardInput<'_>,
        options: BoardOptions,
        place: Place,
    ) -> Vec<(CellShape, Rect)> {
        let area = self.area_of(rect, picture, options, place);
        let around = |area: Rect| (self.cell_shape(), area.scale_from_center(self.mark_size()));
        area.map(around).into_iter().collect()
    }

    /// Size of a mark, in sizes of its place.
    fn mark_size(&self) -> f32 {
        1.0
    }

    /// Shape of the board's places.
    fn cell_shape(&self) -> CellShape {
        CellShape::Square
    }

    /// Shape of a place, for a board shown in `rect`.
    fn shape_of(
        &self,
        rect: Rect,
        picture: &BoardInput<'_>,
        options: BoardOptions,
        place: Place,
    ) -> CellShape {
        let _ = (rect, picture, options, place);
        self.cell_shape()
    }

    /// Square around a unit as it is painted, also on its way, for a board shown in `rect`; `None` if it isn't there, or
    /// the game doesn't tell its units apart.
    fn unit_area(
        &self,
        rect: Rect,
        picture: &BoardInput<'_>,
        options: BoardOptions,
        id: u32,
    ) -> Option<Rect> {
        let _ = (rect, picture, options, id);
        None
    }

    /// Where units fight, or would meet next, on a board shown in `rect`.
    fn fight(&self, rect: Rect, picture: &BoardInput<'_>, options: BoardOptions) -> Option<Rect> {
        let _ = (rect, picture, options);
        None
    }

    /// The unit at a point of the screen, for a board shown in `rect`, where several units may stand on one place and are
    /// seen side by side.
    fn unit_at(&self, rect: Rect, picture: &BoardInput<'_>, options: BoardOptions, at: Pos2) -> Option<u32> {
        let _ = (rect, picture, options, at);
        None
    }

    /// Square around a place's contents, for a board shown in `rect`; `None` if the board doesn't have the place.
    fn area_of(
        &self,
        rect: Rect,
        picture: &BoardInput<'_>,
        options: BoardOptions,
        place: Place,
    ) -> Option<Rect>;
}

/// Whether a finger presses or has just been lifted. The click of a finger may come a frame before the word that it is
/// gone: then it is still down.
pub(crate) fn is_touched(ui: &Ui) -> bool {
    let touches = |event: &egui::Event| matches!(event, egui::Event::Touch { .. });
    ui.input(|input| input.any_touches() || input.events.iter().any(touches))
}

/// Request for a move that the viewer has made on the board, in the game's notation.
pub(crate) fn move_request(scene: &Scene, text: &impl fmt::Display) -> SeatRequest {
    SeatRequest::Move { ply: story(scene).ply(), text: text.to_string().into() }
}

/// Input of a board's painter.
#[derive(Debug, Clone, Copy)]
pub struct BoardInput<'a> {
    /// The scene.
    pub scene: &'a Scene,
    /// The sides.
    pub sides: &'a [Side],
    /// egui's time, in seconds.
    pub now: f64,
    /// Time of the picture, in seconds since the start of the match.
    pub secs: f64,
    /// Seconds of the match that pass in one second; 0 while playback is stopped.
    pub playback_rate: f32,
    /// Overlays that are switched off.
    pub hidden: &'a Hidden,
    /// Pixels in a point of the screen.
    pub pixels: f32,
    /// How many times the board is enlarged: the rectangle in which it is shown is so much larger than its place.
    pub zoom: f32,
    /// The part of the screen in which an enlarged board is seen.
    pub seen: Option<Rect>,
    /// Settings in force, if the header has them.
    pub rules: Option<&'a Value>,
    /// Index of the side for which the viewer may move now.
    pub may_move: Option<usize>,
    /// The viewer's move that is not on the board yet, in the game's notation.
    pub pending: Option<&'a str>,
    /// The place to which the viewer who may move has led the cursor by keys. It counts as pointed at.
    pub cursor: Option<Place>,
    /// Whether a key chooses that place, as a click does.
    pub pressed: bool,
    /// The places that the screen marks. Where not all signs have room, theirs come before those of others.
    pub marked: &'a [Place],
}

impl BoardInput<'_> {
    /// Age of an event as a part of its visible duration, from 0 to 1; `None` outside of it. The duration is `secs` of
    /// the match at normal speed; at higher speeds it is `secs` of the viewer's time.
    pub fn age(&self, t: Micros, secs: f64) -> Option<f32> {
        let age = (self.secs - t.as_secs_f64()) / (secs * f64::from(self.playback_rate.max(1.0)));
        (0.0..1.0).contains(&age).then_some(age as f32)
    }
}

/// Moves a cursor to a command, and passes the step to the board.
pub fn go_to(log: &Log, seq: u64, cursor: &mut Cursor, board: &mut dyn BoardPainter, timing: StepTiming) {
    let (from, before) = (cursor.seq(), cursor.scene().clone());
    cursor.move_to(log, seq);
    let StepTiming { now, secs, plays } = timing;
    board.animate(&SceneChange {
        log,
        from,
        before: &before,
        to: seq,
        after: cursor.scene(),
        now,
        secs,
        plays,
    });
}
