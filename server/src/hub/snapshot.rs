//! Snapshots: scenes of matches in memory, encoded as frames.
//!
//! One snapshot serves all requests that arrive while it is made. It is never encoded under the match's lock, so that
//! the publisher and all other matches go on. A large snapshot is encoded on a blocking thread, and serves later
//! requests too while the commands since are small beside it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use grandstand_protocol::message::Message;
use grandstand_protocol::{Micros, Scene};
use tokio::sync::{Semaphore, oneshot};

use super::feed::MatchFeed;
use crate::limits::memory::{LruCache, MemoryBudget, MemoryFull, MemoryUse, Reservation};
use crate::locked::Locked as _;
use crate::wire::encode;

/// Size in bytes from which a snapshot is large.
const LARGE: usize = 64 * 1024;
/// Large snapshots encoded at the same time.
const MAKERS: usize = 2;

/// A snapshot as a frame.
#[derive(Debug, Clone)]
pub(crate) struct Snapshot {
    pub(crate) frame: Bytes,
    /// Offset at which the feed continues after the snapshot.
    pub(crate) cursor: u64,
}

/// A snapshot, now or later. A receive error means that the server is shutting down.
pub(crate) type SnapshotReceiver = oneshot::Receiver<Result<Snapshot, MemoryFull>>;

/// Input of a snapshot.
#[derive(Debug)]
pub(super) struct SnapshotInput {
    pub(super) seq: u64,
    pub(super) t: Micros,
    pub(super) scene: Scene,
    pub(super) cursor: u64,
}

impl SnapshotInput {
    fn finish(self, mut memory: Reservation) -> Result<Snapshot, MemoryFull> {
        let Self { seq, t, scene, cursor } = self;
        let frame = encode(&Message::Scene { seq, t, scene });
        memory.resize(frame.len())?;
        Ok(Snapshot { frame: memory.hold(frame), cursor })
    }
}

/// The snapshots of all matches in memory.
#[derive(Debug)]
pub(crate) struct Snapshots {
    memory: Arc<MemoryBudget>,
    /// By the number of the feed, since a match that is followed again has another feed, with offsets of its own.
    kept: Mutex<LruCache<u64, Snapshot>>,
    feeds: AtomicU64,
    makers: Semaphore,
    /// Bytes of frames after a large snapshot up to which it is served.
    since: u64,
}

type Senders = Vec<oneshot::Sender<Result<Snapshot, MemoryFull>>>;

/// Requests that wait for the snapshot of a match, while one is being made.
#[derive(Debug)]
pub(super) struct SnapshotWaiters {
    /// Number of the feed.
    feed: u64,
    senders: Mutex<Option<Senders>>,
}

impl Snapshots {
    /// Snapshots on a memory budget; a large one is served until `since` bytes of frames follow it.
    pub(crate) fn new(memory: Arc<MemoryBudget>, since: u64) -> Arc<Self> {
        let kept = Mutex::new(LruCache::new(memory.share(MemoryUse::Snapshots) / 6));
        Arc::new(Self { memory, kept, feeds: AtomicU64::new(0), makers: Semaphore::new(MAKERS), since })
    }

    /// The requests of a new feed.
    pub(super) fn waiters(&self) -> SnapshotWaiters {
        SnapshotWaiters { feed: self.feeds.fetch_add(1, Ordering::Relaxed), senders: Mutex::default() }
    }

    /// The memory budget.
    pub(super) fn memory(&self) -> &Arc<MemoryBudget> {
        &self.memory
    }

    /// The snapshot of `feed`: the current state, or, if it is large, a slightly older one.
    pub(super) fn of(self: &Arc<Self>, feed: &Arc<MatchFeed>) -> SnapshotReceiver {
        let (sender, wanted) = oneshot::channel();
        // A receiver that is gone needs no snapshot.
        let answer = |sender: oneshot::Sender<_>, snapshot| drop(sender.send(snapshot));
        let mut waiting = feed.waiting().senders.locked();
        let kept = self.kept.locked().get(&feed.waiting().feed);
        if let Some(snapshot) = kept.filter(|snapshot| self.serves(feed, snapshot)) {
            answer(sender, Ok(snapshot));
        } else if let Some(waiting) = &mut *waiting {
            waiting.push(sender);
        } else {
            let bytes = feed.scene_bytes();
            match self.memory.reserve(MemoryUse::Snapshots, bytes) {
                Err(full) => answer(sender, Err(full)),
                Ok(memory) if bytes < LARGE => {
                    let snapshot = feed.snapshot_input().finish(memory);
                    self.keep(feed, &snapshot);
                    answer(sender, snapshot);
                }
                Ok(memory) => {
                    *waiting = Some(vec![sender]);
                    tokio::spawn(self.clone().make(feed.clone(), memory));
                }
            }
        }
        wanted
    }

    fn serves(&self, feed: &MatchFeed, snapshot: &Snapshot) -> bool {
        let drawn = feed.drawn_since(snapshot.cursor);
        let most =
            if snapshot.frame.len() < LARGE { 0 } else { self.since.min(snapshot.frame.len() as u64 / 4) };
        drawn.is_some_and(|bytes| bytes <= most)
    }

    fn keep(&self, feed: &MatchFeed, snapshot: &Result<Snapshot, MemoryFull>) {
        if let Ok(snapshot) = snapshot {
            self.kept.locked().put(feed.waiting().feed, snapshot.clone(), snapshot.frame.len());
        }
    }

    /// Makes a large snapshot and sends it to all who wait for it.
    async fn make(self: Arc<Self>, feed: Arc<MatchFeed>, memory: Reservation) {
        // The semaphore is never closed.
        let turn = self.makers.acquire().await;
        let drawn = feed.clone();
        let made = tokio::task::spawn_blocking(move || drawn.snapshot_input().finish(memory)).await;
        drop(turn);
        let mut waiting = feed.waiting().senders.locked();
        let waiting = waiting.take().unwrap_or_default();
        // After a panic the senders are dropped, which tells the receivers.
        let Ok(snapshot) = made else { return };
        self.keep(&feed, &snapshot);
        for sender in waiting {
            let _ = sender.send(snapshot.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use grandstand_protocol::Game;
    use grandstand_protocol::message::MatchSummary;

    use super::*;
    use crate::config::SeatLimits;
    use crate::wire::frame;

    /// The match of the given snapshots as it stands after command `seq`.
    fn followed(snapshots: &Arc<Snapshots>, seq: u64) -> Arc<MatchFeed> {
        let summary = serde_json::json!({
            "id": "a", "game": "abalone", "title": "", "teams": [], "state": "live",
            "started": "2026-01-01T00:00:00Z", "seq": seq, "spectators": 0,
        });
        let introduction: MatchSummary = serde_json::from_value(summary).unwrap();
        let limits = SeatLimits { per_second: 10, answer: Duration::from_secs(5) };
        let scene = Scene::new(Game::Abalone);
        Arc::new(MatchFeed::followed(introduction, Micros(0), scene, 1 << 16, snapshots.clone(), &limits))
    }

    async fn seq(feed: &Arc<MatchFeed>) -> u64 {
        let snapshot = feed.snapshot().await.unwrap().unwrap();
        let text = frame::payload(&snapshot.frame);
        match Message::from_json(None, std::str::from_utf8(&text).unwrap()).unwrap() {
            Message::Scene { seq, .. } => seq,
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn a_match_that_is_followed_again_has_no_snapshot_of_before() {
        let snapshots = Snapshots::new(MemoryBudget::new(1 << 20), 1 << 16);
        let before = followed(&snapshots, 5);
        assert_eq!((seq(&before).await, seq(&before).await), (5, 5));
        drop(before);
        assert_eq!(seq(&followed(&snapshots, 7)).await, 7);
    }
}
