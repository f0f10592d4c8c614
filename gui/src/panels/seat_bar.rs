//! Seat bar: the line between the score and the board in which a viewer takes a seat, types moves, and resigns.

use eframe::egui::{
    self, Button, Color32, Frame, Id, Key, Label, Margin, Pos2, Rect, RichText, Role, TextEdit, TextWrapMode,
    Ui, UiBuilder, WidgetInfo, pos2, vec2,
};
use grandstand_board::theme::{BODY, Palette, SMALL, semibold};
use grandstand_protocol::{Question, SeatRequest};
use grandstand_story::format::capitalised;
use grandstand_story::games::{sides, story};
use grandstand_story::sides::Side;

use crate::icons::{self, Icon};
use crate::session::Session;
use crate::source::Connection;
use crate::widgets::main_button;

/// A request of the viewer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SeatAction {
    /// Take the seat of this team, under this name (empty for none).
    Sit(String, String),
    /// Move, or leave the seat.
    Request(SeatRequest),
    /// Show the question whether to resign, or hide it.
    Resigning(bool),
    /// Go to the present of the match.
    GoLive,
    /// Choose the settings of another match.
    NewGame,
}

/// Length of a person's name at most, in characters.
pub(crate) const NAME_MAX: usize = 30;

/// Id of the field for a move.
fn move_id() -> Id {
    Id::unique("your move")
}

/// Shows the line if the match has seats. Returns the y where the board begins, and the request.
pub(crate) fn show(
    ui: &mut Ui,
    session: &Session,
    (draft, name): (&mut String, &mut String),
    sides: &[Side],
    at: Pos2,
    width: f32,
) -> (f32, Option<SeatAction>) {
    if session.seat_client.seats.is_empty() || !session.is_live() {
        return (at.y, None);
    }
    let area =
        Rect::from_min_max(pos2(at.x + 12.0, at.y + 3.0), pos2(at.x + width - 12.0, ui.max_rect().bottom()));
    let mut ask = None;
    let shown = ui.scope_builder(UiBuilder::new().max_rect(area), |ui| {
        // As high as its contents; the rest is the board's.
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(8.0, 4.0);
            ask = if session.seat_client.seat().is_some() {
                mine(ui, session, draft, sides)
            } else {
                free(ui, session, sides, name)
            };
            if let Some(refusal) = &session.seat_client.refusal {
                let palette = Palette::of(ui.ctx());
                words(ui, Some(Icon::Warning), &sentence(refusal), palette.error, Role::Alert);
            }
        })
        .response
        .rect
        .bottom()
    });
    (shown.inner + 4.0, ask)
}

/// The line for a viewer without a seat: the free and the taken seats.
fn free(ui: &mut Ui, session: &Session, sides: &[Side], name: &mut String) -> Option<SeatAction> {
    let palette = Palette::of(ui.ctx());
    let mut ask = None;
    for seat in session.seat_client.seats.iter().filter(|seat| !seat.taken) {
        let enabled = is_connected(session) && !session.seat_client.is_waiting();
        let button = main_button(&format!("Play {}", &*seat.team), palette);
        if ui.add_enabled(enabled, button).clicked() {
            ask = Some(SeatAction::Sit(seat.team.to_string(), name.trim().to_owned()));
        }
    }
    if session.seat_client.seats.iter().any(|seat| !seat.taken) {
        let field =
            TextEdit::singleline(name).hint_text("Your name").char_limit(NAME_MAX).desired_width(120.0);
        let field = ui.add(field);
        field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Your name, optional"));
    }
    let is_empty = session.seat_client.seats.iter().all(|seat| !seat.taken);
    if is_empty && !session.seat_client.setup.is_empty() && ui.button("New game…").clicked() {
        ask = Some(SeatAction::NewGame);
    }
    for seat in session.seat_client.seats.iter().filter(|seat| seat.taken) {
        let who = seat.name.as_ref().map_or("somebody", |name| &**name);
        let text = format!("{} is played by {who}", team_name(sides, &seat.team));
        words(ui, None, &text, palette.weak, Role::Label);
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
        () if !is_connected(session) => ("the connection is lost, the clock goes on".to_owned(), Tone::Bad),
        () if !session.is_following() => ("you are looking back".to_owned(), Tone::Plain),
        () if session.seat_client.pending.is_some() => ("your move is on its way".to_owned(), Tone::Plain),
        () if !all_here && session.ply() == 0 && session.seat_client.question().is_none() => {
            ("waiting for the other seat".to_owned(), Tone::Plain)
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
    Some((format!("You play {team}: {text}."), tone))
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

/// The line for a viewer with a seat.
fn mine(ui: &mut Ui, session: &Session, draft: &mut String, sides: &[Side]) -> Option<SeatAction> {
    let palette = Palette::of(ui.ctx());
    let turn = session.is_my_turn();
    let move_of = |text: &str| SeatRequest::Move { ply: session.ply(), text: text.into() };
    let mut ask = None;
    let call = call(session);
    if let Some(call) = &call {
        call_to_action(ui, call);
    }
    if let Some((text, tone)) = standing(session, sides) {
        let ink = match tone {
            Tone::Good => palette.good,
            Tone::Plain => palette.weak,
            Tone::Bad => palette.warning,
        };
        // The call says already what is to be done.
        let seen = text.split(':').next().filter(|_| call.is_some()).unwrap_or(&text);
        let label = ui.add(Label::new(RichText::new(seen).size(SMALL + 1.0).color(ink)).selectable(false));
        label.widget_info(|| WidgetInfo::labeled(Role::Status, true, &text));
    }
    if !session.is_following() {
        if ui.button("Back to the present").clicked() {
            ask = Some(SeatAction::GoLive);
        }
        return ask;
    }
    let can_move = turn != Some(false)
        && session.seat_client.pending.is_none()
        && !session.seat_client.is_waiting()
        && is_connected(session);
    for choice in session.seat_client.question().map_or(&[][..], |question| &question.choices) {
        if ui.add_enabled(can_move, Button::new(&*choice.label)).clicked() {
            ask = Some(SeatAction::Request(move_of(&choice.text)));
        }
    }
    let field =
        TextEdit::singleline(draft).id(move_id()).hint_text("move").char_limit(60).desired_width(64.0);
    let field = ui.add_enabled(can_move, field);
    field.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::TextInput, can_move, "Your move");
        info.current_text_value = Some(draft.clone());
        info
    });
    let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    let typed = draft.trim();
    if (ui.add_enabled(can_move && !typed.is_empty(), Button::new("Play")).clicked() || entered)
        && can_move
        && !typed.is_empty()
    {
        ask = Some(SeatAction::Request(move_of(typed)));
    }
    let enabled = is_connected(session) && !session.seat_client.is_waiting();
    if session.seat_client.resigning {
        words(ui, None, "Give up?", palette.warning, Role::Label);
        if ui.add_enabled(enabled, Button::new("Yes, resign")).clicked() {
            ask = Some(SeatAction::Request(move_of("resign")));
        }
        if ui.button("No, play on").clicked() {
            ask = Some(SeatAction::Resigning(false));
        }
    } else {
        if ui.add_enabled(enabled, Button::new("Resign")).clicked() {
            ask = Some(SeatAction::Resigning(true));
        }
        let leave = ui.add_enabled(enabled, Button::new("Leave the seat"));
        if leave.on_hover_text("Somebody else may take it; the clock goes on").clicked() {
            ask = Some(SeatAction::Request(SeatRequest::Leave));
        }
    }
    ask
}

/// Call to the viewer to move: `Your move: click a point`.
fn call(session: &Session) -> Option<String> {
    session.may_move()?;
    let how = story(session.scene()).how_to_move()?;
    Some(match session.seat_client.question() {
        Some(question) => capitalised(&asked(question, &session.seat_client.named)),
        None => format!("Your move: {how}"),
    })
}

/// The call, larger than the rest of the line.
fn call_to_action(ui: &mut Ui, text: &str) {
    let palette = Palette::of(ui.ctx());
    let frame = Frame::new().fill(palette.accent).corner_radius(6.0).inner_margin(Margin::symmetric(12, 4));
    frame.show(ui, |ui| {
        let text = RichText::new(text).family(semibold()).size(BODY + 1.0).color(palette.panel);
        ui.add(Label::new(text).selectable(false).wrap_mode(TextWrapMode::Extend));
    });
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

fn is_connected(session: &Session) -> bool {
    matches!(session.connection, Some((Connection::Connected, _)))
}

fn team_name(sides: &[Side], team: &str) -> String {
    sides.iter().find(|side| side.key == team).map_or_else(|| capitalised(team), |side| side.name.clone())
}

/// The server's text as a sentence: with a capital and a full stop.
fn sentence(words: &str) -> String {
    let text = capitalised(words.trim());
    if text.ends_with(['.', '!', '?']) { text } else { text + "." }
}
