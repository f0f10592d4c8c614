//! Robots whose programs are written in Rust.
//!
//! A [`Pilot`] steers one robot: whenever the robot is free it is told what came of its last deed, and says what it does
//! next. Its deeds are those of other programs, and cost the same steps; only its thinking is free. A [`PilotTeam`] is a team
//! of pilots, and [`PilotTeams`] performs what the teams of a match do in the order of (step, pid).
//!
//! ```
//! use grandstand_rules::Pid;
//! use grandstand_rules::shark::pilots::{PilotTeam, PilotTeams, PilotAction, News, Pilot};
//! use grandstand_rules::shark::{Action, Rules, World};
//!
//! /// Runs ahead, come what may.
//! #[derive(Debug, Clone)]
//! struct Reckless;
//!
//! impl Pilot for Reckless {
//!     fn decide(&mut self, _: &News) -> PilotAction {
//!         PilotAction::Act(Action::Move)
//!     }
//! }
//!
//! let mut world = World::new(Rules::default(), 7, Pid(1), Pid(2))?;
//! let mut teams = PilotTeams::new([
//!     PilotTeam::new(Box::new(Reckless), Pid(1), Pid(1_000_000)),
//!     PilotTeam::new(Box::new(Reckless), Pid(2), Pid(2_000_000)),
//! ]);
//! let finish = teams.play(&mut world);
//! assert_eq!(finish.step, 10_000_000);
//! # Ok::<(), grandstand_rules::shark::SetupError>(())
//! ```

mod pilot_team;
mod random;

use std::fmt::Debug;

pub use pilot_team::{PilotTeam, PilotTeams};
pub use random::Random;

use super::action::{Action, Answer};
use crate::Pid;

/// A program in Rust that steers one robot.
pub trait Pilot: Debug + Send + ClonePilot {
    /// The robot is free: what it does next. `news` is what came of what it did last.
    fn decide(&mut self, news: &News) -> PilotAction;
}

/// What every pilot that can be cloned is: a pilot is cloned with its match.
pub trait ClonePilot {
    /// The same pilot once more.
    fn clone_pilot(&self) -> Box<dyn Pilot>;
}

impl<P: Pilot + Clone + 'static> ClonePilot for P {
    fn clone_pilot(&self) -> Box<dyn Pilot> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Pilot> {
    fn clone(&self) -> Self {
        (**self).clone_pilot()
    }
}

/// What a robot does in a step.
#[derive(Debug, Clone)]
pub enum PilotAction {
    /// An action. It is done in this step; then the robot waits as long as the action takes.
    Act(Action),
    /// Spawns a robot that this pilot steers, from the next step on.
    Spawn(Box<dyn Pilot>),
    /// Nothing for so many steps, this one among them; at least one.
    Rest(u64),
    /// The pilot gives up: the robot is destroyed.
    End,
}

/// What came of a robot's last deed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// Nothing was done yet: the robot is new.
    Born {
        /// Its own pid.
        pid: Pid,
        /// That of the robot that spawned it; `None` for a team's first one.
        parent: Option<Pid>,
    },
    /// An action, and its answer.
    Answer(Answer),
    /// A spawn, and the new robot's pid; `None` when it failed.
    Spawned(Option<Pid>),
    /// A rest.
    Rested,
}

/// The names of the shipped pilots.
pub const NAMES: [&str; 1] = ["random"];

/// The shipped pilot of that name, which draws chance from `seed`.
pub fn by_name(name: &str, seed: u64) -> Option<Box<dyn Pilot>> {
    match name {
        "random" => Some(Box::new(Random::new(seed))),
        _ => None,
    }
}
