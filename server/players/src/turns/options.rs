//! Options of players, as written after the colon: `time=1s,nodes=1000`.

use std::ops::RangeInclusive;
use std::time::Duration;

use grandstand_rules::clock::TimeControl;
use thiserror::Error;

/// Reason for which the options of a player are wrong.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OptionError {
    /// The option does not exist.
    #[error("`{name}` is unknown; expected {expected}")]
    Unknown {
        /// Name of the option in the text.
        name: String,
        /// Names of the options that exist.
        expected: &'static str,
    },
    /// The option needs a value.
    #[error("`{0}` has no value; expected NAME=VALUE")]
    NoValue(String),
    /// The value is wrong.
    #[error("`{name}` is {value}; expected {expected}")]
    Value {
        /// Name of the option.
        name: String,
        /// Value in the text.
        value: String,
        /// Description of the allowed values.
        expected: String,
    },
}

impl OptionError {
    /// Error for an option that does not exist; `expected` lists the existing ones.
    pub fn unknown(name: &str, expected: &'static str) -> Self {
        Self::Unknown { name: name.to_owned(), expected }
    }

    /// Error for an option with a wrong value.
    pub fn value(name: &str, value: &str, expected: impl Into<String>) -> Self {
        Self::Value { name: name.to_owned(), value: value.to_owned(), expected: expected.into() }
    }
}

/// Each option's name and value.
pub fn each(text: Option<&str>) -> impl Iterator<Item = Result<(&str, &str), OptionError>> {
    let parts = text.unwrap_or_default().split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| part.split_once('=').ok_or_else(|| OptionError::NoValue(part.to_owned())))
}

/// Parses a number within `range`.
///
/// # Errors
/// If the value is no number, or outside of the range.
pub fn number(name: &str, value: &str, range: RangeInclusive<u64>) -> Result<u64, OptionError> {
    let found = value.parse().ok().filter(|number| range.contains(number));
    found.ok_or_else(|| {
        let most = if *range.end() == u64::MAX { String::new() } else { format!(" to {}", range.end()) };
        OptionError::value(name, value, format!("a number from {}{most}", range.start()))
    })
}

/// Parses a time span that is not zero: `1s`, `500ms`.
///
/// # Errors
/// If the value is no such time span.
pub fn span(name: &str, value: &str) -> Result<Duration, OptionError> {
    let alone = !value.contains(['+', '/']);
    let control: Option<TimeControl> = format!("/{value}").parse().ok().filter(|_| alone);
    let millis = control.and_then(|control| control.move_millis);
    let millis = millis.ok_or_else(|| OptionError::value(name, value, "a time such as 1s or 500ms"))?;
    Ok(Duration::from_millis(millis))
}
