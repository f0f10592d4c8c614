//! Headers of matches: what all games write into them, and what is read from them to play a match again.

use grandstand_protocol::{By, Game, MatchHeader, Program, TeamInfo};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::bundle::BundleError;
use crate::settings::SettingsError;
use crate::spec::Side;

/// The name under which a header's rules say how time passes: `real` or `virtual`.
const CLOCK: &str = "CLOCK";
const VIRTUAL: &str = "virtual";

/// Why a match can't be set up again from its header.
#[derive(Debug, Error)]
pub enum HeaderError {
    /// The header does not say this.
    #[error("the header does not tell the match's {0}")]
    Missing(&'static str),
    /// The settings are wrong.
    #[error("the match's rules: {0}")]
    Settings(#[from] SettingsError),
    /// A program is damaged.
    #[error("the program of {team}: {source}")]
    Program {
        /// Whose.
        team: &'static str,
        /// What is wrong with it.
        source: BundleError,
    },
    /// It had a clock of its own.
    #[error("it was played in real time: only the file of its inputs repeats it")]
    Inputs,
    /// Nobody knows its rules here.
    #[error("no rules are known for the game {0}")]
    Rules(Game),
}

/// The header of a match between players of these names, without seed, programs and start.
pub fn header(sides: [Side; 2], names: [&str; 2], rules: Map<String, Value>, by: Option<By>) -> MatchHeader {
    let teams = sides.iter().zip(names);
    MatchHeader {
        title: format!("{} – {}", names[0], names[1]).into(),
        teams: teams.map(|(side, name)| TeamInfo { name: name.into(), color: side.color }).collect(),
        rules: Some(Value::Object(rules)),
        by,
        ..MatchHeader::default()
    }
}

/// Adds how time passes.
pub fn set_clock(rules: &mut Map<String, Value>, real: bool) {
    rules.insert(CLOCK.to_owned(), if real { "real" } else { VIRTUAL }.into());
}

/// Takes out how time passes: whether in real time, which is also assumed where nothing is said.
pub fn take_clock(rules: &mut Map<String, Value>) -> bool {
    rules.remove(CLOCK).is_none_or(|clock| clock != VIRTUAL)
}

/// The rules of a match in virtual time, without how time passes.
///
/// # Errors
/// If the header has no rules, or the match was played in real time.
pub fn virtual_rules(header: &MatchHeader) -> Result<Map<String, Value>, HeaderError> {
    let Some(Value::Object(mut rules)) = header.rules.clone() else {
        return Err(HeaderError::Missing("rules"));
    };
    if take_clock(&mut rules) { Err(HeaderError::Inputs) } else { Ok(rules) }
}

/// The seed.
///
/// # Errors
/// If the header has none.
pub fn seed(header: &MatchHeader) -> Result<u64, HeaderError> {
    header.seed.ok_or(HeaderError::Missing("seed"))
}

/// The entry of who played a team.
///
/// # Errors
/// If the header has none.
pub fn player_of<'a>(header: &'a MatchHeader, team: &str) -> Result<&'a Program, HeaderError> {
    let found = header.programs.iter().find(|program| &*program.team == team);
    found.ok_or(HeaderError::Missing("programs"))
}
