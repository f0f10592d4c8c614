//! Options of players, as they are written after the colon: `time=1s,nodes=1000`.

use std::ops::RangeInclusive;
use std::time::Duration;

use grandstand_rules::clock::TimeControl;
use thiserror::Error;

/// What is wrong with the options of a player.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("`{name}` is unknown; expected {expected}")]
    Unknown {
        /// What was written.
        name: String,
        /// What there is.
        expected: &'static str,
    },
    /// The option needs a value.
    #[error("`{0}` has no value; expected NAME=VALUE")]
    NoValue(String),
    /// The value is wrong.
    #[error("`{name}` is {value}; expected {expected}")]
    Value {
        /// Which option.
        name: String,
        /// What it was set to.
        value: String,
        /// What it may be.
        expected: String,
    },
}

impl OptionError {
    /// There is no option `name`, but these.
    pub fn unknown(name: &str, expected: &'static str) -> Self {
        Self::Unknown { name: name.to_owned(), expected }
    }

    /// The option has another value than was expected.
    pub fn value(name: &str, value: &str, expected: impl Into<String>) -> Self {
        Self::Value { name: name.to_owned(), value: value.to_owned(), expected: expected.into() }
    }
}

/// Each option with its value.
pub fn each(text: Option<&str>) -> impl Iterator<Item = Result<(&str, &str), OptionError>> {
    let parts = text.unwrap_or_default().split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| part.split_once('=').ok_or_else(|| OptionError::NoValue(part.to_owned())))
}

/// A number in that range.
///
/// # Errors
/// If it is none.
pub fn number(name: &str, value: &str, range: RangeInclusive<u64>) -> Result<u64, OptionError> {
    let found = value.parse().ok().filter(|number| range.contains(number));
    found.ok_or_else(|| {
        let most = if *range.end() == u64::MAX { String::new() } else { format!(" to {}", range.end()) };
        OptionError::value(name, value, format!("a number from {}{most}", range.start()))
    })
}

/// A span of time that is not zero: `1s`, `500ms`.
///
/// # Errors
/// If it is none.
pub fn span(name: &str, value: &str) -> Result<Duration, OptionError> {
    let alone = !value.contains(['+', '/']);
    let control: Option<TimeControl> = format!("/{value}").parse().ok().filter(|_| alone);
    let millis = control.and_then(|control| control.move_millis);
    let millis = millis.ok_or_else(|| OptionError::value(name, value, "a time such as 1s or 500ms"))?;
    Ok(Duration::from_millis(millis))
}
