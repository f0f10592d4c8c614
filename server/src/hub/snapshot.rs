//! Encoded pictures of matches in memory.
//!
//! A picture is made once for all who want it at the same time, and never under its match's lock: who draws, and every
//! other match, goes on meanwhile. A large one is made on a thread that may block, and serves those who come later too as
//! long as what was drawn since is little beside it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use grandstand_protocol::message::{MatchId, Message};
use grandstand_protocol::{Micros, Scene};
use tokio::sync::{Semaphore, oneshot};

use super::feed::Match;
use crate::memory::{Full, Kept, Memory, Reservation, Use};
use crate::wire::encode;

/// Bytes from which on a picture is large.
const LARGE: usize = 64 * 1024;
/// Large pictures that are made at the same time.
const MAKERS: usize = 2;

/// A picture as a frame.
#[derive(Debug, Clone)]
pub(crate) struct Picture {
    pub(crate) frame: Bytes,
    /// Where the feed goes on after it.
    pub(crate) cursor: u64,
}

/// A picture, at once or later; an error of the receiver is that the server stops.
pub(crate) type Wanted = oneshot::Receiver<Result<Picture, Full>>;

/// What a picture is made of.
#[derive(Debug)]
pub(super) struct Sketch {
    pub(super) seq: u64,
    pub(super) t: Micros,
    pub(super) scene: Scene,
    pub(super) cursor: u64,
}

impl Sketch {
    fn finish(self, mut memory: Reservation) -> Result<Picture, Full> {
        let Self { seq, t, scene, cursor } = self;
        let frame = encode(&Message::Scene { seq, t, scene });
        memory.resize(frame.len())?;
        Ok(Picture { frame: memory.hold(frame), cursor })
    }
}

/// The pictures of all matches in memory.
#[derive(Debug)]
pub(crate) struct Pictures {
    memory: Arc<Memory>,
    kept: Mutex<Kept<MatchId, Picture>>,
    makers: Semaphore,
    /// Bytes that may have been drawn since a large picture.
    since: u64,
}

type Senders = Vec<oneshot::Sender<Result<Picture, Full>>>;

/// Who waits for a match's picture, while one is being made.
#[derive(Debug, Default)]
pub(super) struct Waiting(Mutex<Option<Senders>>);

impl Waiting {
    fn lock(&self) -> MutexGuard<'_, Option<Senders>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pictures {
    /// On an account; a large picture serves until `since` bytes were drawn after it.
    pub(crate) fn new(memory: Arc<Memory>, since: u64) -> Arc<Self> {
        let kept = Mutex::new(Kept::new(memory.share(Use::Pictures) / 6));
        Arc::new(Self { memory, kept, makers: Semaphore::new(MAKERS), since })
    }

    /// The account.
    pub(super) fn memory(&self) -> &Arc<Memory> {
        &self.memory
    }

    fn kept(&self) -> MutexGuard<'_, Kept<MatchId, Picture>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The picture of `feed` as it is now, or, if that is large, was a moment ago.
    pub(super) fn of(self: &Arc<Self>, feed: &Arc<Match>) -> Wanted {
        let (sender, wanted) = oneshot::channel();
        // Whoever has gone does not want it.
        let answer = |sender: oneshot::Sender<_>, picture| drop(sender.send(picture));
        let mut waiting = feed.waiting().lock();
        let kept = self.kept().get(feed.id());
        if let Some(picture) = kept.filter(|picture| self.serves(feed, picture)) {
            answer(sender, Ok(picture));
        } else if let Some(waiting) = &mut *waiting {
            waiting.push(sender);
        } else {
            let bytes = feed.scene_bytes();
            match self.memory.reserve(Use::Pictures, bytes) {
                Err(full) => answer(sender, Err(full)),
                Ok(memory) if bytes < LARGE => {
                    let picture = feed.sketch().finish(memory);
                    self.keep(feed, &picture);
                    answer(sender, picture);
                }
                Ok(memory) => {
                    *waiting = Some(vec![sender]);
                    tokio::spawn(self.clone().make(feed.clone(), memory));
                }
            }
        }
        wanted
    }

    fn serves(&self, feed: &Match, picture: &Picture) -> bool {
        let drawn = feed.drawn_since(picture.cursor);
        let most =
            if picture.frame.len() < LARGE { 0 } else { self.since.min(picture.frame.len() as u64 / 4) };
        drawn.is_some_and(|bytes| bytes <= most)
    }

    fn keep(&self, feed: &Match, picture: &Result<Picture, Full>) {
        if let Ok(picture) = picture {
            self.kept().put(feed.id().clone(), picture.clone(), picture.frame.len());
        }
    }

    /// Makes a large picture for all who wait for it.
    async fn make(self: Arc<Self>, feed: Arc<Match>, memory: Reservation) {
        // Never closed.
        let turn = self.makers.acquire().await;
        let drawn = feed.clone();
        let made = tokio::task::spawn_blocking(move || drawn.sketch().finish(memory)).await;
        drop(turn);
        let mut waiting = feed.waiting().lock();
        let waiting = waiting.take().unwrap_or_default();
        // Without an answer, who waits is told by that.
        let Ok(picture) = made else { return };
        self.keep(&feed, &picture);
        for sender in waiting {
            let _ = sender.send(picture.clone());
        }
    }
}
