//! Watched match: its log, the viewer's position in it, and the animation.
//!
//! Live and recorded matches are the same here: a [`Log`](grandstand_replays::Log) that may grow, and a
//! [`Playback`](grandstand_replays::Playback) that says whether the viewer follows its end or is somewhere in it.

mod arrivals;
mod chapters;
mod controls;
mod lanes;
mod live_stats;
mod marked_copy;
mod markers;
mod match_view;
mod narration;
mod passed;
mod preview;
mod range;
pub(crate) mod review;
mod seat;
pub(crate) mod seat_client;
mod spoiler_guard;

use std::time::Duration;

use crate::budget::Budget;
use grandstand_board::scoreboard::ScoreboardState;
use grandstand_board::{BoardInput, Present};
use grandstand_export::Match;
use grandstand_protocol::Micros;
use grandstand_replays::playback::State;
use grandstand_replays::{Cursor, Growth, Marked};
use grandstand_story::EventIndex;
use grandstand_story::format;
use grandstand_story::markers::Filter;
use grandstand_story::sides::Side;
use grandstand_story::story;

use crate::address::Target;
use crate::address::bookmarks::Bookmarks;
use crate::errors::SourceError;
use crate::session::seat_client::SeatClient;
use crate::source::{Feed, OpenMatch};
use live_stats::LiveStats;
use match_view::LOG_BYTES;
use passed::Passed;
use review::Review;

pub(crate) use chapters::Chapters;
pub(crate) use controls::{IDLE_AMOUNT, IDLE_AMOUNTS};
pub(crate) use lanes::{ChosenLanes, Lane, LanesOfMatch};
pub(crate) use match_view::{MatchView, NextFrame};
pub(crate) use passed::Arrival;
pub(crate) use range::TimeRange;

pub(crate) use crate::source::open_match::{About, Stage};

/// Time for finding events in one frame.
const READING: Duration = Duration::from_millis(3);

/// A watched match: its [`MatchView`], to which it dereferences, and the state of the viewer of one match.
#[derive(Debug)]
pub(crate) struct Session {
    view: MatchView,
    pub events: EventIndex,
    /// Filter of the visible markers.
    pub filter: Filter,
    /// Lanes that the viewer wants to see.
    pub lanes: ChosenLanes,
    /// Lanes that the match has.
    pub lanes_of_match: LanesOfMatch,
    /// Whether anybody may say something in it: not in a whole recording without talk.
    pub may_talk: bool,
    /// Whether both of these are final.
    lanes_fixed: bool,
    /// Whether playback stops at every visible marker.
    pub stops_at_markers: bool,
    /// The part of the match that the viewer has chosen.
    range: Option<TimeRange>,
    /// Whether that is played again and again.
    pub loops_range: bool,
    /// When its turns were made.
    pub chapters: Chapters,
    /// Whether it is one of two compared matches; events are then the differences.
    pub is_compared: bool,
    bookmarks: Bookmarks,
    /// A copy with bookmarks that is being saved.
    saving: Option<Marked>,
    /// Last command that was checked for markers to stop at.
    looked_at: u64,
    /// Amount of idle time that is played when it is skipped.
    idle_amount: Micros,
    passed_range: Passed,
    live_stats: LiveStats,
    /// The present of the match, while a player looks at an earlier position.
    present: Option<Cursor>,
    /// Number of jumps, which pass nothing.
    jumps: u64,
    pub seat_client: SeatClient,
    /// Review by an engine.
    pub review: Review,
    /// Commands at which a print of the program panel was reached, in order.
    pub printed: Vec<u64>,
}

grandstand_source::deref_to_field!(Session, view: MatchView);

impl Session {
    /// A match that is being opened.
    pub(crate) fn new(target: Target, feed: Feed) -> Session {
        Session::of(OpenMatch::new(target, Some(feed), LOG_BYTES))
    }

    /// A target that could not be opened.
    pub(crate) fn failed(target: Target, trouble: SourceError) -> Session {
        Session::of(OpenMatch::failed(target, trouble))
    }

    fn of(open: OpenMatch) -> Session {
        let bookmarks = open.target.bookmarks();
        Session {
            events: EventIndex::new(open.whole_log().game()),
            view: MatchView::new(open),
            filter: Filter::default(),
            lanes: ChosenLanes::default(),
            lanes_of_match: LanesOfMatch::default(),
            may_talk: true,
            lanes_fixed: false,
            stops_at_markers: false,
            range: None,
            loops_range: true,
            chapters: Chapters::default(),
            is_compared: false,
            bookmarks,
            saving: None,
            looked_at: 0,
            idle_amount: IDLE_AMOUNT,
            passed_range: Passed::default(),
            live_stats: LiveStats::default(),
            present: None,
            jumps: 0,
            seat_client: SeatClient::default(),
            review: Review::default(),
            printed: Vec::new(),
        }
    }

    /// Whether it is a recording that has arrived completely.
    pub(crate) fn is_whole(&self) -> bool {
        self.header().is_some() && self.whole_log().growth() == Growth::Complete
    }

    /// The turn that was made last at a command, as the picture after it says. Commands of one time may belong to two turns.
    pub(crate) fn turn_words_at(&self, seq: u64) -> Option<String> {
        self.turn_name(self.chapters.at_seq(seq)?)
    }

    /// The name of a turn: `Turn 17`.
    pub(crate) fn turn_name(&self, number: u64) -> Option<String> {
        self.chapters.unit_name().map(|word| format!("{word} {}", format::number(number)))
    }

    /// A moment in words: `Turn 17 · 0:05.1`, or its time alone.
    pub(crate) fn moment_words(&self, seq: u64) -> String {
        let log = self.log();
        // After the last command the picture stands until the end.
        let time = if seq >= log.last_seq() { log.end_time() } else { log.time_of(seq) };
        self.turn_and_clock(seq, time)
    }

    /// A time in words, with the turn that it is in, though no command has that time: `Turn 17 · 0:05.1`.
    pub(crate) fn time_words(&self, time: Micros) -> String {
        let log = self.log();
        self.turn_and_clock(log.seq_at(time), time.min(log.end_time()))
    }

    fn turn_and_clock(&self, seq: u64, time: Micros) -> String {
        let turn = self.turn_words_at(seq).map(|turn| format!("{turn} · "));
        format!("{}{}", turn.unwrap_or_default(), format::clock(time.as_secs_f64()))
    }

    /// Shows the picture after a command as soon as it has arrived.
    pub(crate) fn want(&mut self, seq: u64) {
        self.view.wanted = Some(seq);
    }

    /// Input of exports: in spoiler mode only what has been seen.
    pub(crate) fn material(&self) -> Match<'_> {
        let About { title, event, round, teams, rules, .. } = &self.about;
        Match { log: self.log(), title, occasion: [event, round], teams, rules: rules.as_ref() }
    }

    /// Input of the board's painter, with the viewer's possible move; `sides` are the teams.
    pub(crate) fn picture<'a>(&'a self, sides: &'a [Side]) -> BoardInput<'a> {
        let pending = self.seat_client.pending.as_deref().or(Some(&*self.seat_client.named));
        BoardInput {
            may_move: self.may_move(),
            pending: pending.filter(|text| !text.is_empty()),
            ..self.view.picture(sides)
        }
    }

    /// Applies what has arrived, advances the clock, and returns when the next frame is needed. `now` is egui's time in
    /// seconds.
    pub(crate) fn update(&mut self, now: f64) -> NextFrame {
        let passed = self.begin_frame(now);
        let late = self.whole_log().late();
        let more = self.take();
        let fetches = self.fetch();
        let trimmed = self.trim();
        self.update_seat();
        let anew = trimmed || self.whole_log().late() != late;
        self.view.update_spoiler_guard(anew);
        let quiet = self.quiet_secs();
        let time = Budget::new(READING);
        let more = self.events.update(self.view.log(), quiet, || time.is_left()) || more;
        let more = self.chapters.update(self.view.log(), || time.is_left()) || more;
        self.fix_lanes();
        for (seq, t, label) in self.events.take_bookmarks() {
            self.bookmarks.take_over(seq, t, &label);
        }
        if self.go_to_time_that_came() {
            self.show(false);
        }
        self.bookmarks.take_times(self.view.whole_log());
        if self.go_to_wanted() {
            self.show(false);
        }
        let before = (self.seq(), story(self.scene()).mover());
        let (plays, from) = (self.playback.state() == State::Playing, self.secs());
        if self.advance(passed) {
            self.show(true);
            self.went_on(before);
            self.stop_at_marker();
        }
        if plays {
            self.play_range_again(from);
        }
        let mut next = self.view.next_frame();
        // The events of the commands shown now are found in the next frame.
        if more || self.events.read_to() < self.log().last_seq() {
            next = NextFrame::Now;
        }
        if fetches {
            next = next.sooner(NextFrame::After(0.03));
        }
        self.update_live_stats();
        if self.update_present() {
            next = next.sooner(NextFrame::After(0.1));
        }
        if let Some(secs) = self.seat_client.forgets_after(now) {
            next = next.sooner(NextFrame::After(secs));
        }
        if self.seat_client.pending.is_some() || self.seat_client.sits_as.is_some() {
            next = next.sooner(NextFrame::After(0.2));
        }
        next
    }

    /// Whether the game goes by moves, so that a turn is one.
    pub(crate) fn goes_by_moves(&self) -> bool {
        self.scene().game().goes_by_moves()
    }

    /// Input of the scoreboard. A player who looks at an earlier position sees the clocks as they are now.
    pub(crate) fn standing(&self) -> ScoreboardState<'_> {
        let mut standing = self.view.standing();
        standing.you = self.seat_client.side.filter(|_| self.is_playing());
        standing.evaluates = self.lanes_of_match.has(Lane::Evaluation);
        let secs = self.end_secs();
        standing.about.present =
            self.present.as_ref().map(|present| Present { scene: present.scene(), secs });
        standing
    }

    /// Keeps the present of the match for a player who looks at an earlier position; returns whether there is one.
    fn update_present(&mut self) -> bool {
        if !self.is_playing() || self.is_following() {
            self.present = None;
            return false;
        }
        let log = self.view.whole_log();
        let present = self.present.get_or_insert_with(|| Cursor::new(log));
        present.move_to(log, log.last_seq());
        true
    }

    /// Number of jumps of the picture so far.
    pub(crate) fn jumps(&self) -> u64 {
        self.jumps
    }

    /// Moves the picture to the playback's position; `animate` shows moves on their way.
    fn show(&mut self, animate: bool) {
        if !animate {
            self.passed_range.arrival = None;
        }
        if !animate || !self.is_running() {
            // After a jump, the commands between are not checked.
            self.looked_at = self.whole_log().known(self.playback.seq());
        }
        if self.view.show(animate) {
            self.jumps += u64::from(!animate);
        }
    }
}
