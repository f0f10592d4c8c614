//! Checks of a NATS set-up, for `grandstand doctor`.
//!
//! The checks of a relay or a worker change nothing. Those of an origin or a director create missing streams, as these do
//! when they start.

use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime};

use async_nats::client::RequestErrorKind;
use async_nats::jetstream::context;
use async_nats::jetstream::kv;
use serde_json::{Value, json};

use super::connection::{Link, NatsError, chain};
use super::facts::{Lease, OriginRequest, read};
use super::findings::{Finding, Findings};
use super::publication::{LEASE_BYTES, RENEWAL};
use super::questions::request;
use super::streams::{MIB, ensure, wanted};
use super::{MATCHES, NatsRole, NatsSettings, lease_key};
use crate::config::NatsLimits;
use crate::tournament::distributed::nats::doctor::about_directors;

/// Oldest version of the server that has what is used here.
const OLDEST: (u64, u64) = (2, 9);
/// Least size of a message: recordings are stored in parts of 128 KiB.
const PAYLOAD: usize = 160 * 1024;
/// Greatest difference of two clocks that is not worth a word.
const CLOCKS: f64 = 1.0;
/// Interval at which leases are looked at, and time for it.
const LOOK: Duration = Duration::from_millis(20);
const WATCHED: Duration = RENEWAL.saturating_mul(2);
/// Time limit for an answer of an origin.
const PATIENCE: Duration = Duration::from_secs(4);
/// Greatest number of origins that are looked at.
const ORIGINS: usize = 256;

/// Examines what a server of this role would find with these settings, in some seconds.
///
/// # Errors
/// If the settings themselves are of no use: the address, the name, a file.
pub(crate) async fn examine(settings: &NatsSettings, limits: &NatsLimits) -> Result<Vec<Finding>, NatsError> {
    let mut found = Findings::default();
    let mut link = None;
    for reached in Link::each(settings).await? {
        match reached {
            Ok(reached) => {
                about_server(&reached, &mut found).await;
                link = link.or(Some(reached));
            }
            Err(error) => found.bad(error.to_string()),
        }
    }
    if let Some(link) = link
        && about_jetstream(&link, &mut found).await
    {
        if matches!(link.role(), NatsRole::Origin | NatsRole::Director)
            && let Err(error) = ensure(&link, limits).await
        {
            found.bad(error.to_string());
        }
        for (config, _) in wanted(link.role(), limits) {
            about_stream(&link, &config.name, limits.replicas, &mut found).await;
        }
        match link.role() {
            NatsRole::Origin | NatsRole::Relay => about_origins(&link, &mut found).await,
            NatsRole::Worker => about_directors(&link, &mut found).await,
            NatsRole::Director => {}
        }
    }
    Ok(found.0)
}

async fn about_server(link: &Link, found: &mut Findings) {
    let began = Instant::now();
    let answers = link.client.flush().await.is_ok();
    let round_trip = began.elapsed().as_secs_f64() * 1e3;
    let info = link.client.server_info();
    let name = &link.shown;
    let cluster =
        info.cluster.as_ref().map_or_else(String::new, |cluster| format!(" of the cluster {cluster}"));
    if !answers {
        return found.bad(format!("{name}: the connection broke at once"));
    }
    found.good(format!(
        "{name}: nats-server {} ({}){cluster}, answers in {round_trip:.1} ms, messages of up to {} KiB",
        info.version,
        info.server_name,
        info.max_payload / 1024
    ));
    if version(&info.version).is_none_or(|version| version < OLDEST) {
        let (major, minor) = OLDEST;
        found.bad(format!("{name}: version {} is older than {major}.{minor}", info.version));
    }
    if info.max_payload < PAYLOAD {
        found.bad(format!(
            "{name}: messages of {} KiB are too small for recordings: set max_payload to 1MB",
            info.max_payload / 1024
        ));
    }
}

/// The first two numbers of a version.
fn version(text: &str) -> Option<(u64, u64)> {
    let mut numbers = text.trim_start_matches('v').split('.').map(|number| number.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

/// Whether JetStream is there.
async fn about_jetstream(link: &Link, found: &mut Findings) -> bool {
    let info = match link.jetstream_info().await {
        Ok(info) => info,
        Err(error) => {
            found.bad(error.to_string());
            return false;
        }
    };
    let mib = |bytes: &Value| bytes.as_u64().unwrap_or_default() / MIB;
    let most = match info["limits"]["max_storage"].as_i64() {
        Some(most) if most >= 0 => format!("{} MiB that the account may have", most as u64 / MIB),
        _ => "as much as the server has".to_owned(),
    };
    found.good(format!("JetStream: {} streams, {} MiB of {most}", info["streams"], mib(&info["storage"])));
    true
}

async fn about_stream(link: &Link, name: &str, replicas: usize, found: &mut Findings) {
    let info: Value = match link.jetstream.request(format!("STREAM.INFO.{name}"), &json!({})).await {
        Ok(info) => info,
        Err(error) => return found.bad(format!("stream {name}: {}", unanswered(&error))),
    };
    if let Some(error) = info.get("error") {
        return match error["err_code"].as_u64() {
            Some(10059) => found.doubtful(format!(
                "stream {name} is not there yet: {} makes it when it starts",
                match link.role() {
                    NatsRole::Origin | NatsRole::Relay => "an origin",
                    NatsRole::Worker | NatsRole::Director => "a director",
                }
            )),
            _ => found.bad(format!(
                "stream {name}: {}",
                error["description"].as_str().unwrap_or("it can't be read")
            )),
        };
    }
    let (state, config) = (&info["state"], &info["config"]);
    let copies = config["num_replicas"].as_u64().unwrap_or(1);
    found.good(format!(
        "stream {name}: {} messages, {:.1} of {} MiB, {}",
        state["messages"],
        state["bytes"].as_f64().unwrap_or_default() / MIB as f64,
        config["max_bytes"].as_u64().unwrap_or_default() / MIB,
        if copies == 1 { "one copy".to_owned() } else { format!("{copies} copies") }
    ));
    let cluster = &info["cluster"];
    if copies < replicas as u64 {
        found.doubtful(format!("stream {name} has fewer copies than the {replicas} of nats-replicas"));
    } else if copies == 1 && cluster["name"].is_string() {
        found.doubtful(format!(
            "stream {name} has one copy in a cluster, and can't be used without the server that has it; origins take --limit nats-replicas=3, directors --nats-limit nats-replicas=3"
        ));
    }
    if cluster["name"].is_string() && cluster["leader"].as_str().is_none_or(str::is_empty) {
        found.bad(format!("stream {name} has no leader: too few servers of the cluster are there"));
    }
    for copy in cluster["replicas"].as_array().into_iter().flatten() {
        let server = copy["name"].as_str().unwrap_or_default();
        if copy["offline"] == true {
            found.bad(format!("stream {name}: the server {server}, which has a copy, is away"));
        } else if copy["current"] != true {
            found.doubtful(format!(
                "stream {name}: the copy at {server} is {} behind",
                copy["lag"].as_u64().unwrap_or(0)
            ));
        }
    }
}

/// Why JetStream did not answer.
fn unanswered(error: &context::RequestError) -> String {
    match error.kind() {
        context::RequestErrorKind::TimedOut => {
            "no answer: the permissions of this user may not allow it (docs/SCALE.md has them), or JetStream has no leader".to_owned()
        }
        _ => chain(error),
    }
}

/// An origin's lease as it was seen.
struct Seen {
    revision: u64,
    lease: Result<Lease, String>,
    /// Age by the clocks of NATS and this machine in seconds, when it was first seen and after it was renewed.
    age: f64,
    renewed: Option<f64>,
}

async fn about_origins(link: &Link, found: &mut Findings) {
    let bucket = match link.jetstream.get_key_value(MATCHES).await {
        Ok(bucket) => bucket,
        // It was said of its stream.
        Err(_) => return,
    };
    let names = match origins(link).await {
        Ok(names) => names,
        Err(why) => return found.bad(format!("the origins: {why}")),
    };
    if names.is_empty() {
        return found.doubtful("no origin publishes here: start one by grandstand serve --nats");
    }
    let seen = match watch(&bucket, &names).await {
        Ok(seen) => seen,
        Err(why) => return found.bad(format!("the origins: {why}")),
    };
    for (name, seen) in &seen {
        match (&seen.lease, seen.renewed) {
            (Err(why), _) => found.bad(format!("origin {name}: {why}")),
            (Ok(_), None) => {
                found.doubtful(format!("origin {name} is away: it was heard last {:.0} s ago", seen.age))
            }
            (Ok(lease), Some(_)) => {
                found.good(format!("origin {name} is here: {}", lease.program));
                if link.role() == NatsRole::Relay {
                    about_answers(link, name, found).await;
                }
            }
        }
    }
    // A renewal is seen soon after it was stored: what its age is beside that is the difference of the clocks.
    let ages = seen.values().filter_map(|seen| seen.renewed);
    if let Some(age) = ages.min_by(|a, b| a.abs().total_cmp(&b.abs())) {
        match age {
            age if age.abs() <= CLOCKS => {
                found.good(format!("the clocks of NATS and of this machine differ by {:.2} s", age.abs()))
            }
            age if age > 0.0 => {
                found.doubtful(format!("the clock of NATS is {age:.1} s behind that of this machine"))
            }
            age => {
                found.doubtful(format!("the clock of NATS is {:.1} s ahead of that of this machine", -age))
            }
        }
    }
}

/// The names of the origins that the bucket has.
async fn origins(link: &Link) -> Result<Vec<String>, String> {
    let filter = format!("$KV.{MATCHES}.{}", lease_key(">"));
    let ask = json!({ "subjects_filter": filter });
    let info: Value = link
        .jetstream
        .request(format!("STREAM.INFO.KV_{MATCHES}"), &ask)
        .await
        .map_err(|error| unanswered(&error))?;
    let before = format!("$KV.{MATCHES}.{}", lease_key(""));
    let subjects = info["state"]["subjects"].as_object();
    let names = subjects.into_iter().flat_map(|subjects| subjects.keys());
    Ok(names.filter_map(|subject| subject.strip_prefix(&before)).map(str::to_owned).take(ORIGINS).collect())
}

/// Watches the leases until all are renewed, or for [`WATCHED`].
async fn watch(bucket: &kv::Store, names: &[String]) -> Result<BTreeMap<String, Seen>, String> {
    let mut seen: BTreeMap<String, Seen> = BTreeMap::new();
    let until = Instant::now() + WATCHED;
    while Instant::now() < until && (seen.is_empty() || seen.values().any(|seen| seen.renewed.is_none())) {
        for name in names {
            let entry = match tokio::time::timeout(PATIENCE, bucket.entry(lease_key(name))).await {
                Ok(Ok(Some(entry))) if entry.operation == kv::Operation::Put => entry,
                Ok(Ok(_)) => continue,
                Ok(Err(error)) => return Err(chain(&error)),
                Err(_) => return Err("no answer: the permissions of this user may not allow it".to_owned()),
            };
            let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
            let age = now.as_secs_f64() - entry.created.unix_timestamp_nanos() as f64 / 1e9;
            let lease = read::<Lease>(&entry.value, LEASE_BYTES).map_err(|error| error.to_string());
            match seen.get_mut(name) {
                None => {
                    seen.insert(name.clone(), Seen { revision: entry.revision, lease, age, renewed: None });
                }
                Some(seen) if seen.revision != entry.revision && seen.renewed.is_none() => {
                    (seen.renewed, seen.lease) = (Some(age), lease);
                }
                Some(_) => {}
            }
        }
        tokio::time::sleep(LOOK).await;
    }
    Ok(seen)
}

/// Whether an origin answers requests: that it does not know the match is an answer too.
async fn about_answers(link: &Link, origin: &str, found: &mut Findings) {
    let Ok(id) = "doctor".parse() else { return };
    let Ok((subject, request)) = request(origin, &id, OriginRequest::Commands { from: 1, to: 1 }) else {
        return;
    };
    let began = Instant::now();
    match link.client.send_request(subject, request.timeout(Some(PATIENCE))).await {
        Ok(_) => found.good(format!(
            "origin {origin} answers requests in {:.1} ms",
            began.elapsed().as_secs_f64() * 1e3
        )),
        Err(error) => {
            let why = match error.kind() {
                RequestErrorKind::NoResponders => "nobody is subscribed to them".to_owned(),
                RequestErrorKind::TimedOut => format!("no answer within {} s", PATIENCE.as_secs()),
                _ => chain(&error),
            };
            found.bad(format!(
                "origin {origin} does not answer requests: {why}; its user needs gs.origin.*.* and allow_responses"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert_eq!(version("2.9.10"), Some((2, 9)));
        assert_eq!(version("v2.10.0-beta.1"), Some((2, 10)));
        assert!(version("2.10.3").unwrap() > OLDEST && version("2.8.4").unwrap() < OLDEST);
        assert_eq!(version("two"), None);
    }
}
