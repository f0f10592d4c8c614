//! What the source delivers, taken into the log of the match.

use std::sync::mpsc::TryRecvError;
use std::time::Duration;

use crate::budget::Budget;
use grandstand_board as board;
use grandstand_protocol::message::MatchState;
use grandstand_protocol::{Game, Message, Summary};
use grandstand_replays::{Cursor, End, Log, Playback};
use grandstand_story::EventIndex;

use super::live_stats::LiveStats;
use super::{MatchView, Session, Stage};
use crate::errors::Trouble;
use crate::source::{Connection, Update};

/// How long one frame may spend on what a source delivers.
const TAKE_BUDGET: Duration = Duration::from_millis(6);

impl MatchView {
    /// Takes what the source has delivered, for as long as a frame allows; `true` when there is more.
    pub(super) fn take(&mut self) -> bool {
        let time = Budget::new(TAKE_BUDGET);
        while let Some(update) = self.next_update() {
            self.apply(update);
            if !time.is_left() {
                return true;
            }
        }
        false
    }

    /// What the source delivers next.
    fn next_update(&mut self) -> Option<Update> {
        if let Some(feed) = &self.feed {
            match feed.updates.try_recv() {
                Ok(update) => return Some(update),
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => {
                    self.feed = None;
                    if matches!(self.stage, Stage::Opening) {
                        let trouble = Trouble::new(
                            "Nothing came",
                            "The source ended before it told anything.",
                            "Open it once more.",
                        );
                        self.stage = Stage::Failed(trouble);
                    }
                }
            }
        }
        None
    }

    /// Takes one update in; whether a match begins with it.
    fn apply(&mut self, update: Update) -> bool {
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
                self.note_arrival(last);
            }
            Update::Commands { seq, t, commands } => {
                let last = self.log.last_seq();
                for (seq, command) in (seq..).zip(&commands) {
                    // A number that is known already is one that was sent twice; one that is detached is sent again.
                    let _ = self.log.insert(seq, t, command);
                }
                self.note_arrival(last);
            }
            // Only a session has seats.
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
                let about = &replay.header().about;
                if opens {
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
            self.before = summary.seq;
            if self.is_preview || summary.state == MatchState::Live && !self.awaits_moment() {
                self.playback.go_live(&self.log);
            } else {
                // It is played from its start as soon as all of it has arrived.
                self.playback.pause();
                self.play_when_whole = self.wanted.is_none();
            }
        }
        if self.about.state.is_none() {
            self.spoiler_guard.was_over = self.is_preview && summary.state != MatchState::Live;
        }
        self.about.title = summary.title.to_string();
        self.about.teams = summary.teams;
        self.about.rules = summary.rules;
        self.about.by = summary.by;
        self.about.spectators = Some(summary.spectators);
        self.about.state = Some(summary.state);
        self.log.set_fetched(!self.is_preview);
    }

    /// Something came from the server; before that the log ended with command `last`.
    fn note_arrival(&mut self, last: u64) {
        // What is fetched is not new.
        if self.log.last_seq() > last {
            self.last_arrival = self.now;
        }
    }

    pub(super) fn restart(&mut self, game: Game) {
        self.log = Log::live(game);
        let (speed, idle_max) = (self.playback.speed(), self.playback.idle_max());
        self.playback = Playback::new(&self.log);
        self.playback.set_speed(speed);
        self.playback.set_idle_max(idle_max);
        self.cursor = Cursor::new(&self.log);
        self.reset_spoiler_guard();
        self.board = board::view(self.scene()).board();
    }

    /// Tries to connect at once.
    pub(crate) fn reconnect_now(&self) {
        if let Some(feed) = &self.feed {
            feed.reconnect_now();
        }
    }
}

impl Session {
    /// Takes what the source has delivered and what was fetched, for as long as a frame allows; `true` when there is
    /// more.
    pub(super) fn take(&mut self) -> bool {
        let time = Budget::new(TAKE_BUDGET);
        while let Some(update) = self.next_update() {
            self.apply(update);
            if !time.is_left() {
                return true;
            }
        }
        false
    }

    /// What comes next: first what is new.
    fn next_update(&mut self) -> Option<Update> {
        if let Some(update) = self.view.next_update() {
            return Some(update);
        }
        match self.next_fetched()? {
            Message::Scene { seq, t, scene } => Some(Update::Scene { seq, t, scene: Box::new(scene) }),
            Message::Commands { seq, t, commands } => Some(Update::Commands { seq, t, commands }),
            // Nothing else belongs there.
            _ => None,
        }
    }

    fn apply(&mut self, update: Update) {
        let last = self.view.log.last_seq();
        let (mut seats, mut time) = (None, None);
        match &update {
            Update::Hello(summary) => {
                seats = Some(summary.seats.clone());
                self.live_stats = LiveStats::default();
            }
            Update::Seats(list) => seats = Some(list.clone()),
            Update::Scene { t, .. } | Update::Commands { t, .. } => time = Some(*t),
            Update::End { .. } => self.seat_client.end(),
            Update::Recording { replay, .. } if matches!(self.stage, Stage::Opening) => {
                self.header = Some(replay.header().clone());
            }
            _ => {}
        }
        if self.view.apply(update) {
            self.events = EventIndex::new(self.view.log.game());
            self.looked_at = self.view.before;
        }
        if let Some(seats) = seats {
            self.set_seats(seats);
        }
        // What is fetched is not new.
        if let Some(t) = time.filter(|_| self.view.log.last_seq() > last) {
            self.live_stats.command_arrived(self.view.now, t);
        }
    }

    /// Begins with an empty log of a game.
    pub(super) fn begin(&mut self, game: Game) {
        self.view.restart(game);
        self.events = EventIndex::new(game);
        self.lanes_fixed = false;
    }
}
