//! Settings of a match: the handout's constants.

use grandstand_protocol::abalone::{Hex, Team};
use thiserror::Error;

use crate::settings::{OutOfRange, settings};

settings! {
    /// The settings of a match, by the handout's names (`definitions.sml`); in a file, `WINNING_SCORE = 6`.
    ///
    /// A setting that a file omits has its default; an unknown name is an error. The values of a `Rules` are not
    /// checked: [`Rules::validate`], which [`World::new`](super::World::new) calls, checks whether a match can be
    /// played by them.
    Rules {
        /// Points that win the match (section 2.1). Default 6; from 1 to 1,000.
        winning_score "WINNING_SCORE": u32 = 6, 1..=1_000;
        /// Pieces that a team may control (section 2.6). Default 14; from 1 to 60.
        max_pieces "MAX_PIECES": u32 = 14, 1..=60;
        /// Clock cycles from one processing of moves to the next (section 2.7). Default 2,000; from 1 to 10,000,000.
        cycles_per_turn "CYCLES_PER_TURN": u64 = 2_000, 1..=10_000_000;
        /// Clock cycles after which the match is over (section 2.1). Default 1,000,000; from 1 to 1,000,000,000.
        game_length "GAME_LENGTH": u64 = 1_000_000, 1..=1_000_000_000;
        /// The start hex of black's first piece (section 2.5). Default `C~1`.
        black_start "BLACK_START": Hex = start(-2, -1);
        /// The start hex of white's first piece (section 2.5). Default `G1`.
        white_start "WHITE_START": Hex = start(2, 1);
        /// Messages that a team may say in one turn; those beyond are dropped and counted. Default 20. Ours.
        talks_per_turn "TALKS_PER_TURN": u32 = 20;
    }
}

/// The default start hex at a row and a diagonal.
fn start(row: i8, diagonal: i8) -> Hex {
    Hex::from_rd(row, diagonal).expect("a start of the defaults is on the board")
}

/// The reason why a match can't be played with given [`Rules`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RulesError {
    /// A number is out of its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// Both teams would start on one hex.
    #[error("BLACK_START and WHITE_START are both {0}; expected two different hexes")]
    SameStart(Hex),
}

impl Rules {
    /// Checks that a match can be played with these settings.
    ///
    /// # Errors
    /// The first invalid setting.
    pub fn validate(&self) -> Result<(), RulesError> {
        self.check_ranges()?;
        if self.black_start == self.white_start {
            return Err(RulesError::SameStart(self.black_start));
        }
        Ok(())
    }

    /// The start hex of the first piece of `team`.
    pub fn start(&self, team: Team) -> Hex {
        match team {
            Team::Black => self.black_start,
            Team::White => self.white_start,
        }
    }
}
