//! What the source delivers, taken into the log of the match.

use std::sync::mpsc::TryRecvError;

use grandstand_protocol::message::MatchState;
use grandstand_protocol::{Game, Micros, Summary};
use grandstand_replays::{Cursor, End, Log, Playback};
use grandstand_source::errors::Trouble;
use grandstand_source::{Connection, Update};
use grandstand_story::EventIndex;
use grandstand_story::narration::Narrator;

use super::{Session, Stage};

/// How many updates one frame takes.
const UPDATES: usize = 200;

impl Session {
    /// Takes what the source has delivered, as much as one frame may; `true` when there is more.
    pub(super) fn take(&mut self) -> bool {
        for _ in 0..UPDATES {
            let Some(feed) = &self.feed else { return false };
            match feed.updates.try_recv() {
                Ok(update) => self.apply(update),
                Err(TryRecvError::Empty) => return false,
                Err(TryRecvError::Disconnected) => {
                    self.feed = None;
                    if matches!(self.stage, Stage::Opening) {
                        let told = "The source ended before it told anything.";
                        self.stage = Stage::Failed(Trouble::new("Nothing came", told, "Open it once more."));
                    }
                }
            }
        }
        true
    }

    /// Takes one update in.
    pub(crate) fn apply(&mut self, update: Update) {
        let opens = matches!(self.stage, Stage::Opening);
        match update {
            Update::Connection(connection) => {
                let due = match &connection {
                    Connection::Waiting { pause, .. } => self.now + pause.as_secs_f64(),
                    _ => self.now,
                };
                self.connection = Some((connection, due));
            }
            Update::Hello(summary) => self.greet(*summary),
            Update::Scene { seq, t, scene } => {
                let last = self.log.last_seq();
                self.log.rebase(seq, t, *scene);
                self.note_arrival(last, t);
            }
            Update::Commands { seq, t, commands } => {
                let last = self.log.last_seq();
                for (seq, command) in (seq..).zip(&commands) {
                    // A number that is known already is one that was sent twice; one that is detached is sent again.
                    let _ = self.log.insert(seq, t, command);
                }
                self.note_arrival(last, t);
            }
            // Who plays here does so in the window or the browser.
            Update::Seats(_) => {}
            Update::End { t, result } => {
                self.log.close(Some(End { t, result }));
                self.connection = None;
                if std::mem::take(&mut self.play_when_whole) {
                    self.playback.seek_seq(&self.log, 0);
                    self.playback.play(&self.log);
                }
            }
            Update::Recording { replay, .. } => {
                if opens {
                    let about = &replay.header().about;
                    self.restart(replay.header().game);
                    self.about.title = about.title.to_string();
                    self.about.teams = about.teams.clone();
                    self.about.rules = about.rules.clone();
                    self.stage = Stage::Open;
                }
                self.damage = replay.damage().map(ToString::to_string);
                self.log = replay.into_log();
                if opens && self.wanted.is_none() {
                    self.playback.play(&self.log);
                }
            }
            Update::Failed(trouble) => {
                self.connection = None;
                match self.stage {
                    // What has been seen stays; it is only known now that no more will come.
                    Stage::Open if self.log.last_seq() > 0 => {
                        self.damage = Some(trouble.to_string());
                        self.log.close(None);
                    }
                    _ => self.stage = Stage::Failed(trouble),
                }
            }
        }
    }

    fn greet(&mut self, summary: Summary) {
        if matches!(self.stage, Stage::Opening) {
            self.restart(summary.game);
            self.stage = Stage::Open;
            self.before = summary.seq;
            if summary.state == MatchState::Live && self.wanted.is_none() {
                self.playback.go_live(&self.log);
            } else {
                // It is played from its start as soon as all of it has arrived.
                self.playback.pause();
                self.play_when_whole = self.wanted.is_none();
            }
        }
        self.delay = None;
        self.about.title = summary.title.to_string();
        self.about.teams = summary.teams;
        self.about.rules = summary.rules;
        self.about.state = Some(summary.state);
    }

    /// Something came from the server that happened at `t`; before that the log ended with command `last`.
    fn note_arrival(&mut self, last: u64, t: Micros) {
        // What was fetched, or was there before, is not new.
        if self.log.last_seq() > last {
            self.last_arrival = self.now;
            if self.log.last_seq() > self.before {
                let apart = self.now - t.as_secs_f64();
                let fastest = self.delay.map_or(apart, |(fastest, _)| fastest.min(apart));
                self.delay = Some((fastest, apart - fastest));
            }
        }
    }

    fn restart(&mut self, game: Game) {
        let (speed, idle_max) = (self.playback.speed(), self.playback.idle_max());
        self.log = Log::live(game);
        self.playback = Playback::new(&self.log);
        self.playback.set_speed(speed);
        self.playback.set_idle_max(idle_max);
        self.cursor = Cursor::new(&self.log);
        self.events = EventIndex::new(game);
        self.narrator = Narrator::default();
        self.lines.clear();
    }

    /// Begins with this log.
    #[cfg(test)]
    pub(crate) fn show_log(&mut self, log: Log) {
        self.restart(log.game());
        self.log = log;
    }

    /// Tries to connect at once.
    pub(crate) fn reconnect_now(&self) {
        if let Some(feed) = &self.feed {
            feed.reconnect_now();
        }
    }
}
