//! Moves of a turn as they were processed: which chains moved, which could not and why, and who had no move.

use std::fmt;

use grandstand_protocol::abalone::{Facing, Hex, Team};
use thiserror::Error;

use crate::{Pid, Refusal};

/// Why the move of a chain is not legal (section 2.11).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum IllegalMove {
    /// It would leave the board.
    #[error("the board ends there")]
    OffBoard,
    /// A piece of its own team, which is not of the chain, stands before it.
    #[error("a piece of its own team is on {0}")]
    OwnPiece(Hex),
    /// It has no more pieces than it would push.
    #[error("{} against {}", count(*own), count(*enemies))]
    Outnumbered {
        /// Pieces of the chain.
        own: usize,
        /// Enemies in line before it.
        enemies: usize,
    },
    /// It has more pieces, but nothing pushes more than two.
    #[error("{} against {}: a chain pushes two at the most", count(*own), count(*enemies))]
    TooMany {
        /// Pieces of the chain.
        own: usize,
        /// Enemies in line before it.
        enemies: usize,
    },
    /// Behind the enemies that it would push stands a piece of its own team.
    #[error("a piece of its own team is behind the enemy, on {0}")]
    OwnPieceBehind(Hex),
}

impl Refusal for IllegalMove {
    fn rule(&self) -> &'static str {
        match self {
            Self::OffBoard => "off-board",
            Self::OwnPiece(_) => "own-piece",
            Self::Outnumbered { .. } => "outnumbered",
            Self::TooMany { .. } => "too-many",
            Self::OwnPieceBehind(_) => "own-piece-behind",
        }
    }
}

/// The move of a chain as it was processed (sections 2.10 to 2.12).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainMove {
    /// The direction.
    pub facing: Facing,
    /// Its pieces, from the rear to the front, where they stood before.
    pub bots: Vec<(Pid, Hex)>,
    /// How many enemies it pushed, or why it did not move.
    pub result: Result<usize, IllegalMove>,
}

impl fmt::Display for ChainMove {
    /// `E0–E1 R`, rear and front and where to; after a colon, why it did not move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some((_, rear)), Some((_, front))) = (self.bots.first(), self.bots.last()) {
            write!(f, "{rear}")?;
            if front != rear {
                write!(f, "–{front}")?;
            }
        }
        write!(f, " {}", short(self.facing))?;
        match &self.result {
            Err(why) => write!(f, ": {why}"),
            Ok(_) => Ok(()),
        }
    }
}

/// What a team did at the end of its turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnMoves {
    /// The cycle at whose end that was.
    pub cycle: u64,
    /// The turn.
    pub turn: u32,
    /// Who moved.
    pub team: Team,
    /// The chains, in the order in which they were processed.
    pub moves: Vec<ChainMove>,
    /// The bots that had committed no move, by ascending pid, and whether they were blocked by an action that waits.
    pub idle: Vec<(Pid, bool)>,
}

/// The direction as the handout abbreviates it.
fn short(facing: Facing) -> &'static str {
    match facing {
        Facing::None => "nowhere",
        Facing::Right => "R",
        Facing::UpRight => "UR",
        Facing::UpLeft => "UL",
        Facing::Left => "L",
        Facing::DownLeft => "DL",
        Facing::DownRight => "DR",
    }
}

/// A number of pieces in a line, in words.
fn count(pieces: usize) -> &'static str {
    const WORDS: [&str; 10] =
        ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    WORDS[pieces.min(WORDS.len() - 1)]
}
