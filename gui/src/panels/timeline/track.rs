//! The track: the match from left to right, its moments, and the knob.

use eframe::egui::{
    Align2, Color32, CursorIcon, FontId, Painter, PointerButton, Pos2, Rangef, Rect, Response, Role, Sense,
    Shape, Stroke, Ui, Vec2, WidgetInfo, pos2, vec2,
};
use grandstand_board::text;
use grandstand_board::theme::{Palette, SMALL, mix, semibold};
use grandstand_protocol::Micros;
use grandstand_replays::Growth;
use grandstand_story::format;
use grandstand_story::markers::{Marker, Origin, kind};
use grandstand_story::sides::Side;

use super::axis::{self, AXIS};
use super::scale::Scale;
use super::{MARGIN, Timeline, TimelineRequest, range};
use crate::session::{Session, TimeRange};

/// Height of the row of labels above the track, in points.
pub(super) const FLAGS: f32 = 14.0;
/// Distance below which marks of one side are drawn as one, in points.
const NEAR: f32 = 6.0;
/// The same distance if one of them is a major event, whose sign is wider.
const NEAR_MAJOR: f32 = 8.0;
/// The same distance if both are.
const BOTH_MAJOR: f32 = 14.0;
/// Number of moments that a preview tells at most.
const TOLD: usize = 3;
/// Half of the size of the mark of the result, in points.
const FINISH: f32 = 5.5;
/// Distance of the knob's ring from it, in points.
const AROUND: f32 = 2.5;
/// How far a pointer moves at most that rests, in points.
const STILL: f32 = 3.0;
/// Size of the arrow to the picture for the pointer, in points.
const ARROW: Vec2 = vec2(28.0, 28.0);
/// Length of a cut label at most, in characters.
const LABEL: usize = 60;
/// Room below which a label that doesn't fit is left out, in points; a shorter remainder couldn't be read.
const LABEL_ROOM: f32 = 84.0;

impl Timeline {
    /// Shows the track, where there is room with a row for labels above it and the axis below it, and the lines through the `rows` of the
    /// lanes. `top` is where the picture of a moment ends that is pointed at.
    pub(super) fn show_track(
        &mut self,
        ui: &mut Ui,
        (area, rows): (Rect, Rect),
        session: &Session,
        sides: &[Side],
        scale: &Scale,
        (with_labels, top): (bool, f32),
    ) -> Option<TimelineRequest> {
        let palette = Palette::of(ui.ctx());
        let axis = if with_labels { AXIS } else { 0.0 };
        let flags_row = if with_labels { FLAGS } else { 0.0 };
        let y = (area.top() + flags_row + area.bottom() - axis) / 2.0;
        // The axis is for what is seen, and pressed like the track.
        let response = ui.interact(area, ui.scope_id().with("timeline"), Sense::click_and_drag());
        let shown = session.secs();
        response.widget_info(|| WidgetInfo::slider(true, shown, "Timeline"));
        let (left, right) = (scale.left, scale.right());
        let bar =
            |from: f32, to: f32, half: f32| Rect::from_min_max(pos2(from, y - half), pos2(to, y + half));
        let hot = response.hovered() || response.dragged() || response.has_focus();
        let half = if hot { 3.0 } else { 2.0 };
        range::paint(ui.painter(), session, scale, (area, rows));
        let painter = ui.painter();
        painter.rect_filled(bar(left, right, half), half, palette.line);
        let here = (session.seq(), shown);
        painter.rect_filled(bar(left, scale.x_of(here), half), half, palette.accent);
        self.edges(ui, scale, y, session);
        let painter = ui.painter();
        idle(painter, session, palette, scale, y, half);
        if session.log().growth() == Growth::Loading {
            // The known part is as long as it is; how much is still to come shows as a stripe.
            let stripe = bar(left, left + scale.width * session.loaded, 1.0);
            painter.rect_filled(stripe.translate(vec2(0.0, 8.0)), 1.0, palette.weak);
        }
        let result = session.result_marker(sides).filter(|marker| scale.sees_at(at_of(marker)));
        let finish = result.map(|marker| (scale.x_of(at_of(&marker)), marker));
        ticks(painter, session, sides, palette, scale, (y, finish.as_ref().map(|(x, _)| *x)));
        prints(painter, session, palette, scale, y);
        if with_labels {
            let axis = Rect::from_min_max(pos2(area.left(), area.bottom() - AXIS), area.max);
            // Where the lanes have their names before them, the axis has its own.
            let named = area.left() - ui.max_rect().left() > 2.0 * MARGIN && rows.height() > 0.0;
            axis::paint(painter, axis, session, scale, named);
            if named {
                axis::paint_name(painter, pos2(left - 7.0, axis.top() + 3.5), session, palette.weak);
            }
        }
        let knob = scale.sees_at(here).then(|| pos2(scale.x_of(here), y));
        // At the end the knob is a ring around the mark of the result.
        let is_around = knob.zip(finish.as_ref()).is_some_and(|(knob, (x, _))| (knob.x - x).abs() < NEAR);
        if let Some(knob) = knob {
            let wider = if is_around { AROUND } else { 0.0 };
            painter.circle_filled(knob, wider + if hot { 8.0 } else { 6.5 }, palette.panel);
            match is_around {
                true => drop(painter.circle_stroke(
                    knob,
                    FINISH + AROUND,
                    Stroke::new(if hot { 3.0 } else { 2.0 }, palette.accent),
                )),
                false => drop(painter.circle_filled(knob, if hot { 6.5 } else { 5.0 }, palette.accent)),
            }
            if response.has_focus() {
                painter.circle_stroke(knob, wider + 10.0, Stroke::new(1.5, palette.accent));
            }
        }
        if let Some((x, marker)) = &finish {
            paint_finish(painter, session, sides, palette, (pos2(*x, y), marker));
        }
        let asked = self.take_pointer(ui, &response, (session, sides), scale);
        let flags_top = if with_labels { area.top() } else { y - 16.0 };
        let (flag, on_flag) = flags(ui, session, sides, scale, (flags_top, y), with_labels);
        let pointed = response.interact_pointer_pos().or(response.hover_pos());
        if let Some((at, x)) = on_flag {
            // The label of a moment leads there, wherever on it the pointer is.
            self.scrub_to(ui, session, sides, (at, pos2(x, top)), scale, None);
        } else if let Some(pointer) = pointed {
            let at = scale.secs(pointer.x);
            let x = pointer.x.clamp(left, right);
            ui.painter().vline(x, y - 9.0..=y + 9.0, Stroke::new(1.0, palette.weak));
            if response.clicked() || response.drag_stopped() {
                self.answered = Some(pointer);
            } else if self.answered.is_some_and(|at| at.distance(pointer) > STILL) {
                self.answered = None;
            }
            if self.answered.is_none() {
                // The board itself follows the drag of the shown moment.
                self.scrub.words_only = response.dragged() && self.picking.is_none();
                self.scrub_to(ui, session, sides, (at, pos2(x, top)), scale, None);
                self.scrub.words_only = false;
            }
            response.on_hover_cursor(CursorIcon::PointingHand);
        }
        self.way_back(ui, scale, y, session);
        // After the marks, so that a handle on one of them gets the pointer.
        let in_range = range::handles(ui, session, scale, (area.top(), rows.bottom().max(area.bottom())));
        flag.map(TimelineRequest::Seq).or(in_range).or(asked)
    }

    /// What a press, a drag or, with Shift, a range asks for.
    fn take_pointer(
        &mut self,
        ui: &Ui,
        response: &Response,
        (session, sides): (&Session, &[Side]),
        scale: &Scale,
    ) -> Option<TimelineRequest> {
        let (shift, pinches) = ui.input(|input| (input.modifiers.shift, input.multi_touch().is_some()));
        if pinches {
            self.picking = None;
            return None;
        }
        // The other buttons move what is seen.
        if response.dragged_by(PointerButton::Middle) || response.dragged_by(PointerButton::Secondary) {
            let by = -f64::from(response.drag_delta().x) * scale.per_point();
            self.window = self.window.map(|window| window.moved(by, scale.end));
            return None;
        }
        let at = scale.secs(response.interact_pointer_pos()?.x);
        if response.drag_started() && shift {
            let pressed = ui.input(|input| input.pointer.press_origin());
            self.picking = Some(pressed.map_or(at, |pressed| scale.secs(pressed.x)));
        }
        match self.picking {
            Some(from) => {
                if response.drag_stopped() {
                    self.picking = None;
                }
                let range = TimeRange::between(from, at);
                (range != session.range()).then_some(TimelineRequest::Range(range))
            }
            None => {
                let x = response.interact_pointer_pos()?.x;
                // A click on a mark leads to its moment.
                let marked = near(session, scale, x).into_iter().filter(|_| response.clicked());
                let far = |marker: &Marker| (scale.x_of(at_of(marker)) - x).abs();
                let marked =
                    marked.min_by(|a, b| far(a).total_cmp(&far(b))).map(|marker| session.whole(marker));
                // The mark of the result hides all others there.
                let end = end_at(session, sides, scale, x).filter(|_| response.clicked());
                let sought = end.or(marked).or_else(|| turn_at(session, scale, x));
                let request = sought.map_or(TimelineRequest::Secs(at), TimelineRequest::Seq);
                (response.clicked() || response.dragged()).then_some(request)
            }
        }
    }

    /// At the ends of what is seen: how it goes on, and of a live match where the present is.
    fn edges(&self, ui: &Ui, scale: &Scale, y: f32, session: &Session) {
        let palette = Palette::of(ui.ctx());
        let painter = ui.painter();
        let more = |x: f32, way: f32| {
            for n in 1..4 {
                painter.circle_filled(pos2(x + way * (2.0 + 4.0 * n as f32), y), 1.2, palette.weak);
            }
        };
        if scale.window.from > 0.0 {
            more(scale.left, -1.0);
        }
        if scale.window.to < scale.end {
            more(scale.right(), 1.0);
        } else if session.is_live() && !session.is_following() {
            painter.circle_filled(pos2(scale.right(), y), 4.0, palette.live);
        }
    }

    /// An arrow at the end of what is seen, beyond which the picture is; a press brings it into view.
    fn way_back(&mut self, ui: &Ui, scale: &Scale, y: f32, session: &Session) {
        let shown = session.secs();
        if scale.sees(shown) {
            return;
        }
        let place = scale.pace.place_of(session.seq(), shown);
        let (x, way) = if place < scale.window.from { (scale.left, -1.0) } else { (scale.right(), 1.0) };
        let rect = Rect::from_center_size(pos2(x, y), ARROW);
        let response = ui.interact(rect, ui.scope_id().with("way back"), Sense::click());
        let words = format!("Show the current moment, {}", format::clock(shown));
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &words));
        let palette = Palette::of(ui.ctx());
        let lit = response.hovered() || response.has_focus();
        ui.painter().circle_filled(rect.center(), 10.0, if lit { palette.text } else { palette.accent });
        let tip = rect.center() + vec2(5.0 * way, 0.0);
        let base = rect.center().x - 3.0 * way;
        let arrow = vec![tip, pos2(base, y - 5.0), pos2(base, y + 5.0)];
        ui.painter().add(Shape::convex_polygon(arrow, palette.panel, Stroke::NONE));
        let response = response.on_hover_cursor(CursorIcon::PointingHand).on_hover_text(words);
        if response.clicked() {
            let off = place - (scale.window.from + scale.window.to) / 2.0;
            self.window = self.window.map(|window| window.moved(off, scale.end));
            ui.ctx().request_repaint();
        }
    }

    /// Shows the moment at a time, with its lower edge there; `words` say something more of it.
    pub(super) fn scrub_to(
        &mut self,
        ui: &Ui,
        session: &Session,
        sides: &[Side],
        (secs, at): (f64, Pos2),
        scale: &Scale,
        words: Option<String>,
    ) {
        let near = near(session, scale, at.x);
        // The picture has what is told.
        let end = end_at(session, sides, scale, at.x);
        let marked = near.iter().map(|marker| session.whole(marker)).chain(end).max();
        let sought = marked.or_else(|| turn_at(session, scale, at.x));
        let seq =
            sought.unwrap_or_else(|| session.log().seq_at(Micros::from_secs_f64(secs).unwrap_or_default()));
        let secs = sought.map_or(secs, |seq| session.log().time_of(seq).as_secs_f64());
        let mut lines = told(session, sides, (seq, secs), &near);
        // What the lane says comes first.
        lines.splice(1..1, words);
        self.scrub.show(ui, session, sides, (seq, at), &lines);
    }
}

/// Skipped stretches: dots in place of the line.
fn idle(painter: &Painter, session: &Session, palette: &Palette, scale: &Scale, y: f32, half: f32) {
    let Some(idle_max) = session.playback.idle_max() else { return };
    for (from, to) in session.events.findings().lanes.idle(idle_max.as_secs_f64() + 0.1) {
        let (from, to) = (scale.x(from), scale.x(to));
        if to - from < 5.0 {
            continue;
        }
        let gap = Rect::from_min_max(pos2(from + 1.0, y - half), pos2(to - 1.0, y + half));
        painter.rect_filled(gap, 0.0, palette.panel);
        let dots = ((to - from - 2.0) / 4.0) as u32;
        for dot in 0..dots {
            painter.circle_filled(pos2(from + 3.0 + 4.0 * dot as f32, y), 1.0, palette.weak);
        }
    }
}

/// Prints of the program panel: thin lines, at most one a point.
fn prints(painter: &Painter, session: &Session, palette: &Palette, scale: &Scale, y: f32) {
    let mut last = f32::NEG_INFINITY;
    for seq in &session.printed {
        let secs = session.log().time_of(*seq).as_secs_f64();
        let x = scale.x(secs);
        if scale.sees(secs) && x - last >= 1.0 {
            painter.vline(x, y - 7.0..=y + 7.0, Stroke::new(1.0, palette.good));
            last = x;
        }
    }
}

/// Marks that are drawn as one.
struct Cluster {
    x: f32,
    count: u32,
    /// Number of its major events.
    majors: u32,
    clock: bool,
    /// Whether one of them is a mistake that a review found, and whether one of these is a blunder.
    mistake: Option<bool>,
    color: Color32,
}

/// The command and the time of a marker.
fn at_of(marker: &Marker) -> (u64, f64) {
    (marker.seq, marker.t.as_secs_f64())
}

/// Moments along the track: above it those of the first team, below it those of the second, across it all others. The mark of the
/// result, at `finish`, hides those that came with it.
fn ticks(
    painter: &Painter,
    session: &Session,
    sides: &[Side],
    palette: &Palette,
    scale: &Scale,
    (y, finish): (f32, Option<f32>),
) {
    let shown = session.secs();
    let cast = session.events.findings().markers.cast(sides);
    let mut open: [Option<Cluster>; 3] = [None, None, None];
    for marker in session.visible_markers() {
        if matches!(marker.origin, Origin::Server | Origin::Viewer) {
            continue;
        }
        let side = cast.side(marker);
        let row = side.map_or(2, |(place, _)| place % 2);
        let secs = marker.t.as_secs_f64();
        if !scale.sees_at(at_of(marker)) {
            continue;
        }
        let x = scale.x_of(at_of(marker));
        // What a review found is news, the result says the rest.
        if marker.origin != Origin::Engine && finish.is_some_and(|finish| (finish - x).abs() < NEAR) {
            continue;
        }
        let mistake = (marker.origin == Origin::Engine).then_some(marker.major);
        let color = || {
            // Mistakes as in the list of moves.
            let color = match (mistake, side) {
                (Some(true), _) => palette.error,
                (Some(false), _) => palette.warning,
                (None, Some((_, side))) => palette.side(side),
                (None, None) if marker.origin == Origin::Line => palette.warning,
                (None, None) => palette.weak,
            };
            if secs > shown { mix(palette.panel, color, 0.55) } else { color }
        };
        if let Some(cluster) = &mut open[row] {
            let near = match (cluster.majors > 0, marker.major) {
                (true, true) => BOTH_MAJOR,
                (false, false) => NEAR,
                _ => NEAR_MAJOR,
            };
            if x - cluster.x < near {
                cluster.count += 1;
                if marker.major && cluster.majors == 0 {
                    // The sign of a major event stands at its own time.
                    cluster.x = x;
                }
                cluster.majors += u32::from(marker.major);
                if mistake > cluster.mistake {
                    (cluster.mistake, cluster.color) = (mistake, color());
                }
                continue;
            }
        }
        let clock = session.events.findings().markers.kind(marker) == kind::LONG_THINK;
        let next = Cluster { x, count: 1, majors: u32::from(marker.major), clock, mistake, color: color() };
        if let Some(done) = open[row].replace(next) {
            tick(painter, &done, row, y);
        }
    }
    for (row, cluster) in open.iter().enumerate() {
        cluster.iter().for_each(|cluster| tick(painter, cluster, row, y));
    }
}

fn tick(painter: &Painter, cluster: &Cluster, row: usize, y: f32) {
    let Cluster { x, count, majors, clock, mistake, color } = *cluster;
    if row == 2 {
        let half = if clock { 3.0 } else { 5.0 };
        painter.vline(x, y - half..=y + half, Stroke::new(if count > 1 { 2.5 } else { 1.5 }, color));
        return;
    }
    let way = if row == 0 { -1.0 } else { 1.0 };
    let tip = pos2(x, y + 5.0 * way);
    if let Some(is_blunder) = mistake {
        let sign = if is_blunder { "??" } else { "?" };
        painter.text(
            tip + vec2(0.0, 6.0 * way),
            Align2::CENTER_CENTER,
            sign,
            FontId::new(SMALL, semibold()),
            color,
        );
    } else if majors > 0 {
        let base = tip.y + 8.0 * way;
        if majors > 1 {
            // Several: a bar on the base.
            painter.hline(x - 4.5..=x + 4.5, base + 2.5 * way, Stroke::new(1.6, color));
        }
        let triangle = vec![tip, pos2(x + 4.5, base), pos2(x - 4.5, base)];
        if row == 0 {
            painter.add(Shape::convex_polygon(triangle, color, Stroke::NONE));
        } else {
            painter.add(Shape::closed_line(triangle, Stroke::new(1.6, color)));
        }
    } else if clock && count == 1 {
        painter.circle_stroke(tip + vec2(0.0, 3.0 * way), 2.5, Stroke::new(1.5, color));
    } else {
        // Minor marks: the length grows with the logarithm of their number.
        let end = tip.y + (4.0 + (count as f32).log2().min(4.0)) * way;
        painter.vline(x, tip.y.min(end)..=tip.y.max(end), Stroke::new(2.0, color));
    }
}

/// The result, at the end of the match: a diamond in the colour of the winner, and an empty one without a winner.
fn paint_finish(
    painter: &Painter,
    session: &Session,
    sides: &[Side],
    palette: &Palette,
    (at, marker): (Pos2, &Marker),
) {
    let winner =
        session.events.findings().markers.cast(sides).side(marker).map(|(_, side)| palette.side(side));
    let diamond = |half: f32| {
        let corners = [vec2(0.0, -half), vec2(half, 0.0), vec2(0.0, half), vec2(-half, 0.0)];
        corners.map(|corner| at + corner).to_vec()
    };
    painter.add(Shape::convex_polygon(diamond(FINISH + 2.5), palette.panel, Stroke::NONE));
    let fill = winner.unwrap_or(palette.panel);
    painter.add(Shape::convex_polygon(
        diamond(FINISH),
        fill,
        Stroke::new(1.5, winner.unwrap_or(palette.weak)),
    ));
}

/// Marks of the game server and the viewer's bookmarks: a flag each, with a label where there is room beside the handles of the
/// range. Returns the command of the label that was clicked, and the time and the place of the one that is pointed at.
fn flags(
    ui: &Ui,
    session: &Session,
    sides: &[Side],
    scale: &Scale,
    (top, y): (f32, f32),
    with_labels: bool,
) -> (Option<u64>, Option<(f64, f32)>) {
    let palette = Palette::of(ui.ctx());
    let cast = session.events.findings().markers.cast(sides);
    let mut flags: Vec<(f32, &Marker)> = Vec::new();
    let mut last = [f32::NEG_INFINITY; 2];
    for marker in session.visible_markers() {
        let list = match marker.origin {
            Origin::Server => 0,
            Origin::Viewer => 1,
            _ => continue,
        };
        let x = scale.x_of(at_of(marker));
        if scale.sees_at(at_of(marker)) && x - last[list] >= NEAR {
            last[list] = x;
            flags.push((x, marker));
        }
    }
    flags.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut asked, mut pointed) = (None, None);
    let ends = flags.iter().skip(1).map(|(x, _)| x - 3.0).chain([scale.right() + 14.0]);
    for ((x, marker), end) in flags.iter().zip(ends) {
        let (x, marker) = (*x, *marker);
        let side = cast.side(marker).map(|(_, side)| side);
        let color = match (marker.origin, side) {
            (Origin::Viewer, _) => palette.accent,
            (_, Some(side)) => palette.side(side),
            (_, None) => palette.text,
        };
        let color =
            if marker.t.as_secs_f64() > session.secs() { mix(palette.panel, color, 0.6) } else { color };
        let painter = ui.painter();
        painter.vline(x, top + 2.0..=y - 3.0, Stroke::new(1.2, color));
        let flag = match marker.origin {
            // A bookmark has a notch at the bottom; a server's mark is a pennant.
            Origin::Viewer => vec![
                pos2(x, top + 2.0),
                pos2(x + 7.0, top + 2.0),
                pos2(x + 7.0, top + 11.0),
                pos2(x + 3.5, top + 8.0),
                pos2(x, top + 11.0),
            ],
            _ => vec![pos2(x, top + 2.0), pos2(x + 8.0, top + 6.0), pos2(x, top + 10.0)],
        };
        painter.add(Shape::Path(eframe::egui::epaint::PathShape {
            points: flag,
            closed: true,
            fill: Color32::TRANSPARENT,
            stroke: Stroke::new(1.5, color).into(),
        }));
        if !with_labels {
            continue;
        }
        let words = match marker.origin {
            Origin::Viewer => marker.words(&cast),
            _ => format::capitalised(&marker.words(&cast)),
        };
        let font = FontId::proportional(SMALL);
        let parts = || range::free_parts(session, scale, Rangef::new(x + 11.0, end));
        let whole = |text: String| {
            let galley = painter.layout_no_wrap(text, font.clone(), palette.text);
            let part = parts().find(|part| galley.size().x <= part.span())?;
            Some((galley, part.min))
        };
        // In little room the game server's word for such moments, which says more than a part of the words.
        let kind = session.events.findings().markers.kind(marker);
        let kind = Some(kind).filter(|kind| marker.origin == Origin::Server && *kind != kind::MARKER);
        let label = whole(words.clone()).or_else(|| match kind {
            Some(kind) => whole(format::capitalised(&kind.replace('-', " "))),
            None => parts().find(|part| part.span() >= LABEL_ROOM).map(|part| {
                let label: String = words.chars().take(LABEL).collect();
                let galley = text::fitted(painter, &label, font.clone(), palette.text, part.span());
                (galley, part.min)
            }),
        });
        let Some((galley, left)) = label else { continue };
        let rect = Rect::from_min_max(pos2(x - 1.0, top), pos2(left + 1.0 + galley.size().x, top + FLAGS));
        let response = ui.interact(rect, ui.scope_id().with(("flag", marker.seq)), Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Go to: {words}")));
        let ink = if response.hovered() || response.has_focus() { palette.accent } else { palette.weak };
        ui.painter().galley_with_override_text_color(
            pos2(left, top + (FLAGS - galley.size().y) / 2.0),
            galley,
            ink,
        );
        if response.hovered() {
            pointed = Some((marker.t.as_secs_f64(), x));
        }
        if response.on_hover_cursor(CursorIcon::PointingHand).clicked() {
            asked = Some(session.whole(marker));
        }
    }
    (asked, pointed)
}

/// The moments that a pointer at a point of the track is at.
fn near<'a>(session: &'a Session, scale: &Scale, x: f32) -> Vec<&'a Marker> {
    session.visible_markers().filter(|marker| scale.is_near(at_of(marker), x)).collect()
}

/// The last command, where a point of the track is at the mark of the result.
fn end_at(session: &Session, sides: &[Side], scale: &Scale, x: f32) -> Option<u64> {
    session.result_marker(sides).filter(|marker| scale.is_near(at_of(marker), x)).map(|marker| marker.seq)
}

/// The command that completes the turn at a point of the track, where its time does not tell it from others.
fn turn_at(session: &Session, scale: &Scale, x: f32) -> Option<u64> {
    let made = scale.turn_at(x)?;
    Some(session.end_of((made, session.log().time_of(made))))
}

/// A moment in words: its turn and its time, what happened near it, and its line. What happened in another turn has that before it.
fn told(session: &Session, sides: &[Side], (seq, secs): (u64, f64), near: &[&Marker]) -> Vec<String> {
    let turn = session.turn_words_at(seq);
    let title = turn.as_ref().map(|turn| format!("{turn} · ")).unwrap_or_default();
    let mut lines = vec![format!("{title}{}", format::clock(secs))];
    let cast = session.events.findings().markers.cast(sides);
    let mut more = 0;
    // At the end the result comes first: what came with it may be more than has room.
    let result = session.result_marker(sides).filter(|marker| marker.seq <= seq);
    let markers = &session.events.findings().markers;
    // It tells which row won.
    let rest = near.iter().filter(|marker| result.is_none() || markers.kind(marker) != kind::ROW);
    for marker in result.iter().chain(rest.copied()) {
        if lines.len() > TOLD {
            more += 1;
            continue;
        }
        let words = match marker.origin {
            // They begin with what a viewer has written, or a name.
            Origin::Viewer | Origin::Result => marker.words(&cast),
            _ => format::capitalised(&marker.words(&cast)),
        };
        let own = session.turn_words_at(session.whole(marker)).filter(|own| Some(own) != turn.as_ref());
        lines.push(own.map_or_else(|| words.clone(), |own| format!("{own}: {words}")));
    }
    if more > 0 {
        lines.push(format!("and {} more", format::number(more)));
    }
    lines.push(format!("Line {}", format::number(seq)));
    lines
}

/// The empty timeline of a match that has not begun.
pub(crate) fn show_empty(ui: &Ui, area: Rect) {
    let palette = Palette::of(ui.ctx());
    // A low screen gives the bar little more height than the track.
    let y = area.top() + super::TRACK.min(area.height() * 0.6) / 2.0;
    ui.painter().hline(area.x_range().shrink(super::MARGIN), y, Stroke::new(4.0, palette.line));
}
