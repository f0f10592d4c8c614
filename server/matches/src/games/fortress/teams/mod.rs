//! Shipped teams.

mod field;
#[cfg(test)]
mod mirror;
mod strong;
mod weak;

use super::team::{Briefing, TeamBot};

/// A shipped team.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShippedTeam {
    /// Plays well.
    Strong,
    /// Plays simply.
    Weak,
}

/// The names of the shipped teams.
pub const NAMES: [&str; 2] = ["strong", "weak"];

impl ShippedTeam {
    /// The team of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        [Self::Strong, Self::Weak].into_iter().find(|team| team.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// The team, to play a match.
    pub fn bot(self, briefing: Briefing) -> Box<dyn TeamBot> {
        match self {
            Self::Strong => Box::new(strong::Strong::new(briefing)),
            Self::Weak => Box::new(weak::Weak::new(briefing)),
        }
    }
}
