//! The moments of a match: which of them are seen, going from one to the next, stopping at them, and bookmarks.

use grandstand_board::step::MOVE_SECS;
use grandstand_protocol::Micros;
use grandstand_story::event_index::{end_of, last_of};
use grandstand_story::markers::{Marker, Origin, Visible};
use grandstand_story::moves::Move;

use super::Session;
use crate::address::bookmarks::Bookmarks;

/// The end of an event is no more commands after its beginning than this.
const LOOK_BACK: u64 = 600;

impl Session {
    /// Which markers are seen: those of commands that the viewer may know of.
    pub(crate) fn visible(&self) -> Visible {
        let known = self.log().last_seq();
        // What a link marks may not have come yet, or not been seen.
        let until = if self.bookmarks.last_seq() > known { known } else { u64::MAX };
        self.filter.of(&self.events.findings().markers, until)
    }

    /// The markers that the match has, and those that the viewer made: two lists, each in the order of the commands.
    pub(crate) fn marker_lists(&self) -> [&[Marker]; 2] {
        [self.events.findings().markers.list(), self.bookmarks.list()]
    }

    /// The markers that are seen: first those that the match has, then those that the viewer made.
    pub(crate) fn visible_markers(&self) -> impl Iterator<Item = &Marker> {
        let visible = self.visible();
        self.marker_lists().into_iter().flatten().filter(move |marker| visible.has(marker))
    }

    /// The command that shows a moment whole.
    pub(crate) fn whole(&self, marker: &Marker) -> u64 {
        last_of(marker, self.log(), self.scene())
    }

    /// The command that shows a move whole, with what it takes and whose turn is next.
    pub(crate) fn whole_move(&self, made: &Move) -> u64 {
        end_of((made.seq, made.t), self.log(), self.scene())
    }

    /// The first seen moment that is whole after command `after`.
    fn first_after(&self, after: u64, wanted: impl Fn(&Marker) -> bool) -> Option<u64> {
        let visible = self.visible();
        let first = |list: &[Marker]| {
            // What is shown may lie behind a moment and before its end.
            let from = list.partition_point(|marker| marker.seq < after.saturating_sub(LOOK_BACK));
            let seen = list[from..].iter().filter(|marker| visible.has(marker) && wanted(marker));
            seen.map(|marker| self.whole(marker)).find(|seq| *seq > after)
        };
        self.marker_lists().into_iter().filter_map(first).min()
    }

    /// The last seen moment that is whole before the picture.
    fn last_before(&self, wanted: impl Fn(&Marker) -> bool) -> Option<u64> {
        let visible = self.visible();
        let last = |list: &[Marker]| {
            let to = list.partition_point(|marker| marker.seq < self.seq());
            let seen = list[..to].iter().rev().filter(|marker| visible.has(marker) && wanted(marker));
            seen.map(|marker| self.whole(marker)).find(|seq| *seq < self.seq())
        };
        self.marker_lists().into_iter().filter_map(last).max()
    }

    /// To the next moment that the game has an event at; `false` when there is none yet.
    pub(crate) fn next_event(&mut self) -> bool {
        self.show_moment(self.first_after(self.seq(), |marker| marker.origin == Origin::Game))
    }

    /// To the last moment before the picture that the game has an event at; `false` when there was none.
    pub(crate) fn previous_event(&mut self) -> bool {
        self.show_moment(self.last_before(|marker| marker.origin == Origin::Game))
    }

    /// To the next moment of any kind; `false` when there is none yet.
    pub(crate) fn next_marker(&mut self) -> bool {
        self.show_moment(self.first_after(self.seq(), |_| true))
    }

    /// To the last moment of any kind before the picture; `false` when there was none.
    pub(crate) fn previous_marker(&mut self) -> bool {
        self.show_moment(self.last_before(|_| true))
    }

    /// To the next moment that is seen of a kind, or of any, or to the last one before; `false` when there is none.
    pub(crate) fn step_marker(&mut self, kind: Option<&str>, forward: bool) -> bool {
        let markers = &self.events.findings().markers;
        let wanted = |marker: &Marker| match (kind, marker.origin) {
            (None, _) => true,
            (Some(kind), Origin::Viewer) => kind == grandstand_story::markers::kind::BOOKMARK,
            (Some(kind), _) => markers.kind(marker) == kind,
        };
        let seq = if forward { self.first_after(self.seq(), wanted) } else { self.last_before(wanted) };
        self.show_moment(seq)
    }

    /// Goes to a command and shows how the picture there came about.
    pub(crate) fn show_moment(&mut self, seq: Option<u64>) -> bool {
        if let Some(seq) = seq {
            self.seek_seq(seq);
            self.view.board.replay(self.view.now(), 2.0 * MOVE_SECS);
        }
        seq.is_some()
    }

    /// Stops at the first seen moment that the picture has passed since it was last looked at, where the viewer wants that.
    pub(super) fn stop_at_marker(&mut self) {
        // Of a match that is followed, moments are known a little after they are seen.
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

    /// Gives the match the bookmarks that the viewer made in it before.
    pub(crate) fn set_bookmarks(&mut self, bookmarks: Bookmarks) {
        self.bookmarks = bookmarks;
    }

    /// The viewer's bookmarks.
    pub(crate) fn bookmarks(&self) -> &Bookmarks {
        &self.bookmarks
    }

    /// Those of them that the viewer may know of: a link also marks what has not come yet.
    pub(crate) fn known_bookmarks(&self) -> impl Iterator<Item = &Marker> {
        let known = self.log().last_seq();
        self.bookmarks.list().iter().filter(move |mark| mark.seq <= known)
    }

    /// Sets a bookmark at the moment shown, or takes it away, and says so; `None` when there are too many.
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

    /// Names a bookmark.
    pub(crate) fn name_bookmark(&mut self, seq: u64, name: &str) {
        self.bookmarks.set(seq, self.whole_log().time_of(seq), name);
    }

    /// Takes a bookmark away.
    pub(crate) fn remove_bookmark(&mut self, seq: u64) {
        self.bookmarks.remove(seq);
    }
}
