//! Rows of the catalogue's tables, as values.

use grandstand_protocol::tournament::{Fault, RulingKind};
use grandstand_tournaments::{FaultOf, GameResult, PlayerIndex, ScheduledGame};
use serde::Serialize;

use super::super::definition::Definition;

/// The record of the tournament.
#[derive(Debug, Clone)]
pub struct TournamentRecord {
    /// The definition.
    pub definition: Definition,
    /// The SHA-256 of the part of the definition that must not change.
    pub definition_sha256: String,
    /// The directory that the definition's files are relative to.
    pub directory: String,
    /// The seed of all draws.
    pub seed: u64,
    /// Whether the seed is secret until the tournament is over.
    pub seed_secret: bool,
    /// The published hash of the seed.
    pub seed_sha256: String,
    /// Start time in RFC 3339.
    pub created: String,
}

/// A player with its latest version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerRecord {
    /// The player's position in the plan.
    pub player: PlayerIndex,
    /// The player's name.
    pub name: String,
    /// The player's specification, as in `grandstand play`.
    pub play: String,
    /// The id of the latest version.
    pub version: i64,
    /// The content hash of the latest version.
    pub sha256: String,
    /// Number of versions so far.
    pub versions: u32,
}

/// One attempt at a game.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ResultRecord {
    /// Number of the attempt, from 0.
    pub attempt: u32,
    /// Party at fault; `None` for a game played to its end.
    pub fault: Option<Fault>,
    /// The winning side.
    pub winner: Option<u8>,
    /// Termination, one of the words of `docs/RESULTS.md`; `machine` for a fault of the machine.
    pub termination: String,
    /// Details in words.
    pub reason: Option<String>,
    /// Score by side, in games that have one.
    pub score: Option<[u64; 2]>,
    /// Length and its unit.
    pub length: Option<(u64, String)>,
    /// Digest of the recording's commands.
    #[serde(skip)]
    pub digest: Option<u64>,
    /// Start time in RFC 3339.
    pub started: String,
    /// Duration in milliseconds.
    pub wall_ms: u64,
    /// Longest delay in milliseconds with which the machine woke a waiting thread during the game; only for games with
    /// clocks.
    pub disturbed_ms: Option<u64>,
    /// Size of the compressed recording in bytes.
    pub recording_bytes: Option<u64>,
    /// Whether the inputs that replay the game are stored.
    pub inputs: bool,
    /// The worker that played the game; `None` for a game that the director's own machine played.
    pub worker: Option<String>,
    /// The worker's measured speed, in thousands of nodes a second.
    pub speed: Option<u32>,
}

/// A result to be stored.
#[derive(Debug, Clone)]
pub struct NewResult {
    /// The game.
    pub game: ScheduledGame,
    /// The result.
    pub result: ResultRecord,
    /// Version ids of the players, by side.
    pub versions: [i64; 2],
    /// The compressed recording; `None` for a game that never began.
    pub recording: Option<Vec<u8>>,
    /// The compressed inputs.
    pub inputs: Option<Vec<u8>>,
}

/// A ruling on a game, with its reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ruling {
    /// The number of the game.
    pub game: u64,
    /// The decision.
    #[serde(flatten)]
    pub kind: RulingKind,
    /// The reason.
    pub reason: String,
    /// Time of the ruling in RFC 3339.
    pub made: String,
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Event {
    /// Time in RFC 3339.
    pub at: String,
    /// Kind of the event, in one word.
    pub kind: String,
    /// The message.
    pub text: String,
}

/// A game with its attempts and its ruling.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GameRecord {
    /// The game as drawn.
    pub game: ScheduledGame,
    /// Attempts in order; all but the last failed by a fault of the machine.
    pub attempts: Vec<ResultRecord>,
    /// The last ruling on the game.
    pub ruling: Option<Ruling>,
}

impl GameRecord {
    /// The last attempt, which counts.
    pub fn last(&self) -> Option<&ResultRecord> {
        self.attempts.last()
    }

    /// The result, with rulings applied; `None` while the game is to be replayed.
    pub fn result(&self) -> Option<GameResult> {
        if let Some(ruling) = &self.ruling {
            return Some(match ruling.kind {
                RulingKind::Annul => GameResult::Annulled,
                RulingKind::Award { winner } => GameResult::Awarded { winner },
            });
        }
        let last = self.last()?;
        let by = match last.fault {
            None => {
                return Some(GameResult::Played { winner: last.winner, digest: last.digest });
            }
            Some(Fault::First) => FaultOf::First,
            Some(Fault::Second) => FaultOf::Second,
            Some(Fault::Both) => FaultOf::Both,
            Some(Fault::Machine) if self.attempts.len() < ATTEMPTS => return None,
            Some(Fault::Machine) => return Some(GameResult::Annulled),
        };
        Some(GameResult::Forfeit { by })
    }
}

/// Maximum number of attempts before a fault of the machine annuls a game.
pub const ATTEMPTS: usize = 4;

/// Wraps an error of this program for SQLite's functions.
pub(super) fn in_sqlite(error: impl std::error::Error + Send + Sync + 'static) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(Box::new(error))
}
