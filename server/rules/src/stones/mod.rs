//! Gomoku and Pente: stones on the points of a square board, five in a row.
//!
//! - [`Rules`]: the settings of a game, with its [`Rule`] and its [`Opening`];
//! - [`Position`]: a game after some moves, a [`turn::Position`](crate::turn::Position);
//! - [`Forbidden`]: black's forbidden moves in Renju;
//! - [`Openings`]: balanced openings, from a file;
//! - [`players`]: `stupid`, and its play in the opening [swap2](crate::swap2).
//!
//! `server/rules/GOMOKU.md` describes the decisions where the handout is silent.

mod board;
mod draw;
pub mod fuzz;
mod openings;
pub mod players;
mod position;
mod renju;
mod rules;

pub use openings::{OPENINGS_MAX, Openings, STONES_MAX, STONES_MIN};
pub use position::{Illegal, NotAPoint, PAIRS_TO_WIN, Position, termination};
pub use renju::Forbidden;
pub use rules::{Opening, Rule, Rules, RulesError};

pub use grandstand_protocol::stones::{Point, Size};
