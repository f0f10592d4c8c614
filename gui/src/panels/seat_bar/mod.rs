//! Seat bar: the line between the score and the board in which a viewer takes a seat, types moves, and resigns.

mod call;
mod controls;

use eframe::egui::text::{LayoutJob, TextFormat, TextWrapping};
use eframe::egui::{
    self, Align, Color32, FontId, Frame, Id, Label, Layout, Margin, Pos2, Rect, Response, RichText, Role,
    Sense, Stroke, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};
use grandstand_board::BegunMove;
use grandstand_board::theme::{BODY, Palette, SMALL, semibold};
use grandstand_protocol::{Color, Question, SeatRequest};
use grandstand_story::format::capitalised;
use grandstand_story::games::{sides, story};
use grandstand_story::sides::Side;

use self::call::{call_in_line, calls_on_board, enter_sits};
pub(crate) use self::call::{is_offered, show_on_board};
pub(crate) use self::controls::focus_move;
use crate::address::Target;
use crate::icons::{self, Icon};
use crate::layout::{FINGER, ScreenLayout};
use crate::panels::result_card::ResultCardAction;
use crate::session::Session;
use crate::widgets::main_button;

/// A request of the viewer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SeatAction {
    /// Take the seat of this team, under this name (empty for none).
    Sit(String, String),
    /// Move, or leave the seat.
    Request(SeatRequest),
    /// Make the move that a finger has aimed at on the board.
    Confirm,
    /// Show the question whether to resign, or hide it.
    Resigning(bool),
    /// Go to the present of the match.
    GoLive,
    /// Choose the settings of another match.
    NewGame,
    /// Go on after the end of the match.
    GoOn(ResultCardAction),
}

/// Height of the line under a pointer, in points.
const HEIGHT: f32 = 30.0;
/// Gap at each end of the line, in points.
const SIDE: f32 = 12.0;
/// Width from which the line is one row, in points.
const ONE_ROW_FROM: f32 = 560.0;
/// Width of the ways to move until it is known, in points.
const CONTROLS: f32 = 330.0;
/// Width of a plate with an icon besides its text, in points.
const PLATE: f32 = 46.0;
/// Width of a plate without one besides its text, in points.
const BARE_PLATE: f32 = 22.0;
/// Gap above the line and below it, in points.
const ABOVE: f32 = 3.0;
const BELOW: f32 = 4.0;
/// Gap between its two rows in a narrow window, in points.
const BETWEEN: f32 = 4.0;

/// How a call to move begins.
const YOURS: &str = "Your move: ";

/// Length of a person's name at most, in characters.
pub(crate) const NAME_MAX: usize = 30;

/// Id of the field for a move.
fn move_id() -> Id {
    Id::unique("your move")
}

/// Height of the line in a part of the window with this width, with the gaps around it: the same before somebody sits down,
/// while they play, and at the end, so that the board stays where it is.
pub(crate) fn height(session: &Session, layout: ScreenLayout, width: f32) -> f32 {
    if session.seat_client.is_played { ABOVE + own_height(layout, width) + BELOW } else { 0.0 }
}

/// Height of the line itself, which has two rows in a narrow window.
fn own_height(layout: ScreenLayout, width: f32) -> f32 {
    let row = layout.control(HEIGHT);
    if width - 2.0 * SIDE < ONE_ROW_FROM { 2.0 * row + BETWEEN } else { row }
}

/// Shows the line if the match has seats. `next`: the match in which who has played this one plays again. Returns the y where the
/// board begins, and the request.
pub(crate) fn show(
    ui: &mut Ui,
    session: &Session,
    (draft, name): (&mut String, &mut String),
    sides: &[Side],
    next: Option<Target>,
    (at, width): (Pos2, f32),
) -> (f32, Option<SeatAction>) {
    if !session.seat_client.is_played {
        return (at.y, None);
    }
    let end = pos2(at.x + width - SIDE, ui.max_rect().bottom());
    let area = Rect::from_min_max(pos2(at.x + SIDE, at.y + ABOVE), end);
    let row = row_height(ui);
    let height = own_height(ScreenLayout::of(ui.ctx()), width);
    let mut ask = None;
    let on_board = calls_on_board(ui, session);
    // A banner above it comes and goes, and it keeps the focus.
    let place = UiBuilder::new().scope_id(Id::unique("seat bar")).max_rect(area);
    let shown = ui.scope_builder(place, |ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, BETWEEN);
        ui.set_min_height(height);
        ui.set_min_width(area.width());
        // The ground here is near to that of buttons and fields.
        let line = Stroke::new(1.0, Palette::of(ui.ctx()).line);
        ui.visuals_mut().widgets.inactive.bg_stroke = line;
        ui.visuals_mut().widgets.noninteractive.bg_stroke = line;
        if session.seat_client.seats.is_empty() || !session.is_live() {
            if let Some(next) = next {
                ask = ways_on(ui, session, next);
            }
            return ui.min_rect().bottom();
        }
        // As high as its contents; the rest is the board's.
        if session.seat_client.seat().is_some() {
            ask = mine(ui, session, draft, sides);
            return ui.min_rect().bottom();
        }
        ui.horizontal_wrapped(|ui| {
            ui.set_min_height(row);
            ask = free(ui, session, sides, name, on_board);
            if let Some(refusal) = &session.seat_client.refusal {
                let palette = Palette::of(ui.ctx());
                words(ui, Some(Icon::Warning), &sentence(refusal), palette.error, Role::Alert);
            }
        });
        ui.min_rect().bottom()
    });
    (shown.inner + BELOW, ask)
}

/// Whether the line has the ways on for who has played the match, which is over.
pub(crate) fn leads_on(session: &Session) -> bool {
    let client = &session.seat_client;
    client.is_played && client.has_played && !client.replaced && !session.is_live()
}

/// The ways on after a match, in the place of the ways to move.
fn ways_on(ui: &mut Ui, session: &Session, next: Target) -> Option<SeatAction> {
    let palette = Palette::of(ui.ctx());
    let is_narrow = ui.available_width() < ONE_ROW_FROM;
    let row = row_height(ui);
    // What is pressed beside the buttons is none of them.
    let ground = ui.min_rect().expand2(vec2(SIDE, ABOVE));
    ui.interact(ground, Id::unique("ground of the ways on"), Sense::CLICK | Sense::DRAG);
    let text = RichText::new("Another game?").family(semibold()).size(BODY).color(palette.text);
    let title = |ui: &mut Ui| {
        ui.set_min_height(row);
        ui.add(Label::new(text).selectable(false));
    };
    let buttons = |ui: &mut Ui| {
        ui.set_min_height(row);
        let rematch = ui.add(main_button("Rematch", palette)).on_hover_text("Colours are swapped");
        let mut ask = rematch.clicked().then(|| ResultCardAction::Rematch(next.clone()));
        if !session.seat_client.setup.is_empty() {
            let other = ui.button("New game…").on_hover_text("Chooses other settings");
            ask = other.clicked().then_some(ResultCardAction::NewGame(next)).or(ask);
        }
        ask.map(SeatAction::GoOn)
    };
    if is_narrow {
        ui.horizontal(title);
        return ui.horizontal_wrapped(buttons).inner;
    }
    let shown = ui.horizontal(|ui| {
        title(ui);
        buttons(ui)
    });
    shown.inner
}

fn row_height(ui: &Ui) -> f32 {
    ScreenLayout::of(ui.ctx()).control(HEIGHT)
}

/// The line for a viewer without a seat: the free and the taken seats. `on_board`: the board has the free ones.
fn free(
    ui: &mut Ui,
    session: &Session,
    sides: &[Side],
    name: &mut String,
    on_board: bool,
) -> Option<SeatAction> {
    let palette = Palette::of(ui.ctx());
    let mut ask = None;
    // The call stands above the middle of the board: its width is known from the last frame.
    let centred = (!on_board && is_offered(session)).then(|| ui.scope_id().with("width of the call"));
    let wide = centred.and_then(|id| ui.data(|data| data.get_temp::<f32>(id)));
    if let Some(wide) = wide {
        ui.add_space(((ui.available_width() - wide) / 2.0).max(0.0));
    }
    let left = ui.cursor().left();
    if !on_board {
        ask = enter_sits(ui, session, name);
        ask = call_in_line(ui, session, sides, name).or(ask);
    }
    for seat in session.seat_client.seats.iter().filter(|seat| seat.taken) {
        let who = seat.name.as_ref().map_or("somebody", |name| &**name);
        let text = format!("{} is played by {who}", team_name(sides, &seat.team));
        words(ui, None, &text, palette.weak, Role::Label);
    }
    let now = ui.cursor().left() - ui.spacing().item_spacing.x - left;
    if let Some(id) = centred.filter(|_| now > 0.0 && wide.is_none_or(|wide| (wide - now).abs() > 0.5)) {
        ui.data_mut(|data| data.insert_temp(id, now));
        ui.ctx().request_repaint();
    }
    ask
}

/// Tone of the text about a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tone {
    Good,
    Plain,
    Bad,
}

/// State of the viewer's seat in words; `None` without a seat.
fn standing(session: &Session, sides: &[Side]) -> Option<(String, Tone)> {
    let team = &*session.seat_client.seat()?.team;
    let all_here = session.seat_client.seats.iter().all(|seat| seat.taken);
    let (text, tone) = match () {
        () if !session.is_connected() => ("the connection is lost; your clock goes on".to_owned(), Tone::Bad),
        () if !session.is_following() => ("you see an earlier position".to_owned(), Tone::Plain),
        () if session.seat_client.pending.is_some() => ("sending your move".to_owned(), Tone::Plain),
        () if !all_here && session.ply() == 0 && session.seat_client.question().is_none() => {
            ("waiting for the other player".to_owned(), Tone::Plain)
        }
        () if session.is_my_turn() == Some(true) => {
            let question = session.seat_client.question();
            let asked = question.map(|question| asked(question, &session.seat_client.named));
            (asked.unwrap_or_else(|| "your move".to_owned()), Tone::Good)
        }
        () => {
            let other = sides.iter().find(|side| side.key != team).map_or("the other", |side| &side.name);
            (format!("{other} to move"), Tone::Plain)
        }
    };
    Some((format!("You play {}: {text}.", spoken(sides, team)), tone))
}

/// Text of the line for screen readers: the state of the seat, and the reason of the last refusal.
pub(crate) fn told(session: &Session) -> Option<String> {
    if session.seat_client.seats.is_empty() || !session.is_live() {
        return None;
    }
    let sides = sides(session.scene(), &session.about.teams);
    let standing = standing(session, &sides).map(|(text, _)| text);
    let refusal = session.seat_client.refusal.as_deref().map(sentence);
    let told: Vec<String> = standing.into_iter().chain(refusal).collect();
    (!told.is_empty()).then(|| told.join(" "))
}

/// The line for a viewer with a seat: what is to be done, and the ways to do it. In a narrow window these are two rows.
/// Its height is the same whatever it says, so that the board stays where it is.
fn mine(ui: &mut Ui, session: &Session, draft: &mut String, sides: &[Side]) -> Option<SeatAction> {
    let controls_id = ui.scope_id().with("width of the controls");
    let is_narrow = ui.available_width() < ONE_ROW_FROM;
    let beside = ui.data(|data| data.get_temp::<f32>(controls_id)).unwrap_or(CONTROLS);
    let says = |ui: &mut Ui, room: f32| {
        let layout = Layout::left_to_right(Align::Center);
        ui.allocate_ui_with_layout(vec2(room.max(0.0), row_height(ui)), layout, |ui| {
            message(ui, session, sides)
        });
    };
    if is_narrow {
        // What is to be done on the board stands next to it.
        let room = ui.available_width();
        let ask = ui.horizontal_wrapped(|ui| controls::show(ui, session, draft, false)).inner;
        ui.horizontal(|ui| says(ui, room));
        return ask;
    }
    let row = ui.horizontal(|ui| {
        ui.set_min_height(row_height(ui));
        let room = ui.available_width() - beside - 8.0;
        let right = ui.max_rect().right();
        says(ui, room);
        // The ways to move stay where they are, whatever is said.
        ui.add_space((right - beside - ui.cursor().left()).max(0.0));
        let left = ui.cursor().left();
        let ask = controls::show(ui, session, draft, true);
        let wide = ui.min_rect().right() - left;
        if (wide - beside).abs() > 0.5 {
            ui.data_mut(|data| data.insert_temp(controls_id, wide));
            ui.ctx().request_repaint();
        }
        ask
    });
    row.inner
}

/// The reason of a refusal, else the call to move; and the state of the seat.
fn message(ui: &mut Ui, session: &Session, sides: &[Side]) {
    let palette = Palette::of(ui.ctx());
    let whole = call(ui, session, false);
    let standing = standing(session, sides);
    let is_headed = whole.is_some() || session.seat_client.refusal.is_some();
    // The call says already what is to be done.
    let seen =
        standing.as_ref().map(|(text, _)| text.split(':').next().filter(|_| is_headed).unwrap_or(text));
    let wide =
        |text: &str, font: FontId| ui.painter().layout_no_wrap(text.to_owned(), font, palette.weak).size().x;
    let beside = |seen: &str| ui.available_width() - wide(seen, FontId::proportional(SMALL + 1.0)) - 16.0;
    let refusal = session.seat_client.refusal.as_deref().map(sentence);
    // The whole reason, or call, counts for more than the state of the seat.
    // Its first step is enough where the whole call has no room.
    let fits = |text: &str, rim: f32| {
        seen.is_none_or(|seen| wide(text, FontId::new(BODY, semibold())) + rim < beside(seen))
    };
    let has_room = whole.as_ref().is_none_or(|call| fits(call, BARE_PLATE));
    let call = if has_room { whole } else { call(ui, session, true) };
    let told = refusal.as_ref().map(|why| (why, PLATE)).or(call.as_ref().map(|call| (call, BARE_PLATE)));
    let seen = seen.filter(|_| told.is_none_or(|(text, rim)| fits(text, rim)));
    let room = seen.map_or(ui.available_width(), beside);
    match (refusal, &call) {
        (Some(refusal), _) => {
            let layout = Layout::left_to_right(Align::Center);
            ui.allocate_ui_with_layout(vec2(room.max(40.0), row_height(ui)), layout, |ui| {
                let label = plate(ui, Some(Icon::Warning), &refusal, palette.error);
                label.widget_info(|| WidgetInfo::labeled(Role::Alert, true, &refusal));
                label.on_hover_text(&refusal);
            });
        }
        (None, Some(call)) => {
            // A button has a plate.
            let text = RichText::new(seen_of(call)).family(semibold()).size(BODY).color(palette.accent);
            let label = ui.add(Label::new(text).selectable(false).truncate());
            label.widget_info(|| WidgetInfo::labeled(Role::Label, true, call));
        }
        (None, None) if is_told_now(ui) => {
            // What the line says anyway answers a press out of turn.
            if let Some((text, _)) = &standing {
                let told = text.split_once(": ").map_or(&**text, |(_, told)| told).trim_end_matches('.');
                let label = plate(ui, Some(Icon::Warning), &capitalised(told), palette.warning);
                label.widget_info(|| WidgetInfo::labeled(Role::Alert, true, text));
                return;
            }
        }
        (None, None) => {}
    }
    if let (Some((text, tone)), Some(seen)) = (&standing, seen) {
        let ink = match tone {
            Tone::Good => palette.good,
            Tone::Plain => palette.weak,
            Tone::Bad => palette.warning,
        };
        let label = Label::new(RichText::new(seen).size(SMALL + 1.0).color(ink)).selectable(false);
        ui.add(label.truncate()).widget_info(|| WidgetInfo::labeled(Role::Status, true, text));
    }
}

/// Time for which the answer to a press out of turn stands out, in seconds.
const TOLD_SECS: f64 = 3.0;

fn told_id() -> Id {
    Id::unique("whose turn it is")
}

/// Answers a press on the board while the viewer may not move: the line that says why stands out for a while.
pub(crate) fn tell(ui: &Ui) {
    let until = ui.input(|input| input.time) + TOLD_SECS;
    ui.data_mut(|data| data.insert_temp(told_id(), until));
    ui.ctx().request_repaint();
}

fn is_told_now(ui: &Ui) -> bool {
    let until: f64 = ui.data(|data| data.get_temp(told_id())).unwrap_or(0.0);
    let left = until - ui.input(|input| input.time);
    if left > 0.0 {
        ui.ctx().request_repaint_after(std::time::Duration::from_secs_f64(left));
    }
    left > 0.0
}

/// What is seen of a call: the line of the score says already whose move it is.
fn seen_of(call: &str) -> String {
    capitalised(call.trim_start_matches(YOURS))
}

/// Call to the viewer to move: `Your move: click a point`, and what is to follow on what the viewer has begun. `is_short`: only
/// the first step of a move.
fn call(ui: &Ui, session: &Session, is_short: bool) -> Option<String> {
    session.may_move()?;
    let how = story(session.scene()).how_to_move()?;
    let layout = ScreenLayout::of(ui.ctx());
    let press =
        if layout.is_touched() || ui.input(|input| input.has_touch_screen()) { "tap" } else { "click" };
    match (session.board().begun(&session.picture(&[])), session.seat_client.question()) {
        (Some(BegunMove::Aimed(place)), _) => return Some(format!("Tap {place} again to play")),
        (Some(BegunMove::From(place)), _) => return Some(format!("{place}: {press} its target")),
        (None, Some(question)) => return Some(capitalised(&asked(question, &session.seat_client.named))),
        (None, None) => {}
    }
    if let Some(demand) = story(session.scene()).demand(session.about.rules.as_ref()) {
        return Some(demand);
    }
    let how = if layout.phone || is_short { how.split(',').next().unwrap_or(how) } else { how };
    Some(format!("{YOURS}{}", how.replacen("click", press, 1)))
}

/// A text on a plate, larger than the rest of the line.
fn plate(ui: &mut Ui, icon: Option<Icon>, text: &str, fill: Color32) -> Response {
    let palette = Palette::of(ui.ctx());
    let frame = Frame::new().fill(fill).corner_radius(6.0).inner_margin(Margin::symmetric(10, 4));
    let shown = frame.show(ui, |ui| {
        if let Some(icon) = icon {
            let (rect, _) = ui.allocate_exact_size(egui::Vec2::splat(16.0), egui::Sense::hover());
            icons::paint(ui.painter(), icon, icons::square(rect.center(), 14.0), palette.panel);
        }
        // What is too long for a line stands on two, which are as high as the line is on a phone.
        let font = FontId::new(BODY, semibold());
        let wide = ui.painter().layout_no_wrap(text.to_owned(), font.clone(), palette.panel).size().x;
        let font = match wide > ui.available_width() && row_height(ui) >= FINGER {
            true => FontId { size: SMALL, ..font },
            false => font,
        };
        let mut job = LayoutJob::single_section(text.to_owned(), TextFormat::simple(font, palette.panel));
        job.wrap = TextWrapping {
            max_width: ui.available_width(),
            max_rows: if row_height(ui) >= FINGER { 2 } else { 1 },
            ..TextWrapping::default()
        };
        ui.add(Label::new(ui.painter().layout_job(job)).selectable(false))
    });
    shown.inner
}

/// A question in words, with the number of places named so far.
fn asked(question: &Question, named: &str) -> String {
    match named.split_whitespace().count() {
        0 => question.text.to_string(),
        count => format!("{} ({count} of {})", &*question.text, question.places),
    }
}

/// A text in the line, with a node for screen readers.
fn words(ui: &mut Ui, icon: Option<Icon>, text: &str, ink: Color32, role: Role) {
    if let Some(icon) = icon {
        let (rect, _) = ui.allocate_exact_size(egui::Vec2::splat(16.0), egui::Sense::hover());
        icons::paint(ui.painter(), icon, icons::square(rect.center(), 14.0), ink);
    }
    let label = ui.add(Label::new(RichText::new(text).size(SMALL + 1.0).color(ink)).selectable(false));
    label.widget_info(|| WidgetInfo::labeled(role, true, text));
}

/// A team within a sentence: its colour, or a name with a capital.
fn spoken(sides: &[Side], team: &str) -> String {
    let word = sides.iter().find(|side| side.key == team).map_or(team, Side::word);
    if Color::named(word).is_some() { word.to_owned() } else { capitalised(word) }
}

fn team_name(sides: &[Side], team: &str) -> String {
    sides.iter().find(|side| side.key == team).map_or_else(|| capitalised(team), |side| side.name.clone())
}

/// The server's text as a sentence: with a capital, unless it begins with a place such as `h8`, and a full stop.
fn sentence(words: &str) -> String {
    let words = words.trim();
    let first = words.split(' ').next().unwrap_or_default();
    let is_place = first.ends_with(|letter: char| letter.is_ascii_digit());
    let text = if is_place { words.to_owned() } else { capitalised(words) };
    if text.ends_with(['.', '!', '?']) { text } else { text + "." }
}
