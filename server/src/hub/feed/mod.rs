//! Feed of one match: its summary, its scene, and its numbered, encoded frames.
//!
//! Independent of the game: a scene is the fold of [`Scene::apply`] over the commands.
//!
//! - [`export`]: what is read of a feed for other machines; [`follow`]: a feed that repeats one of another machine

mod batch;
pub(crate) mod export;
mod follow;
mod hello;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytes::Bytes;
use grandstand_protocol::message::{MatchId, MatchState, MatchSummary, Message};
use grandstand_protocol::{Command, Game, Label, MatchHeader, MatchResult, Micros, Scene, Setting, Software};
use serde_json::Value;
use tokio::sync::Notify;

use self::hello::Hello;
use super::ring::FrameRing;
use super::seats::Seats;
use super::snapshot::{SnapshotInput, SnapshotReceiver, SnapshotWaiters, Snapshots};
use crate::config::SeatLimits;
use crate::locked::Locked as _;
use crate::recorder::WriteQueue;
use crate::wire::{CloseReason, encode, frame};

pub(crate) use self::batch::Batch;
pub(crate) use self::hello::hello;

/// Size in bytes from which a frame is shared; a shorter one is copied, to be sent with others by one call.
pub(crate) const SHORT: usize = 16 * 1024;

/// A match that is live, or over and still in memory.
#[derive(Debug)]
pub(crate) struct MatchFeed {
    id: MatchId,
    /// The log's end offset, readable without the lock.
    end: AtomicU64,
    pub(crate) spectators: AtomicU64,
    /// The seats of the match. Lock order: nobody takes `inner` while holding the lock of the seats.
    pub(crate) seats: Seats,
    queue: Option<Arc<WriteQueue>>,
    /// Whether the match is played elsewhere, and this feed repeats the one there.
    followed: bool,
    snapshots: Arc<Snapshots>,
    waiting: SnapshotWaiters,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    /// Summary for a list, except the number of spectators, which is counted in `spectators`.
    about: MatchSummary,
    rules: Option<Value>,
    by: Option<Software>,
    setup: Vec<Setting>,
    /// When the match began, by this machine's clock; of a match that is played elsewhere, the earliest estimate.
    began: Instant,
    t: Micros,
    scene: Scene,
    ring: FrameRing,
    over: Option<EndMark>,
    hello: Option<Hello>,
    /// Number of changes so far to the content of a `hello`.
    changes: u64,
    /// Number of the changes so far of game and header.
    headers: u64,
    readers: Vec<Arc<Notify>>,
}

/// Marks a match as over.
#[derive(Debug, Clone, Copy)]
struct EndMark {
    /// Offset of the `end` frame.
    offset: u64,
    reason: CloseReason,
}

impl MatchFeed {
    /// A match that begins. `seats` limits the requests of each player.
    pub(crate) fn new(
        id: MatchId,
        started: String,
        memory_bytes: usize,
        queue: Option<Arc<WriteQueue>>,
        snapshots: Arc<Snapshots>,
        seats: &SeatLimits,
    ) -> Self {
        let game = Game::Abalone;
        let about = MatchSummary {
            id: id.clone(),
            game,
            title: Label::default(),
            event: None,
            round: None,
            teams: Vec::new(),
            rules: None,
            by: None,
            seats: Vec::new(),
            setup: Vec::new(),
            state: MatchState::Live,
            started: started.as_str().into(),
            seq: 0,
            now: None,
            spectators: 0,
            result: None,
        };
        Self {
            id,
            end: AtomicU64::new(0),
            spectators: AtomicU64::new(0),
            seats: Seats::new(seats),
            queue,
            followed: false,
            waiting: snapshots.waiters(),
            snapshots,
            inner: Mutex::new(Inner {
                about,
                rules: None,
                by: None,
                setup: Vec::new(),
                began: Instant::now(),
                t: Micros(0),
                scene: Scene::new(game),
                ring: FrameRing::new(memory_bytes),
                over: None,
                hello: None,
                changes: 0,
                headers: 0,
                readers: Vec::new(),
            }),
        }
    }

    pub(crate) fn id(&self) -> &MatchId {
        &self.id
    }

    /// The write queue of the recording; `None` if the match is not recorded.
    pub(crate) fn write_queue(&self) -> Option<&WriteQueue> {
        self.queue.as_deref()
    }

    /// The current summary for a list: without the rules.
    pub(crate) fn summary(&self) -> MatchSummary {
        self.inner.locked().summary(self.spectators.load(Ordering::Relaxed))
    }

    /// The current summary, with the rules and the present time.
    pub(crate) fn introduction(&self) -> MatchSummary {
        let inner = self.inner.locked();
        inner.timed_introduction(self.spectators.load(Ordering::Relaxed))
    }

    /// When the match began, by this machine's clock.
    pub(crate) fn began(&self) -> Instant {
        self.inner.locked().began
    }

    /// The present time of a live match.
    pub(crate) fn now(&self) -> Option<Micros> {
        self.inner.locked().now()
    }

    /// Sets the dialect; valid only before the first command.
    pub(crate) fn set_game(&self, game: Game) {
        let mut inner = self.inner.locked();
        inner.about.game = game;
        inner.scene = Scene::new(game);
        inner.headers += 1;
        inner.outdate_hello();
        inner.wake();
    }

    /// Takes title, event, teams, rules, setup and start from the game server's header.
    pub(crate) fn set_header(&self, header: &MatchHeader) {
        let mut inner = self.inner.locked();
        inner.about.title = header.title.clone();
        (inner.about.event, inner.about.round) = (header.event.clone(), header.round.clone());
        inner.about.teams = header.teams.clone();
        inner.rules = header.rules.clone();
        inner.by = header.by.clone();
        inner.setup = header.setup.clone();
        if let Some(started) = &header.started {
            inner.about.started = started.clone();
        }
        inner.headers += 1;
        inner.outdate_hello();
        inner.wake();
    }

    /// Sends the current seats to the spectators.
    pub(crate) fn publish_seats(&self) {
        let mut inner = self.inner.locked();
        // Read under the lock of `inner`, so that the last published list is the latest one.
        let seats = self.seats.list();
        if inner.over.is_some() || inner.about.seats == seats {
            return;
        }
        inner.about.seats = seats.clone();
        inner.outdate_hello();
        let seq = inner.about.seq;
        // This frame contains no command.
        inner.ring.append(seq + 1, seq, encode(&Message::Seats { seats }), Instant::now());
        self.publish(&inner);
    }

    /// Applies commands to the scene and appends their frames. `frames` are `(first, last, frame)` and cover
    /// `commands`.
    pub(crate) fn append(&self, t: Micros, commands: &[Command], frames: Vec<(u64, u64, Bytes)>) {
        let mut inner = self.inner.locked();
        let now = Instant::now();
        for command in commands {
            inner.about.seq += 1;
            let seq = inner.about.seq;
            inner.scene.apply(seq, t, command);
        }
        inner.t = t;
        if self.followed {
            inner.has_reached(t);
        }
        inner.outdate_hello();
        for (first, last, frame) in frames {
            inner.ring.append(first, last, frame, now);
        }
        self.publish(&inner);
    }

    /// Ends the match: sets state and result, and appends the `end` frame, which is `frame` where it is known.
    /// A second call changes nothing.
    pub(crate) fn finish(
        &self,
        t: Micros,
        state: MatchState,
        result: Option<MatchResult>,
        reason: CloseReason,
        frame: Option<Bytes>,
    ) {
        self.seats.close();
        let mut inner = self.inner.locked();
        if inner.over.is_some() {
            return;
        }
        inner.about.seats = Vec::new();
        inner.setup = Vec::new();
        inner.t = t;
        inner.about.state = state;
        inner.about.result = result;
        inner.outdate_hello();
        let seq = inner.about.seq;
        let end = || encode(&Message::End { seq, t, result: inner.about.result.clone() });
        let end = frame.unwrap_or_else(end);
        let offset = inner.ring.end();
        // Numbered like one more command, so that a reader which has all commands still gets it.
        inner.ring.append(seq + 1, seq + 1, end, Instant::now());
        inner.over = Some(EndMark { offset, reason });
        self.publish(&inner);
    }

    fn publish(&self, inner: &Inner) {
        self.end.store(inner.ring.end(), Ordering::Release);
        inner.wake();
    }

    /// Notifies `reader` of everything appended from now on.
    pub(crate) fn subscribe(&self, reader: Arc<Notify>) {
        self.inner.locked().readers.push(reader);
    }

    /// Undoes [`MatchFeed::subscribe`].
    pub(crate) fn unsubscribe(&self, reader: &Arc<Notify>) {
        self.inner.locked().readers.retain(|r| !Arc::ptr_eq(r, reader));
    }

    /// The offset after the newest frame, without the lock.
    pub(crate) fn end(&self) -> u64 {
        self.end.load(Ordering::Acquire)
    }

    /// The close reason for the websockets after delivery of all frames; `None` while the match is live.
    pub(crate) fn over(&self) -> Option<CloseReason> {
        self.inner.locked().over.map(|o| o.reason)
    }

    /// Fills `batch` with whole frames from `offset` on: at least one if there is one, and no second one beyond `max`
    /// bytes. Returns `false` if the ring has dropped `offset`.
    pub(crate) fn copy_from(&self, offset: u64, max: usize, batch: &mut Batch) -> bool {
        batch.start = offset;
        batch.bytes.clear();
        batch.ends.clear();
        batch.oldest = None;
        batch.last = 0;
        self.extend(max, batch)
    }

    /// Appends the frames that follow `batch`, with the limit of [`MatchFeed::copy_from`].
    pub(crate) fn extend(&self, max: usize, batch: &mut Batch) -> bool {
        let inner = self.inner.locked();
        let over = inner.over.map_or(u64::MAX, |o| o.offset);
        let Some(entries) = inner.ring.since(batch.end()) else { return false };
        let mut commands = batch.ends.last().map_or(0, |(_, commands)| *commands);
        for entry in entries {
            if !batch.bytes.is_empty() && batch.bytes.len() + entry.frame.len() > max {
                break;
            }
            batch.oldest.get_or_insert(entry.at);
            batch.bytes.extend_from_slice(&entry.frame);
            if entry.offset < over {
                commands += entry.last + 1 - entry.first;
                batch.last = entry.last;
            }
            batch.ends.push((entry.offset + entry.frame.len() as u64, commands));
        }
        true
    }

    /// The snapshot of the whole scene.
    pub(crate) fn snapshot(self: &Arc<Self>) -> SnapshotReceiver {
        self.snapshots.of(self)
    }

    pub(super) fn waiting(&self) -> &SnapshotWaiters {
        &self.waiting
    }

    /// Approximate size of the scene as a frame, in bytes.
    pub(super) fn scene_bytes(&self) -> usize {
        self.inner.locked().scene.bytes()
    }

    /// Input of a snapshot of the current state.
    pub(super) fn snapshot_input(&self) -> SnapshotInput {
        let inner = self.inner.locked();
        SnapshotInput {
            seq: inner.about.seq,
            t: inner.t,
            scene: inner.scene.clone(),
            cursor: inner.after_commands(),
        }
    }

    /// Bytes of command frames from `cursor` on; `None` if the ring has dropped them.
    pub(super) fn drawn_since(&self, cursor: u64) -> Option<u64> {
        let inner = self.inner.locked();
        (cursor >= inner.ring.start()).then(|| inner.after_commands().saturating_sub(cursor))
    }

    /// Offset at which the feed continues after command `seq`; `None` if the ring has dropped what follows.
    pub(crate) fn offset_after(&self, seq: u64) -> Option<u64> {
        self.inner.locked().ring.offset_after(seq)
    }

    /// The number of the last command.
    pub(crate) fn seq(&self) -> u64 {
        self.inner.locked().about.seq
    }

    /// Command numbers and payloads of the frames in memory, from the frame with command `from` to command `to` and
    /// about `bytes`; empty if the ring has dropped `from`.
    pub(crate) fn payloads(&self, from: u64, to: u64, bytes: usize) -> Vec<(u64, u64, Bytes)> {
        let inner = self.inner.locked();
        let over = inner.over.map_or(u64::MAX, |o| o.offset);
        let Some(first) = inner.ring.offset_after(from.saturating_sub(1)) else { return Vec::new() };
        let mut room = bytes;
        let entries = inner.ring.since(first).into_iter().flatten();
        let wanted = entries.take_while(|e| e.first <= to && e.offset < over).filter(|e| e.first <= e.last);
        let fitting = wanted.take_while(|e| {
            let fits = room > 0;
            room = room.saturating_sub(e.frame.len());
            fits
        });
        fitting.map(|e| (e.first, e.last, frame::payload(&e.frame))).collect()
    }
}

impl Inner {
    fn summary(&self, spectators: u64) -> MatchSummary {
        MatchSummary { spectators, ..self.about.clone() }
    }

    fn introduction(&self, spectators: u64) -> MatchSummary {
        let (rules, by, setup) = (self.rules.clone(), self.by.clone(), self.setup.clone());
        MatchSummary { rules, by, setup, ..self.summary(spectators) }
    }

    fn timed_introduction(&self, spectators: u64) -> MatchSummary {
        MatchSummary { now: self.now(), ..self.introduction(spectators) }
    }

    fn now(&self) -> Option<Micros> {
        // A match that is played elsewhere may have a command of before this feed's first estimate.
        self.over.is_none().then(|| since(self.began).max(self.t))
    }

    /// Notes that a match that is played elsewhere has reached the time `t`: it began no later than that long ago.
    fn has_reached(&mut self, t: Micros) {
        let latest = Instant::now().checked_sub(Duration::from_micros(t.0));
        self.began = latest.map_or(self.began, |latest| self.began.min(latest));
    }

    /// Wakes the readers.
    fn wake(&self) {
        for reader in &self.readers {
            reader.notify_one();
        }
    }

    /// Offset after the last command: before the `end` frame if there is one.
    fn after_commands(&self) -> u64 {
        self.over.map_or(self.ring.end(), |o| o.offset)
    }
}

/// The time since a match began, as its commands have it.
pub(crate) fn since(began: Instant) -> Micros {
    Micros(u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX).min(Micros::MAX.0))
}
