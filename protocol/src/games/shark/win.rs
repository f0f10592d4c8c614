//! Winner of λ-Shark in the game server's words.

use serde::{Deserialize, Serialize};

use super::Team;
use crate::name::FullName;
use crate::team::{ByTeam, Outcome};

/// The winner: one of the three words of the dialect, or the game server's own words, usually a team's name.
///
/// In JSON one of the three words is the member `winner`, and any other text is the member `text`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Members", into = "Members")]
pub struct Win(FullName);

#[derive(Debug, Serialize, Deserialize)]
struct Members {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    winner: Option<Outcome<Team>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<FullName>,
}

impl Win {
    /// The outcome, if the words are `red`, `blue` or `draw`.
    pub fn verdict(&self) -> Option<Outcome<Team>> {
        self.0.parse().ok()
    }

    /// The words.
    pub fn words(&self) -> &FullName {
        &self.0
    }

    /// The outcome in a match between teams of these names: one of the three words, in any case, or the name of exactly one team.
    pub fn among(&self, names: Option<&ByTeam<Team, FullName>>) -> Option<Outcome<Team>> {
        let word = |verdict: &Outcome<Team>| self.0.eq_ignore_ascii_case(verdict.name());
        if let Some(verdict) =
            [Outcome::Win(Team::Red), Outcome::Win(Team::Blue), Outcome::Draw].into_iter().find(word)
        {
            return Some(verdict);
        }
        // Game servers that can't send blanks write them as `_`.
        let plain = |name: &FullName| name.replace('_', " ");
        let is_name = |team: &Team| names.is_some_and(|names| plain(&names[*team]) == plain(&self.0));
        let mut named = Team::ALL.into_iter().filter(is_name);
        let team = named.next()?;
        named.next().is_none().then_some(Outcome::from(Some(team)))
    }
}

impl From<FullName> for Win {
    fn from(words: FullName) -> Win {
        Win(words)
    }
}

impl From<Outcome<Team>> for Win {
    fn from(verdict: Outcome<Team>) -> Win {
        Win(FullName::word(verdict.name()))
    }
}

impl TryFrom<Members> for Win {
    type Error = &'static str;

    fn try_from(members: Members) -> Result<Win, &'static str> {
        match (members.winner, members.text) {
            (Some(verdict), _) => Ok(verdict.into()),
            (None, Some(words)) => Ok(Win(words)),
            (None, None) => Err("`winner` or `text` is missing"),
        }
    }
}

impl From<Win> for Members {
    fn from(win: Win) -> Members {
        let winner = win.verdict();
        Members { winner, text: winner.is_none().then_some(win.0) }
    }
}
