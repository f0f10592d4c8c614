//! Actions on the board's inspector: pins, ruler, coordinates, drawings, copying.

use eframe::egui::Context;
use grandstand_board::zoom::BoardZoom;
use grandstand_protocol::Place;

use super::App;
use super::notice::Notice;
use crate::layout::PanelPlacement;
use crate::panels::board_inspector::BoardInspectorRequest;
use crate::panels::command_log::{self, copy};
use crate::panels::side_panel::Tab;

/// Time for which a notice is shown, in seconds.
const NOTICE_SECS: f64 = 1.8;
/// Width of a window below which pinned cards don't fit on the board beside the panel, in points.
const NARROW: f32 = 1000.0;

impl App {
    /// Shows a notice.
    pub(super) fn say(&mut self, ctx: &Context, words: impl Into<String>) {
        self.notice = Some(Notice::new(words, ctx.input(|input| input.time) + NOTICE_SECS));
    }

    /// Executes a request of the board's inspector.
    pub(super) fn take_asked(&mut self, ctx: &Context, asked: BoardInspectorRequest) {
        if let Some(place) = asked.pin.or(asked.unpin) {
            self.pin(ctx, place);
        }
        if let Some(place) = asked.lines {
            self.side_panel.command_log.ask_place(Some(place));
            self.side_panel.open(Tab::Protocol);
        }
        if let (Some(seq), Some(session)) = (asked.seq, &mut self.session) {
            session.seek_seq(seq);
        }
        if asked.follow.is_some() {
            self.follow_unit(ctx, asked.follow);
        }
        if let Some(action) = asked.action {
            self.perform(ctx, action);
        }
    }

    /// Whether the cards of pinned places stand off the board: in a sheet below it, or while that is closed in a row there, and in
    /// the open panel beside a board that they would cover.
    pub(super) fn cards_off_board(&self, ctx: &Context) -> bool {
        let layout = self.layout(ctx);
        let is_narrow = ctx.content_rect().width() < NARROW && self.side_panel.is_open(layout);
        !self.embedded && (is_narrow || layout.panel == PanelPlacement::Below)
    }

    /// Pins a place and shows its lines; a pinned place is unpinned.
    fn pin(&mut self, ctx: &Context, place: Place) {
        let Some(session) = &self.session else { return };
        let command_log = &mut self.side_panel.command_log;
        let before: Vec<Place> = self.board_inspector.pinned().collect();
        if self.board_inspector.toggle(session, place) {
            if self.board_inspector.pinned().count() == before.len() {
                let words = format!("{} pins at most: the oldest is gone", before.len());
                self.notice = Some(Notice::new(words, ctx.input(|input| input.time) + 3.0));
            }
            command_log.ask_place(Some(place));
            let is_sheet = !self.embedded && self.layout(ctx).panel == PanelPlacement::Below;
            if is_sheet && !self.side_panel.shows_program(session) {
                // A closed sheet stays closed: opening it would move the board away below the finger. A panel beside the board keeps its
                // tab, and has the folded card above it.
                self.side_panel.turn_to_pins(true);
                // One that stands below the board from the start has room for the card alone.
                if self.room_below(ctx).is_some() && self.side_panel.is_open(self.layout(ctx)) {
                    self.side_panel.unfold_card(place);
                }
            }
        } else {
            if command_log.place() == Some(place) {
                command_log.ask_place(self.board_inspector.last_pin());
            }
            if !self.board_inspector.has_pins() {
                self.side_panel.turn_to_pins(false);
            }
            self.notice = None;
        }
    }

    pub(super) fn pin_pointed(&mut self, ctx: &Context) {
        match self.board_inspector.pointed() {
            Some(place) => self.pin(ctx, place),
            None if self.session.is_some() => {
                ctx.memory_mut(|memory| memory.request_focus(BoardZoom::id()));
                ctx.request_repaint();
                let plays = self.session.as_ref().is_some_and(|session| session.is_playing());
                self.say(
                    ctx,
                    match plays {
                        true => "Go to a place with the arrow keys; Enter plays there",
                        false => "Point at a place on the board to pin it, or go there with the arrow keys",
                    },
                );
            }
            None => {}
        }
    }

    /// Removes pins and the ruler; returns whether there were any.
    pub(super) fn unmark(&mut self) -> bool {
        let pinned = self.board_inspector.last_pin();
        let any = self.board_inspector.clear();
        if pinned.is_some() && !self.board_inspector.has_pins() {
            self.side_panel.command_log.ask_place(None);
            self.side_panel.turn_to_pins(false);
        }
        any
    }

    pub(super) fn toggle_measure(&mut self, ctx: &Context) {
        if self.session.is_none() {
            return;
        }
        self.board_inspector.toggle_measure();
        let words = match self.board_inspector.measures() {
            true => "Measuring: click two places, or drag from one to another",
            false => "Measuring off",
        };
        self.say(ctx, words);
    }

    /// Cycles the coordinates: at the edges, on every place, none.
    pub(super) fn next_coordinates(&mut self, ctx: &Context) {
        let options = &mut self.settings.board;
        let (coordinates, labels, words) = match (options.coordinates, options.labels) {
            (true, false) => (true, true, "Coordinates: on every place"),
            (_, true) => (false, false, "Coordinates: off"),
            (false, false) => (true, false, "Coordinates: at the edges"),
        };
        (options.coordinates, options.labels) = (coordinates, labels);
        self.say(ctx, words);
    }

    pub(super) fn toggle_overlays(&mut self, ctx: &Context) {
        let shown = !self.settings.board.overlays;
        self.settings.board.overlays = shown;
        self.say(ctx, if shown { "Bot drawings shown" } else { "Bot drawings hidden" });
    }

    /// Copies the last line of the shown picture.
    pub(super) fn copy_line(&mut self, ctx: &Context) {
        if let Some(session) = &self.session {
            let words = command_log::copy_line(ctx, session.log(), session.seq(), copy::CopyFormat::Text);
            self.say(ctx, words);
        }
    }
}
