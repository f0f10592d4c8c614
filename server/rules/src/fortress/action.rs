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
    /// A side of a unit, as it sees it.
    Hand {
        /// The left one.
        Left = "left",
        /// The right one.
        Right = "right",
    }
}

impl Hand {
    /// The direction on this hand of who looks in the direction.
    pub fn of(self, facing: Direction) -> Direction {
        match self {
            Self::Left => facing.left(),
            Self::Right => facing.right(),
        }
    }
}

/// A position that somebody names; it may be off the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// How far to the east of the middle.
    pub x: i64,
    /// How far to the north of the middle.
    pub y: i64,
}

impl Position {
    /// The square there, when there is one.
    pub fn place(self) -> Option<Square> {
        Square::new(self.x, self.y)
    }
}

impl From<Square> for Position {
    fn from(place: Square) -> Self {
        Self { x: place.x().into(), y: place.y().into() }
    }
}

/// One of the ten actions, with its arguments, which may be absurd.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// A step ahead, or to the side.
    Move(Option<Hand>),
    /// A quarter turn.
    Turn(Hand),
    /// The primary ability, aimed at a position; an ability that is not aimed at a square takes no notice of it.
    PrimaryAbility(Position),
    /// The secondary ability, the same way.
    SecondaryAbility(Position),
    /// Who stands within so many squares.
    Scan(i64),
    /// What is to be found at a position.
    Inspect(Position),
    /// Where the unit stands, where it looks, and its health.
    MyStatus,
    /// The remaining time, and who controls what.
    GameStatus,
    /// The unit, which is destroyed, wants to come back as such a one.
    Respawn(UnitClass),
    /// A message for the chat.
    Talk(String),
}

/// Somebody whom a unit sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sighting {
    /// What it is.
    pub class: UnitClass,
    /// Its health.
    pub health: i32,
    /// Where it stands.
    #[serde(rename = "position", with = "pair")]
    pub at: Square,
    /// Whether it is of the asking unit's own team.
    pub ally: bool,
}

/// A control point as a unit is told of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PointStatus {
    /// Where it is.
    #[serde(rename = "position", with = "pair")]
    pub at: Square,
    /// Its number.
    pub point: u8,
    /// Whether the asking unit's own team controls it; `None` when nobody does.
    pub ours: Option<bool>,
}

/// What the world answers to an [`Action`]; in JSON an object with the variant as its `type`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum ActionResult {
    /// It was done.
    Success,
    /// It was not done, and nothing has changed.
    Failed,
    /// To `Scan`.
    ScanData {
        /// The nearest first, of equally near ones the lower id.
        units: Vec<Sighting>,
    },
    /// To `Inspect`.
    InspectData {
        /// How high the square lies.
        elevation: Elevation,
        /// Who stands there.
        unit: Option<Sighting>,
        /// The control point there.
        point: Option<PointStatus>,
    },
    /// To `MyStatus`.
    MyData {
        /// Where the unit stands; where it fell when it is destroyed.
        #[serde(rename = "position", with = "pair")]
        at: Square,
        /// Its health; 0 when it is destroyed.
        health: i32,
        /// Where it looks.
        facing: Direction,
    },
    /// To `GameStatus`.
    GameData {
        /// Milliseconds until the time limit.
        remaining: u64,
        /// The control points, by number.
        points: Vec<PointStatus>,
    },
}

/// What [`World::act`](super::World::act) says of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// The answer.
    Now(ActionResult),
    /// The answer comes among those of [`World::drain_answers`](super::World::drain_answers): a unit that respawns is
    /// answered when it stands again.
    Later,
}

/// An answer that an action had to wait for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// When it was given.
    pub millis: u64,
    /// To whom.
    pub unit: UnitId,
    /// What it says.
    pub result: ActionResult,
}
