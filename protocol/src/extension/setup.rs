//! Settings that a game server lets the holder of a seat choose for another match.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::json::at_most;
use crate::text::Label;

/// The most settings that a match may offer.
pub const SETTINGS_MAX: usize = 8;
/// The most values that a setting may offer.
pub const VALUES_MAX: usize = 16;

/// A setting of a match, with the values to choose from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Setting {
    /// The name by which a request gives the setting.
    pub name: Label,
    /// The name for people.
    pub label: Label,
    /// The value in this match.
    pub value: Label,
    /// The values to choose from, at most [`VALUES_MAX`].
    #[serde(deserialize_with = "values")]
    pub values: Vec<SettingValue>,
}

/// One value of a [`Setting`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SettingValue {
    /// The text that is sent.
    pub value: Label,
    /// The text of a button.
    pub label: Label,
}

/// Chosen values by the names of their settings, at most [`SETTINGS_MAX`].
pub type ChosenSettings = BTreeMap<Label, Label>;

fn values<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<SettingValue>, D::Error> {
    let too_many = |count: usize| format!("a setting has at most {VALUES_MAX} values, this one has {count}");
    at_most(deserializer, VALUES_MAX, too_many)
}

/// Deserializes settings: at most [`SETTINGS_MAX`], no two of the same name.
pub(super) fn setup<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Setting>, D::Error> {
    let too_many = |count: usize| format!("a match offers at most {SETTINGS_MAX} settings, this one {count}");
    let settings: Vec<Setting> = at_most(deserializer, SETTINGS_MAX, too_many)?;
    let twice =
        settings.iter().enumerate().find(|(at, one)| settings[..*at].iter().any(|s| s.name == one.name));
    match twice {
        Some((_, setting)) => Err(D::Error::custom(format_args!("two settings `{}`", &*setting.name))),
        None => Ok(settings),
    }
}

/// Deserializes chosen settings.
pub(super) fn chosen<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ChosenSettings, D::Error> {
    let chosen = ChosenSettings::deserialize(deserializer)?;
    if chosen.len() > SETTINGS_MAX {
        let count = chosen.len();
        return Err(D::Error::custom(format_args!(
            "at most {SETTINGS_MAX} settings are chosen, these are {count}"
        )));
    }
    Ok(chosen)
}
