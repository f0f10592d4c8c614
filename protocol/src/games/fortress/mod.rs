//! The Steam Fortress dialect: the graphics commands of the Steam Fortress handout (CS 3110, 2010), section 5.4, and what
//! a good picture needs besides.
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
//! | `shot ID WEAPON X Y TX TY` | [`Command::Shot`]; ours, as those below |
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

/// How many control points there are: they are numbered from 0.
pub const POINTS: u8 = 5;

/// One drawing command of Steam Fortress.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "cmd", rename_all = "lowercase")]
pub enum Command {
    /// The board is low ground all over, with no units and no control points. Talk stays.
    Init,
    /// A team says something.
    Say {
        /// Who.
        team: Team,
        /// What.
        text: Text,
    },
    /// How high a square lies.
    Elevation {
        /// Which square.
        #[serde(flatten)]
        at: Square,
        /// How high.
        elevation: Elevation,
    },
    /// A unit appears, or comes back.
    Spawn {
        /// Its number, unique in the match.
        id: u32,
        /// Whose it is.
        team: Team,
        /// Where it stands.
        #[serde(flatten)]
        at: Square,
        /// Where it looks.
        facing: Direction,
        /// Its health, which is taken for the most that it may have.
        health: i32,
        /// What it is.
        class: UnitClass,
    },
    /// A unit on the board is elsewhere, looks elsewhere, or is in another state of health.
    Update {
        /// Which unit.
        id: u32,
        /// Where it stands.
        #[serde(flatten)]
        at: Square,
        /// Where it looks.
        facing: Direction,
        /// Its health.
        health: i32,
    },
    /// A unit is destroyed.
    Remove {
        /// Which unit.
        id: u32,
    },
    /// A control point stands on the board.
    Point {
        /// Its number, below [`POINTS`].
        #[serde(deserialize_with = "number")]
        point: u8,
        /// Where it is.
        #[serde(flatten)]
        at: Square,
        /// Who controls it; `None` when nobody does. In JSON the member must be there.
        #[serde(deserialize_with = "Option::deserialize")]
        owner: Option<Team>,
    },
    /// A control point has changed hands.
    Control {
        /// Its number, below [`POINTS`].
        #[serde(deserialize_with = "number")]
        point: u8,
        /// Who controls it now; `None` when nobody does. In JSON the member must be there.
        #[serde(deserialize_with = "Option::deserialize")]
        owner: Option<Team>,
    },
    /// The match is over.
    Over {
        /// Who has won.
        winner: Outcome<Team>,
    },
    /// Something flew from a unit.
    Shot {
        /// Whose shot it is.
        id: u32,
        /// With what.
        weapon: Weapon,
        /// Where it stopped.
        #[serde(with = "square::pair")]
        stop: Square,
        /// What was aimed at.
        #[serde(with = "square::pair")]
        target: Square,
    },
    /// A unit's thrower filled the cone before it.
    Cone {
        /// Which unit.
        id: u32,
        /// Where the cone points.
        facing: Direction,
    },
    /// A unit struck with its axe.
    Axe {
        /// Which unit.
        id: u32,
        /// Where it struck.
        facing: Direction,
    },
    /// A unit changed the health of a unit: of another, or, with its rocket, of itself.
    Hit {
        /// Who did it.
        by: u32,
        /// Who felt it.
        on: u32,
        /// How much health was lost; negative when it was gained.
        amount: i32,
    },
    /// A team is about to change the state of a control point.
    Capture {
        /// The point's number, below [`POINTS`].
        #[serde(deserialize_with = "number")]
        point: u8,
        /// Which team; `None` when the capture is over, done or broken off. In JSON the member must be there.
        #[serde(deserialize_with = "Option::deserialize")]
        team: Option<Team>,
        /// Milliseconds until the point's state changes; the first of a capture says how long it takes in all.
        millis: u32,
    },
    /// What remains of the match.
    Time {
        /// In milliseconds.
        millis: u32,
    },
}

/// Reads the number of a control point.
fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    let number = u8::deserialize(deserializer)?;
    if number < POINTS { Ok(number) } else { Err(not_a_point(number)) }
}

fn not_a_point<E: serde::de::Error>(number: u8) -> E {
    E::custom(format_args!("{number} is not a control point: expected 0 to {}", POINTS - 1))
}
