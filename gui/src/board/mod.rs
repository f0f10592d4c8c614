//! The games: everything that the spectator does differently for one game than for another is in that game's module here.
//!
//! A game implements [`GameView`] for its scene, and [`Board`] for what paints it. [`view`] is the only place that lists
//! the games.

pub(crate) mod abalone;
mod fortress;
mod grid;
pub(crate) mod groups;
mod overlay;
mod shark;

use std::fmt;

use eframe::egui::{Rect, Ui};
use grandstand_protocol::{Command, Micros, Scene, TeamInfo};
use grandstand_replays::Log;
use serde_json::Value;

use crate::annals::{Plot, Records};
use crate::narration::Line;
use crate::sides::{Badge, Side};

/// What the viewer has chosen to see on boards.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Options {
    /// The names of rows and columns.
    pub coordinates: bool,
}

/// The game of a scene.
pub(crate) fn view(scene: &Scene) -> &dyn GameView {
    match scene {
        Scene::Abalone(scene) => scene,
        Scene::Shark(scene) => scene,
        Scene::Fortress(scene) => scene,
        Scene::Grid(scene) => scene,
    }
}

/// What the spectator has to know of a game, told by one of its scenes.
pub(crate) trait GameView {
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

    /// The teams' names and scores, as they are read out.
    fn scores(&self) -> Vec<(String, i32)>;

    /// How many points win, by the rules in the header.
    fn goal(&self, rules: Option<&Value>) -> Option<i32> {
        let _ = rules;
        None
    }

    /// What stands beside a side's name besides its score.
    fn tally(&self, side: usize, goal: Option<i32>) -> Vec<Tally> {
        let _ = (side, goal);
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

    /// The team that talks by the command, and what it says.
    fn said(&self, command: &Command) -> Option<(String, String)>;

    /// How far apart the parts of one change of the picture may come.
    fn together(&self) -> Micros {
        Micros(20_000)
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

/// One figure of a side, as it stands beside its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Tally {
    /// So many emblems, and empty places up to `of`.
    Pips { badge: Badge, have: u32, of: u32 },
    /// Something that is only read out.
    Words(String),
}

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

    /// Paints the board into the rectangle, and tells of it in the accessibility tree and when it is pointed at.
    fn show(&self, ui: &mut Ui, rect: Rect, picture: &Picture<'_>, options: Options);
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
}

/// What is painted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Picture<'a> {
    pub scene: &'a Scene,
    pub sides: &'a [Side],
    /// The interface's time, in seconds.
    pub now: f64,
}

/// Slow at both ends.
pub(crate) fn ease(progress: f32) -> f32 {
    let p = progress.clamp(0.0, 1.0);
    p * p * (3.0 - 2.0 * p)
}
