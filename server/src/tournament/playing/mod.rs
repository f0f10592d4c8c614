//! Playing of single games: the same for the games of a run on this machine and for those that a worker is handed.
//!
//! - [`set_up`]: from a description to a match's specification, and a cache of these
//! - [`game_runner`]: the place of one thread that plays matches one after another, and records each
//! - [`digest`]: of a game's commands; [`verdict`]: from a match's end to a result; [`machine`]: what the machine did to a match

pub(crate) mod digest;
pub(crate) mod game_runner;
mod machine;
pub(crate) mod set_up;
mod verdict;

use std::time::SystemTime;

use grandstand_tournaments::ScheduledGame;

use super::catalogue::{NewResult, ResultRecord};
use super::definition::Definition;
use crate::timestamp::rfc3339;

/// State that the threads of a run share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunContext<'a> {
    pub(crate) definition: &'a Definition,
    /// Names of the players.
    pub(crate) names: &'a [String],
    /// Content hashes of the players, and the ids of these versions.
    pub(crate) hashes: &'a [String],
    pub(crate) versions: &'a [i64],
}

impl RunContext<'_> {
    /// Number of the game's round, after that of its stage where there are several: `3`, `2.3`.
    pub(crate) fn round(&self, game: &ScheduledGame) -> String {
        let round = game.round + 1;
        if self.definition.stages.len() > 1 {
            format!("{}.{round}", game.stage + 1)
        } else {
            round.to_string()
        }
    }
}

/// Attempt to play a game.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct GameAttempt {
    pub(crate) game: ScheduledGame,
    pub(crate) attempt: u32,
}

/// Event of a run: the end of a game, or news of the machines that play.
#[derive(Debug)]
pub(crate) enum RunEvent {
    /// The game was played, or failed by a fault of the machine.
    Ended(Box<NewResult>),
    /// Both games of a pair, whose results are stored together or not at all.
    PairEnded(Box<[NewResult; 2]>),
    /// The game ended all machines that played it, for this reason: it is annulled, and not played again.
    GivenUp(Box<NewResult>, String),
    /// The game was abandoned because the run stops.
    Abandoned,
    /// No game can be played any more, for this reason.
    Stuck(String),
    /// News of the machines that play.
    News(String),
    /// The results of this worker differ from those of others, as the text says. None of them counts.
    Distrusted(String, String),
}

/// The result of an attempt that failed for a reason outside of the players.
pub(crate) fn spoiled(why: String, attempt: u32) -> ResultRecord {
    let started = rfc3339(SystemTime::now());
    verdict::broken(why, verdict::Attempt { attempt, started, wall_ms: 0, disturbed_ms: None, machine: None })
}
