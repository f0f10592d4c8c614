//! λ-Shark, capture the flag, as the λ-Shark handout (CS 312, 2004) describes it in sections 2 and 3.
//!
//! - [`PlayableMap`]: a playable map; [`maps`]: the shipped ones;
//! - [`Rules`]: the constants of the handout, as settings;
//! - [`Setup`]: an unchecked moment of a match; [`World`]: a valid one, on which the match is played;
//! - [`Action`] and [`Reply`]: a robot's requests and their answers; [`Object`], [`ACTIONS`], [`DIRECTIONS`], [`RESULTS`]: their numbers;
//! - [`Finish`], [`Termination`]: the end of a match;
//! - [`pilots`]: robots whose programs are written in Rust.
//!
//! `SHARK.md` beside this crate's manifest describes the rules as implemented here, and the decisions where the
//! handout is silent.
//!
//! ```
//! use grandstand_protocol::shark::{Heading, Team};
//! use grandstand_rules::Pid;
//! use grandstand_rules::shark::{Action, Answer, Rules, World};
//!
//! let (red, blue) = (Pid(1), Pid(2));
//! let mut world = World::new(Rules::default(), 7, red, blue)?;
//! let reply = world.act(1, red, Action::Face(Heading::Up)).unwrap();
//! assert_eq!((reply.answer, reply.delay), (Answer::Ok, 2_500));
//! world.end_step(world.next_event_step());
//! assert_eq!(world.bots()[0].heading, Heading::Up);
//! assert_eq!(world.credits(Team::Red), 3);
//! # Ok::<(), grandstand_rules::shark::SetupError>(())
//! ```

mod action;
mod arrivals;
mod board;
mod draw;
mod field;
pub(crate) mod fuzz;
pub mod maps;
mod outcome;
pub mod pilots;
mod refusal;
mod rules;
mod setup;
mod world;

pub use action::{ACTIONS, Action, Answer, DIRECTIONS, Object, RESULTS, Reply, direction, direction_code};
pub use board::Bot;
pub use field::PlayableMap;
pub use outcome::{Finish, Termination};
pub use refusal::Failure;
pub use rules::{Rules, RulesError};
pub use setup::{Setup, SetupError};
pub use world::{ActError, Kill, SpawnError, Weapon, World, comes_first, spawn_cost};
