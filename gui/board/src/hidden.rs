//! Overlays that the viewer has switched off, by team and by bot.

use std::collections::BTreeSet;

use grandstand_protocol::Overlay;

/// The switched-off overlays.
#[derive(Debug, Clone, Default)]
pub struct Hidden {
    teams: BTreeSet<String>,
    bots: BTreeSet<(String, String)>,
}

impl Hidden {
    /// Nothing is switched off.
    pub const NONE: &Hidden = &Hidden { teams: BTreeSet::new(), bots: BTreeSet::new() };

    /// Whether all overlays of a team are switched off.
    pub fn hides_team(&self, team: &str) -> bool {
        self.teams.contains(team)
    }

    /// Whether this overlay is switched off.
    pub fn hides(&self, overlay: &Overlay) -> bool {
        self.hides_team(&overlay.team)
            || self.bots.contains(&(overlay.team.to_string(), overlay.by.to_string()))
    }

    /// Switches a team's overlays on or off. Its bots keep their own state.
    pub fn set_team(&mut self, team: &str, shown: bool) {
        if shown {
            self.teams.remove(team)
        } else {
            self.teams.insert(team.to_owned())
        };
    }

    /// Switches the overlays of one bot on or off.
    pub fn set_bot(&mut self, overlay: &Overlay, shown: bool) {
        let bot = (overlay.team.to_string(), overlay.by.to_string());
        if shown {
            self.bots.remove(&bot)
        } else {
            self.bots.insert(bot)
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_team_is_hidden_with_all_its_bots_and_a_bot_alone() {
        let overlay = |team: &str, by: &str| Overlay::new(team, by, Vec::new()).expect("an overlay");
        let mut hidden = Hidden::default();
        hidden.set_bot(&overlay("black", "7"), false);
        assert!(hidden.hides(&overlay("black", "7")) && !hidden.hides(&overlay("black", "8")));
        hidden.set_team("black", false);
        assert!(hidden.hides(&overlay("black", "8")) && !hidden.hides(&overlay("white", "8")));
        hidden.set_team("black", true);
        assert!(hidden.hides(&overlay("black", "7")) && !hidden.hides(&overlay("black", "8")));
        hidden.set_bot(&overlay("black", "7"), true);
        assert!(!hidden.hides(&overlay("black", "7")));
    }
}
