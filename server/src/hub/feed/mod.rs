//! Feed of one match: its summary, its scene, and its numbered, encoded frames.
//!
//! Independent of the game: a scene is the fold of [`Scene::apply`] over the commands.
//!
//! - [`export`]: what is read of a feed for other machines; [`follow`]: a feed that repeats one of another machine

pub(crate) mod export;
mod follow;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytes::Bytes;
use grandstand_protocol::message::{MatchId, MatchState, Message, PROTOCOL, Summary};
use grandstand_protocol::{By, Command, Game, Label, MatchHeader, MatchResult, Micros, Scene, Setting};
use serde_json::Value;
use tokio::sync::Notify;

use super::ring::FrameRing;
use super::seats::Seats;
use super::snapshot::{SnapshotInput, SnapshotReceiver, SnapshotWaiters, Snapshots};
use crate::config::SeatLimits;
use crate::limits::memory::{MemoryBudget, MemoryUse};
use crate::locked::Locked as _;
use crate::recorder::WriteQueue;
use crate::wire::{CloseReason, encode, frame};

/// Size in bytes from which a frame is shared; a shorter one is copied, to be sent with others by one call.
pub(crate) const SHORT: usize = 16 * 1024;
/// Age up to which a `hello` is sent again, with the number of spectators that it had.
const HELLO_AGE: Duration = Duration::from_millis(100);

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
    about: Summary,
    rules: Option<Value>,
    by: Option<By>,
    setup: Vec<Setting>,
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

/// A `hello` frame, reused for spectators that join within [`HELLO_AGE`].
#[derive(Debug)]
struct Hello {
    at: Instant,
    frame: Bytes,
}

/// Frames copied out of the feed for one round of writing.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// Offset of the first byte.
    pub(crate) start: u64,
    /// The frames, one after the other.
    pub(crate) bytes: Vec<u8>,
    /// End offset of each frame, with the number of commands in the batch up to there.
    pub(crate) ends: Vec<(u64, u64)>,
    /// Arrival time of the oldest frame.
    pub(crate) oldest: Option<Instant>,
    /// Number of the last command in the batch, 0 if there is none.
    pub(crate) last: u64,
}

impl Batch {
    /// Offset after the last byte.
    pub(crate) fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    /// Number of commands between two offsets, each at a frame boundary.
    pub(crate) fn commands_between(&self, from: u64, to: u64) -> u64 {
        let up_to = |offset: u64| match self.ends.last() {
            Some((end, commands)) if *end == offset => *commands,
            _ => match self.ends.partition_point(|(end, _)| *end <= offset) {
                0 => 0,
                index => self.ends[index - 1].1,
            },
        };
        up_to(to) - up_to(from)
    }

    /// The rest of the frame that contains `offset`, and the frame's end offset; `None` at a frame boundary.
    pub(crate) fn rest_of_frame(&self, offset: u64) -> Option<(&[u8], u64)> {
        let index = self.ends.partition_point(|(end, _)| *end <= offset);
        let start = if index == 0 { self.start } else { self.ends[index - 1].0 };
        let (end, _) = *self.ends.get(index)?;
        (offset > start)
            .then(|| (&self.bytes[(offset - self.start) as usize..(end - self.start) as usize], end))
    }
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
        let about = Summary {
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
            snapshots,
            waiting: SnapshotWaiters::default(),
            inner: Mutex::new(Inner {
                about,
                rules: None,
                by: None,
                setup: Vec::new(),
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
    pub(crate) fn summary(&self) -> Summary {
        self.inner.locked().summary(self.spectators.load(Ordering::Relaxed))
    }

    /// The current summary, with the rules.
    pub(crate) fn introduction(&self) -> Summary {
        self.inner.locked().introduction(self.spectators.load(Ordering::Relaxed))
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
        inner.outdate_hello();
        for (first, last, frame) in frames {
            inner.ring.append(first, last, frame, now);
        }
        self.publish(&inner);
    }

    /// Ends the match: sets state and result, and appends the `end` frame. A second call changes nothing.
    pub(crate) fn finish(
        &self,
        t: Micros,
        state: MatchState,
        result: Option<MatchResult>,
        reason: CloseReason,
    ) {
        self.finish_with(t, state, result, reason, None);
    }

    /// As [`MatchFeed::finish`], with the encoded `end` frame if it is known.
    fn finish_with(
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

    /// The current `hello` frame: it tells all changes so far, and a number of spectators at most [`HELLO_AGE`] old.
    pub(crate) fn hello(&self) -> Bytes {
        self.hello_encoded_by(|introduction| hello(self.snapshots.memory(), introduction))
    }

    fn hello_encoded_by(&self, encode: impl FnOnce(Summary) -> Bytes) -> Bytes {
        let (changes, introduction) = {
            let inner = self.inner.locked();
            if let Some(hello) = inner.hello.as_ref().filter(|hello| hello.at.elapsed() < HELLO_AGE) {
                return hello.frame.clone();
            }
            (inner.changes, inner.introduction(self.spectators.load(Ordering::Relaxed)))
        };
        // Without the lock, since rules can be long. A frame that a change has outdated meanwhile is for this caller
        // alone, whose place in the feed is before the change.
        let frame = encode(introduction);
        let mut inner = self.inner.locked();
        if inner.changes == changes {
            inner.hello = Some(Hello { at: Instant::now(), frame: frame.clone() });
        }
        frame
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
    fn summary(&self, spectators: u64) -> Summary {
        Summary { spectators, ..self.about.clone() }
    }

    fn introduction(&self, spectators: u64) -> Summary {
        let (rules, by, setup) = (self.rules.clone(), self.by.clone(), self.setup.clone());
        Summary { rules, by, setup, ..self.summary(spectators) }
    }

    /// Drops the `hello`, also one that is being encoded. Every change of what it tells calls this.
    fn outdate_hello(&mut self) {
        self.hello = None;
        self.changes += 1;
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

/// The `hello` frame of a match. A long one is reserved in the memory budget; if that is full, it goes without the
/// rules.
pub(crate) fn hello(memory: &Arc<MemoryBudget>, summary: Summary) -> Bytes {
    let without_rules = Summary { rules: None, setup: Vec::new(), ..summary.clone() };
    let frame = encode(&Message::Hello { protocol: PROTOCOL, r#match: summary });
    if frame.len() < SHORT {
        return frame;
    }
    let short = |_| encode(&Message::Hello { protocol: PROTOCOL, r#match: without_rules });
    memory.hold(MemoryUse::Snapshots, frame).unwrap_or_else(short)
}

#[cfg(test)]
mod tests;
