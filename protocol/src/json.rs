//! JSON written into memory, and lists that are read with a limit.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// Appends a value of this crate as JSON. Writing JSON into memory fails only for maps whose keys are not strings, and
/// no value of this crate has one.
pub(crate) fn write_value(value: &impl Serialize, out: &mut Vec<u8>) {
    let written = serde_json::to_writer(out, value);
    debug_assert!(written.is_ok(), "{written:?}");
}

/// Deserializes a list of at most `most` items; `too_many` is the error message for a longer one.
pub(crate) fn at_most<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
    most: usize,
    too_many: impl FnOnce(usize) -> String,
) -> Result<Vec<T>, D::Error> {
    let items: Vec<T> = Vec::deserialize(deserializer)?;
    if items.len() > most { Err(D::Error::custom(too_many(items.len()))) } else { Ok(items) }
}
