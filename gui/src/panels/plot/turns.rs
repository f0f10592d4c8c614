//! Plots of turn games: the times of moves, and the players' evaluations.

use eframe::egui::{Mesh, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};
use grandstand_board::theme::{Palette, mix};
use grandstand_story::evaluation;
use grandstand_story::format;
use grandstand_story::plots::{Plot, PlotKind, Point};
use grandstand_story::sides::Side;
use grandstand_story::{GameStory, story};

use super::super::timeline::TimelineRequest;
use super::axes::{self, BELOW};
use super::move_axis::MoveAxis;
use super::{LEFT, line};
use crate::session::Session;

/// Height of the plot of moves at most, in points.
const MOVES: f32 = 104.0;
/// Distance of the longest bars from the upper and lower edge, where the names are, in points.
const NAMES: f32 = 27.0;
/// A plot of moves that is less high has no lines between the middle and the edges, in points.
const HALVES: f32 = 72.0;
/// Height of a number beside a plot, in points.
const LABEL: f32 = 13.0;
/// The time at the edges of a plot without moves, in milliseconds.
const EMPTY: i32 = 1000;
/// Round numbers below ten for the edges of a plot: their halves are as short.
const ROUND: [f64; 8] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];

/// Moves of a match by turns, for the axis of all its plots: they are gathered once a frame.
#[derive(Debug)]
pub(crate) struct Moves {
    /// Moves of all teams in order: the team, and the point with the milliseconds.
    all: Vec<(usize, Point)>,
    /// The command of each, and its time in seconds.
    made: Vec<(u64, f64)>,
}

impl Moves {
    /// Those of a match; `None` for a match without turns.
    pub(crate) fn of(session: &Session) -> Option<Moves> {
        let plot = session.events.findings().plots.iter().find(|plot| plot.kind == PlotKind::Moves)?;
        Some(Moves::of_plot(plot))
    }

    fn of_plot(plot: &Plot) -> Moves {
        let series = plot.series.iter().enumerate();
        let mut all: Vec<(usize, Point)> =
            series.flat_map(|(team, series)| series.points.iter().map(move |point| (team, *point))).collect();
        all.sort_by_key(|(_, point)| point.seq);
        let made = all.iter().map(|(_, point)| (point.seq, point.t.as_secs_f64())).collect();
        Moves { all, made }
    }

    /// The axis over the moves.
    pub(super) fn axis(&self, inner: Rect) -> MoveAxis<'_> {
        MoveAxis::new(inner, &self.made)
    }

    /// The request to go to a move, with all that came with it.
    pub(super) fn request(&self, session: &Session, index: usize) -> Option<TimelineRequest> {
        let (_, point) = self.all.get(index)?;
        Some(TimelineRequest::Seq(session.end_of((point.seq, point.t))))
    }
}

/// A bar for each move: up for the first team, down for the second. Returns the clicked move.
pub(super) fn show_moves(
    ui: &mut Ui,
    session: &Session,
    (plot, moves): (&Plot, &Moves),
    sides: &[Side],
    height: f32,
) -> Option<TimelineRequest> {
    let palette = Palette::of(ui.ctx());
    let (outer, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), height.min(MOVES)), Sense::click());
    let all = &moves.all;
    let shown = session.seq();
    response.widget_info(|| {
        let last = all.iter().rev().find(|(_, point)| point.seq <= shown);
        let text = last.map_or_else(String::new, |(team, point)| {
            let name = sides.get(*team).map_or("", |side| &side.name);
            format!(": {name} {}", format::thinking(point.value))
        });
        WidgetInfo::labeled(Role::Figure, true, format!("{}{text}", plot.title))
    });
    if !ui.is_rect_visible(outer) {
        return None;
    }
    ui.painter().rect_filled(outer, 8.0, palette.raised);
    let inner = Rect::from_min_max(outer.min + vec2(LEFT, NAMES), outer.max - vec2(14.0, BELOW));
    let top = all.iter().map(|(_, point)| point.value).max().unwrap_or(EMPTY).max(1);
    // As much time upwards as downwards, in a round number of seconds at the edges.
    let most = round_above(f64::from(top) / 1000.0);
    let top = (most * 1000.0) as f32;
    let parts: &[f32] = if all.is_empty() {
        &[]
    } else if inner.height() >= HALVES {
        &[-1.0, -0.5, 0.5, 1.0]
    } else {
        &[-1.0, 1.0]
    };
    for part in parts {
        let y = inner.center().y - inner.height() / 2.0 * part;
        axes::value_line(ui.painter(), palette, inner, y, &seconds(most * f64::from(part.abs())));
    }
    axes::value_line(ui.painter(), palette, inner, inner.center().y, "0 s");
    let axis = moves.axis(inner);
    let pixels = ui.pixels_per_point();
    let mut mesh = Mesh::default();
    for (index, (team, point)) in all.iter().enumerate() {
        let (left, right) = axis.bar(index, pixels);
        let high = (inner.height() / 2.0 * point.value.max(0) as f32 / top).max(1.5);
        let way = if *team == 0 { -1.0 } else { 1.0 };
        let bar = Rect::from_two_pos(
            pos2(left, inner.center().y + way),
            pos2(right, inner.center().y + way * (high + 1.0)),
        );
        let accent = sides.get(*team).map_or(palette.weak, |side| palette.side(side));
        let seen = point.seq <= shown;
        mesh.add_colored_rect(bar, if seen { accent } else { mix(palette.raised, accent, 0.35) });
    }
    ui.painter().add(Shape::mesh(mesh));
    ui.painter().hline(inner.x_range(), inner.center().y, Stroke::new(1.0, palette.weak));
    let index = axis.pointed(&response);
    axis.paint(ui.painter(), palette, index);
    // What the move at the pointer took, else the last one of each side that is shown.
    let legend = Rect::from_x_y_ranges(outer.left() + 10.0..=outer.right() - 8.0, outer.top()..=inner.top());
    line::legend_row(ui, legend, (session, sides), |side| {
        let team = sides.iter().position(|other| other.key == side.key);
        let of_side = |(number, (who, point)): &(usize, &(usize, Point))| {
            Some(*who) == team && index.map_or(point.seq <= shown, |index| *number <= index)
        };
        let last = all.iter().enumerate().rev().find(of_side);
        last.map_or_else(String::new, |(_, (_, point))| format::thinking(point.value))
    });
    let index = index?;
    axis.paint_pointed(ui.painter(), palette, index, outer);
    response.clicked().then(|| moves.request(session, index)).flatten()
}

/// The least round number of seconds that is no less; of minutes from one minute on.
fn round_above(secs: f64) -> f64 {
    let unit = if secs > 60.0 { 60.0 } else { 1.0 };
    let ten = 10_f64.powf((secs / unit).log10().floor());
    let mut round = ROUND.into_iter().map(|number| number * ten * unit);
    // A hair less is the same: a power of ten is not exact.
    round.find(|round| *round >= secs * (1.0 - 1e-9)).unwrap_or(secs)
}

/// The largest round score that is no more.
fn round_below(score: f32) -> i32 {
    let score = f64::from(score.max(1.0));
    let ten = 10_f64.powf(score.log10().floor());
    let mut round = ROUND.into_iter().rev().map(|number| number * ten);
    round.find(|round| *round <= score * (1.0 + 1e-6)).map_or(1, |round| round as i32)
}

/// The score at the lines above and below the middle, which are `above` points away: a round one near `scale`, or a larger one whose
/// number does not touch the middle's. `None` in too little room.
pub(in crate::panels) fn labelled(scale: f32, above: impl Fn(i32) -> f32) -> Option<i32> {
    [1.0, 2.0, 5.0, 20.0]
        .into_iter()
        .map(|times| round_below(scale * times))
        .find(|score| above(*score) >= LABEL)
}

/// A lead in little room, whoever has it: `350`, `18k`.
pub(in crate::panels) fn amount(score: u32) -> String {
    match score {
        ..10_000 => format::number(score.into()),
        _ => format!("{}k", (f64::from(score) / 1000.0).round()),
    }
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

/// Lines around the middle, over the moves: above it the first side is ahead, below it the second. Returns the clicked move.
pub(super) fn show_balance(
    ui: &mut Ui,
    session: &Session,
    (plot, moves): (&Plot, &Moves),
    sides: &[Side],
    height: f32,
) -> Option<TimelineRequest> {
    let game = story(session.scene());
    let palette = Palette::of(ui.ctx());
    let (outer, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click_and_drag());
    let shown = session.seq();
    // After the last move there is nothing to evaluate any more. Which it is is known once all is read.
    let winner = session.result().and_then(|result| result.winner.as_deref());
    let winner = winner.filter(|winner| sides.iter().any(|side| side.key == **winner));
    let is_read = session.events.read_to() >= session.log().last_seq();
    let last = moves.made.last().filter(|_| is_read).map_or(u64::MAX, |(seq, _)| *seq);
    let score_at = |side: &Side, seq: u64| match winner.filter(|_| seq >= last) {
        Some(winner) => Some(if side.key == *winner { "wins" } else { "loses" }.to_owned()),
        None => own_score(game, plot, sides, side, seq),
    };
    let at = |seq: u64| {
        let texts = sides.iter().filter_map(|side| Some(format!("{} {}", side.name, score_at(side, seq)?)));
        texts.collect::<Vec<_>>().join(", ")
    };
    response
        .widget_info(|| WidgetInfo::labeled(Role::Figure, true, format!("{}: {}", plot.title, at(shown))));
    if !ui.is_rect_visible(outer) {
        return None;
    }
    ui.painter().rect_filled(outer, 8.0, palette.raised);
    let inner = Rect::from_min_max(outer.min + vec2(LEFT, NAMES), outer.max - vec2(14.0, BELOW + 3.0));
    let scale = evaluation::scale(plot);
    let (middle, half) = (inner.center().y, inner.height() / 2.0);
    let y = |score: i32| middle - half * evaluation::height(score, scale);
    let line = labelled(scale, |score| y(0) - y(score));
    let scores = || [line, Some(0), line.map(|score| -score)].into_iter().flatten();
    // A sign is that of the player who speaks: the axis has none, and tells by the badges who is ahead.
    let number = |score: i32| amount(score.unsigned_abs());
    let numbers = axes::left(ui.painter(), scores().map(number));
    let inner = inner.with_min_x(outer.left() + axes::BADGES + numbers);
    let axis = moves.axis(inner);
    let x = |point: &Point| axis.middle(axis.move_after(point.seq));
    let here = axis.x((shown, session.secs()));
    let pointed = axis.pointed(&response);
    for score in scores() {
        axes::value_line(ui.painter(), palette, inner, y(score), &number(score));
    }
    axes::badges(ui, sides, inner, outer.left());
    axis.paint(ui.painter(), palette, pointed);
    for (number, (series, side)) in plot.series.iter().zip(sides).enumerate() {
        let accent = palette.side(side);
        let corners = |points: &[Point]| -> Vec<Pos2> {
            points.iter().map(|point| pos2(x(point), y(point.value))).collect()
        };
        let (past, future) =
            series.points.split_at(series.points.partition_point(|point| point.seq <= shown));
        // An engine judges each move, a player those before its own.
        let apart = if session.review.is_complete() { 1.0 } else { sides.len() as f32 };
        let turn = apart * axis.pitch();
        let (now, end) = (here, axis.end());
        let (past, future) = parts(corners(past), corners(future), turn, (now, end));
        let pale = Stroke::new(1.4, mix(palette.raised, accent, 0.35));
        ui.painter().extend(line::shapes(&super::seen(future), pale, number));
        let past = super::seen(past);
        ui.painter().extend(line::shapes(&past, Stroke::new(1.8, accent), number));
        if let Some(last) = past.last() {
            ui.painter().circle_filled(*last, 2.5, accent);
        }
    }
    let legend = Rect::from_x_y_ranges(outer.left() + 10.0..=outer.right() - 8.0, outer.top()..=inner.top());
    let told = pointed.map_or(shown, |index| axis.seq(index));
    line::legend_row(ui, legend, (session, sides), |side| score_at(side, told).unwrap_or_default());
    ui.painter().vline(here, inner.y_range().expand(1.0), Stroke::new(1.0, palette.weak));
    let index = pointed?;
    axis.paint_pointed(ui.painter(), palette, index, outer);
    for (series, side) in plot.series.iter().zip(sides) {
        if let Some(point) = series.until(told) {
            let place = pos2(x(point), y(point.value));
            ui.painter().circle(place, 3.5, palette.side(side), Stroke::new(1.5, palette.raised));
        }
    }
    let goes = response.clicked() || response.dragged();
    goes.then(|| moves.request(session, index)).flatten()
}

/// The line of a side's evaluations before the shown moment, which stands at `now`, and after it, up to `end`.
///
/// An evaluation holds until the side's last move before the next one: equal ones in between are no points. `turn`: the room
/// between two moves of a side. The future begins at the shown moment, where the past ends.
fn parts(past: Vec<Pos2>, future: Vec<Pos2>, turn: f32, (now, end): (f32, f32)) -> (Vec<Pos2>, Vec<Pos2>) {
    let hold = |path: &mut Vec<Pos2>, x: f32| {
        path.extend(path.last().filter(|last| last.x < x).map(|last| pos2(x, last.y)));
    };
    let line = |mut path: Vec<Pos2>, points: Vec<Pos2>, end: f32| {
        for point in points {
            hold(&mut path, point.x - turn);
            path.push(point);
        }
        hold(&mut path, end);
        path
    };
    let past = line(Vec::new(), past, now);
    let future = line(past.last().copied().into_iter().collect(), future, end);
    (past, future)
}

/// A side's evaluation at command `seq`, from its own point of view; the plot has the first side's.
fn own_score(game: &dyn GameStory, plot: &Plot, sides: &[Side], side: &Side, seq: u64) -> Option<String> {
    let point = plot.series.iter().find(|series| series.key == side.key)?.until(seq)?;
    let own = if sides.first().is_some_and(|first| first.key == side.key) { 1 } else { -1 };
    Some(game.score_text(point.value.saturating_mul(own)))
}

#[cfg(test)]
mod tests {
    use grandstand_protocol::Micros;

    use super::*;

    fn plot(points: &[&[(u64, i32)]]) -> Plot {
        let mut plot = Plot::balance("Evaluation", &["black", "white"]);
        for (series, points) in plot.series.iter_mut().zip(points) {
            // All at one time: the commands tell the order.
            let point = |(seq, value): &(u64, i32)| Point { seq: *seq, t: Micros(7), value: *value };
            series.points = points.iter().map(point).collect();
        }
        plot
    }

    #[test]
    fn moves_of_both_teams_stand_in_their_order() {
        let plot = plot(&[&[(1, 10), (3, 30)], &[(2, 20)]]);
        let order: Vec<(usize, i32)> =
            Moves::of_plot(&plot).all.iter().map(|(team, point)| (*team, point.value)).collect();
        assert_eq!(order, [(0, 10), (1, 20), (0, 30)]);
    }

    #[test]
    fn the_future_of_a_line_begins_where_its_past_ends() {
        let path =
            |points: &[(f32, f32)]| -> Vec<Pos2> { points.iter().map(|(x, y)| pos2(*x, *y)).collect() };
        // Equal evaluations stand between 1 and 9: the line is flat there, in the past and in the future.
        let (past, future) = parts(path(&[(1.0, 5.0)]), path(&[(9.0, 2.0)]), 2.0, (4.0, 12.0));
        assert_eq!(past, path(&[(1.0, 5.0), (4.0, 5.0)]));
        assert_eq!(future, path(&[(4.0, 5.0), (7.0, 5.0), (9.0, 2.0), (12.0, 2.0)]));
        let (past, future) = parts(path(&[(1.0, 5.0), (9.0, 2.0)]), Vec::new(), 2.0, (9.0, 12.0));
        assert_eq!(past, path(&[(1.0, 5.0), (7.0, 5.0), (9.0, 2.0)]));
        assert_eq!(future, path(&[(9.0, 2.0), (12.0, 2.0)]));
        assert_eq!(
            parts(Vec::new(), path(&[(9.0, 2.0)]), 2.0, (4.0, 9.0)),
            (Vec::new(), path(&[(9.0, 2.0)]))
        );
    }

    #[test]
    fn edges_are_round_and_near_what_there_is() {
        let of = [0.0004, 0.25, 1.0, 2.05, 7.0, 45.0, 61.0, 700.0].map(round_above);
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        let wanted = [0.0004, 0.3, 1.0, 3.0, 8.0, 50.0, 120.0, 1200.0];
        assert!(of.iter().zip(wanted).all(|(a, b)| near(*a, b)), "{of:?}");
        assert_eq!([0.0, 1.0, 9.9, 346.0, 25_000.0].map(round_below), [1, 1, 8, 300, 20_000]);
    }

    #[test]
    fn numbers_beside_a_plot_do_not_touch() {
        let of = |half: f32| labelled(350.0, |score| half * evaluation::height(score, 350.0));
        assert_eq!(of(80.0), Some(300));
        assert_eq!(of(26.0), Some(600));
        assert_eq!(of(22.0), Some(1000));
        assert_eq!(of(10.0), None);
    }

    #[test]
    fn the_axis_of_evaluations_has_no_sign() {
        assert_eq!([0, 350, 9_999, 18_200].map(amount), ["0", "350", "9,999", "18k"]);
    }

    #[test]
    fn times_beside_a_plot_are_short() {
        let of = [0.0, 0.005, 0.05, 0.1, 2.5, 90.0].map(seconds);
        assert_eq!(of, ["0 s", "5 ms", "50 ms", "0.1 s", "2.5 s", "1:30"]);
    }
}
