//! End of a match: its outcome and termination.

use std::{cmp::Ordering, fmt};

use grandstand_protocol::abalone::Team;
use grandstand_protocol::team::Outcome;
use serde::{Deserialize, Serialize};

/// Why a match is over, apart from who has won it. These are all the terminations of Abalone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// `score`: a team has reached `WINNING_SCORE`.
    Score,
    /// `pieces`: a team has no pieces left, so nothing can be pushed any more.
    Pieces,
    /// `length`: `GAME_LENGTH` cycles have passed.
    Length,
}

impl Termination {
    /// Every termination, in the order in which they are looked for at the end of a cycle.
    pub const ALL: [Self; 3] = [Self::Score, Self::Pieces, Self::Length];

    /// The name in results and replays.
    pub fn name(self) -> &'static str {
        match self {
            Self::Score => "score",
            Self::Pieces => "pieces",
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
    /// The cycle at whose end it was over, counted from 1.
    pub cycle: u64,
    /// The turns whose moves were processed.
    pub turns: u32,
}

/// Section 2.1's order: the higher score, then more pieces, else a draw. Each pair is (black, white).
pub(crate) fn decide(score: (u32, u32), pieces: (usize, usize)) -> Outcome<Team> {
    let by_score = score.0.cmp(&score.1);
    match by_score.then(pieces.0.cmp(&pieces.1)) {
        Ordering::Greater => Outcome::Win(Team::Black),
        Ordering::Less => Outcome::Win(Team::White),
        Ordering::Equal => Outcome::Draw,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_score_decides_before_the_pieces() {
        assert_eq!(decide((3, 2), (1, 14)), Outcome::Win(Team::Black));
        assert_eq!(decide((2, 3), (14, 1)), Outcome::Win(Team::White));
        assert_eq!(decide((2, 2), (5, 4)), Outcome::Win(Team::Black));
        assert_eq!(decide((2, 2), (4, 5)), Outcome::Win(Team::White));
        assert_eq!(decide((2, 2), (5, 5)), Outcome::Draw);
    }
}
