//! Shipped teams.

mod field;
#[cfg(test)]
mod mirror;
mod strong;
mod weak;

use grandstand_protocol::words;

use self::strong::{Skill, Strong};
use self::weak::{Behaviour, Weak};
use super::team::{Briefing, TeamBot};

words! {
    /// A shipped team.
    ShippedTeam {
        /// The strong team.
        Strong = "strong",
        /// The sample team.
        Weak = "weak",
        /// First step of the ladder: plays like [`Weak`](Self::Weak).
        Sparring1 = "sparring-1",
        /// Second step: the same, but it looks as far as it shoots, and shoots at the weakest enemy.
        Sparring2 = "sparring-2",
        /// Third step: the plan of [`Strong`](Self::Strong), slower and with rifles alone.
        Sparring3 = "sparring-3",
    }
}

impl ShippedTeam {
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
