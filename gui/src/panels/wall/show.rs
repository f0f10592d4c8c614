//! Display of the wall: its title, its boards, and what stands in the place of none.

use std::ops::Range;
use std::time::Duration;

use eframe::egui::scroll_area::{DragScroll, ScrollSource};
use eframe::egui::style::ScrollAnimation;
use eframe::egui::{Button, Id, Rect, RichText, ScrollArea, TextStyle, Ui, UiBuilder, pos2, vec2};
use grandstand_board::BoardOptions;
use grandstand_board::theme::{BODY, Palette, semibold};
use grandstand_story::format;

use super::tile::{SharedLayout, Tile};
use super::tile_frame::{TileButton, TileStyle, mark_places, show_tile};
use super::tiling::{self, BoardShape, MARGIN, Text};
use super::{Order, TileAction, Wall, WallRequest};
use crate::layout::ScreenLayout;
use crate::panels::trouble_card;
use crate::widgets::list_keys::{self, Arrangement};

/// Time of each board in rotation, in seconds.
const TURN: f64 = 15.0;
/// Width of the bar below which the number of boards is left out, in points.
const TITLE: f32 = 380.0;

/// Room around the boards, in points.
const AROUND: f32 = 8.0;
/// Height at the upper and the lower edge of a wall that scrolls in which a board that is moved scrolls it, and how far in a frame, in
/// points.
const EDGE: f32 = 36.0;
const STEP: f32 = 8.0;

/// Scrolls towards an edge that is near to this height.
fn scroll_at_edge(ui: &Ui, y: f32) {
    let view = ui.clip_rect();
    let way = f32::from(y < view.top() + EDGE) - f32::from(y > view.bottom() - EDGE);
    if way != 0.0 {
        ui.scroll_with_delta_animation(vec2(0.0, way * STEP), ScrollAnimation::none());
        ui.ctx().request_repaint();
    }
}

/// Id of a tile, which keeps the focus wherever it stands.
fn tile_id(number: u64) -> Id {
    Id::unique(("wall", number))
}

impl Wall {
    /// The board that is shown alone, in rotation.
    fn turn(&self, now: f64) -> Option<usize> {
        (self.in_turn && self.tiles.len() > 1).then(|| (now / TURN) as usize % self.tiles.len())
    }

    /// Shows the title, the rotation and the order.
    pub(crate) fn show_title(&mut self, ui: &mut Ui) {
        ui.add_space(6.0);
        // A phone's bar has room for the buttons only, with short names.
        let is_wide = ui.available_width() > TITLE;
        let name = |long: &'static str, short: &'static str| if is_wide { long } else { short };
        if is_wide {
            let title = match self.turn(ui.input(|input| input.time)) {
                Some(index) => format!("Wall, board {} of {}", index + 1, self.tiles.len()),
                None => format!("Wall, {}", format::count(self.tiles.len() as u64, "board", "boards")),
            };
            ui.label(RichText::new(title).family(semibold()).size(BODY + 1.0));
            ui.add_space(10.0);
        }
        let mut hint = self.pointed;
        // Tooltips would cover the boards below, so the bar says what a control does.
        let mut choice = |ui: &mut Ui, on: bool, name: &str, tip: &'static str| {
            let label = ui.selectable_label(on, name);
            if label.hovered() {
                hint = Some(tip);
            }
            label.clicked()
        };
        if is_wide
            && self.has_recordings()
            && choice(ui, self.paused, "Pause", "Pauses the recordings, and plays them on (Space)")
        {
            self.play_or_pause();
        }
        if choice(ui, self.in_turn, "Rotate", "Shows one board at a time") {
            self.in_turn = !self.in_turn;
        }
        let by_themselves = [
            (Order::Newest, name("Newest first", "Newest"), "Live matches join by themselves, in front"),
            (
                Order::Worth,
                name("Most worth watching", "Best"),
                "First where somebody is about to win, then close scores, then long matches",
            ),
        ];
        let by_hand = (Order::Hand, "By hand", "Drag the boards to their places");
        let has_server = self.server.is_some();
        let choices = by_themselves
            .into_iter()
            .filter(|(order, ..)| has_server || *order == Order::Worth)
            .chain([by_hand]);
        for (order, name, tip) in choices {
            if choice(ui, self.order == order, name, tip) {
                self.order = order;
            }
        }
        if let Some(hint) = hint.filter(|_| is_wide) {
            ui.add_space(10.0);
            let font = TextStyle::Body.resolve(ui.style());
            let weak = Palette::of(ui.ctx()).weak;
            let words = ui.painter().layout_no_wrap(hint.to_owned(), font, weak);
            // Part of a hint tells nothing.
            if words.size().x <= ui.available_width() {
                ui.label(words);
            }
        }
    }

    /// Shows the boards in the remaining space; returns the viewer's request.
    pub(crate) fn show(&mut self, ui: &mut Ui, options: BoardOptions, text: Text) -> Option<WallRequest> {
        let area = ui.max_rect().shrink(AROUND);
        if self.tiles.is_empty() {
            return self.show_empty(ui, area);
        }
        self.tell_apart();
        let now = ui.input(|input| input.time);
        let shown = match self.turn(now) {
            Some(index) => {
                let left = TURN - now % TURN;
                ui.ctx().request_repaint_after(Duration::from_secs_f64(left));
                index..index + 1
            }
            None => 0..self.tiles.len(),
        };
        let shapes: Vec<BoardShape> =
            self.tiles[shown.clone()].iter().map(|tile| tile.shape(ui.ctx())).collect();
        // A room sees all of a wall at once.
        let scrolls = text == Text::Near && !self.is_fixed;
        let mut ask = None;
        match tiling::scrolled(area, &shapes).filter(|_| scrolls) {
            Some(places) => {
                // A finger scrolls until it holds a board.
                let drag = if self.held.is_some() { DragScroll::Never } else { DragScroll::OnTouch };
                let source = ScrollSource { drag, ..ScrollSource::default() };
                let scroll = ScrollArea::vertical().id_salt("wall").auto_shrink(false).scroll_source(source);
                let from = ui.max_rect().min;
                scroll.show(ui, |ui| {
                    let way = ui.max_rect().min - from;
                    let places: Vec<Rect> = places.iter().map(|place| place.translate(way)).collect();
                    ask = self.show_tiles(ui, shown, &places, (options, text, true));
                });
            }
            None => {
                let places = tiling::tiles(area, &shapes, text);
                ask = self.show_tiles(ui, shown, &places, (options, text, false));
            }
        }
        if let Some(WallRequest::Enlarge(index)) = ask {
            self.leave(index);
        }
        ask
    }

    /// Shows these tiles in their places.
    fn show_tiles(
        &mut self,
        ui: &mut Ui,
        shown: Range<usize>,
        places: &[Rect],
        (options, text, scrolls): (BoardOptions, Text, bool),
    ) -> Option<WallRequest> {
        let mut ask = None;
        let mut action = None;
        let reasons = self.order == Order::Worth;
        let tile = places.first().copied().unwrap_or(ui.max_rect());
        let matches = self.tiles[shown.clone()].iter().map(|tile| &tile.session);
        let common = SharedLayout::of(ui, matches, tile.shrink(MARGIN), text);
        let (pointer, is_down, is_touched) = ui.input(|input| {
            let pointer = &input.pointer;
            (pointer.interact_pos(), pointer.any_down(), input.has_touch_screen())
        });
        let fixed = self.is_fixed;
        let drags = !(fixed || scrolls && is_touched);
        let first = shown.start;
        let mut held = self.held;
        let (mut focused, mut hovered, mut pointed) = (None, None, None);
        let tiles = (first..).zip(self.tiles[shown].iter().zip(places));
        let mut show = |ui: &mut Ui, (index, (tile, rect)): (usize, (&Tile, &Rect))| {
            let id = tile_id(tile.number);
            list_keys::add(ui, id, *rect);
            ui.scope_builder(UiBuilder::new().id_salt(id).max_rect(*rect), |ui| {
                let style = TileStyle { text, options, common, reasons, fixed, drags };
                let (response, button) = show_tile(ui, id, tile, *rect, style);
                if button.has_focus {
                    focused = Some(index);
                }
                if response.hovered() {
                    hovered = Some(index);
                }
                let is_held = held == Some(tile.number);
                if response.clicked() && !is_held {
                    ask = Some(WallRequest::Enlarge(index));
                }
                if !fixed && scrolls && response.long_touched() {
                    held = Some(tile.number);
                }
                if response.drag_stopped() || is_held && !is_down {
                    let to = pointer.and_then(|at| places.iter().position(|place| place.contains(at)));
                    let to = to.map(|to| to + first);
                    action = to.map(|to| TileAction::Move { from: index, to });
                }
                if response.dragged() || is_held && is_down {
                    let over = pointer.and_then(|at| places.iter().find(|place| place.contains(at)));
                    mark_places(ui, *rect, over.copied());
                    if let Some(at) = pointer.filter(|_| scrolls) {
                        scroll_at_edge(ui, at.y);
                    }
                }
                pointed = pointed.or(button.pointed);
                match button.pressed {
                    Some(TileButton::Pin) => action = Some(TileAction::Pin(index)),
                    Some(TileButton::Remove) => {
                        action = Some(TileAction::Remove { index, focus: button.has_focus });
                    }
                    None => {}
                }
            });
        };
        list_keys::show(ui, Arrangement::Grid, |ui| tiles.for_each(|tile| show(ui, tile)));
        let end = places.iter().map(Rect::bottom).fold(ui.max_rect().top(), f32::max) + AROUND;
        ui.expand_to_include_y(end);
        self.held = held.filter(|_| is_down);
        self.current = focused.or(hovered);
        if let Some(number) = self.leads_to.take() {
            ui.memory_mut(|memory| memory.request_focus(tile_id(number)));
            ui.ctx().request_repaint();
        }
        if self.pointed != pointed {
            // The bar was shown before the boards.
            self.pointed = pointed;
            ui.ctx().request_repaint();
        }
        if let Some(action) = action {
            self.apply(&action);
            ui.ctx().request_repaint();
            if matches!(action, TileAction::Remove { .. }) {
                ask = Some(WallRequest::TellRemoved);
            }
        }
        ask
    }

    /// An empty wall: an error, or what the wall waits for, and the way to the list.
    fn show_empty(&self, ui: &mut Ui, area: Rect) -> Option<WallRequest> {
        let mut asked = None;
        let width = area.width().min(560.0);
        let column = Rect::from_min_max(
            pos2(area.center().x - width / 2.0, area.top() + area.height() * 0.3),
            pos2(area.center().x + width / 2.0, area.bottom()),
        );
        ui.scope_builder(UiBuilder::new().max_rect(column), |ui| {
            if let Some(trouble) = &self.trouble {
                if trouble_card::show(ui, trouble, Some("Try again")) {
                    self.refresh();
                }
                return;
            }
            ui.vertical_centered(|ui| match (&self.server, &self.live) {
                (Some((base, _)), None) => {
                    ui.spinner();
                    ui.weak(format!("Asking {base} for its matches…"));
                }
                (Some((base, _)), Some(_)) => {
                    ui.label(RichText::new("No match is live").family(semibold()).size(BODY + 3.0));
                    ui.weak(format!("Each match of {base} appears here as soon as it begins."));
                    if !self.is_fixed {
                        ui.add_space(12.0);
                        let height = ScreenLayout::of(ui.ctx()).control(30.0);
                        let button = Button::new("Played matches").min_size(vec2(0.0, height));
                        asked = ui.add(button).clicked().then_some(WallRequest::List);
                    }
                }
                (None, _) => {
                    ui.label(RichText::new("The wall is empty").family(semibold()).size(BODY + 3.0));
                    ui.weak("Choose matches or recordings in the list.");
                }
            });
        });
        asked
    }
}
