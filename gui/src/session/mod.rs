//! A match that is being watched: its log, where in it the viewer is, and what is on the move.
//!
//! Live and recorded matches are the same thing here, a [`Log`](grandstand_replays::Log) that may grow. The viewer either follows its end or is
//! somewhere in it: a [`Playback`](grandstand_replays::Playback) says where.

mod arrivals;
mod controls;
mod lanes;
mod live_stats;
mod marked_copy;
mod markers;
mod match_view;
mod narration;
mod passed;
mod preview;
mod seat;
pub(crate) mod seat_client;
mod spoiler_guard;

use std::ops::{Deref, DerefMut};
use std::time::Duration;

use crate::budget::Budget;
use grandstand_board::Picture;
use grandstand_export::Match;
use grandstand_protocol::Micros;
use grandstand_replays::{Growth, Header, Marked};
use grandstand_story::EventIndex;
use grandstand_story::markers::Filter;
use grandstand_story::sides::Side;
use grandstand_story::story;

use crate::address::Target;
use crate::address::bookmarks::Bookmarks;
use crate::errors::Trouble;
use crate::session::seat_client::SeatClient;
use crate::source::{Feed, OpenMatch};
use live_stats::LiveStats;
use match_view::LOG_BYTES;
use passed::Passed;

pub(crate) use controls::{IDLE_AMOUNT, IDLE_AMOUNTS};
pub(crate) use lanes::{ChosenLanes, Lane, LanesOfMatch};
pub(crate) use match_view::{MatchView, NextFrame};
pub(crate) use passed::Arrival;

pub(crate) use crate::source::open_match::{About, Stage};

/// How long one frame may spend on finding what happened.
const READING: Duration = Duration::from_millis(3);

/// A match that is being watched: its [`MatchView`], and what the viewer of one match has besides.
///
/// It dereferences to the view, whose methods are asked for wherever a match is shown.
#[derive(Debug)]
pub(crate) struct Session {
    view: MatchView,
    pub events: EventIndex,
    /// Which markers are seen.
    pub filter: Filter,
    /// Which lanes the viewer wants to see.
    pub lanes: ChosenLanes,
    /// Which lanes the match has.
    pub lanes_of_match: LanesOfMatch,
    /// Whether that stays so.
    lanes_fixed: bool,
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
    passed_range: Passed,
    live_stats: LiveStats,
    /// How often the picture went somewhere without passing what lies between.
    jumps: u64,
    pub seat_client: SeatClient,
    /// The commands at which the program panel printed something, in order.
    pub printed: Vec<u64>,
}

impl Deref for Session {
    type Target = MatchView;

    fn deref(&self) -> &MatchView {
        &self.view
    }
}

impl DerefMut for Session {
    fn deref_mut(&mut self) -> &mut MatchView {
        &mut self.view
    }
}

impl Session {
    /// A match that has just been asked for.
    pub(crate) fn new(target: Target, feed: Feed) -> Session {
        Session::of(OpenMatch::new(target, Some(feed), LOG_BYTES))
    }

    /// Something that can't be opened, and why.
    pub(crate) fn failed(target: Target, trouble: Trouble) -> Session {
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
            lanes_fixed: false,
            stops_at_markers: false,
            is_compared: false,
            bookmarks,
            header: None,
            saving: None,
            looked_at: 0,
            idle_amount: IDLE_AMOUNT,
            passed_range: Passed::default(),
            live_stats: LiveStats::default(),
            jumps: 0,
            seat_client: SeatClient::default(),
            printed: Vec::new(),
        }
    }

    /// The first line of the recording that is shown.
    pub(crate) fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// Whether it is a recording of which all has arrived.
    pub(crate) fn is_whole(&self) -> bool {
        self.header.is_some() && self.whole_log().growth() == Growth::Complete
    }

    /// Shows the picture after a command as soon as it is there.
    pub(crate) fn want(&mut self, seq: u64) {
        self.view.wanted = Some(seq);
    }

    /// What pictures are made of: in spoiler mode only what has been seen.
    pub(crate) fn material(&self) -> Match<'_> {
        let About { title, teams, rules, .. } = &self.about;
        Match { log: self.log(), title, teams, rules: rules.as_ref() }
    }

    /// What is painted, with what the viewer may do on the board; `sides` are the teams.
    pub(crate) fn picture<'a>(&'a self, sides: &'a [Side]) -> Picture<'a> {
        let pending = self.seat_client.pending.as_deref().or(Some(&*self.seat_client.named));
        Picture {
            may_move: self.may_move(),
            pending: pending.filter(|text| !text.is_empty()),
            ..self.view.picture(sides)
        }
    }

    /// Takes what has arrived, moves the clock on, and says when the next frame is needed. `now` is the interface's time
    /// in seconds.
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
        if self.advance(passed) {
            self.show(true);
            self.went_on(before);
            self.stop_at_marker();
        }
        let mut next = self.view.next_frame();
        // What was shown just now is told of in the next frame.
        if more || self.events.read_to() < self.log().last_seq() {
            next = NextFrame::Now;
        }
        if fetches {
            next = next.sooner(NextFrame::After(0.03));
        }
        self.update_live_stats();
        if self.seat_client.pending.is_some() {
            next = next.sooner(NextFrame::After(0.2));
        }
        next
    }

    /// Moves the picture to where the playback is; `animate` lets pieces be seen on their way.
    fn show(&mut self, animate: bool) {
        if !animate {
            self.passed_range.arrival = None;
        }
        if !animate || !self.is_running() {
            // The viewer went there; what lies between was not passed.
            self.looked_at = self.whole_log().known(self.playback.seq());
        }
        if self.view.show(animate) {
            self.jumps += u64::from(!animate);
        }
    }
}
