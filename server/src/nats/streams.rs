//! The streams and buckets. Origins and directors create those of their role, also after a loss; relays and workers use them.

use std::time::Duration;

use async_nats::jetstream::context::{CreateStreamError, CreateStreamErrorKind};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};
use async_nats::jetstream::{ErrorCode, kv};

use super::connection::{Link, NatsError, chain};
use super::entry::MAX_HEADER;
use super::{FEEDS, MATCHES, NatsRole, PROGRAMS, RECORDINGS, RESULTS, SCENES};
use crate::config::NatsLimits;

/// Greatest bytes of the scenes, and of the descriptions of the matches, and the least of both.
const SCENES_MIB: u64 = 128;
const MATCHES_MIB: u64 = 64;
const LEAST_MIB: u64 = 8;
pub(super) const MIB: u64 = 1 << 20;
/// Lifetime of a description that is not published again: those of servers that do not come back expire.
const MATCHES_AGE: Duration = Duration::from_secs(24 * 3600);
/// Lifetime of a recording that nobody removes: those of servers that do not come back expire.
const RECORDINGS_AGE: Duration = Duration::from_secs(30 * 24 * 3600);
/// Lifetime of programs, which are written again when somebody asks for them, and of recordings whose results never came.
const WORK_AGE: Duration = Duration::from_secs(24 * 3600);
/// Time within which a message that is sent twice is stored once.
const DUPLICATES: Duration = Duration::from_secs(60);

/// Creates what the role of this server needs and is missing, and updates the limits of what exists.
pub(crate) async fn ensure(link: &Link, limits: &NatsLimits) -> Result<(), NatsError> {
    for (config, about) in wanted(link.role(), limits) {
        make(link, config, about).await?;
    }
    Ok(())
}

/// The bucket of the matches.
pub(super) async fn matches(link: &Link) -> Result<kv::Store, NatsError> {
    let bucket = link.jetstream.get_key_value(MATCHES).await;
    bucket.map_err(|error| link.failed("the bucket of the matches", &error))
}

/// What a stream has, and the option with the limit that gives it less.
type About = (&'static str, &'static str);

/// A part of the room of the feeds, so that one limit makes all of it smaller.
fn part(limits: &NatsLimits, part: u64, most_mib: u64) -> i64 {
    (limits.feed_bytes / part).clamp(LEAST_MIB * MIB, most_mib * MIB) as i64
}

/// The streams that a role needs, with buckets, which are streams too.
pub(super) fn wanted(role: NatsRole, limits: &NatsLimits) -> Vec<(Config, About)> {
    match role {
        NatsRole::Origin | NatsRole::Relay => of_matches(limits).into(),
        NatsRole::Worker | NatsRole::Director => of_work(limits).into(),
    }
}

/// What directors and their workers need.
fn of_work(limits: &NatsLimits) -> [(Config, About); 2] {
    let (size, limit) = (limits.work_bytes, "--nats-limit nats-work-mib");
    let programs = Config {
        description: Some("Grandstand: programs that play in tournaments".to_owned()),
        ..object_store(PROGRAMS, size, WORK_AGE, limits)
    };
    let results = Config {
        description: Some("Grandstand: recordings of games until their director has them".to_owned()),
        ..object_store(RESULTS, size, WORK_AGE, limits)
    };
    [(programs, ("the programs", limit)), (results, ("the results", limit))]
}

/// An object store is a stream too. A new object has no room rather than that chunks of an old one go.
fn object_store(name: &str, size: u64, age: Duration, limits: &NatsLimits) -> Config {
    Config {
        max_bytes: size as i64,
        max_age: age,
        max_messages_per_subject: -1,
        discard: DiscardPolicy::New,
        subjects: vec![format!("$O.{name}.C.>"), format!("$O.{name}.M.>")],
        allow_rollup: true,
        allow_direct: true,
        ..stream(&format!("OBJ_{name}"), limits)
    }
}

/// What origins and relays need.
fn of_matches(limits: &NatsLimits) -> [(Config, About); 4] {
    let feeds = Config {
        max_bytes: limits.feed_bytes as i64,
        max_messages_per_subject: -1,
        subjects: vec!["gs.feed.*".to_owned()],
        description: Some("Grandstand: frames of live matches".to_owned()),
        ..stream(FEEDS, limits)
    };
    let scenes = Config {
        max_bytes: part(limits, 2, SCENES_MIB),
        max_messages_per_subject: 1,
        subjects: vec!["gs.scene.*.*".to_owned()],
        allow_direct: true,
        description: Some("Grandstand: the last scene of each live match".to_owned()),
        ..stream(SCENES, limits)
    };
    // A bucket is a stream like these. Servers of version 2.9 answer the client's own request for one differently.
    let matches = Config {
        max_bytes: part(limits, 4, MATCHES_MIB),
        max_age: MATCHES_AGE,
        max_messages_per_subject: 1,
        max_message_size: 2 * MAX_HEADER as i32,
        subjects: vec![format!("$KV.{MATCHES}.>")],
        allow_rollup: true,
        allow_direct: true,
        deny_delete: true,
        description: Some("Grandstand: matches and origins".to_owned()),
        ..stream(&format!("KV_{MATCHES}"), limits)
    };
    let recordings = Config {
        description: Some("Grandstand: recordings of matches that are over".to_owned()),
        ..object_store(RECORDINGS, limits.recording_bytes, RECORDINGS_AGE, limits)
    };
    [
        (feeds, ("the feeds", "--limit nats-feed-mib")),
        (scenes, ("the scenes", "--limit nats-feed-mib")),
        (matches, ("the bucket of the matches", "--limit nats-feed-mib")),
        (recordings, ("the recordings", "--limit nats-recordings-mib")),
    ]
}

fn stream(name: &str, limits: &NatsLimits) -> Config {
    Config {
        name: name.to_owned(),
        max_messages: -1,
        max_consumers: -1,
        retention: RetentionPolicy::Limits,
        discard: DiscardPolicy::Old,
        max_age: limits.feed_age,
        duplicate_window: DUPLICATES.min(limits.feed_age),
        storage: StorageType::File,
        num_replicas: limits.replicas,
        ..Config::default()
    }
}

/// Makes a stream, or sets the limits of one that is there.
async fn make(link: &Link, config: Config, about: About) -> Result<(), NatsError> {
    let mib = config.max_bytes as u64 / MIB;
    let made = link.jetstream.create_stream(config.clone()).await;
    let code = |error: &CreateStreamError| match error.kind() {
        CreateStreamErrorKind::JetStream(error) => Some(error.error_code()),
        _ => None,
    };
    match made {
        Ok(_) => Ok(()),
        Err(error) if code(&error) == Some(ErrorCode::STREAM_NAME_EXIST) => {
            let updated = link.jetstream.update_stream(config).await;
            updated.map(drop).map_err(|error| fault(link, about, mib, &error))
        }
        Err(error) => Err(fault(link, about, mib, &error)),
    }
}

/// Whether JetStream said that there is no room, by the number or the words of its errors.
pub(super) fn is_storage(text: &str) -> bool {
    let codes = [
        ErrorCode::STORAGE_RESOURCES_EXCEEDED,
        ErrorCode::ACCOUNT_RESOURCES_EXCEEDED,
        ErrorCode::INSUFFICIENT_RESOURCES,
    ];
    codes.iter().any(|code| text.contains(&code.0.to_string()))
        || text.contains("insufficient")
        || text.contains("maximum bytes exceeded")
}

fn fault(link: &Link, (what, limit): About, mib: u64, error: &dyn std::error::Error) -> NatsError {
    let text = chain(error);
    if is_storage(&text) {
        return NatsError::Storage { url: link.shown.clone(), what, mib, limit };
    }
    if text.contains("not enabled") {
        return NatsError::JetStream(link.shown.clone());
    }
    link.failed(what, error)
}
