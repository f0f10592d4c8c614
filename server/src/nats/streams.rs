//! The streams and buckets. Origins create them, also after a loss; relays read them.

use std::time::Duration;

use async_nats::jetstream::context::{CreateStreamError, CreateStreamErrorKind};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};
use async_nats::jetstream::{ErrorCode, kv};

use super::connection::{Link, NatsError, chain};
use super::entry::MAX_HEADER;
use super::{FEEDS, MATCHES, RECORDINGS, SCENES};
use crate::config::NatsLimits;

/// Bytes of the scenes, and of the descriptions of the matches.
const SCENES_MIB: u64 = 128;
const MATCHES_MIB: u64 = 64;
pub(super) const MIB: u64 = 1 << 20;
/// Lifetime of a description that is not published again: those of servers that do not come back expire.
const MATCHES_AGE: Duration = Duration::from_secs(24 * 3600);
/// Lifetime of a recording that nobody removes: those of servers that do not come back expire.
const RECORDINGS_AGE: Duration = Duration::from_secs(30 * 24 * 3600);
/// Time within which a message that is sent twice is stored once.
const DUPLICATES: Duration = Duration::from_secs(60);

/// Creates what is missing, and updates the limits of what exists. Returns the bucket of the matches.
pub(super) async fn ensure(link: &Link, limits: &NatsLimits) -> Result<kv::Store, NatsError> {
    for (config, about) in wanted(limits) {
        make(link, config, about).await?;
    }
    let bucket = link.jetstream.get_key_value(MATCHES).await;
    bucket.map_err(|error| link.failed("the bucket of the matches", &error))
}

/// What a stream has, and the limit that gives it less.
type About = (&'static str, &'static str);

/// The streams, with buckets, which are streams too.
pub(super) fn wanted(limits: &NatsLimits) -> [(Config, About); 4] {
    let feeds = Config {
        max_bytes: limits.feed_bytes as i64,
        max_messages_per_subject: -1,
        subjects: vec!["gs.feed.*".to_owned()],
        description: Some("Grandstand: frames of live matches".to_owned()),
        ..stream(FEEDS, limits)
    };
    let scenes = Config {
        max_bytes: (SCENES_MIB * MIB) as i64,
        max_messages_per_subject: 1,
        subjects: vec!["gs.scene.*.*".to_owned()],
        allow_direct: true,
        description: Some("Grandstand: the last scene of each live match".to_owned()),
        ..stream(SCENES, limits)
    };
    // A bucket is a stream like these. Servers of version 2.9 answer the client's own request for one differently.
    let matches = Config {
        max_bytes: (MATCHES_MIB * MIB) as i64,
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
    // So is an object store. A new object has no room rather than that chunks of an old one go.
    let recordings = Config {
        max_bytes: limits.recording_bytes as i64,
        max_age: RECORDINGS_AGE,
        max_messages_per_subject: -1,
        discard: DiscardPolicy::New,
        subjects: vec![format!("$O.{RECORDINGS}.C.>"), format!("$O.{RECORDINGS}.M.>")],
        allow_rollup: true,
        allow_direct: true,
        description: Some("Grandstand: recordings of matches that are over".to_owned()),
        ..stream(&format!("OBJ_{RECORDINGS}"), limits)
    };
    [
        (feeds, ("the feeds", "nats-feed-mib")),
        (scenes, ("the scenes", "nats-feed-mib")),
        (matches, ("the bucket of the matches", "nats-feed-mib")),
        (recordings, ("the recordings", "nats-recordings-mib")),
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
fn is_storage(text: &str) -> bool {
    let codes = [
        ErrorCode::STORAGE_RESOURCES_EXCEEDED,
        ErrorCode::ACCOUNT_RESOURCES_EXCEEDED,
        ErrorCode::INSUFFICIENT_RESOURCES,
    ];
    codes.iter().any(|code| text.contains(&code.0.to_string())) || text.contains("insufficient")
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
