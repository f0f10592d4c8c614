//! Rules of Grandstand's games: pure state machines, with no I/O, no clock and seeded randomness only.
//!
//! - [`abalone`]: robot Abalone;
//! - [`shark`]: λ-Shark, capture the flag;
//! - [`fortress`]: Steam Fortress;
//! - [`riskless`]: Riskless, a turn game of armies on a map;
//! - [`turn`]: the interface of games in which two players move by turns;
//! - [`stones`]: Gomoku and Pente, turn games;
//! - [`swap2`]: an opening of turn games that decides who moves first;
//! - [`clock`]: the players' clocks in turn games;
//! - [`map`]: faults of maps;
//! - [`SplitMix64`]: the one source of randomness;
//! - [`Pid`]: the number of a bot's thread, the only thing that the rules know of programs.
//!
//! A game takes its players' actions, in order, and returns graphics commands. The scene that these commands
//! build equals, at any moment, the scene that the game projects from its own state; the conformance suite in
//! `tests/` checks that for every game.

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
