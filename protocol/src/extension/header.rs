//! Header and result of a match: what is known before it begins and after it ends.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::seat::{Seat, seats};
use crate::color::Color;
use crate::json::at_most;
use crate::text::Label;

/// How many teams a match may have.
pub const TEAMS_MAX: usize = 16;

/// What is known of a match before it begins: the payload of `#gs match {…}`, and the first line of a replay.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchHeader {
    /// What the match is called; may be empty.
    #[serde(default)]
    pub title: Label,
    /// The teams, the one that moves first first; at most [`TEAMS_MAX`].
    #[serde(default, deserialize_with = "teams")]
    pub teams: Vec<TeamInfo>,
    /// When it began, as RFC 3339 writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<Label>,
    /// Every setting in force, as the game names them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Value>,
    /// The seed of everything that is random in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The programs that play.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<Program>,
    /// What drew it, where that is known. What is not of this form is as if it were missing.
    #[serde(default, deserialize_with = "by", skip_serializing_if = "Option::is_none")]
    pub by: Option<By>,
    /// The seats, where it has any. They are of the live match: a recording has none.
    #[serde(default, deserialize_with = "seats", skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<Seat>,
}

/// What drew a match: Grandstand's version, and the versions of what decides how a match goes on.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct By {
    /// Grandstand's version.
    pub grandstand: Label,
    /// The version of the game's rules, with how they are drawn and the players that come with them.
    pub rules: u32,
    /// The version of the language of the game's programs, where it has such.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<u32>,
}

impl By {
    /// Why the same match may be drawn differently by `now`, in words; `None` if nothing that decides it has changed.
    #[must_use]
    pub fn changed(&self, now: &By) -> Option<String> {
        if (self.rules, self.language) == (now.rules, now.language) {
            return None;
        }
        Some(format!("it was drawn by {self}, and this is {now}: what is drawn now may differ"))
    }
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Grandstand {} with version {} of the rules", &*self.grandstand, self.rules)?;
        self.language.map_or(Ok(()), |language| write!(f, " and {language} of the language"))
    }
}

/// A team as the spectator names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TeamInfo {
    /// The team's name.
    pub name: Label,
    /// The team's colour.
    pub color: Color,
}

/// A program that plays for a team.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Program {
    /// The team, by the dialect's name for it (`black`).
    pub team: Label,
    /// The file's name.
    pub file: Label,
    /// The SHA-256 of the source, in hexadecimal.
    pub sha256: Label,
    /// The whole source, with what it included, where it is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// How a match ended: the payload of `#gs result {…}`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchResult {
    /// The team that won, by the dialect's name for it (`black`); `None` (in JSON `null`) when nobody did.
    pub winner: Option<Label>,
    /// Why the match ended: one of the words that its game documents.
    pub termination: Label,
    /// Whatever else the game says of its end.
    #[serde(flatten)]
    pub detail: Map<String, Value>,
}

fn by<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<By>, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(deserializer)?).ok())
}

fn teams<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<TeamInfo>, D::Error> {
    let too_many = |count: usize| format!("a match has at most {TEAMS_MAX} teams, this one has {count}");
    at_most(deserializer, TEAMS_MAX, too_many)
}
