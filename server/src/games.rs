//! Matches, whatever plays them.
//!
//! - [`Fixture`], [`Contest`], [`Ending`]: a match before, while and after it is played, as the command line knows it;
//!   [`again`]: the match of a recording's header; [`changed`]: whether it may be drawn differently now;
//! - [`Peer`]: a connection that a match is drawn over; [`Seats`]: who may play over it;
//! - [`Tally`]: the score of many matches.
//!
//! Matches of programs, in which a machine runs the threads that live in a game's world:
//!
//! - [`GameWorld`]: what a game supplies; `abalone` and `shark` do;
//! - [`MatchSetup`]: all that decides a match, with its [`Settings`]; its header, and back;
//! - [`Runner`]: the match, played from one event of its world to the next;
//! - [`LogEntry`]: what became of the bots and what they said, for who wants to know why one died;
//! - [`fuzz`]: the bodies of the fuzz targets.
//!
//! A match of programs has no clock. What it draws is stamped with cycles; how fast they pass is for the caller to say.

mod abalone;
mod by;
mod codes;
mod contest;
pub mod fuzz;
mod log;
mod named;
mod peer;
mod runner;
mod seats;
mod settings;
mod setup;
mod shark;
mod tally;
mod world;

use grandstand_protocol::{Game, MatchHeader};
use grandstand_rules as rules;

use crate::fortress::fixture::FortressMatch;
use crate::turns::fixture::TurnMatch;
use crate::turns::games::riskless::Riskless;
use crate::turns::games::stones::Stones;

pub use by::{by, changed};
pub use contest::{Contest, Ending, Fixture, LogLine, Side, StampedCommand, StartError, Tempo, each};
pub use log::{LogEntry, LogEvent};
pub use named::read_named;
pub use peer::{Patience, Peer, PeerError, Voice};
pub use runner::Runner;
pub use seats::{Chair, Happened, Proposal, Seats};
pub use settings::{Settings, SettingsError, read_limits, read_setting, read_settings};
pub use setup::{AgainError, MatchSetup, Player, RUST};
pub use tally::{MatchCount, Tally};
pub use world::{CycleEnd, Departure, GameRules, GameWorld, Presence};

/// The match of `game` that `header` describes, to be run again: it draws the same commands.
pub fn again(game: Game, header: &MatchHeader) -> Result<Box<dyn Fixture>, AgainError> {
    match game {
        Game::Abalone => Ok(Box::new(MatchSetup::<rules::abalone::World>::from_header(header)?)),
        Game::Shark => Ok(Box::new(MatchSetup::<rules::shark::World>::from_header(header)?)),
        Game::Fortress => Ok(Box::new(FortressMatch::from_header(header)?)),
        Game::Gomoku | Game::Pente => Ok(Box::new(TurnMatch::<Stones>::from_header(game, header)?)),
        Game::Riskless => Ok(Box::new(TurnMatch::<Riskless>::from_header(game, header)?)),
        Game::Grid => Err(AgainError::Rules(game)),
    }
}

/// The game's name as a sentence has it.
pub fn title(game: Game) -> &'static str {
    match game {
        Game::Abalone => "Abalone",
        Game::Shark => "λ-Shark",
        Game::Fortress => "Steam Fortress",
        Game::Gomoku => "Gomoku",
        Game::Pente => "Pente",
        Game::Riskless => "Riskless",
        Game::Grid => "the grid",
    }
}
