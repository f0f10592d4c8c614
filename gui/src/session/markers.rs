//! Moments of a match: visibility, stepping, stopping at them, and bookmarks.

use grandstand_board::step::MOVE_SECS;
use grandstand_protocol::Micros;
use grandstand_story::event_index::{end_of, last_of};
use grandstand_story::markers::{Filter, Marker, Origin, Visible, kind};
use grandstand_story::moves::Move;
use grandstand_story::sides::Side;

use super::Session;
use crate::address::bookmarks::Bookmarks;

/// Number of commands after a moment's first one within which it ends.
const LOOK_BACK: u64 = 600;

impl Session {
    /// Visibility of markers: those of commands that the viewer may know.
    pub(crate) fn visible(&self) -> Visible {
        let known = self.log().last_seq();
        // Bookmarks of a link may lie behind what has come or been seen.
        let until = if self.bookmarks.last_seq() > known { known } else { u64::MAX };
        self.visible_by(&self.filter, until)
    }

    /// Visibility of markers by a filter, up to a command. What players foresee is a spoiler, as their evaluations are.
    pub(crate) fn visible_by(&self, filter: &Filter, until: u64) -> Visible {
        let markers = &self.events.findings().markers;
        if !self.is_spoiler_free() {
            return filter.of(markers, until);
        }
        let mut filter = filter.clone();
        filter.show(kind::FORCED, false);
        filter.of(markers, until)
    }

    /// The match's markers and the viewer's, each in the order of commands.
    pub(crate) fn marker_lists(&self) -> [&[Marker]; 2] {
        [self.events.findings().markers.list(), self.bookmarks.list()]
    }

    /// The marker of the result, which stands at the end of the match; `None` while it is open or hidden.
    pub(crate) fn result_marker(&self, sides: &[Side]) -> Option<Marker> {
        let log = self.whole_log();
        let end = (log.last_seq(), log.end_time());
        self.result().map(|result| self.events.findings().markers.of_result(result, sides, end))
    }

    /// The visible markers: first the match's, then the viewer's.
    pub(crate) fn visible_markers(&self) -> impl Iterator<Item = &Marker> {
        let visible = self.visible();
        self.marker_lists().into_iter().flatten().filter(move |marker| visible.has(marker))
    }

    /// The command at which a moment is complete.
    pub(crate) fn whole(&self, marker: &Marker) -> u64 {
        last_of(marker, self.log(), self.scene())
    }

    /// The command at which a move is complete, with its captures and the next turn.
    pub(crate) fn whole_move(&self, made: &Move) -> u64 {
        self.end_of((made.seq, made.t))
    }

    /// The command that completes what came with a command and its time.
    pub(crate) fn end_of(&self, at: (u64, Micros)) -> u64 {
        end_of(at, self.log(), self.scene())
    }

    /// Last command of the first visible moment that is complete after `after`.
    fn first_after(&self, after: u64, wanted: impl Fn(&Marker) -> bool) -> Option<u64> {
        let visible = self.visible();
        let first = |list: &[Marker]| {
            // A moment that began before the shown command may end after it.
            let from = list.partition_point(|marker| marker.seq < after.saturating_sub(LOOK_BACK));
            let seen = list[from..].iter().filter(|marker| visible.has(marker) && wanted(marker));
            seen.map(|marker| self.whole(marker)).find(|seq| *seq > after)
        };
        self.marker_lists().into_iter().filter_map(first).min()
    }

    /// Last command of the last visible moment that is complete before the shown command.
    fn last_before(&self, wanted: impl Fn(&Marker) -> bool) -> Option<u64> {
        let visible = self.visible();
        let last = |list: &[Marker]| {
            let to = list.partition_point(|marker| marker.seq < self.seq());
            let seen = list[..to].iter().rev().filter(|marker| visible.has(marker) && wanted(marker));
            seen.map(|marker| self.whole(marker)).find(|seq| *seq < self.seq())
        };
        self.marker_lists().into_iter().filter_map(last).max()
    }

    /// Goes to the next event of the game, or the next mistake that an engine found; returns `false` if there is none yet.
    pub(crate) fn next_event(&mut self) -> bool {
        self.show_moment(self.first_after(self.seq(), is_event))
    }

    /// Goes to the previous one; returns `false` if there is none.
    pub(crate) fn previous_event(&mut self) -> bool {
        self.show_moment(self.last_before(is_event))
    }

    /// Goes to the next moment of any kind; returns `false` if there is none yet.
    pub(crate) fn next_marker(&mut self) -> bool {
        self.show_moment(self.first_after(self.seq(), |_| true))
    }

    /// Goes to the previous moment of any kind; returns `false` if there is none.
    pub(crate) fn previous_marker(&mut self) -> bool {
        self.show_moment(self.last_before(|_| true))
    }

    /// Goes to the next or the previous visible moment of a kind, or of any; returns `false` if there is none.
    pub(crate) fn step_marker(&mut self, kind: Option<&str>, forward: bool) -> bool {
        let markers = &self.events.findings().markers;
        let wanted = |marker: &Marker| match (kind, marker.origin) {
            (None, _) => true,
            (Some(kind), Origin::Viewer) => kind == kind::BOOKMARK,
            (Some(kind), _) => markers.kind(marker) == kind,
        };
        let seq = if forward { self.first_after(self.seq(), wanted) } else { self.last_before(wanted) };
        self.show_moment(seq)
    }

    /// The visible moment that the shown command completes, in words: of several the one that the list of moments has, in the words of a
    /// server or of the game's goal.
    pub(crate) fn shown_moment(&self, sides: &[Side]) -> Option<String> {
        let cast = self.events.findings().markers.cast(sides);
        let shown = self.visible_markers().filter(|marker| self.whole(marker) == self.seq());
        let telling = |marker: &&Marker| (marker.origin == Origin::Server, marker.major, marker.seq);
        shown.max_by_key(telling).map(|marker| marker.words(&cast))
    }

    /// Goes to a command and replays the animation that led to it; returns `false` for `None`.
    pub(crate) fn show_moment(&mut self, seq: Option<u64>) -> bool {
        if let Some(seq) = seq {
            self.seek_seq(seq);
            self.gone_to_end();
            self.view.board.replay(self.view.now(), 2.0 * MOVE_SECS);
        }
        seq.is_some()
    }

    /// Stops at the first visible moment that playback has passed since the last call, if the viewer wants that.
    pub(super) fn stop_at_marker(&mut self) {
        // In a live match, moments are found a little after their commands are shown.
        let known = self.seq().min(self.events.noted());
        let from = self.looked_at;
        self.looked_at = from.max(known);
        if !self.stops_at_markers || from >= known {
            return;
        }
        let Some(seq) = self.first_after(from, |_| true).filter(|seq| *seq <= known) else { return };
        self.go(|playback, log| {
            playback.pause();
            playback.seek_seq(log, seq);
        });
        self.show(false);
        self.view.board.replay(self.view.now(), 2.0 * MOVE_SECS);
    }

    /// Sets the bookmarks that the viewer made in the match earlier.
    pub(crate) fn set_bookmarks(&mut self, bookmarks: Bookmarks) {
        self.bookmarks = bookmarks;
    }

    /// The viewer's bookmarks.
    pub(crate) fn bookmarks(&self) -> &Bookmarks {
        &self.bookmarks
    }

    /// Bookmarks that the viewer may know; those of a link may lie behind.
    pub(crate) fn known_bookmarks(&self) -> impl Iterator<Item = &Marker> {
        let known = self.log().last_seq();
        self.bookmarks.list().iter().filter(move |mark| mark.seq <= known)
    }

    /// Sets a bookmark at the shown moment, or removes it; returns a message, or `None` if there are too many.
    pub(crate) fn toggle_bookmark(&mut self) -> Option<String> {
        let seq = self.seq();
        if self.bookmarks.has(seq) {
            self.bookmarks.remove(seq);
            return Some("Bookmark removed".to_owned());
        }
        let name = self.bookmarks.fresh_name();
        let t = Micros::from_secs_f64(self.secs()).unwrap_or_default().min(self.whole_log().end_time());
        self.bookmarks.set(seq, t.max(self.whole_log().time_of(seq)), &name).then_some(format!("{name} set"))
    }

    /// Renames a bookmark.
    pub(crate) fn name_bookmark(&mut self, seq: u64, name: &str) {
        self.bookmarks.set(seq, self.whole_log().time_of(seq), name);
    }

    /// Removes a bookmark.
    pub(crate) fn remove_bookmark(&mut self, seq: u64) {
        self.bookmarks.remove(seq);
    }
}

/// Whether a marker is an event of the game, or a mistake in it.
fn is_event(marker: &Marker) -> bool {
    matches!(marker.origin, Origin::Game | Origin::Engine)
}
