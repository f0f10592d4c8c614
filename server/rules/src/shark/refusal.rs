//! Reasons why an action of a robot fails.

use grandstand_protocol::shark::Tile;
use thiserror::Error;

use super::action::Object;
use crate::Refusal;

/// The reason why a robot was answered `R_FAIL` and its action had no effect. A robot that takes a flag, brings one home or rams
/// an enemy also gets `R_FAIL`, because it does not move (section 2.7), but its action had an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Failure {
    /// The robot is at the edge of the board.
    #[error("the board ends there")]
    Edge,
    /// A wall is ahead.
    #[error("a wall is on {0}")]
    Wall(Tile),
    /// A robot of the same team is ahead.
    #[error("a robot of its own team is on {0}")]
    Teammate(Tile),
    /// The robot's own stand is ahead, and it carries no flag.
    #[error("its own stand is on {0}, and it has no flag to bring there")]
    OwnStand(Tile),
    /// The other team's stand is ahead, without its flag.
    #[error("the other team's stand is on {0}, and the flag is not there")]
    NoFlag(Tile),
    /// `A_NEAREST` found nothing.
    #[error("there is no {} on the board", .0.name())]
    NotFound(Object),
}

impl Refusal for Failure {
    fn rule(&self) -> &'static str {
        match self {
            Self::Edge => "off-board",
            Self::Wall(_) => "wall",
            Self::Teammate(_) => "teammate",
            Self::OwnStand(_) => "own-stand",
            Self::NoFlag(_) => "no-flag",
            Self::NotFound(_) => "not-found",
        }
    }
}
