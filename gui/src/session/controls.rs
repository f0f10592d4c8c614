//! Playback controls: start, stop, seek, speed, idle time.

use grandstand_protocol::Micros;
use grandstand_replays::Speed;

use super::Session;

/// Choices of how much of idle time is played.
pub(crate) const IDLE_AMOUNTS: [Micros; 3] = [Micros(2_000_000), Micros(800_000), Micros(300_000)];

/// Default choice.
pub(crate) const IDLE_AMOUNT: Micros = IDLE_AMOUNTS[1];

impl Session {
    /// Starts or stops playback; at the end of a recording it starts from the beginning.
    pub(crate) fn play_or_pause(&mut self) {
        self.go(|playback, log| playback.toggle(log));
        self.show(false);
    }

    /// Seeks to a time, in seconds from the start.
    pub(crate) fn seek_secs(&mut self, secs: f64) {
        if self.is_live() && secs >= self.end_secs() {
            return self.go_live();
        }
        let t = Micros::from_secs_f64(secs.max(0.0)).unwrap_or(Micros::MAX);
        self.go(|playback, log| playback.seek_time(log, t));
        self.want_time(Some(t));
        self.show(false);
    }

    /// Seeks to a command and stays there; to one that is on its way, when it arrives.
    pub(crate) fn seek_seq(&mut self, seq: u64) {
        if self.view.open.seek_seq(seq) {
            self.show(false);
        }
    }

    /// Follows another match of a comparison to a command; `moves`: animated.
    pub(crate) fn go_with(&mut self, seq: u64, moves: bool) {
        self.go(|playback, _| playback.pause());
        if seq != self.playback.seq() || seq != self.seq() {
            self.go(|playback, log| playback.seek_seq(log, seq));
            self.show(moves);
        }
    }

    /// Steps by one command.
    pub(crate) fn step(&mut self, forward: bool) {
        let goes_on = self.view.open.step(forward);
        self.show(goes_on);
    }

    /// Steps by one turn.
    pub(crate) fn step_turn(&mut self, forward: bool) {
        let goes_on = self.view.open.step_turn(forward);
        self.show(goes_on);
    }

    pub(crate) fn set_speed(&mut self, speed: Speed) {
        self.playback.set_speed(speed);
    }

    /// Whether idle time is skipped.
    pub(crate) fn skips_idle(&self) -> bool {
        self.playback.idle_max().is_some()
    }

    /// Skips idle time down to the amount that was chosen last, or plays all of it.
    pub(crate) fn skip_idle(&mut self, skips: bool) {
        self.view.playback.set_idle_max(skips.then_some(self.idle_amount));
    }

    /// Amount of idle time that is played when it is skipped.
    pub(crate) fn idle_amount(&self) -> Micros {
        self.idle_amount
    }

    /// Plays at most this much of idle time; `None` plays all of it.
    pub(crate) fn set_idle_max(&mut self, idle_max: Option<Micros>) {
        self.idle_amount = idle_max.unwrap_or(self.idle_amount);
        self.playback.set_idle_max(idle_max);
    }

    /// Chooses the next smaller amount of idle time, and after the smallest all of it.
    pub(crate) fn next_idle_amount(&mut self) {
        let next = match self.playback.idle_max() {
            None => IDLE_AMOUNTS.first(),
            Some(now) => IDLE_AMOUNTS.iter().find(|amount| **amount < now),
        };
        self.set_idle_max(next.copied());
    }

    /// Goes to the start: the set-up of the match.
    pub(crate) fn go_to_start(&mut self) {
        self.view.open.seek_start();
        self.show(false);
    }

    /// Goes to the end: the present of a live match; in spoiler mode the furthest seen picture of a recording.
    pub(crate) fn go_to_end(&mut self) {
        if self.hides_future() && !self.is_live() {
            return self.seek_seq(self.log().last_seq());
        }
        self.go(|playback, log| playback.go_live(log));
        self.show(false);
        self.gone_to_end();
    }

    /// Goes to the present of a live match.
    pub(crate) fn go_live(&mut self) {
        if self.is_live() {
            self.go_to_end();
        }
    }
}
