//! Updates of the source, applied within a frame's time.

use std::time::Duration;

use crate::budget::Budget;
use grandstand_board as board;
use grandstand_protocol::message::MatchState;
use grandstand_story::EventIndex;

use super::live_stats::LiveStats;
use super::{MatchView, Session};
use crate::source::Update;

/// Time for updates in one frame.
const TAKE_BUDGET: Duration = Duration::from_millis(6);

impl MatchView {
    /// Applies the source's updates within a frame's time; returns `true` if more wait.
    pub(super) fn take(&mut self) -> bool {
        let time = Budget::new(TAKE_BUDGET);
        while let Some(update) = self.open.next_update() {
            self.apply(update);
            if !time.is_left() {
                return true;
            }
        }
        false
    }

    /// Applies one update; returns whether a match begins with it.
    fn apply(&mut self, update: Update) -> bool {
        let is_first = self.about.state.is_none();
        let begins = self.open.apply(update);
        if begins {
            self.reset_spoiler_guard();
            self.board = board::view(self.scene()).new_painter();
        }
        if let Some(state) = self.about.state.filter(|_| is_first) {
            self.spoiler_guard.was_over = self.is_preview() && state != MatchState::Live;
        }
        begins
    }
}

impl Session {
    /// Applies the source's updates and fetched lines within a frame's time; returns `true` if more wait.
    pub(super) fn take(&mut self) -> bool {
        let time = Budget::new(TAKE_BUDGET);
        while let Some(update) = self.view.open.next_update() {
            self.apply(update);
            if !time.is_left() {
                return true;
            }
        }
        false
    }

    fn apply(&mut self, update: Update) {
        let mut seats = None;
        match &update {
            Update::Hello(summary) => {
                seats = Some(summary.seats.clone());
                if !summary.setup.is_empty() {
                    self.seat_client.setup.clone_from(&summary.setup);
                }
                self.live_stats = LiveStats::default();
            }
            Update::Seats(list) => seats = Some(list.clone()),
            Update::End { .. } => self.seat_client.end(),
            _ => {}
        }
        if self.view.apply(update) {
            self.events = EventIndex::new(self.whole_log().game());
            self.looked_at = self.seq_at_opening;
        }
        if let Some(seats) = seats {
            self.set_seats(seats);
        }
    }
}
