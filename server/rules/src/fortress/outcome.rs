//! End of a match: its outcome and termination (section 2.2).

use grandstand_protocol::fortress::Team;
use grandstand_protocol::team::{ByTeam, Outcome};
use grandstand_protocol::words;
use serde::{Deserialize, Serialize};

words! {
    /// The reason for the end of a match, apart from its outcome. These are all the terminations of the rules; a server may have more.
    Termination {
        /// `points`: a team controls all five control points.
        Points = "points",
        /// `time`: `cTIME_LIMIT` has passed. The team that controls more points wins; an equal number is a draw.
        Time = "time",
        /// `forfeit`: the server took a team out of the match. The other one wins; if both were taken out, it is a draw.
        Forfeit = "forfeit",
    }
}

/// The end of a match: outcome, reason and time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finish {
    /// The outcome.
    pub outcome: Outcome<Team>,
    /// The reason for the end.
    pub termination: Termination,
    /// The time of the end, in milliseconds.
    pub millis: u64,
    /// The number of control points that red and blue controlled, by [`Team::index`].
    pub points: [usize; 2],
}

/// The outcome if these teams have lost.
pub(super) fn without(lost: &ByTeam<Team, bool>) -> Outcome<Team> {
    Outcome::of_order(lost[Team::Blue].cmp(&lost[Team::Red]))
}

/// The outcome for these numbers of control points of red and blue.
pub(super) fn decide([red, blue]: [usize; 2]) -> Outcome<Team> {
    Outcome::of_order(red.cmp(&blue))
}
