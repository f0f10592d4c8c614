//! Settings of a match of programs: the game's, and limits on its programs.

use grandstand_languages::Limits;
use serde_json::{Map, Value, json};

use super::world::GameRules;
use crate::settings::{SettingsError, read_named, to_map};

/// Settings of a match. In a file they have the names of the game's rules and, as limits on the programs of one team,
/// `TEAM_WORDS`, `TEAM_THREADS`, `ARRAY_ELEMENTS` and `CALL_DEPTH`: see [`Limits`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings<R> {
    /// Rules of the game.
    pub rules: R,
    /// Limits on the programs.
    pub limits: Limits,
}

impl<R: GameRules> Settings<R> {
    /// Reads settings by their names. Missing settings have their defaults.
    ///
    /// # Errors
    /// The first unknown or wrong setting.
    pub fn from_map(mut map: Map<String, Value>) -> Result<Self, SettingsError> {
        let limits = take_limits(&mut map)?;
        let rules = read_named(map, &limit_names(), R::check)?;
        Ok(Self { rules, limits })
    }

    /// Reads the output of [`to_map`](Self::to_map), as a value.
    ///
    /// # Errors
    /// If the value is no object, or a setting is unknown or wrong.
    pub fn from_value(value: Value) -> Result<Self, SettingsError> {
        Self::from_map(serde_json::from_value(value)?)
    }

    /// Every setting in force, by its name.
    pub fn to_map(&self) -> Map<String, Value> {
        let mut map = to_map(&self.rules);
        let mut limits = self.limits;
        map.extend(by_name(&mut limits).map(|(name, limit)| (name.to_owned(), json!(*limit))));
        map
    }
}

/// Reads the limits of a program without a match, by their names in a match's settings.
///
/// # Errors
/// The first unknown or wrong limit.
pub fn read_limits(mut map: Map<String, Value>) -> Result<Limits, SettingsError> {
    let limits = take_limits(&mut map)?;
    match map.keys().next() {
        Some(name) => Err(SettingsError::Unknown { name: name.clone(), expected: limit_names().join(", ") }),
        None => Ok(limits),
    }
}

fn limit_names() -> [&'static str; 4] {
    by_name(&mut Limits::default()).map(|(name, _)| name)
}

/// Removes the limits from a map of settings.
fn take_limits(map: &mut Map<String, Value>) -> Result<Limits, SettingsError> {
    let mut limits = Limits::default();
    for (name, limit) in by_name(&mut limits) {
        if let Some(found) = map.remove(name) {
            let number = found.as_u64().and_then(|number| usize::try_from(number).ok());
            *limit = number
                .filter(|&number| number > 0)
                .ok_or_else(|| SettingsError::value(name, found, "a number from 1"))?;
        }
    }
    Ok(limits)
}

fn by_name(limits: &mut Limits) -> [(&'static str, &mut usize); 4] {
    [
        ("TEAM_WORDS", &mut limits.words),
        ("TEAM_THREADS", &mut limits.threads),
        ("ARRAY_ELEMENTS", &mut limits.array_elements),
        ("CALL_DEPTH", &mut limits.depth),
    ]
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use grandstand_rules::abalone::Rules;

    use super::*;
    use crate::settings::read_settings;

    fn parse(file: &str, text: &str) -> Result<Settings<Rules>, SettingsError> {
        Settings::from_map(read_settings(Path::new(file), text)?)
    }

    fn error(file: &str, text: &str) -> String {
        parse(file, text).unwrap_err().to_string()
    }

    #[test]
    fn both_formats_say_the_same() {
        let toml = "# a short match\nGAME_LENGTH = 20_000\nWHITE_START = \"G~2\"\nTEAM_WORDS = 5000\n";
        let json = r#"{"GAME_LENGTH": 20000, "WHITE_START": "G-2", "TEAM_WORDS": 5000}"#;
        let settings = parse("a.toml", toml).unwrap();
        assert_eq!(settings, parse("a.JSON", json).unwrap());
        assert_eq!((settings.rules.game_length, settings.limits.words), (20_000, 5_000));
        assert_eq!(settings.rules.winning_score, 6);
        assert_eq!(Settings::from_map(settings.to_map()).unwrap(), settings);
        assert_eq!(parse("a", "").unwrap(), Settings::default());
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        assert!(error("a", "GAME_LENGTH = \n").contains("line 1, column"));
        assert!(error("a.json", "{\"GAME_LENGTH\": }").contains("line 1 column"));
        assert_eq!(
            error("a", "GAME_LENTGH = 5"),
            "`GAME_LENTGH` is not a setting; expected one of ARRAY_ELEMENTS, BLACK_START, CALL_DEPTH, CYCLES_PER_TURN, \
             GAME_LENGTH, MAX_PIECES, TALKS_PER_TURN, TEAM_THREADS, TEAM_WORDS, WHITE_START, WINNING_SCORE"
        );
        for wrong in ["99", "0", "-1", "3.5", "\"many\"", "99999999999"] {
            let expected = format!("MAX_PIECES is {wrong}; expected a number from 1 to 60");
            assert_eq!(error("a", &format!("MAX_PIECES = {wrong}")), expected);
        }
        assert_eq!(
            error("a", "TALKS_PER_TURN = true"),
            "TALKS_PER_TURN is true; expected a whole number from 0"
        );
        assert!(
            error("a", "BLACK_START = \"Z9\"")
                .starts_with("BLACK_START is \"Z9\"; expected a position: a row")
        );
        let long = format!("BLACK_START = \"{}\"", "Z".repeat(1_000));
        assert!(error("a", &long).len() < 200, "{}", error("a", &long));
        assert_eq!(error("a", "CALL_DEPTH = 0"), "CALL_DEPTH is 0; expected a number from 1");
        assert_eq!(error("a", "CALL_DEPTH = -1"), "CALL_DEPTH is -1; expected a number from 1");
        assert!(error("a.json", "[]").contains("expected a map"));
    }

    #[test]
    fn a_program_alone_has_limits_and_no_other_settings() {
        let read = |name: &str| read_limits(Map::from_iter([(name.to_owned(), json!(7))]));
        assert_eq!(read("CALL_DEPTH").unwrap(), Limits { depth: 7, ..Limits::default() });
        let error = read("GAME_LENGTH").unwrap_err().to_string();
        let expected = "TEAM_WORDS, TEAM_THREADS, ARRAY_ELEMENTS, CALL_DEPTH";
        assert_eq!(error, format!("`GAME_LENGTH` is not a setting; expected one of {expected}"));
    }
}
