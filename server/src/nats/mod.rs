//! Several machines, joined by NATS with JetStream: an origin publishes its matches, a relay shows them.
//!
//! NATS is a cache: everything lost there is restored from the origin's disk. Workers of tournaments speak to their director
//! by it too (`tournament::distributed::nats`).
//!
//! - [`connection`]: the connection and its errors; [`streams`]: the streams and buckets; [`objects`]:
//!   contents in an object store; [`doctor`]: what is wrong with a set-up, as [`findings`]
//! - [`entry`]: a feed's entries, scenes in parts, and answers, as bytes; [`facts`]: matches, leases and requests, as JSON
//! - [`origin`]: shared state of the tasks of the server that plays; [`publication`]: its matches; [`exporter`]: one
//!   match; [`archive`]: its recordings; [`answers`]: its answers to relays
//! - [`relay`]: the server that shows; [`follower`]: one match; [`recording_cache`]: recordings; [`questions`]: its requests to
//!   origins
//!
//! docs/SCALE.md is the page for operators.

mod answers;
mod archive;
pub(crate) mod connection;
pub(crate) mod doctor;
pub(crate) mod entry;
mod exporter;
mod facts;
pub(crate) mod findings;
mod follower;
pub(crate) mod objects;
mod origin;
pub(crate) mod publication;
mod questions;
mod recording_cache;
pub(crate) mod relay;
pub(crate) mod streams;

use std::path::PathBuf;

use grandstand_protocol::message::MatchId;

pub use self::connection::{Link, NatsError};
pub(crate) use self::facts::check as check_facts;

/// Role of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum NatsRole {
    /// Publishes the matches that are drawn here.
    Origin,
    /// Shows the matches of origins.
    Relay,
    /// Plays games of tournaments.
    Worker,
    /// Hands games of a tournament out.
    Director,
}

impl NatsRole {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Origin => "origin",
            Self::Relay => "relay",
            Self::Worker => "worker",
            Self::Director => "director",
        }
    }
}

/// Settings of the connection to NATS.
#[derive(Debug, Clone)]
pub struct NatsSettings {
    /// Address, such as `nats://user:password@host:4222`; several are separated by commas.
    pub url: String,
    /// File with credentials (JWT and seed), if the server wants them.
    pub credentials: Option<PathBuf>,
    /// File with certificates (PEM) of authorities to trust, besides the system's.
    pub certificates: Option<PathBuf>,
    /// Role of this server.
    pub role: NatsRole,
    /// Name of this server, unique among the origins: 1 to 64 letters, digits, `-` and `_`.
    pub name: String,
}

/// Stream of the feeds, and the subject of a match's feed.
const FEEDS: &str = "GS_FEED";
/// Stream of the scenes.
const SCENES: &str = "GS_SCENE";
/// Object store of the recordings.
const RECORDINGS: &str = "gs_recordings";
/// Bucket of the matches' descriptions and of the origins' leases.
const MATCHES: &str = "gs_match";
/// Object store of the programs that play in tournaments, which directors write and workers read.
pub(crate) const PROGRAMS: &str = "gs_programs";
/// Object store of the recordings of games that workers played, until their director has them.
pub(crate) const RESULTS: &str = "gs_results";

fn feed_subject(id: &str) -> String {
    format!("gs.feed.{id}")
}

fn scene_subject(id: &str, part: u32) -> String {
    format!("gs.scene.{id}.{part}")
}

/// Name of a recording in the object store. The number is the version of what it holds.
fn recording_name(id: &MatchId) -> String {
    format!("1/{id}.replay.zst")
}

/// Subject of a request to an origin.
fn question_subject(origin: &str, question: &str) -> String {
    format!("gs.origin.{origin}.{question}")
}

/// Key of a match in its bucket.
fn match_key(id: &str) -> String {
    format!("match.{id}")
}

/// Key of an origin's lease.
fn lease_key(origin: &str) -> String {
    format!("origin.{origin}")
}
