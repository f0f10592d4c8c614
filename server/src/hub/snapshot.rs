//! Snapshots: scenes of matches in memory, encoded as frames.
//!
//! A snapshot is made once for all who want it at the same time, and never under its match's lock: who draws, and every
//! other match, goes on meanwhile. A large one is made on a thread that may block, and serves those who come later too as
//! long as what was drawn since is little beside it.

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use grandstand_protocol::message::{MatchId, Message};
use grandstand_protocol::{Micros, Scene};
use tokio::sync::{Semaphore, oneshot};

use super::feed::MatchFeed;
use crate::limits::memory::{LruCache, MemoryBudget, MemoryFull, MemoryUse, Reservation};
use crate::locked::Locked as _;
use crate::wire::encode;

/// Bytes from which on a snapshot is large.
const LARGE: usize = 64 * 1024;
/// Large snapshots that are made at the same time.
const MAKERS: usize = 2;

/// A snapshot as a frame.
#[derive(Debug, Clone)]
pub(crate) struct Snapshot {
    pub(crate) frame: Bytes,
    /// Where the feed goes on after it.
    pub(crate) cursor: u64,
}

/// A snapshot, at once or later; an error of the receiver is that the server stops.
pub(crate) type SnapshotReceiver = oneshot::Receiver<Result<Snapshot, MemoryFull>>;

/// What a snapshot is made of.
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
    kept: Mutex<LruCache<MatchId, Snapshot>>,
    makers: Semaphore,
    /// Bytes that may have been drawn since a large snapshot.
    since: u64,
}

type Senders = Vec<oneshot::Sender<Result<Snapshot, MemoryFull>>>;

/// Who waits for a match's snapshot, while one is being made.
#[derive(Debug, Default)]
pub(super) struct SnapshotWaiters(Mutex<Option<Senders>>);

impl Snapshots {
    /// On a memory budget; a large snapshot serves until `since` bytes were drawn after it.
    pub(crate) fn new(memory: Arc<MemoryBudget>, since: u64) -> Arc<Self> {
        let kept = Mutex::new(LruCache::new(memory.share(MemoryUse::Snapshots) / 6));
        Arc::new(Self { memory, kept, makers: Semaphore::new(MAKERS), since })
    }

    /// The memory budget.
    pub(super) fn memory(&self) -> &Arc<MemoryBudget> {
        &self.memory
    }

    /// The snapshot of `feed` as it is now, or, if that is large, was a moment ago.
    pub(super) fn of(self: &Arc<Self>, feed: &Arc<MatchFeed>) -> SnapshotReceiver {
        let (sender, wanted) = oneshot::channel();
        // Whoever has gone does not want it.
        let answer = |sender: oneshot::Sender<_>, snapshot| drop(sender.send(snapshot));
        let mut waiting = feed.waiting().0.locked();
        let kept = self.kept.locked().get(feed.id());
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
            self.kept.locked().put(feed.id().clone(), snapshot.clone(), snapshot.frame.len());
        }
    }

    /// Makes a large snapshot for all who wait for it.
    async fn make(self: Arc<Self>, feed: Arc<MatchFeed>, memory: Reservation) {
        // Never closed.
        let turn = self.makers.acquire().await;
        let drawn = feed.clone();
        let made = tokio::task::spawn_blocking(move || drawn.snapshot_input().finish(memory)).await;
        drop(turn);
        let mut waiting = feed.waiting().0.locked();
        let waiting = waiting.take().unwrap_or_default();
        // Without an answer, who waits is told by that.
        let Ok(snapshot) = made else { return };
        self.keep(&feed, &snapshot);
        for sender in waiting {
            let _ = sender.send(snapshot.clone());
        }
    }
}
