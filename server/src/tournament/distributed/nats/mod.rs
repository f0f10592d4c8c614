//! Directors and workers that speak over NATS: the requests are those of `requests`, as request and reply; programs and
//! recordings, which are larger than a message may be, go through object stores.
//!
//! - `host`: the director's side; `link`: the worker's; `doctor`: which directors are there
//!
//! A worker asks at one subject which director is there, and speaks to that one at subjects of its own. A director is named by
//! its tournament, so one that is started again is found where it was. Nothing is kept in NATS but what can be written again:
//! the director writes a program when somebody asks for it, and a worker keeps a recording until its result is stored.

pub(crate) mod doctor;
pub(super) mod host;
pub(super) mod link;

use serde::{Deserialize, Serialize};

use super::messages::{Session, Version};
use super::report::Upload;
use super::wire::{self, Message, WireError};

/// Subject at which a director says that it is there.
pub(super) const FIND: &str = "gs.work.find";
/// Last word of the subject at which a director is asked to write a program to the object store.
pub(super) const CONTENT: &str = "content";
/// Header of an answer: a status of HTTP.
pub(super) const STATUS: &str = "Grandstand-Status";
/// Header of an answer: seconds to wait.
pub(super) const AGAIN: &str = "Retry-After";
/// Digits of a director's name.
const NAME_DIGITS: usize = 16;
const HASH_DIGITS: usize = 64;

/// Subject of a request to a director.
pub(super) fn subject(director: &str, request: &str) -> String {
    format!("gs.work.{director}.{request}")
}

/// The name of a tournament's director.
pub(super) fn director_of(tournament: &str) -> String {
    tournament.chars().take(NAME_DIGITS).collect()
}

/// Name in the object store of what a worker uploaded in a session.
pub(super) fn upload_name(session: &Session, upload: &Upload) -> String {
    format!("{}/{}", session.0, upload.sha256)
}

/// A director is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Found {
    #[serde(flatten)]
    pub(super) version: Version,
    /// Its name, in the subjects of requests to it.
    pub(super) director: String,
    /// Name of the tournament.
    pub(super) tournament: String,
}

impl Message for Found {
    fn check(&self) -> Result<(), WireError> {
        wire::text("version", &self.version.version, HASH_DIGITS)?;
        wire::hex("director", &self.director, NAME_DIGITS)?;
        wire::text("tournament", &self.tournament, 512)
    }
}

/// A worker misses a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ContentRequest {
    pub(super) sha256: String,
}

impl Message for ContentRequest {
    fn check(&self) -> Result<(), WireError> {
        wire::hex("sha256", &self.sha256, HASH_DIGITS)
    }
}
