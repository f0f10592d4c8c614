//! View of an open match: its picture, and the part that spoiler mode hides.
//!
//! A tile of the wall has only this; a [`Session`](super::Session) adds events, markers and a seat for the viewer of
//! one match.

use grandstand_board::scoreboard::ScoreboardState;
use grandstand_board::step::{MOVE_SECS, StepTiming, move_secs};
use grandstand_board::{self as board, BoardInput, BoardPainter, Hidden, MatchContext, go_to};
use grandstand_protocol::MatchResult;
use grandstand_replays::playback::State;
use grandstand_story::sides::Side;
use grandstand_story::story;

use super::spoiler_guard::SpoilerGuard;
use crate::source::{Connection, OpenMatch};

/// Memory for the commands of one match in bytes, in windows and pages: some twenty minutes at fifty commands a second.
/// Older commands are fetched when needed.
pub(super) const LOG_BYTES: usize = 2 << 20;

/// Time of the next frame.
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

    /// Delays the frame to at least so many seconds from now.
    pub(crate) fn later_than(self, secs: f64) -> NextFrame {
        match self {
            NextFrame::Idle => NextFrame::Idle,
            NextFrame::After(after) => NextFrame::After(after.max(secs)),
            NextFrame::Now => NextFrame::After(secs),
        }
    }
}

/// An [`OpenMatch`], to which it dereferences, with its picture.
#[derive(Debug)]
pub(crate) struct MatchView {
    pub(super) open: OpenMatch,
    pub(super) board: Box<dyn BoardPainter>,
    pub(super) spoiler_guard: SpoilerGuard,
    /// Whether an engine has judged all moves.
    pub(super) is_judged: bool,
}

grandstand_source::deref_to_field!(MatchView, open: OpenMatch);

impl MatchView {
    pub(super) fn new(open: OpenMatch) -> MatchView {
        MatchView {
            board: board::view(open.scene()).new_painter(),
            open,
            spoiler_guard: SpoilerGuard::default(),
            is_judged: false,
        }
    }

    /// Delay of the picture behind a live match, in seconds.
    pub(crate) fn behind_secs(&self) -> f64 {
        (self.end_secs() - self.secs()).max(0.0)
    }

    /// Known end in seconds; of a live match, the present.
    pub(crate) fn end_secs(&self) -> f64 {
        // The duration of a live match so far reveals nothing.
        if self.is_live() { self.open.end_secs() } else { self.log().end_time().as_secs_f64() }
    }

    /// The end in seconds, also of what spoiler mode hides.
    pub(super) fn whole_end_secs(&self) -> f64 {
        if self.is_live() { self.open.end_secs() } else { self.whole_log().end_time().as_secs_f64() }
    }

    /// The result, if the viewer may know it.
    pub(crate) fn result(&self) -> Option<&MatchResult> {
        self.open.result().filter(|_| !self.hides_future())
    }

    /// Facts about the match that are not in its scene.
    pub(crate) fn match_context(&self) -> MatchContext<'_> {
        let rules = self.about.rules.as_ref();
        MatchContext { rules, secs: self.secs(), present: None, is_judged: self.is_judged }
    }

    /// Input of the scoreboard.
    pub(crate) fn standing(&self) -> ScoreboardState<'_> {
        let over = self.is_at_end().then(|| self.result());
        ScoreboardState {
            scene: self.scene(),
            about: self.match_context(),
            over,
            told: false,
            you: None,
            evaluates: false,
            rim: (0.0, 0.0),
        }
    }

    /// Points that win, in games with such a rule.
    pub(crate) fn goal(&self) -> Option<i32> {
        story(self.scene()).winning_score(self.about.rules.as_ref())
    }

    /// Painter of the board.
    pub(crate) fn board(&self) -> &dyn BoardPainter {
        &*self.board
    }

    /// Input of the board's painter; `sides` are the teams.
    pub(crate) fn picture<'a>(&'a self, sides: &'a [Side]) -> BoardInput<'a> {
        BoardInput {
            scene: self.scene(),
            sides,
            now: self.now(),
            secs: self.secs(),
            playback_rate: if self.is_running() { self.playback.speed().factor() } else { 0.0 },
            hidden: Hidden::NONE,
            pixels: 1.0,
            zoom: 1.0,
            seen: None,
            rules: self.about.rules.as_ref(),
            may_move: None,
            pending: None,
            cursor: None,
            pressed: false,
            marked: &[],
        }
    }

    /// Applies what has arrived, advances the clock, and returns when the next frame is needed. `now` is egui's time in
    /// seconds.
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

    /// When the picture next changes by itself.
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
            // The end of a live match advances even if the picture doesn't.
            next = next.sooner(NextFrame::After(0.5));
        }
        if matches!(self.connection, Some((Connection::Waiting { .. }, _))) {
            next = next.sooner(NextFrame::After(0.2));
        }
        next
    }

    /// Moves the picture to the playback's position; `animate` shows moves on their way. Returns whether the picture
    /// changed.
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

    /// Duration of a move's animation at the present speed, in seconds.
    pub(crate) fn move_secs(&self) -> f64 {
        let playing = self.playback.state() == State::Playing;
        if playing { move_secs(self.playback.speed()) } else { MOVE_SECS }
    }
}
