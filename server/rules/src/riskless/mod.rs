//! Riskless (15-150, fall 2013, homework 11, sections 3 and 4): armies that move along the roads of a map, by turns and without
//! dice.
//!
//! `server/rules/RISKLESS.md` says what the rules come to, and what was decided where the handout is silent.

mod draw;
mod file;
pub mod fuzz;
mod graph;
mod map;
pub mod maps;
mod notation;
mod position;

pub use file::MAP_MAX_BYTES;
pub use graph::{Graph, NotInGraph};
pub use map::{ARMIES_MAX, Map, NAME_MAX_CHARS, PLIES_MAX, TERRITORIES_MAX, Territory};
pub use notation::Unreadable;
pub use position::{Battle, Illegal, Move, Position, termination};
