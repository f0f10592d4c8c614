//! Plots of figures: over the match as steps, where a click seeks; and figures of the shown moment as bars.

pub(super) mod axes;
mod line;
mod move_axis;
mod turns;

use self::axes::{Axis, Pointed, TimeAxis, What};

use eframe::egui::{Align2, FontId, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};
use grandstand_board::badge::team_badge;
use grandstand_board::theme::{Palette, SMALL, mix};
use grandstand_story::format;
use grandstand_story::plots::{Plot, PlotKind, Series};
use grandstand_story::sides::Side;
use grandstand_story::story;

use super::timeline::TimelineRequest;
use crate::session::Session;

pub(crate) use turns::Moves;
pub(super) use turns::{amount, labelled};

/// Length of the set-up on the axis at most, in points: robots that appear one after the other are no changes.
const SET_UP: f32 = 0.9;
/// Height of the legend above a plot, in points.
const LEGEND: f32 = 26.0;
/// The room for the numbers before a plot at least, in points.
const LEFT: f32 = 36.0;
/// Distance of the number of a line from that of the goal at least, in points.
const NUMBERS_APART: f32 = 18.0;
/// Height of a row of bars, in points.
const ROW: f32 = 22.0;

/// Shows the plot; `moves` are those of the match, and `height` holds for all but bars. Returns where a click goes.
pub(crate) fn show(
    ui: &mut Ui,
    session: &Session,
    (plot, moves): (&Plot, Option<&Moves>),
    sides: &[Side],
    height: f32,
) -> Option<TimelineRequest> {
    match plot.kind {
        PlotKind::Steps => show_steps(ui, session, (plot, moves), sides, height),
        PlotKind::Bars(rows) => {
            show_bars(ui, session, plot, rows, sides);
            None
        }
        PlotKind::Moves => turns::show_moves(ui, session, (plot, moves?), sides, height),
        PlotKind::Balance => turns::show_balance(ui, session, (plot, moves?), sides, height),
    }
}

fn show_steps(
    ui: &mut Ui,
    session: &Session,
    (plot, moves): (&Plot, Option<&Moves>),
    sides: &[Side],
    height: f32,
) -> Option<TimelineRequest> {
    let palette = Palette::of(ui.ctx());
    let size = vec2(ui.available_width(), height);
    let (outer, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Figure, true, label(session, plot, sides)));
    if !ui.is_rect_visible(outer) {
        return None;
    }
    ui.painter().rect_filled(outer, 8.0, palette.raised);
    let inner = Rect::from_min_max(outer.min + vec2(LEFT, LEGEND), outer.max - vec2(14.0, axes::BELOW + 3.0));
    let goal = session.goal().filter(|_| plot.wins).unwrap_or(0);
    let now = sides.iter().map(|side| value_now(session, plot, side)).max().unwrap_or(0);
    let top = plot.highest().max(now).max(goal).max(2);
    let every = grid_step(top, inner.height());
    // The highest line has a number: that of the goal, if nobody has more.
    let top = if top == goal { goal } else { top.saturating_add(every - 1) / every * every };
    let is_apart = |value: &i32| {
        let below = inner.height() * (top - value) as f32 / top as f32;
        *value == goal || below >= NUMBERS_APART || top != goal
    };
    let values = || (0..top).step_by(every as usize).chain([top]).filter(is_apart);
    let number = |value: i32| format::number(value.max(0) as u64);
    let inner = inner.with_min_x(outer.left() + axes::left(ui.painter(), values().map(number)));
    let axis = match moves {
        Some(moves) => Axis::Moves(moves.axis(inner)),
        None => Axis::Time(TimeAxis::new(inner, session.end_secs())),
    };
    let pointed = axis.pointed(&response);
    let legend =
        Rect::from_x_y_ranges(outer.left() + 10.0..=outer.right() - 8.0, outer.top()..=inner.top() - 4.0);
    // The values at the pointer, or at the shown moment.
    let told = |side: &Side| match pointed {
        Some(at) => value_at(plot, side, at),
        None => value_now(session, plot, side),
    };
    line::legend_row(ui, legend, (session, sides), |side| format::number(told(side).max(0) as u64));
    let y = |value: i32| inner.bottom() - inner.height() * (value.max(0) as f32 / top as f32);
    for value in values() {
        axes::value_line(ui.painter(), palette, inner, y(value), &number(value));
    }
    if goal > 0 {
        let ends = [pos2(inner.left(), y(goal)), pos2(inner.right(), y(goal))];
        ui.painter().extend(Shape::dashed_line(&ends, Stroke::new(1.0, palette.weak), 3.0, 4.0));
    }
    axis.paint(ui.painter(), palette, pointed);
    let here = axis.x((session.seq(), session.secs()));
    for (index, series) in plot.series.iter().enumerate() {
        let Some(number) = sides.iter().position(|side| side.key == series.key) else { continue };
        let side = &sides[number];
        // Lines of equal values lie beside each other, none below that of zero.
        let shift = if sides.len() == 2 { [-1.6, 0.0][index.min(1)] } else { 0.0 };
        let corners: Vec<Corner> =
            series.points.iter().map(|point| (axis.x_of_change(point), point.value)).collect();
        let known = series.points.partition_point(|point| point.seq <= session.seq());
        let now = (here, value_now(session, plot, side));
        let (past, future) = steps(corners.split_at(known), now, axis.ends());
        let path = |steps: &[Corner]| -> Vec<Pos2> {
            seen(steps.iter().map(|(x, value)| pos2(*x, y(*value) + shift)).collect())
        };
        let accent = palette.side(side);
        let pale = Stroke::new(1.2, mix(palette.raised, accent, 0.35));
        ui.painter().extend(line::shapes(&path(&future), pale, number));
        ui.painter().extend(line::shapes(&path(&past), Stroke::new(2.2, accent), number));
        if let Some((_, value)) = past.last() {
            // Badges of equal values, too.
            let mut others = sides.iter().filter(|other| other.key != side.key);
            let is_equal = others.any(|other| value_now(session, plot, other) == *value);
            let apart = if is_equal { shift * 3.0 } else { 0.0 };
            team_badge(ui, side, pos2(here, y(*value) + apart), 5.0);
        }
    }
    ui.painter().vline(here, inner.y_range().expand(4.0), Stroke::new(1.0, palette.weak));
    let at = pointed?;
    axis.paint_pointed(ui.painter(), palette, at, outer);
    for side in sides {
        let place = pos2(at.x, y(value_at(plot, side, at)));
        ui.painter().circle(place, 3.5, palette.side(side), Stroke::new(1.5, palette.raised));
    }
    if !(response.clicked() || response.dragged()) {
        return None;
    }
    match at.what {
        What::Secs(secs) => Some(TimelineRequest::Secs(secs)),
        What::Move { index, .. } => moves?.request(session, index),
    }
}

/// The series of a side.
fn series_of<'a>(plot: &'a Plot, side: &Side) -> Option<&'a Series> {
    plot.series.iter().find(|series| series.key == side.key)
}

/// The value of a side at a place of the axis.
fn value_at(plot: &Plot, side: &Side, at: Pointed) -> i32 {
    let Some(series) = series_of(plot, side) else { return 0 };
    match at.what {
        What::Secs(secs) => series.at(secs),
        What::Move { end_seq, .. } => series.until(end_seq).map_or(0, |point| point.value),
    }
}

/// The value of a side at the shown moment. It is that of the picture: the events of the commands at its end are found
/// only when no more of them can come, and several commands may have the same time.
fn value_now(session: &Session, plot: &Plot, side: &Side) -> i32 {
    let index = session.events.findings().plots.iter().position(|other| std::ptr::eq(other, plot));
    let figure = index.and_then(|index| story(session.scene()).figure(index, &side.key));
    figure.unwrap_or_else(|| series_of(plot, side).map_or(0, |series| series.at(session.secs())))
}

fn label(session: &Session, plot: &Plot, sides: &[Side]) -> String {
    let value = |side: &Side| value_now(session, plot, side);
    let values: Vec<String> = sides.iter().map(|side| format!("{} {}", side.name, value(side))).collect();
    let over = if story(session.scene()).turns().is_some() { "the moves" } else { "time" };
    format!("{} over {over}: {}", plot.title, values.join(", "))
}

/// Distance between grid lines, in units of the score, so that they are not crowded.
pub(super) fn grid_step(top: i32, height: f32) -> i32 {
    let fits = (height / 22.0).max(1.0);
    let least = (top as f32 / fits).ceil().max(1.0) as i32;
    let steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
    steps.into_iter().find(|step| *step >= least).unwrap_or(least)
}

/// Figures of the shown moment: bars to the left for the first team, to the right for the second.
fn show_bars(ui: &mut Ui, session: &Session, plot: &Plot, rows: &[&str], sides: &[Side]) {
    let palette = Palette::of(ui.ctx());
    let [left, right] = sides else { return };
    let size = vec2(ui.available_width(), ROW * rows.len() as f32 + 12.0);
    let (outer, response) = ui.allocate_exact_size(size, Sense::hover());
    let secs = session.secs();
    let figure = |side: &Side, row: &str| {
        let series = plot.series.iter().find(|series| series.key == side.key && series.row == row);
        series.map_or(0, |series| series.at(secs))
    };
    let words: Vec<String> = rows
        .iter()
        .map(|row| {
            format!("{row}: {} {}, {} {}", left.name, figure(left, row), right.name, figure(right, row))
        })
        .collect();
    response.widget_info(|| {
        WidgetInfo::labeled(Role::Figure, true, format!("{}: {}", plot.title, words.join("; ")))
    });
    if !ui.is_rect_visible(outer) {
        return;
    }
    let painter = ui.painter();
    painter.rect_filled(outer, 8.0, palette.raised);
    let font = FontId::proportional(SMALL);
    let most = rows.iter().flat_map(|row| [figure(left, row), figure(right, row)]).max().unwrap_or(0).max(1);
    let middle = 62.0;
    // The longest bar leaves room for its number and the badge.
    let room = ((outer.width() - middle) / 2.0 - 76.0).max(8.0);
    for (index, row) in rows.iter().enumerate() {
        let y = outer.top() + 6.0 + ROW * (index as f32 + 0.5);
        let center = pos2(outer.center().x, y);
        painter.text(center, Align2::CENTER_CENTER, row, font.clone(), palette.text);
        for (side, way, align) in [(left, -1.0, Align2::RIGHT_CENTER), (right, 1.0, Align2::LEFT_CENTER)] {
            let value = figure(side, row);
            let long = room * value.max(0) as f32 / most as f32;
            let start = center.x + way * middle / 2.0;
            let bar = Rect::from_two_pos(pos2(start, y - 6.0), pos2(start + way * long.max(1.0), y + 6.0));
            painter.rect_filled(bar, 2.0, palette.side(side));
            let at = pos2(start + way * (long + 6.0), y);
            let ink = if value > 0 { palette.text } else { palette.weak };
            painter.text(at, align, format::number(value.max(0) as u64), font.clone(), ink);
        }
    }
    for (side, x) in [(left, outer.left() + 14.0), (right, outer.right() - 14.0)] {
        team_badge(ui, side, pos2(x, outer.top() + 14.0), 6.0);
    }
}

/// A place, in points, and the score from there.
type Corner = (f32, i32);

/// Corners of the steps up to the shown moment `here`, and from there to `end`, from the changes before and after it. The shown moment
/// has a value of its own, see [`value_now`]. What is past stands before it, whatever the axis makes of its time.
fn steps(
    (before, after): (&[Corner], &[Corner]),
    (here, now): Corner,
    (start, end): (f32, f32),
) -> (Vec<Corner>, Vec<Corner>) {
    // What the set-up draws is the first value, not a change.
    let set_up = before.partition_point(|(x, _)| *x <= start + SET_UP);
    let first = set_up.checked_sub(1).map_or(0, |last| before[last].1);
    let mut past = path((start, first), before[set_up..].iter().map(|(x, value)| (x.min(here), *value)));
    let known = past.last().map_or(0, |(_, value)| *value);
    // Within a group of commands the picture's value may be one that the whole group does not leave.
    past.extend([(here, known), (here, now)]);
    let mut future = vec![(here, now)];
    if !after.is_empty() {
        future.extend(path((here, known), after.iter().map(|(x, value)| (x.max(here), *value))));
    }
    future.extend(future.last().map(|(_, last)| (end, *last)));
    // Without a change at the shown moment its corner stands once.
    past.dedup();
    future.dedup();
    (past, future)
}

/// Corners from `start` on through these changes.
fn path(start: Corner, changes: impl Iterator<Item = Corner>) -> Vec<Corner> {
    let mut corners = vec![start];
    for (x, value) in changes {
        corners.extend(corners.last().map(|(_, before)| (x, *before)));
        corners.push((x, value));
    }
    corners
}

/// Reduces a path from left to right to what can be seen: of each column of pixels the first, the last, the highest and
/// the lowest point.
fn seen(path: Vec<Pos2>) -> Vec<Pos2> {
    if path.len() < 512 {
        return path;
    }
    let mut left = Vec::new();
    for column in path.chunk_by(|a, b| a.x.floor() == b.x.floor()) {
        let by_height = |a: &&Pos2, b: &&Pos2| a.y.total_cmp(&b.y);
        let (Some(low), Some(high)) = (column.iter().max_by(by_height), column.iter().min_by(by_height))
        else {
            continue;
        };
        match column {
            [first, .., last] if column.len() > 4 => left.extend([*first, *low, *high, *last]),
            few => left.extend_from_slice(few),
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_hold_until_the_next_or_the_shown_moment() {
        let points = [(1.0, 1), (3.0, 2)];
        let split = points.split_at(1);
        let ends = (0.0, 4.0);
        let (past, future) = steps(split, (2.0, 1), ends);
        assert_eq!(past, [(0.0, 0), (1.0, 0), (1.0, 1), (2.0, 1)]);
        assert_eq!(future, [(2.0, 1), (3.0, 1), (3.0, 2), (4.0, 2)]);
        let (past, future) = steps((&[], &[]), (2.0, 0), ends);
        assert_eq!((past, future), (vec![(0.0, 0), (2.0, 0)], vec![(2.0, 0), (4.0, 0)]));
        // Between two commands of a group: the step stands at the shown moment.
        let (_, future) = steps(split, (2.0, 0), ends);
        assert_eq!(future, [(2.0, 0), (2.0, 1), (3.0, 1), (3.0, 2), (4.0, 2)]);
        // A point that is not noted yet.
        let (past, future) = steps((&points[..1], &[]), (2.0, 5), ends);
        assert_eq!(past, [(0.0, 0), (1.0, 0), (1.0, 1), (2.0, 1), (2.0, 5)]);
        assert_eq!(future, [(2.0, 5), (4.0, 5)]);
        // The set-up is no step.
        let (past, _) = steps((&[(0.0, 7), (0.0, 2), (1.0, 3)], &[]), (2.0, 3), ends);
        assert_eq!(past, [(0.0, 2), (1.0, 2), (1.0, 3), (2.0, 3)]);
        // What is past stays before the shown moment, and what is not after it.
        let (past, future) = steps(split, (0.5, 1), ends);
        assert_eq!((past.last(), future.first()), (Some(&(0.5, 1)), Some(&(0.5, 1))));
        assert!(past.iter().all(|(x, _)| *x <= 0.5), "{past:?}");
    }

    #[test]
    fn a_long_path_keeps_what_stands_out() {
        let path: Vec<Pos2> = (0..10_000).map(|n| pos2(n as f32 / 100.0, (n % 7) as f32)).collect();
        let mut high = path.clone();
        high[5_050].y = -90.0;
        let left = seen(high);
        assert!(left.len() <= 400, "{}", left.len());
        assert!(left.contains(&pos2(50.5, -90.0)));
        assert_eq!((left.first(), left.last()), (path.first(), path.last()));
        assert!(left.iter().map(|at| at.x.floor()).is_sorted());
        assert_eq!(seen(path[..100].to_vec()), path[..100]);
    }

    #[test]
    fn grid_lines_are_never_crowded() {
        for top in [1, 2, 6, 30, 250, 5000] {
            let lines = top / grid_step(top, 90.0);
            assert!(lines <= 5, "{top}: {lines}");
        }
    }
}
