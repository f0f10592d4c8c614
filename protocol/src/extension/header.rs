//! Header and result of a match.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::seat::{Seat, seats};
use super::setup::{Setting, setup};
use crate::color::Color;
use crate::json::at_most;
use crate::text::Label;

/// The most teams that a match may have.
pub const TEAMS_MAX: usize = 16;

/// The match's data that is known before it begins: the payload of `#gs match {…}`, and the first line of a replay.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchHeader {
    /// The title of the match; may be empty.
    #[serde(default)]
    pub title: Label,
    /// The event that the match belongs to, such as a tournament, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<Label>,
    /// The round of the event: `3`, `Final`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<Label>,
    /// The teams in order of play, at most [`TEAMS_MAX`].
    #[serde(default, deserialize_with = "teams")]
    pub teams: Vec<TeamInfo>,
    /// The start time as RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<Label>,
    /// Every setting in force, by the game's names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Value>,
    /// The seed of all randomness in the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The programs of the teams.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<Program>,
    /// The software that drew the match, if known. A value of another form is treated as missing.
    #[serde(default, deserialize_with = "by", skip_serializing_if = "Option::is_none")]
    pub by: Option<Software>,
    /// The seats, if there are any. Only a live match has them: a recording has none.
    #[serde(default, deserialize_with = "seats", skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<Seat>,
    /// The settings that who has a seat may choose for another match, if any. Only a live match has them.
    #[serde(default, deserialize_with = "setup", skip_serializing_if = "Vec::is_empty")]
    pub setup: Vec<Setting>,
}

/// The software that drew a match: Grandstand's version, and the versions of everything that decides the course of a match.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Software {
    /// Grandstand's version.
    pub grandstand: Label,
    /// The version of the game's rules, including their drawing and the built-in players.
    pub rules: u32,
    /// The version of the programs' language, for games with programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<u32>,
}

impl Software {
    /// The reason, in words, why `now` may draw the same match differently; `None` if the deciding versions are equal.
    pub fn changed(&self, now: &Software) -> Option<String> {
        if (self.rules, self.language) == (now.rules, now.language) {
            return None;
        }
        Some(format!("it was drawn by {self}, and this is {now}: what is drawn now may differ"))
    }
}

impl fmt::Display for Software {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Grandstand {} with version {} of the rules", &*self.grandstand, self.rules)?;
        self.language.map_or(Ok(()), |language| write!(f, " and {language} of the language"))
    }
}

/// A team as the spectator presents it.
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
    /// The name of the file.
    pub file: Label,
    /// The SHA-256 of the source, in hexadecimal.
    pub sha256: Label,
    /// The whole source including its includes, if it is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// The end of a match: the payload of `#gs result {…}`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchResult {
    /// The team that won, by the dialect's name for it (`black`); `None` (in JSON `null`) for a match without a winner.
    pub winner: Option<Label>,
    /// The reason for the end: one of the words that the game documents.
    pub termination: Label,
    /// Further details of the result, as the game defines them.
    #[serde(flatten)]
    pub detail: Map<String, Value>,
}

fn by<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Software>, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(deserializer)?).ok())
}

fn teams<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<TeamInfo>, D::Error> {
    let too_many = |count: usize| format!("a match has at most {TEAMS_MAX} teams, this one has {count}");
    at_most(deserializer, TEAMS_MAX, too_many)
}
