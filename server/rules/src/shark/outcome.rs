//! End of a match: its outcome and termination.

use std::{cmp::Ordering, fmt};

use grandstand_protocol::shark::Team;
use grandstand_protocol::team::Outcome;
use serde::{Deserialize, Serialize};

/// Why a match is over, apart from who has won it. These are all the terminations of λ-Shark (section 2.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// `score`: a team has made `WINNING_SCORE` points.
    Score,
    /// `robots`: a team has no robots left.
    Robots,
    /// `length`: `GAME_LENGTH` steps have passed.
    Length,
}

impl Termination {
    /// Every termination, in the order in which they are looked for at the end of a step.
    pub const ALL: [Self; 3] = [Self::Score, Self::Robots, Self::Length];

    /// The name in results and replays.
    pub fn name(self) -> &'static str {
        match self {
            Self::Score => "score",
            Self::Robots => "robots",
            Self::Length => "length",
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
    /// The step at whose end it was over, counted from 1.
    pub step: u64,
}

/// Whatever ends a match, the points decide; equal points are a draw. `score` is red's and blue's.
pub(super) fn decide(score: [u32; 2]) -> Outcome<Team> {
    match score[0].cmp(&score[1]) {
        Ordering::Greater => Some(Team::Red).into(),
        Ordering::Less => Some(Team::Blue).into(),
        Ordering::Equal => Outcome::Draw,
    }
}
