//! The hub: all matches in this process, between their publishers and their spectators.
//!
//! - [`feed`]: one match: summary, scene and frames; [`ring`]: the ring buffer of the frames; [`snapshot`]: scenes as
//!   frames
//! - [`publisher`]: the one producer of a match; [`seats`]: the seats of a match and their holders
//! - [`remote_matches`]: live matches of other servers
//!
//! A feed is a match id and numbered, encoded frames, nothing else. The hub is independent of the game.

pub(crate) mod feed;
pub(crate) mod publisher;
pub(crate) mod remote_matches;
pub(crate) mod ring;
pub(crate) mod seats;
pub(crate) mod snapshot;

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, OnceLock, RwLock};
use std::time::{Duration, SystemTime};

use grandstand_protocol::message::{MatchId, MatchSummary};
use grandstand_protocol::{MatchResult, Micros, Scene};
use tokio::sync::mpsc;

use self::feed::MatchFeed;
pub(crate) use self::publisher::Publisher;
use self::remote_matches::RemoteMatches;
use self::snapshot::Snapshots;
use crate::config::Config;
use crate::limits::memory::MemoryBudget;
use crate::locked::{Locked as _, RwLocked as _};
use crate::match_id::IdSource;
use crate::metrics::Metrics;
use crate::recorder::{Recorder, RecordingOutcome};
use crate::recordings::{Key, Recordings};
use crate::timestamp::rfc3339;
use crate::wire::CloseReason;

/// End of a match as its publisher saw it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FeedEnd {
    /// The game server sent a result.
    Result(MatchResult),
    /// The connection was closed in order, without a result.
    Orderly,
    /// The connection broke, was silent for too long, or was closed for a limit.
    Broken,
    /// The server is shutting down.
    Shutdown,
}

/// Event for the observer of a hub.
#[derive(Debug)]
pub(crate) enum HubEvent {
    /// A match has begun.
    Began(Arc<MatchFeed>),
    /// The recording of a match that is over is complete; this is its summary.
    Recorded(Box<MatchSummary>),
}

/// Every match in memory, and the recorded ones in the data directory.
#[derive(Debug)]
pub(crate) struct Hub {
    config: Arc<Config>,
    metrics: Arc<Metrics>,
    ids: IdSource,
    matches: RwLock<BTreeMap<MatchId, Arc<MatchFeed>>>,
    /// Finished matches in memory whose recording is missing or incomplete, oldest first.
    unrecorded: Mutex<Vec<MatchId>>,
    recorder: Option<Recorder>,
    recordings: Arc<Recordings>,
    snapshots: Arc<Snapshots>,
    /// Receiver of the hub's events, if there is one.
    observer: OnceLock<mpsc::UnboundedSender<HubEvent>>,
    /// The live matches of other servers, if this is a relay.
    elsewhere: OnceLock<Arc<dyn RemoteMatches>>,
}

impl Hub {
    pub(crate) fn new(
        config: Arc<Config>,
        metrics: Arc<Metrics>,
        recorder: Option<Recorder>,
        recordings: Arc<Recordings>,
    ) -> Self {
        let snapshots = Snapshots::new(recordings.memory().clone(), config.spectators.lag_bytes / 4);
        Self {
            config,
            metrics,
            ids: IdSource::default(),
            matches: RwLock::default(),
            unrecorded: Mutex::default(),
            recorder,
            recordings,
            snapshots,
            observer: OnceLock::new(),
            elsewhere: OnceLock::new(),
        }
    }

    /// Sends events from now on; at most one call.
    pub(crate) fn observe(&self) -> mpsc::UnboundedReceiver<HubEvent> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let _ = self.observer.set(sender);
        receiver
    }

    fn tell(&self, event: impl FnOnce() -> HubEvent) {
        if let Some(observer) = self.observer.get() {
            // An observer that is gone needs nothing.
            let _ = observer.send(event());
        }
    }

    /// Adds the live matches of other servers; at most once.
    pub(crate) fn set_elsewhere(&self, elsewhere: Arc<dyn RemoteMatches>) {
        let _ = self.elsewhere.set(elsewhere);
    }

    /// The live matches of other servers, if this is a relay.
    pub(crate) fn elsewhere(&self) -> Option<&Arc<dyn RemoteMatches>> {
        self.elsewhere.get()
    }

    /// Adds the feed of a match that is played on another server.
    pub(crate) fn follow(&self, introduction: MatchSummary, t: Micros, scene: Scene) -> Arc<MatchFeed> {
        let memory = self.config.history.memory_bytes;
        let (id, snapshots) = (introduction.id.clone(), self.snapshots.clone());
        let feed = MatchFeed::followed(introduction, t, scene, memory, snapshots, &self.config.seats);
        let feed = Arc::new(feed);
        self.matches.writing().insert(id, feed.clone());
        feed
    }

    /// Removes the feed of a match that is played on another server.
    pub(crate) fn unfollow(&self, feed: &Arc<MatchFeed>, reason: CloseReason) {
        let mut matches = self.matches.writing();
        if matches.get(feed.id()).is_some_and(|other| Arc::ptr_eq(other, feed)) {
            matches.remove(feed.id());
        }
        drop(matches);
        feed.retire(reason);
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    pub(crate) fn recordings(&self) -> &Arc<Recordings> {
        &self.recordings
    }

    /// The memory budget.
    pub(crate) fn memory(&self) -> &Arc<MemoryBudget> {
        self.recordings.memory()
    }

    /// Begins a match for a connection from `peer`.
    pub(crate) fn begin(self: &Arc<Self>, peer: IpAddr) -> Publisher {
        let now = SystemTime::now();
        let id = self.ids.next(now);
        let recording = self.recorder.as_ref().map(|recorder| recorder.record(id.clone(), peer));
        let queue = recording.as_ref().map(|recording| recording.queue().clone());
        let memory = self.config.history.memory_bytes;
        let (snapshots, seats) = (self.snapshots.clone(), &self.config.seats);
        let feed = MatchFeed::new(id.clone(), rfc3339(now), memory, queue, snapshots, seats);
        let feed = Arc::new(feed);
        self.matches.writing().insert(id, feed.clone());
        self.metrics.matches_begun.add(1);
        self.tell(|| HubEvent::Began(feed.clone()));
        Publisher::new(self.clone(), feed, recording)
    }

    /// Time limit for a game server's answer to a request about a seat.
    pub(crate) fn seat_patience(&self) -> Duration {
        self.config.seats.answer
    }

    /// The match with this id, if it is in memory.
    pub(crate) fn get(&self, id: &MatchId) -> Option<Arc<MatchFeed>> {
        self.matches.reading().get(id).cloned()
    }

    /// Summaries of the matches in memory, newest first.
    pub(crate) fn summaries(&self) -> Vec<MatchSummary> {
        let matches = self.matches.reading();
        matches.values().rev().map(|m| m.summary()).collect()
    }

    /// Keys of at most `limit` matches in memory, newest first, older than `before` if that is given.
    pub(crate) fn page(&self, before: Option<&Key>, limit: usize) -> Vec<Key> {
        let matches = self.matches.reading();
        let keys = matches.keys().rev().filter_map(|id| self.recordings.key(id));
        keys.filter(|key| before.is_none_or(|before| key < before)).take(limit).collect()
    }

    /// Number of live matches.
    pub(crate) fn live(&self) -> usize {
        let matches = self.matches.reading();
        matches.values().filter(|m| m.over().is_none()).count()
    }

    /// Handles the end of a match. For a recorded match, [`Hub::recorded`] follows.
    fn ended(&self, feed: &MatchFeed, recorder: bool) {
        if !recorder {
            self.keep_unrecorded(feed.id());
        }
    }

    /// Handles the end of a recording. What exists of it is listed among the recordings from now on. A match whose
    /// recording is incomplete stays in memory for a while.
    pub(crate) fn recorded(&self, id: &MatchId, outcome: RecordingOutcome) {
        let Some(feed) = self.get(id) else { return };
        let mut summary = MatchSummary { spectators: 0, ..feed.summary() };
        let introduction = feed.introduction();
        if let RecordingOutcome::Cut(seq) = outcome {
            summary.seq = seq;
        }
        if outcome != RecordingOutcome::Lost {
            let seq = summary.seq;
            self.recordings.add(summary);
            self.tell(|| HubEvent::Recorded(Box::new(MatchSummary { seq, ..introduction })));
        }
        if outcome == RecordingOutcome::Whole {
            self.forget(id);
        } else {
            self.keep_unrecorded(id);
        }
    }

    /// Keeps a finished match in memory, and drops the oldest ones beyond the limit.
    fn keep_unrecorded(&self, id: &MatchId) {
        let mut unrecorded = self.unrecorded.locked();
        if !unrecorded.contains(id) {
            unrecorded.push(id.clone());
        }
        while unrecorded.len() > self.config.history.unrecorded_matches {
            let oldest = unrecorded.remove(0);
            self.forget(&oldest);
        }
    }

    /// Removes a finished match from memory.
    fn forget(&self, id: &MatchId) {
        self.matches.writing().remove(id);
    }

    /// Stops the recorder after it has written everything; blocks until then.
    pub(crate) fn stop_recorder(&self) {
        if let Some(recorder) = &self.recorder {
            recorder.stop();
        }
    }

    /// Bytes that wait to be written to the disk.
    pub(crate) fn unwritten(&self) -> u64 {
        self.recorder.as_ref().map_or(0, Recorder::unwritten)
    }
}
