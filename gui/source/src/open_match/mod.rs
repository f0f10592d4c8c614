//! Open match: its log, and the viewer's position in it.
//!
//! Live and recorded matches are alike here: a [`Log`] that may grow. The viewer either follows its end or is
//! at some position, which the [`Playback`] holds. The window, the page and the terminal have one `OpenMatch` for each shown
//! match. The interface's time is an argument, in seconds, so that everything is tested without waiting.
//!
//! | module | what it is |
//! | --- | --- |
//! | `arrivals` | updates of the source, moved into the log |
//! | `delay` | the present time of a live match, and its delay |
//! | `history` | the part of a match on a server that is not in memory: dropped, and fetched again |

mod arrivals;
mod delay;
mod history;

use std::sync::Arc;
use std::time::Duration;

use grandstand_protocol::message::MatchState;
use grandstand_protocol::{Game, MatchResult, Scene, Software, TeamInfo};
use grandstand_replays::playback::State;
use grandstand_replays::{Cursor, Growth, Header, Log, Playback};
use grandstand_story::format;
use grandstand_story::games::sides;
use serde_json::Value;

pub use self::delay::Delay;
use self::history::History;
use crate::address::Target;
use crate::errors::SourceError;
use crate::{Connection, Feed};

/// The most commands of a live match that a preview keeps.
const PREVIEW_COMMANDS: u64 = 2048;

/// The description of a match.
#[derive(Debug, Clone, Default)]
pub struct About {
    /// The title; may be empty.
    pub title: String,
    /// The event that it belongs to; may be empty.
    pub event: String,
    /// The round of the event; may be empty.
    pub round: String,
    /// The teams.
    pub teams: Vec<TeamInfo>,
    /// The settings in force, if known.
    pub rules: Option<Value>,
    /// The software that drew the match, if known.
    pub by: Option<Software>,
    /// The number of spectators, if a server reported it.
    pub spectators: Option<u64>,
    /// The state of the match, if a server reported it.
    pub state: Option<MatchState>,
}

/// The progress of opening.
#[derive(Debug)]
pub enum Stage {
    /// No update has arrived yet.
    Opening,
    /// The match can be shown.
    Open,
    /// Opening failed.
    Failed(SourceError),
}

/// A match that is open.
#[derive(Debug)]
pub struct OpenMatch {
    /// The target that was opened.
    pub target: Target,
    /// The description of the match.
    pub about: About,
    /// Header of the shown recording.
    header: Option<Header>,
    /// Requests of the recording's bots, line by line, once it was read completely.
    asked: Arc<[String]>,
    /// The progress of opening.
    pub stage: Stage,
    /// The state of the connection of a live match, and the time of the next attempt, in seconds of the interface's time.
    pub connection: Option<(Connection, f64)>,
    /// The fraction of a file that was read, from 0 to 1.
    pub loaded: f32,
    /// The damage of the file.
    pub damage: Option<String>,
    /// The viewer's position.
    pub playback: Playback,
    /// The command to go to as soon as it has arrived.
    pub wanted: Option<u64>,
    /// Whether to go to the set-up as soon as it has been fetched.
    wants_start: bool,
    /// The last command at the time of opening.
    pub seq_at_opening: u64,
    /// The last command when the server described the match last.
    seq_at_greeting: u64,
    /// The present time of a live match, and its delay.
    pub delay: Delay,
    feed: Option<Feed>,
    log: Log,
    cursor: Cursor,
    /// The memory limit for the commands of a match on a server, in bytes.
    log_bytes: usize,
    history: History,
    /// Whether a match that was already over is played from its start once it has arrived.
    play_when_whole: bool,
    /// Whether only the present is needed: one of many boards.
    is_preview: bool,
    /// The first command that a preview still has.
    kept_from: u64,
    /// The arrival time of the last command of a live match, in seconds of the interface's time.
    last_arrival: f64,
    /// The time of the first frame, in seconds of the interface's time.
    begun: Option<f64>,
    now: f64,
}

impl OpenMatch {
    /// A match that was just requested. `log_bytes` limits the commands in memory of one on a server. Without a feed
    /// it gets only the updates that the caller applies.
    pub fn new(target: Target, feed: Option<Feed>, log_bytes: usize) -> OpenMatch {
        let log = Log::live(Game::Abalone);
        OpenMatch {
            wanted: target.moment(),
            wants_start: false,
            target,
            about: About::default(),
            header: None,
            asked: Arc::default(),
            stage: Stage::Opening,
            connection: None,
            loaded: 0.0,
            damage: None,
            playback: Playback::new(&log),
            seq_at_opening: 0,
            seq_at_greeting: 0,
            delay: Delay::default(),
            feed,
            cursor: Cursor::new(&log),
            log,
            log_bytes,
            history: History::default(),
            play_when_whole: false,
            is_preview: false,
            kept_from: 0,
            last_arrival: 0.0,
            begun: None,
            now: 0.0,
        }
    }

    /// A match of which only the present is needed: one of many boards.
    pub fn preview(target: Target, feed: Feed, log_bytes: usize) -> OpenMatch {
        OpenMatch { is_preview: true, ..OpenMatch::new(target, Some(feed), log_bytes) }
    }

    /// Leaves a live match: its picture stays, and nothing more arrives until it is joined again.
    pub fn leave(&mut self) {
        if self.is_live() {
            (self.feed, self.connection) = (None, None);
        }
    }

    /// Whether a live match was left.
    pub fn has_left(&self) -> bool {
        self.is_live() && self.feed.is_none()
    }

    /// Joins a match again that was left. The feed begins with the present.
    pub fn join(&mut self, feed: Feed) {
        self.feed = Some(feed);
    }

    /// A match that can't be opened, with the reason.
    pub fn failed(target: Target, trouble: SourceError) -> OpenMatch {
        OpenMatch { stage: Stage::Failed(trouble), ..OpenMatch::new(target, None, 0) }
    }

    /// Converts the preview of a recording to a full view at the same position; `None` while the recording is incomplete, and for a
    /// match on a server, of which a preview has only the end.
    pub fn closer(&self) -> Option<OpenMatch> {
        let whole = self.log.growth() == Growth::Complete && self.feed.is_none();
        if !whole || matches!(self.target, Target::Match { .. }) {
            return None;
        }
        Some(OpenMatch {
            about: self.about.clone(),
            header: self.header.clone(),
            asked: Arc::clone(&self.asked),
            stage: Stage::Open,
            loaded: self.loaded,
            damage: self.damage.clone(),
            playback: self.playback.clone(),
            log: self.log.clone(),
            cursor: Cursor::new(&self.log),
            ..OpenMatch::new(self.target.clone(), None, self.log_bytes)
        })
    }

    /// Header of the shown recording.
    pub fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// Requests of the recording's bots, line by line, once it was read completely.
    pub fn asked(&self) -> &Arc<[String]> {
        &self.asked
    }

    /// The game, its variant, the event and the round: `Gomoku · 15×15 · Spring cup · round 3`.
    pub fn identity(&self) -> String {
        let game = grandstand_story::identity(self.scene(), self.about.rules.as_ref());
        match self.occasion() {
            Some(occasion) => format!("{game} · {occasion}"),
            None => game,
        }
    }

    /// The title with the names of the players as they are now; empty if the match has none.
    pub fn title(&self) -> String {
        let (title, teams) = (self.about.title.trim(), &self.about.teams);
        match title {
            "" => String::new(),
            title => format::match_title(title, teams, &sides(self.scene(), teams)),
        }
    }

    /// The event and the round, if there is one.
    pub fn occasion(&self) -> Option<String> {
        grandstand_story::occasion(&self.about.event, &self.about.round)
    }

    /// The shown scene.
    pub fn scene(&self) -> &Scene {
        self.cursor.scene()
    }

    /// The number of the last command in the scene.
    pub fn seq(&self) -> u64 {
        self.cursor.seq()
    }

    /// All commands that have arrived and were not dropped.
    pub fn whole_log(&self) -> &Log {
        &self.log
    }

    /// The log, and the cursor of the shown scene.
    pub fn log_and_cursor(&mut self) -> (&Log, &mut Cursor) {
        (&self.log, &mut self.cursor)
    }

    /// The interface's time, in seconds.
    pub fn now(&self) -> f64 {
        self.now
    }

    /// Whether only the present is needed: one of many boards.
    pub fn is_preview(&self) -> bool {
        self.is_preview
    }

    /// Whether more commands will come from a server.
    fn is_growing(&self) -> bool {
        self.log.growth() == Growth::Live && matches!(self.stage, Stage::Open)
    }

    /// Whether the match goes on, as far as the server has told.
    pub fn is_live(&self) -> bool {
        self.is_growing() && matches!(self.about.state, None | Some(MatchState::Live))
    }

    /// Whether the match is over, and is still arriving from its server.
    pub fn is_arriving(&self) -> bool {
        self.is_growing() && !self.is_live()
    }

    /// Whether the scene is the last one that a server has told.
    pub fn is_following(&self) -> bool {
        self.is_growing() && self.playback.state() == State::Following
    }

    /// Whether the scene advances by itself.
    pub fn is_running(&self) -> bool {
        self.playback.state() != State::Paused
    }

    /// Whether the scene is the last one of a match that is over.
    pub fn is_at_end(&self) -> bool {
        self.log.growth() == Growth::Complete && self.seq() == self.log.last_seq()
    }

    /// Whether opening failed.
    pub fn is_failed(&self) -> bool {
        matches!(self.stage, Stage::Failed(_))
    }

    /// The result of the match, if known.
    pub fn result(&self) -> Option<&MatchResult> {
        self.log.end().and_then(|end| end.result.as_ref())
    }

    /// The last command before the viewer came, while the scene is the present; else 0.
    pub fn history_before(&self) -> u64 {
        if self.is_following() { self.seq_at_opening } else { 0 }
    }

    /// The time of the scene, in seconds since the match began.
    pub fn secs(&self) -> f64 {
        if self.is_following() { self.end_secs() } else { self.playback.time().as_secs_f64() }
    }

    /// The time of the end as far as it is known, in seconds since the match began; for a live match, the present.
    pub fn end_secs(&self) -> f64 {
        let known = self.log.end_time().as_secs_f64();
        // The match goes on while its connection is broken.
        let present = self.delay.present_secs(self.now).filter(|_| self.is_live());
        present.map_or(known, |present| present.max(known))
    }

    /// The time since the last command of a live match arrived, in seconds.
    pub fn silent_secs(&self) -> f64 {
        (self.now - self.last_arrival).max(0.0)
    }

    /// The time since the first frame, in seconds. `now` is the interface's time.
    pub fn opening_secs(&self, now: f64) -> f64 {
        now - self.begun.unwrap_or(now)
    }

    /// Sets the interface's time, in seconds, and returns the duration of the previous frame.
    pub fn begin_frame(&mut self, now: f64) -> Duration {
        // A window that was hidden for an hour, or a terminal that was stopped, continues at its position.
        let passed = if self.now > 0.0 { (now - self.now).clamp(0.0, 0.25) } else { 0.0 };
        self.now = now;
        self.begun.get_or_insert(now);
        Duration::from_secs_f64(passed)
    }

    /// Moves the playback by `to`, and cancels all waiting.
    pub fn go(&mut self, to: impl FnOnce(&mut Playback, &Log)) {
        self.wanted = None;
        self.wants_start = false;
        self.play_when_whole = false;
        self.want_time(None);
        to(&mut self.playback, &self.log);
    }

    /// Goes to a command and pauses there; to one that has not arrived or must be fetched, as soon as it arrives. Returns whether the
    /// playback has already moved.
    pub fn seek_seq(&mut self, seq: u64) -> bool {
        self.go(|playback, _| playback.pause());
        let is_there = seq <= self.log.last_seq();
        self.wanted = Some(seq).filter(|seq| !is_there || self.is_missing(*seq));
        if !self.awaits_moment() {
            self.wanted = None;
        } else if !is_there {
            return false;
        }
        // While the command is fetched, the scene before it is shown.
        self.playback.seek_seq(&self.log, seq.min(self.log.last_seq()));
        true
    }

    /// Goes to the start of the match: its set-up, as soon as that has been fetched.
    pub fn seek_start(&mut self) {
        self.go(|playback, log| playback.seek_start(log));
        self.wants_start = self.is_missing(1);
    }

    /// Steps by one command, forward or back, and waits for one that must be fetched. Returns whether the scene only moves forward.
    pub fn step(&mut self, forward: bool) -> bool {
        let seq = self.playback.seq();
        let to = if forward { seq + 1 } else { seq.saturating_sub(1) };
        if self.is_missing(to) {
            self.seek_seq(to);
            return false;
        }
        self.go(|playback, log| _ = if forward { playback.step(log) } else { playback.step_back(log) });
        forward
    }

    /// Steps by one turn, like [`OpenMatch::step`].
    pub fn step_turn(&mut self, forward: bool) -> bool {
        let seq = self.playback.seq();
        let known = self.log.stretch(seq);
        let (turn, beyond) = if forward {
            (self.log.next_turn(seq), known.end() + 1)
        } else {
            (self.log.previous_turn(seq), known.start().saturating_sub(1))
        };
        if !turn.is_some_and(|end| known.contains(&end)) && self.is_missing(beyond) {
            self.seek_seq(beyond);
            return false;
        }
        self.go(|playback, log| {
            _ = if forward { playback.step_turn(log) } else { playback.step_turn_back(log) };
        });
        forward
    }

    /// Selects the next faster or slower speed.
    pub fn change_speed(&mut self, faster: bool) {
        let speed = self.playback.speed();
        self.playback.set_speed(if faster { speed.faster() } else { speed.slower() });
    }

    /// Advances the playback by `passed` if the match is open and running; returns whether it is.
    pub fn advance(&mut self, passed: Duration) -> bool {
        let runs = self.is_running() && matches!(self.stage, Stage::Open);
        if runs {
            self.playback.advance(&self.log, passed);
        }
        runs
    }

    /// Whether the wanted command exists and has only not arrived yet.
    pub fn awaits_moment(&self) -> bool {
        let arrives = |wanted| {
            wanted <= self.seq_at_opening || self.log.growth() == Growth::Loading || self.is_missing(wanted)
        };
        self.wanted.is_some_and(arrives)
    }

    /// Moves the playback to the wanted command once it is known; returns whether it did.
    pub fn go_to_wanted(&mut self) -> bool {
        if self.wants_start && !self.is_missing(1) {
            self.wants_start = false;
            self.playback.seek_start(&self.log);
            return true;
        }
        let is_here = |seq: &u64| *seq <= self.log.last_seq() || self.log.growth() == Growth::Complete;
        let Some(wanted) = self.wanted.filter(is_here).filter(|seq| !self.is_missing(*seq)) else {
            return false;
        };
        self.wanted = None;
        self.playback.pause();
        self.playback.seek_seq(&self.log, wanted);
        true
    }

    /// Drops all of a live match except the scene and a little before it.
    pub fn forget_past(&mut self) {
        let seq = self.seq();
        if self.log.growth() != Growth::Live
            || seq < self.log.last_seq()
            || seq - self.kept_from < PREVIEW_COMMANDS
        {
            return;
        }
        let mut log = Log::live(self.log.game());
        log.rebase(seq, self.log.duration(), self.scene().clone());
        (self.log, self.kept_from) = (log, seq);
    }

    /// Connects at once, without the rest of the pause.
    pub fn reconnect_now(&self) {
        if let Some(feed) = &self.feed {
            feed.reconnect_now();
        }
    }
}
