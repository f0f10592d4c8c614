//! The constants of a match, as settings.

use grandstand_protocol::abalone::{Hex, Team};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The settings of a match, by the handout's names (`definitions.sml`); in a file, `WINNING_SCORE = 6`.
///
/// What a file leaves out has its default; a name that is not one of these is an error. A `Rules` may hold
/// anything: [`Rules::validate`], which [`World::new`](super::World::new) calls, says whether a match can
/// be played by it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE", default, deny_unknown_fields)]
pub struct Rules {
    /// Points that win the match (section 2.1). Default 6; from 1 to 1,000.
    pub winning_score: u32,
    /// Pieces that a team may control (section 2.6). Default 14; from 1 to 60.
    pub max_pieces: u32,
    /// Clock cycles from one processing of moves to the next (section 2.7). Default 2,000; from 1 to 10,000,000.
    pub cycles_per_turn: u64,
    /// Clock cycles after which the match is over (section 2.1). Default 1,000,000; from 1 to 1,000,000,000.
    pub game_length: u64,
    /// Where black's first piece stands (section 2.5). Default `C~1`.
    pub black_start: Hex,
    /// Where white's first piece stands (section 2.5). Default `G1`.
    pub white_start: Hex,
    /// Messages that a team may say in one turn; those beyond are dropped and counted. Default 20. Ours.
    pub talks_per_turn: u32,
}

impl Default for Rules {
    fn default() -> Self {
        let hex =
            |row, diagonal| Hex::from_rd(row, diagonal).expect("a start of the defaults is on the board");
        Self {
            winning_score: 6,
            max_pieces: 14,
            cycles_per_turn: 2_000,
            game_length: 1_000_000,
            black_start: hex(-2, -1),
            white_start: hex(2, 1),
            talks_per_turn: 20,
        }
    }
}

/// Why a match can't be played by some [`Rules`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RulesError {
    /// A number is outside of its range.
    #[error("{name} is {found}; expected a number from {least} to {most}")]
    OutOfRange {
        /// The setting, by the handout's name.
        name: &'static str,
        /// What it was set to.
        found: u64,
        /// The least that it may be.
        least: u64,
        /// The most that it may be.
        most: u64,
    },
    /// Both teams would start on one hex.
    #[error("BLACK_START and WHITE_START are both {0}; expected two different hexes")]
    SameStart(Hex),
}

impl Rules {
    /// Whether a match can be played by these settings.
    ///
    /// # Errors
    /// The first setting that is wrong.
    pub fn validate(&self) -> Result<(), RulesError> {
        let ranges = [
            ("WINNING_SCORE", u64::from(self.winning_score), 1, 1_000),
            ("MAX_PIECES", u64::from(self.max_pieces), 1, 60),
            ("CYCLES_PER_TURN", self.cycles_per_turn, 1, 10_000_000),
            ("GAME_LENGTH", self.game_length, 1, 1_000_000_000),
        ];
        for (name, found, least, most) in ranges {
            if !(least..=most).contains(&found) {
                return Err(RulesError::OutOfRange { name, found, least, most });
            }
        }
        if self.black_start == self.white_start {
            return Err(RulesError::SameStart(self.black_start));
        }
        Ok(())
    }

    /// Where the first piece of `team` stands.
    pub fn start(&self, team: Team) -> Hex {
        match team {
            Team::Black => self.black_start,
            Team::White => self.white_start,
        }
    }
}
