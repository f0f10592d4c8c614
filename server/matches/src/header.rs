//! Headers of matches: the fields that all games write, and those from which a match is played again.

use grandstand_protocol::{Game, MatchHeader, Program, Software, TeamInfo};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::bundle::BundleError;
use crate::settings::SettingsError;
use crate::spec::Side;

/// Name of the header's rule that tells how time passes: `real` or `virtual`.
const CLOCK: &str = "CLOCK";
const VIRTUAL: &str = "virtual";

/// Reason for which a match can't be set up again from its header.
#[derive(Debug, Error)]
pub enum HeaderError {
    /// The header lacks this.
    #[error("the header does not tell the match's {0}")]
    Missing(&'static str),
    /// The settings in the header are wrong.
    #[error("the match's rules: {0}")]
    Settings(#[from] SettingsError),
    /// A program in the header is damaged.
    #[error("the program of {team}: {source}")]
    Program {
        /// Team of the program.
        team: &'static str,
        /// The damage.
        source: BundleError,
    },
    /// The match was played in real time.
    #[error("it was played in real time: only the file of its inputs repeats it")]
    Inputs,
    /// The rules of this game are unknown here.
    #[error("no rules are known for the game {0}")]
    Rules(Game),
}

/// The header of a match between players of these names, without seed, programs and start.
pub fn header(
    sides: [Side; 2],
    names: [&str; 2],
    rules: Map<String, Value>,
    by: Option<Software>,
) -> MatchHeader {
    let teams = sides.iter().zip(names);
    MatchHeader {
        title: format!("{} – {}", names[0], names[1]).into(),
        teams: teams.map(|(side, name)| TeamInfo { name: name.into(), color: side.color }).collect(),
        rules: Some(Value::Object(rules)),
        by,
        ..MatchHeader::default()
    }
}

/// Adds the rule that tells how time passes.
pub fn set_clock(rules: &mut Map<String, Value>, real: bool) {
    rules.insert(CLOCK.to_owned(), if real { "real" } else { VIRTUAL }.into());
}

/// Removes the rule that tells how time passes; returns whether that is real time, which is the default.
pub fn take_clock(rules: &mut Map<String, Value>) -> bool {
    rules.remove(CLOCK).is_none_or(|clock| clock != VIRTUAL)
}

/// Rules of a match in virtual time, without the one that tells how time passes.
///
/// # Errors
/// If the header has no rules, or the match was played in real time.
pub fn virtual_rules(header: &MatchHeader) -> Result<Map<String, Value>, HeaderError> {
    let Some(Value::Object(mut rules)) = header.rules.clone() else {
        return Err(HeaderError::Missing("rules"));
    };
    if take_clock(&mut rules) { Err(HeaderError::Inputs) } else { Ok(rules) }
}

/// Seed in the header.
///
/// # Errors
/// If the header has none.
pub fn seed(header: &MatchHeader) -> Result<u64, HeaderError> {
    header.seed.ok_or(HeaderError::Missing("seed"))
}

/// Entry of a team's player.
///
/// # Errors
/// If the header has none.
pub fn player_of<'a>(header: &'a MatchHeader, team: &str) -> Result<&'a Program, HeaderError> {
    let found = header.programs.iter().find(|program| &*program.team == team);
    found.ok_or(HeaderError::Missing("programs"))
}
