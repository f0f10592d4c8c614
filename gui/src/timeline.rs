//! The timeline: the same for live and recorded matches. A track to drag, and the buttons below it.

use eframe::egui::{
    Align, Align2, Button, Color32, CursorIcon, FontFamily, FontId, Layout, Rect, RichText, Role, Sense,
    Shape, Stroke, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};
use grandstand_protocol::Command;
use grandstand_replays::{Growth, Speed};

use crate::actions::Action;
use crate::annals::TickKind;
use crate::board;
use crate::form::Form;
use crate::icons::Icon;
use crate::session::Session;
use crate::sides::Side;
use crate::theme::{BODY, Palette, SMALL, mix, semibold};
use crate::widgets::IconButton;
use crate::{plot, words};

const TRACK: f32 = 40.0;
/// The room for the time beside the track.
const TIME: f32 = 92.0;

/// What the viewer asked for with the pointer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Ask {
    /// One of the actions of the table.
    Action(Action),
    /// To a time, in seconds from the start.
    Secs(f64),
    /// Another speed.
    Speed(Speed),
}

/// Shows the timeline in the space that is left.
pub(crate) fn show(ui: &mut Ui, form: Form, session: &Session, sides: &[Side]) -> Option<Ask> {
    let area = ui.max_rect();
    let upper = Rect::from_min_size(area.min, vec2(area.width(), TRACK));
    let lower = Rect::from_min_max(pos2(area.left(), upper.bottom()), area.max);
    let (ask, free) = show_buttons(ui, if form.low { area } else { lower }, form, session);
    // In a small window the time stands before the track.
    let (time, track) = match (form.low, form.phone) {
        (true, _) => {
            let room = if free.width() > 3.0 * TIME { TIME } else { 0.0 };
            free.split_left_right_at_x(free.left() + room)
        }
        (false, true) => upper.split_left_right_at_x(upper.left() + TIME),
        (false, false) => (free, upper),
    };
    show_time(ui, time.shrink2(vec2(10.0, 0.0)), session);
    ask.or(show_track(ui, track, session, sides).map(Ask::Secs))
}

/// The track; the time that was clicked or dragged to.
fn show_track(ui: &mut Ui, area: Rect, session: &Session, sides: &[Side]) -> Option<f64> {
    let palette = Palette::of(ui.ctx());
    let response = ui.interact(area, ui.scope_id().with("timeline"), Sense::click_and_drag());
    let end = session.end_secs().max(1e-6);
    let shown = session.secs();
    response.widget_info(|| WidgetInfo::slider(true, shown, "Timeline"));
    let inner = area.shrink2(vec2(16.0, 0.0));
    let x = |secs: f64| inner.left() + inner.width() * (secs / end).clamp(0.0, 1.0) as f32;
    let y = area.center().y;
    let bar = |from: f32, to: f32, half: f32| Rect::from_min_max(pos2(from, y - half), pos2(to, y + half));
    let hot = response.hovered() || response.dragged() || response.has_focus();
    let half = if hot { 3.0 } else { 2.0 };
    let lane = Rect::from_x_y_ranges(inner.x_range(), area.y_range().shrink(3.0));
    plot::paint_lane(ui, session, sides, lane, x);
    let painter = ui.painter();
    painter.rect_filled(bar(inner.left(), inner.right(), half), half, palette.line);
    painter.rect_filled(bar(inner.left(), x(shown), half), half, palette.accent);
    if session.log().growth() == Growth::Loading {
        // The known part is as long as it is; how much is still to come shows as a stripe.
        let stripe = bar(inner.left(), inner.left() + inner.width() * session.loaded, 1.0);
        painter.rect_filled(stripe.translate(vec2(0.0, 8.0)), 1.0, palette.weak);
    }
    ticks(ui, session, sides, x, y, shown);
    let knob = pos2(x(shown), y);
    painter.circle_filled(knob, if hot { 8.0 } else { 6.5 }, palette.panel);
    painter.circle_filled(knob, if hot { 6.5 } else { 5.0 }, palette.accent);
    if response.has_focus() {
        painter.circle_stroke(knob, 10.0, Stroke::new(1.5, palette.accent));
    }
    let pointed = response.interact_pointer_pos().or(response.hover_pos());
    let at = pointed.map(|at| f64::from((at.x - inner.left()) / inner.width()).clamp(0.0, 1.0) * end);
    let sought = (response.clicked() || response.dragged()).then_some(at).flatten();
    if let (Some(at), Some(pointer)) = (at, pointed) {
        painter.vline(
            pointer.x.clamp(inner.left(), inner.right()),
            y - 9.0..=y + 9.0,
            Stroke::new(1.0, palette.weak),
        );
        let near = 5.0 / f64::from(inner.width().max(1.0)) * end;
        let text = hover_text(session, sides, at, near);
        response.on_hover_cursor(CursorIcon::PointingHand).on_hover_text_at_pointer(text);
    }
    sought
}

/// The moments along the track: above it those of the first team and below it those of the second.
fn ticks(ui: &Ui, session: &Session, sides: &[Side], x: impl Fn(f64) -> f32, y: f32, shown: f64) {
    let palette = Palette::of(ui.ctx());
    let painter = ui.painter();
    // A million lines that nobody understood are one tick a pixel.
    let mut last_unknown = f32::NEG_INFINITY;
    let mut last_event = [f32::NEG_INFINITY; 2];
    for tick in &session.annals.records().ticks {
        let secs = tick.t.as_secs_f64();
        let at = x(secs);
        let fade = |color: Color32| if secs > shown { mix(palette.panel, color, 0.55) } else { color };
        match &tick.kind {
            TickKind::Marker => {}
            TickKind::Unknown => {
                if at - last_unknown >= 1.0 {
                    last_unknown = at;
                    painter.vline(at, y - 5.0..=y + 5.0, Stroke::new(1.5, fade(palette.warning)));
                }
            }
            TickKind::Event { side, major, .. } => {
                let last = &mut last_event[side % 2];
                if at - *last < if *major { 1.5 } else { 3.0 } {
                    continue;
                }
                *last = at;
                let color = fade(sides.get(*side).map_or(palette.weak, |side| side.accent(palette)));
                let up = side % 2 == 0;
                let tip = pos2(at, if up { y - 5.0 } else { y + 5.0 });
                if !major {
                    // Small marks, of which there may be many.
                    let end = if up { tip.y - 5.0 } else { tip.y + 5.0 };
                    painter.vline(at, tip.y.min(end)..=tip.y.max(end), Stroke::new(2.0, color));
                    continue;
                }
                let base = if up { tip.y - 8.0 } else { tip.y + 8.0 };
                let triangle = vec![tip, pos2(at + 4.5, base), pos2(at - 4.5, base)];
                if up {
                    painter.add(Shape::convex_polygon(triangle, color, Stroke::NONE));
                } else {
                    painter.add(Shape::closed_line(triangle, Stroke::new(1.6, color)));
                }
            }
        }
    }
}

/// What the pointer is at: the time, the turn, and what happened within `near` seconds.
fn hover_text(session: &Session, sides: &[Side], at: f64, near: f64) -> String {
    let mut lines = vec![words::clock(at)];
    let log = session.log();
    let t = grandstand_protocol::Micros::from_secs_f64(at).unwrap_or_default();
    lines[0].push_str(&format!("   line {}", words::number(log.seq_at(t))));
    let moments =
        session.annals.records().ticks.iter().filter(|tick| (tick.t.as_secs_f64() - at).abs() <= near);
    for tick in moments.take(4) {
        lines.push(match &tick.kind {
            TickKind::Event { side, what, .. } => {
                let name = sides.get(*side).map_or("", |side| &side.name);
                format!("{what} {name}")
            }
            TickKind::Unknown => "A line that was not understood".to_owned(),
            TickKind::Marker => match log.command(tick.seq) {
                Some(Command::Marker(marker)) => marker.label.to_string(),
                _ => continue,
            },
        });
    }
    lines.join("\n")
}

/// The buttons in their row, and the room that they leave between them, or before them in a wide window.
fn show_buttons(ui: &mut Ui, area: Rect, form: Form, session: &Session) -> (Option<Ask>, Rect) {
    let mut ask = None;
    let inner = area.shrink2(vec2(12.0, 2.0));
    // On a phone the steps are enough; the beginning, the end and the events are on the track.
    let steps = match () {
        () if form.low && area.width() < 560.0 => 2.0,
        () if form.low || form.phone => 4.0,
        () => 8.0,
    };
    let transport_width = steps * 30.0 + 38.0 + steps * 3.0;
    let wide = area.width() > 900.0 && !form.low;
    // In a narrow window the buttons stand at the left, and the time between them and the rest.
    let left = if wide { area.center().x - transport_width / 2.0 } else { inner.left() };
    let transport = Rect::from_min_size(pos2(left, inner.top()), vec2(transport_width, inner.height()));
    ui.scope_builder(
        UiBuilder::new().max_rect(transport).layout(Layout::left_to_right(Align::Center)),
        |ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
            let events = board::view(session.scene()).events();
            let (play, label) =
                if session.is_running() { (Icon::Pause, "Pause") } else { (Icon::Play, "Play") };
            let mut button = |ui: &mut Ui, icon, action, enabled| {
                let button = IconButton::new(icon, action);
                let button = match action {
                    Action::PlayPause => button.label(label).prominent(),
                    Action::NextEvent => button.called(action, events.next),
                    Action::PreviousEvent => button.called(action, events.previous),
                    _ => button,
                };
                if ui.add(button.enabled(enabled)).clicked() {
                    ask = Some(Ask::Action(action));
                }
            };
            let (first, last) =
                (session.seq() == 0 && session.secs() == 0.0, session.seq() >= session.log().last_seq());
            if steps > 4.0 {
                button(ui, Icon::Start, Action::Start, !first);
                button(ui, Icon::PreviousEvent, Action::PreviousEvent, !first);
            }
            if steps > 2.0 {
                button(ui, Icon::PreviousTurn, Action::PreviousTurn, !first);
            }
            button(ui, Icon::PreviousCommand, Action::PreviousCommand, !first);
            button(ui, play, Action::PlayPause, true);
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
        if session.is_live()
            && let Some(action) = live_button(ui, session)
        {
            ask = Some(Ask::Action(action));
        }
        let skip = IconButton::new(Icon::SkipIdle, Action::ToggleSkipIdle).selected(session.skips_idle());
        if ui.add(skip).clicked() {
            ask = Some(Ask::Action(Action::ToggleSkipIdle));
        }
        if let Some(speed) = speed_menu(ui, session) {
            ask = Some(Ask::Speed(speed));
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

/// The time shown and the whole, and where there is room, the line.
fn show_time(ui: &Ui, area: Rect, session: &Session) {
    let palette = Palette::of(ui.ctx());
    let painter = ui.painter().with_clip_rect(area);
    let now = words::clock(session.secs());
    let of = if session.is_following() {
        String::new()
    } else {
        format!(" / {}", words::clock(session.end_secs()))
    };
    let big = FontId::new(BODY + 1.0, semibold());
    let small = FontId::new(SMALL, FontFamily::Proportional);
    let now = painter.layout_no_wrap(now, big, palette.text);
    let of = painter.layout_no_wrap(of, small.clone(), palette.weak);
    let at_line = words::number(session.seq());
    let line = format!("Line {at_line} of {}", words::number(session.log().last_seq()));
    let node = ui.interact(area, ui.scope_id().with("time"), Sense::hover());
    node.widget_info(|| WidgetInfo::labeled(Role::Label, true, &line));
    let mut line = painter.layout_no_wrap(line, small.clone(), palette.weak);
    if line.size().x > area.width() {
        line = painter.layout_no_wrap(format!("Line {at_line}"), small, palette.weak);
    }
    let middle = area.left_center();
    let beside = now.size().x + of.size().x + 18.0;
    let all_in_a_row = area.width() >= beside + line.size().x;
    let up = if all_in_a_row { 0.0 } else { 8.0 };
    let at = |x: f32, dy: f32, height: f32| pos2(middle.x + x, middle.y + dy - height / 2.0);
    let (now_size, of_size) = (now.size(), of.size());
    painter.galley(at(0.0, -up, now_size.y), now, palette.text);
    if area.width() >= now_size.x + of_size.x {
        painter.galley(at(now_size.x, 0.5 - up, of_size.y), of, palette.weak);
    }
    let height = line.size().y;
    let line_at = if all_in_a_row { at(beside, 0.5, height) } else { at(0.0, 9.0, height) };
    painter.galley(line_at, line, palette.weak);
}

fn speed_menu(ui: &mut Ui, session: &Session) -> Option<Speed> {
    let mut chosen = None;
    let now = session.playback.speed();
    let text = RichText::new(now.to_string()).family(semibold());
    let menu = ui.menu_button(text, |ui| {
        for speed in Speed::ALL {
            if ui.selectable_label(speed == now, speed.to_string()).clicked() {
                chosen = Some(speed);
                ui.close();
            }
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

/// Says that the picture is the present, or how far it is behind and how to return.
fn live_button(ui: &mut Ui, session: &Session) -> Option<Action> {
    let palette = Palette::of(ui.ctx());
    let following = session.is_following();
    let (text, ink, fill) = if following {
        ("LIVE".to_owned(), palette.panel, palette.live)
    } else {
        (
            format!("−{} → live", words::span(session.behind_secs())),
            palette.live,
            mix(palette.panel, palette.live, 0.14),
        )
    };
    let text = RichText::new(text).family(semibold()).color(ink).size(SMALL + 1.0);
    let button = Button::new(text).fill(fill).corner_radius(14.0).min_size(vec2(64.0, 28.0));
    let response = ui.add(button);
    let label = if following { "Live" } else { "Back to live" };
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, label));
    let tip = if following { "This is the present".to_owned() } else { Action::GoLive.tooltip() };
    response.on_hover_text(tip).clicked().then_some(Action::GoLive)
}

/// The empty timeline of a match that has not come yet.
pub(crate) fn show_empty(ui: &Ui, area: Rect) {
    let palette = Palette::of(ui.ctx());
    // On a low screen the bar has room for little more than the track.
    let y = area.top() + TRACK.min(area.height() * 0.6) / 2.0;
    ui.painter().hline(area.x_range().shrink(16.0), y, Stroke::new(4.0, palette.line));
    let font = FontId::new(SMALL, FontFamily::Proportional);
    let at = pos2(area.center().x, (y + area.bottom()) / 2.0);
    ui.painter().text(at, Align2::CENTER_CENTER, "No match yet", font, palette.weak);
}
