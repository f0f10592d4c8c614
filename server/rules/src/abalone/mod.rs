//! Robot Abalone, as the Abalone handout (CS 312, 2008) describes it in sections 2 and 3.
//!
//! - [`Rules`]: the constants of the handout, as settings;
//! - [`Setup`]: an unchecked position; [`World`]: a valid one, on which the match is played;
//! - [`Action`] and [`Reply`]: a bot's requests and their answers; [`Object`] and [`ACTIONS`]: their numbers;
//! - [`TurnMoves`], [`ChainMove`], [`IllegalMove`]: the results of the moves of a turn, for diagnostics;
//! - [`Finish`], [`Outcome`](grandstand_protocol::team::Outcome), [`Termination`]: the end of a match.
//!
//! `ABALONE.md` beside this crate's manifest describes the rules as implemented here, and the decisions
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
mod outcome;
mod rules;
mod setup;
mod turn_moves;
mod world;

pub use action::{ACTIONS, Action, Object, Reply, TeamStat};
pub use board::Bot;
pub use outcome::{Finish, Termination};
pub use rules::{Rules, RulesError};
pub use setup::{Setup, SetupError};
pub use turn_moves::{ChainMove, IllegalMove, TurnMoves};
pub use world::{ActError, CycleEnd, SpawnError, World};
