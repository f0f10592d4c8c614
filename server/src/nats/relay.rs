//! Relay: a server that shows the matches of origins.
//!
//! It stores nothing itself. The list of matches comes from the origins, a live match is followed while somebody
//! watches it, and everything that is not in memory is requested from the origin.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::net::IpAddr;
use std::ops::Bound;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use async_nats::jetstream::kv::{Entry, Operation};
use bytes::{Buf as _, Bytes};
use futures_util::StreamExt as _;
use grandstand_protocol::SeatPath;
use grandstand_protocol::message::{MatchId, MatchState, MatchSummary};
use tokio::runtime::Handle;
use tokio::time::Instant;

use super::MATCHES;
use super::connection::Link;
use super::entry::MAX_HEADER;
use super::facts::{Fact, FactError, Lease, OriginRequest, read};
use super::follower::Follower;
use super::publication::{LEASE_BYTES, RENEWAL};
use super::questions::{self, PublishedScene, failed, invalid};
use super::recording_cache::RecordingCache;
use crate::config::{Config, NatsLimits};
use crate::hub::Hub;
use crate::hub::feed::MatchFeed;
use crate::hub::remote_matches::{BoxFuture, RemoteMatches};
use crate::locked::Locked as _;
use crate::match_id::Ulid;
use crate::metrics::Metrics;
use crate::recordings::Key;
use crate::recordings::upstream::{OriginState, RangeAnswer, SceneAnswer, Upstream};
use crate::wire::CloseReason;

/// Silence after which an origin counts as lost, and after which the bucket is read anew.
const LEASE: Duration = RENEWAL.saturating_mul(3);
/// State of an origin that is heard, in the list of matches.
const HERE: &str = "here";
/// Pause before the bucket is read anew.
const RETRY: Duration = Duration::from_secs(1);
/// Attempts to hear an origin before another NATS server is tried.
const ATTEMPTS: u32 = 3;
/// Maximum wait for the first scene of a match, and the pause between two attempts to read it.
const FIRST_SCENE: Duration = Duration::from_secs(3);
const SOON: Duration = Duration::from_millis(100);
/// Longest wait for the present time of a match.
const NOW_PATIENCE: Duration = Duration::from_millis(500);
/// Maximum number of listed matches.
const MATCHES_MOST: usize = 16 * 1024;
/// Maximum number of origins that are known to be there.
const ORIGINS_MOST: usize = 1024;
/// Maximum number of different faults of facts that are logged.
const FAULTS: usize = 32;

/// The last lease of an origin.
#[derive(Debug)]
struct Heard {
    at: Instant,
    /// Number of the entry in the bucket.
    revision: u64,
}

impl Heard {
    /// Whether the origin is there.
    fn is_fresh(&self) -> bool {
        self.at.elapsed() <= LEASE
    }
}

/// Last reported state of a match.
#[derive(Debug)]
struct Known {
    origin: String,
    frame: u64,
    introduction: MatchSummary,
}

#[derive(Debug, Default)]
struct Facts {
    matches: BTreeMap<Key, Known>,
    keys: HashMap<MatchId, Key>,
    /// Time of the last sign of life of each origin.
    origins: HashMap<String, Heard>,
    /// Whether the bucket was read to its end.
    is_whole: bool,
    /// Faults that were logged.
    told: HashSet<String>,
}

/// Shared state of a relay's tasks.
#[derive(Debug)]
pub(crate) struct Relay {
    me: Weak<Relay>,
    link: Link,
    limits: NatsLimits,
    answer: Duration,
    hub: Weak<Hub>,
    metrics: Arc<Metrics>,
    runtime: Handle,
    facts: Mutex<Facts>,
    fetched: RecordingCache,
    /// Matches whose feed is being opened.
    openings: Mutex<HashMap<MatchId, Arc<tokio::sync::Mutex<()>>>>,
}

/// Shows the matches of origins in this server.
pub(crate) fn start(link: Link, config: &Config, hub: &Arc<Hub>, metrics: Arc<Metrics>) {
    let relay = Arc::new_cyclic(|me| Relay {
        me: me.clone(),
        link,
        limits: config.nats_limits.clone(),
        answer: config.seats.answer,
        hub: Arc::downgrade(hub),
        metrics: metrics.clone(),
        runtime: Handle::current(),
        facts: Mutex::default(),
        fetched: RecordingCache::new(hub.memory().clone(), metrics),
        openings: Mutex::default(),
    });
    hub.recordings().set_upstream(relay.clone());
    hub.set_elsewhere(relay.clone());
    tokio::spawn(relay.keep_facts());
}

impl Relay {
    pub(super) fn link(&self) -> &Link {
        &self.link
    }

    pub(super) fn limits(&self) -> &NatsLimits {
        &self.limits
    }

    pub(super) fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Number of the newest frame of a match, as its origin last reported it.
    pub(super) fn frame_of(&self, id: &MatchId) -> u64 {
        self.known(id, |known| known.frame).unwrap_or(0)
    }

    /// Whether a match is live, as its origin last reported it.
    pub(super) fn is_live(&self, id: &MatchId) -> bool {
        self.known(id, |known| known.introduction.state == MatchState::Live).unwrap_or(false)
    }

    fn known<T>(&self, id: &MatchId, read: impl FnOnce(&Known) -> T) -> Option<T> {
        let facts = self.facts.locked();
        facts.matches.get(facts.keys.get(id)?).map(read)
    }

    /// Stops following a match.
    pub(super) fn let_go(&self, feed: &Arc<MatchFeed>) {
        if let Some(hub) = self.hub.upgrade() {
            hub.unfollow(feed, CloseReason::Lost);
        }
    }

    /// Asks the origin of a match.
    pub(super) async fn ask(
        &self,
        id: &MatchId,
        ask: OriginRequest,
        patience: Option<Duration>,
    ) -> io::Result<Bytes> {
        let origin = self.origin_of(id)?;
        questions::ask(&self.link, &origin, id, ask, patience).await
    }

    /// Name of the match's origin.
    ///
    /// # Errors
    /// If the match is unknown, or its origin has not been heard for [`LEASE`]: nobody waits for its answer.
    fn origin_of(&self, id: &MatchId) -> io::Result<String> {
        let place = self.origin_state(id).ok_or(io::ErrorKind::NotFound)?;
        match place.state {
            HERE => Ok(place.name),
            _ => Err(questions::away(&place.name)),
        }
    }

    /// Reads the facts of origins, and starts again after each failure.
    ///
    /// A server of a cluster may be apart from the others and not know it. After [`ATTEMPTS`] another one is tried.
    async fn keep_facts(self: Arc<Self>) {
        let (mut told, mut attempts) = (None, 0);
        loop {
            if let Err(error) = self.read_facts().await {
                attempts = if self.is_heard() { 0 } else { attempts + 1 };
                if attempts >= ATTEMPTS && self.link.is_connected() && self.link.has_other_servers() {
                    attempts = 0;
                    // It fails only where the client has ended.
                    let _ = self.link.client.force_reconnect().await;
                }
                let error = error.to_string();
                if told.as_ref() != Some(&error) {
                    tracing::info!(nats = self.link.shown, error, "no origin is heard; it is tried again");
                }
                told = Some(error);
            }
            tokio::time::sleep(RETRY).await;
        }
    }

    /// Whether an origin is there.
    fn is_heard(&self) -> bool {
        self.facts.locked().origins.values().any(Heard::is_fresh)
    }

    /// Reads the bucket and its changes until nothing is heard for [`LEASE`].
    async fn read_facts(&self) -> io::Result<()> {
        let bucket = self.link.jetstream.get_key_value(MATCHES).await.map_err(failed)?;
        let mut watch = bucket.watch_with_history(">").await.map_err(failed)?;
        let mut seen = HashSet::new();
        let (mut is_whole, mut heard) = (false, Instant::now());
        loop {
            match tokio::time::timeout(RETRY, watch.next()).await {
                Ok(Some(entry)) => {
                    let entry = entry.map_err(failed)?;
                    heard = Instant::now();
                    self.take(&entry, (!is_whole).then_some(&mut seen));
                    if entry.seen_current && !is_whole {
                        is_whole = true;
                        self.forget_unseen(&seen);
                    }
                }
                Ok(None) => return Ok(()),
                Err(_) => self.facts.locked().is_whole = true,
            }
            // Origins renew their leases, so a healthy watch is never silent for so long. After the loss of its
            // bucket it is silent for ever.
            if heard.elapsed() > LEASE {
                return Err(io::Error::other("nothing was heard for some seconds"));
            }
        }
    }

    /// Takes over an entry of the bucket.
    fn take(&self, entry: &Entry, seen: Option<&mut HashSet<MatchId>>) {
        let put = entry.operation == Operation::Put;
        let taken = match entry.key.split_once('.') {
            Some(("origin", name)) if put => self.take_lease(name, entry),
            Some(("match", id)) => match id.parse::<MatchId>() {
                Ok(id) if put => {
                    if let Some(seen) = seen {
                        seen.insert(id.clone());
                    }
                    self.take_fact(id, &entry.value)
                }
                Ok(id) => {
                    self.facts.locked().remove(&id);
                    Ok(())
                }
                Err(_) => Ok(()),
            },
            _ => Ok(()),
        };
        if let Err(error) = taken {
            let fault = format!("what an origin says is left out: {error}");
            let mut facts = self.facts.locked();
            if facts.told.len() < FAULTS && facts.told.insert(fault.clone()) {
                tracing::warn!(key = entry.key, "{fault}");
            }
        }
    }

    fn take_lease(&self, name: &str, entry: &Entry) -> Result<(), FactError> {
        let _lease: Lease = read(&entry.value, LEASE_BYTES)?;
        let mut facts = self.facts.locked();
        // A bucket that is read again tells the old lease again, also that of an origin that is gone.
        let revision = entry.revision;
        if facts.origins.get(name).is_some_and(|heard| heard.revision == revision) {
            return Ok(());
        }
        if facts.origins.len() >= ORIGINS_MOST {
            // The names of those that are gone.
            facts.origins.retain(|_, heard| heard.is_fresh());
        }
        if facts.origins.len() < ORIGINS_MOST || facts.origins.contains_key(name) {
            facts.origins.insert(name.to_owned(), Heard { at: Instant::now(), revision });
        }
        Ok(())
    }

    fn take_fact(&self, id: MatchId, json: &[u8]) -> Result<(), FactError> {
        let Fact { origin, frame, introduction, .. } = read(json, MAX_HEADER)?;
        if introduction.id != id {
            return Ok(());
        }
        self.facts.locked().insert(id, Known { origin, frame, introduction });
        Ok(())
    }

    fn forget_unseen(&self, seen: &HashSet<MatchId>) {
        let mut facts = self.facts.locked();
        facts.is_whole = true;
        let gone: Vec<_> = facts.keys.keys().filter(|id| !seen.contains(*id)).cloned().collect();
        gone.iter().for_each(|id| facts.remove(id));
    }

    async fn open(&self, id: &MatchId) -> io::Result<Option<Arc<MatchFeed>>> {
        let (Some(hub), Some(me)) = (self.hub.upgrade(), self.me.upgrade()) else { return Ok(None) };
        if !self.is_live(id) {
            return Ok(None);
        }
        // Of several concurrent requests one opens it.
        let opening = self.openings.locked().entry(id.clone()).or_default().clone();
        let opening = opening.lock().await;
        if let Some(feed) = hub.get(id) {
            self.openings.locked().remove(id);
            return Ok(Some(feed));
        }
        let (scene, began) = tokio::join!(self.first_scene(id), self.began(id));
        let opened = scene.map(|scene| {
            scene.map(|scene| {
                let state = scene.introduction.state;
                let result = scene.introduction.result.clone();
                let feed = hub.follow(scene.introduction, scene.t, scene.scene);
                if let Some(began) = began {
                    feed.set_began(began);
                }
                if state != MatchState::Live {
                    feed.finish(scene.t, state, result, CloseReason::Finished, None);
                }
                tokio::spawn(Follower::new(me, feed.clone(), scene.number, scene.after).run());
                feed
            })
        });
        self.openings.locked().remove(id);
        drop(opening);
        let missing = || io::Error::other("its origin has not published a scene yet");
        opened?.ok_or_else(missing).map(Some)
    }
}

impl Relay {
    /// The published scene of a match. That of a match that has just begun is waited for.
    async fn first_scene(&self, id: &MatchId) -> io::Result<Option<PublishedScene>> {
        let deadline = Instant::now() + FIRST_SCENE;
        loop {
            match questions::published_scene(&self.link, id).await {
                Ok(None) if Instant::now() < deadline => tokio::time::sleep(SOON).await,
                scene => return scene,
            }
        }
    }

    /// When a live match began, by its present time at its origin; `None` where that doesn't tell it soon.
    async fn began(&self, id: &MatchId) -> Option<std::time::Instant> {
        let origin = self.origin_of(id).ok()?;
        let now = questions::now(&self.link, &origin, id, NOW_PATIENCE).await;
        let now = now.inspect_err(|error| tracing::debug!(%id, %error, "its time is not known")).ok()?;
        std::time::Instant::now().checked_sub(Duration::from_micros(now.0))
    }
}

impl Facts {
    fn insert(&mut self, id: MatchId, known: Known) {
        let key = match self.keys.get(&id) {
            Some(key) => key.clone(),
            None => {
                let millis = id.as_str().parse::<Ulid>().map_or(0, Ulid::unix_millis);
                self.keys.insert(id.clone(), (millis, id.clone()));
                (millis, id)
            }
        };
        self.matches.insert(key, known);
        while self.matches.len() > MATCHES_MOST {
            if let Some(((_, oldest), _)) = self.matches.pop_first() {
                self.keys.remove(&oldest);
            }
        }
    }

    fn remove(&mut self, id: &MatchId) {
        if let Some(key) = self.keys.remove(id) {
            self.matches.remove(&key);
        }
    }
}

impl Upstream for Relay {
    fn page(&self, before: Option<&Key>, limit: usize) -> Vec<Key> {
        let end = before.map_or(Bound::Unbounded, Bound::Excluded);
        let facts = self.facts.locked();
        facts.matches.range((Bound::Unbounded, end)).rev().take(limit).map(|(key, _)| key.clone()).collect()
    }

    fn full_summary(&self, id: &MatchId) -> Option<MatchSummary> {
        self.known(id, |known| known.introduction.clone())
    }

    fn origin_state(&self, id: &MatchId) -> Option<OriginState> {
        let name = self.known(id, |known| known.origin.clone())?;
        let heard = self.facts.locked().origins.get(&name).is_some_and(Heard::is_fresh);
        Some(OriginState { name, state: if heard { HERE } else { "lost" } })
    }

    fn recording(&self, id: &MatchId) -> Option<Bytes> {
        let is_over = self.known(id, |known| known.introduction.state != MatchState::Live)?;
        is_over.then(|| self.fetched.get(&self.link, &self.runtime, id)).flatten()
    }

    fn commands(&self, id: &MatchId, from: u64, to: u64) -> io::Result<RangeAnswer> {
        let origin = self.origin_of(id)?;
        self.runtime.block_on(questions::commands(&self.link, &origin, id, (from, to)))
    }

    fn scene(&self, id: &MatchId, after: Option<u64>) -> io::Result<SceneAnswer> {
        let origin = self.origin_of(id)?;
        self.runtime.block_on(questions::scene(&self.link, &origin, id, after))
    }

    fn text(&self, id: &MatchId, offset: u64) -> io::Result<Bytes> {
        self.runtime.block_on(self.ask(id, OriginRequest::Text { offset }, None))
    }
}

impl RemoteMatches for Relay {
    fn watch<'a>(&'a self, id: &'a MatchId) -> BoxFuture<'a, io::Result<Option<Arc<MatchFeed>>>> {
        Box::pin(self.open(id))
    }

    fn play<'a>(
        &'a self,
        id: &'a MatchId,
        path: SeatPath,
        body: &'a [u8],
        from: Option<IpAddr>,
    ) -> BoxFuture<'a, io::Result<Option<(u16, Bytes)>>> {
        Box::pin(async move {
            if self.known(id, |_| ()).is_none() {
                return Ok(None);
            }
            let body = String::from_utf8_lossy(body).into_owned();
            let ask = OriginRequest::Seat { path: path.name().to_owned(), body, from };
            let mut answer = self.ask(id, ask, Some(self.answer + RETRY)).await?;
            if answer.len() < 2 {
                return Err(invalid("the answer is cut short"));
            }
            let status = answer.get_u16();
            Ok(Some((status, answer)))
        })
    }

    fn is_ready(&self) -> bool {
        self.link.is_connected() && self.facts.locked().is_whole
    }
}
