//! The dialect of games that are played with stones on the points of a square board, black first: Gomoku and Pente.
//!
//! | line | command |
//! | --- | --- |
//! | `board SIZE` | [`Command::Board`]: an odd size from 5 to 999 |
//! | `set POINT b`, `set POINT w`, `set POINT e` | [`Command::Set`] |
//! | `move TEAM POINT` | [`Command::Move`] |
//! | `captures TEAM N` | [`Command::Captures`] |
//! | `five POINT POINT` | [`Command::Five`] |
//! | `forbid POINT…` | [`Command::Forbid`] |
//!
//! and the lines of [`crate::turn`], with the teams `black` and `white` and points as moves.

mod dialect;
mod point;
mod scene;
mod text;

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use crate::name::FullName;
pub use crate::team::BlackWhite as Team;
pub use point::{Point, Size, SizeError};
pub use scene::{Scene, Stone};

use crate::json::at_most;
use crate::turn;

/// A command that all turn games have.
pub type Common = turn::Command<Team, Point>;

/// How many points may be forbidden at a time.
pub const FORBIDDEN_MAX: usize = 1024;

/// One drawing command of a game with stones.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(remote = "Self", tag = "cmd", rename_all = "lowercase")]
pub enum Command {
    /// An empty board: a new game. Clocks, names, talk and overlays stay.
    Board {
        /// How many columns and rows it has.
        size: Size,
    },
    /// What stands on a point, without a number.
    Set {
        /// Which point.
        point: Point,
        /// Whose stone stands there; `None` when none does (any more). In JSON the member must be there.
        #[serde(deserialize_with = "Option::deserialize")]
        stone: Option<Team>,
    },
    /// A stone with the next number.
    Move {
        /// Whose stone it is.
        team: Team,
        /// Where it is put.
        point: Point,
    },
    /// How many pairs a team has captured by now.
    Captures {
        /// Which team.
        team: Team,
        /// So many pairs.
        pairs: u32,
    },
    /// The row of stones that has won.
    Five {
        /// Its one end.
        from: Point,
        /// Its other end.
        to: Point,
    },
    /// The points where black may not put a stone now, in place of those before.
    Forbid {
        /// At most [`FORBIDDEN_MAX`].
        #[serde(deserialize_with = "few")]
        points: Arc<[Point]>,
    },
    /// What is beside the board, as in all turn games.
    #[serde(skip)]
    Common(Common),
}

impl Serialize for Command {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Command::Common(common) => common.serialize(serializer),
            own => Command::serialize(own, serializer),
        }
    }
}

fn few<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<[Point]>, D::Error> {
    let too_many = |count: usize| format!("{count} forbidden points: expected at most {FORBIDDEN_MAX}");
    let points: Vec<Point> = at_most(deserializer, FORBIDDEN_MAX, too_many)?;
    Ok(points.into())
}
