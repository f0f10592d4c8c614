//! Preview of a match, for a tile of a wall: its present picture without its past.

use grandstand_replays::Growth;

use super::match_view::LOG_BYTES;
use super::{MatchView, Session};
use crate::address::Target;
use crate::source::{Feed, OpenMatch};

impl MatchView {
    /// A preview of a match that is being opened.
    pub(crate) fn preview(target: Target, feed: Feed) -> MatchView {
        MatchView::new(OpenMatch::preview(target, feed, LOG_BYTES))
    }

    /// Whether nothing more will arrive.
    pub(crate) fn is_over(&self) -> bool {
        self.is_failed() || self.whole_log().growth() == Growth::Complete
    }

    /// A session of the same recording at the same position; `None` where [`OpenMatch::closer`] gives none.
    pub(crate) fn closer(&self) -> Option<Session> {
        let mut closer = Session::of(self.open.closer()?);
        closer.show(false);
        Some(closer)
    }

    /// Stops at a position, given in percent of the commands.
    pub(crate) fn stand_at(&mut self, part: u64) {
        self.go(|playback, log| {
            playback.pause();
            playback.seek_seq(log, log.last_seq() * part / 100);
        });
        self.show(false);
    }

    /// Stops a recording where it is, or plays it on.
    pub(crate) fn pause(&mut self, pauses: bool) {
        self.go(|playback, log| if pauses { playback.pause() } else { playback.play(log) });
    }

    /// Plays a recording again from its start.
    pub(crate) fn play_again(&mut self) {
        self.go(|playback, log| playback.seek_seq(log, 0));
        self.show(false);
        self.go(|playback, log| playback.play(log));
    }
}
