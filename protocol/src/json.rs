//! Writing of JSON into memory.

use serde::Serialize;

/// Appends a value of this crate as JSON. None of them has a map with keys that are not strings, which is the only way
/// in which writing JSON into memory could fail.
pub(crate) fn write_value(value: &impl Serialize, out: &mut Vec<u8>) {
    let written = serde_json::to_writer(out, value);
    debug_assert!(written.is_ok(), "{written:?}");
}
