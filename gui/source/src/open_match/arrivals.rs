//! Arrivals: updates of the source and fetched commands, moved into the log of the match.

use std::sync::Arc;
use std::sync::mpsc::TryRecvError;

use grandstand_protocol::message::MatchState;
use grandstand_protocol::{Game, MatchSummary, Message, Micros};
use grandstand_replays::{Cursor, End, Log, Playback};

use super::{Delay, OpenMatch, Stage};
use crate::errors::SourceError;
use crate::{Connection, Update};

impl OpenMatch {
    /// The next update to apply: new ones first, then fetched ones.
    pub fn next_update(&mut self) -> Option<Update> {
        if let Some(feed) = &self.feed {
            match feed.updates.try_recv() {
                Ok(update) => return Some(update),
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => {
                    self.feed = None;
                    if matches!(self.stage, Stage::Opening) {
                        let told = "The source ended before it told anything.";
                        self.stage = Stage::Failed(SourceError::new("Nothing came", told, "Open it again."));
                    }
                }
            }
        }
        match self.next_fetched()? {
            Message::Scene { seq, t, scene } => Some(Update::Scene { seq, t, scene: Box::new(scene) }),
            Message::Commands { seq, t, commands } => Some(Update::Commands { seq, t, commands }),
            // Other messages are not expected.
            _ => None,
        }
    }

    /// Applies an update; returns whether the match becomes open by it. Seats are handled by the caller.
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
                    // A known number was sent twice; a detached command will be sent again.
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
                    self.about.event = about.event.as_deref().unwrap_or_default().to_owned();
                    self.about.round = about.round.as_deref().unwrap_or_default().to_owned();
                    self.about.teams = about.teams.clone();
                    self.about.rules = about.rules.clone();
                    self.about.by = about.by.clone();
                    self.header = Some(replay.header().clone());
                    self.stage = Stage::Open;
                }
                self.asked = Arc::clone(replay.bot_requests());
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
                    // The received part stays; no more will come.
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

    fn greet(&mut self, summary: MatchSummary) {
        if matches!(self.stage, Stage::Opening) {
            self.restart(summary.game);
            self.stage = Stage::Open;
            self.seq_at_opening = summary.seq;
            if self.is_preview || summary.state == MatchState::Live && !self.awaits_moment() {
                self.playback.go_live(&self.log);
            } else {
                // Playback starts from the beginning as soon as the whole match has arrived.
                self.playback.pause();
                self.play_when_whole = self.wanted.is_none();
            }
        }
        self.seq_at_greeting = summary.seq;
        // A server that does not tell the time is the same as before, as far as is known.
        if let Some(t) = summary.now {
            self.delay = Delay::default();
            self.delay.time_arrived(self.now, t);
        }
        self.about.title = summary.title.to_string();
        self.about.event = summary.event.as_deref().unwrap_or_default().to_owned();
        self.about.round = summary.round.as_deref().unwrap_or_default().to_owned();
        self.about.teams = summary.teams;
        self.about.rules = summary.rules;
        self.about.by = summary.by;
        self.about.spectators = Some(summary.spectators);
        self.about.state = Some(summary.state);
        self.log.set_fetched(!self.is_preview);
    }

    /// Records an arrival from the server with time `t`; before it the log ended with command `last`.
    fn note_arrival(&mut self, last: u64, t: Micros) {
        // Fetched commands are not new.
        if self.log.last_seq() > last {
            self.last_arrival = self.now;
            if self.log.last_seq() > self.seq_at_greeting {
                self.delay.command_arrived(self.now, t);
            } else {
                // What was drawn before the connection is late for nobody.
                self.delay.time_arrived(self.now, t);
            }
        }
    }

    /// Starts again with an empty log of a game; speed and other settings of the viewer stay.
    pub(super) fn restart(&mut self, game: Game) {
        let (speed, idle_max) = (self.playback.speed(), self.playback.idle_max());
        self.log = Log::live(game);
        self.playback = Playback::new(&self.log);
        self.playback.set_speed(speed);
        self.playback.set_idle_max(idle_max);
        self.cursor = Cursor::new(&self.log);
    }
}
