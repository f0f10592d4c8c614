//! Plots of turn games: the times of moves, and the players' evaluations.

use eframe::egui::{Align2, Mesh, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};
use grandstand_board::theme::{Palette, mix};
use grandstand_story::evaluation::{self, score_text};
use grandstand_story::format;
use grandstand_story::plots::{Plot, Point};
use grandstand_story::sides::Side;

use super::line;
use crate::session::Session;

/// Height of the plot of moves at most, in points.
const MOVES: f32 = 104.0;
/// Distance of the longest bars from the upper and lower edge, where the names are, in points.
const NAMES: f32 = 23.0;

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
    let inner = Rect::from_min_max(outer.min + vec2(14.0, NAMES), outer.max - vec2(14.0, NAMES));
    let top = moves.iter().map(|(_, point)| point.value).max().unwrap_or(0).max(1);
    for (side, at, align) in corners(sides, outer) {
        line::corner(ui.painter(), at, align, &side.name, palette.weak);
    }
    if !moves.is_empty() {
        let longest = format!("up to {}", format::span(f64::from(top) / 1000.0));
        let at = outer.right_top() + vec2(-8.0, 3.0);
        line::corner(ui.painter(), at, Align2::RIGHT_TOP, &longest, palette.weak);
    }
    // Bars are at most 1/24 of the width, so that a few moves don't become broad bars.
    let pitch = inner.width() / moves.len().max(24) as f32;
    let mut mesh = Mesh::default();
    for (index, (team, point)) in moves.iter().enumerate() {
        let left = inner.left() + index as f32 * pitch;
        let high = (inner.height() / 2.0 * point.value.max(0) as f32 / top as f32).max(1.5);
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
    let pointed = response.hover_pos().or(response.interact_pointer_pos())?;
    let index = ((pointed.x - inner.left()) / pitch).floor();
    let (team, point) = moves.get(index.max(0.0) as usize).filter(|_| index >= 0.0)?;
    let name = sides.get(*team).map_or("", |side| &side.name);
    let sought = response.clicked().then(|| point.t.as_secs_f64());
    let took = format::span(f64::from(point.value) / 1000.0);
    response.on_hover_text_at_pointer(format!("Move {}, {name}: {took}", index as u32 + 1));
    sought
}

/// The two sides with the corners of their names: top left and bottom left.
fn corners(sides: &[Side], outer: Rect) -> impl Iterator<Item = (&Side, Pos2, Align2)> {
    let corners = [
        (outer.left_top() + vec2(8.0, 3.0), Align2::LEFT_TOP),
        (outer.left_bottom() + vec2(8.0, -3.0), Align2::LEFT_BOTTOM),
    ];
    sides.iter().zip(corners).map(|(side, (at, align))| (side, at, align))
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
        let known =
            plot.series.iter().zip(sides).filter(|(series, _)| {
                series.points.first().is_some_and(|point| point.t.as_secs_f64() <= secs)
            });
        let texts = known.map(|(series, side)| {
            // Each evaluation from its team's own point of view; the plot has the first team's.
            let own = if sides.first().is_some_and(|first| first.key == side.key) { 1 } else { -1 };
            format!("{} {}", side.name, score_text(series.at(secs).saturating_mul(own)))
        });
        texts.collect::<Vec<_>>().join(", ")
    };
    response
        .widget_info(|| WidgetInfo::labeled(Role::Figure, true, format!("{}: {}", plot.title, at(shown))));
    if !ui.is_rect_visible(outer) {
        return None;
    }
    ui.painter().rect_filled(outer, 8.0, palette.raised);
    let inner = Rect::from_min_max(outer.min + vec2(14.0, NAMES), outer.max - vec2(14.0, NAMES));
    let end = session.end_secs().max(1e-6);
    let x = |secs: f64| inner.left() + inner.width() * (secs / end).clamp(0.0, 1.0) as f32;
    let scale = evaluation::scale(plot);
    let y = |score: i32| inner.center().y - inner.height() / 2.0 * evaluation::height(score, scale);
    ui.painter().hline(inner.x_range(), inner.center().y, Stroke::new(1.0, palette.line));
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
    for (number, (side, at, align)) in corners(sides, outer).enumerate() {
        // The middle of the text in that corner.
        let y = if align == Align2::LEFT_TOP { at.y + 7.0 } else { at.y - 7.0 };
        line::legend(ui, pos2(at.x, y), side, number, outer.width() - 16.0);
    }
    ui.painter().vline(x(shown), inner.y_range().expand(1.0), Stroke::new(1.0, palette.weak));
    let pointed = response.hover_pos().or(response.interact_pointer_pos());
    let secs = pointed.map(|at| f64::from((at.x - inner.left()) / inner.width()).clamp(0.0, 1.0) * end);
    let sought = (response.clicked() || response.dragged()).then_some(secs).flatten();
    if let Some(secs) = secs {
        response.on_hover_text_at_pointer(format!("{}   {}", format::clock(secs), at(secs)));
    }
    sought
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
}
