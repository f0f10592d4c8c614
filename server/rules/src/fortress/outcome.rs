//! End of a match: its outcome and termination (section 2.2).

use grandstand_protocol::fortress::Team;
use grandstand_protocol::team::{ByTeam, Outcome};
use grandstand_protocol::words;
use serde::{Deserialize, Serialize};

words! {
    /// Why a match is over, apart from who has won it. These are all the terminations of the rules; a server may have more.
    Termination {
        /// `points`: a team controls all five control points.
        Points = "points",
        /// `time`: `cTIME_LIMIT` has passed. The team that controls more points wins; with equally many it is a draw.
        Time = "time",
        /// `forfeit`: a team was taken out of the match by whoever holds it. The other one wins; without either it is a draw.
        Forfeit = "forfeit",
    }
}

/// A finished match: who, why and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finish {
    /// Who has won.
    pub outcome: Outcome<Team>,
    /// Why it is over.
    pub termination: Termination,
    /// The millisecond at which it was over.
    pub millis: u64,
    /// How many control points red and blue controlled, by [`Team::index`].
    pub points: [usize; 2],
}

/// Who has won when these teams have lost.
pub(super) fn without(lost: &ByTeam<Team, bool>) -> Outcome<Team> {
    Outcome::of_order(lost[Team::Blue].cmp(&lost[Team::Red]))
}

/// Who has won with so many control points for red and for blue.
pub(super) fn decide([red, blue]: [usize; 2]) -> Outcome<Team> {
    Outcome::of_order(red.cmp(&blue))
}
