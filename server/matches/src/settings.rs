//! Settings by their names: which there are, and what is told of one that is wrong.

use std::collections::BTreeSet;
use std::error::Error;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::settings::SettingsError;

/// The longest value that a message repeats, in characters.
const SHOWN: usize = 60;

/// Numbers that are out of every range which does not begin at 0 or end at the type's own end.
const OUTSIDE: [u64; 4] = [0, u8::MAX as u64, u32::MAX as u64, u64::MAX];

/// Reads the settings `map` by their names, as `check` approves of them. What is left out has its default; `others` are the names of
/// settings that the caller has read already, for the list of what there is.
///
/// # Errors
/// The first setting that is unknown or wrong, by its name, with what it may be.
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

/// The names of all settings, with those that are read elsewhere.
fn names<T: Default + Serialize>(others: &[&str]) -> BTreeSet<String> {
    let own = match serde_json::to_value(T::default()) {
        Ok(Value::Object(map)) => map,
        // Settings are a struct, which always is an object.
        _ => Map::new(),
    };
    own.into_iter().map(|(name, _)| name).chain(others.iter().map(|name| (*name).to_owned())).collect()
}

/// What is wrong with this setting, if it is this one.
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

/// The defaults but for this setting.
fn alone<T: DeserializeOwned>(name: &str, value: Value) -> serde_json::Result<T> {
    serde_json::from_value(Value::Object(Map::from_iter([(name.to_owned(), value)])))
}

/// A value as a message has it.
pub(super) fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
