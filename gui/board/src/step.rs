//! Step of a picture from one command to another, and the duration of its moves.

use grandstand_protocol::Scene;
use grandstand_replays::{Log, Speed};

/// Duration of a move at normal speed, in seconds.
pub const MOVE_SECS: f64 = 0.24;

/// A change of the picture.
#[derive(Debug, Clone, Copy)]
pub struct SceneChange<'a> {
    /// The log with the commands.
    pub log: &'a Log,
    /// Last command of the previous picture.
    pub from: u64,
    /// The previous scene.
    pub before: &'a Scene,
    /// Last command of the new picture.
    pub to: u64,
    /// The new scene.
    pub after: &'a Scene,
    /// egui's time, in seconds.
    pub now: f64,
    /// Duration of a move, in seconds; `None` without animation.
    pub secs: Option<f64>,
    /// Whether playback runs; otherwise the picture may stand between two commands of one change.
    pub plays: bool,
}

impl SceneChange<'_> {
    /// Duration of a move, if the step goes forward by at most `commands`.
    pub fn secs_of_moves(&self, commands: u64) -> Option<f64> {
        let near = self.to > self.from && self.to - self.from <= commands;
        self.secs.filter(|_| near)
    }
}

/// Duration of a move at a speed, in seconds.
pub fn move_secs(speed: Speed) -> f64 {
    (MOVE_SECS / f64::from(speed.factor())).min(0.6)
}

/// Timing of a [`SceneChange`].
#[derive(Debug, Clone, Copy)]
pub struct StepTiming {
    /// egui's time, in seconds.
    pub now: f64,
    /// Duration of a move, in seconds; `None` without animation.
    pub secs: Option<f64>,
    /// Whether playback runs.
    pub plays: bool,
}

/// Smoothstep: slow at both ends.
pub(crate) fn ease(progress: f32) -> f32 {
    let p = progress.clamp(0.0, 1.0);
    p * p * (3.0 - 2.0 * p)
}
