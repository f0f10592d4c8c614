//! The games: everything that the spectator does differently for one game than for another is in that game's module here.
//!
//! A game implements [`GameView`] for its scene, and [`Board`] for what paints it. [`view`] is the only place that lists
//! the games.

pub(crate) mod abalone;
mod distance;
mod fortress;
mod grid;
pub(crate) mod groups;
#[cfg(test)]
mod input;
pub(crate) mod label;
mod numbers;
pub(crate) mod overlay;
#[cfg(test)]
mod places;
mod riskless;
mod shark;
mod sprites;
pub(crate) mod squad;
pub(crate) mod still;
pub(crate) mod stones;
mod tiles;
pub(crate) mod turns;

use std::fmt;

use eframe::egui::{Painter, Pos2, Rect, Ui};
use grandstand_protocol::{Command, Micros, Place, Scene, TeamInfo};
use grandstand_replays::Log;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) use self::distance::Distance;
pub(crate) use self::overlay::Hidden;
use crate::annals::{Plot, Records};
use crate::narration::Line;
use crate::sides::{Badge, Side};
use crate::theme::Palette;

/// What the viewer has chosen to see on boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Options {
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

/// The game of a scene.
pub(crate) fn view(scene: &Scene) -> &dyn GameView {
    match scene {
        Scene::Abalone(scene) => scene,
        Scene::Shark(scene) => scene,
        Scene::Fortress(scene) => scene,
        Scene::Stones(scene) => scene,
        Scene::Riskless(scene) => scene,
        Scene::Grid(scene) => scene,
    }
}

/// What the spectator has to know of a game, told by one of its scenes.
pub(crate) trait GameView {
    /// The game's name for people.
    fn name(&self) -> &'static str;

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
    fn board(&self) -> Box<dyn Board>;

    /// The teams, in the order in which they play. `teams` is what the header says of them.
    fn sides(&self, teams: &[TeamInfo]) -> Vec<Side>;

    /// What was said, the oldest first.
    fn talk(&self) -> Vec<Said<'_>>;

    /// How far the match is, in the game's own measure: `Turn 12`.
    fn moment(&self) -> String;

    /// Which of the sides is to move, where they move by turns.
    fn mover(&self) -> Option<usize> {
        None
    }

    /// Who has won, where the picture says it: the rest of the match may still be on its way.
    fn verdict(&self) -> Option<Verdict> {
        None
    }

    /// How many moves the picture shows, where they move by turns.
    fn ply(&self) -> u32 {
        0
    }

    /// The teams' names and scores, as they are read out; none where nothing is counted.
    fn scores(&self) -> Vec<(String, i32)>;

    /// What scores count: one of it, and several.
    fn counted(&self) -> (&'static str, &'static str) {
        ("point", "points")
    }

    /// Whether something beside the board changes as time goes by.
    fn is_ticking(&self) -> bool {
        false
    }

    /// How many points win, by the rules in the header.
    fn goal(&self, rules: Option<&Value>) -> Option<i32> {
        let _ = rules;
        None
    }

    /// What stands beside a side's name besides its score.
    fn tally(&self, side: usize, about: &Circumstances<'_>) -> Vec<Tally> {
        let _ = (side, about);
        Vec::new()
    }

    /// The plots that the game has, with nothing in them.
    fn plots(&self) -> Vec<Plot> {
        vec![Plot::steps("Score", &[])]
    }

    /// What the moments are called that the viewer can go to.
    fn events(&self) -> &'static EventWords;

    /// Notes what commands that came together mean for the plots and the timeline. This scene is the one before them.
    fn record(&self, group: &Group<'_>, records: &mut Records);

    /// What commands that came together did, in words, besides talk and scores. This scene is the one before them.
    fn tell(&self, group: &Group<'_>) -> Vec<Line> {
        let _ = group;
        Vec::new()
    }

    /// A place and what is there, in words: its name, a colon, and the rest. `None` when it is not on the board.
    fn describe(&self, place: Place) -> Option<String>;

    /// How far two places of the board are from each other.
    fn distance(&self, from: Place, to: Place) -> Option<Distance>;

    /// The place whose name is longest; `None` on a board without places.
    fn widest(&self) -> Option<Place>;

    /// The team that talks by the command, and what it says.
    fn said(&self, command: &Command) -> Option<(String, String)>;

    /// How far apart the parts of one change of the picture may come.
    fn together(&self) -> Micros {
        Micros(20_000)
    }

    /// What a command does with one of the things that are drawn again to move them, on a board where that is how they move. This scene
    /// is the one before it.
    fn passing(&self, command: &Command) -> Passing {
        let _ = command;
        Passing::None
    }
}

/// What a command does with a thing that moves by being erased and drawn again. A number says which thing, or of which kind where they
/// are not told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passing {
    /// It is erased: it may be drawn again.
    Taken(u64),
    /// It is drawn, again or for the first time.
    Put(u64),
    /// A moment or a turn begins or ends: what was erased before and not drawn again is gone.
    Anew,
    /// Nothing.
    None,
}

/// Who has won.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// One of the sides, by its number.
    Won(usize),
    /// Nobody.
    Drawn,
    /// Whom the game server calls so; which of the sides that is can't be told.
    Said(String),
}

impl Verdict {
    /// `Reds wins`
    pub(crate) fn words(&self, sides: &[Side]) -> String {
        match self {
            Verdict::Won(side) => {
                format!("{} wins", sides.get(*side).map_or("Somebody", |side| side.name.as_str()))
            }
            Verdict::Drawn => "Draw".to_owned(),
            Verdict::Said(words) => format!("{words} wins"),
        }
    }
}

impl From<Option<usize>> for Verdict {
    fn from(winner: Option<usize>) -> Verdict {
        winner.map_or(Verdict::Drawn, Verdict::Won)
    }
}

/// Commands that came together: `after` is the scene that they lead to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Group<'a> {
    pub after: &'a Scene,
    /// With their numbers and times; never empty.
    pub commands: &'a [(u64, Micros, Command)],
}

impl Group<'_> {
    /// When it began.
    pub(crate) fn t(&self) -> Micros {
        self.commands.first().map_or(Micros(0), |(_, t, _)| *t)
    }

    /// The number of the last command.
    pub(crate) fn seq(&self) -> u64 {
        self.commands.last().map_or(0, |(seq, ..)| *seq)
    }
}

/// One thing that somebody said.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Said<'a> {
    pub seq: u64,
    pub t: Micros,
    /// As the dialect names the team.
    pub team: &'a str,
    pub text: &'a str,
}

/// What is known of a match besides its scene.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Circumstances<'a> {
    /// The settings in force, where the header says them.
    pub rules: Option<&'a Value>,
    /// The time of the picture, in seconds since the match began.
    pub secs: f64,
}

/// One figure of a side, as it stands beside its name.
pub(crate) enum Tally {
    /// So many emblems, and empty places up to `of`.
    Pips { badge: Badge, have: u32, of: u32 },
    /// A picture as wide as this times its height, and what it says.
    Drawn { width: f32, paint: PaintTally, words: String },
    /// Something that is only read out.
    Words(String),
}

/// Paints a figure into a rectangle.
pub(crate) type PaintTally = Box<dyn Fn(&Painter, &Palette, Rect)>;

/// What the moments are called that the keys for the next and the previous one go to.
#[derive(Debug)]
pub(crate) struct EventWords {
    pub next: &'static str,
    pub previous: &'static str,
    pub none_after: &'static str,
    pub none_before: &'static str,
}

impl EventWords {
    /// For games in which the moments are points.
    pub(crate) const POINTS: EventWords = EventWords {
        next: "Next point",
        previous: "Previous point",
        none_after: "No point is made after this",
        none_before: "No point was made before this",
    };
}

/// A board on the screen: it paints a game's scene, and what is on its way there.
pub(crate) trait Board: fmt::Debug {
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
    fn show(&self, ui: &mut Ui, rect: Rect, picture: &Picture<'_>, options: Options) -> Option<Intent>;

    /// The place under a point of the screen, when the board is shown in this rectangle.
    fn place_at(&self, rect: Rect, picture: &Picture<'_>, options: Options, at: Pos2) -> Option<Place>;

    /// Where a place is drawn, when the board is shown in this rectangle; `None` when it is not on this board.
    fn area_of(&self, rect: Rect, picture: &Picture<'_>, options: Options, place: Place) -> Option<Rect>;
}

/// A move that the viewer has made by pointing at the board, in the game's notation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Intent {
    pub text: String,
}

/// How the picture has changed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step<'a> {
    pub log: &'a Log,
    /// The command that it showed last, and the scene then.
    pub from: u64,
    pub before: &'a Scene,
    /// The command that it shows last now, and the scene.
    pub to: u64,
    pub after: &'a Scene,
    /// The interface's time, in seconds.
    pub now: f64,
    /// How long a move is to take, in seconds; `None` when nothing is to be seen on its way.
    pub secs: Option<f64>,
    /// Whether the picture goes on by itself: otherwise it may stand between two commands of one change.
    pub plays: bool,
}

/// What is painted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Picture<'a> {
    pub scene: &'a Scene,
    pub sides: &'a [Side],
    /// The interface's time, in seconds.
    pub now: f64,
    /// The time of the picture, in seconds since the match began.
    pub secs: f64,
    /// How many seconds of the match go by in one: 0 while the picture stands still.
    pub pace: f32,
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
    pub(crate) fn age(&self, t: Micros, secs: f64) -> Option<f32> {
        let age = (self.secs - t.as_secs_f64()) / (secs * f64::from(self.pace.max(1.0)));
        (0.0..1.0).contains(&age).then_some(age as f32)
    }
}

impl Step<'_> {
    /// How long a move is to take, unless this is more than a move or two.
    pub(crate) fn secs_of_moves(&self, commands: u64) -> Option<f64> {
        let near = self.to > self.from && self.to - self.from <= commands;
        self.secs.filter(|_| near)
    }
}

/// Slow at both ends.
pub(crate) fn ease(progress: f32) -> f32 {
    let p = progress.clamp(0.0, 1.0);
    p * p * (3.0 - 2.0 * p)
}
