//! A worker's requests to its director, whichever way they go: by HTTP (`http_link`) or by NATS (`nats::link`).

use std::time::Duration;

use super::messages::Session;
use super::report::Upload;
use super::requests::Request;
use super::wire::{Message, decode, encode};

/// Longest refusal that is read, in characters.
const WORDS: usize = 2000;

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum LinkError {
    /// The director can't be reached, or does not answer; it may be there later.
    #[error("{0}")]
    Away(String),
    /// The director can't take a request now, in its words, and names the time to wait, if it does.
    #[error("{0}")]
    Busy(String, Option<Duration>),
    /// The director does not know the session: it was started again, or holds this worker for lost.
    #[error("the director does not know this session")]
    Session,
    /// The director does not have a recording that the result names.
    #[error("{0}")]
    Missing(String),
    /// The director refuses, in its words.
    #[error("{0}")]
    Refused(String),
}

/// A way to a director.
pub(super) trait Transport: std::fmt::Debug + Send + Sync {
    /// Address of the director, for people.
    fn address(&self) -> &str;

    /// Sends a request, and waits for the answer.
    ///
    /// # Errors
    /// If there is none, or it is a refusal.
    fn send(&self, request: Request, body: &[u8]) -> Result<Vec<u8>, LinkError>;

    /// Fetches a content by its hash, which is for the caller to check.
    ///
    /// # Errors
    /// If it can't be had.
    fn content(&self, hash: &str) -> Result<Vec<u8>, LinkError>;

    /// Brings a recording to where the director finds it.
    ///
    /// # Errors
    /// If it is not there whole.
    fn upload(&self, session: &Session, bytes: &[u8]) -> Result<Upload, LinkError>;
}

/// Sends a message; the answer is another.
///
/// # Errors
/// If there is none, or it is a refusal.
pub(super) fn ask<T: Message>(
    way: &dyn Transport,
    request: Request,
    message: &impl Message,
) -> Result<T, LinkError> {
    read(&way.send(request, &encode(message))?)
}

/// Reads an answer.
///
/// # Errors
/// If it is not the one that was asked for.
pub(super) fn read<T: Message>(answer: &[u8]) -> Result<T, LinkError> {
    decode(answer).map_err(|error| LinkError::Refused(format!("the director's answer is wrong: {error}")))
}

/// What the answer to a request, or to something else, says: its status, the seconds that it says to wait, and its body.
///
/// # Errors
/// If it is a refusal.
pub(super) fn outcome(
    request: Option<Request>,
    status: u16,
    again_secs: Option<u64>,
    body: Vec<u8>,
) -> Result<Vec<u8>, LinkError> {
    let words = || -> String {
        let said = serde_json::from_slice::<serde_json::Value>(&body).ok();
        let said = said.and_then(|said| Some(said.get("error")?.as_str()?.chars().take(WORDS).collect()));
        said.unwrap_or_else(|| format!("the answer is {status}, and not a director's"))
    };
    match status {
        200 => Ok(body),
        409 if request == Some(Request::Results) => Err(LinkError::Missing(words())),
        410 => Err(LinkError::Session),
        408 | 429 | 500..=599 => Err(LinkError::Busy(words(), again_secs.map(Duration::from_secs))),
        _ => Err(LinkError::Refused(words())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_is_missing_where_a_result_is_said_and_nowhere_else() {
        let answer = |request| outcome(request, 409, None, br#"{"error":"why"}"#.to_vec());
        assert!(matches!(answer(Some(Request::Results)), Err(LinkError::Missing(_))));
        for other in [None, Some(Request::Hello)] {
            assert!(matches!(answer(other), Err(LinkError::Refused(why)) if why == "why"));
        }
    }

    #[test]
    fn a_director_that_is_busy_says_for_how_long() {
        for said in [None, Some(0), Some(5)] {
            let Err(LinkError::Busy(words, wait)) =
                outcome(None, 503, said, br#"{"error":"too many"}"#.to_vec())
            else {
                panic!("{said:?} is taken for success")
            };
            assert_eq!((&*words, wait), ("too many", said.map(Duration::from_secs)));
        }
    }
}
