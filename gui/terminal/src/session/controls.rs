//! The playback controls: start, stop, seek and speed.

use grandstand_protocol::Micros;
use grandstand_replays::{Log, Playback, Speed};
use grandstand_story::markers::Origin;

use super::Session;

/// The part of an idle period that is played when the rest is skipped.
const IDLE: Micros = Micros(800_000);

impl Session {
    /// Starts or stops. At the end of a recording it starts from the beginning.
    pub(crate) fn play_or_pause(&mut self) {
        self.go(false, |playback, log| playback.toggle(log));
    }

    /// Moves by one command, forward or back.
    pub(crate) fn step(&mut self, forward: bool) {
        self.jumps += u64::from(!self.open.step(forward));
        self.show();
    }

    /// Moves by one turn, forward or back.
    pub(crate) fn step_turn(&mut self, forward: bool) {
        self.jumps += u64::from(!self.open.step_turn(forward));
        self.show();
    }

    /// Goes to the start of the match: its set-up.
    pub(crate) fn go_to_start(&mut self) {
        self.open.seek_start();
        self.jumps += 1;
        self.show();
    }

    /// Goes to the end. In a live match it goes to the present and follows it.
    pub(crate) fn go_to_end(&mut self) {
        self.go(true, |playback, log| playback.go_live(log));
    }

    /// Goes to a fraction of the known part of the match: 0 is the start and 1 the end.
    pub(crate) fn go_to_part(&mut self, part: f64) {
        let t = Micros::from_secs_f64(self.end_secs() * part.clamp(0.0, 1.0)).unwrap_or(Micros::MAX);
        self.go(true, |playback, log| playback.seek_time(log, t));
        self.open.want_time(Some(t));
    }

    /// Moves by a fraction of the match. A negative fraction moves back.
    pub(crate) fn go_by_part(&mut self, part: f64) {
        let end = self.end_secs();
        if end > 0.0 {
            let part = self.secs() / end + part;
            if part >= 1.0 { self.go_to_end() } else { self.go_to_part(part) }
        }
    }

    /// Goes to the next or previous event of the game, such as a point or a loss. Returns whether there is one.
    pub(crate) fn go_to_event(&mut self, forward: bool) -> bool {
        let seq = self.playback.seq();
        let markers = self.events.findings().markers.list();
        let ends = markers.iter().filter(|marker| marker.origin == Origin::Game && marker.major);
        let mut ends =
            ends.map(|marker| grandstand_story::event_index::last_of(marker, self.whole_log(), self.scene()));
        let found = if forward { ends.find(|end| *end > seq) } else { ends.rfind(|end| *end < seq) };
        if let Some(end) = found {
            self.go(true, |playback, log| {
                playback.pause();
                playback.seek_seq(log, end);
            });
        }
        found.is_some()
    }

    /// Plays at the speed of the match.
    pub(crate) fn normal_speed(&mut self) {
        self.open.playback.set_speed(Speed::default());
    }

    /// Turns the skipping of idle periods on or off.
    pub(crate) fn toggle_idle(&mut self) {
        let idle_max = if self.playback.idle_max().is_some() { None } else { Some(IDLE) };
        self.open.playback.set_idle_max(idle_max);
    }

    /// Moves the playback. `jumps` tells that the commands in between were not shown.
    fn go(&mut self, jumps: bool, to: impl FnOnce(&mut Playback, &Log)) {
        self.open.go(to);
        self.jumps += u64::from(jumps);
        self.show();
    }
}
