//! End of a match: its outcome and termination.

use grandstand_protocol::shark::Team;
use grandstand_protocol::team::Outcome;
use grandstand_protocol::words;
use serde::{Deserialize, Serialize};

words! {
    /// The reason for the end of a match, apart from its outcome. These are all the terminations of λ-Shark (section 2.5).
    Termination {
        /// `score`: a team has made `WINNING_SCORE` points.
        Score = "score",
        /// `robots`: a team has no robots left.
        Robots = "robots",
        /// `length`: `GAME_LENGTH` steps have passed.
        Length = "length",
    }
}

/// The end of a match: outcome, reason and time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finish {
    /// The outcome.
    pub outcome: Outcome<Team>,
    /// The reason for the end.
    pub termination: Termination,
    /// The step at whose end the match was over, counted from 1.
    pub step: u64,
}

/// The outcome by points, for every kind of ending; equal points are a draw. `score` is red's and blue's.
pub(super) fn decide(score: [u32; 2]) -> Outcome<Team> {
    Outcome::of_order(score[0].cmp(&score[1]))
}
