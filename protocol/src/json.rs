//! JSON: writing into memory, reading of lists with a limit.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// Appends a value of this crate as JSON. None of them has a map with keys that are not strings, which is the only way
/// in which writing JSON into memory could fail.
pub(crate) fn write_value(value: &impl Serialize, out: &mut Vec<u8>) {
    let written = serde_json::to_writer(out, value);
    debug_assert!(written.is_ok(), "{written:?}");
}

/// Reads a list of at most so many; `too_many` says that it has more.
pub(crate) fn at_most<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
    most: usize,
    too_many: impl FnOnce(usize) -> String,
) -> Result<Vec<T>, D::Error> {
    let items: Vec<T> = Vec::deserialize(deserializer)?;
    if items.len() > most { Err(D::Error::custom(too_many(items.len()))) } else { Ok(items) }
}
