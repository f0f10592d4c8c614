//! Publication of an origin's matches: streams, lease, descriptions, and an exporter for each live match.
//!
//! No match, recording or spectator waits for anything here. While NATS is away, frames for the spectators of relays
//! are skipped, and an entry marks the gap.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_nats::jetstream::kv;
use futures_util::FutureExt as _;
use grandstand_protocol::message::{MatchId, MatchSummary};
use tokio::sync::{Notify, mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior};

use super::answers;
use super::archive::{Archive, Order};
use super::connection::{Link, NatsError};
use super::entry::VERSION;
use super::exporter::Exporter;
use super::facts::{Fact, Lease, read};
use super::origin::Origin;
use super::{lease_key, match_key, streams};
use crate::config::NatsLimits;
use crate::http::state::AppState;
use crate::hub::HubEvent;
use crate::hub::feed::MatchFeed;
use crate::locked::Locked as _;
use crate::timestamp::rfc3339;

/// Interval between two checks for changed descriptions.
const TICK: Duration = Duration::from_millis(500);
/// Interval of the renewals of the lease.
pub(super) const RENEWAL: Duration = Duration::from_secs(2);
/// Shortest time between two descriptions of a match of which only the number of commands has changed.
const FACT_AGE: Duration = Duration::from_secs(2);
/// Time after which an unchanged description is published again, long before its bucket drops it.
const FACT_LIFE: Duration = Duration::from_secs(6 * 3600);

/// Longest lease.
pub(super) const LEASE_BYTES: usize = 4096;

/// Handle of an origin's tasks.
#[derive(Debug)]
pub(crate) struct OriginTasks {
    /// Becomes true when nothing of a live match is left to publish.
    idle: watch::Receiver<bool>,
}

impl OriginTasks {
    /// Waits until everything of the matches that have begun is published.
    pub(crate) async fn published(mut self) {
        // The task ends only with the runtime.
        let _ = self.idle.wait_for(|idle| *idle).await;
    }
}

/// Publishes the matches of a server, as reported by `events`.
pub(crate) fn start(
    link: Link,
    limits: NatsLimits,
    state: Arc<AppState>,
    events: mpsc::UnboundedReceiver<HubEvent>,
) -> OriginTasks {
    let (ready, _) = watch::channel(false);
    let (checks, scenes) = (Notify::new(), Mutex::default());
    let origin = Arc::new(Origin { link, limits, state, ready, checks, scenes });
    tokio::spawn(answers::serve(origin.clone()));
    let (sender, idle) = watch::channel(true);
    tokio::spawn(Publication::new(origin, sender).run(events));
    OriginTasks { idle }
}

/// The last published description of a match.
#[derive(Debug)]
struct Said {
    fact: Fact,
    at: Instant,
}

struct Publication {
    origin: Arc<Origin>,
    idle: watch::Sender<bool>,
    exporters: JoinSet<MatchId>,
    live: BTreeMap<MatchId, Arc<MatchFeed>>,
    /// Descriptions of the newest matches that are over, oldest first.
    over: VecDeque<MatchSummary>,
    /// Matches whose descriptions are still to be deleted from the bucket.
    dropped: Vec<MatchId>,
    said: HashMap<MatchId, Said>,
    archive: mpsc::UnboundedSender<Order>,
    bucket: Option<kv::Store>,
    lease: Lease,
    renewed: Option<Instant>,
    /// Another process that has this name.
    rival: Option<String>,
    /// The last fault that was logged.
    fault: Option<String>,
}

impl Publication {
    fn new(origin: Arc<Origin>, idle: watch::Sender<bool>) -> Self {
        let program = format!("grandstand {}", env!("CARGO_PKG_VERSION"));
        let instance = format!("{}-{}", rfc3339(std::time::SystemTime::now()), std::process::id());
        Self {
            archive: Archive::start(origin.clone()),
            origin,
            idle,
            exporters: JoinSet::new(),
            live: BTreeMap::new(),
            over: VecDeque::new(),
            dropped: Vec::new(),
            said: HashMap::new(),
            bucket: None,
            lease: Lease { version: VERSION, program, instance },
            renewed: None,
            rival: None,
            fault: None,
        }
    }

    async fn run(mut self, mut events: mpsc::UnboundedReceiver<HubEvent>) {
        self.list_recordings().await;
        let mut connected = self.origin.link.connected.clone();
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut stale = true;
        loop {
            let origin = self.origin.clone();
            tokio::select! {
                event = events.recv() => match event {
                    Some(HubEvent::Began(feed)) => self.began(feed),
                    Some(HubEvent::Recorded(summary)) => {
                        self.archive(Order::Keep(summary.id.clone()));
                        self.ended(*summary);
                    }
                    None => return,
                },
                Some(Ok(ended)) = self.exporters.join_next() => self.exported(ended),
                // Published descriptions may be lost with the connection.
                Ok(()) = connected.changed() => stale = true,
                () = origin.checks.notified() => stale = true,
                _ = tick.tick() => {}
            }
            if stale && self.origin.link.is_connected() {
                let made = self.make_streams().await;
                stale = !self.tell(made);
            }
            if !stale {
                let said = self.say().await;
                if !self.tell(said) {
                    stale = true;
                    self.origin.ready.send_replace(false);
                }
            }
            let idle = self.exporters.is_empty() && events.is_empty();
            self.idle.send_if_modified(|was| std::mem::replace(was, idle) != idle);
        }
    }

    /// The newest recordings of the directory.
    async fn list_recordings(&mut self) {
        let (state, most) = (self.origin.state.clone(), self.origin.limits.recordings);
        let read = move || {
            let recordings = state.hub.recordings();
            let keys = recordings.page(None, most);
            keys.iter().rev().filter_map(|(_, id)| recordings.full_summary(id)).collect()
        };
        // Blocks while all these headers and last lines are read.
        self.over = tokio::task::spawn_blocking(read).await.unwrap_or_default();
        self.over.iter().for_each(|summary| self.archive(Order::Keep(summary.id.clone())));
    }

    fn began(&mut self, feed: Arc<MatchFeed>) {
        let id = feed.id().clone();
        let scene_wanted = Arc::<Notify>::default();
        self.origin.scenes.locked().insert(id.clone(), scene_wanted.clone());
        self.live.insert(id.clone(), feed.clone());
        let exporter = Exporter::new(self.origin.clone(), feed, scene_wanted);
        self.exporters.spawn(async move {
            // Nothing more is published of a match whose exporter panics.
            let _ = AssertUnwindSafe(exporter.run()).catch_unwind().await;
            id
        });
    }

    fn exported(&mut self, id: MatchId) {
        self.origin.scenes.locked().remove(&id);
        if let Some(feed) = self.live.remove(&id)
            && !self.over.iter().any(|summary| summary.id == id)
        {
            self.ended(feed.introduction());
        }
    }

    /// A match is over, or its recording is written.
    fn ended(&mut self, summary: MatchSummary) {
        self.over.retain(|other| other.id != summary.id);
        self.over.push_back(MatchSummary { spectators: 0, ..summary });
        while self.over.len() > self.origin.limits.recordings {
            let Some(MatchSummary { id, .. }) = self.over.pop_front() else { break };
            self.archive(Order::Drop(id.clone()));
            self.dropped.push(id);
        }
    }

    fn archive(&self, order: Order) {
        // The task ends with this only.
        let _ = self.archive.send(order);
    }

    /// Creates the streams; afterwards everything is published again.
    async fn make_streams(&mut self) -> Result<(), NatsError> {
        self.origin.link.check_jetstream().await?;
        streams::ensure(&self.origin.link, &self.origin.limits).await?;
        self.bucket = Some(streams::matches(&self.origin.link).await?);
        self.said.clear();
        self.renewed = None;
        self.archive(Order::Again);
        if !self.origin.ready.send_replace(true) {
            tracing::info!(
                nats = self.origin.link.shown,
                name = self.origin.link.name(),
                "matches are published"
            );
        }
        Ok(())
    }

    async fn renew_if_due(&mut self, bucket: &kv::Store) -> Result<(), NatsError> {
        if self.renewed.is_some_and(|at| at.elapsed() < RENEWAL) { Ok(()) } else { self.renew(bucket).await }
    }

    /// Renews the lease. If another process renews it too, that has the same name; this is logged once.
    async fn renew(&mut self, bucket: &kv::Store) -> Result<(), NatsError> {
        let origin = self.origin.clone();
        let key = lease_key(origin.link.name());
        let failed = |error: &dyn std::error::Error| origin.link.failed("the lease", error);
        // At the first renewal the lease may be that of an earlier process.
        if self.renewed.is_some() {
            let stored = bucket.get(key.clone()).await.map_err(|error| failed(&error))?;
            let other = stored.and_then(|json| read::<Lease>(&json, LEASE_BYTES).ok());
            let rival = other.map(|lease| lease.instance).filter(|instance| *instance != self.lease.instance);
            if rival.is_some() && self.rival.is_none() {
                let name = origin.link.name();
                tracing::warn!(
                    name,
                    "another server publishes under this name: give one of them another --nats-name"
                );
            }
            self.rival = rival;
        }
        let json = serde_json::to_vec(&self.lease).unwrap_or_default();
        bucket.put(key, json.into()).await.map_err(|error| failed(&error))?;
        self.renewed = Some(Instant::now());
        Ok(())
    }

    /// Renews the lease, and publishes the descriptions that have changed.
    async fn say(&mut self) -> Result<(), NatsError> {
        let Some(bucket) = self.bucket.clone() else { return Ok(()) };
        let origin = self.origin.clone();
        let link = &origin.link;
        let failed = |error: &dyn std::error::Error| link.failed("the bucket of the matches", error);
        self.renew_if_due(&bucket).await?;
        let live = self.live.values().map(|feed| (feed.frame_number(), feed.introduction()));
        let over = self.over.iter().map(|summary| (0, summary.clone()));
        // A match that is over and not wholly published yet is in both.
        let all: Vec<_> =
            live.chain(over.filter(|(_, summary)| !self.live.contains_key(&summary.id))).collect();
        for (frame, introduction) in all {
            // A time that is read later is not the present one: relays ask for that.
            let introduction = MatchSummary { spectators: 0, now: None, ..introduction };
            let fact = Fact { version: VERSION, origin: link.name().to_owned(), frame, introduction };
            if !is_news(self.said.get(&fact.introduction.id), &fact) {
                continue;
            }
            // Many descriptions take longer than a lease.
            self.renew_if_due(&bucket).await?;
            let json = serde_json::to_vec(&fact).unwrap_or_default();
            let key = match_key(fact.introduction.id.as_str());
            bucket.put(key, json.into()).await.map_err(|error| failed(&error))?;
            self.said.insert(fact.introduction.id.clone(), Said { fact, at: Instant::now() });
        }
        while let Some(id) = self.dropped.last().cloned() {
            self.renew_if_due(&bucket).await?;
            bucket.purge(match_key(id.as_str())).await.map_err(|error| failed(&error))?;
            self.said.remove(&id);
            self.dropped.pop();
        }
        Ok(())
    }

    /// Logs a fault, once; `true` if there is none.
    fn tell(&mut self, done: Result<(), NatsError>) -> bool {
        let fault = done.err().map(|error| error.to_string());
        if let Some(error) = fault.as_ref().filter(|_| self.fault != fault) {
            tracing::warn!(error, "nothing is published; it is tried again");
        }
        self.fault = fault;
        self.fault.is_none()
    }
}

/// Whether a description is to be published again.
fn is_news(said: Option<&Said>, fact: &Fact) -> bool {
    let Some(said) = said else { return true };
    if said.fact == *fact {
        return said.at.elapsed() >= FACT_LIFE;
    }
    let counted = MatchSummary { seq: said.fact.introduction.seq, ..fact.introduction.clone() };
    counted != said.fact.introduction || said.at.elapsed() >= FACT_AGE
}
