//! End of a match: its outcome and termination.

use grandstand_protocol::abalone::Team;
use grandstand_protocol::team::Outcome;
use grandstand_protocol::words;
use serde::{Deserialize, Serialize};

words! {
    /// The reason for the end of a match, apart from its outcome. These are all the terminations of Abalone.
    Termination {
        /// `score`: a team has reached `WINNING_SCORE`.
        Score = "score",
        /// `pieces`: a team has no pieces left.
        Pieces = "pieces",
        /// `length`: `GAME_LENGTH` cycles have passed.
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
    /// The cycle at whose end the match was over, counted from 1.
    pub cycle: u64,
    /// The number of turns whose moves were processed.
    pub turns: u32,
}

/// The outcome by section 2.1: the higher score wins, then the greater number of pieces, else a draw. Each pair is (black, white).
pub(crate) fn decide(score: (u32, u32), pieces: (usize, usize)) -> Outcome<Team> {
    Outcome::of_order(score.0.cmp(&score.1).then(pieces.0.cmp(&pieces.1)))
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
