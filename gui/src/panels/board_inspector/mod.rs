//! Inspector of a board: the tooltip of the place under the pointer, pinned places with cards, marks of a protocol
//! line, a ruler, and the bots' drawings.
//!
//! A click on the board pins a place, unless it is a move. A viewer who plays has no inspector: the cursor leads to the
//! places to move to.

mod cards;
mod cards_on_board;
mod chips;
mod cursor;
mod dock;
mod follow;
mod legend;
mod marks;
mod place_history;
mod ruler;
mod shown;

use std::ops::Deref;
use std::time::Duration;

use eframe::egui::{
    Align2, EventFilter, FontId, Key, Modifiers, Pos2, Rect, Response, Role, Ui, Vec2, WidgetInfo, vec2,
};
use grandstand_board::theme::{Palette, SMALL, semibold};
use grandstand_board::{BoardOptions, CellShape, Hidden, place_labels};
use grandstand_board::{hint, node};
use grandstand_protocol::{Place, Scene};
use grandstand_story::sides::Side;
use grandstand_story::story;

pub(crate) use self::cards::CardsOutOfView;
use self::cards_on_board::PinCard;
use self::dock::{Obstacles, Room};
use self::marks::{Frames, Touched};
use self::place_history::PlaceHistory;
use self::ruler::Ruler;
pub(crate) use self::ruler::name as place_name;
pub(crate) use self::shown::{Contents, Shown};
use crate::actions::Action;
use crate::session::Session;

/// Number of pins at most; a further one replaces the oldest.
const PINS: usize = 3;
/// Time for looking back in the log for one place, in one frame.
const BUDGET: Duration = Duration::from_millis(1);
/// Largest width of a folded card over the board, in points.
const ROW: f32 = 260.0;

/// State of the inspector.
#[derive(Debug, Default)]
pub(crate) struct BoardInspector {
    /// Pinned places, in the order of their numbers.
    pins: Vec<Pin>,
    /// The place under the pointer.
    hover: Option<PlaceHistory>,
    /// The unit under the pointer, where it is one of several on its place.
    hovered_unit: Option<u32>,
    /// The cursor's place, while the board has the focus.
    cursor: Option<Place>,
    ruler: Ruler,
    /// The line whose places are marked.
    line: Option<Touched>,
    /// Areas of the board that the cards cover.
    covered: Vec<Rect>,
    /// Place of the last click. A double click resets the zoom, so its first click is undone.
    clicked: Option<Place>,
    /// The unit that the board stays with.
    followed: Option<follow::Followed>,
    /// The room for cards on the board that was shown last.
    room: Option<Room>,
    /// How the cards of the pins stand.
    cards: Vec<PinCard>,
    /// The pin whose card the viewer unfolded.
    unfolded: Option<Place>,
    /// Where the card of the place stands that is pointed at.
    docked: Option<Rect>,
    pub hidden: Hidden,
    /// Places that another panel wants to be marked.
    pub marked: Vec<Place>,
    /// The place of the bot whose program is shown.
    pub bot: Option<Place>,
}

/// A pinned place. Its number stays as long as the pin stands.
#[derive(Debug)]
struct Pin {
    number: usize,
    /// When it was pinned: the pins are counted.
    age: usize,
    history: PlaceHistory,
}

impl Deref for Pin {
    type Target = PlaceHistory;

    fn deref(&self) -> &PlaceHistory {
        &self.history
    }
}

/// Placement of the pins' cards.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cards {
    /// Whether they are on the board, and not below it or in a panel.
    pub on_board: bool,
    /// Whether a panel can list all lines of a place.
    pub has_panel: bool,
    /// What no card covers: the buttons of the board and the card at the end.
    pub kept: [Option<Rect>; 2],
    /// What stands beside the board: the bar of the evaluation.
    pub beside: Option<Rect>,
    /// The room for the board with its buttons, and what is free around it.
    pub free: Option<Rect>,
}

/// A request of the viewer.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BoardInspectorRequest {
    /// Pin a place, or unpin it.
    pub pin: Option<Place>,
    pub unpin: Option<Place>,
    /// Show all of a pin's card, or fold it again.
    pub unfold: Option<Place>,
    /// Bring the card of a pin into view, in the panel.
    pub show: Option<Place>,
    /// List all lines of a place.
    pub lines: Option<Place>,
    /// Go to a command.
    pub seq: Option<u64>,
    /// Follow a unit, or no longer.
    pub follow: Option<u32>,
    /// An action of the table.
    pub action: Option<Action>,
}

impl BoardInspectorRequest {
    /// This request, completed by another one.
    pub(crate) fn or(self, other: BoardInspectorRequest) -> BoardInspectorRequest {
        BoardInspectorRequest {
            pin: self.pin.or(other.pin),
            unpin: self.unpin.or(other.unpin),
            unfold: self.unfold.or(other.unfold),
            show: self.show.or(other.show),
            lines: self.lines.or(other.lines),
            seq: self.seq.or(other.seq),
            follow: self.follow.or(other.follow),
            action: self.action.or(other.action),
        }
    }
}

impl BoardInspector {
    /// Starts again for another match.
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
        self.pins.iter().max_by_key(|pin| pin.age).map(|pin| pin.place)
    }

    /// The pinned places, in the order of their numbers.
    pub(crate) fn pinned(&self) -> impl Iterator<Item = Place> {
        self.pins.iter().map(|pin| pin.place)
    }

    /// Pins a place, or unpins it; returns whether it is pinned now.
    pub(crate) fn toggle(&mut self, session: &Session, place: Place) -> bool {
        let before = self.pins.len();
        self.pins.retain(|pin| pin.place != place);
        if self.pins.len() < before {
            return false;
        }
        if self.pins.len() >= PINS {
            let oldest = self.pins.iter().map(|pin| pin.age).min();
            self.pins.retain(|pin| Some(pin.age) != oldest);
        }
        let is_free = |number: &usize| self.pins.iter().all(|pin| pin.number != *number);
        let number = (1..=PINS).find(is_free).unwrap_or(PINS);
        let age = self.pins.iter().map(|pin| pin.age + 1).max().unwrap_or_default();
        let history = PlaceHistory::new(place, session.log(), session.seq());
        self.pins.push(Pin { number, age, history });
        self.pins.sort_by_key(|pin| pin.number);
        true
    }

    /// Removes the ruler, or else all pins; returns whether there were any.
    pub(crate) fn clear(&mut self) -> bool {
        if self.ruler.on {
            self.ruler.toggle();
            return true;
        }
        let any = self.has_pins();
        self.pins.clear();
        any
    }

    /// Whether the ruler is active.
    pub(crate) fn measures(&self) -> bool {
        self.ruler.on
    }

    pub(crate) fn toggle_measure(&mut self) {
        self.ruler.toggle();
    }

    /// Continues the search in the log for the pinned places and the one under the pointer; returns `true` while there
    /// is more.
    pub(crate) fn update(&mut self, session: &Session) -> bool {
        let (log, seq) = (session.log(), session.seq());
        let mut more = false;
        let pins = self.pins.iter_mut().map(|pin| &mut pin.history);
        for place_history in pins.chain(&mut self.hover) {
            more |= place_history.update(log, seq, BUDGET);
        }
        more
    }

    /// Paints the marks on the board that `ui` has just shown, and handles input on it. `line` is the command whose
    /// places are marked, `response` the response of the area.
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
        let is_free = |at: &Pos2| shown.area.contains(*at) && !self.is_covered(*at);
        let at_pointer = hovered.filter(is_free).and_then(|at| shown.place_at(at));
        let pointed = self.cursor.or(at_pointer);
        self.hover = match (self.hover.take(), pointed) {
            (Some(hover), Some(place)) if hover.place == place => Some(hover),
            (_, Some(place)) => Some(PlaceHistory::new(place, session.log(), session.seq())),
            (_, None) => None,
        };
        let is_one_of = |place: Place| story(session.scene()).units_at(place).len() > 1;
        self.hovered_unit = match at_pointer.filter(|place| self.cursor.is_none() && is_one_of(*place)) {
            Some(_) => hovered.and_then(|at| shown.unit_at(at)),
            None => None,
        };
        let area_of = |place: Place| shown.area_of(place);
        // While nothing is pinned or pointed at, a board that moves is spared the search for room.
        let kept = self.room.take();
        let follows_on_whole = self.follows() && shown.rect == shown.area;
        let needs_room = self.has_pins() || self.hover.is_some() || follows_on_whole;
        let room = needs_room.then(|| Room::of(kept, &shown, [cards.beside, cards.free]));
        // What stands there now, such as the numbers of a battle.
        let now = if self.has_pins() { shown.texts() } else { None };
        let texts = now.or(room.as_ref().map(|room| &room.texts[..])).unwrap_or_default();
        let framed = |place: Place| Some((shown.area_of(place)?, shown.shape_of(place)));
        let mut frames = Frames::new(&painter, shown.board.below_signs());
        if let Some(place) = pointed.and_then(framed) {
            match self.cursor {
                Some(_) => marks::cursor(&mut frames, palette, &place),
                None => marks::pointed(&mut frames, palette, &place),
            }
        }
        if let Some(area) = self.hovered_unit.and_then(|id| shown.unit_area(id)) {
            marks::pointed(&mut frames, palette, &(area.expand(2.0), CellShape::Disc));
        }
        for place in self.marked.iter().filter_map(|place| framed(*place)) {
            marks::pointed(&mut frames, palette, &place);
        }
        if let Some(place) = self.bot.and_then(framed) {
            marks::bot(&mut frames, palette, &place);
        }
        self.line = line.and_then(|seq| Touched::by(self.line.take(), session.log(), seq));
        if let Some(line) = &self.line {
            line.paint(&mut frames, palette, area_of, |place| shown.shape_of(place));
        }
        let better = session.better_place().and_then(|place| Some((place, framed(place)?)));
        if let Some((_, place)) = &better {
            marks::better(&mut frames, palette, place);
        }
        for pin in &self.pins {
            if let Some(place) = framed(pin.place) {
                marks::pin(&mut frames, palette, place, pin.number, texts);
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
        let mut taken: Vec<Rect> = cards.kept.into_iter().flatten().collect();
        taken.extend(legend::corner(ui, shown.area, session.scene()));
        let marks = self.pins.iter().filter_map(|pin| shown.area_of(pin.place));
        taken.extend(marks.map(|area| marks::area_of_pin(area, texts)));
        self.covered.clear();
        self.show_followed(ui, &shown, session, room.as_ref(), cards.kept);
        taken.extend(&self.covered);
        let has_cards = cards.on_board && self.has_pins();
        let is_pinned = |hover: &&PlaceHistory| self.pins.iter().any(|pin| pin.place == hover.place);
        let is_hinted = !self.ruler.on && self.hover.as_ref().is_some_and(|hover| !is_pinned(&hover));
        if let Some(room) = room.as_ref().filter(|_| has_cards || is_hinted) {
            let mut obstacles = Obstacles::new(taken, shown.things(), shown.heights());
            if has_cards {
                let around = (room, &mut obstacles, &mut frames);
                asked = asked.or(self.cards_on_board(ui, &shown, session, around, cards));
            }
            if is_hinted {
                self.show_hint(ui, &shown, session, (room, &mut obstacles, &mut frames));
            }
        }
        frames.paint();
        if let Some((place, (area, _))) = better {
            let words = format!("better: {}", place.label());
            hint::paint(&painter, palette, (area.center(), area.height()), shown.area, (words, palette.good));
        }
        if !is_hinted {
            self.docked = None;
        }
        self.room = room;
        if let Some(place) = asked.unfold {
            self.unfolded = Some(place).filter(|_| self.unfolded != asked.unfold);
        }
        asked
    }

    fn is_covered(&self, at: Pos2) -> bool {
        self.covered.iter().any(|card| card.contains(at))
    }

    /// Handles the arrow keys while the board has the focus.
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

    /// Handles the keys of a viewer who plays, while nothing else has the focus: the arrow keys lead a cursor over the
    /// board, from the place under the pointer or from the middle. Returns its place, and whether Enter was pressed there.
    pub(crate) fn guide(&mut self, ui: &Ui, shown: &Shown<'_>, response: &Response) -> (Option<Place>, bool) {
        let is_free = ui.memory(|memory| memory.focused().is_none() && memory.top_modal_layer().is_none());
        if !response.has_focus() && !is_free {
            self.cursor = None;
            return (None, false);
        }
        if response.has_focus() {
            let arrows =
                EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, arrows));
        }
        self.hover = None;
        let ways = cursor::ways(ui);
        let (pointer, moves) = ui.input(|input| {
            let pointer = &input.pointer;
            (pointer.hover_pos(), pointer.delta() != Vec2::ZERO || pointer.any_pressed())
        });
        let pointed = || pointer.filter(|at| shown.area.contains(*at)).and_then(|at| shown.place_at(at));
        let begin = || pointed().or(self.last_pin()).or_else(|| cursor::first(shown));
        let mut at = self.cursor.filter(|place| shown.area_of(*place).is_some());
        for way in &ways {
            at = match at {
                Some(from) => cursor::step(shown, from, *way).or(Some(from)),
                None => begin(),
            };
        }
        // The pointer takes over where it moves.
        if moves && ways.is_empty() {
            at = None;
            ui.memory_mut(|memory| memory.surrender_focus(response.id));
        } else if response.has_focus() {
            at = at.or_else(begin);
        }
        self.cursor = at;
        let words = match at {
            Some(place) => words_of(shown.picture.scene, place),
            None => "Places of the board".to_owned(),
        };
        response.widget_info(|| WidgetInfo::labeled(Role::Application, true, words.clone()));
        let pressed = at.is_some() && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        (at, pressed)
    }

    /// Paints the mark of the cursor.
    pub(crate) fn paint_cursor(&self, ui: &Ui, shown: &Shown<'_>) {
        if let Some((place, area)) = self.cursor.and_then(|place| Some((place, shown.area_of(place)?))) {
            let painter = ui.painter_at(shown.area.intersect(ui.clip_rect()));
            let mut frames = Frames::new(&painter, shown.board.below_signs());
            marks::cursor(&mut frames, Palette::of(ui.ctx()), &(area, shown.shape_of(place)));
            frames.paint();
        }
    }

    /// Contents of the cursor's place in words.
    pub(crate) fn cursor_words(&self, session: &Session) -> Option<String> {
        let place = self.cursor?;
        let pinned = self.pins.iter().any(|pin| pin.place == place);
        let words = words_of(session.scene(), place);
        Some(format!("{words}{}", if pinned { ", pinned" } else { "" }))
    }

    /// Removes the cursor; returns whether there was one.
    pub(crate) fn leave_board(&mut self) -> bool {
        self.cursor.take().is_some()
    }

    /// Shows the legend of the bots' drawings.
    pub(crate) fn show_authors(
        &mut self,
        ui: &mut Ui,
        area: Rect,
        session: &Session,
        sides: &[Side],
        options: BoardOptions,
    ) -> Option<Action> {
        legend::show(ui, area, session.scene(), sides, &mut self.hidden, options)
    }

    /// The place that was pressed to pin or unpin it.
    fn pressed(
        &mut self,
        shown: Shown<'_>,
        session: &Session,
        on_board: Option<&Response>,
        response: &Response,
    ) -> Option<Place> {
        let other = |response: &Response| response.secondary_clicked() || response.long_touched();
        let by = [Some(response), on_board].into_iter().flatten();
        // A click of a player is a move, or was meant as one.
        let plays = session.seat_client.side.is_some() && session.is_following();
        let mut pressed = by.filter(|by| other(by) || by.clicked() && !plays && !self.ruler.on);
        let pressed = pressed.next()?;
        if response.clicked() && response.has_focus() && response.interact_pointer_pos().is_none() {
            // The Enter key.
            return self.cursor;
        }
        let at = pressed.interact_pointer_pos()?;
        if self.is_covered(at) {
            return None;
        }
        if pressed.double_clicked() {
            // Undoes the effect of the first click.
            return self.clicked.take();
        }
        self.clicked = shown.place_at(at);
        self.clicked
    }
}

/// Contents of a place in words, after its name.
fn words_of(scene: &Scene, place: Place) -> String {
    story(scene)
        .describe(place)
        .unwrap_or_else(|| format!("{}: not on this board", ruler::name(scene, place)))
}

/// One of several units on a place in words, after the name of the place, and the others.
fn words_of_unit(scene: &Scene, place: Place, id: u32) -> String {
    let story = story(scene);
    let name = |id: u32| story.unit(id).map_or_else(String::new, |(_, name)| name);
    let others = story.units_at(place).into_iter().filter(|other| *other != id).map(name);
    let state = story.unit_state(id).unwrap_or_default();
    let others = others.collect::<Vec<_>>().join(" and ");
    format!("{}: {}, {state}\nbeside {others}", ruler::name(scene, place), name(id))
}

/// Explains why names of places are not shown although they are turned on.
fn too_small(ui: &Ui, painter: &eframe::egui::Painter, shown: Shown<'_>) {
    let Some(place) = story(shown.picture.scene).widest_place() else { return };
    let Some(area) = shown.area_of(place) else { return };
    if place_labels::font(painter, area, &place.to_string()).is_some() {
        return;
    }
    let palette = Palette::of(ui.ctx());
    let font = FontId::new(SMALL, semibold());
    let words = "Enlarge the board to read names";
    let galley = painter.layout_no_wrap(words.to_owned(), font, palette.text);
    // The buttons of the board may be at its lower right corner.
    let plate =
        Align2::LEFT_BOTTOM.align_size_within_rect(galley.size() + vec2(14.0, 6.0), shown.area.shrink(2.0));
    painter.rect_filled(plate, 6.0, palette.raised.gamma_multiply(0.92));
    painter.galley(plate.min + vec2(7.0, 3.0), galley, palette.text);
    node::show(ui, plate, "too small", eframe::egui::Role::Label, words);
}
