//! A match that is being watched: its log, where in it the viewer is, and what is on the move.
//!
//! Live and recorded matches are the same thing here, a [`Log`] that may grow. The viewer either follows its end or is
//! somewhere in it: a [`Playback`] says where.

mod arrivals;
mod controls;
mod history;
mod lanes;
mod live_stats;
mod marked_copy;
mod markers;
mod narration;
mod passed;
mod preview;
mod seat;
pub(crate) mod seat_client;
mod spoiler_guard;

use std::time::Duration;

use grandstand_board::scoreboard::ScoreboardState;
use grandstand_board::step::{MOVE_SECS, StepTiming, go_to, move_secs};
use grandstand_board::{self as board, Board, Hidden, MatchContext, Picture};
use grandstand_export::Match;
use grandstand_protocol::message::MatchState;
use grandstand_protocol::{By, Game, MatchResult, Micros, Scene, TeamInfo};
use grandstand_replays::playback::State;
use grandstand_replays::{Cursor, Growth, Header, Log, Marked, Playback};
use grandstand_story::EventIndex;
use grandstand_story::markers::Filter;
use grandstand_story::sides::Side;
use grandstand_story::story;
use serde_json::Value;
use web_time::Instant;

use crate::address::Target;
use crate::address::bookmarks::Bookmarks;
use crate::errors::Trouble;
use crate::session::seat_client::SeatClient;
use crate::source::{Connection, Feed};
use history::History;
use live_stats::LiveStats;
use passed::Passed;
use spoiler_guard::SpoilerGuard;

pub(crate) use controls::{IDLE_AMOUNT, IDLE_AMOUNTS};
pub(crate) use lanes::{ChosenLanes, Lane};
pub(crate) use passed::Arrival;

/// How long one frame may spend on finding what happened.
const READING: Duration = Duration::from_millis(3);

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

/// A match that is being watched.
#[derive(Debug)]
pub(crate) struct Session {
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
    pub events: EventIndex,
    /// Which markers are seen.
    pub filter: Filter,
    /// Which lanes the viewer wants to see.
    pub lanes: ChosenLanes,
    /// Whether the picture stops at every marker that is seen.
    pub stops_at_markers: bool,
    /// Whether it is one of two that are compared: then the events are the places where they differ.
    pub is_compared: bool,
    bookmarks: Bookmarks,
    /// The first line of the recording that is shown.
    header: Option<Header>,
    /// A copy with the bookmarks, on its way.
    saving: Option<Marked>,
    /// The last command up to which the picture was looked through for markers to stop at.
    looked_at: u64,
    /// Of a time in which nothing happens, so much is played when the rest is skipped.
    idle_amount: Micros,
    feed: Option<Feed>,
    log: Log,
    cursor: Cursor,
    /// The command to show as soon as it has arrived.
    wanted: Option<u64>,
    /// A match that is over already is played from its start when it has arrived.
    play_when_whole: bool,
    /// The last command that there was when a match was opened.
    before: u64,
    history: History,
    passed_range: Passed,
    live_stats: LiveStats,
    jumps: u64,
    board: Box<dyn Board>,
    spoiler_guard: SpoilerGuard,
    /// Only the picture matters: one of many boards.
    is_preview: bool,
    /// The first command that such a one still has.
    kept_from: u64,
    pub seat_client: SeatClient,
    /// When the last command of a live match arrived, in seconds of the interface's time.
    last_arrival: f64,
    now: f64,
}

impl Session {
    /// A match that has just been asked for.
    pub(crate) fn new(target: Target, feed: Feed) -> Session {
        Session::of(target, Some(feed))
    }

    fn of(target: Target, feed: Option<Feed>) -> Session {
        let log = Log::live(Game::Abalone);
        let (wanted, bookmarks) = (target.moment(), target.bookmarks());
        Session {
            target,
            about: About::default(),
            stage: Stage::Opening,
            connection: None,
            begun: None,
            loaded: 0.0,
            damage: None,
            playback: Playback::new(&log),
            events: EventIndex::new(log.game()),
            filter: Filter::default(),
            lanes: ChosenLanes::default(),
            stops_at_markers: false,
            is_compared: false,
            bookmarks,
            header: None,
            saving: None,
            looked_at: 0,
            idle_amount: IDLE_AMOUNT,
            feed,
            board: board::view(&Scene::new(log.game())).board(),
            cursor: Cursor::new(&log),
            log,
            wanted,
            spoiler_guard: SpoilerGuard::default(),
            is_preview: false,
            kept_from: 0,
            seat_client: SeatClient::default(),
            play_when_whole: false,
            before: 0,
            history: History::default(),
            passed_range: Passed::default(),
            live_stats: LiveStats::default(),
            jumps: 0,
            last_arrival: 0.0,
            now: 0.0,
        }
    }

    /// Something that can't be opened, and why.
    pub(crate) fn failed(target: Target, trouble: Trouble) -> Session {
        Session { stage: Stage::Failed(trouble), ..Session::of(target, None) }
    }

    /// Shows the picture after a command as soon as it is there.
    pub(crate) fn want(&mut self, seq: u64) {
        self.wanted = Some(seq);
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

    /// What pictures are made of: in spoiler mode only what has been seen.
    pub(crate) fn material(&self) -> Match<'_> {
        let About { title, teams, rules, .. } = &self.about;
        Match { log: self.log(), title, teams, rules: rules.as_ref() }
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
            pace: if self.is_running() { self.playback.speed().factor() } else { 0.0 },
            hidden: Hidden::NONE,
            pixels: 1.0,
            may_move: self.may_move(),
            pending: self
                .seat_client
                .pending
                .as_deref()
                .or(Some(&*self.seat_client.named))
                .filter(|text| !text.is_empty()),
        }
    }

    /// Takes what has arrived, moves the clock on, and says when the next frame is needed. `now` is the interface's time
    /// in seconds.
    pub(crate) fn update(&mut self, now: f64) -> NextFrame {
        let passed = if self.now > 0.0 { (now - self.now).clamp(0.0, 0.25) } else { 0.0 };
        self.now = now;
        self.begun.get_or_insert(now);
        let late = self.log.late();
        let more = self.take();
        let fetches = self.fetch();
        let trimmed = self.trim();
        self.update_seat();
        self.update_spoiler_guard(trimmed || self.log.late() != late);
        let quiet = self.quiet_secs();
        let log = self.spoiler_guard.log(&self.log);
        let began = Instant::now();
        let more = (!self.is_preview && self.events.update(log, quiet, || began.elapsed() < READING)) || more;
        for (seq, t, label) in self.events.take_bookmarks() {
            self.bookmarks.take_over(seq, t, &label);
        }
        self.show_what_came();
        self.bookmarks.take_times(&self.log);
        if let Some(wanted) = self.wanted
            && (wanted <= self.log.last_seq() || self.log.growth() == Growth::Complete)
            && !self.is_missing(wanted)
        {
            self.wanted = None;
            self.playback.pause();
            self.playback.seek_seq(&self.log, wanted);
            self.show(false);
        }
        let mut next = if more { NextFrame::Now } else { NextFrame::Idle };
        if fetches {
            next = next.sooner(NextFrame::After(0.03));
        }
        if self.is_running() && matches!(self.stage, Stage::Open) {
            let before = (self.seq(), story(self.scene()).mover());
            self.playback.advance(&self.log, Duration::from_secs_f64(passed));
            self.show(true);
            self.went_on(before);
            self.stop_at_marker();
        }
        if self.is_running() && story(self.scene()).is_ticking() {
            next = next.sooner(NextFrame::After(0.05));
        }
        if self.playback.state() == State::Playing {
            next = next.sooner(NextFrame::After(1.0 / 30.0));
        } else if self.is_live() {
            // The end moves on, whether the picture does or not.
            next = next.sooner(NextFrame::After(0.5));
        }
        if self.board.is_moving(&self.picture(&[])) {
            next = NextFrame::Now;
        }
        self.update_live_stats();
        if self.seat_client.pending.is_some() {
            next = next.sooner(NextFrame::After(0.2));
        }
        if matches!(self.connection, Some((Connection::Waiting { .. }, _))) {
            next = next.sooner(NextFrame::After(0.2));
        }
        if self.is_preview {
            self.forget_past();
        }
        next
    }

    /// Moves the picture to where the playback is; `animate` lets pieces be seen on their way.
    fn show(&mut self, animate: bool) {
        let before = self.cursor.seq();
        let seq = self.log.known(self.playback.seq());
        if !animate {
            self.board.settle();
            self.passed_range.arrival = None;
        }
        if !animate || !self.is_running() {
            // The viewer went there; what lies between was not passed.
            self.looked_at = seq;
        }
        if seq == before {
            return;
        }
        self.jumps += u64::from(!animate);
        let pace =
            StepTiming { now: self.now, secs: animate.then(|| self.move_secs()), plays: self.is_running() };
        go_to(&self.log, seq, &mut self.cursor, &mut *self.board, pace);
    }

    /// How long a move takes to show at the present speed.
    fn move_secs(&self) -> f64 {
        let playing = self.playback.state() == State::Playing;
        if playing { move_secs(self.playback.speed()) } else { MOVE_SECS }
    }
}
