//! What the source delivers, and what was fetched, taken into the log of the match.

use std::sync::mpsc::TryRecvError;

use grandstand_protocol::message::MatchState;
use grandstand_protocol::{Game, Message, Micros, Summary};
use grandstand_replays::{Cursor, End, Log, Playback};

use super::{Delay, OpenMatch, Stage};
use crate::errors::Trouble;
use crate::{Connection, Update};

impl OpenMatch {
    /// What there is to be taken in next: first what is new, then what was fetched.
    pub fn next_update(&mut self) -> Option<Update> {
        if let Some(feed) = &self.feed {
            match feed.updates.try_recv() {
                Ok(update) => return Some(update),
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => {
                    self.feed = None;
                    if matches!(self.stage, Stage::Opening) {
                        let told = "The source ended before it told anything.";
                        self.stage = Stage::Failed(Trouble::new("Nothing came", told, "Open it once more."));
                    }
                }
            }
        }
        match self.next_fetched()? {
            Message::Scene { seq, t, scene } => Some(Update::Scene { seq, t, scene: Box::new(scene) }),
            Message::Commands { seq, t, commands } => Some(Update::Commands { seq, t, commands }),
            // Nothing else belongs there.
            _ => None,
        }
    }

    /// Takes one update in; whether a match begins with it. Seats are the caller's.
    pub fn apply(&mut self, update: Update) -> bool {
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
            Update::Seats(_) => {}
            Update::End { t, result } => {
                self.log.close(Some(End { t, result }));
                self.connection = None;
                if std::mem::take(&mut self.play_when_whole) {
                    self.playback.seek_seq(&self.log, 0);
                    self.playback.play(&self.log);
                }
            }
            Update::Recording { replay, loaded } => {
                if opens {
                    let about = &replay.header().about;
                    self.restart(replay.header().game);
                    self.about.title = about.title.to_string();
                    self.about.teams = about.teams.clone();
                    self.about.rules = about.rules.clone();
                    self.about.by = about.by.clone();
                    self.stage = Stage::Open;
                }
                self.loaded = loaded;
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
        opens && matches!(self.stage, Stage::Open)
    }

    fn greet(&mut self, summary: Summary) {
        if matches!(self.stage, Stage::Opening) {
            self.restart(summary.game);
            self.stage = Stage::Open;
            self.seq_at_opening = summary.seq;
            if self.is_preview || summary.state == MatchState::Live && !self.awaits_moment() {
                self.playback.go_live(&self.log);
            } else {
                // It is played from its start as soon as all of it has arrived.
                self.playback.pause();
                self.play_when_whole = self.wanted.is_none();
            }
        }
        self.delay = Delay::default();
        self.about.title = summary.title.to_string();
        self.about.teams = summary.teams;
        self.about.rules = summary.rules;
        self.about.by = summary.by;
        self.about.spectators = Some(summary.spectators);
        self.about.state = Some(summary.state);
        self.log.set_fetched(!self.is_preview);
    }

    /// Something came from the server that happened at `t`; before that the log ended with command `last`.
    fn note_arrival(&mut self, last: u64, t: Micros) {
        // What is fetched is not new.
        if self.log.last_seq() > last {
            self.last_arrival = self.now;
            self.delay.command_arrived(self.now, t);
        }
    }

    /// Begins with an empty log of a game; speed and the rest of the viewer's choices stay.
    pub(super) fn restart(&mut self, game: Game) {
        let (speed, idle_max) = (self.playback.speed(), self.playback.idle_max());
        self.log = Log::live(game);
        self.playback = Playback::new(&self.log);
        self.playback.set_speed(speed);
        self.playback.set_idle_max(idle_max);
        self.cursor = Cursor::new(&self.log);
    }
}
