//! Step of a picture from one command to another, and how long its moves are on their way.

use grandstand_protocol::Scene;
use grandstand_replays::{Log, Speed};

/// How long a move takes to show at normal speed, in seconds.
pub const MOVE_SECS: f64 = 0.24;

/// How the picture has changed.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    /// The log that the commands are in.
    pub log: &'a Log,
    /// The command that it showed last, and the scene then.
    pub from: u64,
    /// The scene before.
    pub before: &'a Scene,
    /// The command that it shows last now, and the scene.
    pub to: u64,
    /// The scene now.
    pub after: &'a Scene,
    /// The interface's time, in seconds.
    pub now: f64,
    /// How long a move is to take, in seconds; `None` when nothing is to be seen on its way.
    pub secs: Option<f64>,
    /// Whether the picture goes on by itself: otherwise it may stand between two commands of one change.
    pub plays: bool,
}

impl Step<'_> {
    /// How long a move is to take, unless this is more than a move or two.
    pub fn secs_of_moves(&self, commands: u64) -> Option<f64> {
        let near = self.to > self.from && self.to - self.from <= commands;
        self.secs.filter(|_| near)
    }
}

/// How long a move takes to show at a speed.
pub fn move_secs(speed: Speed) -> f64 {
    (MOVE_SECS / f64::from(speed.factor())).min(0.6)
}

/// How a picture goes on, as a [`Step`] says it.
#[derive(Debug, Clone, Copy)]
pub struct StepTiming {
    /// The interface's time, in seconds.
    pub now: f64,
    /// How long a move is to take; `None` when nothing is to be seen on its way.
    pub secs: Option<f64>,
    /// Whether the picture goes on by itself.
    pub plays: bool,
}

/// Slow at both ends.
pub(crate) fn ease(progress: f32) -> f32 {
    let p = progress.clamp(0.0, 1.0);
    p * p * (3.0 - 2.0 * p)
}
