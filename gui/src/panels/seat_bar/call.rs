//! Call to take a seat: on the board before the first move, else in the line.

use eframe::egui::epaint::RectShape;
use eframe::egui::{
    Color32, FontId, Id, Key, Label, Modifiers, Popup, Rect, Role, Sense, Shape, Stroke, StrokeKind, Ui,
    UiBuilder, Vec2, WidgetInfo, pos2, vec2,
};
use grandstand_board::text::fitted;
use grandstand_board::theme::{BODY, HEADING, Palette, semibold};
use grandstand_protocol::Seat;
use grandstand_story::sides::Side;

use super::{NAME_MAX, ONE_ROW_FROM, SIDE, SeatAction, is_told_now, spoken};
use crate::session::Session;
use crate::widgets::{add_enabled, line_edit, main_button};

/// Width that the call counts for each of its buttons and the field, in points.
const BUTTON: f32 = 110.0;
/// Width of the call to take a seat at least, in points. It is wider for a long title, as far as the board has room.
const CALL: f32 = 290.0;
/// Width from which a narrow window has the call's buttons in one row, in points.
const ONE_ROW: f32 = 340.0;
/// Gap between the rows of the call, in points.
const CALL_GAP: f32 = 8.0;
/// Answer to a press on the board before anybody sits here.
const FIRST: &str = "Take a seat first";
/// Room between the call's rim and what it says, in points.
const MARGIN: Vec2 = vec2(14.0, 6.0);

/// Whether the board has the call to take a seat: before the first move, where the line is too narrow for it, and the match's
/// part of the window has room.
pub(super) fn calls_on_board(ui: &Ui, session: &Session) -> bool {
    let client = &session.seat_client;
    let is_free = client.seats.iter().any(|seat| !seat.taken) && client.seat().is_none();
    let area = ui.max_rect().size();
    let is_narrow = area.x - 2.0 * SIDE < ONE_ROW_FROM;
    session.is_live() && is_free && session.ply() == 0 && is_narrow && area.min_elem() > CALL
}

/// Whether a seat waits for the viewer before the first move: a press on the board is answered by the call.
pub(crate) fn is_offered(session: &Session) -> bool {
    let is_free = session.seat_client.seat().is_none() && free_seats(session).next().is_some();
    session.is_live() && is_free && session.ply() == 0
}

/// Shows the call to take a seat: above the board that covers `drawn` or below it where `area` has room for it, else at the
/// edge of `area` where it hides the least of the board.
pub(crate) fn show_on_board(
    ui: &mut Ui,
    session: &Session,
    name: &mut String,
    sides: &[Side],
    (area, drawn): (Rect, Rect),
) -> Option<SeatAction> {
    if !calls_on_board(ui, session) {
        return None;
    }
    let palette = Palette::of(ui.ctx());
    let free = free_seats(session).count();
    let title = title(ui, session, sides);
    let font = FontId::new(HEADING - 2.0, semibold());
    let galley = ui.painter().layout_no_wrap(title.clone(), font.clone(), palette.text);
    let heading = galley.size();
    // All buttons stand in one row if they have room.
    let is_one_row = area.width() >= ONE_ROW && free == 1;
    let width = match is_one_row {
        true => area.width(),
        false => (heading.x + 2.0 * MARGIN.x).ceil().clamp(CALL, drawn.width().max(CALL)),
    };
    let rows = if offers_new_game(session) && !is_one_row { 2.0 } else { 1.0 };
    let row = CALL_GAP + ui.spacing().interact_size.y;
    let height = (heading.y + rows * row + 2.0 * MARGIN.y).ceil();
    let (above, below) = (drawn.top() - area.top(), area.bottom() - drawn.bottom());
    let y = match () {
        () if above >= height => area.top() + above / 2.0,
        () if below >= height => area.bottom() - below / 2.0,
        () if above >= below => area.top() + height / 2.0,
        () => area.bottom() - height / 2.0,
    };
    let x = drawn.center().x.min(area.right() - width / 2.0).max(area.left() + width / 2.0);
    let rect = Rect::from_center_size(pos2(x, y), vec2(width, height));
    ui.painter().rect_filled(rect.translate(vec2(0.0, 3.0)).expand(2.0), 12.0, Color32::from_black_alpha(70));
    ui.painter().rect_filled(rect, 10.0, palette.panel);
    ui.painter().rect_stroke(rect, 10.0, rim(ui, palette), StrokeKind::Inside);
    let mut ask = enter_sits(ui, session, name);
    // What is pressed beside the buttons is no press on the board below.
    ui.interact(rect, Id::unique("ground of the call to take a seat"), Sense::CLICK | Sense::DRAG);
    let place = UiBuilder::new().scope_id(Id::unique("call to take a seat")).max_rect(rect.shrink2(MARGIN));
    ui.scope_builder(place, |ui| {
        ui.spacing_mut().item_spacing = Vec2::splat(CALL_GAP);
        let room = ui.available_width();
        let galley =
            if heading.x <= room { galley } else { fitted(ui.painter(), &title, font, palette.text, room) };
        let label = ui.add(Label::new(galley).selectable(false));
        let role = title_role(ui);
        label.widget_info(|| WidgetInfo::labeled(role, true, &title));
        if is_one_row {
            ui.horizontal(|ui| {
                ask = seats_to_take(ui, session, sides, name).or(ask.take());
                ask = new_game(ui, session).or(ask.take());
            });
            return;
        }
        ui.horizontal(|ui| ask = seats_to_take(ui, session, sides, name).or(ask.take()));
        ui.horizontal(|ui| ask = new_game(ui, session).or(ask.take()));
    });
    ask
}

fn free_seats(session: &Session) -> impl Iterator<Item = &Seat> {
    session.seat_client.seats.iter().filter(|seat| !seat.taken)
}

/// Title of the call to take a seat, or for a while the answer to a press on the board.
fn title(ui: &Ui, session: &Session, sides: &[Side]) -> String {
    if is_told_now(ui) {
        return FIRST.to_owned();
    }
    let other = sides.iter().find(|side| free_seats(session).all(|seat| *seat.team != *side.key));
    other.map_or_else(|| "Take a seat".to_owned(), |other| format!("Play against {}", other.name))
}

/// The rim of the call, which is broad while it answers a press on the board.
fn rim(ui: &Ui, palette: &Palette) -> Stroke {
    Stroke::new(if is_told_now(ui) { 4.0 } else { 2.0 }, palette.accent)
}

/// The title speaks up where it answers a press.
fn title_role(ui: &Ui) -> Role {
    if is_told_now(ui) { Role::Alert } else { Role::Label }
}

/// The call to take a seat within the line: before the first move in a frame, with its title if that has room.
pub(super) fn call_in_line(
    ui: &mut Ui,
    session: &Session,
    sides: &[Side],
    name: &mut String,
) -> Option<SeatAction> {
    let free = free_seats(session).count();
    if free == 0 || session.ply() > 0 || ui.available_width() < ONE_ROW_FROM {
        let ask = seats_to_take(ui, session, sides, name);
        return new_game(ui, session).or(ask);
    }
    let palette = Palette::of(ui.ctx());
    let font = FontId::new(BODY + 1.0, semibold());
    let words = title(ui, session, sides);
    let title = ui.painter().layout_no_wrap(words.clone(), font, palette.text);
    let room = title.size().x + (free + 2) as f32 * (BUTTON + CALL_GAP);
    let ground = ui.painter().add(Shape::Noop);
    let shown = ui.horizontal(|ui| {
        if room <= ui.available_width() {
            let label = ui.add(Label::new(title).selectable(false));
            let role = title_role(ui);
            label.widget_info(|| WidgetInfo::labeled(role, true, &words));
        }
        let ask = seats_to_take(ui, session, sides, name);
        new_game(ui, session).or(ask)
    });
    // The frame is around the line, whose height stays.
    let rect = shown.response.rect.expand2(vec2(SIDE - 4.0, 3.0));
    let frame = RectShape::new(rect, 8.0, palette.panel, rim(ui, palette), StrokeKind::Inside);
    ui.painter().set(ground, frame);
    ui.add_space(SIDE);
    shown.inner
}

/// The seat that Enter takes while nothing has the focus: that of the first button.
pub(super) fn enter_sits(ui: &Ui, session: &Session, name: &str) -> Option<SeatAction> {
    let is_free = ui.memory(|memory| memory.focused().is_none() && memory.top_modal_layer().is_none());
    if !is_free || !may_sit(session) || Popup::is_any_open(ui.ctx()) {
        return None;
    }
    let seat = session.seat_client.seats.iter().find(|seat| !seat.taken)?;
    let enters = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
    enters.then(|| SeatAction::Sit(seat.team.to_string(), name.trim().to_owned()))
}

/// Whether a seat can be asked for now.
fn may_sit(session: &Session) -> bool {
    session.is_connected() && !session.seat_client.is_waiting()
}

/// A button for each free seat, and the field for the viewer's name.
fn seats_to_take(ui: &mut Ui, session: &Session, sides: &[Side], name: &mut String) -> Option<SeatAction> {
    let palette = Palette::of(ui.ctx());
    let mut ask = None;
    for seat in free_seats(session) {
        let enabled = may_sit(session);
        let button = main_button(&format!("Play {}", spoken(sides, &seat.team)), palette);
        if add_enabled(ui, enabled, button).clicked() {
            ask = Some(SeatAction::Sit(seat.team.to_string(), name.trim().to_owned()));
        }
    }
    if session.seat_client.seats.iter().any(|seat| !seat.taken) {
        let room = ui.available_width().clamp(60.0, 120.0);
        let field = line_edit(name).hint_text("Your name").char_limit(NAME_MAX).desired_width(room - 16.0);
        let field = ui.add(field);
        field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Your name, optional"));
        let enters = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let mut free = free_seats(session);
        if let Some(seat) = free.next().filter(|_| enters && may_sit(session)) {
            ask = Some(SeatAction::Sit(seat.team.to_string(), name.trim().to_owned()));
        }
    }
    ask
}

/// Whether a match with other settings can be asked for: while nobody plays this one.
fn offers_new_game(session: &Session) -> bool {
    let client = &session.seat_client;
    client.seats.iter().all(|seat| !seat.taken) && !client.setup.is_empty()
}

/// The button for a match with other settings.
fn new_game(ui: &mut Ui, session: &Session) -> Option<SeatAction> {
    (offers_new_game(session) && ui.button("New game…").clicked()).then_some(SeatAction::NewGame)
}
