//! Actions of a unit, and the answers of the world (section 3.4).

use grandstand_protocol::fortress::{Direction, Elevation, Square, UnitClass, pair};
use grandstand_protocol::words;
use serde::{Deserialize, Serialize};

/// The number of a unit: unique in a match, and kept when the unit comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId(pub u32);

impl std::fmt::Display for UnitId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

words! {
    /// A side of a unit, from its own view.
    Hand {
        /// The left one.
        Left = "left",
        /// The right one.
        Right = "right",
    }
}

impl Hand {
    /// The direction on this side of a unit that looks in direction `facing`.
    pub fn of(self, facing: Direction) -> Direction {
        match self {
            Self::Left => facing.left(),
            Self::Right => facing.right(),
        }
    }
}

/// A position in a request; it may be off the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// The distance to the east of the middle.
    pub x: i64,
    /// The distance to the north of the middle.
    pub y: i64,
}

impl Position {
    /// The square at this position; `None` off the board.
    pub fn place(self) -> Option<Square> {
        Square::new(self.x, self.y)
    }
}

impl From<Square> for Position {
    fn from(place: Square) -> Self {
        Self { x: place.x().into(), y: place.y().into() }
    }
}

/// One of the ten actions, with unchecked arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// A step ahead, or to the side.
    Move(Option<Hand>),
    /// A quarter turn.
    Turn(Hand),
    /// The primary ability, aimed at a position; an ability that is not aimed at a square ignores it.
    PrimaryAbility(Position),
    /// The secondary ability, the same way.
    SecondaryAbility(Position),
    /// A scan of the units within so many squares.
    Scan(i64),
    /// An inspection of a position.
    Inspect(Position),
    /// The unit's own position, direction and health.
    MyStatus,
    /// The remaining time, and the owners of the control points.
    GameStatus,
    /// A destroyed unit's request to respawn with this class.
    Respawn(UnitClass),
    /// A message for the chat.
    Talk(String),
}

/// A unit that another unit sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sighting {
    /// The unit's class.
    pub class: UnitClass,
    /// The unit's health.
    pub health: i32,
    /// The unit's square.
    #[serde(rename = "position", with = "pair")]
    pub at: Square,
    /// Whether the unit belongs to the asking unit's team.
    pub ally: bool,
}

/// A control point, as reported to a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PointStatus {
    /// The point's square.
    #[serde(rename = "position", with = "pair")]
    pub at: Square,
    /// The point's number.
    pub point: u8,
    /// Whether the asking unit's own team controls the point; `None` for a neutral point.
    pub ours: Option<bool>,
}

/// The world's answer to an [`Action`]; in JSON an object with the variant as its `type`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum ActionResult {
    /// The action was performed.
    Success,
    /// The action was not performed, and nothing has changed.
    Failed,
    /// The answer to `Scan`.
    ScanData {
        /// The units, nearest first; of equally near ones the lower id first.
        units: Vec<Sighting>,
    },
    /// The answer to `Inspect`.
    InspectData {
        /// The square's elevation.
        elevation: Elevation,
        /// The unit on the square.
        unit: Option<Sighting>,
        /// The control point on the square.
        point: Option<PointStatus>,
    },
    /// The answer to `MyStatus`.
    MyData {
        /// The unit's square; for a destroyed unit, the square where it fell.
        #[serde(rename = "position", with = "pair")]
        at: Square,
        /// The unit's health; 0 for a destroyed unit.
        health: i32,
        /// The unit's direction.
        facing: Direction,
    },
    /// The answer to `GameStatus`.
    GameData {
        /// Milliseconds until the time limit.
        remaining: u64,
        /// The control points, in order of their numbers.
        points: Vec<PointStatus>,
    },
}

/// The result of [`World::act`](super::World::act).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// The answer.
    Now(ActionResult),
    /// The answer comes later from [`World::drain_answers`](super::World::drain_answers): a respawning unit gets its answer
    /// when it is back on the board.
    Later,
}

/// A delayed answer to an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The time of the answer, in milliseconds.
    pub millis: u64,
    /// The unit that gets the answer.
    pub unit: UnitId,
    /// The answer.
    pub result: ActionResult,
}
