//! Lanes below the track: figures over the whole match, one thin row each.

use eframe::egui::{
    Align2, Color32, CursorIcon, FontId, Mesh, Painter, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo,
    pos2, vec2,
};
use grandstand_board::theme::{Palette, SMALL, mix};
use grandstand_story::evaluation;
use grandstand_story::format;
use grandstand_story::lanes::Lead;
use grandstand_story::plots::{PlotKind, Series};
use grandstand_story::sides::Side;
use grandstand_story::story;

use super::MARGIN;
use super::scale::Scale;
use crate::layout::{LANE, ScreenLayout};
use crate::session::{Lane, Session};

/// Goal from which a lead is one of many, such as of armies: the square root of its part keeps all but the largest ones visible.
const COUNTED_IN_TENS: i32 = 50;
/// Number of points up to which a lane is drawn from its series where bins of time are too coarse: beyond, no turn has a point of the
/// screen for itself.
const EXACT_MAX: usize = 8192;
/// Width of the window from which lanes have their names at the left, in points.
const ROOM_FOR_NAMES: f32 = 600.0;

/// The lanes that are shown. One whose figures come at the end only is the last, and empty until then.
pub(super) fn shown(layout: ScreenLayout, session: &Session) -> Vec<Lane> {
    let wanted = |lane: &Lane| session.lanes.has(*lane) && session.lanes_of_match.has(*lane);
    let mut lanes: Vec<Lane> = Lane::ALL.into_iter().filter(wanted).collect();
    lanes.sort_by_key(|lane| is_awaited(*lane, session));
    lanes.truncate(layout.lanes());
    lanes
}

fn is_awaited(lane: Lane, session: &Session) -> bool {
    lane == Lane::Evaluation && session.awaits_evaluations()
}

/// Shows the lanes one below the other; the time that is pointed at, in seconds, what the lane says of it, and whether the viewer goes
/// there.
pub(super) fn show(
    ui: &mut Ui,
    area: Rect,
    lanes: &[Lane],
    session: &Session,
    sides: &[Side],
    scale: &Scale,
) -> Option<(f64, String, bool)> {
    let palette = Palette::of(ui.ctx());
    let mut pointed_at = None;
    for (row, lane) in lanes.iter().enumerate().filter(|(_, lane)| !is_awaited(**lane, session)) {
        let top = area.top() + row as f32 * LANE;
        let rect = Rect::from_min_max(pos2(scale.left, top), pos2(scale.right(), top + LANE - 2.0));
        let response = ui.interact(rect, ui.scope_id().with(("lane", row)), Sense::click_and_drag());
        let now = session.secs();
        response.widget_info(|| {
            let words = said(*lane, session, sides, now, 0.0);
            WidgetInfo::labeled(Role::Figure, true, format!("{}: {words}", lane.name()))
        });
        let ground = mix(palette.panel, palette.raised, 0.7).gamma_multiply(0.7);
        ui.painter().rect_filled(rect, 2.0, ground);
        paint(ui, *lane, rect, session, sides, scale);
        let here = (session.seq(), now);
        if scale.sees_at(here) {
            ui.painter().vline(scale.x_of(here), rect.y_range(), Stroke::new(1.0, palette.accent));
        }
        if rect.left() - ui.max_rect().left() > 2.0 * MARGIN {
            name(ui, rect, lane.name(), palette);
        }
        let pointed = response.interact_pointer_pos().or(response.hover_pos());
        if let Some(at) = pointed.map(|at| scale.secs(at.x)) {
            let words =
                format!("{}: {}", lane.name(), said(*lane, session, sides, at, scale.secs_per_point(at)));
            pointed_at = Some((at, words, response.clicked() || response.dragged()));
            ui.painter().vline(scale.x(at), rect.y_range(), Stroke::new(1.0, palette.weak));
            response.on_hover_cursor(CursorIcon::PointingHand);
        }
    }
    pointed_at
}

/// Width of the column of lanes' names, in points; 0 in a window narrower than [`ROOM_FOR_NAMES`].
pub(super) fn names_width(painter: &Painter, shown: &[Lane], width: f32) -> f32 {
    if width < ROOM_FOR_NAMES {
        return 0.0;
    }
    let ink = Color32::WHITE;
    let wide = |lane: &Lane| painter.layout_no_wrap(lane.name().to_owned(), font(), ink).size().x;
    shown.iter().map(wide).fold(0.0, f32::max)
}

fn font() -> FontId {
    FontId::proportional(SMALL)
}

/// The name of a lane, at its left.
fn name(ui: &Ui, rect: Rect, name: &str, palette: &Palette) {
    let galley = ui.painter().layout_no_wrap(name.to_owned(), font(), palette.weak);
    let at = rect.left_center() - vec2(galley.size().x + 7.0, galley.size().y / 2.0);
    ui.painter().galley(at, galley, palette.weak);
}

/// Text of a lane at a time, from figures within `around` seconds of it.
fn said(lane: Lane, session: &Session, sides: &[Side], at: f64, around: f64) -> String {
    let records = session.events.findings();
    match lane {
        Lane::Score => {
            let Some(plot) = records.score_plot() else { return String::new() };
            let value = |side: &Side| {
                let series = plot.series.iter().find(|series| series.key == side.key);
                format!("{} {}", side.name, series.map_or(0, |series| series.at(at)))
            };
            sides.iter().map(value).collect::<Vec<_>>().join(", ")
        }
        Lane::Evaluation => {
            let bins = &records.lanes.evaluation;
            match bins.between(0.0, at) {
                Some(score) => {
                    let (own, side) = if score >= 0 {
                        (score, sides.first())
                    } else {
                        (score.saturating_neg(), sides.get(1))
                    };
                    let name = side.map_or("", |side| &side.name);
                    if own == 0 {
                        "even".to_owned()
                    } else {
                        format!("{name} {}", story(session.scene()).score_text(own))
                    }
                }
                None => "nothing said".to_owned(),
            }
        }
        Lane::Thinking => {
            let millis = records.lanes.thinking.between(at - around, at + around).0;
            let names = sides.iter().take(2).map(|side| side.name.as_str());
            let names: Vec<&str> = names.chain(["", ""]).take(2).chain([""]).collect();
            let times = millis.iter().zip(&names).filter(|(millis, _)| **millis > 0);
            let words: Vec<String> = times
                .map(|(millis, name)| {
                    format!("{name} {}", format::thinking(i32::try_from(*millis).unwrap_or(i32::MAX)))
                })
                .collect();
            if words.is_empty() { "nobody".to_owned() } else { words.join(", ").trim().to_owned() }
        }
        Lane::Activity => {
            let bins = &records.lanes.activity;
            let count = bins.between(at - around, at + around);
            let over = format::span(bins.secs() + 2.0 * around);
            format!("{} in {over}", format::count(count.into(), "command", "commands"))
        }
    }
}

/// Bars of a lane, collected in one mesh. A bar has a span of time, a colour, and a height from −1 to 1.
struct Bars<'a> {
    mesh: Mesh,
    rect: Rect,
    scale: &'a Scale,
    /// Where the shown moment is.
    here: f32,
    ground: Color32,
    /// Whether bars start at the middle and go up or down; otherwise they start at the lower edge.
    middle: bool,
    /// The last mixture: the colour, its strength, and the result.
    mixed: Option<(Color32, f32, Color32)>,
}

impl Bars<'_> {
    fn put(&mut self, from: f64, to: f64, height: f32, color: Color32) {
        let to = to.min(self.scale.end);
        if from < to && self.scale.sees_any(from, to) {
            let (left, right) = (self.scale.x(from), self.scale.x(to));
            self.put_between((left, right.max(left + 1.0)), height, color);
        }
    }

    /// A bar from one point of the track to another.
    fn put_between(&mut self, (left, right): (f32, f32), height: f32, color: Color32) {
        if height == 0.0 || left >= right {
            return;
        }
        // What is to come is weaker.
        if left < self.here && right > self.here + 1.0 {
            self.put_between((left, self.here), height, color);
            return self.put_between((self.here, right), height, color);
        }
        let (base, tall) = match self.middle {
            true => (self.rect.center().y, self.rect.height() / 2.0),
            false => (self.rect.bottom(), self.rect.height()),
        };
        // Every bar is at least one point high, so that it can be seen.
        let tall = (tall * height.abs().min(1.0)).max(1.0) * height.signum();
        let strength = if left >= self.here { 0.35 } else { 0.8 };
        let bar = Rect::from_two_pos(pos2(left, base), pos2(right, base - tall));
        // Neighbouring bars mostly have the same colour.
        let mixed = match self.mixed {
            Some((of, by, mixed)) if of == color && by == strength => mixed,
            _ => mix(self.ground, color, strength),
        };
        self.mixed = Some((color, strength, mixed));
        self.mesh.add_colored_rect(bar, mixed);
    }
}

fn paint(ui: &Ui, lane: Lane, rect: Rect, session: &Session, sides: &[Side], scale: &Scale) {
    let palette = Palette::of(ui.ctx());
    let lanes = &session.events.findings().lanes;
    let color = |side: usize| sides.get(side).map_or(palette.weak, |side| palette.side(side));
    let mut bars = Bars {
        mesh: Mesh::default(),
        rect,
        scale,
        here: scale.x_of((session.seq(), session.secs())),
        ground: palette.panel,
        middle: lane != Lane::Activity && sides.len() == 2,
        mixed: None,
    };
    let way = |side: usize| if side.is_multiple_of(2) || sides.len() != 2 { 1.0 } else { -1.0 };
    match lane {
        Lane::Score => {
            let most = lanes.score.all().iter().flatten().map(|lead| lead.by).max().unwrap_or(0).max(1);
            // A small lead looks small from the first points on.
            let goal = session.goal().unwrap_or(0);
            let most = most.max(goal / 4);
            let height = |by: i32| match by as f32 / most as f32 {
                part if goal >= COUNTED_IN_TENS => part.sqrt(),
                part => part,
            };
            let series = session.events.findings().score_plot().map_or(&[][..], |plot| &plot.series);
            let place = |series: &Series| sides.iter().position(|side| side.key == series.key);
            let places: Vec<Option<usize>> = series.iter().map(place).collect();
            let take = |ends: (f32, f32), Lead { side, by }: Lead| {
                let Some(side) = places.get(usize::from(side)).copied().flatten() else { return };
                bars.put_between(ends, way(side) * height(by), color(side));
            };
            match is_exact(series, scale) {
                false => held(lanes.score.all(), lanes.score.secs(), scale, take),
                true => {
                    let mut scores = vec![0; series.len()];
                    let lead = |index: usize, score: i32| {
                        scores[index] = score;
                        Lead::of(scores.iter().copied())
                    };
                    held_exactly(series, scale, lead, take);
                }
            }
        }
        Lane::Evaluation => {
            let unit = evaluation::scale_of(lanes.evaluation.all().iter().flatten().copied());
            let take = |ends: (f32, f32), score: i32| {
                let side = usize::from(score < 0);
                // The square root keeps small ones visible beside a win.
                bars.put_between(ends, way(side) * evaluation::height(score, unit).abs().sqrt(), color(side));
            };
            let plots = &session.events.findings().plots;
            match plots
                .iter()
                .find(|plot| plot.kind == PlotKind::Balance)
                .filter(|plot| is_exact(&plot.series, scale))
            {
                None => held(lanes.evaluation.all(), lanes.evaluation.secs(), scale, take),
                Some(plot) => held_exactly(&plot.series, scale, |_, score| score, take),
            }
        }
        Lane::Thinking => {
            let all = lanes.thinking.all();
            let most = all.iter().flat_map(|thinking| thinking.0).max().unwrap_or(0).max(1) as f32;
            for (index, thinking) in all.iter().enumerate() {
                let from = index as f64 * lanes.thinking.secs();
                for (who, millis) in thinking.0.into_iter().enumerate() {
                    // The square root keeps short times visible beside a long one.
                    let height = (millis as f32 / most).sqrt();
                    let color = if who < 2 { color(who) } else { palette.weak };
                    bars.put(from, from + lanes.thinking.secs(), way(who) * height, color);
                }
            }
        }
        Lane::Activity => {
            let all = lanes.activity.all();
            let most = all.iter().copied().max().unwrap_or(0).max(1) as f32;
            for (index, count) in all.iter().enumerate() {
                let from = index as f64 * lanes.activity.secs();
                bars.put(from, from + lanes.activity.secs(), (*count as f32 / most).sqrt(), palette.weak);
            }
        }
    }
    ui.painter().add(Shape::mesh(bars.mesh));
    if lane == Lane::Activity && session.events.findings().lanes.activity.is_empty() {
        let font = FontId::proportional(SMALL);
        ui.painter().text(rect.right_center(), Align2::RIGHT_CENTER, "nothing yet", font, palette.weak);
    }
}

/// Whether a lane is drawn from its series: turns that took no time share a bin.
fn is_exact(series: &[Series], scale: &Scale) -> bool {
    !scale.pace.is_even() && series.iter().map(|series| series.points.len()).sum::<usize>() <= EXACT_MAX
}

/// Calls `take` for each stretch of equal values, with its ends on the track; a bin without a value continues the last one.
fn held<T: Copy + PartialEq>(bins: &[Option<T>], secs: f64, scale: &Scale, take: impl FnMut((f32, f32), T)) {
    let known =
        bins.iter().enumerate().filter_map(|(index, bin)| Some((scale.x(index as f64 * secs), (*bin)?)));
    stretches(known, scale, take);
}

/// The same for what `value` makes of each point of some series: bins of time are too coarse for turns that took no time.
fn held_exactly<T: Copy + PartialEq>(
    series: &[Series],
    scale: &Scale,
    mut value: impl FnMut(usize, i32) -> T,
    take: impl FnMut((f32, f32), T),
) {
    let points = series
        .iter()
        .enumerate()
        .flat_map(|(index, series)| series.points.iter().map(move |point| (index, point)));
    let mut points: Vec<_> = points.collect();
    points.sort_by_key(|(_, point)| point.seq);
    let known = points
        .into_iter()
        .map(|(index, point)| (scale.x_of((point.seq, point.t.as_secs_f64())), value(index, point.value)));
    stretches(known, scale, take);
}

/// Stretches of equal values that begin at these points of the track.
fn stretches<T: Copy + PartialEq>(
    known: impl Iterator<Item = (f32, T)>,
    scale: &Scale,
    mut take: impl FnMut((f32, f32), T),
) {
    let mut now: Option<(f32, T)> = None;
    for (from, value) in known {
        match now {
            Some((_, same)) if same == value => {}
            _ => {
                if let Some((since, before)) = now.replace((from, value)) {
                    take((since, from), before);
                }
            }
        }
    }
    if let Some((since, value)) = now {
        take((since, scale.right()), value);
    }
}
