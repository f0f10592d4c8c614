//! How a match ends, and who has won it (section 2.2).

use std::fmt;

use grandstand_protocol::team::{Squad, Verdict};
use serde::{Deserialize, Serialize};

/// Why a match is over, apart from who has won it. These are all the terminations of the rules; a server may have more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// `points`: a team controls all five control points.
    Points,
    /// `time`: `cTIME_LIMIT` has passed. The team that controls more points wins; with equally many it is a draw.
    Time,
}

impl Termination {
    /// Every termination, in the order in which they are looked for.
    pub const ALL: [Self; 2] = [Self::Points, Self::Time];

    /// The name in results and replays.
    pub fn name(self) -> &'static str {
        match self {
            Self::Points => "points",
            Self::Time => "time",
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
    pub verdict: Verdict,
    /// Why it is over.
    pub termination: Termination,
    /// The millisecond at which it was over.
    pub millis: u64,
    /// How many control points red and blue controlled, by [`Squad::index`].
    pub points: [usize; 2],
}

/// Who has won with so many control points for red and for blue.
pub(super) fn decide(points: [usize; 2]) -> Verdict {
    let [red, blue] = points;
    let winner = match red.cmp(&blue) {
        std::cmp::Ordering::Greater => Some(Squad::Red),
        std::cmp::Ordering::Less => Some(Squad::Blue),
        std::cmp::Ordering::Equal => None,
    };
    winner.into()
}
