//! Picture of a match: its log, the position in it, and the board that paints it.
//!
//! A tile of the wall holds this and nothing else; a [`Session`](super::Session) adds what a viewer of one match has:
//! events, markers, history, a seat.

use std::time::Duration;

use grandstand_board::scoreboard::ScoreboardState;
use grandstand_board::step::{MOVE_SECS, StepTiming, move_secs};
use grandstand_board::{self as board, Board, Hidden, MatchContext, Picture, go_to};
use grandstand_protocol::message::MatchState;
use grandstand_protocol::{By, Game, MatchResult, Scene, TeamInfo};
use grandstand_replays::playback::State;
use grandstand_replays::{Cursor, Growth, Log, Playback};
use grandstand_story::sides::Side;
use grandstand_story::story;
use serde_json::Value;

use super::spoiler_guard::SpoilerGuard;
use crate::address::Target;
use crate::errors::Trouble;
use crate::source::{Connection, Feed};

/// How much memory the commands of one match may take, in the window as in the page: those of some twenty minutes at fifty
/// a second. What is older is a request away.
pub(super) const LOG_BYTES: usize = 2 << 20;

/// What is known of a match besides its commands.
#[derive(Debug, Clone, Default)]
pub(crate) struct About {
    pub title: String,
    pub teams: Vec<TeamInfo>,
    /// The settings in force, where they were told.
    pub rules: Option<Value>,
    /// What drew it, where that was told.
    pub by: Option<By>,
    pub spectators: Option<u64>,
    pub state: Option<MatchState>,
}

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

/// When the next frame is needed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum NextFrame {
    /// At once: something moves.
    Now,
    /// After so many seconds.
    After(f64),
    /// When something happens.
    Idle,
}

impl NextFrame {
    pub(crate) fn sooner(self, other: NextFrame) -> NextFrame {
        let secs = |next| match next {
            NextFrame::Now => 0.0,
            NextFrame::After(secs) => secs,
            NextFrame::Idle => f64::INFINITY,
        };
        if secs(self) <= secs(other) { self } else { other }
    }

    /// Not before so many seconds.
    pub(crate) fn later_than(self, secs: f64) -> NextFrame {
        match self {
            NextFrame::Idle => NextFrame::Idle,
            NextFrame::After(after) => NextFrame::After(after.max(secs)),
            NextFrame::Now => NextFrame::After(secs),
        }
    }
}

/// A match and the picture of it.
#[derive(Debug)]
pub(crate) struct MatchView {
    pub target: Target,
    pub about: About,
    pub stage: Stage,
    /// How the connection fares, for a live match, and when the next attempt comes, in seconds of the interface's time.
    pub connection: Option<(Connection, f64)>,
    /// When it was first looked at, in seconds of the interface's time.
    begun: Option<f64>,
    /// How much of a file has been read, from 0 to 1.
    pub loaded: f32,
    /// What is wrong with the file.
    pub damage: Option<String>,
    pub playback: Playback,
    pub(super) feed: Option<Feed>,
    pub(super) log: Log,
    pub(super) cursor: Cursor,
    pub(super) board: Box<dyn Board>,
    pub(super) spoiler_guard: SpoilerGuard,
    /// The command to show as soon as it has arrived.
    pub(super) wanted: Option<u64>,
    /// A match that is over already is played from its start when it has arrived.
    pub(super) play_when_whole: bool,
    /// The last command that there was when a match was opened.
    pub(super) before: u64,
    /// Only the picture matters: one of many boards.
    pub(super) is_preview: bool,
    /// The first command that such a one still has.
    pub(super) kept_from: u64,
    /// When the last command of a live match arrived, in seconds of the interface's time.
    pub(super) last_arrival: f64,
    pub(super) now: f64,
}

impl MatchView {
    /// A match that has just been asked for.
    pub(super) fn new(target: Target, feed: Option<Feed>) -> MatchView {
        let log = Log::live(Game::Abalone);
        MatchView {
            wanted: target.moment(),
            target,
            about: About::default(),
            stage: Stage::Opening,
            connection: None,
            begun: None,
            loaded: 0.0,
            damage: None,
            playback: Playback::new(&log),
            feed,
            board: board::view(&Scene::new(log.game())).board(),
            cursor: Cursor::new(&log),
            log,
            spoiler_guard: SpoilerGuard::default(),
            play_when_whole: false,
            before: 0,
            is_preview: false,
            kept_from: 0,
            last_arrival: 0.0,
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

    /// Whether the moment that was asked for is there, and has only not arrived yet.
    pub(crate) fn awaits_moment(&self) -> bool {
        let arrives =
            |wanted| wanted <= self.before || self.log.growth() == Growth::Loading || self.is_missing(wanted);
        self.wanted.is_some_and(arrives)
    }

    /// The time of the picture, in seconds since the match began.
    pub(crate) fn secs(&self) -> f64 {
        if self.is_following() { self.end_secs() } else { self.playback.time().as_secs_f64() }
    }

    /// How long it has been looked at, in seconds. `now` is the interface's time.
    pub(crate) fn opening_secs(&self, now: f64) -> f64 {
        now - self.begun.unwrap_or(now)
    }

    /// How far the picture is behind a live match, in seconds.
    pub(crate) fn behind_secs(&self) -> f64 {
        (self.end_secs() - self.secs()).max(0.0)
    }

    /// The time of the end as far as it is known: of a live match, now.
    pub(crate) fn end_secs(&self) -> f64 {
        // How long a live match has gone on says nothing of its end.
        let log = if self.is_live() { &self.log } else { self.log() };
        let known = log.end_time().as_secs_f64();
        let connected = matches!(self.connection, Some((Connection::Connected, _)));
        if self.is_live() && connected && self.last_arrival > 0.0 {
            known + (self.now - self.last_arrival).max(0.0)
        } else {
            known
        }
    }

    /// How the match ended, where that is known.
    pub(crate) fn result(&self) -> Option<&MatchResult> {
        self.log.end().filter(|_| !self.hides_future()).and_then(|end| end.result.as_ref())
    }

    /// Whether the picture is the last one of a match that is over.
    pub(crate) fn is_at_end(&self) -> bool {
        self.log.growth() == Growth::Complete && self.seq() == self.log.last_seq()
    }

    /// What is known of the match besides its scene.
    pub(crate) fn match_context(&self) -> MatchContext<'_> {
        MatchContext { rules: self.about.rules.as_ref(), secs: self.secs() }
    }

    /// What the line with the score tells of.
    pub(crate) fn standing(&self) -> ScoreboardState<'_> {
        let over = self.is_at_end().then(|| self.result());
        ScoreboardState { scene: self.scene(), about: self.match_context(), over, told: false }
    }

    /// How many points win, where the game has that.
    pub(crate) fn goal(&self) -> Option<i32> {
        story(self.scene()).goal(self.about.rules.as_ref())
    }

    /// What paints the picture.
    pub(crate) fn board(&self) -> &dyn Board {
        &*self.board
    }

    /// What is painted; `sides` are the teams.
    pub(crate) fn picture<'a>(&'a self, sides: &'a [Side]) -> Picture<'a> {
        Picture {
            scene: self.scene(),
            sides,
            now: self.now,
            secs: self.secs(),
            playback_rate: if self.is_running() { self.playback.speed().factor() } else { 0.0 },
            hidden: Hidden::NONE,
            pixels: 1.0,
            may_move: None,
            pending: None,
        }
    }

    /// Whether the picture after a command has to be fetched, and can be.
    pub(super) fn is_missing(&self, seq: u64) -> bool {
        self.log.is_fetched() && seq <= self.log.last_seq() && !self.log.knows(seq)
    }

    /// Takes what has arrived, moves the clock on, and says when the next frame is needed. `now` is the interface's time
    /// in seconds.
    pub(crate) fn update(&mut self, now: f64) -> NextFrame {
        let passed = self.begin_frame(now);
        let late = self.log.late();
        let more = self.take();
        let trimmed = self.trim(&[]);
        self.update_spoiler_guard(trimmed || self.log.late() != late);
        if self.go_to_wanted() {
            self.show(false);
        }
        if self.is_running() && matches!(self.stage, Stage::Open) {
            self.playback.advance(&self.log, passed);
            self.show(true);
        }
        let next = if more { NextFrame::Now } else { self.next_frame() };
        if self.is_preview {
            self.forget_past();
        }
        next
    }

    /// Sets the time of the interface, in seconds; how long the frame before it was.
    pub(super) fn begin_frame(&mut self, now: f64) -> Duration {
        let passed = if self.now > 0.0 { (now - self.now).clamp(0.0, 0.25) } else { 0.0 };
        self.now = now;
        self.begun.get_or_insert(now);
        Duration::from_secs_f64(passed)
    }

    /// Moves the playback to the command that is waited for, when it is there.
    pub(super) fn go_to_wanted(&mut self) -> bool {
        let is_here = |seq: &u64| *seq <= self.log.last_seq() || self.log.growth() == Growth::Complete;
        let Some(wanted) = self.wanted.filter(is_here).filter(|seq| !self.is_missing(*seq)) else {
            return false;
        };
        self.wanted = None;
        self.playback.pause();
        self.playback.seek_seq(&self.log, wanted);
        true
    }

    /// When the picture changes next by itself.
    pub(super) fn next_frame(&self) -> NextFrame {
        if self.board.is_moving(&self.picture(&[])) {
            return NextFrame::Now;
        }
        let mut next = NextFrame::Idle;
        if self.is_running() && story(self.scene()).is_ticking() {
            next = NextFrame::After(0.05);
        }
        if self.playback.state() == State::Playing {
            next = next.sooner(NextFrame::After(1.0 / 30.0));
        } else if self.is_live() {
            // The end moves on, whether the picture does or not.
            next = next.sooner(NextFrame::After(0.5));
        }
        if matches!(self.connection, Some((Connection::Waiting { .. }, _))) {
            next = next.sooner(NextFrame::After(0.2));
        }
        next
    }

    /// Drops what is far from everything that is looked at, if there is too much; whether it dropped something. `near` is
    /// looked at besides the picture.
    pub(super) fn trim(&mut self, near: &[Option<u64>]) -> bool {
        if !matches!(self.target, Target::Match { .. }) {
            return false;
        }
        let places = [Some(self.log.last_seq()), Some(self.playback.seq()), self.wanted];
        let near: Vec<u64> = places.iter().chain(near).copied().flatten().collect();
        self.log.trim(LOG_BYTES, &near)
    }

    /// Moves the picture to where the playback is; `animate` lets pieces be seen on their way. Whether it is another one.
    pub(super) fn show(&mut self, animate: bool) -> bool {
        let seq = self.log.known(self.playback.seq());
        if !animate {
            self.board.settle();
        }
        let changes = seq != self.cursor.seq();
        if changes {
            let secs = animate.then(|| self.move_secs());
            let timing = StepTiming { now: self.now, secs, plays: self.is_running() };
            go_to(&self.log, seq, &mut self.cursor, &mut *self.board, timing);
            self.update_spoiler_guard(false);
        }
        changes
    }

    /// How long a move takes to show at the present speed.
    fn move_secs(&self) -> f64 {
        let playing = self.playback.state() == State::Playing;
        if playing { move_secs(self.playback.speed()) } else { MOVE_SECS }
    }
}
