//! A watched match: its log, the viewer's position, and the events found in it.
//!
//! The interface's time is an argument, in seconds, so that all of this is tested without waiting.

mod controls;

use std::collections::VecDeque;

use grandstand_protocol::Micros;
use grandstand_replays::playback::State;
use grandstand_source::address::Target;
use grandstand_source::errors::SourceError;
pub(crate) use grandstand_source::open_match::Stage;
use grandstand_source::{Connection, Feed, OpenMatch, Update};
use grandstand_story::EventIndex;
use grandstand_story::game::Line;
use grandstand_story::narration::{Narrator, Shown};
use grandstand_story::sides::Side;
use grandstand_story::{sides, story};

/// The maximum memory for the commands of a match on a server.
const LOG_BYTES: usize = 64 << 20;
/// The maximum number of updates taken in one frame.
const UPDATES: usize = 200;
/// The maximum number of narration lines kept for the screen.
const LINES: usize = 120;
/// The maximum number of stretches of a few hundred commands that are searched for events in one frame.
const STRETCHES: u32 = 60;
/// The time until the next frame while the picture moves by itself, in seconds.
const FRAME: f64 = 0.05;
/// The time until the next frame while only the time changes, in seconds.
const SECOND: f64 = 0.5;
/// The delay from which on a picture is reported as late, in seconds.
const LATE: f64 = 2.0;

/// A watched match: an [`OpenMatch`], to which it dereferences, and the events found in it.
#[derive(Debug)]
pub(crate) struct Session {
    open: OpenMatch,
    pub events: EventIndex,
    narrator: Narrator,
    /// The narration of what the picture has shown, the latest line last.
    pub lines: VecDeque<Line>,
    /// The number of jumps: movements of the picture to another position instead of the next one.
    jumps: u64,
}

grandstand_source::deref_to_field!(Session, open: OpenMatch);

impl Session {
    /// A match that was just requested. `seq` is the command to start at.
    pub(crate) fn new(target: Target, feed: Option<Feed>, seq: Option<u64>) -> Session {
        let mut open = match feed {
            Some(_) => OpenMatch::new(target, feed, LOG_BYTES),
            None => {
                let what = format!("{target} is not one match.");
                let trouble = SourceError::new("Nothing to watch", what, "Name a match or a recording.");
                OpenMatch::failed(target, trouble)
            }
        };
        open.wanted = seq.or(open.wanted);
        Session::of(open)
    }

    pub(crate) fn of(open: OpenMatch) -> Session {
        Session {
            events: EventIndex::new(open.whole_log().game()),
            open,
            narrator: Narrator::default(),
            lines: VecDeque::new(),
            jumps: 0,
        }
    }

    /// The sides of the match.
    pub(crate) fn sides(&self) -> Vec<Side> {
        sides(self.scene(), &self.about.teams)
    }

    /// Whether everything that a live match had when it was opened has arrived.
    pub(crate) fn is_present(&self) -> bool {
        self.is_live() && self.whole_log().last_seq() >= self.seq_at_opening
    }

    /// The time of the picture, as a moment of the match.
    pub(crate) fn time(&self) -> Micros {
        Micros::from_secs_f64(self.secs().max(0.0)).unwrap_or(Micros::MAX)
    }

    /// The delay of the present of a live match behind the events, in seconds. It is `None` for delays that a viewer would not notice.
    pub(crate) fn late_secs(&self) -> Option<f64> {
        self.delay.late_secs().filter(|late| *late > LATE && self.is_live())
    }

    /// The number of seconds since the last arrival; infinite when nothing more will arrive.
    fn quiet_secs(&self) -> f64 {
        if self.is_live() { self.silent_secs() } else { f64::INFINITY }
    }

    /// Takes the updates that arrived and advances the clock to `now`. Returns the number of seconds until the next frame; `None` waits
    /// until something arrives or a key is pressed.
    pub(crate) fn update(&mut self, now: f64) -> Option<f64> {
        let passed = self.open.begin_frame(now);
        let more = self.take();
        let fetches = self.open.fetch();
        self.open.trim();
        let mut stretches = 0;
        let quiet = self.quiet_secs();
        let unread = self.events.update(self.open.whole_log(), quiet, || {
            stretches += 1;
            stretches < STRETCHES
        });
        let came = self.open.go_to_time_that_came();
        self.jumps += u64::from(came | self.open.go_to_wanted());
        self.open.advance(passed);
        self.show();
        if more || unread {
            return Some(0.0);
        }
        self.next_frame(fetches)
    }

    /// Takes the updates that arrived, up to the maximum of one frame. Returns whether there are more.
    fn take(&mut self) -> bool {
        for _ in 0..UPDATES {
            let Some(update) = self.open.next_update() else { return false };
            self.apply(update);
        }
        true
    }

    /// Applies one update. Updates about seats are ignored, because people play in the window or the browser only.
    pub(crate) fn apply(&mut self, update: Update) {
        if self.open.apply(update) {
            self.events = EventIndex::new(self.open.whole_log().game());
            self.narrator = Narrator::default();
            self.lines.clear();
        }
    }

    fn next_frame(&self, fetches: bool) -> Option<f64> {
        let waits = matches!(self.connection, Some((Connection::Waiting { .. }, _)));
        let ticks = self.is_running() && story(self.scene()).is_ticking();
        if self.playback.state() == State::Playing {
            Some(FRAME)
        } else if ticks || fetches {
            Some(2.0 * FRAME)
        } else if self.is_live() || waits {
            Some(SECOND)
        } else {
            None
        }
    }

    /// Moves the picture to the position of the playback and narrates what it shows.
    fn show(&mut self) {
        let seq = self.playback.seq();
        let (log, cursor) = self.open.log_and_cursor();
        cursor.move_to(log, seq);
        let mut narrator = std::mem::take(&mut self.narrator);
        let since = self.secs() - self.whole_log().time_of(self.seq()).as_secs_f64();
        let shown = Shown {
            key: "",
            log: self.whole_log(),
            teams: &self.about.teams,
            seq: self.seq(),
            scene: self.scene(),
            jumps: self.jumps,
            history_before: self.history_before(),
            // Moves are told whole, whatever frames show of them.
            quiet: if self.is_running() { since } else { f64::INFINITY },
            is_at_end: self.is_at_end(),
            result: self.result(),
        };
        let narration = narrator.tell(&shown);
        self.narrator = narrator;
        if let Some(narration) = narration {
            if narration.fresh {
                self.lines.clear();
            }
            self.lines.extend(narration.lines);
            self.lines.drain(..self.lines.len().saturating_sub(LINES));
        }
    }
}
