//! The timeline, the same for live and recorded matches: a track to drag with the moments of the match, lanes with
//! figures, and buttons.

mod lanes;
mod menu;
mod track;

use eframe::egui::{
    Align, Button, FontId, Layout, Rect, RichText, Role, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};
use grandstand_board::node;
use grandstand_board::theme::{BODY, Palette, SMALL, mix, semibold};
use grandstand_protocol::Micros;
use grandstand_replays::Speed;
use grandstand_story::format;
use grandstand_story::sides::Side;
use grandstand_story::story;

use crate::actions::Action;
use crate::icons::Icon;
use crate::layout::{LANE, ScreenLayout};
use crate::session::{Lane, Session};
use crate::widgets::IconButton;

pub(crate) use menu::{button as menu_button, idle_text, steps};
pub(crate) use track::show_empty;

/// Height of the track with the row of labels above it, in points.
const TRACK: f32 = 50.0;
/// Margin at both ends of the track, in points.
const MARGIN: f32 = 16.0;
/// Width of the time beside the track, in points.
const TIME: f32 = 92.0;
/// Width of a row that has room for every step button, the time, and the buttons at the right, in points.
const EVERY_STEP: f32 = 660.0;

/// A request of the viewer, by pointer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TimelineRequest {
    /// An action of the table.
    Action(Action),
    /// Go to a time, in seconds from the start.
    Secs(f64),
    /// Go to a command.
    Seq(u64),
    /// Set the speed.
    Speed(Speed),
    /// Play at most this much of idle time; `None` plays all of it.
    Idle(Option<Micros>),
    /// Show or hide a lane.
    ToggleLane(Lane),
    /// Go to the next or the previous shown moment, of one kind or of any.
    Step { kind: Option<String>, forward: bool },
    /// Show or hide the markers of a kind.
    ShowKind(String, bool),
    /// Show the markers of one team only, by its key in the dialect; `None` for all teams.
    ShowSide(Option<String>),
    /// Rename the bookmark at a command.
    NameBookmark(u64, String),
    /// Remove the bookmark at a command.
    RemoveBookmark(u64),
}

/// Linear scale from times to positions on the track.
#[derive(Debug, Clone, Copy)]
struct Scale {
    left: f32,
    width: f32,
    /// The time at the right end, in seconds.
    end: f64,
}

impl Scale {
    fn of(session: &Session, area: Rect) -> Scale {
        let inner = area.shrink2(vec2(MARGIN, 0.0));
        Scale { left: inner.left(), width: inner.width().max(1.0), end: session.end_secs().max(1e-6) }
    }

    fn x(&self, secs: f64) -> f32 {
        self.left + self.width * (secs / self.end).clamp(0.0, 1.0) as f32
    }

    fn secs(&self, x: f32) -> f64 {
        f64::from((x - self.left) / self.width).clamp(0.0, 1.0) * self.end
    }
}

/// Height of the timeline of a match, in points.
pub(crate) fn height(layout: ScreenLayout, session: &Session) -> f32 {
    layout.timeline_height(lanes::shown(layout, session).len())
}

/// Shows the timeline in the remaining space.
pub(crate) fn show(
    ui: &mut Ui,
    layout: ScreenLayout,
    session: &Session,
    sides: &[Side],
) -> Option<TimelineRequest> {
    let area = ui.max_rect();
    let shown = lanes::shown(layout, session);
    let upper = Rect::from_min_size(area.min, vec2(area.width(), TRACK));
    let below = upper.bottom() + LANE * shown.len() as f32;
    let lower = Rect::from_min_max(pos2(area.left(), below), area.max);
    let (ask, free) = show_buttons(ui, if layout.low { area } else { lower }, layout, session, sides);
    // On a low screen or a phone the time stands before the track.
    let (time, track) = match (layout.low, layout.phone) {
        (true, _) => {
            let room = if free.width() > 3.0 * TIME { TIME } else { 0.0 };
            free.split_left_right_at_x(free.left() + room)
        }
        (false, true) => upper.split_left_right_at_x(upper.left() + TIME),
        (false, false) => {
            (free, upper.with_min_x(upper.left() + lanes::names_width(ui.painter(), &shown, upper.width())))
        }
    };
    show_time(ui, time.shrink2(vec2(10.0, 0.0)), session);
    let sought = track::show(ui, track, session, sides, !layout.low);
    let rows = Rect::from_min_max(pos2(track.left(), upper.bottom()), pos2(track.right(), below));
    let in_lane = lanes::show(ui, rows, &shown, session, sides).map(TimelineRequest::Secs);
    ask.or(sought).or(in_lane)
}

/// The buttons in their row. Returns also the free space: between the groups of buttons, or at the left of them in a
/// wide window.
fn show_buttons(
    ui: &mut Ui,
    area: Rect,
    layout: ScreenLayout,
    session: &Session,
    sides: &[Side],
) -> (Option<TimelineRequest>, Rect) {
    let mut ask = None;
    let inner = area.shrink2(vec2(12.0, 2.0));
    // A narrow window has the steps only; start, end and events can be reached on the track.
    let steps = match () {
        () if layout.low && area.width() < 560.0 => 2.0,
        () if layout.low || area.width() < EVERY_STEP => 4.0,
        () => 8.0,
    };
    let transport_width = steps * 30.0 + 38.0 + steps * 3.0;
    let wide = area.width() > 900.0 && !layout.low;
    // A wide window has the buttons in the middle; otherwise they stand at the left, with the time between them and the
    // rest.
    let left = if wide { area.center().x - transport_width / 2.0 } else { inner.left() };
    let transport = Rect::from_min_size(pos2(left, inner.top()), vec2(transport_width, inner.height()));
    ui.scope_builder(
        UiBuilder::new().max_rect(transport).layout(Layout::left_to_right(Align::Center)),
        |ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
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
                    _ => button,
                };
                if ui.add(button.enabled(enabled)).clicked() {
                    ask = Some(TimelineRequest::Action(action));
                }
            };
            let (first, last) = (
                session.seq() == 0 && session.secs() == 0.0,
                session.seq() >= session.log().last_seq() && !session.hides_future(),
            );
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
            ask = Some(TimelineRequest::Action(action));
        }
        let skip = IconButton::new(Icon::SkipIdle, Action::ToggleSkipIdle).selected(session.skips_idle());
        if ui.add(skip).clicked() {
            ask = Some(TimelineRequest::Action(Action::ToggleSkipIdle));
        }
        if let Some(asked) = speed_menu(ui, session) {
            ask = Some(asked);
        }
        // A phone has no room for it; there the panel with the moments has this menu.
        if ui.available_width() > 34.0 {
            let active = session.filter.is_active() || session.stops_at_markers;
            let flag = IconButton::new(Icon::Flag, Action::ShowMoments).label("Moments and lanes");
            let flag = ui.add(flag.selected(active));
            if let Some(asked) = menu::show(&flag, session, sides) {
                ask = Some(asked);
            }
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

/// Current time, duration, and where there is room the line.
fn show_time(ui: &Ui, area: Rect, session: &Session) {
    let palette = Palette::of(ui.ctx());
    let painter = ui.painter().with_clip_rect(area);
    let now = format::clock(session.secs());
    let of = if session.is_following() || session.hides_future() {
        String::new()
    } else {
        format!(" / {}", format::clock(session.end_secs()))
    };
    let big = FontId::new(BODY + 1.0, semibold());
    let small = FontId::proportional(SMALL);
    let now = painter.layout_no_wrap(now, big, palette.text);
    let of = painter.layout_no_wrap(of, small.clone(), palette.weak);
    let at_line = format::number(session.seq());
    let line = match session.hides_future() {
        true => format!("Line {at_line}"),
        false => format!("Line {at_line} of {}", format::number(session.log().last_seq())),
    };
    node::show(ui, area, "time", Role::Label, &line);
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

/// Button of a live match: "LIVE" while it is followed, otherwise the delay and the way back.
fn live_button(ui: &mut Ui, session: &Session) -> Option<Action> {
    let palette = Palette::of(ui.ctx());
    let following = session.is_following();
    let (text, ink, fill) = if following {
        ("LIVE".to_owned(), palette.panel, palette.live)
    } else {
        (
            format!("−{} → live", format::span(session.behind_secs())),
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
