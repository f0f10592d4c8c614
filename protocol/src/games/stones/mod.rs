//! The dialect of games with stones on the points of a square board, in which black moves first: Gomoku and Pente.
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

/// The most points that may be forbidden at a time.
pub const FORBIDDEN_MAX: usize = 1024;

/// One drawing command of a game with stones.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(remote = "Self", tag = "cmd", rename_all = "lowercase")]
pub enum Command {
    /// A new game with an empty board. Clocks, names, talk and overlays stay.
    Board {
        /// The number of columns and rows.
        size: Size,
    },
    /// A point shows a stone without a move number, or becomes empty.
    Set {
        /// The point.
        point: Point,
        /// The stone's team; `None` for an empty point. In JSON the member is mandatory.
        #[serde(deserialize_with = "Option::deserialize")]
        stone: Option<Team>,
    },
    /// A move: a stone with the next move number.
    Move {
        /// The team that moves.
        team: Team,
        /// The stone's point.
        point: Point,
    },
    /// The number of pairs that a team has captured so far.
    Captures {
        /// The capturing team.
        team: Team,
        /// The number of pairs.
        pairs: u32,
    },
    /// The winning row of stones.
    Five {
        /// One end of the row.
        from: Point,
        /// The other end of the row.
        to: Point,
    },
    /// The points that are forbidden to black now. They replace the earlier ones.
    Forbid {
        /// The points, at most [`FORBIDDEN_MAX`].
        #[serde(deserialize_with = "few")]
        points: Arc<[Point]>,
    },
    /// A command common to all turn games: turn, clocks, thoughts, names, outcome, talk.
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
