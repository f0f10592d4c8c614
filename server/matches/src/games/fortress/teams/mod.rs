//! Shipped teams.

mod field;
#[cfg(test)]
mod mirror;
mod strong;
mod weak;

use self::strong::{Skill, Strong};
use self::weak::{Behaviour, Weak};
use super::team::{Briefing, TeamBot};

/// A shipped team.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShippedTeam {
    /// The strong team.
    Strong,
    /// The sample team.
    Weak,
    /// First step of the ladder: plays like [`Weak`](Self::Weak).
    Sparring1,
    /// Second step: the same, but it looks as far as it shoots, and shoots at the weakest enemy.
    Sparring2,
    /// Third step: the plan of [`Strong`](Self::Strong), slower and with rifles alone.
    Sparring3,
}

/// Names of the shipped teams.
pub const NAMES: [&str; 5] = ["strong", "weak", "sparring-1", "sparring-2", "sparring-3"];

impl ShippedTeam {
    /// The team of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        let teams = [Self::Strong, Self::Weak, Self::Sparring1, Self::Sparring2, Self::Sparring3];
        teams.into_iter().find(|team| team.name() == name)
    }

    /// Name of the team.
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// Creates the team for a match.
    pub fn bot(self, briefing: Briefing) -> Box<dyn TeamBot> {
        match self {
            Self::Strong => Box::new(Strong::new(briefing, Skill::FULL)),
            Self::Sparring3 => Box::new(Strong::new(briefing, Skill::PLAN)),
            Self::Weak | Self::Sparring1 => Box::new(Weak::new(briefing, Behaviour::WEAK)),
            Self::Sparring2 => Box::new(Weak::new(briefing, Behaviour::MARKSMEN)),
        }
    }
}
