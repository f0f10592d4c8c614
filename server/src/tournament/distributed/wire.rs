//! Encoding and limits of the messages between a director and its workers: JSON, checked before it is used.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Version of the messages. Directors and workers of different versions refuse each other.
pub(super) const PROTOCOL: u32 = 1;
/// Greatest size of a message in bytes.
pub(super) const MESSAGE_BYTES: usize = 4 << 20;
/// Greatest size of an uploaded recording, or of its inputs, in bytes.
pub(super) const UPLOAD_BYTES: usize = 64 << 20;
/// Greatest size of a program's file in bytes.
pub(super) const CONTENT_BYTES: u64 = 256 << 20;

/// Why a message is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum WireError {
    /// The message is too large.
    #[error("a message of {0} bytes is larger than {MESSAGE_BYTES}")]
    Large(usize),
    /// The message is not the expected JSON.
    #[error("{0}")]
    Json(String),
    /// A value is out of its limits.
    #[error("`{name}` {fault}")]
    Value {
        /// The member.
        name: &'static str,
        /// The fault.
        fault: String,
    },
}

/// A message whose values have limits.
pub(super) trait Message: Serialize + DeserializeOwned {
    /// Checks all values.
    ///
    /// # Errors
    /// The first value out of its limits.
    fn check(&self) -> Result<(), WireError>;
}

/// Decodes a message and checks it.
///
/// # Errors
/// The first fault.
pub(super) fn decode<T: Message>(bytes: &[u8]) -> Result<T, WireError> {
    if bytes.len() > MESSAGE_BYTES {
        return Err(WireError::Large(bytes.len()));
    }
    let message: T = serde_json::from_slice(bytes).map_err(|error| WireError::Json(error.to_string()))?;
    message.check()?;
    Ok(message)
}

/// Encodes a message.
pub(super) fn encode(message: &impl Message) -> Vec<u8> {
    // Messages have only types that JSON supports.
    serde_json::to_vec(message).unwrap_or_default()
}

/// Checks the length of a text, in bytes, and that it has no control characters.
pub(super) fn text(name: &'static str, text: &str, most: usize) -> Result<(), WireError> {
    if text.len() > most {
        return Err(WireError::Value { name, fault: format!("has {} bytes, more than {most}", text.len()) });
    }
    if text.chars().any(|c| c.is_control() && c != '\n' && c != '\t') {
        return Err(WireError::Value { name, fault: "has a control character".to_owned() });
    }
    Ok(())
}

/// Checks the number of elements.
pub(super) fn count(name: &'static str, count: usize, most: usize) -> Result<(), WireError> {
    if count > most {
        return Err(WireError::Value { name, fault: format!("has {count} elements, more than {most}") });
    }
    Ok(())
}

/// Checks lower-case hexadecimal digits of a given number.
pub(super) fn hex(name: &'static str, text: &str, digits: usize) -> Result<(), WireError> {
    let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if text.len() == digits && text.bytes().all(is_hex) {
        return Ok(());
    }
    Err(WireError::Value { name, fault: format!("is not {digits} hexadecimal digits") })
}
