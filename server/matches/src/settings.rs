//! Settings by their names: parsing from files and options, and messages about mistakes.

use std::collections::BTreeSet;
use std::error::Error;
use std::path::Path;

use grandstand_protocol::text::shorten;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use thiserror::Error;

/// Maximum length of a value that a message quotes, in characters.
const SHOWN: usize = 60;

/// Numbers that lie outside of every range, except one that begins at 0 or ends at its type's maximum.
const OUTSIDE: [u64; 4] = [0, u8::MAX as u64, u32::MAX as u64, u64::MAX];

/// Mistake in the settings of a match.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// The text is not TOML.
    #[error(transparent)]
    Toml(#[from] toml::de::Error),
    /// The text is not JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A setting is unknown.
    #[error("`{name}` is not a setting; expected one of {expected}")]
    Unknown {
        /// Name of the setting.
        name: String,
        /// Names of all settings.
        expected: String,
    },
    /// A setting has a wrong value.
    #[error("{name} is {found}; expected {expected}", found = shorten(&found.to_string(), SHOWN))]
    Value {
        /// Name of the setting.
        name: String,
        /// Value in the text.
        found: Value,
        /// Description of the allowed values.
        expected: String,
    },
    /// The settings make no playable game.
    #[error(transparent)]
    Rules(Box<dyn Error + Send + Sync>),
}

impl SettingsError {
    /// Error for a wrong value of the setting `name`.
    pub fn value(name: &str, found: impl Into<Value>, expected: impl Into<String>) -> Self {
        Self::Value { name: name.to_owned(), found: found.into(), expected: expected.into() }
    }
}

/// The settings as a map, by their names in a file.
pub fn to_map(settings: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(settings) {
        Ok(Value::Object(map)) => map,
        // Settings are structs, which serialize as objects.
        _ => Map::new(),
    }
}

/// Reads settings by their names and checks them with `check`. Missing settings have their defaults. `others` are the
/// names of settings that the caller has read already, for the list of all names.
///
/// # Errors
/// The first unknown or wrong setting, by its name, with the allowed values.
pub fn read_named<T, E>(
    map: Map<String, Value>,
    others: &[&str],
    check: impl Fn(&T) -> Result<(), E>,
) -> Result<T, SettingsError>
where
    T: Default + Serialize + DeserializeOwned,
    E: Into<Box<dyn Error + Send + Sync>>,
{
    let known = names::<T>(others);
    if let Some(name) = map.keys().find(|name| !known.contains(name.as_str())) {
        let expected = known.into_iter().collect::<Vec<_>>().join(", ");
        return Err(SettingsError::Unknown { name: name.clone(), expected });
    }
    match serde_json::from_value::<T>(Value::Object(map.clone())) {
        Ok(settings) => match check(&settings) {
            Ok(()) => Ok(settings),
            Err(why) => Err(SettingsError::Rules(why.into())),
        },
        Err(error) => {
            let wrong = map.into_iter().find_map(|(name, found)| wrong(name, found, &check));
            Err(wrong.unwrap_or(SettingsError::Json(error)))
        }
    }
}

/// Names of all settings, including those that are read elsewhere.
fn names<T: Default + Serialize>(others: &[&str]) -> BTreeSet<String> {
    let own = to_map(&T::default());
    own.into_iter().map(|(name, _)| name).chain(others.iter().map(|name| (*name).to_owned())).collect()
}

/// The mistake in this setting, if it has one.
fn wrong<T, E>(name: String, found: Value, check: impl Fn(&T) -> Result<(), E>) -> Option<SettingsError>
where
    T: DeserializeOwned,
    E: Into<Box<dyn Error + Send + Sync>>,
{
    let error = alone::<T>(&name, found.clone()).err()?.to_string();
    let expected = match error.split_once("expected ") {
        None => return Some(SettingsError::Rules(format!("{name}: {error}").into())),
        Some((_, "a boolean")) => "true or false".to_owned(),
        Some((_, "a string")) => "a text".to_owned(),
        Some((_, "u8" | "u16" | "u32" | "u64" | "usize")) => {
            let outside = OUTSIDE.into_iter().filter_map(|number| alone::<T>(&name, number.into()).ok());
            let refused = outside.filter_map(|settings| Some(check(&settings).err()?.into().to_string()));
            let range = refused.filter_map(|told| Some(told.split_once("expected ")?.1.to_owned())).next();
            range.unwrap_or_else(|| "a whole number from 0".to_owned())
        }
        Some((_, expected)) => expected.to_owned(),
    };
    Some(SettingsError::Value { name, found, expected })
}

/// The defaults except for this setting.
fn alone<T: DeserializeOwned>(name: &str, value: Value) -> serde_json::Result<T> {
    serde_json::from_value(Value::Object(Map::from_iter([(name.to_owned(), value)])))
}

/// Parses a file of settings of any game: JSON if the file's extension is `json`, otherwise TOML.
///
/// # Errors
/// If the text is not of that format.
pub fn read_settings(file: &Path, text: &str) -> Result<Map<String, Value>, SettingsError> {
    let is_json = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    Ok(if is_json { serde_json::from_str(text)? } else { toml::from_str(text)? })
}

/// Parses `NAME=VALUE`; the value is in TOML, or a text without quotation marks.
///
/// # Errors
/// A message about the mistake.
pub fn read_setting(text: &str) -> Result<(String, Value), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    let (name, value) = (name.trim(), value.trim());
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return Err(format!("`{name}` is not the name of a setting; expected NAME=VALUE"));
    }
    let read: Option<Map<String, Value>> = toml::from_str(&format!("value = {value}")).ok();
    let read = read.filter(|map| map.len() == 1).and_then(|mut map| map.remove("value"));
    Ok((name.to_owned(), read.unwrap_or_else(|| value.into())))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn one_setting_is_a_name_and_a_value() {
        let read = |text: &str| read_setting(text).unwrap();
        assert_eq!(read("MAX_PIECES=3"), ("MAX_PIECES".to_owned(), json!(3)));
        assert_eq!(read(" GAME_LENGTH = 1_000 "), ("GAME_LENGTH".to_owned(), json!(1_000)));
        assert_eq!(read("BLACK_START=C~1"), ("BLACK_START".to_owned(), json!("C~1")));
        assert_eq!(read("BLACK_START=\"C~1\""), ("BLACK_START".to_owned(), json!("C~1")));
        // One assignment is one setting, whatever its value contains.
        assert_eq!(read("A=1\nB=2"), ("A".to_owned(), json!("1\nB=2")));
        assert_eq!(read("A="), ("A".to_owned(), json!("")));
        assert_eq!(read_setting("MAX_PIECES").unwrap_err(), "expected NAME=VALUE");
        assert!(read_setting("MAX PIECES=3").unwrap_err().starts_with("`MAX PIECES` is not the name"));
    }
}
