//! The rules of Grandstand's games: pure state machines, with no I/O, no clock and seeded randomness only.
//!
//! - [`abalone`]: robot Abalone;
//! - [`shark`]: λ-Shark, capture the flag;
//! - [`fortress`]: Steam Fortress;
//! - [`riskless`]: Riskless, armies on a map, by turns;
//! - [`turn`]: games in which two players move by turns, whatever they play;
//! - [`stones`]: Gomoku and Pente, turn games;
//! - [`swap2`]: an opening of turn games in which the players settle who moves first;
//! - [`clock`]: how long their players may think;
//! - [`map`]: what is wrong with a map, in the games that are played on one;
//! - [`SplitMix64`]: the one source of chance;
//! - [`Pid`]: the number of a bot's thread, the only thing that the rules know of programs.
//!
//! A game takes what its players do, in order, and gives graphics commands. The scene that these commands
//! build is, at any moment, the one that the game projects from its own state; the conformance suite in
//! `tests/` holds every game to that.

use std::fmt;

pub mod abalone;
pub mod clock;
pub mod fortress;
pub mod fuzz;
pub mod map;
mod random;
mod refusal;
pub mod riskless;
pub mod settings;
pub mod shark;
pub mod stones;
pub mod swap2;
pub mod turn;

pub use random::SplitMix64;
pub use refusal::Refusal;

/// The number of a bot's thread: from 1, unique in a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pid(pub u32);

impl fmt::Display for Pid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
