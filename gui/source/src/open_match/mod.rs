//! Match that is open: what has arrived of it, and where in it the viewer is.
//!
//! Live and recorded matches are the same thing here, a [`Log`] that may grow. The viewer either follows its end or is
//! somewhere in it: a [`Playback`] says where. The window, the page and the terminal hold one of these for each match that
//! they show. The interface's time comes as an argument, in seconds, so that all of this is tested without waiting.
//!
//! | module | what it is |
//! | --- | --- |
//! | `arrivals` | updates of the source, taken into the log |
//! | `delay` | how late the present of a live match is |
//! | `history` | what of a match on a server is not in memory: dropped, and fetched again |

mod arrivals;
mod delay;
mod history;

use std::time::Duration;

use grandstand_protocol::message::MatchState;
use grandstand_protocol::{By, Game, MatchResult, Scene, TeamInfo};
use grandstand_replays::playback::State;
use grandstand_replays::{Cursor, Growth, Log, Playback};
use serde_json::Value;

pub use self::delay::Delay;
use self::history::History;
use crate::address::Target;
use crate::errors::Trouble;
use crate::{Connection, Feed};

/// So many commands of a live match are kept in a preview, at most.
const PREVIEW_COMMANDS: u64 = 2048;

/// What is known of a match besides its commands.
#[derive(Debug, Clone, Default)]
pub struct About {
    /// What it is called; empty where it has no name.
    pub title: String,
    /// Who plays.
    pub teams: Vec<TeamInfo>,
    /// The settings in force, where they were told.
    pub rules: Option<Value>,
    /// What drew it, where that was told.
    pub by: Option<By>,
    /// How many watch it, where a server said so.
    pub spectators: Option<u64>,
    /// Whether it goes on, where a server said so.
    pub state: Option<MatchState>,
}

/// How far opening has come.
#[derive(Debug)]
pub enum Stage {
    /// Nothing has arrived yet.
    Opening,
    /// There is something to see.
    Open,
    /// Nothing will come, and why.
    Failed(Trouble),
}

/// A match that is open.
#[derive(Debug)]
pub struct OpenMatch {
    /// Where it comes from.
    pub target: Target,
    /// What is known of it besides its commands.
    pub about: About,
    /// How far opening has come.
    pub stage: Stage,
    /// How the connection fares, for a live match, and when the next attempt comes, in seconds of the interface's time.
    pub connection: Option<(Connection, f64)>,
    /// How much of a file has been read, from 0 to 1.
    pub loaded: f32,
    /// What is wrong with the file.
    pub damage: Option<String>,
    /// Where in it the viewer is.
    pub playback: Playback,
    /// The command to show as soon as it has arrived.
    pub wanted: Option<u64>,
    /// The last command that there was when it was opened.
    pub seq_at_opening: u64,
    /// How late its present is.
    pub delay: Delay,
    feed: Option<Feed>,
    log: Log,
    cursor: Cursor,
    /// How much memory the commands of a match on a server may take.
    log_bytes: usize,
    history: History,
    /// A match that is over already is played from its start when it has arrived.
    play_when_whole: bool,
    /// Only the picture matters: one of many boards.
    is_preview: bool,
    /// The first command that a preview still has.
    kept_from: u64,
    /// When the last command of a live match arrived, in seconds of the interface's time.
    last_arrival: f64,
    /// When it was first looked at, in seconds of the interface's time.
    begun: Option<f64>,
    now: f64,
}

impl OpenMatch {
    /// A match that has just been asked for; of one on a server, `log_bytes` of commands are kept in memory. Without a feed
    /// it has only the updates that the caller applies.
    pub fn new(target: Target, feed: Option<Feed>, log_bytes: usize) -> OpenMatch {
        let log = Log::live(Game::Abalone);
        OpenMatch {
            wanted: target.moment(),
            target,
            about: About::default(),
            stage: Stage::Opening,
            connection: None,
            loaded: 0.0,
            damage: None,
            playback: Playback::new(&log),
            seq_at_opening: 0,
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

    /// The same where the present is enough: one of many boards.
    pub fn preview(target: Target, feed: Feed, log_bytes: usize) -> OpenMatch {
        OpenMatch { is_preview: true, ..OpenMatch::new(target, Some(feed), log_bytes) }
    }

    /// Something that can't be opened, and why.
    pub fn failed(target: Target, trouble: Trouble) -> OpenMatch {
        OpenMatch { stage: Stage::Failed(trouble), ..OpenMatch::new(target, None, 0) }
    }

    /// The same recording at the same place, for a closer look than a preview is; `None` while it is not whole, and for a
    /// match on a server, of which a preview has only the last of it.
    pub fn closer(&self) -> Option<OpenMatch> {
        let whole = self.log.growth() == Growth::Complete && self.feed.is_none();
        if !whole || matches!(self.target, Target::Match { .. }) {
            return None;
        }
        Some(OpenMatch {
            about: self.about.clone(),
            stage: Stage::Open,
            loaded: self.loaded,
            damage: self.damage.clone(),
            playback: self.playback.clone(),
            log: self.log.clone(),
            cursor: Cursor::new(&self.log),
            ..OpenMatch::new(self.target.clone(), None, self.log_bytes)
        })
    }

    /// The picture that is shown.
    pub fn scene(&self) -> &Scene {
        self.cursor.scene()
    }

    /// The number of the command that the picture shows last.
    pub fn seq(&self) -> u64 {
        self.cursor.seq()
    }

    /// All commands that have arrived and were not dropped.
    pub fn whole_log(&self) -> &Log {
        &self.log
    }

    /// The log, and the picture that moves along it.
    pub fn log_and_cursor(&mut self) -> (&Log, &mut Cursor) {
        (&self.log, &mut self.cursor)
    }

    /// The interface's time, in seconds.
    pub fn now(&self) -> f64 {
        self.now
    }

    /// Whether only its present matters: one of many boards.
    pub fn is_preview(&self) -> bool {
        self.is_preview
    }

    /// Whether more commands will come from a server.
    pub fn is_live(&self) -> bool {
        self.log.growth() == Growth::Live && matches!(self.stage, Stage::Open)
    }

    /// Whether the picture is the present of a live match.
    pub fn is_following(&self) -> bool {
        self.is_live() && self.playback.state() == State::Following
    }

    /// Whether the picture goes on by itself.
    pub fn is_running(&self) -> bool {
        self.playback.state() != State::Paused
    }

    /// Whether the picture is the last one of a match that is over.
    pub fn is_at_end(&self) -> bool {
        self.log.growth() == Growth::Complete && self.seq() == self.log.last_seq()
    }

    /// Whether it could not be opened.
    pub fn is_failed(&self) -> bool {
        matches!(self.stage, Stage::Failed(_))
    }

    /// How the match ended, where that is known.
    pub fn result(&self) -> Option<&MatchResult> {
        self.log.end().and_then(|end| end.result.as_ref())
    }

    /// The last command that came before the viewer did, while the picture is the present; else 0.
    pub fn history_before(&self) -> u64 {
        if self.is_following() { self.seq_at_opening } else { 0 }
    }

    /// The time of the picture, in seconds since the match began.
    pub fn secs(&self) -> f64 {
        if self.is_following() { self.end_secs() } else { self.playback.time().as_secs_f64() }
    }

    /// The time of the end as far as it is known, in seconds since the match began: of a live match, now.
    pub fn end_secs(&self) -> f64 {
        let known = self.log.end_time().as_secs_f64();
        let connected = matches!(self.connection, Some((Connection::Connected, _)));
        if self.is_live() && connected && self.last_arrival > 0.0 {
            known + self.silent_secs()
        } else {
            known
        }
    }

    /// How long ago the last command of a live match arrived, in seconds.
    pub fn silent_secs(&self) -> f64 {
        (self.now - self.last_arrival).max(0.0)
    }

    /// How long it has been looked at, in seconds. `now` is the interface's time.
    pub fn opening_secs(&self, now: f64) -> f64 {
        now - self.begun.unwrap_or(now)
    }

    /// Sets the time of the interface, in seconds; how long the frame before it was.
    pub fn begin_frame(&mut self, now: f64) -> Duration {
        // A window that was hidden for an hour, or a terminal that was stopped, goes on where it was.
        let passed = if self.now > 0.0 { (now - self.now).clamp(0.0, 0.25) } else { 0.0 };
        self.now = now;
        self.begun.get_or_insert(now);
        Duration::from_secs_f64(passed)
    }

    /// Moves the playback to where the viewer wants it; nothing is waited for any more.
    pub fn go(&mut self, to: impl FnOnce(&mut Playback, &Log)) {
        self.wanted = None;
        self.play_when_whole = false;
        self.want_time(None);
        to(&mut self.playback, &self.log);
    }

    /// Goes to a command, and stays there; to one that is on its way or has to be fetched, when it arrives. Whether the playback
    /// is somewhere else already.
    pub fn seek_seq(&mut self, seq: u64) -> bool {
        self.go(|playback, _| playback.pause());
        let is_there = seq <= self.log.last_seq();
        self.wanted = Some(seq).filter(|seq| !is_there || self.is_missing(*seq));
        if !self.awaits_moment() {
            self.wanted = None;
        } else if !is_there {
            return false;
        }
        // Of what has to be fetched the picture before it is shown meanwhile.
        self.playback.seek_seq(&self.log, seq.min(self.log.last_seq()));
        true
    }

    /// By one command, forward or back; whether the picture only goes on by it. One that has to be fetched is waited for.
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

    /// By one turn, as [`OpenMatch::step`].
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

    /// Plays faster, or slower.
    pub fn change_speed(&mut self, faster: bool) {
        let speed = self.playback.speed();
        self.playback.set_speed(if faster { speed.faster() } else { speed.slower() });
    }

    /// Lets the playback go on by so much time, where the match is open and runs; whether it does.
    pub fn advance(&mut self, passed: Duration) -> bool {
        let runs = self.is_running() && matches!(self.stage, Stage::Open);
        if runs {
            self.playback.advance(&self.log, passed);
        }
        runs
    }

    /// Whether the moment that was asked for is there, and has only not arrived yet.
    pub fn awaits_moment(&self) -> bool {
        let arrives = |wanted| {
            wanted <= self.seq_at_opening || self.log.growth() == Growth::Loading || self.is_missing(wanted)
        };
        self.wanted.is_some_and(arrives)
    }

    /// Moves the playback to the command that is waited for, when it is there; whether it does.
    pub fn go_to_wanted(&mut self) -> bool {
        let is_here = |seq: &u64| *seq <= self.log.last_seq() || self.log.growth() == Growth::Complete;
        let Some(wanted) = self.wanted.filter(is_here).filter(|seq| !self.is_missing(*seq)) else {
            return false;
        };
        self.wanted = None;
        self.playback.pause();
        self.playback.seek_seq(&self.log, wanted);
        true
    }

    /// Of a live match drops all but the picture and a little before it.
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

    /// Tries to connect at once.
    pub fn reconnect_now(&self) {
        if let Some(feed) = &self.feed {
            feed.reconnect_now();
        }
    }
}
