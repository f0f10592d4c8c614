//! Traits that a game implements to be painted, and what they take and give.

use std::fmt;

use egui::{Painter, Pos2, Rect, Ui};
use grandstand_protocol::{Micros, Place, Scene, SeatRequest};
use grandstand_replays::{Cursor, Log};
use grandstand_story::sides::{Badge, Side};
use grandstand_story::story;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cell_shape::CellShape;
use crate::hidden::Hidden;
use crate::step::{Step, StepTiming};
use crate::theme::Palette;

/// What the viewer has chosen to see on boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The names of rows and columns.
    pub coordinates: bool,
    /// The name of every place, on it.
    pub labels: bool,
    /// The numbers of moves.
    pub numbers: bool,
    /// The moves that players expect.
    pub thoughts: bool,
    /// What bots draw.
    pub overlays: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { coordinates: true, labels: false, numbers: false, thoughts: true, overlays: true }
    }
}

/// How a game is painted.
pub trait BoardView {
    /// How wide the board is, in heights.
    fn shape(&self) -> f32 {
        1.0
    }

    /// How many times the board can be enlarged.
    fn closest(&self) -> f32 {
        6.0
    }

    /// Paints a small picture of the game into a square, for lists of matches.
    fn thumbnail(&self, painter: &Painter, palette: &Palette, square: Rect);

    /// What paints the game.
    fn board(&self) -> Box<dyn BoardPainter>;

    /// What stands beside a side's name besides its score.
    fn tally(&self, side: usize, about: &MatchContext<'_>) -> Vec<Tally> {
        let _ = (side, about);
        Vec::new()
    }
}

/// What is known of a match besides its scene.
#[derive(Debug, Clone, Copy)]
pub struct MatchContext<'a> {
    /// The settings in force, where the header says them.
    pub rules: Option<&'a Value>,
    /// The time of the picture, in seconds since the match began.
    pub secs: f64,
}

/// One figure of a side, as it stands beside its name.
pub enum Tally {
    /// So many emblems, and empty places up to `of`.
    Pips {
        /// The emblem.
        badge: Badge,
        /// How many there are.
        have: u32,
        /// How many places there are.
        of: u32,
    },
    /// A picture as wide as this times its height, and what it says.
    Drawn {
        /// How wide it is, in heights.
        width: f32,
        /// What paints it.
        paint: PaintTally,
        /// What is read out of it.
        words: String,
    },
    /// Something that is only read out.
    Words(String),
}

impl fmt::Debug for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tally::Pips { badge, have, of } => {
                f.debug_struct("Pips").field("badge", badge).field("have", have).field("of", of).finish()
            }
            Tally::Drawn { width, words, .. } => {
                f.debug_struct("Drawn").field("width", width).field("words", words).finish_non_exhaustive()
            }
            Tally::Words(words) => f.debug_tuple("Words").field(words).finish(),
        }
    }
}

/// Paints a figure into a rectangle.
pub type PaintTally = Box<dyn Fn(&Painter, &Palette, Rect)>;

/// A board on the screen: it paints a game's scene, and what is on its way there.
pub trait BoardPainter: fmt::Debug {
    /// The picture has changed.
    fn advance(&mut self, step: &Step<'_>);

    /// Nothing is on its way any more.
    fn settle(&mut self);

    /// Shows once more how the picture came about.
    fn replay(&mut self, now: f64, secs: f64) {
        let _ = (now, secs);
    }

    /// Whether the picture changes by itself at this time of the interface.
    fn is_moving(&self, picture: &Picture<'_>) -> bool;

    /// Paints the board into the rectangle, and tells of it in the accessibility tree and when it is pointed at. Where the
    /// viewer may move, it takes a move too.
    fn show(&self, ui: &mut Ui, rect: Rect, picture: &Picture<'_>, options: Options) -> Option<SeatRequest>;

    /// The place under a point of the screen, when the board is shown in this rectangle.
    fn place_at(&self, rect: Rect, picture: &Picture<'_>, options: Options, at: Pos2) -> Option<Place>;

    /// How its places are formed.
    fn cell_shape(&self) -> CellShape {
        CellShape::Square
    }

    /// How one of them is formed, when the board is shown in this rectangle.
    fn shape_of(&self, rect: Rect, picture: &Picture<'_>, options: Options, place: Place) -> CellShape {
        let _ = (rect, picture, options, place);
        self.cell_shape()
    }

    /// Where a place is drawn, when the board is shown in this rectangle; `None` when it is not on this board.
    fn area_of(&self, rect: Rect, picture: &Picture<'_>, options: Options, place: Place) -> Option<Rect>;
}

/// The request for a move that the viewer has made by pointing at the board, in the game's notation.
pub(crate) fn move_request(scene: &Scene, text: &impl fmt::Display) -> SeatRequest {
    SeatRequest::Move { ply: story(scene).ply(), text: text.to_string().into() }
}

/// What is painted.
#[derive(Debug, Clone, Copy)]
pub struct Picture<'a> {
    /// The scene to paint.
    pub scene: &'a Scene,
    /// Who plays.
    pub sides: &'a [Side],
    /// The interface's time, in seconds.
    pub now: f64,
    /// The time of the picture, in seconds since the match began.
    pub secs: f64,
    /// How many seconds of the match go by in one: 0 while the picture stands still.
    pub playback_rate: f32,
    /// Whose overlays are not to be seen.
    pub hidden: &'a Hidden,
    /// How many pixels a point of the screen has, along a line.
    pub pixels: f32,
    /// The side for which the viewer may move now, by its number.
    pub may_move: Option<usize>,
    /// The move that the viewer has made and that is not on the board yet, in the game's notation.
    pub pending: Option<&'a str>,
}

impl Picture<'_> {
    /// How long ago something was, as a part of how long it is seen: `secs` at normal speed, as long for the viewer at a
    /// higher one. `None` when it is not seen any more, or not yet.
    pub fn age(&self, t: Micros, secs: f64) -> Option<f32> {
        let age = (self.secs - t.as_secs_f64()) / (secs * f64::from(self.playback_rate.max(1.0)));
        (0.0..1.0).contains(&age).then_some(age as f32)
    }
}

/// Moves a picture to a command, and lets the board know.
pub fn go_to(log: &Log, seq: u64, cursor: &mut Cursor, board: &mut dyn BoardPainter, timing: StepTiming) {
    let (from, before) = (cursor.seq(), cursor.scene().clone());
    cursor.move_to(log, seq);
    let StepTiming { now, secs, plays } = timing;
    board.advance(&Step { log, from, before: &before, to: seq, after: cursor.scene(), now, secs, plays });
}
