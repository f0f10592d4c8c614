//! Steam Fortress, as the Steam Fortress handout (CS 3110, 2010) describes it in sections 2 to 4.
//!
//! - [`Rules`]: the constants of the handout, as settings;
//! - [`Map`]: a map that satisfies every constraint; [`maps`]: the shipped ones;
//! - [`Setup`]: an unchecked position; [`World`]: a valid one, on which the match is played;
//! - [`Action`], [`Reply`], [`ActionResult`], [`Answer`]: a unit's requests and their answers;
//! - [`Unit`], [`ControlPoint`], [`Ability`]: the parts of a match;
//! - [`fly`]: the path of a shot;
//! - [`Finish`], [`Termination`]: the end of a match.
//!
//! `FORTRESS.md` beside this crate's manifest describes the rules as implemented here, and the decisions where the
//! handout is silent.
//!
//! ```
//! use grandstand_rules::fortress::{
//!     Action, ActionResult, ByTeam, Reply, Rules, Setup, UnitClass, UnitId, World, maps,
//! };
//!
//! let map = maps::by_name("meadow").expect("a shipped map");
//! let teams = ByTeam::new(vec![(UnitId(1), UnitClass::Soldier)], vec![(UnitId(2), UnitClass::Medic)]);
//! let mut world = World::from_setup(&Setup::start(Rules::default(), map, &teams))?;
//! // At millisecond 17 the soldier takes a step; until millisecond 417 it can take no other.
//! assert_eq!(world.act(17, UnitId(1), Action::Move(None)), Reply::Now(ActionResult::Success));
//! assert_eq!(world.act(416, UnitId(1), Action::Move(None)), Reply::Now(ActionResult::Failed));
//! while let Some(next) = world.next_event() {
//!     world.handle_time(next);
//! }
//! assert_eq!(world.finish().map(|finish| finish.millis), Some(300_000));
//! # Ok::<(), grandstand_rules::fortress::SetupError>(())
//! ```

mod ability;
mod action;
mod combat;
mod control;
mod map;
mod map_check;
pub mod maps;
mod outcome;
mod path;
mod picture;
mod refusal;
mod respawn;
mod rules;
mod setup;
mod unit;
mod world;

pub use ability::{Ability, Slot, Targeting};
pub use action::{Action, ActionResult, Answer, Hand, PointStatus, Position, Reply, Sighting, UnitId};
pub use control::{Capture, ControlPoint};
pub use grandstand_protocol::fortress::Team;
pub use grandstand_protocol::fortress::{Direction, Elevation, POINTS, Square, UnitClass};
pub use grandstand_protocol::team::{ByTeam, Outcome};
pub use map::Map;
pub use outcome::{Finish, Termination};
pub use path::{Landing, fly};
pub use refusal::Failure;
pub use rules::Rules;
pub use setup::{Setup, SetupError};
pub use unit::{Unit, forward};
pub use world::{CAPTURE_REPORT, TIME_REPORT, World};
