//! What the viewer does with time: starting and stopping, going somewhere, speed.

use grandstand_protocol::Micros;
use grandstand_replays::Speed;

use super::Session;

/// Of a time in which nothing happens, so much may be played and the rest is skipped: what the viewer chooses from.
pub(crate) const IDLE_AMOUNTS: [Micros; 3] = [Micros(2_000_000), Micros(800_000), Micros(300_000)];

/// What is played of such a time unless the viewer chooses.
pub(crate) const IDLE_AMOUNT: Micros = IDLE_AMOUNTS[1];

impl Session {
    /// Starts or stops; at the end of a recording it starts from the beginning.
    pub(crate) fn play_or_pause(&mut self) {
        self.want_nothing();
        self.view.playback.toggle(&self.view.log);
        self.show(false);
    }

    /// Nothing is waited for any more.
    fn want_nothing(&mut self) {
        self.view.wanted = None;
        self.want_time(None);
    }

    /// Goes to a time, in seconds from the start.
    pub(crate) fn seek_secs(&mut self, secs: f64) {
        if self.is_live() && secs >= self.end_secs() {
            return self.go_live();
        }
        let t = Micros::from_secs_f64(secs.max(0.0)).unwrap_or(Micros::MAX);
        self.want_nothing();
        self.want_time(Some(t));
        self.view.playback.seek_time(&self.view.log, t);
        self.show(false);
    }

    /// Goes to a command, and stays there; to one that is on its way, when it arrives.
    pub(crate) fn seek_seq(&mut self, seq: u64) {
        self.view.playback.pause();
        self.want_nothing();
        let is_there = seq <= self.view.log.last_seq();
        self.view.wanted = Some(seq).filter(|seq| !is_there || self.is_missing(*seq));
        if !self.awaits_moment() {
            self.view.wanted = None;
        } else if !is_there {
            return;
        }
        // Of what has to be fetched the picture before it is shown meanwhile.
        self.view.playback.seek_seq(&self.view.log, seq.min(self.view.log.last_seq()));
        self.show(false);
    }

    /// Goes to a command that a step would pass over because it has to be fetched; `false` when there is none.
    fn step_into(&mut self, seq: u64) -> bool {
        let missing = self.is_missing(seq);
        if missing {
            self.seek_seq(seq);
        }
        missing
    }

    /// Shows the picture after a command, because another match that this one goes with does: on the move, or at once.
    pub(crate) fn go_with(&mut self, seq: u64, moves: bool) {
        self.want_nothing();
        self.view.playback.pause();
        if seq != self.view.playback.seq() || seq != self.seq() {
            self.view.playback.seek_seq(&self.view.log, seq);
            self.show(moves);
        }
    }

    pub(crate) fn next_command(&mut self) {
        if !self.step_into(self.view.playback.seq() + 1) {
            self.want_nothing();
            self.view.playback.step(&self.view.log);
            self.show(true);
        }
    }

    pub(crate) fn previous_command(&mut self) {
        if !self.step_into(self.view.playback.seq().saturating_sub(1)) {
            self.want_nothing();
            self.view.playback.step_back(&self.view.log);
            self.show(false);
        }
    }

    pub(crate) fn next_turn(&mut self) {
        let seq = self.view.playback.seq();
        let known = *self.view.log.stretch(seq).end();
        if self.view.log.next_turn(seq).is_some_and(|end| end <= known) || !self.step_into(known + 1) {
            self.want_nothing();
            self.view.playback.step_turn(&self.view.log);
            self.show(true);
        }
    }

    pub(crate) fn previous_turn(&mut self) {
        let seq = self.view.playback.seq();
        let known = *self.view.log.stretch(seq).start();
        let turn = self.view.log.previous_turn(seq);
        if turn.is_some_and(|end| end >= known) || known == 0 || !self.step_into(known - 1) {
            self.want_nothing();
            self.view.playback.step_turn_back(&self.view.log);
            self.show(false);
        }
    }

    pub(crate) fn faster(&mut self) {
        self.view.playback.set_speed(self.view.playback.speed().faster());
    }

    pub(crate) fn slower(&mut self) {
        self.view.playback.set_speed(self.view.playback.speed().slower());
    }

    pub(crate) fn set_speed(&mut self, speed: Speed) {
        self.view.playback.set_speed(speed);
    }

    /// Whether time in which nothing happens is skipped.
    pub(crate) fn skips_idle(&self) -> bool {
        self.view.playback.idle_max().is_some()
    }

    /// Skips idle time down to the amount that was chosen last, or plays all of it.
    pub(crate) fn skip_idle(&mut self, skips: bool) {
        self.view.playback.set_idle_max(skips.then_some(self.idle_amount));
    }

    /// How much idle time is played when the rest is skipped.
    pub(crate) fn idle_amount(&self) -> Micros {
        self.idle_amount
    }

    /// Of a time in which nothing happens, plays so much; `None`: all of it.
    pub(crate) fn set_idle_max(&mut self, idle_max: Option<Micros>) {
        self.idle_amount = idle_max.unwrap_or(self.idle_amount);
        self.view.playback.set_idle_max(idle_max);
    }

    /// From one amount of idle time to the next smaller one, and then to all of it.
    pub(crate) fn next_idle_amount(&mut self) {
        let next = match self.view.playback.idle_max() {
            None => IDLE_AMOUNTS.first(),
            Some(now) => IDLE_AMOUNTS.iter().find(|amount| **amount < now),
        };
        self.set_idle_max(next.copied());
    }

    pub(crate) fn go_to_start(&mut self) {
        self.want_nothing();
        self.view.playback.seek_seq(&self.view.log, 0);
        self.show(false);
    }

    /// To the end: of a live match, back to the present; in spoiler mode of a recording, to the furthest that was seen.
    pub(crate) fn go_to_end(&mut self) {
        self.want_nothing();
        if self.hides_future() && !self.is_live() {
            return self.seek_seq(self.log().last_seq());
        }
        self.view.playback.go_live(&self.view.log);
        self.show(false);
        self.gone_to_end();
    }

    /// Back to the present of a live match.
    pub(crate) fn go_live(&mut self) {
        if self.is_live() {
            self.go_to_end();
        }
    }
}
