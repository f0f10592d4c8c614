//! End of a match: its outcome and termination.

use grandstand_protocol::shark::Team;
use grandstand_protocol::team::Outcome;
use grandstand_protocol::words;
use serde::{Deserialize, Serialize};

words! {
    /// Why a match is over, apart from who has won it. These are all the terminations of λ-Shark (section 2.5).
    Termination {
        /// `score`: a team has made `WINNING_SCORE` points.
        Score = "score",
        /// `robots`: a team has no robots left.
        Robots = "robots",
        /// `length`: `GAME_LENGTH` steps have passed.
        Length = "length",
    }
}

/// A finished match: who, why and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finish {
    /// Who has won.
    pub outcome: Outcome<Team>,
    /// Why it is over.
    pub termination: Termination,
    /// The step at whose end it was over, counted from 1.
    pub step: u64,
}

/// Whatever ends a match, the points decide; equal points are a draw. `score` is red's and blue's.
pub(super) fn decide(score: [u32; 2]) -> Outcome<Team> {
    Outcome::of_order(score[0].cmp(&score[1]))
}
