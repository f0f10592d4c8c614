//! Name of a team in a dialect without fixed teams.

use std::str::FromStr;
use std::sync::Arc;

use serde::Serialize;

use crate::by_text::{ParseError, from_json_by_text, like_str};

/// The name of a team: one word of 1 to 32 characters. A clone shares the characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct TeamName(Arc<str>);

pub(crate) const TEAM_NAME: &str = "a team's name: one word of at most 32 characters";

impl FromStr for TeamName {
    type Err = ParseError;

    fn from_str(name: &str) -> Result<TeamName, ParseError> {
        let length = name.chars().take(33).count();
        if (1..=32).contains(&length) && !name.contains(|c: char| c.is_whitespace() || c.is_control()) {
            Ok(TeamName(name.into()))
        } else {
            Err(ParseError::new(name, "a team's name", TEAM_NAME))
        }
    }
}

like_str!(TeamName);
from_json_by_text!(TeamName);
