//! Spoiler mode: of a match nothing is known that the viewer has not seen.
//!
//! Whatever tells of the match, the timeline, the plots, the inspector, reads [`Session::log`]. In this mode that is a log
//! of what was seen, up to the furthest picture; what lies after it is in no log that anybody can ask.

use grandstand_replays::Log;

use super::Session;
use crate::annals::Annals;

/// What the viewer may know.
#[derive(Debug, Default)]
pub(super) struct Veil {
    pub on: bool,
    /// The furthest command that was shown.
    furthest: u64,
    /// The log up to there, where there is more.
    seen: Option<Log>,
    /// Nobody saw how it came to its end: it was over when a glance at it was opened.
    pub was_over: bool,
}

impl Veil {
    /// What of the log the viewer may know.
    pub(super) fn log<'a>(&'a self, whole: &'a Log) -> &'a Log {
        self.seen.as_ref().unwrap_or(whole)
    }
}

impl Session {
    /// The commands that the viewer may know of.
    pub(crate) fn log(&self) -> &Log {
        self.veil.log(&self.log)
    }

    /// Hides what the viewer has not seen, or shows it again.
    pub(crate) fn set_spoiler_free(&mut self, on: bool) {
        if self.veil.on == on {
            return;
        }
        self.veil.on = on;
        self.veil.seen = None;
        if on {
            self.veil.seen = Some(Log::live(self.log.game()));
            // What they know must be forgotten.
            self.annals = Annals::new(self.log.game());
        }
        self.draw_veil(None);
    }

    /// Whether something is hidden that is known.
    pub(crate) fn hides_future(&self) -> bool {
        self.veil.seen.is_some()
    }

    /// Whether even the picture tells too much: the last one of a match that was never watched.
    pub(crate) fn hides_picture(&self) -> bool {
        self.veil.on && self.veil.was_over
    }

    /// The log as it is, where all of it was seen, for [`Session::draw_veil`] after more has come.
    pub(super) fn all_seen(&self) -> Option<Log> {
        (self.veil.on && self.veil.seen.is_none()).then(|| self.log.clone())
    }

    /// Lets the log of what was seen end where the furthest picture is. `before` is a log of which all was seen.
    pub(super) fn draw_veil(&mut self, before: Option<Log>) {
        self.veil.furthest = self.veil.furthest.max(self.seq());
        if !self.veil.on || self.veil.furthest >= self.log.last_seq() {
            self.veil.seen = None;
            return;
        }
        let seen = match (&mut self.veil.seen, before) {
            (Some(seen), _) => seen,
            (none, before) => {
                let fits = |log: &Log| log.game() == self.log.game() && log.last_seq() <= self.veil.furthest;
                none.insert(before.filter(fits).unwrap_or_else(|| Log::live(self.log.game())))
            }
        };
        while seen.last_seq() < self.veil.furthest {
            let next = seen.last_seq() + 1;
            match self.log.command(next) {
                Some(command) => drop(seen.insert(next, self.log.time_of(next), &command)),
                None => {
                    // Commands are missing; the scene after them is known.
                    let known = self.log.known_after(seen.last_seq()).unwrap_or(next);
                    seen.rebase(known, self.log.time_of(known), self.log.scene_at(known));
                    if seen.last_seq() < known {
                        return;
                    }
                }
            }
        }
    }

    /// Another match, or the same from its beginning.
    pub(super) fn renew_veil(&mut self) {
        self.veil = Veil { on: self.veil.on, ..Veil::default() };
    }
}
