//! Inspector of a board, by pointing at it: the card of a place under the pointer, places that are pinned, the
//! places of a line of the protocol, distances, and who draws over the board.
//!
//! A click on the board pins a place, where it is no move: the viewer who has a seat pins with the other button, with a
//! long press or with the key.

mod cards;
mod cursor;
mod legend;
mod marks;
mod place_history;
mod ruler;

use std::time::Duration;

use eframe::egui::{
    Align2, EventFilter, FontId, Layout, Pos2, Rect, Response, Role, ScrollArea, Tooltip, Ui, UiBuilder,
    WidgetInfo, vec2,
};
use grandstand_board::node;
use grandstand_board::theme::{Palette, SMALL, semibold};
use grandstand_board::{BoardPainter, CellShape, Hidden, Options, Picture, place_labels};
use grandstand_protocol::{Place, Scene};
use grandstand_story::sides::Side;
use grandstand_story::story;

use self::marks::Touched;
use self::place_history::PlaceHistory;
use self::ruler::Ruler;
use crate::actions::Action;
use crate::session::Session;

/// So many places can be pinned; one more takes the place of the oldest.
const PINS: usize = 3;
/// How long one frame may spend on looking back, for each place.
const BUDGET: Duration = Duration::from_millis(1);
/// How wide a card on the board is, and how narrow where it would hide something.
const CARD: f32 = 236.0;
const CARD_LEAST: f32 = 200.0;

/// What the viewer looks into.
#[derive(Debug)]
pub(crate) struct BoardInspector {
    /// The oldest first.
    pins: Vec<PlaceHistory>,
    /// The place under the pointer.
    hover: Option<PlaceHistory>,
    /// The place that the arrows have come to, while the board has the focus.
    cursor: Option<Place>,
    ruler: Ruler,
    /// The line whose places are marked.
    line: Option<Touched>,
    /// What the cards cover of the board.
    covered: Rect,
    /// The place that the last click was on: a second one at once shows the whole board, and is not meant for a place.
    clicked: Option<Place>,
    pub hidden: Hidden,
    /// Places that somebody else points at: a name of a program stands for them.
    pub marked: Vec<Place>,
}

impl Default for BoardInspector {
    fn default() -> BoardInspector {
        BoardInspector {
            pins: Vec::new(),
            hover: None,
            cursor: None,
            ruler: Ruler::default(),
            line: None,
            covered: Rect::NOTHING,
            clicked: None,
            hidden: Hidden::default(),
            marked: Vec::new(),
        }
    }
}

/// Where the cards of pinned places lie.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cards {
    /// On the board, and not in the sheet below it.
    pub on_board: bool,
    /// Whether there is a panel that can list all lines of a place.
    pub has_panel: bool,
}

/// What the viewer asked for.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BoardInspectorRequest {
    /// To pin a place, or to take its pin off.
    pub pin: Option<Place>,
    pub unpin: Option<Place>,
    /// To see all lines of a place.
    pub lines: Option<Place>,
    /// To go to the moment of a line.
    pub seq: Option<u64>,
    /// Something that has a key too.
    pub action: Option<Action>,
}

impl BoardInspectorRequest {
    /// What was asked for here, or else there.
    pub(crate) fn or(self, other: BoardInspectorRequest) -> BoardInspectorRequest {
        BoardInspectorRequest {
            pin: self.pin.or(other.pin),
            unpin: self.unpin.or(other.unpin),
            lines: self.lines.or(other.lines),
            seq: self.seq.or(other.seq),
            action: self.action.or(other.action),
        }
    }
}

/// The board on the screen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shown<'a> {
    /// The part of the screen that it has.
    pub area: Rect,
    /// Where it is drawn: larger than the area when it is enlarged.
    pub rect: Rect,
    pub board: &'a dyn BoardPainter,
    pub picture: &'a Picture<'a>,
    pub options: Options,
}

impl Shown<'_> {
    fn place_at(&self, at: Pos2) -> Option<Place> {
        self.board.place_at(self.rect, self.picture, self.options, at)
    }

    fn area_of(&self, place: Place) -> Option<Rect> {
        self.board.area_of(self.rect, self.picture, self.options, place)
    }

    fn shape_of(&self, place: Place) -> CellShape {
        self.board.shape_of(self.rect, self.picture, self.options, place)
    }
}

impl BoardInspector {
    /// Another match is shown.
    pub(crate) fn renew(&mut self) {
        *self = BoardInspector::default();
    }

    /// The place under the pointer.
    pub(crate) fn pointed(&self) -> Option<Place> {
        self.hover.as_ref().map(|hover| hover.place)
    }

    /// Whether any place is pinned.
    pub(crate) fn has_pins(&self) -> bool {
        !self.pins.is_empty()
    }

    /// The place that was pinned last.
    pub(crate) fn last_pin(&self) -> Option<Place> {
        self.pins.last().map(|pin| pin.place)
    }

    /// Pins a place, or takes its pin off; whether it is pinned now.
    pub(crate) fn toggle(&mut self, session: &Session, place: Place) -> bool {
        let before = self.pins.len();
        self.pins.retain(|pin| pin.place != place);
        if self.pins.len() < before {
            return false;
        }
        if self.pins.len() >= PINS {
            self.pins.remove(0);
        }
        self.pins.push(PlaceHistory::new(place, session.log(), session.seq()));
        true
    }

    /// Takes off what lies over the board, the last first: the ruler, then all pins. Whether there was any.
    pub(crate) fn clear(&mut self) -> bool {
        if self.ruler.on {
            self.ruler.toggle();
            return true;
        }
        let any = self.has_pins();
        self.pins.clear();
        any
    }

    /// Whether the viewer measures.
    pub(crate) fn measures(&self) -> bool {
        self.ruler.on
    }

    pub(crate) fn toggle_measure(&mut self) {
        self.ruler.toggle();
    }

    /// Learns more of the places that are pinned, and of the one that is pointed at; `true` when there is still more.
    pub(crate) fn update(&mut self, session: &Session) -> bool {
        let (log, seq) = (session.log(), session.seq());
        let mut more = false;
        for place_history in self.pins.iter_mut().chain(&mut self.hover) {
            more |= place_history.update(log, seq, BUDGET);
        }
        more
    }

    /// Marks what there is to mark on the board that `ui` has just shown, tells of the place that is pointed at, and takes
    /// what the viewer does. `line` is the line whose places are to be marked, and `response` what was done to the area.
    pub(crate) fn show(
        &mut self,
        ui: &mut Ui,
        shown: Shown<'_>,
        session: &Session,
        line: Option<u64>,
        response: &Response,
        cards: Cards,
    ) -> BoardInspectorRequest {
        let palette = Palette::of(ui.ctx());
        self.move_cursor(ui, &shown, response);
        let painter = ui.painter_at(shown.area.intersect(ui.clip_rect()));
        let on_board = ui.ctx().read_response(ui.scope_id().with("board"));
        let hovered = on_board.as_ref().and_then(Response::hover_pos).or(response.hover_pos());
        let is_free = |at: &Pos2| shown.area.contains(*at) && !self.covered.contains(*at);
        let at_pointer = hovered.filter(is_free).and_then(|at| shown.place_at(at));
        let pointed = self.cursor.or(at_pointer);
        self.hover = match (self.hover.take(), pointed) {
            (Some(hover), Some(place)) if hover.place == place => Some(hover),
            (_, Some(place)) => Some(PlaceHistory::new(place, session.log(), session.seq())),
            (_, None) => None,
        };
        let area_of = |place: Place| shown.area_of(place);
        if let Some((place, area)) = pointed.and_then(|place| Some((place, area_of(place)?))) {
            let shape = shown.shape_of(place);
            match self.cursor {
                Some(_) => marks::cursor(&painter, palette, (area, shape)),
                None => marks::pointed(&painter, palette, (area, shape)),
            }
        }
        for place in &self.marked {
            if let Some(area) = area_of(*place) {
                marks::pointed(&painter, palette, (area, shown.shape_of(*place)));
            }
        }
        self.line = line.and_then(|seq| Touched::by(self.line.take(), session.log(), seq));
        if let Some(line) = &self.line {
            line.paint(&painter, palette, area_of);
        }
        for (index, pin) in self.pins.iter().enumerate() {
            if let Some(area) = area_of(pin.place) {
                marks::pin(&painter, palette, (area, shown.shape_of(pin.place)), index + 1);
            }
        }
        if shown.options.labels {
            too_small(ui, &painter, shown);
        }
        if self.ruler.on {
            self.ruler.take(response, |at| shown.place_at(at));
            self.ruler.show(ui, &painter, session.scene(), pointed, area_of);
        }
        let mut asked = BoardInspectorRequest {
            pin: self.pressed(shown, session, on_board.as_ref(), response),
            ..BoardInspectorRequest::default()
        };
        if let Some(hover) =
            self.hover.as_ref().filter(|hover| !self.pins.iter().any(|pin| pin.place == hover.place))
            && !self.ruler.on
        {
            let at_cursor = self.cursor.and_then(area_of);
            if let Some(area) = at_cursor {
                let tip =
                    Tooltip::always_open(ui.ctx().clone(), ui.layer_id(), response.id, area.expand(6.0));
                tip.show(|ui| cards::hint(ui, session, hover));
            } else if let Some(response) = on_board {
                response.on_hover_ui_at_pointer(|ui| cards::hint(ui, session, hover));
            }
        }
        self.covered = Rect::NOTHING;
        if cards.on_board && self.has_pins() {
            let (cards, covered) = self.cards_on_board(ui, shown, session, cards.has_panel);
            self.covered = covered;
            asked = asked.or(cards);
        }
        asked
    }

    /// Takes the arrows while the board has the focus.
    fn move_cursor(&mut self, ui: &Ui, shown: &Shown<'_>, response: &Response) {
        if !response.has_focus() {
            self.cursor = None;
        } else {
            let arrows =
                EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, arrows));
            let there = |place: &Place| shown.area_of(*place).is_some();
            self.cursor = self.cursor.or(self.last_pin()).filter(there).or_else(|| cursor::first(shown));
            for way in cursor::ways(ui) {
                let next = self.cursor.and_then(|from| cursor::step(shown, from, way));
                self.cursor = next.or(self.cursor);
            }
        }
        let words = match self.cursor {
            Some(place) => words_of(shown.picture.scene, place),
            None => "Places of the board".to_owned(),
        };
        response.widget_info(|| WidgetInfo::labeled(Role::Application, true, words.clone()));
    }

    /// What is at the place that the arrows have come to, in words.
    pub(crate) fn cursor_words(&self, session: &Session) -> Option<String> {
        let place = self.cursor?;
        let pinned = self.pins.iter().any(|pin| pin.place == place);
        let words = words_of(session.scene(), place);
        Some(format!("{words}{}", if pinned { ", pinned" } else { "" }))
    }

    /// Leaves the board, where the arrows were on it; whether they were.
    pub(crate) fn leave_board(&mut self) -> bool {
        self.cursor.take().is_some()
    }

    /// Shows who draws over the board, where somebody does, and takes whose drawings the viewer wants to see.
    pub(crate) fn show_authors(
        &mut self,
        ui: &mut Ui,
        area: Rect,
        session: &Session,
        sides: &[Side],
        options: Options,
    ) -> Option<Action> {
        legend::show(ui, area, session.scene(), sides, &mut self.hidden, options)
    }

    /// The place that was pressed so that it is to be pinned, or not any more.
    fn pressed(
        &mut self,
        shown: Shown<'_>,
        session: &Session,
        on_board: Option<&Response>,
        response: &Response,
    ) -> Option<Place> {
        let other = |response: &Response| response.secondary_clicked() || response.long_touched();
        let by = [Some(response), on_board].into_iter().flatten();
        // A click of a viewer who plays is a move, or would have been one a moment ago.
        let plays = session.seat_client.side.is_some() && session.is_following();
        let mut pressed = by.filter(|by| other(by) || by.clicked() && !plays && !self.ruler.on);
        let pressed = pressed.next()?;
        if response.clicked() && response.has_focus() && response.interact_pointer_pos().is_none() {
            // By the Enter key.
            return self.cursor;
        }
        let at = pressed.interact_pointer_pos()?;
        if self.covered.contains(at) {
            return None;
        }
        if pressed.double_clicked() {
            // What its first click did is taken back.
            return self.clicked.take();
        }
        self.clicked = shown.place_at(at);
        self.clicked
    }

    /// The cards, at the side of the board where they hide less of what is pinned.
    fn cards_on_board(
        &self,
        ui: &mut Ui,
        shown: Shown<'_>,
        session: &Session,
        has_panel: bool,
    ) -> (BoardInspectorRequest, Rect) {
        let beside = (shown.area.width() - shown.rect.width()) / 2.0;
        let width = beside.clamp(CARD_LEAST, CARD).min(shown.area.width() * 0.6);
        let size = vec2(width, shown.area.height());
        let areas: Vec<Rect> = self.pins.iter().filter_map(|pin| shown.area_of(pin.place)).collect();
        let side = |align: Align2| align.align_size_within_rect(size, shown.area);
        let hides = |rect: Rect| areas.iter().filter(|area| area.intersects(rect)).count();
        let (left, right) = (side(Align2::LEFT_TOP), side(Align2::RIGHT_TOP));
        let rect = if hides(left) > hides(right) { right } else { left };
        let place = UiBuilder::new()
            .max_rect(rect)
            .layout(Layout::top_down(eframe::egui::Align::Min))
            .id_salt("cards");
        let cards = ui.scope_builder(place, |ui| {
            let scroll = ScrollArea::vertical().id_salt("cards").max_height(shown.area.height());
            scroll.show(ui, |ui| self.cards(ui, session, has_panel)).inner
        });
        (cards.inner, cards.response.rect)
    }
}

/// What is at a place, in words.
fn words_of(scene: &Scene, place: Place) -> String {
    story(scene).describe(place).unwrap_or_else(|| place.to_string())
}

/// Says why places bear no names that are to bear them.
fn too_small(ui: &Ui, painter: &eframe::egui::Painter, shown: Shown<'_>) {
    let Some(place) = story(shown.picture.scene).widest() else { return };
    let Some(area) = shown.area_of(place) else { return };
    if place_labels::font(painter, area, &place.to_string()).is_some() {
        return;
    }
    let palette = Palette::of(ui.ctx());
    let font = FontId::new(SMALL, semibold());
    let words = "Enlarge the board to read the name of every place";
    let galley = painter.layout_no_wrap(words.to_owned(), font, palette.text);
    let plate =
        Align2::CENTER_BOTTOM.align_size_within_rect(galley.size() + vec2(14.0, 6.0), shown.area.shrink(2.0));
    painter.rect_filled(plate, 6.0, palette.raised.gamma_multiply(0.92));
    painter.galley(plate.min + vec2(7.0, 3.0), galley, palette.text);
    node::show(ui, plate, "too small", eframe::egui::Role::Label, words);
}
