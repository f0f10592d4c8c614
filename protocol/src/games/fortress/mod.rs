//! The Steam Fortress dialect: the graphics commands of the Steam Fortress handout (CS 3110, 2010), section 5.4, and
//! Grandstand's additions for a better picture.
//!
//! | line | command |
//! | --- | --- |
//! | `init` | [`Command::Init`] |
//! | `say TEAM TEXT` | [`Command::Say`] |
//! | `elevation X Y low\|ramp\|high` | [`Command::Elevation`] |
//! | `spawn ID TEAM X Y DIR HEALTH CLASS` | [`Command::Spawn`] |
//! | `update ID X Y DIR HEALTH` | [`Command::Update`] |
//! | `remove ID` | [`Command::Remove`] |
//! | `point N X Y red\|blue\|none` | [`Command::Point`] |
//! | `control N red\|blue\|none` | [`Command::Control`] |
//! | `over red\|blue\|draw` | [`Command::Over`] |
//! | `shot ID WEAPON X Y TX TY` | [`Command::Shot`]; an addition, as those below |
//! | `cone ID DIR`, `axe ID DIR` | [`Command::Cone`], [`Command::Axe`] |
//! | `hit BY ON AMOUNT` | [`Command::Hit`] |
//! | `capture N TEAM MILLIS`, `capture N none 0` | [`Command::Capture`] |
//! | `time MILLIS` | [`Command::Time`] |

mod dialect;
mod scene;
mod square;
mod terrain;
mod text;
mod vocabulary;

use serde::{Deserialize, Deserializer, Serialize};

pub use crate::team::RedBlue as Team;
pub use scene::{
    Capture, ControlPoint, EFFECTS_MAX, Effect, EffectKind, Fallen, HITS_MAX, Hit, Scene, UNITS_MAX, Unit,
};
pub use square::{Square, pair};
pub use terrain::Terrain;
pub use vocabulary::{Direction, Elevation, UnitClass, Weapon};

use crate::team::Outcome;
use crate::text::Text;

/// The number of control points; they are numbered from 0.
pub const POINTS: u8 = 5;

/// One drawing command of Steam Fortress.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "cmd", rename_all = "lowercase")]
pub enum Command {
    /// The board becomes low ground everywhere, without units or control points. Talk stays.
    Init,
    /// A team says something.
    Say {
        /// The team that speaks.
        team: Team,
        /// The text.
        text: Text,
    },
    /// The elevation of a square.
    Elevation {
        /// The square.
        #[serde(flatten)]
        at: Square,
        /// The square's elevation.
        elevation: Elevation,
    },
    /// A unit appears or returns.
    Spawn {
        /// The unit's number, unique in the match.
        id: u32,
        /// The unit's team.
        team: Team,
        /// The unit's square.
        #[serde(flatten)]
        at: Square,
        /// The unit's direction.
        facing: Direction,
        /// The unit's health, which is also taken as its maximum.
        health: i32,
        /// The unit's class.
        class: UnitClass,
    },
    /// A unit on the board changes its square, direction or health.
    Update {
        /// The unit's number.
        id: u32,
        /// The unit's square.
        #[serde(flatten)]
        at: Square,
        /// The unit's direction.
        facing: Direction,
        /// The unit's health.
        health: i32,
    },
    /// A unit is destroyed.
    Remove {
        /// The unit's number.
        id: u32,
    },
    /// A control point stands on the board.
    Point {
        /// The control point's number, below [`POINTS`].
        #[serde(deserialize_with = "number")]
        point: u8,
        /// The control point's square.
        #[serde(flatten)]
        at: Square,
        /// The team that controls the point; `None` for a neutral point. In JSON the member is mandatory.
        #[serde(deserialize_with = "Option::deserialize")]
        owner: Option<Team>,
    },
    /// A control point changes hands.
    Control {
        /// The control point's number, below [`POINTS`].
        #[serde(deserialize_with = "number")]
        point: u8,
        /// The team that now controls the point; `None` for a neutral point. In JSON the member is mandatory.
        #[serde(deserialize_with = "Option::deserialize")]
        owner: Option<Team>,
    },
    /// The match is over.
    Over {
        /// The outcome of the match.
        winner: Outcome<Team>,
    },
    /// A unit fired a shot.
    Shot {
        /// The number of the unit that fired.
        id: u32,
        /// The weapon.
        weapon: Weapon,
        /// The square where the shot stopped.
        #[serde(with = "square::pair")]
        stop: Square,
        /// The square that was aimed at.
        #[serde(with = "square::pair")]
        target: Square,
    },
    /// A unit's thrower filled the cone in front of the unit.
    Cone {
        /// The unit's number.
        id: u32,
        /// The direction of the cone.
        facing: Direction,
    },
    /// A unit struck with its axe.
    Axe {
        /// The unit's number.
        id: u32,
        /// The direction of the stroke.
        facing: Direction,
    },
    /// A unit changed the health of another unit or, with its rocket, of itself.
    Hit {
        /// The number of the unit that hit.
        by: u32,
        /// The number of the unit that was hit.
        on: u32,
        /// The lost health; negative for a gain.
        amount: i32,
    },
    /// A team is about to change the state of a control point.
    Capture {
        /// The point's number, below [`POINTS`].
        #[serde(deserialize_with = "number")]
        point: u8,
        /// The capturing team; `None` when the capture is complete or was broken off. In JSON the member is mandatory.
        #[serde(deserialize_with = "Option::deserialize")]
        team: Option<Team>,
        /// Milliseconds until the point's state changes; the first command of a capture contains its whole duration.
        millis: u32,
    },
    /// The remaining time of the match.
    Time {
        /// The remaining time in milliseconds.
        millis: u32,
    },
}

/// Deserializes the number of a control point.
fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    let number = u8::deserialize(deserializer)?;
    if number < POINTS { Ok(number) } else { Err(not_a_point(number)) }
}

fn not_a_point<E: serde::de::Error>(number: u8) -> E {
    E::custom(format_args!("{number} is not a control point: expected 0 to {}", POINTS - 1))
}
