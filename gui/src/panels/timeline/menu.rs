//! Menu of the timeline: shown moments, lanes, idle time, and bookmarks.

use eframe::egui::{
    self, Align, Button, Layout, Popup, PopupCloseBehavior, Response, RichText, Role, ScrollArea, Ui,
    WidgetInfo,
};
use grandstand_board::theme::semibold;
use grandstand_protocol::Micros;
use grandstand_story::format;
use grandstand_story::markers::{kind, title};
use grandstand_story::sides::Side;

use super::TimelineRequest;
use crate::actions::Action;
use crate::icons::Icon;
use crate::session::Lane;
use crate::session::{IDLE_AMOUNTS, Session};
use crate::widgets::{IconButton, line_edit};

/// Opens beside the button that was clicked; stays open until a click outside of it.
pub(crate) fn show(button: &Response, session: &Session, sides: &[Side]) -> Option<TimelineRequest> {
    let popup = Popup::menu(button).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let shown = popup.show(|ui| {
        ui.set_width(300.0);
        let height = (ui.ctx().content_rect().height() * 0.84).max(200.0);
        ScrollArea::vertical()
            .max_height(height)
            .min_scrolled_height(height)
            .show(ui, |ui| contents(ui, session, sides))
            .inner
    });
    shown.and_then(|shown| shown.inner)
}

fn heading(ui: &mut Ui, text: &str) {
    ui.add_space(4.0);
    ui.label(RichText::new(text).family(semibold()));
}

fn contents(ui: &mut Ui, session: &Session, sides: &[Side]) -> Option<TimelineRequest> {
    let mut ask = None;
    heading(ui, "Moments that are shown and gone to");
    let markers = &session.events.findings().markers;
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        for known in markers.kinds() {
            let count = match &*known.word {
                kind::BOOKMARK => session.known_bookmarks().count() as u64,
                kind::FORCED if session.is_spoiler_free() => 0,
                _ => known.count,
            };
            if count == 0 {
                continue;
            }
            let mut shown = session.filter.shows(&known.word);
            let text = format!("{} ({})", title(&known.word), format::number(count));
            ui.horizontal(|ui| {
                if ui.checkbox(&mut shown, text).changed() {
                    ask = Some(TimelineRequest::ShowKind(known.word.to_string(), shown));
                }
                if shown {
                    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                        ask = steps(ui, Some(&known.word)).or(ask.take());
                    });
                }
            });
        }
    });
    ui.horizontal_wrapped(|ui| {
        if ui.selectable_label(session.filter.side.is_none(), "All sides").clicked() {
            ask = Some(TimelineRequest::ShowSide(None));
        }
        for side in sides {
            let chosen = session.filter.side.as_ref() == Some(&side.key);
            if ui.selectable_label(chosen, format!("Only {}", side.name)).clicked() {
                ask = Some(TimelineRequest::ShowSide(Some(side.key.clone())));
            }
        }
    });
    ui.horizontal(|ui| {
        ui.label("Any of them");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ask = steps(ui, None).or(ask.take());
        });
    });
    let mut stops = session.stops_at_markers;
    if ui.checkbox(&mut stops, Action::StopAtMarkers.tooltip()).changed() {
        ask = Some(TimelineRequest::Action(Action::StopAtMarkers));
    }
    heading(ui, "Lanes");
    ui.horizontal_wrapped(|ui| {
        for lane in Lane::ALL {
            let mut shown = session.lanes.has(lane);
            if ui.checkbox(&mut shown, lane.name()).changed() {
                ask = Some(TimelineRequest::ToggleLane(lane));
            }
        }
    });
    ask = idle(ui, session).or(ask);
    ask = bookmarks(ui, session).or(ask);
    ui.separator();
    if ui.button("All settings…").on_hover_text(Action::Settings.tooltip()).clicked() {
        ask = Some(TimelineRequest::Action(Action::Settings));
        ui.close();
    }
    ask
}

/// Buttons for the previous and the next moment, for a row from right to left.
pub(crate) fn steps(ui: &mut Ui, kind: Option<&str>) -> Option<TimelineRequest> {
    let mut ask = None;
    let what = kind.map_or_else(|| "any moment".to_owned(), title);
    for (forward, icon, name) in
        [(true, Icon::NextCommand, "Next"), (false, Icon::PreviousCommand, "Previous")]
    {
        let button = IconButton::plain(icon, &format!("{name}: {what}")).sized(26.0);
        if ui.add(button).clicked() {
            ask = Some(TimelineRequest::Step { kind: kind.map(str::to_owned), forward });
        }
    }
    ask
}

fn with_key(text: &str, action: Action) -> String {
    action.tooltip_with(text)
}

/// Choice of how much of idle time is played.
pub(super) fn idle(ui: &mut Ui, session: &Session) -> Option<TimelineRequest> {
    let mut ask = None;
    heading(ui, &with_key("Idle time", Action::NextIdleAmount));
    ui.horizontal_wrapped(|ui| {
        let now = session.playback.idle_max();
        for amount in [None].into_iter().chain(IDLE_AMOUNTS.map(Some)) {
            if ui.selectable_label(now == amount, idle_text(amount)).clicked() {
                ask = Some(TimelineRequest::Idle(amount));
            }
        }
    });
    ask
}

/// Text of a choice: `all`, or `at most 0.8 s`.
pub(crate) fn idle_text(amount: Option<Micros>) -> String {
    amount
        .map_or_else(|| "all".to_owned(), |amount| format!("at most {}", format::span(amount.as_secs_f64())))
}

fn bookmarks(ui: &mut Ui, session: &Session) -> Option<TimelineRequest> {
    let mut ask = None;
    heading(ui, "Bookmarks");
    for mark in session.known_bookmarks() {
        ui.horizontal(|ui| {
            let clock = format::clock(mark.t.as_secs_f64());
            let go = ui.add(Button::new(clock.clone()).small());
            go.widget_info(|| {
                WidgetInfo::labeled(Role::Button, true, format!("Go to bookmark {}", mark.what))
            });
            if go.clicked() {
                ask = Some(TimelineRequest::Seq(mark.seq));
            }
            // The text under edit is kept apart, since the bookmark's name is trimmed and the text may end in a space.
            let id = ui.scope_id().with(("bookmark", mark.seq));
            let kept: Option<String> = ui.data(|data| data.get_temp(id));
            let mut text = kept.unwrap_or_else(|| mark.what.to_string());
            let edit =
                line_edit(&mut text).desired_width(140.0).char_limit(crate::address::bookmarks::LABEL_MAX);
            let edit = ui.add(edit);
            edit.widget_info(|| {
                WidgetInfo::labeled(Role::TextInput, true, format!("Name of the bookmark at {clock}"))
            });
            if edit.changed() {
                ask = Some(TimelineRequest::NameBookmark(mark.seq, text.clone()));
                ui.data_mut(|data| data.insert_temp(id, text));
            } else if !edit.has_focus() {
                ui.data_mut(|data| data.remove::<String>(id));
            }
            let remove = ui.add(Button::new("×").small());
            remove.widget_info(|| {
                WidgetInfo::labeled(Role::Button, true, format!("Remove bookmark {}", mark.what))
            });
            if remove.clicked() {
                ask = Some(TimelineRequest::RemoveBookmark(mark.seq));
            }
        });
    }
    ui.horizontal_wrapped(|ui| {
        for (text, action) in
            [("Set or remove here", Action::ToggleBookmark), ("Save with bookmarks…", Action::SaveMarked)]
        {
            if ui.button(text).on_hover_text(action.tooltip()).clicked() {
                ask = Some(TimelineRequest::Action(action));
            }
        }
    });
    ask
}

/// A text button that opens the menu, for screens whose timeline has no room for one.
pub(crate) fn button(ui: &mut Ui, session: &Session, sides: &[Side]) -> Option<TimelineRequest> {
    let text = if session.filter.is_active() { "Filtered…" } else { "Choose…" };
    let button = ui.add(egui::Button::new(text));
    button.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Choose moments and lanes"));
    show(&button, session, sides)
}
