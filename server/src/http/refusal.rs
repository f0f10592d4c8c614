//! Refusal of a request: an HTTP status and a message.

use std::io;

use grandstand_protocol::message::MatchId;
use hyper::StatusCode;

/// Reason for which a request is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) message: String,
    /// Seconds to wait, where the request is to be tried again sooner or later than others.
    pub(crate) again_secs: Option<u64>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), again_secs: None }
    }
}

/// The refusal for a read error or for full memory.
pub(crate) fn unreadable(error: io::Error) -> Refusal {
    match error.kind() {
        io::ErrorKind::NotFound => Refusal::new(StatusCode::NOT_FOUND, "this match has no recording"),
        io::ErrorKind::OutOfMemory => Refusal::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string()),
        _ => Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, format!("the recording can't be read: {error}")),
    }
}

/// Parses the id in a path.
///
/// # Errors
/// 404 for a text that is not an id.
pub(crate) fn known_id(id: &str) -> Result<MatchId, Refusal> {
    id.parse().or(Err(unknown_match()))
}

/// 404: there is no such page.
pub(super) fn nothing() -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "there is nothing at this address")
}

/// 404: no match has this id.
pub(crate) fn unknown_match() -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "there is no such match")
}
