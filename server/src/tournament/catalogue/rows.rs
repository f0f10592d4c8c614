//! What the catalogue's tables hold, as values.

use grandstand_tournaments::{FaultOf, GameResult, PlayerIndex, ScheduledGame};
use serde::Serialize;

use super::super::definition::Definition;

/// The tournament itself.
#[derive(Debug, Clone)]
pub struct TournamentRecord {
    /// What is played.
    pub definition: Definition,
    /// The SHA-256 of what must not change of it.
    pub definition_sha256: String,
    /// What the definition's files are relative to.
    pub directory: String,
    /// What everything that is drawn comes from.
    pub seed: u64,
    /// Whether it is told only when the tournament is over.
    pub seed_secret: bool,
    /// The hash of the seed, which was told before.
    pub seed_sha256: String,
    /// When it began, in RFC 3339.
    pub created: String,
}

/// A player with the version that it has now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlayerRecord {
    /// Its position in the plan.
    pub player: PlayerIndex,
    /// What it is called.
    pub name: String,
    /// Who that is, as `play` names players.
    pub play: String,
    /// The id of its latest version.
    #[serde(skip)]
    pub version: i64,
    /// The hash of that version's content.
    pub sha256: String,
    /// How many versions it has had.
    pub versions: u32,
}

/// By whose doing a game ended otherwise than by its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The first side's.
    First,
    /// The second side's.
    Second,
    /// Both sides'.
    Both,
    /// Nobody's who plays: the machine slept, was full, or had no memory.
    Machine,
}

impl Fault {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
            Self::Both => "both",
            Self::Machine => "machine",
        }
    }

    pub(super) fn parse(name: &str) -> Option<Self> {
        [Self::First, Self::Second, Self::Both, Self::Machine].into_iter().find(|fault| fault.name() == name)
    }
}

/// One attempt at a game.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ResultRecord {
    /// Which attempt, from 0.
    pub attempt: u32,
    /// By whose doing it ended; none: it was played to its end.
    pub fault: Option<Fault>,
    /// The side that won.
    pub winner: Option<u8>,
    /// Why it was over, by one of the words of `docs/RESULTS.md`; `machine` where the machine was at fault.
    pub termination: String,
    /// What happened, in words.
    pub reason: Option<String>,
    /// The points of the sides, in games that have some.
    pub score: Option<[u64; 2]>,
    /// Its length, and the unit.
    pub length: Option<(u64, String)>,
    /// Of the recording's commands.
    #[serde(skip)]
    pub digest: Option<u64>,
    /// When it began, in RFC 3339.
    pub started: String,
    /// How long it took, in milliseconds.
    pub wall_ms: u64,
    /// How late the machine woke a waiting thread up while it was played, at worst, in milliseconds; of games with clocks.
    pub disturbed_ms: Option<u64>,
    /// Bytes of its recording, compressed.
    pub recording_bytes: Option<u64>,
    /// Whether the inputs are kept from which it can be played again.
    pub inputs: bool,
}

/// A result that is to be written.
#[derive(Debug, Clone)]
pub struct NewResult {
    /// Which game.
    pub game: ScheduledGame,
    /// How it ended.
    pub result: ResultRecord,
    /// The versions of its players, by side.
    pub versions: [i64; 2],
    /// The compressed recording; of a game that never began there is none.
    pub recording: Option<Vec<u8>>,
    /// The compressed inputs.
    pub inputs: Option<Vec<u8>>,
}

/// What somebody decided about a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "ruling", rename_all = "kebab-case")]
pub enum RulingKind {
    /// It does not count.
    Annul,
    /// It is given to a side, or is a draw.
    Award {
        /// The side.
        winner: Option<u8>,
    },
}

/// A ruling with its reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ruling {
    /// The number of the game.
    pub game: u64,
    /// What was decided.
    #[serde(flatten)]
    pub kind: RulingKind,
    /// Why.
    pub reason: String,
    /// When, in RFC 3339.
    pub made: String,
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Event {
    /// When, in RFC 3339.
    pub at: String,
    /// Of which kind, in one word.
    pub kind: String,
    /// What happened.
    pub text: String,
}

/// A game with all that is known of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GameRecord {
    /// As it was drawn.
    #[serde(flatten)]
    pub game: ScheduledGame,
    /// Its attempts, in order; all but the last are faults of the machine.
    pub attempts: Vec<ResultRecord>,
    /// The last ruling on it.
    pub ruling: Option<Ruling>,
}

impl GameRecord {
    /// The attempt that counts.
    pub fn last(&self) -> Option<&ResultRecord> {
        self.attempts.last()
    }

    /// Its result, with rulings; none while it is to be played again.
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
                return Some(GameResult::Played { winner: last.winner, digest: last.digest.unwrap_or(0) });
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

/// How often a game is played before a fault of the machine annuls it: once, and three times again.
pub const ATTEMPTS: usize = 4;

/// An error of ours, as SQLite's functions return it.
pub(super) fn in_sqlite(error: impl std::error::Error + Send + Sync + 'static) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(Box::new(error))
}
