//! Wall: many boards at once, of a server's live matches or of chosen matches and recordings.

mod caption;
mod roster;
mod tile;
mod tiling;

use std::time::Duration;

use eframe::egui::{
    CornerRadius, CursorIcon, Id, Rect, Response, RichText, Role, Sense, Shape, Stroke, StrokeKind, Ui,
    UiBuilder, WidgetInfo, pos2, vec2,
};
use grandstand_protocol::message::{MatchId, MatchState};
use grandstand_story::format;

use roster::RosterEntry;

pub(crate) use tile::paint_board;
use tile::{Tile, TileLook, button_size};
pub(crate) use tiling::{TILES_MAX, Text};

use crate::address::{Base, Target};
use crate::errors::Trouble;
use crate::icons::{self, Icon};
use crate::panels::trouble_card;
use crate::session::{MatchView, NextFrame};
use crate::source::{self, Listing, Wake, watch_list};
use grandstand_board::Options;
use grandstand_board::theme::{BODY, Palette, mix, semibold};

/// Pause at the end of a recording before it starts again, in seconds.
const PAUSE: f64 = 6.0;
/// Time of each board in rotation, in seconds.
const TURN: f64 = 15.0;
/// Width of the bar below which the number of boards is left out, in points.
const TITLE: f32 = 380.0;
/// Least interval between updates of a wall that is not on the screen, in seconds.
const UNSEEN: f64 = 0.5;

/// Order of the boards, and whether new ones join.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// The server's live matches, the newest first; they come and go by themselves.
    Newest,
    /// The viewer's own order; nothing joins or leaves.
    Hand,
}

/// A wall of boards.
#[derive(Debug)]
pub(crate) struct Wall {
    pub order: Order,
    server: Option<(Base, Listing)>,
    /// The server's live matches as last listed, and the last error.
    live: Option<Vec<MatchId>>,
    trouble: Option<Trouble>,
    tiles: Vec<Tile>,
    /// Number of tiles made so far, for their `number`.
    numbers: u64,
    /// Rotation: one board after the other is shown alone.
    in_turn: bool,
    /// Index of the dragged tile (write-only).
    dragged: Option<usize>,
    /// Index of the tile with the focus, or else under the pointer.
    current: Option<usize>,
}

/// A request of the viewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WallRequest {
    /// Show this tile's match alone.
    Enlarge(usize),
}

/// A change to the tiles.
enum TileAction {
    Move { from: usize, to: usize },
    Pin(usize),
    Remove(usize),
}

impl Wall {
    /// Target that opens the same wall again.
    pub(crate) fn target(&self) -> Target {
        Target::Wall(match &self.server {
            Some((base, _)) => vec![Target::Server(base.clone())],
            None => (0..self.tiles.len())
                .filter_map(|index| self.session(index))
                .map(|session| session.target.clone())
                .collect(),
        })
    }

    /// A wall of these targets. The first server adds its live matches; any other target has a pinned tile.
    pub(crate) fn new(targets: &[Target], wake: &Wake) -> Wall {
        let mut servers = targets.iter().filter_map(|target| match target {
            Target::Server(base) => Some(base.clone()),
            _ => None,
        });
        let server = servers.next().map(|base| (base.clone(), watch_list(base, wake.clone())));
        let order = if server.is_some() { Order::Newest } else { Order::Hand };
        let chosen = targets.iter().filter_map(|target| preview(target, wake));
        let tiles =
            (0..).zip(chosen.take(TILES_MAX)).map(|(number, session)| Tile::new(number, session, true));
        let tiles: Vec<Tile> = tiles.collect();
        Wall {
            order,
            server,
            live: None,
            trouble: None,
            numbers: tiles.len() as u64,
            tiles,
            in_turn: false,
            dragged: None,
            current: None,
        }
    }

    /// Adds newer recordings, `newest` with the newest first. Each gets a free place, or else that of a recording that
    /// was played to its end.
    pub(crate) fn bring(&mut self, newest: Vec<Target>, wake: &Wake) {
        let is_recording = |tile: &Tile| matches!(tile.session.target, Target::Recording { .. });
        let most = newest.len();
        for target in newest {
            if self.tiles.iter().any(|tile| tile.session.target == target) {
                continue;
            }
            let full = self.tiles.iter().filter(|tile| is_recording(tile)).count() >= most;
            let ended = |tile: &Tile| is_recording(tile) && tile.over.is_some();
            let place = match (full, self.tiles.iter().position(ended)) {
                (true, None) => return,
                (true, Some(ended)) => {
                    self.tiles.remove(ended);
                    ended
                }
                (false, _) => self.tiles.iter().take_while(|tile| is_recording(tile)).count(),
            };
            let Some(session) = preview(&target, wake) else { continue };
            self.numbers += 1;
            self.tiles.insert(place, Tile::new(self.numbers, session, true));
        }
    }

    /// Whether a server's live matches join the wall.
    pub(crate) fn has_server(&self) -> bool {
        self.server.is_some()
    }

    /// Number of boards.
    pub(crate) fn len(&self) -> usize {
        self.tiles.len()
    }

    /// The wall as the value of `wall=` in an address: empty for all live matches, `None` if no address can name it.
    pub(crate) fn ids(&self) -> Option<String> {
        if self.order == Order::Newest {
            return Some(String::new());
        }
        let ids = self.tiles.iter().map(|tile| match &tile.session.target {
            Target::Match { id, .. } => Some(id.as_str()),
            _ => None,
        });
        Some(ids.collect::<Option<Vec<_>>>()?.join(",")).filter(|ids| !ids.is_empty())
    }

    /// Asks for the list at once, and reconnects the tiles without a connection.
    pub(crate) fn refresh(&self) {
        if let Some((_, listing)) = &self.server {
            listing.refresh();
        }
        self.tiles.iter().for_each(|tile| tile.session.reconnect_now());
    }

    /// Sets spoiler mode for all tiles.
    pub(crate) fn set_spoiler_free(&mut self, on: bool) {
        self.tiles.iter_mut().for_each(|tile| tile.session.set_spoiler_free(on));
    }

    /// The match of a tile.
    pub(crate) fn session(&self, index: usize) -> Option<&MatchView> {
        self.tiles.get(index).map(|tile| &tile.session)
    }

    /// Takes what has arrived, and returns when the next frame is needed. `now` is egui's time in seconds.
    pub(crate) fn update(&mut self, now: f64, seen: bool, wake: &Wake) -> NextFrame {
        self.take_list();
        let mut next = NextFrame::Idle;
        for tile in &mut self.tiles {
            next = next.sooner(tile.session.update(now));
            if !tile.session.is_over() {
                continue;
            }
            // A complete recording counts as over once it was played to its end.
            let live = matches!(tile.session.target, Target::Match { .. });
            if !live && !tile.session.is_at_end() && !tile.session.is_failed() {
                tile.over = None;
                continue;
            }
            let since = *tile.over.get_or_insert(now);
            if !live && !tile.session.is_failed() {
                if now - since > PAUSE {
                    tile.over = None;
                    tile.session.play_again();
                }
                next = next.sooner(NextFrame::After(0.5));
            }
        }
        if self.order == Order::Newest {
            self.fill(now, wake);
        }
        if seen { next } else { next.later_than(UNSEEN) }
    }

    fn take_list(&mut self) {
        let Some((_, listing)) = &self.server else { return };
        for answer in listing.updates.try_iter() {
            match answer {
                Ok(matches) => {
                    let live = matches.into_iter().filter(|summary| summary.state == MatchState::Live);
                    (self.live, self.trouble) = (Some(live.map(|summary| summary.id).collect()), None);
                }
                Err(trouble) => self.trouble = Some(trouble),
            }
        }
    }

    /// Adds new live matches and removes finished ones.
    fn fill(&mut self, now: f64, wake: &Wake) {
        let (Some((base, _)), Some(live)) = (&self.server, &self.live) else { return };
        let id = |tile: &Tile| match &tile.session.target {
            Target::Match { id, .. } => Some(id.clone()),
            _ => None,
        };
        let places = self
            .tiles
            .iter()
            .filter_map(|tile| Some(RosterEntry { id: id(tile)?, pinned: tile.pinned, over: tile.over }));
        let wanted = roster::next(&places.collect::<Vec<_>>(), live, now);
        if self.tiles.iter().filter_map(id).eq(wanted.iter().cloned()) {
            return;
        }
        let mut before: Vec<Tile> = std::mem::take(&mut self.tiles);
        // Recordings stand before the matches that come and go.
        self.tiles.extend(before.extract_if(.., |tile| id(tile).is_none()));
        for wanted in wanted.into_iter().take(TILES_MAX - self.tiles.len()) {
            let kept = before.iter().position(|tile| id(tile).as_ref() == Some(&wanted));
            self.tiles.push(match kept {
                Some(index) => before.swap_remove(index),
                None => {
                    let target = Target::of_match(base.clone(), wanted);
                    let Some(session) = preview(&target, wake) else { continue };
                    self.numbers += 1;
                    Tile::new(self.numbers, session, false)
                }
            });
        }
    }

    /// Shows the title, the rotation and the order.
    pub(crate) fn show_title(&mut self, ui: &mut Ui) {
        ui.add_space(6.0);
        // A phone's bar has room for the buttons only.
        if ui.available_width() > TITLE {
            let count = format::count(self.tiles.len() as u64, "board", "boards");
            ui.label(RichText::new(format!("Wall, {count}")).family(semibold()).size(BODY + 1.0));
            ui.add_space(10.0);
        }
        let tip = "Each board alone for a while";
        if ui.selectable_label(self.in_turn, "Rotate").on_hover_text(tip).clicked() {
            self.in_turn = !self.in_turn;
        }
        if self.server.is_none() {
            return;
        }
        let choices = [
            (Order::Newest, "Newest first", "Live matches join by themselves, in front"),
            (Order::Hand, "By hand", "What there is stays; drag the boards to their places"),
        ];
        for (order, name, tip) in choices {
            if ui.selectable_label(self.order == order, name).on_hover_text(tip).clicked() {
                self.order = order;
            }
        }
    }

    /// Shows the boards in the remaining space; returns the viewer's request.
    pub(crate) fn show(&mut self, ui: &mut Ui, options: Options, text: Text) -> Option<WallRequest> {
        let area = ui.max_rect().shrink(8.0);
        if self.tiles.is_empty() {
            self.show_empty(ui, area);
            return None;
        }
        let now = ui.input(|input| input.time);
        let shown = if self.in_turn && self.tiles.len() > 1 {
            let left = TURN - now % TURN;
            ui.ctx().request_repaint_after(Duration::from_secs_f64(left));
            let index = (now / TURN) as usize % self.tiles.len();
            index..index + 1
        } else {
            0..self.tiles.len()
        };
        let first = shown.start;
        let shapes: Vec<f32> = self.tiles[shown.clone()].iter().map(Tile::shape).collect();
        let places = tiling::tiles(area, &shapes, text);
        let mut ask = None;
        let mut deed = None;
        let pointer = ui.input(|input| input.pointer.interact_pos());
        // A sign marks pinned tiles only if some tile is not pinned.
        let signs = !self.tiles.iter().all(|tile| tile.pinned);
        let (mut focused, mut hovered) = (None, None);
        for (index, (tile, rect)) in (first..).zip(self.tiles[shown].iter().zip(&places)) {
            let id = Id::unique(("wall", tile.number));
            ui.scope_builder(UiBuilder::new().id_salt(id).max_rect(*rect), |ui| {
                let (response, pressed) = show_tile(ui, id, tile, *rect, TileStyle { text, options, signs });
                if response.has_focus() {
                    focused = Some(index);
                }
                if response.hovered() {
                    hovered = Some(index);
                }
                if response.clicked() {
                    ask = Some(WallRequest::Enlarge(index));
                }
                if response.drag_started() {
                    self.dragged = Some(index);
                }
                if response.drag_stopped() {
                    let to = pointer.and_then(|at| places.iter().position(|place| place.contains(at)));
                    let to = to.map(|to| to + first);
                    deed = to.map(|to| TileAction::Move { from: index, to });
                    self.dragged = None;
                }
                if response.dragged() {
                    let over = pointer.and_then(|at| places.iter().find(|place| place.contains(at)));
                    mark_places(ui, *rect, over.copied());
                }
                match pressed {
                    Some(TileButton::Pin) => deed = Some(TileAction::Pin(index)),
                    Some(TileButton::Remove) => deed = Some(TileAction::Remove(index)),
                    None => {}
                }
            });
        }
        self.current = focused.or(hovered);
        if let Some(deed) = deed {
            self.apply(&deed);
        }
        ask
    }

    /// Whether a tile can be moved by keyboard: one has the focus or the pointer.
    pub(crate) fn can_shift(&self) -> bool {
        self.current.is_some() && self.tiles.len() > 1
    }

    /// Moves that tile one place forward or back; returns its new place in words.
    pub(crate) fn shift(&mut self, forward: bool) -> Option<String> {
        let from = self.current.filter(|index| *index < self.tiles.len())?;
        let to = if forward { from.checked_sub(1)? } else { from + 1 };
        if to >= self.tiles.len() {
            return None;
        }
        self.apply(&TileAction::Move { from, to });
        self.current = Some(to);
        Some(format!("Place {} of {}", to + 1, self.tiles.len()))
    }

    fn apply(&mut self, deed: &TileAction) {
        match *deed {
            TileAction::Move { from, to } if from != to => {
                let tile = self.tiles.remove(from);
                self.tiles.insert(to, tile);
                self.order = Order::Hand;
            }
            TileAction::Move { .. } => {}
            TileAction::Pin(index) => {
                let mut tile = self.tiles.remove(index);
                tile.pinned = !tile.pinned;
                let to = self.tiles.iter().filter(|tile| tile.pinned).count();
                self.tiles.insert(to, tile);
            }
            TileAction::Remove(index) => {
                self.tiles.remove(index);
                self.order = Order::Hand;
            }
        }
    }

    /// An empty wall: an error, or what the wall waits for.
    fn show_empty(&self, ui: &mut Ui, area: Rect) {
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
                }
                (None, _) => {
                    ui.label(RichText::new("The wall is empty").family(semibold()).size(BODY + 3.0));
                    ui.weak("Choose matches or recordings in the list.");
                }
            });
        });
    }
}

/// A preview of a match, for a tile.
fn preview(target: &Target, wake: &Wake) -> Option<MatchView> {
    Some(MatchView::preview(target.clone(), source::preview(target, wake.clone())?))
}

/// Style of all tiles.
#[derive(Debug, Clone, Copy)]
struct TileStyle {
    text: Text,
    options: Options,
    /// Whether pinned tiles have a sign.
    signs: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum TileButton {
    Pin,
    Remove,
}

/// One tile, with its buttons while it has the pointer or the focus.
fn show_tile(
    ui: &mut Ui,
    id: Id,
    tile: &Tile,
    rect: Rect,
    manner: TileStyle,
) -> (Response, Option<TileButton>) {
    let TileStyle { text, options, signs } = manner;
    let hot = ui.rect_contains_pointer(rect);
    let focused = ui.ctx().memory(|memory| memory.has_focus(id));
    let painted = tile.paint(ui, rect, TileLook { text, options, hot, focused });
    // After the board, so that the tile gets the pointer and not the board's places.
    let response = ui.interact(rect, id, Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, tile.label()));
    let size = button_size(text, rect);
    let mut pressed = None;
    let place = |n: f32| {
        let min = pos2(rect.right() - (n + 1.0) * (size.x + 2.0) - 2.0, rect.top() + 4.0);
        Rect::from_min_size(min, size)
    };
    let pin = if tile.pinned { "Let it go" } else { "Keep it in front" };
    let buttons = [(TileButton::Remove, Icon::Close, "Take off the wall"), (TileButton::Pin, Icon::Pin, pin)];
    for (n, (little, icon, name)) in buttons.into_iter().enumerate() {
        let place = place(n as f32);
        let button = ui.interact(place, id.with(name), Sense::click());
        button.widget_info(|| {
            WidgetInfo::selected(Role::Button, true, little == TileButton::Pin && tile.pinned, name)
        });
        let shown = hot || focused || button.has_focus();
        if shown {
            let palette = Palette::of(ui.ctx());
            let lit = button.hovered() || button.has_focus();
            let fill = mix(palette.panel, palette.text, if lit { 0.22 } else { 0.08 });
            ui.painter().rect_filled(place, CornerRadius::same(6), fill);
            let ink = if little == TileButton::Pin && tile.pinned { palette.accent } else { palette.text };
            icons::paint(ui.painter(), icon, icons::square(place.center(), size.x * 0.6), ink);
        } else if little == TileButton::Pin && tile.pinned && signs {
            pinned_sign(ui, rect, size.x * 0.7);
        }
        if button.clicked() {
            pressed = Some(little);
        }
        button.on_hover_text(name);
    }
    let at = response.hover_pos();
    let response = response.on_hover_cursor(CursorIcon::PointingHand);
    let response = response.on_hover_ui_at_pointer(|ui| tile.card(ui, painted.as_ref(), at));
    (response, pressed)
}

/// A folded corner: the sign of a pinned tile.
fn pinned_sign(ui: &Ui, tile: Rect, size: f32) {
    let palette = Palette::of(ui.ctx());
    let corner = tile.right_top();
    let fold = vec![corner - vec2(size, 0.0), corner + vec2(0.0, size), corner + vec2(-size, size)];
    ui.painter().add(Shape::convex_polygon(
        vec![corner - vec2(size, 0.0), corner, corner + vec2(0.0, size)],
        palette.ground,
        Stroke::NONE,
    ));
    ui.painter().add(Shape::convex_polygon(fold, palette.accent, Stroke::NONE));
}

/// Marks the place of the dragged tile and the place under the pointer.
fn mark_places(ui: &Ui, from: Rect, to: Option<Rect>) {
    let palette = Palette::of(ui.ctx());
    let layer = eframe::egui::LayerId::new(eframe::egui::Order::Foreground, Id::unique("wall places"));
    let painter = ui.ctx().layer_painter(layer);
    painter.rect_filled(from, CornerRadius::same(8), palette.ground.gamma_multiply(0.6));
    if let Some(to) = to.filter(|to| *to != from) {
        let stroke = Stroke::new(3.0, palette.accent);
        painter.rect_stroke(to, CornerRadius::same(8), stroke, StrokeKind::Inside);
    }
}
