//! Results of the moves of a turn: the chains that moved, those that could not and why, and the bots without a move.

use std::fmt;

use grandstand_protocol::abalone::{Facing, Hex, Team};
use thiserror::Error;

use crate::{Pid, Refusal};

/// The reason why the move of a chain is illegal (section 2.11).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum IllegalMove {
    /// The chain would leave the board.
    #[error("the board ends there")]
    OffBoard,
    /// A piece of the chain's own team, which does not belong to the chain, is in front of it.
    #[error("a piece of its own team is on {}", .0.label())]
    OwnPiece(Hex),
    /// The chain does not have more pieces than it would push.
    #[error("{} against {}", count(*own), count(*enemies))]
    Outnumbered {
        /// The number of pieces of the chain.
        own: usize,
        /// The number of enemies in line in front of it.
        enemies: usize,
    },
    /// The chain has more pieces than the enemy, but no chain may push more than two.
    #[error("{} against {}: a chain pushes two at the most", count(*own), count(*enemies))]
    TooMany {
        /// The number of pieces of the chain.
        own: usize,
        /// The number of enemies in line in front of it.
        enemies: usize,
    },
    /// A piece of the chain's own team is behind the enemies that it would push.
    #[error("a piece of its own team is behind the enemy, on {}", .0.label())]
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

/// The processed move of a chain (sections 2.10 to 2.12).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainMove {
    /// The direction.
    pub facing: Facing,
    /// The chain's pieces, from the rear to the front, with their hexes before the move.
    pub bots: Vec<(Pid, Hex)>,
    /// The number of enemies pushed, or the reason why the chain did not move.
    pub result: Result<usize, IllegalMove>,
}

impl ChainMove {
    /// Rear, front and direction in the notation of the wire: `E~1–E0 R`.
    pub fn on_wire(&self) -> String {
        self.path(|hex| hex.to_string())
    }

    fn path(&self, name: impl Fn(Hex) -> String) -> String {
        let ends = match (self.bots.first(), self.bots.last()) {
            (Some((_, rear)), Some((_, front))) if front != rear => {
                format!("{}–{}", name(*rear), name(*front))
            }
            (Some((_, rear)), _) => name(*rear),
            (None, _) => String::new(),
        };
        format!("{ends} {}", short(self.facing))
    }
}

impl fmt::Display for ChainMove {
    /// Writes `E−1–E0 R`, in the board's notation: rear, front and direction; after a colon, the reason why the chain did not
    /// move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path(Hex::label))?;
        match &self.result {
            Err(why) => write!(f, ": {why}"),
            Ok(_) => Ok(()),
        }
    }
}

/// The moves of a team at the end of its turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnMoves {
    /// The cycle at whose end the moves were processed.
    pub cycle: u64,
    /// The number of the turn.
    pub turn: u32,
    /// The team that moved.
    pub team: Team,
    /// The chains, in the order of processing.
    pub moves: Vec<ChainMove>,
    /// The bots without a committed move, by ascending pid, each with whether it was blocked by a waiting action.
    pub idle: Vec<(Pid, bool)>,
}

/// The handout's abbreviation of a direction.
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

/// A number of pieces in words.
fn count(pieces: usize) -> &'static str {
    const WORDS: [&str; 10] =
        ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    WORDS[pieces.min(WORDS.len() - 1)]
}
