//! Reasons why an action or a spawn has no effect.

use thiserror::Error;

use crate::{Pid, Refusal};

/// The reason why an action has no effect and no answer. It is never a program's fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ActError {
    /// The pid has no robot on the board.
    #[error("pid {0} has no robot")]
    NoBot(Pid),
    /// The robot has already acted in this step, or waits.
    #[error("the robot of pid {0} does nothing before step {1}")]
    Waits(Pid, u64),
    /// The match is over.
    #[error("the match is over")]
    Over,
}

/// The reason why a spawn fails (section 2.10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SpawnError {
    /// Every spawn point of the team is taken.
    #[error("no spawn point of the team is empty")]
    NoRoom,
    /// The team has fewer credits than the spawn costs.
    #[error("a spawn costs {cost} credits, the team has {credits}")]
    NoCredits {
        /// The cost of the spawn.
        cost: u32,
        /// The team's credits.
        credits: u32,
    },
    /// The child has a robot already.
    #[error("pid {0} has a robot already")]
    NotNew(Pid),
    /// The parent can't act.
    #[error(transparent)]
    Parent(#[from] ActError),
}

impl Refusal for SpawnError {
    fn rule(&self) -> &'static str {
        match self {
            Self::NoRoom => "no-room",
            Self::NoCredits { .. } => "no-credits",
            Self::NotNew(_) | Self::Parent(_) => "over",
        }
    }
}
