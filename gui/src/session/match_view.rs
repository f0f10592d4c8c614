//! Picture of a match that is open: the board that paints it, and what of it is hidden.
//!
//! A tile of the wall holds this and nothing else; a [`Session`](super::Session) adds what a viewer of one match has:
//! events, markers, a seat.

use std::ops::{Deref, DerefMut};

use grandstand_board::scoreboard::ScoreboardState;
use grandstand_board::step::{MOVE_SECS, StepTiming, move_secs};
use grandstand_board::{self as board, BoardPainter, Hidden, MatchContext, Picture, go_to};
use grandstand_protocol::MatchResult;
use grandstand_replays::playback::State;
use grandstand_story::sides::Side;
use grandstand_story::story;

use super::spoiler_guard::SpoilerGuard;
use crate::source::{Connection, OpenMatch};

/// How much memory the commands of one match may take, in the window as in the page: those of some twenty minutes at fifty
/// a second. What is older is a request away.
pub(super) const LOG_BYTES: usize = 2 << 20;

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

/// An [`OpenMatch`], to which it dereferences, and the picture of it.
#[derive(Debug)]
pub(crate) struct MatchView {
    pub(super) open: OpenMatch,
    pub(super) board: Box<dyn BoardPainter>,
    pub(super) spoiler_guard: SpoilerGuard,
}

impl Deref for MatchView {
    type Target = OpenMatch;

    fn deref(&self) -> &OpenMatch {
        &self.open
    }
}

impl DerefMut for MatchView {
    fn deref_mut(&mut self) -> &mut OpenMatch {
        &mut self.open
    }
}

impl MatchView {
    pub(super) fn new(open: OpenMatch) -> MatchView {
        MatchView { board: board::view(open.scene()).board(), open, spoiler_guard: SpoilerGuard::default() }
    }

    /// How far the picture is behind a live match, in seconds.
    pub(crate) fn behind_secs(&self) -> f64 {
        (self.end_secs() - self.secs()).max(0.0)
    }

    /// The time of the end as far as the viewer may know it: of a live match, now.
    pub(crate) fn end_secs(&self) -> f64 {
        // How long a live match has gone on says nothing of its end.
        if self.is_live() { self.open.end_secs() } else { self.log().end_time().as_secs_f64() }
    }

    /// How the match ended, where the viewer may know that.
    pub(crate) fn result(&self) -> Option<&MatchResult> {
        self.open.result().filter(|_| !self.hides_future())
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
    pub(crate) fn board(&self) -> &dyn BoardPainter {
        &*self.board
    }

    /// What is painted; `sides` are the teams.
    pub(crate) fn picture<'a>(&'a self, sides: &'a [Side]) -> Picture<'a> {
        Picture {
            scene: self.scene(),
            sides,
            now: self.now(),
            secs: self.secs(),
            playback_rate: if self.is_running() { self.playback.speed().factor() } else { 0.0 },
            hidden: Hidden::NONE,
            pixels: 1.0,
            may_move: None,
            pending: None,
        }
    }

    /// Takes what has arrived, moves the clock on, and says when the next frame is needed. `now` is the interface's time
    /// in seconds.
    pub(crate) fn update(&mut self, now: f64) -> NextFrame {
        let passed = self.begin_frame(now);
        let late = self.whole_log().late();
        let more = self.take();
        let trimmed = self.trim();
        self.update_spoiler_guard(trimmed || self.whole_log().late() != late);
        if self.go_to_wanted() {
            self.show(false);
        }
        if self.advance(passed) {
            self.show(true);
        }
        let next = if more { NextFrame::Now } else { self.next_frame() };
        if self.is_preview() {
            self.forget_past();
        }
        next
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

    /// Moves the picture to where the playback is; `animate` lets pieces be seen on their way. Whether it is another one.
    pub(super) fn show(&mut self, animate: bool) -> bool {
        let seq = self.whole_log().known(self.playback.seq());
        if !animate {
            self.board.settle();
        }
        let changes = seq != self.seq();
        if changes {
            let secs = animate.then(|| self.move_secs());
            let timing = StepTiming { now: self.now(), secs, plays: self.is_running() };
            let (log, cursor) = self.open.log_and_cursor();
            go_to(log, seq, cursor, &mut *self.board, timing);
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
