//! Steam Fortress, as the Steam Fortress handout (CS 3110, 2010) describes it in sections 2 to 4.
//!
//! - [`Rules`]: the constants of the handout, as settings;
//! - [`Map`]: a map that keeps every constraint;
//! - [`Setup`]: a position that somebody claims; [`World`]: one that is known to be right, and plays on;
//! - [`Action`], [`Reply`], [`ActionResult`], [`Answer`]: what a unit asks and is told;
//! - [`Unit`], [`ControlPoint`], [`Ability`]: what a match is made of;
//! - [`Finish`], [`Termination`]: how it ended.
//!
//! `FORTRESS.md` beside this crate's manifest says the rules as they are played here, and what was decided where the
//! handout is silent.

mod ability;
mod action;
mod combat;
mod control;
mod map;
mod outcome;
mod path;
mod picture;
mod respawn;
mod rules;
mod setup;
mod unit;
mod world;

pub use ability::{Ability, Slot, Targeting};
pub use action::{Action, ActionResult, Answer, Hand, PointStatus, Position, Reply, Sighting, UnitId};
pub use control::{Capture, ControlPoint};
pub use grandstand_protocol::fortress::{Direction, Elevation, POINTS, Place, UnitClass};
pub use grandstand_protocol::team::{BySquad, Squad, Verdict};
pub use map::{MAP_MAX_BYTES, Map};
pub use outcome::{Finish, Termination};
pub use rules::{Rules, RulesError};
pub use setup::{Setup, SetupError};
pub use unit::{Unit, forward};
pub use world::{CAPTURE_REPORT, TIME_REPORT, World};
