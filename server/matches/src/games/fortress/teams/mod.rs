//! The teams that are shipped.

mod field;
#[cfg(test)]
mod mirror;
mod strong;
mod weak;

use super::team::{Briefing, TeamBot};

/// The names of the shipped teams.
pub const NAMES: [&str; 2] = ["strong", "weak"];

/// Makes the shipped team of that name.
pub fn team(name: &str, briefing: Briefing) -> Option<Box<dyn TeamBot>> {
    match name {
        "strong" => Some(Box::new(strong::Strong::new(briefing))),
        "weak" => Some(Box::new(weak::Weak::new(briefing))),
        _ => None,
    }
}
