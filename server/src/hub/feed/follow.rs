//! A feed that repeats one of another machine, with the frames that were encoded there.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use bytes::Bytes;
use grandstand_protocol::message::MatchSummary;
use grandstand_protocol::{Micros, Scene, Seat};

use super::{EndMark, MatchFeed};
use crate::config::SeatLimits;
use crate::hub::snapshot::Snapshots;
use crate::locked::Locked as _;
use crate::wire::CloseReason;

impl MatchFeed {
    /// A match that is played elsewhere, from the scene after command `introduction.seq` on.
    pub(crate) fn followed(
        introduction: MatchSummary,
        t: Micros,
        scene: Scene,
        memory_bytes: usize,
        snapshots: Arc<Snapshots>,
        seats: &SeatLimits,
    ) -> Self {
        let started = introduction.started.to_string();
        let feed = Self::new(introduction.id.clone(), started, memory_bytes, None, snapshots, seats);
        let feed = Self { followed: true, spectators: AtomicU64::new(0), ..feed };
        feed.resync(introduction, t, scene);
        feed
    }

    /// Whether the match is played elsewhere.
    pub(crate) fn is_followed(&self) -> bool {
        self.followed
    }

    /// Continues with this description and the scene after command `introduction.seq`. Spectators who missed commands
    /// are sent the scene.
    pub(crate) fn resync(&self, introduction: MatchSummary, t: Micros, scene: Scene) {
        let seq = introduction.seq;
        self.describe(introduction);
        let mut inner = self.inner.locked();
        inner.about.seq = seq;
        inner.scene = scene;
        inner.t = t;
        inner.has_reached(t);
        inner.ring.skip_to(seq);
        inner.outdate_hello();
        self.publish(&inner);
    }

    /// Takes over the description of the match; its game only before the first command.
    pub(crate) fn describe(&self, introduction: MatchSummary) {
        let mut inner = self.inner.locked();
        let MatchSummary { rules, by, .. } = introduction.clone();
        let seq = inner.about.seq;
        if seq == 0 && inner.about.game != introduction.game {
            inner.scene = Scene::new(introduction.game);
        }
        let game = if seq == 0 { introduction.game } else { inner.about.game };
        let state = inner.about.state;
        inner.about = MatchSummary {
            rules: None,
            by: None,
            now: None,
            seq,
            spectators: 0,
            game,
            state,
            ..introduction
        };
        (inner.rules, inner.by) = (rules, by);
        inner.outdate_hello();
    }

    /// Notes that the match began at `began` or earlier.
    pub(crate) fn set_began(&self, began: Instant) {
        let mut inner = self.inner.locked();
        inner.began = inner.began.min(began);
        inner.outdate_hello();
    }

    /// Appends a frame with the seats as they are from now on.
    pub(crate) fn append_seats(&self, seats: Vec<Seat>, frame: Bytes) {
        let mut inner = self.inner.locked();
        inner.about.seats = seats;
        inner.outdate_hello();
        let seq = inner.about.seq;
        inner.ring.append(seq + 1, seq, frame, Instant::now());
        self.publish(&inner);
    }

    /// Drops a match that still goes on; the remaining spectators are closed with `reason`.
    pub(crate) fn retire(&self, reason: CloseReason) {
        self.seats.close();
        let mut inner = self.inner.locked();
        let offset = inner.ring.end();
        inner.over.get_or_insert(EndMark { offset, reason });
        inner.wake();
    }

    /// Number of the spectators.
    pub(crate) fn watched_by(&self) -> u64 {
        self.spectators.load(Ordering::Relaxed)
    }
}
