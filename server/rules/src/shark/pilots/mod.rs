//! Robots whose programs are written in Rust.
//!
//! A [`Pilot`] steers one robot: whenever the robot is free, the pilot gets the result of the last action and decides on the
//! next one. The actions are those of other programs, and cost the same steps; only the pilot's computation is free. A
//! [`PilotTeam`] is a team of pilots, and [`PilotTeams`] performs the actions of all teams of a match in the order of (step, pid).
//!
//! ```
//! use grandstand_rules::Pid;
//! use grandstand_rules::shark::pilots::{PilotTeam, PilotTeams, PilotAction, PilotEvent, Pilot};
//! use grandstand_rules::shark::{Action, Rules, World};
//!
//! /// Always moves ahead.
//! #[derive(Debug, Clone)]
//! struct Reckless;
//!
//! impl Pilot for Reckless {
//!     fn decide(&mut self, _: &PilotEvent) -> PilotAction {
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
    /// Decides on the next action of a free robot. `news` is the result of its last one.
    fn decide(&mut self, news: &PilotEvent) -> PilotAction;
}

/// Cloning of a boxed pilot: a pilot is cloned together with its match.
pub trait ClonePilot {
    /// A clone of the pilot.
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

/// The decision of a pilot for a step.
#[derive(Debug, Clone)]
pub enum PilotAction {
    /// An action in this step; afterwards the robot waits for the action's delay.
    Act(Action),
    /// A spawn of a robot that the given pilot steers from the next step on.
    Spawn(Box<dyn Pilot>),
    /// Idleness for this number of steps, including this one; at least one.
    Rest(u64),
    /// The end of the pilot: the robot is destroyed.
    End,
}

/// The result of a robot's last action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PilotEvent {
    /// No action yet: the robot is new.
    Born {
        /// The robot's own pid.
        pid: Pid,
        /// The pid of the robot that spawned it; `None` for a team's first one.
        parent: Option<Pid>,
    },
    /// The answer to an action.
    Answer(Answer),
    /// The pid of a spawned robot; `None` if the spawn failed.
    Spawned(Option<Pid>),
    /// The end of a rest.
    Rested,
}

/// The names of the shipped pilots.
pub const NAMES: [&str; 1] = ["random"];

/// The shipped pilot of that name, with random numbers from `seed`.
pub fn by_name(name: &str, seed: u64) -> Option<Box<dyn Pilot>> {
    match name {
        "random" => Some(Box::new(Random::new(seed))),
        _ => None,
    }
}
