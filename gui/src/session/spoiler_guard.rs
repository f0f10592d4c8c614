//! Spoiler guard: hides everything of a match that the viewer has not seen.
//!
//! Timeline, plots, inspector and all others read [`MatchView::log`]. In spoiler mode that is a log up to the furthest
//! seen picture; the rest can't be reached through it.

use grandstand_replays::{Growth, Log};
use grandstand_story::EventIndex;

use super::{MatchView, Session};

/// Length of a step up to which commands are added to the seen log; after a longer one it is made anew.
const STEP: u64 = 64;

/// State of the guard.
#[derive(Debug, Default)]
pub(super) struct SpoilerGuard {
    pub on: bool,
    /// The furthest command that was shown.
    furthest: u64,
    /// The log up to there; `None` if that is all of it.
    seen: Option<Log>,
    /// Whether the match was already over when its preview was opened, so that nobody saw its end.
    pub was_over: bool,
}

impl SpoilerGuard {
    /// The part of the log that the viewer may know.
    pub(super) fn log<'a>(&'a self, whole: &'a Log) -> &'a Log {
        self.seen.as_ref().unwrap_or(whole)
    }
}

impl MatchView {
    /// The commands that the viewer may know.
    pub(crate) fn log(&self) -> &Log {
        self.spoiler_guard.log(self.open.whole_log())
    }

    /// Turns spoiler mode on or off.
    pub(crate) fn set_spoiler_free(&mut self, on: bool) {
        if self.spoiler_guard.on != on {
            self.spoiler_guard.on = on;
            self.update_spoiler_guard(true);
        }
    }

    /// Whether spoiler mode is on.
    pub(crate) fn is_spoiler_free(&self) -> bool {
        self.spoiler_guard.on
    }

    /// Whether known commands are hidden.
    pub(crate) fn hides_future(&self) -> bool {
        self.spoiler_guard.seen.is_some()
    }

    /// Whether even the picture must be hidden: the end of a match that was not watched.
    pub(crate) fn hides_picture(&self) -> bool {
        self.spoiler_guard.on && self.spoiler_guard.was_over
    }

    /// The last command that the viewer may seek to. Of a live match that is the last one, which reveals nothing of its
    /// end.
    pub(crate) fn reach(&self) -> u64 {
        if self.is_live() { self.open.whole_log().last_seq() } else { self.log().last_seq() }
    }

    /// Extends the seen log to the furthest picture. `anew`: makes it again, after the log has lost commands or gained
    /// some in between.
    pub(super) fn update_spoiler_guard(&mut self, anew: bool) {
        self.spoiler_guard.furthest = self.spoiler_guard.furthest.max(self.seq());
        let furthest = self.spoiler_guard.furthest;
        if !self.spoiler_guard.on || furthest >= self.open.whole_log().last_seq() {
            self.spoiler_guard.seen = None;
            return;
        }
        if let Some(seen) = self.spoiler_guard.seen.as_mut().filter(|_| !anew) {
            let from = seen.last_seq();
            if from >= self.open.whole_log().known(furthest) {
                return;
            }
            let near = furthest - from <= STEP && from >= *self.open.whole_log().stretch(furthest).start();
            if near {
                for seq in from + 1..=furthest {
                    if let Some(command) = self.open.whole_log().command(seq) {
                        let _ = seen.insert(seq, self.open.whole_log().time_of(seq), &command);
                    }
                }
                return;
            }
        }
        self.spoiler_guard.seen = Some(self.open.whole_log().until(furthest));
    }

    /// Seconds without commands after the known part; infinite if no more will come.
    pub(super) fn quiet_secs(&self) -> f64 {
        let known = self.log();
        let end = known.duration();
        match self.open.whole_log().known_after(known.last_seq()).filter(|_| self.hides_future()) {
            Some(next) => self.open.whole_log().time_of(next).since(end).as_secs_f64(),
            None if self.open.whole_log().growth() == Growth::Complete => f64::INFINITY,
            None => self.end_secs() - end.as_secs_f64(),
        }
    }

    /// Starts again for another match, or the same from its beginning.
    pub(super) fn reset_spoiler_guard(&mut self) {
        self.spoiler_guard = SpoilerGuard { on: self.spoiler_guard.on, ..SpoilerGuard::default() };
    }
}

impl Session {
    /// Turns spoiler mode on or off.
    pub(crate) fn set_spoiler_free(&mut self, on: bool) {
        self.view.set_spoiler_free(on);
        if self.events.read_to() > self.log().last_seq() {
            // The events contain the future and must be found again.
            self.events = EventIndex::new(self.whole_log().game());
        }
    }
}
