//! Row of the buttons below the timeline: steps, speed, the range, and the live edge.

use eframe::egui::{
    Align, FontId, Layout, Rect, RichText, Role, Sense, Stroke, StrokeKind, Ui, UiBuilder, WidgetInfo, pos2,
    vec2,
};
use grandstand_board::theme::{Palette, SMALL, mix, semibold};
use grandstand_replays::Speed;
use grandstand_story::format;
use grandstand_story::sides::Side;
use grandstand_story::story;

use super::{Timeline, TimelineRequest, menu, range};
use crate::actions::Action;
use crate::icons::Icon;
use crate::layout::ScreenLayout;
use crate::session::Session;
use crate::widgets::IconButton;

/// So wide is a row with every step, the time and what is at the right.
const EVERY_STEP: f32 = 660.0;
/// The buttons at the right leave so much room for the time where that stands between them and the steps.
const ROOM_FOR_TIME: f32 = 150.0;

impl Timeline {
    /// The buttons in their row, and the room that they leave between them, or before them in a wide window.
    pub(super) fn show_buttons(
        &mut self,
        ui: &mut Ui,
        area: Rect,
        layout: ScreenLayout,
        session: &Session,
        sides: &[Side],
    ) -> (Option<TimelineRequest>, Rect) {
        let mut ask = None;
        let inner = area.shrink2(vec2(12.0, 2.0));
        // In a narrow window the steps are enough; the beginning, the end and the events are on the track.
        let steps = match () {
            () if layout.low && area.width() < 560.0 => 2.0,
            () if layout.phone && (session.is_live() || session.range().is_some()) => 2.0,
            () if layout.low || area.width() < EVERY_STEP => 4.0,
            () => 8.0,
        };
        let gap = if layout.is_touched() { 0.0 } else { 3.0 };
        let transport_width = steps * (layout.control(30.0) + gap) + layout.control(38.0);
        let wide = area.width() > 900.0 && !layout.low;
        // In a narrow window the buttons stand at the left, and the time between them and the rest.
        let left = if wide { area.center().x - transport_width / 2.0 } else { inner.left() };
        let transport = Rect::from_min_size(pos2(left, inner.top()), vec2(transport_width, inner.height()));
        ui.scope_builder(
            UiBuilder::new().max_rect(transport).layout(Layout::left_to_right(Align::Center)),
            |ui| {
                ui.spacing_mut().item_spacing.x = gap;
                let events = story(session.scene()).events();
                let (next, previous) = match session.is_compared {
                    true => ("Next difference", "Previous difference"),
                    false => (events.next, events.previous),
                };
                let (play, label) =
                    if session.is_running() { (Icon::Pause, "Pause") } else { (Icon::Play, "Play") };
                let mut button = |ui: &mut Ui, icon, action, enabled| {
                    let button = IconButton::new(icon, action);
                    let button = match action {
                        Action::PlayPause => button.label(label).prominent(),
                        Action::NextEvent => button.called(action, next),
                        Action::PreviousEvent => button.called(action, previous),
                        _ => button.named(action, session.chapters.unit_name(), session.goes_by_moves()),
                    };
                    if ui.add(button.enabled(enabled)).clicked() {
                        ask = Some(TimelineRequest::Action(action));
                    }
                };
                let (first, last) = (
                    session.seq() == 0 && session.secs() == 0.0,
                    session.seq() >= session.log().last_seq() && !session.hides_future(),
                );
                // The set-up is the start; single commands lead further back.
                let begins = first || session.seq() == session.log().opening();
                if steps > 4.0 {
                    button(ui, Icon::Start, Action::Start, !begins);
                    button(ui, Icon::PreviousEvent, Action::PreviousEvent, !first);
                }
                if steps > 2.0 {
                    button(ui, Icon::PreviousTurn, Action::PreviousTurn, !first);
                }
                button(ui, Icon::PreviousCommand, Action::PreviousCommand, !first);
                button(ui, play, Action::PlayPause, session.can_pause());
                button(ui, Icon::NextCommand, Action::NextCommand, !last);
                if steps > 2.0 {
                    button(ui, Icon::NextTurn, Action::NextTurn, !last);
                }
                if steps > 4.0 {
                    button(ui, Icon::NextEvent, Action::NextEvent, !last);
                    button(ui, Icon::End, Action::End, !last || session.is_live() && !session.is_following());
                }
            },
        );
        let room = Rect::from_min_max(pos2(transport.right() + 8.0, inner.top()), inner.max);
        let builder = UiBuilder::new().max_rect(room).layout(Layout::right_to_left(Align::Center));
        let right = ui.scope_builder(builder, |ui| {
            if layout.is_touched() {
                ui.spacing_mut().item_spacing.x = gap;
                // The shortest speed is as wide as a finger.
                ui.spacing_mut().button_padding.x = 14.0;
            }
            if session.is_live()
                && let Some(action) = live_button(ui, session)
            {
                ask = Some(TimelineRequest::Action(action));
            }
            let skip = IconButton::new(Icon::SkipIdle, Action::ToggleSkipIdle).selected(session.skips_idle());
            if ui.add(skip).clicked() {
                ask = Some(TimelineRequest::Action(Action::ToggleSkipIdle));
            }
            if let Some(asked) = speed_menu(ui, session) {
                ask = Some(asked);
            }
            if let Some(asked) = range::buttons(ui, session) {
                ask = Some(asked);
            }
            // On a phone the panel with the moments has it.
            if ui.available_width() > layout.control(34.0) {
                let active = session.filter.is_active() || session.stops_at_markers;
                let flag = IconButton::new(Icon::Flag, Action::ShowMoments).label("Moments and lanes");
                let flag = ui.add(flag.selected(active));
                if let Some(asked) = menu::show(&flag, session, sides) {
                    ask = Some(asked);
                }
            }
            // In a small window two fingers, the wheel and the keys do it.
            let needed = if wide { 90.0 } else { 90.0 + ROOM_FOR_TIME };
            if !layout.is_touched() && ui.available_width() > needed {
                ui.add_space(4.0);
                self.zoom_buttons(ui, session);
            }
            ui.min_rect().left()
        });
        let free = if wide {
            Rect::from_min_max(inner.min, pos2(transport.left(), inner.bottom()))
        } else {
            Rect::from_min_max(pos2(transport.right(), inner.top()), pos2(right.inner, inner.bottom()))
        };
        (ask, free)
    }
}

fn speed_menu(ui: &mut Ui, session: &Session) -> Option<TimelineRequest> {
    let mut chosen = None;
    let now = session.playback.speed();
    let text = RichText::new(now.to_string()).family(semibold());
    let menu = ui.menu_button(text, |ui| {
        for speed in Speed::ALL {
            if ui.selectable_label(speed == now, speed.to_string()).clicked() {
                chosen = Some(TimelineRequest::Speed(speed));
                ui.close();
            }
        }
        ui.separator();
        if let Some(asked) = menu::idle(ui, session) {
            chosen = Some(asked);
            ui.close();
        }
    });
    let tip = format!(
        "Speed: {} and {}",
        crate::actions::key_text(&Action::Slower.entry().keys[0]),
        crate::actions::key_text(&Action::Faster.entry().keys[0])
    );
    menu.response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Speed {now}")));
    menu.response.on_hover_text(tip);
    chosen
}

/// On the present of a live match a red pill; behind it, by how much, and the way back.
fn live_button(ui: &mut Ui, session: &Session) -> Option<Action> {
    let palette = Palette::of(ui.ctx());
    let following = session.is_following();
    let behind = format::span(session.behind_secs());
    let (text, ink, fill, dot) = if following {
        ("Live".to_owned(), palette.panel, palette.live, palette.panel)
    } else {
        (format!("{behind} behind"), palette.text, palette.raised, palette.weak)
    };
    let font = FontId::new(SMALL + 1.0, semibold());
    let galley = ui.painter().layout_no_wrap(text, font, ink);
    // The pill keeps its width while the numbers run.
    let wide =
        ui.painter().layout_no_wrap("00.0 s behind".to_owned(), FontId::new(SMALL + 1.0, semibold()), ink);
    let width = if following { galley.size().x } else { galley.size().x.max(wide.size().x) } + 34.0;
    let (rect, response) =
        ui.allocate_exact_size(vec2(width, ScreenLayout::of(ui.ctx()).control(28.0)), Sense::click());
    let label = if following { "Live".to_owned() } else { format!("Back to live, {behind} behind") };
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, label.clone()));
    let hot = response.hovered() || response.has_focus();
    let fill = if hot && !following { mix(fill, palette.live, 0.25) } else { fill };
    let rim = if response.has_focus() {
        palette.accent
    } else if following {
        fill
    } else {
        palette.live
    };
    let pill = Rect::from_center_size(rect.center(), vec2(width, 28.0));
    ui.painter().rect(pill, 14.0, fill, Stroke::new(1.2, rim), StrokeKind::Inside);
    let dot = if hot && !following { palette.live } else { dot };
    ui.painter().circle_filled(rect.left_center() + vec2(14.0, 0.0), 4.0, dot);
    ui.painter().galley(rect.left_center() + vec2(24.0, -galley.size().y / 2.0), galley, ink);
    let tip = if following { "This is the present".to_owned() } else { Action::GoLive.tooltip() };
    response.on_hover_text(tip).clicked().then_some(Action::GoLive)
}

impl Timeline {
    /// Less of the match, more of it, and all of it; in a row from right to left.
    fn zoom_buttons(&mut self, ui: &mut Ui, session: &Session) {
        let zoomed = self.is_zoomed();
        for (icon, action, enabled) in [
            (Icon::Plus, Action::TimelineIn, true),
            (Icon::Whole, Action::TimelineWhole, zoomed || session.range().is_some()),
            (Icon::Minus, Action::TimelineOut, zoomed),
        ] {
            if ui.add(IconButton::new(icon, action).sized(26.0).enabled(enabled)).clicked() {
                match action {
                    Action::TimelineWhole => self.show_whole(session),
                    _ => self.zoom(session, action == Action::TimelineIn),
                }
            }
        }
    }
}
