//! Tournaments of two-player games: pairings, scoring, standings, and the uncertainty of the results.
//!
//! - [`Plan`]: players, stages and formats;
//! - [`TournamentState`]: draws rounds, hands out games, and counts results in the order of the schedule;
//! - [`Standing`], [`Crosstable`], [`FinalPlace`]: the tables;
//! - [`pairing`]: matchings of greatest weight, for the rounds of a Swiss;
//! - [`ratings`]: strengths with their intervals;
//! - [`sprt`]: the sequential test of one player against another.
//!
//! The crate knows no game, and has no file, socket, thread or clock. The caller plays the [`ScheduledGame`]s and
//! reports the [`GameResult`]s. `server/tournaments/README.md` describes the formats and the figures.
//!
//! ```
//! use grandstand_tournaments::*;
//!
//! let player = |name: &str| Entry { name: name.into(), kind: EntryKind::Entered, joins: 0 };
//! let stage = StagePlan {
//!     name: "League".into(),
//!     format: Format::RoundRobin { cycles: 1 },
//!     advance: None,
//!     games: 2,
//!     maps: 0,
//!     openings: 0,
//!     points: Points::default(),
//!     tie_breaks: TieBreak::DEFAULT.into(),
//! };
//! let players = vec![player("ada"), player("bob"), player("cleo")];
//! let mut tournament = TournamentState::new(Plan { seed: 7, players, stages: vec![stage], faults: None })?;
//! while let Some(game) = tournament.next_game() {
//!     // Whoever stands first in the list wins.
//!     let winner = if game.players[0] < game.players[1] { 0 } else { 1 };
//!     tournament.record(game.number, GameResult::Played { winner: Some(winner), digest: Some(game.number) })?;
//! }
//! assert!(tournament.is_over());
//! let points: Vec<String> = tournament.standings(0).iter().map(|line| line.points.to_string()).collect();
//! assert_eq!(points, ["4", "2", "0"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod formats;
pub mod pairing;
mod plan;
mod random;
pub mod ratings;
mod schedule;
mod score;
pub mod sprt;
mod standings;
mod state;

pub use plan::{
    Entry, EntryKind, Format, MAX_ENCOUNTERS, MAX_PLAYERS, MAX_POINTS, MAX_REPEATS, MAX_SPRT_GAMES,
    MAX_STAGES, Plan, PlanError, PlayerIndex, StagePlan, TieBreak,
};
pub use schedule::{
    BracketKind, BracketPosition, CountedGame, Encounter, FaultOf, GameResult, Round, ScheduledGame,
};
pub use score::{Points, Score};
pub use standings::{Cell, Crosstable, FinalPlace, OrderedBy, Standing};
pub use state::{EncounterResult, Notice, RecordError, ResumeError, TournamentState};
