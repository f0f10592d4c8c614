//! The Abalone dialect: the Abalone handout (CS 312, 2008), section 5.
//!
//! | line | command |
//! | --- | --- |
//! | `bsay TEXT`, `wsay TEXT` | [`Command::Say`] |
//! | `bscore N`, `wscore N` | [`Command::Score`] |
//! | `turns N` | [`Command::Turns`] |
//! | `set POS e` | [`Command::Set`] with no piece |
//! | `set POS b0` … `set POS w6` | [`Command::Set`] with a piece |

mod dialect;
mod hex;
mod piece;
mod scene;
mod text;

use serde::{Deserialize, Serialize};

pub use crate::team::BlackWhite as Team;
pub use hex::Hex;
pub use piece::{Facing, Piece};
pub use scene::Scene;

use crate::text::Text;

/// One drawing command of Abalone.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "cmd", rename_all = "lowercase")]
pub enum Command {
    /// A team says something.
    Say {
        /// The team that speaks.
        team: Team,
        /// The text.
        text: Text,
    },
    /// A team's score becomes `value`.
    Score {
        /// The team.
        team: Team,
        /// The new score.
        value: i32,
    },
    /// The turn number becomes `value`.
    Turns {
        /// The new number.
        value: u32,
    },
    /// A hex becomes empty or shows a piece.
    Set {
        /// The hex.
        hex: Hex,
        /// The piece; `None` is an empty hex. In JSON the member is mandatory.
        #[serde(deserialize_with = "Option::deserialize")]
        piece: Option<Piece>,
    },
}
