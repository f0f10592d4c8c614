//! Reasons why an action of a unit fails.

use grandstand_protocol::fortress::Square;
use thiserror::Error;

use crate::Refusal;

/// The reason why an action of a unit was answered `Failed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Failure {
    /// The match has not begun.
    #[error("the match has not begun")]
    NotBegun,
    /// The match is over, or no unit has the id.
    #[error("the match is over, or there is no such unit")]
    Over,
    /// The unit is destroyed.
    #[error("the unit is destroyed: it can only ask to respawn")]
    Destroyed,
    /// The delay after the unit's last move or turn is not over.
    #[error("it moves or turns again from millisecond {0} on")]
    Moving(u64),
    /// The delay after the unit's last ability is not over.
    #[error("it uses abilities again from millisecond {0} on")]
    Acting(u64),
    /// The ability is still cooling down.
    #[error("this ability cools down until millisecond {0}")]
    Cooling(u64),
    /// The edge of the board or a difference in elevation prevents the step.
    #[error("the board ends there, or the ground is too high or too low for a step")]
    Ground,
    /// The target square is occupied.
    #[error("a unit stands on {0}")]
    Occupied(Square),
    /// The position is not a valid target.
    #[error("it can't aim at its own square, or off the board")]
    Target,
    /// The range of a scan is negative.
    #[error("a range can't be negative")]
    Range,
    /// The position is off the board.
    #[error("this position is off the board")]
    OffBoard,
    /// The unit is not destroyed, so it can't respawn.
    #[error("the unit is not destroyed")]
    Living,
    /// No square is free for a respawn.
    #[error("no square is free to come back to")]
    NoRoom,
}

impl Refusal for Failure {
    fn rule(&self) -> &'static str {
        match self {
            Self::NotBegun => "not-begun",
            Self::Over => "over",
            Self::Destroyed => "destroyed",
            Self::Moving(_) => "moving",
            Self::Acting(_) => "acting",
            Self::Cooling(_) => "cooling",
            Self::Ground => "ground",
            Self::Occupied(_) => "occupied",
            Self::Target => "target",
            Self::Range => "range",
            Self::OffBoard => "off-board",
            Self::Living => "living",
            Self::NoRoom => "no-room",
        }
    }
}
