//! Robot Abalone, as the Abalone handout (CS 312, 2008) describes it in sections 2 and 3.
//!
//! - [`Rules`]: the constants of the handout, as settings;
//! - [`Setup`]: a position that somebody claims; [`World`]: one that is known to be right, and plays on;
//! - [`Action`] and [`Reply`]: what a bot asks and is told; [`Object`] and [`ACTIONS`]: their numbers;
//! - [`TurnMoves`], [`ChainMove`], [`IllegalMove`]: what became of the moves of a turn, for those who want to know why;
//! - [`Finish`], [`Outcome`](grandstand_protocol::team::Outcome), [`Termination`]: how it ended;
//! - [`Diagram`]: boards as text, for tests and for reading.
//!
//! `ABALONE.md` beside this crate's manifest says the rules as they are played here, and what was decided
//! where the handout is silent.
//!
//! ```
//! use grandstand_protocol::abalone::{Facing, Team};
//! use grandstand_rules::Pid;
//! use grandstand_rules::abalone::{Action, Rules, World};
//!
//! let (black, white) = (Pid(1), Pid(2));
//! let mut world = World::new(Rules::default(), 7, black, white)?;
//! world.act(1, black, Action::CommitMove(Facing::Right)).unwrap();
//! let end = world.end_cycle(world.next_event_cycle());
//! assert!(end.dead.is_empty());
//! assert_eq!(world.bots()[0].hex.to_string(), "C0");
//! # Ok::<(), grandstand_rules::abalone::SetupError>(())
//! ```

mod action;
mod board;
mod diagram;
mod moves;
mod outcome;
mod rules;
mod setup;
mod world;

pub use action::{ACTIONS, Action, Object, Reply, TeamStat};
pub use board::Bot;
pub use diagram::{Diagram, DiagramError};
pub use moves::{ChainMove, IllegalMove, TurnMoves};
pub use outcome::{Finish, Termination};
pub use rules::{Rules, RulesError};
pub use setup::{Setup, SetupError};
pub use world::{ActError, CycleEnd, SpawnError, World};
