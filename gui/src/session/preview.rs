//! A match that is only glanced at, one of many on a wall: its picture, and nothing of its past.

use grandstand_replays::{Growth, Log};

use super::{MatchView, Session, Stage};
use crate::address::Target;
use crate::source::Feed;

/// So many commands of a live match are kept, at most.
const KEPT: u64 = 2048;

impl MatchView {
    /// A match that has just been asked for and of which the present is enough.
    pub(crate) fn preview(target: Target, feed: Feed) -> MatchView {
        let mut view = MatchView::new(target, Some(feed));
        view.is_preview = true;
        view
    }

    /// Whether it could not be opened.
    pub(crate) fn is_failed(&self) -> bool {
        matches!(self.stage, Stage::Failed(_))
    }

    /// Whether nothing more will come.
    pub(crate) fn is_over(&self) -> bool {
        self.is_failed() || self.log.growth() == Growth::Complete
    }

    /// The same recording at the same place, for a closer look; `None` while it is not whole, and for a match on a
    /// server, of which a glance has only the last of it.
    pub(crate) fn closer(&self) -> Option<Session> {
        let whole = self.log.growth() == Growth::Complete && self.feed.is_none();
        if !whole || matches!(self.target, Target::Match { .. }) {
            return None;
        }
        let mut closer = Session::of(self.target.clone(), None);
        closer.begin(self.log.game());
        closer.view.log = self.log.clone();
        closer.view.about = self.about.clone();
        closer.view.stage = Stage::Open;
        closer.view.loaded = self.loaded;
        closer.view.damage.clone_from(&self.damage);
        closer.view.playback = self.playback.clone();
        closer.show(false);
        Some(closer)
    }

    /// What a wall shows again and again.
    pub(crate) fn play_again(&mut self) {
        self.wanted = None;
        self.playback.seek_seq(&self.log, 0);
        self.show(false);
        self.playback.play(&self.log);
    }

    /// Of a live match nothing is kept but the picture, and a little before it.
    pub(super) fn forget_past(&mut self) {
        let seq = self.seq();
        if self.log.growth() != Growth::Live || seq < self.log.last_seq() || seq - self.kept_from < KEPT {
            return;
        }
        let mut log = Log::live(self.log.game());
        log.rebase(seq, self.log.duration(), self.scene().clone());
        (self.log, self.kept_from) = (log, seq);
    }
}
