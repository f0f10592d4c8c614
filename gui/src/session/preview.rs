//! A match that is only glanced at, one of many on a wall: its picture, and nothing of its past.

use grandstand_replays::Growth;

use super::match_view::LOG_BYTES;
use super::{MatchView, Session};
use crate::address::Target;
use crate::source::{Feed, OpenMatch};

impl MatchView {
    /// A match that has just been asked for and of which the present is enough.
    pub(crate) fn preview(target: Target, feed: Feed) -> MatchView {
        MatchView::new(OpenMatch::preview(target, feed, LOG_BYTES))
    }

    /// Whether nothing more will come.
    pub(crate) fn is_over(&self) -> bool {
        self.is_failed() || self.whole_log().growth() == Growth::Complete
    }

    /// The same recording at the same place, for a closer look; `None` where [`OpenMatch::closer`] is.
    pub(crate) fn closer(&self) -> Option<Session> {
        let mut closer = Session::of(self.open.closer()?);
        closer.show(false);
        Some(closer)
    }

    /// Stands at a part of the match, in hundredths of its commands.
    pub(crate) fn stand_at(&mut self, part: u64) {
        self.go(|playback, log| {
            playback.pause();
            playback.seek_seq(log, log.last_seq() * part / 100);
        });
        self.show(false);
    }

    /// What a wall shows again and again.
    pub(crate) fn play_again(&mut self) {
        self.go(|playback, log| playback.seek_seq(log, 0));
        self.show(false);
        self.go(|playback, log| playback.play(log));
    }
}
