//! End of a match: its outcome and termination (section 2.2).

use std::fmt;

use grandstand_protocol::fortress::Team;
use grandstand_protocol::team::{ByTeam, Outcome};
use serde::{Deserialize, Serialize};

/// Why a match is over, apart from who has won it. These are all the terminations of the rules; a server may have more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// `points`: a team controls all five control points.
    Points,
    /// `time`: `cTIME_LIMIT` has passed. The team that controls more points wins; with equally many it is a draw.
    Time,
    /// `forfeit`: a team was taken out of the match by whoever holds it. The other one wins; without either it is a draw.
    Forfeit,
}

impl Termination {
    /// Every termination by the rules, in the order in which they are looked for: a forfeit is none.
    pub const ALL: [Self; 2] = [Self::Points, Self::Time];

    /// The name in results and replays.
    pub fn name(self) -> &'static str {
        match self {
            Self::Points => "points",
            Self::Time => "time",
            Self::Forfeit => "forfeit",
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
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
    match (lost[Team::Red], lost[Team::Blue]) {
        (false, true) => Outcome::Win(Team::Red),
        (true, false) => Outcome::Win(Team::Blue),
        (true, true) | (false, false) => Outcome::Draw,
    }
}

/// Who has won with so many control points for red and for blue.
pub(super) fn decide(points: [usize; 2]) -> Outcome<Team> {
    let [red, blue] = points;
    let winner = match red.cmp(&blue) {
        std::cmp::Ordering::Greater => Some(Team::Red),
        std::cmp::Ordering::Less => Some(Team::Blue),
        std::cmp::Ordering::Equal => None,
    };
    winner.into()
}
