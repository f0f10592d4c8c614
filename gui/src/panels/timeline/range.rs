//! Range on the timeline: a band over the track and the lanes, an edge to drag at both ends, and its buttons.

use eframe::egui::{
    CursorIcon, FontId, Painter, Rangef, Rect, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, pos2, vec2,
};
use grandstand_board::theme::{Palette, SMALL, semibold};
use grandstand_story::format;

use super::TimelineRequest;
use super::scale::Scale;
use crate::actions::Action;
use crate::icons::Icon;
use crate::session::{Session, TimeRange};
use crate::widgets::IconButton;

/// Size of a handle, at the top of an edge.
const HANDLE: Vec2 = vec2(7.0, 10.0);
/// How wide an edge is for the pointer.
const EDGE: f32 = 10.0;
/// Gap between a handle and what gives way to it, in points.
const AROUND: f32 = 3.0;
/// How large its buttons are.
const BUTTON: f32 = 28.0;

/// Paints the band through the track and the rows of the lanes.
pub(super) fn paint(painter: &Painter, session: &Session, scale: &Scale, (track, rows): (Rect, Rect)) {
    let Some(range) = session.range().filter(|range| scale.sees_any(range.from, range.to)) else { return };
    let palette = Palette::of(painter.ctx());
    let (left, right) = (scale.x(range.from), scale.x(range.to));
    let bottom = rows.bottom().max(track.bottom()) - 2.0;
    let band = Rect::from_min_max(pos2(left, track.top()), pos2(right.max(left + 1.0), bottom));
    painter.rect_filled(band, 2.0, palette.accent.gamma_multiply(0.16));
    for secs in [range.from, range.to].into_iter().filter(|secs| scale.sees(*secs)) {
        let x = scale.x(secs);
        painter.vline(x, band.y_range(), Stroke::new(1.5, palette.accent));
        let handle = Rect::from_center_size(pos2(x, track.top() + HANDLE.y / 2.0), HANDLE);
        painter.rect_filled(handle, 2.0, palette.accent);
    }
}

/// The parts of a row above the track that the handles leave free, from left to right: three at most.
pub(super) fn free_parts(session: &Session, scale: &Scale, row: Rangef) -> impl Iterator<Item = Rangef> {
    let edges = session.range().into_iter().flat_map(|range| [range.from, range.to]);
    let edges = edges.filter(|secs| scale.sees(*secs)).map(|secs| scale.x(secs));
    let handles = edges.map(|x| Rangef::point(x).expand(HANDLE.x / 2.0 + AROUND));
    let end = std::iter::once(Rangef::point(row.max));
    let mut left = row.min;
    handles.chain(end).map(move |next| {
        let part = Rangef::new(left, next.min.min(row.max));
        left = left.max(next.max);
        part
    })
}

/// Lets the viewer drag its edges; the range that it becomes.
pub(super) fn handles(
    ui: &Ui,
    session: &Session,
    scale: &Scale,
    (top, bottom): (f32, f32),
) -> Option<TimelineRequest> {
    let range = session.range()?;
    let mut asked = None;
    for (name, secs, other) in [("start", range.from, range.to), ("end", range.to, range.from)] {
        // While it is dragged it is taken wherever the pointer leads it.
        let x = scale.x(secs);
        let rect = Rect::from_min_max(pos2(x - EDGE / 2.0, top), pos2(x + EDGE / 2.0, bottom));
        let id = ui.scope_id().with(("range", name));
        if !scale.sees(secs) {
            continue;
        }
        let edge = ui.interact(rect, id, Sense::drag()).on_hover_cursor(CursorIcon::ResizeHorizontal);
        let words = format!("Range {name}: {}", format::clock(secs));
        edge.widget_info(|| WidgetInfo::labeled(Role::Splitter, true, words.clone()));
        if let Some(at) = edge.interact_pointer_pos().filter(|_| edge.dragged()) {
            // It stops before the other edge.
            let at = scale.secs(at.x);
            let at = if name == "start" { at.min(other) } else { at.max(other) };
            asked = TimeRange::between(at, other).map(|range| TimelineRequest::Range(Some(range)));
        }
    }
    asked
}

/// What can be done with the range, in a row from right to left: its times too where there is room.
pub(super) fn buttons(ui: &mut Ui, session: &Session) -> Option<TimelineRequest> {
    let range = session.range()?;
    let mut asked = None;
    let close = IconButton::plain(Icon::Close, "Remove the range").sized(BUTTON);
    if ui.add(close).clicked() {
        asked = Some(TimelineRequest::Range(None));
    }
    for (icon, action, on) in
        [(Icon::Export, Action::Export, false), (Icon::Loop, Action::LoopRange, session.loops_range)]
    {
        let button = IconButton::new(icon, action).sized(BUTTON).selected(on);
        let button = match action {
            Action::Export => button.called(action, "Export the range"),
            _ => button,
        };
        if ui.add(button).clicked() {
            asked = Some(TimelineRequest::Action(action));
        }
    }
    let palette = Palette::of(ui.ctx());
    let words = range.words();
    let font = FontId::new(SMALL, semibold());
    let galley = ui.painter().layout_no_wrap(words.clone(), font, palette.accent);
    let said = format!("Range {words}, {}", format::span(range.secs()));
    if ui.available_width() > galley.size().x + 150.0 {
        let (rect, response) = ui.allocate_exact_size(galley.size() + vec2(6.0, 0.0), Sense::hover());
        ui.painter().galley(rect.left_top(), galley, palette.accent);
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, said.clone()));
        response.on_hover_text(said);
    }
    asked
}
