//! Cards on the board: those of the pins, and that of the place that is pointed at.

use eframe::egui::{Align, Layout, Pos2, Rect, Ui, UiBuilder, Vec2, vec2};
use grandstand_protocol::Place;

use super::cards::{self, Detail};
use super::dock::{self, Obstacles, Room, Wanted};
use super::marks::Frames;
use super::{BoardInspector, BoardInspectorRequest, Cards, ROW, Shown};
use crate::layout::ScreenLayout;
use crate::session::Session;

/// Usual width of a card on the board, in points.
const CARD: f32 = 188.0;

/// Distance of a card from the place that is pointed at from which a line leads there, in points: on a map, and on other boards, where it
/// lies over pieces.
const LINE_ON_MAP: f32 = 40.0;
const LINE: f32 = 130.0;

/// Usual width of a card in two columns, in points.
const BROAD: f32 = 600.0;

/// How the card of a pin stands on the board.
#[derive(Debug)]
pub(super) struct PinCard {
    place: Place,
    /// Where it stands, and how much it shows.
    stands: Option<(Detail, Rect)>,
    /// The room that this holds for, and whether the viewer has unfolded it.
    area: Rect,
    unfolded: bool,
    /// Whether it has stood there with all of its lines.
    settled: bool,
    /// What its sizes were measured for: a width, the line of the last change, and the last line.
    by: (f32, Option<u64>, Option<u64>),
    /// Its size at each detail.
    sizes: [Vec2; 4],
}

impl BoardInspector {
    /// Shows the card of the place that is pointed at. A line leads from one that stands far off.
    pub(super) fn show_hint(
        &mut self,
        ui: &Ui,
        shown: &Shown<'_>,
        session: &Session,
        (room, obstacles, frames): (&Room, &mut Obstacles<'_>, &mut Frames<'_>),
    ) {
        let Some(hover) = &self.hover else { return };
        // What a finger has pressed has its own card, for which the board may have moved below the finger.
        if ScreenLayout::of(ui.ctx()).is_touched() && !self.pins.is_empty() {
            return;
        }
        let Some(place) = shown.area_of(hover.place) else { return };
        let width = room.width(cards::HINT);
        let texts = |detail: Detail| cards::hint(ui, session, (hover, self.hovered_unit), width, detail);
        let sizes =
            [Detail::Title, Detail::Brief, Detail::Full].map(|detail| cards::hint_size(&texts(detail)));
        let size = |detail: Detail| sizes[(detail as usize).min(Detail::Full as usize)];
        let wanted =
            Wanted { place, size: &size, last: self.docked, stands: None, unfolded: false, is_folded: false };
        let (detail, rect) = room.hint(&wanted, &neighbours(shown, hover.place), obstacles);
        let far = if room.is_map { LINE_ON_MAP } else { LINE };
        if (rect.clamp(place.center()) - place.center()).length() > far {
            dock::leader(ui, frames, (rect, place), false);
        }
        dock::show(ui, rect.min, |ui| cards::show_hint(ui, texts(detail)));
        self.docked = Some(rect);
    }

    /// The cards of the pins. A line leads from one to its place; where it would lie over pieces, while the pointer or the focus is at
    /// either.
    pub(super) fn cards_on_board(
        &mut self,
        ui: &mut Ui,
        shown: &Shown<'_>,
        session: &Session,
        (room, obstacles, frames): (&Room, &mut Obstacles<'_>, &mut Frames<'_>),
        cards: Cards,
    ) -> BoardInspectorRequest {
        // A finger needs large buttons: whole cards would fill the screen of a phone.
        let is_folded = ScreenLayout::of(ui.ctx()).is_touched();
        let width = room.width(CARD).min(shown.area.width() * 0.6);
        let mut known = std::mem::take(&mut self.cards);
        let mut asked = BoardInspectorRequest::default();
        // Over the board a folded card has one line.
        let row = if room.has_columns() { width } else { ROW.min(room.area.width() / 2.0) };
        let widths = [row, width, width, BROAD.min(room.area.width() * 0.9)];
        let form = |number: usize, detail: Detail, place: Place| cards::Form {
            number,
            others: None,
            detail,
            has_panel: cards.has_panel,
            unfolds: (detail < Detail::Full || self.unfolded == Some(place))
                .then_some(self.unfolded == Some(place)),
        };
        let mut kept: Vec<PinCard> = Vec::with_capacity(self.pins.len());
        let mut stood_at = Vec::with_capacity(self.pins.len());
        for pin in &self.pins {
            let by = (width, pin.since, pin.lines.first().copied());
            let (area, unfolded) = (shown.area, self.unfolded == Some(pin.place));
            let known = known.iter().position(|card| card.place == pin.place).map(|at| known.swap_remove(at));
            // In another room, or in another form, a card has another place; and until all of its lines are found it grows.
            let stays = |card: &&PinCard| (card.area, card.unfolded) == (area, unfolded);
            let stood = known.as_ref().filter(stays).filter(|card| card.settled).and_then(|card| card.stands);
            let rect = known.as_ref().and_then(|card| card.stands).map(|(_, rect)| rect);
            let settled = stood.is_some();
            let measure = |detail: Detail| {
                let size = vec2(widths[detail as usize], shown.area.height());
                let inside = Rect::from_min_size(shown.area.min, size);
                let id = ("size", pin.place, detail as u8);
                let mut inside =
                    ui.new_child(UiBuilder::new().max_rect(inside).id_salt(id).sizing_pass().invisible());
                self.card(&mut inside, session, form(pin.number, detail, pin.place), pin, &mut asked).size()
            };
            kept.push(match known.filter(|card| card.by == by) {
                Some(card) => PinCard { area, unfolded, settled, ..card },
                None => {
                    let sizes = Detail::ALL.map(measure);
                    PinCard { place: pin.place, area, unfolded, settled, stands: None, by, sizes }
                }
            });
            stood_at.push((rect, stood.map(|(detail, _)| detail)));
        }
        let sizes: Vec<_> = kept
            .iter()
            .map(|card| {
                let sizes = card.sizes;
                move |detail: Detail| sizes[detail as usize]
            })
            .collect();
        let wanted: Vec<Wanted<'_>> = kept
            .iter()
            .zip(&sizes)
            .zip(stood_at)
            .map(|((card, size), (last, stands))| Wanted {
                place: shown.area_of(card.place).unwrap_or(shown.area),
                size,
                last,
                stands,
                unfolded: self.unfolded == Some(card.place),
                is_folded,
            })
            .collect();
        let put = room.put(&wanted, obstacles);
        let places: Vec<Rect> = wanted.iter().map(|wanted| wanted.place).collect();
        for (index, (pin, (detail, rect))) in self.pins.iter().zip(put).enumerate() {
            let inside = rect.with_max_x(rect.left() + widths[detail as usize]);
            let inside =
                UiBuilder::new().max_rect(inside).layout(Layout::top_down(Align::Min)).id_salt(pin.place);
            let mut inside = ui.new_child(inside);
            let form = form(pin.number, detail, pin.place);
            let card = self.card(&mut inside, session, form, pin, &mut asked);
            let is_as_large = (card.size() - rect.size()).abs().max_elem() <= 0.5;
            if !is_as_large {
                ui.ctx().request_repaint();
            }
            kept[index].settled |= is_as_large && pin.is_told();
            kept[index].stands = Some((detail, rect));
            kept[index].sizes[detail as usize] = card.size();
            self.covered.push(card);
        }
        let focused = ui.memory(|memory| memory.focused()).and_then(|id| ui.ctx().read_response(id));
        let ends = [ui.ctx().pointer_hover_pos(), focused.map(|focused| focused.rect.center())];
        for (index, pin) in self.pins.iter().enumerate() {
            let Some((_, card)) = kept[index].stands else { continue };
            let is_at = |at: &Option<Pos2>| at.is_some_and(|at| card.contains(at));
            let is_meant = self.pointed() == Some(pin.place) || ends.iter().any(is_at);
            // Below names and signs a line is seen always; over pieces it would be one more thing.
            if is_meant || frames.are_below() {
                dock::leader(ui, frames, (card, places[index]), is_meant);
            }
        }
        self.cards = kept;
        asked
    }
}

/// Neighbours of a place on the screen.
fn neighbours(shown: &Shown<'_>, place: Place) -> Vec<Rect> {
    let places = shown.board.neighbours(shown.picture, place);
    places.into_iter().filter_map(|place| shown.area_of(place)).collect()
}
