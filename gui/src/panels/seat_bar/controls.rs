//! The ways to move in the seat bar, to resign, and to leave the seat.

use eframe::egui::text::{CCursor, CCursorRange};
use eframe::egui::text_edit::TextEditState;
use eframe::egui::{Button, Context, FocusDirection, Id, Key, Rect, Response, Role, Ui, WidgetInfo};
use grandstand_board::BegunMove;
use grandstand_board::theme::Palette;
use grandstand_protocol::SeatRequest;
use grandstand_story::story;

use super::{SeatAction, move_id, words};
use crate::session::Session;
use crate::widgets::{add_enabled, line_edit, main_button};

/// More than the ways to move have widgets: those of the question are others, or they would have their focus.
const BUTTONS: usize = 64;

/// The ways to move, and to leave. `at_right`: they end at the right of the line, and do not begin at its left.
pub(super) fn show(ui: &mut Ui, session: &Session, draft: &mut String, at_right: bool) -> Option<SeatAction> {
    let palette = Palette::of(ui.ctx());
    let move_of = |text: &str| SeatRequest::Move { ply: session.ply(), text: text.into() };
    let mut ask = None;
    if !session.is_following() {
        if ui.button("Back to live").clicked() {
            ask = Some(SeatAction::GoLive);
        }
        return ask;
    }
    let enabled = session.is_connected() && !session.seat_client.is_waiting();
    if session.seat_client.resigning {
        // The question takes the place of the ways to move. Where the button was, a second click plays on, as far as that
        // was wide, and so does a second press of the key.
        ui.skip_ahead_auto_ids(BUTTONS);
        words(ui, None, "Resign?", palette.warning, Role::Label);
        let was_at = ui.data(|data| data.get_temp::<Rect>(resign_place())).filter(|_| !at_right);
        ui.add_space(was_at.map_or(0.0, |place| (place.left() - ui.cursor().left()).max(0.0)));
        for resigns in [false, true] {
            let text = if resigns { "Yes, resign" } else { "No, play on" };
            let button = add_enabled(ui, enabled || !resigns, Button::new(text));
            if !resigns {
                take_focus(ui, &button);
            }
            if button.clicked() && resigns {
                ask = Some(SeatAction::Request(move_of("resign")));
            } else if button.clicked() {
                hand_focus_on(ui, &button);
                ask = Some(SeatAction::Resigning(false));
            }
        }
        return ask;
    }
    let can_move = session.can_enter_move();
    for choice in session.seat_client.question().map_or(&[][..], |question| &question.choices) {
        if add_enabled(ui, can_move, Button::new(&*choice.label)).clicked() {
            ask = Some(SeatAction::Request(move_of(&choice.text)));
        }
    }
    let form = story(session.scene()).move_form();
    let field = line_edit(draft).id(move_id()).hint_text(form.hint).char_limit(60).desired_width(76.0);
    let field = add_enabled(ui, can_move, field).on_hover_text(form.example);
    field.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::TextInput, can_move, "Your move");
        info.current_text_value = Some(draft.clone());
        info
    });
    let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    if can_move && !entered {
        give_focus_back(ui, draft);
    }
    let typed = draft.trim();
    let aimed = match session.board().begun(&session.picture(&[])) {
        Some(BegunMove::Aimed(place)) if typed.is_empty() => Some(place),
        _ => None,
    };
    let can_play = can_move && (!typed.is_empty() || aimed.is_some());
    let button = if aimed.is_some() { main_button("Play", palette) } else { Button::new("Play") };
    let play = add_enabled(ui, can_play, button);
    let label = aimed.as_ref().map_or_else(|| "Play".to_owned(), |place| format!("Play {place}"));
    play.widget_info(|| WidgetInfo::labeled(Role::Button, can_play, &label));
    if play.clicked() && aimed.is_some() {
        ask = Some(SeatAction::Confirm);
    } else if (play.clicked() || entered) && can_move && !typed.is_empty() {
        if entered {
            ui.data_mut(|data| data.insert_temp(entered_move(), ()));
        }
        ask = Some(SeatAction::Request(move_of(typed)));
    }
    let resign = add_enabled(ui, enabled, Button::new("Resign"));
    ui.data_mut(|data| data.insert_temp(resign_place(), resign.rect));
    take_focus(ui, &resign);
    if resign.clicked() {
        hand_focus_on(ui, &resign);
        ask = Some(SeatAction::Resigning(true));
    }
    let leave = add_enabled(ui, enabled, Button::new("Leave the seat"));
    if leave.on_hover_text("Anybody may take it; your clock goes on").clicked() {
        ask = Some(SeatAction::Request(SeatRequest::Leave));
    }
    ask
}

/// Gives the field for the move the focus, from the present frame on.
pub(crate) fn focus_move(ctx: &Context) {
    ctx.memory_mut(|memory| {
        memory.request_focus(move_id());
        // The Tab that led there leads no further.
        memory.move_focus(FocusDirection::None);
    });
}

fn entered_move() -> Id {
    Id::unique("the last move was entered by keys")
}

/// Gives the field for the move the focus after a move that was entered there, when it takes moves again: after a refusal, with
/// the text selected, and at the next turn.
fn give_focus_back(ui: &Ui, draft: &str) {
    let is_free = ui.memory(|memory| memory.focused().is_none());
    if ui.data_mut(|data| data.remove_temp::<()>(entered_move())).is_none() || !is_free {
        return;
    }
    ui.memory_mut(|memory| memory.request_focus(move_id()));
    let mut state = TextEditState::load(ui.ctx(), move_id()).unwrap_or_default();
    let end = CCursor::new(draft.chars().count());
    state.cursor.set_char_range(Some(CCursorRange::two(CCursor::new(0), end)));
    state.store(ui.ctx(), move_id());
}

/// Id of the place that the button to resign had last.
fn resign_place() -> Id {
    Id::unique("place of the button to resign")
}

fn handed_on() -> Id {
    Id::unique("focus of the question whether to resign")
}

/// Remembers the focus of a button that is about to go.
fn hand_focus_on(ui: &Ui, button: &Response) {
    if button.has_focus() {
        ui.data_mut(|data| data.insert_temp(handed_on(), ()));
    }
}

/// Gives a button the focus of the one that it takes the place of.
fn take_focus(ui: &Ui, button: &Response) {
    if ui.data_mut(|data| data.remove_temp::<()>(handed_on())).is_some() {
        button.request_focus();
    }
}
