//! Pieces and their facings.

use serde::{Deserialize, Serialize};

use super::Team;
use crate::words;

words! {
    /// The direction in which a piece is about to move; the numbers are those of the Abalone handout, section 5.
    #[derive(Default)]
    Facing {
        /// 0: no move is committed.
        #[default]
        None = "none",
        /// 1: (r, d+1).
        Right = "right",
        /// 2: (r+1, d+1).
        UpRight = "up-right",
        /// 3: (r+1, d).
        UpLeft = "up-left",
        /// 4: (r, d−1).
        Left = "left",
        /// 5: (r−1, d−1).
        DownLeft = "down-left",
        /// 6: (r−1, d).
        DownRight = "down-right",
    }
}

impl Facing {
    /// The six directions, counter-clockwise from right.
    pub const DIRECTIONS: [Facing; 6] =
        [Facing::Right, Facing::UpRight, Facing::UpLeft, Facing::Left, Facing::DownLeft, Facing::DownRight];

    /// The facing's number, 0 to 6.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// The facing with that number; `None` above 6.
    pub fn from_number(number: u8) -> Option<Facing> {
        Facing::ALL.get(usize::from(number)).copied()
    }

    /// The change of row and diagonal with one step in this direction; (0, 0) for [`Facing::None`].
    pub fn step(self) -> (i8, i8) {
        match self {
            Facing::None => (0, 0),
            Facing::Right => (0, 1),
            Facing::UpRight => (1, 1),
            Facing::UpLeft => (1, 0),
            Facing::Left => (0, -1),
            Facing::DownLeft => (-1, -1),
            Facing::DownRight => (-1, 0),
        }
    }

    /// The opposite direction; [`Facing::None`] is its own opposite.
    #[must_use]
    pub fn opposite(self) -> Facing {
        match self {
            Facing::None => Facing::None,
            Facing::Right => Facing::Left,
            Facing::UpRight => Facing::DownLeft,
            Facing::UpLeft => Facing::DownRight,
            Facing::Left => Facing::Right,
            Facing::DownLeft => Facing::UpRight,
            Facing::DownRight => Facing::UpLeft,
        }
    }
}

/// A piece as a hex shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Piece {
    /// The piece's team.
    pub team: Team,
    /// The direction of the committed move.
    pub facing: Facing,
}
