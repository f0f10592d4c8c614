//! Plots of turn games: the times of moves, and the players' evaluations.

use eframe::egui::{
    Align2, FontId, Mesh, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2,
};
use grandstand_board::theme::{Palette, SMALL, mix};
use grandstand_story::evaluation::{self, score_text};
use grandstand_story::format;
use grandstand_story::plots::{Plot, Point};
use grandstand_story::sides::Side;

use super::axes::{self, BELOW, TimeAxis};
use super::{LEFT, line};
use crate::session::Session;
use crate::widgets::time_steps;

/// Height of the plot of moves at most, in points.
const MOVES: f32 = 104.0;
/// Distance of the longest bars from the upper and lower edge, where the names are, in points.
const NAMES: f32 = 23.0;
/// A plot of moves that is less high has no lines between the middle and the edges, in points.
const HALVES: f32 = 72.0;
/// The time at the edges of a plot without moves, in milliseconds.
const EMPTY: i32 = 1000;

/// Moves of all teams in order of time: the team, and the point with the milliseconds.
fn moves(plot: &Plot) -> Vec<(usize, Point)> {
    let series = plot.series.iter().enumerate();
    let mut moves: Vec<(usize, Point)> =
        series.flat_map(|(team, series)| series.points.iter().map(move |point| (team, *point))).collect();
    moves.sort_by_key(|(_, point)| point.t);
    moves
}

/// A bar for each move: up for the first team, down for the second. Returns the time of the clicked move, in seconds.
pub(super) fn show_moves(
    ui: &mut Ui,
    session: &Session,
    plot: &Plot,
    sides: &[Side],
    height: f32,
) -> Option<f64> {
    let palette = Palette::of(ui.ctx());
    let (outer, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), height.min(MOVES)), Sense::click());
    let moves = moves(plot);
    let shown = session.secs();
    response.widget_info(|| {
        let last = moves.iter().rev().find(|(_, point)| point.t.as_secs_f64() <= shown);
        let text = last.map_or_else(String::new, |(team, point)| {
            let name = sides.get(*team).map_or("", |side| &side.name);
            format!(": {name} {}", format::span(f64::from(point.value) / 1000.0))
        });
        WidgetInfo::labeled(Role::Figure, true, format!("{}{text}", plot.title))
    });
    if !ui.is_rect_visible(outer) {
        return None;
    }
    ui.painter().rect_filled(outer, 8.0, palette.raised);
    let inner = Rect::from_min_max(outer.min + vec2(LEFT, NAMES), outer.max - vec2(14.0, BELOW));
    let top = moves.iter().map(|(_, point)| point.value).max().unwrap_or(EMPTY).max(1);
    // As much time upwards as downwards, in a round number of seconds at the edges.
    let most = time_steps::at_least(f64::from(top) / 1000.0);
    let top = (most * 1000.0) as f32;
    let parts: &[f32] = if inner.height() >= HALVES { &[-1.0, -0.5, 0.5, 1.0] } else { &[-1.0, 1.0] };
    for part in parts {
        let y = inner.center().y - inner.height() / 2.0 * part;
        axes::value_line(ui.painter(), palette, inner, y, &seconds(most * f64::from(part.abs())));
    }
    axes::value_line(ui.painter(), palette, inner, inner.center().y, "0 s");
    // Bars are at most 1/24 of the width, so that a few moves don't become broad bars.
    let pitch = inner.width() / moves.len().max(24) as f32;
    let mut mesh = Mesh::default();
    for (index, (team, point)) in moves.iter().enumerate() {
        let left = inner.left() + index as f32 * pitch;
        let high = (inner.height() / 2.0 * point.value.max(0) as f32 / top).max(1.5);
        let way = if *team == 0 { -1.0 } else { 1.0 };
        let bar = Rect::from_two_pos(
            pos2(left, inner.center().y + way),
            pos2(left + (pitch - 1.0).max(pitch * 0.7), inner.center().y + way * (high + 1.0)),
        );
        let accent = sides.get(*team).map_or(palette.weak, |side| palette.side(side));
        let seen = point.t.as_secs_f64() <= shown;
        mesh.add_colored_rect(bar, if seen { accent } else { mix(palette.raised, accent, 0.35) });
    }
    ui.painter().add(Shape::mesh(mesh));
    ui.painter().hline(inner.x_range(), inner.center().y, Stroke::new(1.0, palette.weak));
    // Numbers of moves, so many that they don't touch.
    let every = [1, 2, 5, 10, 20, 50, 100, 200, 500].into_iter().find(|every| *every as f32 * pitch >= 44.0);
    let middle = |index: usize| inner.left() + (index as f32 + 0.5) * pitch;
    let pointed = response.hover_pos().or(response.interact_pointer_pos());
    let index = pointed.map(|at| ((at.x - inner.left()) / pitch).floor().max(0.0) as usize);
    let index = index.filter(|index| *index < moves.len());
    for n in (1..=moves.len()).filter(|n| n.is_multiple_of(every.unwrap_or(1000)) || *n == 1) {
        if index.is_none_or(|index| (middle(index) - middle(n - 1)).abs() > 30.0) {
            let font = FontId::proportional(SMALL - 1.0);
            let at = pos2(middle(n - 1), inner.bottom() + 3.0);
            ui.painter().text(at, Align2::CENTER_TOP, format::number(n as u64), font, palette.weak);
        }
    }
    // What the move at the pointer took, else the last one of each side that is shown.
    let legend = Rect::from_x_y_ranges(outer.left() + 10.0..=outer.right() - 8.0, outer.top()..=inner.top());
    line::legend_row(ui, legend, sides, |side| {
        let team = sides.iter().position(|other| other.key == side.key);
        let of_side = |(number, (who, point)): &(usize, &(usize, Point))| {
            Some(*who) == team && index.map_or(point.t.as_secs_f64() <= shown, |index| *number <= index)
        };
        let last = moves.iter().enumerate().rev().find(of_side);
        last.map_or_else(String::new, |(_, (_, point))| format::span(f64::from(point.value) / 1000.0))
    });
    let index = index?;
    let (_, point) = moves.get(index)?;
    let line = Stroke::new(1.0, palette.text.gamma_multiply(0.7));
    ui.painter().vline(middle(index), inner.y_range(), line);
    let words = format!("Move {}", format::number(index as u64 + 1));
    axes::plate(
        ui.painter(),
        palette,
        pos2(middle(index), inner.bottom() + 2.0),
        &words,
        outer.x_range().into(),
    );
    response.clicked().then(|| point.t.as_secs_f64())
}

/// A score in little room: `+18k`.
fn short(score: i32) -> String {
    if score.abs() < 10_000 || score.abs() >= 30_000 {
        return score_text(score);
    }
    format!("{}{}k", if score < 0 { "−" } else { "+" }, (f64::from(score.abs()) / 1000.0).round())
}

/// `0.5 s`
fn seconds(secs: f64) -> String {
    match secs {
        _ if secs >= 60.0 => format::minutes(secs),
        // As narrow as the room before the plot.
        _ if secs > 0.0 && secs < 0.1 => format!("{} ms", (secs * 1000.0).round()),
        _ => format!("{} s", (secs * 1000.0).round() / 1000.0),
    }
}

/// Lines around the middle; returns the time that was clicked, in seconds.
pub(super) fn show_balance(
    ui: &mut Ui,
    session: &Session,
    plot: &Plot,
    sides: &[Side],
    height: f32,
) -> Option<f64> {
    let palette = Palette::of(ui.ctx());
    let (outer, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click_and_drag());
    let shown = session.secs();
    let at = |secs: f64| {
        let texts = sides
            .iter()
            .filter_map(|side| Some(format!("{} {}", side.name, own_score(plot, sides, side, secs)?)));
        texts.collect::<Vec<_>>().join(", ")
    };
    response
        .widget_info(|| WidgetInfo::labeled(Role::Figure, true, format!("{}: {}", plot.title, at(shown))));
    if !ui.is_rect_visible(outer) {
        return None;
    }
    ui.painter().rect_filled(outer, 8.0, palette.raised);
    let inner = Rect::from_min_max(outer.min + vec2(LEFT, NAMES), outer.max - vec2(14.0, BELOW + 3.0));
    let axis = TimeAxis::new(inner, session.end_secs());
    let x = |secs: f64| axis.x(secs);
    let pointed = axis.pointed(&response);
    let scale = evaluation::scale(plot);
    let y = |score: i32| inner.center().y - inner.height() / 2.0 * evaluation::height(score, scale);
    for score in [scale as i32, 0, -(scale as i32)] {
        axes::value_line(ui.painter(), palette, inner, y(score), &short(score));
    }
    axis.paint(ui.painter(), palette, pointed.map(x));
    for (number, (series, side)) in plot.series.iter().zip(sides).enumerate() {
        let accent = palette.side(side);
        let past = series.points.partition_point(|point| point.t.as_secs_f64() <= shown);
        let path = |points: &[Point]| -> Vec<Pos2> {
            super::seen(points.iter().map(|point| pos2(x(point.t.as_secs_f64()), y(point.value))).collect())
        };
        // The future starts at the last shown point, so that the line has no gap.
        let future = path(&series.points[past.saturating_sub(1)..]);
        let pale = Stroke::new(1.4, mix(palette.raised, accent, 0.35));
        ui.painter().extend(line::shapes(&future, pale, number));
        let past = path(&series.points[..past]);
        ui.painter().extend(line::shapes(&past, Stroke::new(1.8, accent), number));
        if let Some(last) = past.last() {
            ui.painter().circle_filled(*last, 2.5, accent);
        }
    }
    let legend = Rect::from_x_y_ranges(outer.left() + 10.0..=outer.right() - 8.0, outer.top()..=inner.top());
    let told = pointed.unwrap_or(shown);
    line::legend_row(ui, legend, sides, |side| own_score(plot, sides, side, told).unwrap_or_default());
    ui.painter().vline(x(shown), inner.y_range().expand(1.0), Stroke::new(1.0, palette.weak));
    let secs = pointed?;
    axis.paint_pointed(ui.painter(), palette, secs, outer);
    for (series, side) in plot.series.iter().zip(sides) {
        if series.points.first().is_some_and(|point| point.t.as_secs_f64() <= secs) {
            let place = pos2(x(secs), y(series.at(secs)));
            ui.painter().circle(place, 3.5, palette.side(side), Stroke::new(1.5, palette.raised));
        }
    }
    (response.clicked() || response.dragged()).then_some(secs)
}

/// A side's evaluation at a time, from its own point of view; the plot has the first side's.
fn own_score(plot: &Plot, sides: &[Side], side: &Side, secs: f64) -> Option<String> {
    let series = plot.series.iter().find(|series| series.key == side.key)?;
    series.points.first().filter(|point| point.t.as_secs_f64() <= secs)?;
    let own = if sides.first().is_some_and(|first| first.key == side.key) { 1 } else { -1 };
    Some(score_text(series.at(secs).saturating_mul(own)))
}

#[cfg(test)]
mod tests {
    use grandstand_protocol::Micros;

    use super::*;

    fn plot(points: &[&[(u64, i32)]]) -> Plot {
        let mut plot = Plot::balance("Evaluation", &["black", "white"]);
        for (series, points) in plot.series.iter_mut().zip(points) {
            series.points = points.iter().map(|(t, value)| Point { t: Micros(*t), value: *value }).collect();
        }
        plot
    }

    #[test]
    fn moves_of_both_teams_stand_in_their_order() {
        let plot = plot(&[&[(1, 10), (3, 30)], &[(2, 20)]]);
        let order: Vec<(usize, i32)> =
            moves(&plot).iter().map(|(team, point)| (*team, point.value)).collect();
        assert_eq!(order, [(0, 10), (1, 20), (0, 30)]);
    }

    #[test]
    fn times_beside_a_plot_are_short() {
        let of = [0.0, 0.005, 0.05, 0.1, 2.5, 90.0].map(seconds);
        assert_eq!(of, ["0 s", "5 ms", "50 ms", "0.1 s", "2.5 s", "1:30"]);
    }
}
