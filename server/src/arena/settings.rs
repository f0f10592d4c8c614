//! Every setting of a match: the game's, and what its programs may use.

use std::path::Path;

use grandstand_languages::Limits;
use grandstand_rules::abalone::{Rules, RulesError};
use serde_json::{Map, Value, json};
use thiserror::Error;

/// The settings of a match. In a file they are the names of [`Rules`] and, for the programs of one team,
/// `TEAM_WORDS`, `TEAM_THREADS`, `ARRAY_ELEMENTS` and `CALL_DEPTH`: see [`Limits`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    /// The game's.
    pub rules: Rules,
    /// The programs'.
    pub limits: Limits,
}

/// What is wrong with a text or a value that should be [`Settings`].
#[derive(Debug, Error)]
pub enum SettingsError {
    /// It is not TOML.
    #[error("{0}")]
    Toml(#[from] toml::de::Error),
    /// It is not JSON, or a setting is unknown or of the wrong type.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// One of the programs' settings is not a number from 1.
    #[error("{name} is {found}; expected a number from 1")]
    Limit {
        /// Which.
        name: &'static str,
        /// What it was set to.
        found: Value,
    },
    /// The game can't be played so.
    #[error(transparent)]
    Rules(#[from] RulesError),
}

impl Settings {
    /// Reads a file's text: JSON if the file's name says so, TOML otherwise. What it leaves out has its default.
    pub fn parse(file: &Path, text: &str) -> Result<Self, SettingsError> {
        let is_json = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        let map = if is_json { serde_json::from_str(text)? } else { toml::from_str(text)? };
        Self::from_map(map)
    }

    /// Reads what [`to_value`](Self::to_value) wrote.
    pub fn from_value(value: Value) -> Result<Self, SettingsError> {
        Self::from_map(serde_json::from_value(value)?)
    }

    fn from_map(mut map: Map<String, Value>) -> Result<Self, SettingsError> {
        let mut settings = Self::default();
        for (name, limit) in settings.limits_by_name() {
            if let Some(found) = map.remove(name) {
                let number = found.as_u64().and_then(|number| usize::try_from(number).ok());
                *limit = number.filter(|&number| number > 0).ok_or(SettingsError::Limit { name, found })?;
            }
        }
        settings.rules = serde_json::from_value(Value::Object(map))?;
        settings.rules.validate()?;
        Ok(settings)
    }

    /// Every setting in force, by its name.
    pub fn to_value(&self) -> Value {
        // A struct of numbers and hexes is always a JSON object.
        let mut value = serde_json::to_value(&self.rules).unwrap_or_default();
        for (name, limit) in self.clone().limits_by_name() {
            value[name] = json!(*limit);
        }
        value
    }

    fn limits_by_name(&mut self) -> [(&'static str, &mut usize); 4] {
        let limits = &mut self.limits;
        [
            ("TEAM_WORDS", &mut limits.words),
            ("TEAM_THREADS", &mut limits.threads),
            ("ARRAY_ELEMENTS", &mut limits.array_elements),
            ("CALL_DEPTH", &mut limits.depth),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(file: &str, text: &str) -> String {
        Settings::parse(Path::new(file), text).unwrap_err().to_string()
    }

    #[test]
    fn both_formats_say_the_same() {
        let toml = "# a short match\nGAME_LENGTH = 20_000\nWHITE_START = \"G~2\"\nTEAM_WORDS = 5000\n";
        let json = r#"{"GAME_LENGTH": 20000, "WHITE_START": "G-2", "TEAM_WORDS": 5000}"#;
        let settings = Settings::parse(Path::new("a.toml"), toml).unwrap();
        assert_eq!(settings, Settings::parse(Path::new("a.JSON"), json).unwrap());
        assert_eq!((settings.rules.game_length, settings.limits.words), (20_000, 5_000));
        assert_eq!(settings.rules.winning_score, 6);
        assert_eq!(Settings::from_value(settings.to_value()).unwrap(), settings);
        assert_eq!(Settings::parse(Path::new("a"), "").unwrap(), Settings::default());
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        assert!(error("a", "GAME_LENGTH = \n").contains("line 1, column"));
        assert!(error("a.json", "{\"GAME_LENGTH\": }").contains("line 1 column"));
        assert!(error("a", "GAME_LENTGH = 5").contains("unknown field `GAME_LENTGH`"));
        assert!(error("a", "GAME_LENGTH = \"long\"").contains("long"));
        assert_eq!(error("a", "MAX_PIECES = 99"), "MAX_PIECES is 99; expected a number from 1 to 60");
        assert_eq!(error("a", "CALL_DEPTH = 0"), "CALL_DEPTH is 0; expected a number from 1");
        assert_eq!(error("a", "CALL_DEPTH = -1"), "CALL_DEPTH is -1; expected a number from 1");
        assert!(error("a.json", "[]").contains("expected a map"));
    }
}
