//! Spoiler mode: of a match nothing is known that the viewer has not seen.
//!
//! Whatever tells of the match, the timeline, the plots, the inspector, reads [`MatchView::log`]. In this mode that is a log
//! of what was seen, up to the furthest picture; what lies after it is in no log that anybody can ask.

use grandstand_replays::{Growth, Log};
use grandstand_story::EventIndex;

use super::{MatchView, Session};

/// When the picture goes on by no more commands than this, they are added to what was seen; else that is taken anew.
const STEP: u64 = 64;

/// What the viewer may know.
#[derive(Debug, Default)]
pub(super) struct SpoilerGuard {
    pub on: bool,
    /// The furthest command that was shown.
    furthest: u64,
    /// The log up to there, where there is more.
    seen: Option<Log>,
    /// Nobody saw how it came to its end: it was over when a glance at it was opened.
    pub was_over: bool,
}

impl SpoilerGuard {
    /// What of the log the viewer may know.
    pub(super) fn log<'a>(&'a self, whole: &'a Log) -> &'a Log {
        self.seen.as_ref().unwrap_or(whole)
    }
}

impl MatchView {
    /// The commands that the viewer may know of.
    pub(crate) fn log(&self) -> &Log {
        self.spoiler_guard.log(self.open.whole_log())
    }

    /// Hides what the viewer has not seen, or shows it again.
    pub(crate) fn set_spoiler_free(&mut self, on: bool) {
        if self.spoiler_guard.on != on {
            self.spoiler_guard.on = on;
            self.update_spoiler_guard(true);
        }
    }

    /// Whether what was not seen is hidden.
    pub(crate) fn is_spoiler_free(&self) -> bool {
        self.spoiler_guard.on
    }

    /// Whether something is hidden that is known.
    pub(crate) fn hides_future(&self) -> bool {
        self.spoiler_guard.seen.is_some()
    }

    /// Whether even the picture tells too much: the last one of a match that was never watched.
    pub(crate) fn hides_picture(&self) -> bool {
        self.spoiler_guard.on && self.spoiler_guard.was_over
    }

    /// The last command that the viewer may go to without going on: of a live match whatever there is, for that says
    /// nothing of how it ends.
    pub(crate) fn reach(&self) -> u64 {
        if self.is_live() { self.open.whole_log().last_seq() } else { self.log().last_seq() }
    }

    /// Lets the log of what was seen end where the furthest picture is. `anew` after the log has lost commands or gained
    /// some that come before others.
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

    /// For how many seconds nothing came after what the viewer may know: without end when nothing will.
    pub(super) fn quiet_secs(&self) -> f64 {
        let known = self.log();
        let end = known.duration();
        match self.open.whole_log().known_after(known.last_seq()).filter(|_| self.hides_future()) {
            Some(next) => self.open.whole_log().time_of(next).since(end).as_secs_f64(),
            None if self.open.whole_log().growth() == Growth::Complete => f64::INFINITY,
            None => self.end_secs() - end.as_secs_f64(),
        }
    }

    /// Another match, or the same from its beginning.
    pub(super) fn reset_spoiler_guard(&mut self) {
        self.spoiler_guard = SpoilerGuard { on: self.spoiler_guard.on, ..SpoilerGuard::default() };
    }
}

impl Session {
    /// Hides what the viewer has not seen, or shows it again.
    pub(crate) fn set_spoiler_free(&mut self, on: bool) {
        self.view.set_spoiler_free(on);
        if self.events.read_to() > self.log().last_seq() {
            // What they know must be forgotten.
            self.events = EventIndex::new(self.whole_log().game());
        }
    }
}
