//! The timeline: the same for live and recorded matches. A track to drag, with the moments of the match above it and its
//! turns below; lanes with figures; and the buttons.
//!
//! | module | what it is |
//! | --- | --- |
//! | `scale`, `pace` | the part of the match that is seen, and where its times lie |
//! | `track` | the whole of that part from left to right, its moments and the knob |
//! | `axis` | the turns below it, or the time |
//! | `range` | a range that is played again and again, and exported |
//! | `scrub` | the board of the moment that the pointer is at |
//! | `lanes` | figures over the match |
//! | `buttons`, `menu` | the row of the buttons, and the menu of the moments |

mod axis;
mod buttons;
mod lanes;
mod menu;
mod pace;
mod range;
mod scale;
mod scrub;
mod track;

use std::rc::Rc;

use eframe::egui::{FontId, Pos2, Rect, Role, Ui, pos2, vec2};
use grandstand_board::node;
use grandstand_board::theme::{BODY, Palette, SMALL, semibold};
use grandstand_protocol::Micros;
use grandstand_replays::Speed;
use grandstand_story::format;
use grandstand_story::sides::Side;

use self::pace::Pace;
use self::scale::{Scale, Window};
use self::scrub::Scrub;
use crate::actions::Action;
use crate::layout::{LANE, ScreenLayout};
use crate::session::{Lane, Session, TimeRange};

pub(crate) use menu::{button as menu_button, idle_text, steps};
pub(crate) use track::show_empty;

/// Height of the track with the row of labels above it and the axis below it, in points.
const TRACK: f32 = 65.0;
/// Margin at both ends of the track, in points.
const MARGIN: f32 = 16.0;
/// Width of the time beside the track, in points.
const TIME: f32 = 92.0;

/// A request of the viewer, by pointer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TimelineRequest {
    /// An action of the table.
    Action(Action),
    /// Go to a time, in seconds from the start.
    Secs(f64),
    /// Go to a command.
    Seq(u64),
    /// Set the range, or remove it.
    Range(Option<TimeRange>),
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

/// The timeline of the match that is shown: which part of it is seen, and what the viewer is about to choose.
#[derive(Debug, Default)]
pub(crate) struct Timeline {
    /// The part that is seen; `None`: all of it.
    window: Option<Window>,
    /// Where the picture was in the last frame, in seconds, and after how many jumps.
    shown: (f64, u64),
    /// Where the viewer began to drag a range, in seconds.
    picking: Option<f64>,
    /// Where the pointer has pressed; while it rests there, the board shows that moment and its preview is not wanted.
    answered: Option<Pos2>,
    scrub: Scrub,
}

impl Timeline {
    /// Says whether the match's board is upright, so that its pictures are too.
    pub(crate) fn set_upright(&mut self, upright: bool) {
        self.scrub.upright = upright;
    }

    /// Another match is shown.
    pub(crate) fn renew(&mut self) {
        *self = Timeline::default();
    }

    /// Shows so many times less of the match around the picture, or more.
    pub(crate) fn zoom(&mut self, session: &Session, nearer: bool) {
        let factor = if nearer { scale::STEP } else { 1.0 / scale::STEP };
        self.zoom_at(session, factor, scale::pace_of(session).place_of(session.seq(), session.secs()));
    }

    /// Shows all of the match again, or where that is shown the range that the viewer has chosen.
    pub(crate) fn show_whole(&mut self, session: &Session) {
        match self.window {
            Some(_) => self.window = None,
            None => self.show_range(session),
        }
    }

    /// Whether less is seen than all of the match.
    pub(crate) fn is_zoomed(&self) -> bool {
        self.window.is_some()
    }

    /// Shows the range that the viewer has chosen, and a little around it.
    fn show_range(&mut self, session: &Session) {
        let Some(range) = session.range() else { return };
        let end = scale::end_of(session);
        let (window, pace) = (Window::whole(end), scale::pace_of(session));
        let [from, to] = [range.from, range.to].map(|secs| pace.place(secs));
        let factor = end / ((to - from) * 1.2).max(1e-9);
        let middle = (from + to) / 2.0;
        self.window = window.zoomed(factor, middle, end).map(|near| {
            let off = middle - (near.from + near.to) / 2.0;
            near.moved(off, end)
        });
    }

    fn zoom_at(&mut self, session: &Session, factor: f64, at: f64) {
        let end = scale::end_of(session);
        let window = self.window.unwrap_or(Window::whole(end));
        // What lies outside of what is seen comes to its edge first.
        let at = at.clamp(window.from, window.to);
        self.window = window.zoomed(factor, at, end);
    }

    /// Moves what is seen with the picture, and where the viewer turns the wheel over `area` or spreads two fingers there.
    fn move_window(&mut self, ui: &Ui, session: &Session, pace: &Rc<Pace>, area: Rect) {
        let ((before, jumps), now) = (self.shown, session.secs());
        self.shown = (now, session.jumps());
        let plays = session.is_running() && jumps == session.jumps();
        let end = scale::end_of(session);
        // A live match goes on, and is seen to its end until the viewer looks closer.
        let [before, now] = [before, now].map(|secs| pace.place(secs));
        self.window = self.window.map(|window| window.moved(0.0, end).following(before, now, plays, end));
        let scale = Scale::of(session, pace, self.window, area);
        let (zoom, at, scrolled) = ui.input(|input| match input.multi_touch() {
            Some(touch) => (touch.zoom_delta, Some(touch.center_pos), -touch.translation_delta.x),
            None => {
                let scroll = input.smooth_scroll_delta();
                (input.zoom_delta(), input.pointer.latest_pos(), -scroll.x - scroll.y)
            }
        });
        let Some(at) = at.filter(|at| area.contains(*at) && ui.rect_contains_pointer(area)) else { return };
        if zoom != 1.0 {
            self.zoom_at(session, f64::from(zoom), scale.place(at.x));
        }
        if let Some(window) = self.window.filter(|_| scrolled != 0.0) {
            self.window = Some(window.moved(f64::from(scrolled) * scale.per_point(), end));
        }
    }

    /// Shows the timeline in the remaining space.
    pub(crate) fn show(
        &mut self,
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
        let row = if layout.low { area } else { lower };
        let (ask, free) = self.show_buttons(ui, row, layout, session, sides);
        // In a small window the time stands before the track.
        let (time, track) = match (layout.low, layout.phone) {
            (true, _) => {
                let room = if free.width() > 3.0 * TIME { TIME } else { 0.0 };
                free.split_left_right_at_x(free.left() + room)
            }
            (false, true) => upper.split_left_right_at_x(upper.left() + TIME),
            (false, false) => {
                let names = lanes::names_width(ui.painter(), &shown, upper.width());
                (free, upper.with_min_x(upper.left() + names))
            }
        };
        let time = Rect::from_x_y_ranges(time.left() + 10.0..=time.right() - 2.0, time.y_range());
        show_time(ui, time, session);
        let rows = Rect::from_min_max(pos2(track.left(), upper.bottom()), pos2(track.right(), below));
        let pace = scale::pace_of(session);
        self.move_window(ui, session, &pace, track.union(rows));
        let scale = Scale::of(session, &pace, self.window, track);
        let top = area.top() - scrub::gap(layout);
        let sought = self.show_track(ui, (track, rows), session, sides, &scale, (!layout.low, top));
        let in_lane = lanes::show(ui, rows, &shown, session, sides, &scale).map(|(secs, words, clicked)| {
            self.scrub_to(ui, session, sides, (secs, pos2(scale.x(secs), top)), &scale, Some(words));
            clicked.then_some(TimelineRequest::Secs(secs))
        });
        ask.or(sought).or(in_lane.flatten())
    }
}

/// Height of the timeline of a match, in points.
pub(crate) fn height(layout: ScreenLayout, session: &Session) -> f32 {
    layout.timeline_height(lanes::shown(layout, session).len())
}

/// Height of the row of buttons below the track.
pub(crate) fn controls_height(layout: ScreenLayout, session: &Session) -> f32 {
    let lanes = lanes::shown(layout, session).len() as f32;
    if layout.low { height(layout, session) } else { height(layout, session) - TRACK - LANE * lanes }
}

/// Current time, duration, and where there is room the line. In little room the duration has no tenths, and in less it stands in the
/// place of the line.
fn show_time(ui: &Ui, area: Rect, session: &Session) {
    let palette = Palette::of(ui.ctx());
    let painter = ui.painter().with_clip_rect(area);
    let now = format::clock(session.secs());
    let has_end = !session.is_following() && !session.hides_future();
    let of = |secs: fn(f64) -> String| match has_end {
        true => format!(" / {}", secs(session.end_secs())),
        false => String::new(),
    };
    let big = FontId::new(BODY + 1.0, semibold());
    let small = FontId::proportional(SMALL);
    let now = painter.layout_no_wrap(now, big, palette.text);
    let of = |secs| painter.layout_no_wrap(of(secs), small.clone(), palette.weak);
    let [exact, rounded] = [of(format::clock), of(format::minutes)];
    // Below the time it has room for tenths, without which it would be less than the time at the end.
    let is_below = now.size().x + rounded.size().x > area.width() && exact.size().x <= area.width();
    let of = if is_below || now.size().x + exact.size().x <= area.width() { exact } else { rounded };
    let at_line = format::number(session.seq());
    let line = match session.hides_future() {
        true => format!("Line {at_line}"),
        false => format!("Line {at_line} of {}", format::number(session.log().last_seq())),
    };
    node::show(ui, area, "time", Role::Label, &line);
    let mut line = painter.layout_no_wrap(line, small.clone(), palette.weak);
    if line.size().x > area.width() {
        line = painter.layout_no_wrap(format!("Line {at_line}"), small.clone(), palette.weak);
    }
    let is_beside = now.size().x + of.size().x <= area.width();
    if !is_beside && has_end {
        line = painter.layout_no_wrap(of.text().trim_start().to_owned(), small, palette.weak);
    }
    let middle = area.left_center();
    let beside = now.size().x + of.size().x + 18.0;
    let all_in_a_row = area.width() >= beside + line.size().x;
    let up = if all_in_a_row { 0.0 } else { 8.0 };
    let at = |x: f32, dy: f32, height: f32| pos2(middle.x + x, middle.y + dy - height / 2.0);
    let (now_size, of_size) = (now.size(), of.size());
    painter.galley(at(0.0, -up, now_size.y), now, palette.text);
    if is_beside {
        painter.galley(at(now_size.x, 0.5 - up, of_size.y), of, palette.weak);
    }
    let height = line.size().y;
    let line_at = if all_in_a_row { at(beside, 0.5, height) } else { at(0.0, 9.0, height) };
    painter.galley(line_at, line, palette.weak);
}
