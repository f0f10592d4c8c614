//! JSON messages: facts about matches, leases of origins, and requests of relays.

use std::net::IpAddr;

use grandstand_protocol::SeatPath;
use grandstand_protocol::message::{MatchId, MatchSummary};
use serde::{Deserialize, Serialize};

use super::entry::{EntryError, MAX_HEADER, VERSION};

/// Longest request.
pub(super) const MAX_QUESTION: usize = 16 * 1024;

/// Facts about a match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Fact {
    pub(super) version: u8,
    /// The server that plays it, or has its recording.
    pub(super) origin: String,
    /// Number of its newest frame.
    pub(super) frame: u64,
    /// The description, with the rules.
    #[serde(rename = "match")]
    pub(super) introduction: MatchSummary,
}

/// Sign of life of an origin, renewed periodically.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Lease {
    pub(super) version: u8,
    /// Program and version, for people.
    pub(super) program: String,
    /// Id of the process: each start of a server has a new one.
    pub(super) instance: String,
}

/// A request to an origin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Question {
    pub(super) version: u8,
    #[serde(rename = "match")]
    pub(super) id: MatchId,
    #[serde(flatten)]
    pub(super) ask: OriginRequest,
}

/// Content of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
pub(super) enum OriginRequest {
    /// Commands `from` to `to`, as far as one answer reaches.
    Commands { from: u64, to: u64 },
    /// The scene after command `after`, or after the last one; its frame from byte `offset` on.
    Scene { after: Option<u64>, offset: u64 },
    /// The replay file from byte `offset` on.
    Text { offset: u64 },
    /// Publication of the current scene of a live match.
    Keyframe,
    /// The present time of a live match.
    Now,
    /// A request of a player: the body of the `POST`, and the address that it came from.
    Seat { path: String, body: String, from: Option<IpAddr> },
}

impl OriginRequest {
    /// Last word of the request's subject.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Commands { .. } => "commands",
            Self::Scene { .. } => "scene",
            Self::Text { .. } => "text",
            Self::Keyframe => "keyframe",
            Self::Now => "now",
            Self::Seat { .. } => "seat",
        }
    }
}

/// Reason for which JSON is no fact, lease or request.
#[derive(Debug, thiserror::Error)]
pub(super) enum FactError {
    #[error(transparent)]
    Entry(#[from] EntryError),
    #[error("it is not understood: {0}")]
    Json(#[from] serde_json::Error),
}

#[derive(Deserialize)]
struct AnyVersion {
    version: u8,
}

/// Reads JSON of at most `most` bytes, of this version.
pub(super) fn read<T: for<'a> Deserialize<'a>>(json: &[u8], most: usize) -> Result<T, FactError> {
    if json.len() > most {
        return Err(EntryError::Long(json.len()).into());
    }
    // Only the version is read first: another version may have other members.
    let AnyVersion { version } = serde_json::from_slice(json)?;
    if version != VERSION {
        return Err(EntryError::Version(version).into());
    }
    Ok(serde_json::from_slice(json)?)
}

/// The path of a seat's request by its name.
pub(super) fn seat_path(name: &str) -> Option<SeatPath> {
    SeatPath::named(name)
}

/// Body of a fuzz target: any bytes as each of the JSON objects. A decoded object is the same after it is encoded and
/// decoded again.
pub(crate) fn check(data: &[u8]) {
    fn same<T: Serialize + for<'a> Deserialize<'a> + PartialEq + std::fmt::Debug>(data: &[u8], most: usize) {
        let Ok(value) = read::<T>(data, most) else { return };
        let json = serde_json::to_vec(&value).expect("it is JSON");
        // Texts may be cut when they are read, never when they are read again.
        assert_eq!(read::<T>(&json, usize::MAX).ok().as_ref(), Some(&value));
    }
    same::<Fact>(data, MAX_HEADER);
    same::<Lease>(data, MAX_HEADER);
    same::<Question>(data, MAX_QUESTION);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_read_as_it_was_written() {
        let asks = [
            OriginRequest::Commands { from: 1, to: u64::MAX },
            OriginRequest::Scene { after: None, offset: 3 },
            OriginRequest::Text { offset: 0 },
            OriginRequest::Keyframe,
            OriginRequest::Now,
            OriginRequest::Seat {
                path: "moves".into(),
                body: "{}".into(),
                from: Some(IpAddr::from([192, 0, 2, 1])),
            },
        ];
        for ask in asks {
            let question = Question { version: VERSION, id: "a".parse().unwrap(), ask };
            let json = serde_json::to_vec(&question).unwrap();
            assert_eq!(read::<Question>(&json, MAX_QUESTION).unwrap(), question);
        }
    }

    #[test]
    fn another_version_is_told_as_such() {
        let error = read::<Lease>(b"{\"version\":2,\"new\":1}", 1024).unwrap_err().to_string();
        assert!(error.starts_with("it has version 2 of the feed, and this is version 1"), "{error}");
        for wrong in ["", "{}", "[]", "{\"version\":1}", "{\"version\":300}"] {
            assert!(read::<Lease>(wrong.as_bytes(), 1024).is_err(), "{wrong}");
        }
        assert!(read::<Lease>(&[b' '; 2048], 1024).unwrap_err().to_string().contains("too long"));
    }
}
