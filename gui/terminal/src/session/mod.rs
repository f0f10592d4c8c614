//! A match that is watched: its log, where in it the viewer is, and what has been found in it.
//!
//! The interface's time comes as an argument, in seconds, so that all of this is tested without waiting.

mod arrivals;
mod controls;
mod history;

use std::collections::VecDeque;
use std::time::Duration;

use grandstand_protocol::message::MatchState;
use grandstand_protocol::{Game, MatchResult, Micros, Scene, TeamInfo};
use grandstand_replays::playback::State;
use grandstand_replays::{Cursor, Growth, Log, Playback};
use grandstand_source::address::Target;
use grandstand_source::errors::Trouble;
use grandstand_source::{Connection, Feed};
use grandstand_story::EventIndex;
use grandstand_story::game::Line;
use grandstand_story::narration::{Narrator, Shown};
use grandstand_story::sides::Side;
use grandstand_story::{sides, story};
use serde_json::Value;

use self::history::History;

/// How much memory the commands of a match on a server may take.
const LOG_BYTES: usize = 64 << 20;
/// How many lines of what happened are kept for the screen.
const LINES: usize = 60;
/// How many stretches of a few hundred commands are read in one frame for what happened in them.
const STRETCHES: u32 = 60;
/// How long until the next frame while the picture goes on by itself, in seconds.
const FRAME: f64 = 0.05;
/// The same where only the time goes on.
const SECOND: f64 = 0.5;
/// A picture that is later than this is said to be, in seconds.
const LATE: f64 = 2.0;

/// How far opening has come.
#[derive(Debug)]
pub(crate) enum Stage {
    /// Nothing has arrived yet.
    Opening,
    /// There is something to see.
    Open,
    /// Nothing will come, and why.
    Failed(Trouble),
}

/// What is known of a match besides its commands.
#[derive(Debug, Default)]
pub(crate) struct About {
    pub title: String,
    pub teams: Vec<TeamInfo>,
    pub rules: Option<Value>,
    pub state: Option<MatchState>,
}

/// A match and the picture of it.
#[derive(Debug)]
pub(crate) struct Session {
    pub target: Target,
    pub about: About,
    pub stage: Stage,
    /// How the connection fares, for a live match, and when the next attempt comes.
    pub connection: Option<(Connection, f64)>,
    /// What is wrong with the file.
    pub damage: Option<String>,
    pub playback: Playback,
    pub log: Log,
    cursor: Cursor,
    pub events: EventIndex,
    narrator: Narrator,
    /// What the picture has shown, in words, the latest last.
    pub lines: VecDeque<Line>,
    feed: Option<Feed>,
    /// The command to show as soon as it has arrived.
    wanted: Option<u64>,
    /// A match that is over already is played from its start when it has arrived.
    play_when_whole: bool,
    /// The last command that there was when the match was opened.
    before: u64,
    last_arrival: f64,
    /// The least time between a command's moment and its arrival, and by how much the last one was later than that.
    delay: Option<(f64, f64)>,
    history: History,
    /// How often the picture was put somewhere else, instead of going on.
    jumps: u64,
    now: f64,
}

impl Session {
    /// A match that has just been asked for; `seq` is the command to begin at.
    pub(crate) fn new(target: Target, feed: Option<Feed>, seq: Option<u64>) -> Session {
        let log = Log::live(Game::Abalone);
        let nothing = || {
            Stage::Failed(Trouble::new(
                "Nothing to watch",
                format!("{target} is not one match."),
                "Name a match or a recording.",
            ))
        };
        Session {
            stage: if feed.is_some() { Stage::Opening } else { nothing() },
            wanted: seq.or_else(|| target.moment()),
            target,
            about: About::default(),
            connection: None,
            damage: None,
            playback: Playback::new(&log),
            cursor: Cursor::new(&log),
            events: EventIndex::new(log.game()),
            log,
            narrator: Narrator::default(),
            lines: VecDeque::new(),
            feed,
            play_when_whole: false,
            before: 0,
            last_arrival: 0.0,
            delay: None,
            history: History::default(),
            jumps: 0,
            now: 0.0,
        }
    }

    /// The picture that is shown.
    pub(crate) fn scene(&self) -> &Scene {
        self.cursor.scene()
    }

    /// The number of the command that the picture shows last.
    pub(crate) fn seq(&self) -> u64 {
        self.cursor.seq()
    }

    /// Who plays.
    pub(crate) fn sides(&self) -> Vec<Side> {
        sides(self.scene(), &self.about.teams)
    }

    /// Whether more commands will come from a server.
    pub(crate) fn is_live(&self) -> bool {
        self.log.growth() == Growth::Live && matches!(self.stage, Stage::Open)
    }

    /// Whether the picture is the present of a live match.
    pub(crate) fn is_following(&self) -> bool {
        self.is_live() && self.playback.state() == State::Following
    }

    /// Whether the picture goes on by itself.
    pub(crate) fn is_running(&self) -> bool {
        self.playback.state() != State::Paused
    }

    /// Whether the picture is the last one of a match that is over.
    pub(crate) fn is_at_end(&self) -> bool {
        self.log.growth() == Growth::Complete && self.seq() == self.log.last_seq()
    }

    /// How the match ended, where that is known.
    pub(crate) fn result(&self) -> Option<&MatchResult> {
        self.log.end().and_then(|end| end.result.as_ref())
    }

    /// Whether all that a live match had when it was opened has arrived.
    pub(crate) fn is_present(&self) -> bool {
        self.is_live() && self.log.last_seq() >= self.before
    }

    /// The time of the picture, in seconds since the match began.
    pub(crate) fn secs(&self) -> f64 {
        if self.is_following() { self.end_secs() } else { self.playback.time().as_secs_f64() }
    }

    /// The same as a moment of the match.
    pub(crate) fn time(&self) -> Micros {
        Micros::from_secs_f64(self.secs().max(0.0)).unwrap_or(Micros::MAX)
    }

    /// The time of the end as far as it is known: of a live match, now.
    pub(crate) fn end_secs(&self) -> f64 {
        let known = self.log.end_time().as_secs_f64();
        let connected = matches!(self.connection, Some((Connection::Connected, _)));
        if self.is_live() && connected && self.last_arrival > 0.0 {
            known + (self.now - self.last_arrival).max(0.0)
        } else {
            known
        }
    }

    /// How many seconds the present of a live match is behind what happens, where that is more than a viewer would not
    /// notice.
    pub(crate) fn late_secs(&self) -> Option<f64> {
        self.delay.map(|(_, late)| late).filter(|late| *late > LATE && self.is_live())
    }

    /// For how many seconds nothing has come; infinite when nothing will.
    fn quiet_secs(&self) -> f64 {
        if self.is_live() { (self.now - self.last_arrival).max(0.0) } else { f64::INFINITY }
    }

    /// Takes what has arrived, moves the clock on to `now`, and says after how many seconds the next frame is needed; `None`
    /// when something arrives or a key is pressed.
    pub(crate) fn update(&mut self, now: f64) -> Option<f64> {
        // A terminal that was stopped for an hour goes on where it was.
        let passed = if self.now > 0.0 { (now - self.now).clamp(0.0, 0.5) } else { 0.0 };
        self.now = now;
        let more = self.take();
        let fetches = self.fetch();
        if matches!(self.target, Target::Match { .. }) {
            self.log.trim(LOG_BYTES, &[self.log.last_seq(), self.playback.seq()]);
        }
        let mut stretches = 0;
        let quiet = self.quiet_secs();
        let unread = self.events.update(&self.log, quiet, || {
            stretches += 1;
            stretches < STRETCHES
        });
        self.go_to_wanted();
        if self.is_running() && matches!(self.stage, Stage::Open) {
            self.playback.advance(&self.log, Duration::from_secs_f64(passed));
        }
        self.show();
        if more || unread {
            return Some(0.0);
        }
        self.next_frame(fetches)
    }

    fn next_frame(&self, fetches: bool) -> Option<f64> {
        let waits = matches!(self.connection, Some((Connection::Waiting { .. }, _)));
        let ticks = self.is_running() && story(self.scene()).is_ticking();
        if self.playback.state() == State::Playing {
            Some(FRAME)
        } else if ticks || fetches {
            Some(2.0 * FRAME)
        } else if self.is_live() || waits {
            Some(SECOND)
        } else {
            None
        }
    }

    /// Moves the playback to the command that is waited for, when it is there.
    fn go_to_wanted(&mut self) {
        let is_here = |seq: &u64| *seq <= self.log.last_seq() || self.log.growth() == Growth::Complete;
        if let Some(wanted) = self.wanted.filter(is_here).filter(|_| matches!(self.stage, Stage::Open)) {
            self.wanted = None;
            self.playback.pause();
            self.playback.seek_seq(&self.log, wanted);
            self.jumps += 1;
        }
    }

    /// Moves the picture to where the playback is, and tells what that shows.
    fn show(&mut self) {
        self.cursor.move_to(&self.log, self.playback.seq());
        let mut narrator = std::mem::take(&mut self.narrator);
        let shown = Shown {
            key: "",
            log: &self.log,
            teams: &self.about.teams,
            seq: self.cursor.seq(),
            scene: self.cursor.scene(),
            jumps: self.jumps,
            history_before: if self.is_following() { self.before } else { 0 },
            quiet: self.quiet_secs(),
            is_at_end: self.is_at_end(),
            result: self.result(),
        };
        let telling = narrator.tell(&shown);
        self.narrator = narrator;
        if let Some(telling) = telling {
            if telling.fresh {
                self.lines.clear();
            }
            self.lines.extend(telling.lines);
            self.lines.drain(..self.lines.len().saturating_sub(LINES));
        }
    }
}
