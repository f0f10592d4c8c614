//! What the viewer does with time: starting and stopping, going somewhere, speed.

use grandstand_protocol::Micros;
use grandstand_replays::{MarkKind, Speed};

use super::{MOVE_SECS, Session};
use crate::annals::{Tick, TickKind};
use crate::board;

/// The end of an event is no more commands after its beginning than this.
const LOOK_BACK: u64 = 600;
/// Of a time in which nothing happens, so much is played when the rest is skipped.
const IDLE_MAX: Micros = Micros(800_000);

impl Session {
    /// Starts or stops; at the end of a recording it starts from the beginning.
    pub(crate) fn play_or_pause(&mut self) {
        self.want_nothing();
        self.playback.toggle(&self.log);
        self.show(false);
    }

    /// Nothing is waited for any more.
    fn want_nothing(&mut self) {
        self.wanted = None;
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
        self.playback.seek_time(&self.log, t);
        self.show(false);
    }

    /// Goes to a command, and stays there; to one that is on its way, when it arrives.
    pub(crate) fn seek_seq(&mut self, seq: u64) {
        self.playback.pause();
        self.want_nothing();
        let is_there = seq <= self.log.last_seq();
        self.wanted = Some(seq).filter(|seq| !is_there || self.is_missing(*seq));
        if !self.awaits_moment() {
            self.wanted = None;
        } else if !is_there {
            return;
        }
        // Of what has to be fetched the picture before it is shown meanwhile.
        self.playback.seek_seq(&self.log, seq.min(self.log.last_seq()));
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

    pub(crate) fn next_command(&mut self) {
        if !self.step_into(self.playback.seq() + 1) {
            self.want_nothing();
            self.playback.step(&self.log);
            self.show(true);
        }
    }

    pub(crate) fn previous_command(&mut self) {
        if !self.step_into(self.playback.seq().saturating_sub(1)) {
            self.want_nothing();
            self.playback.step_back(&self.log);
            self.show(false);
        }
    }

    pub(crate) fn next_turn(&mut self) {
        let seq = self.playback.seq();
        let known = *self.log.stretch(seq).end();
        if self.log.next_turn(seq).is_some_and(|end| end <= known) || !self.step_into(known + 1) {
            self.want_nothing();
            self.playback.step_turn(&self.log);
            self.show(true);
        }
    }

    pub(crate) fn previous_turn(&mut self) {
        let seq = self.playback.seq();
        let known = *self.log.stretch(seq).start();
        let turn = self.log.previous_turn(seq);
        if turn.is_some_and(|end| end >= known) || known == 0 || !self.step_into(known - 1) {
            self.want_nothing();
            self.playback.step_turn_back(&self.log);
            self.show(false);
        }
    }

    pub(crate) fn faster(&mut self) {
        self.playback.set_speed(self.playback.speed().faster());
    }

    pub(crate) fn slower(&mut self) {
        self.playback.set_speed(self.playback.speed().slower());
    }

    pub(crate) fn set_speed(&mut self, speed: Speed) {
        self.playback.set_speed(speed);
    }

    /// Whether time in which nothing happens is skipped.
    pub(crate) fn skips_idle(&self) -> bool {
        self.playback.idle_max().is_some()
    }

    pub(crate) fn skip_idle(&mut self, skips: bool) {
        self.playback.set_idle_max(skips.then_some(IDLE_MAX));
    }

    /// The command that shows an event whole: the last one that came together with it.
    fn whole(&self, event: &Tick) -> u64 {
        let together = board::view(self.scene()).together();
        let end = self.log.seq_at(Micros(event.t.0 + together.0));
        let turn = self.log.next_mark(event.seq, |kind| kind == MarkKind::Turn).map(|mark| mark.seq);
        turn.map_or(end, |turn| turn.min(end)).max(event.seq)
    }

    /// To the next moment that the game has an event at; `false` when there is none yet.
    pub(crate) fn next_event(&mut self) -> bool {
        let ticks = &self.annals.records().ticks;
        // What is shown may lie behind an event and before its end.
        let from = ticks.partition_point(|tick| tick.seq < self.seq().saturating_sub(LOOK_BACK));
        let events = ticks[from..].iter().filter(|tick| matches!(tick.kind, TickKind::Event { .. }));
        let found = events.map(|event| self.whole(event)).find(|seq| *seq > self.seq());
        self.show_event(found)
    }

    /// To the last moment before the picture that the game has an event at; `false` when there was none.
    pub(crate) fn previous_event(&mut self) -> bool {
        let ticks = &self.annals.records().ticks;
        let to = ticks.partition_point(|tick| tick.seq < self.seq());
        let events = ticks[..to].iter().rev().filter(|tick| matches!(tick.kind, TickKind::Event { .. }));
        let found = events.map(|event| self.whole(event)).find(|seq| *seq < self.seq());
        self.show_event(found)
    }

    /// Goes to a command and shows how the picture there came about.
    fn show_event(&mut self, seq: Option<u64>) -> bool {
        if let Some(seq) = seq {
            self.seek_seq(seq);
            self.board.replay(self.now, 2.0 * MOVE_SECS);
        }
        seq.is_some()
    }

    pub(crate) fn go_to_start(&mut self) {
        self.want_nothing();
        self.playback.seek_seq(&self.log, 0);
        self.show(false);
    }

    /// To the end: of a live match, back to the present.
    pub(crate) fn go_to_end(&mut self) {
        self.want_nothing();
        self.playback.go_live(&self.log);
        self.show(false);
    }

    /// Back to the present of a live match.
    pub(crate) fn go_live(&mut self) {
        if self.is_live() {
            self.go_to_end();
        }
    }

    /// Tries to connect at once.
    pub(crate) fn reconnect_now(&self) {
        if let Some(feed) = &self.feed {
            feed.reconnect_now();
        }
    }
}
