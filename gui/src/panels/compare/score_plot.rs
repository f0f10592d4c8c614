//! Plot of the scores of both matches over what aligns them: the first one's lines are whole, those of the second one dashed.

use eframe::egui::{
    Align2, FontId, Painter, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2,
};
use grandstand_board::theme::{Palette, SMALL, mix, semibold};
use grandstand_replays::diff::Lock;
use grandstand_story::format;
use grandstand_story::games::sides;
use grandstand_story::plots::{Plot, PlotKind, Point};

use super::{Compare, CompareRequest};
use crate::session::Session;
use crate::widgets::time_steps;

/// Heights of the legend and of the numbers below the plot, and the room for the numbers beside it, in points.
const LEGEND: f32 = 24.0;
const BELOW: f32 = 18.0;
const LEFT: f32 = 36.0;
/// Distance of two numbers of the axis at least, in points.
const APART: f32 = 64.0;
/// Dashes and gaps of the second match, and the length of the pieces of line in the legend, in points.
const DASHES: [f32; 2] = [6.0, 4.0];
const SAMPLE: f32 = 22.0;

/// The plot of a match's scores.
fn scores(session: &Session) -> Option<&Plot> {
    let has_points = |plot: &&Plot| plot.series.iter().any(|series| !series.points.is_empty());
    session.events.findings().plots.iter().filter(|plot| plot.kind == PlotKind::Steps).find(has_points)
}

/// Whether one of these matches has scores.
pub(super) fn has_scores(pair: [&Session; 2]) -> bool {
    pair.into_iter().any(|session| scores(session).is_some())
}

/// Place of a moment on the axis: its time in seconds, its turn, or its command.
fn place(lock: Lock, session: &Session, (seq, secs): (u64, f64)) -> f64 {
    match lock {
        Lock::Time => secs,
        Lock::Turn => session.chapters.at_seq(seq).unwrap_or(0) as f64,
        Lock::Command => seq as f64,
    }
}

/// The end of a match on the axis.
fn end(lock: Lock, session: &Session) -> f64 {
    place(lock, session, (session.log().last_seq(), session.end_secs()))
}

/// Distance of two numbers of an axis of counts.
fn step_of_counts(least: f64) -> f64 {
    let ten = 10_f64.powf(least.max(1.0).log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|n| n * ten).into_iter().find(|step| *step >= least).unwrap_or(least)
}

/// Shows the plot; returns where a click goes.
pub(super) fn show(ui: &mut Ui, rect: Rect, compare: &Compare, leader: &Session) -> Option<CompareRequest> {
    let palette = Palette::of(ui.ctx());
    let (pair, names, lock) = (compare.pair(leader), compare.names(leader), compare.lock);
    let response = ui.interact(rect, ui.scope_id().with("scores"), Sense::click_and_drag());
    let told = pair.map(|session| {
        let sides = sides(session.scene(), &session.about.teams);
        let scores = sides.iter().map(|side| format!("{} {}", side.name, side.score));
        scores.collect::<Vec<_>>().join(", ")
    });
    response.widget_info(|| {
        let title = pair.into_iter().find_map(scores).map_or("Score", |plot| plot.title);
        let each = [0, 1].map(|side| format!("{}: {}", names[side], told[side]));
        WidgetInfo::labeled(Role::Figure, true, format!("{title} of both. {}", each.join("; ")))
    });
    let painter = ui.painter();
    painter.rect_filled(rect, 8.0, palette.raised);
    let inner = Rect::from_min_max(rect.min + vec2(LEFT, LEGEND), rect.max - vec2(16.0, BELOW + 2.0));
    let plots = pair.map(scores);
    let last = pair.map(|session| end(lock, session)).into_iter().fold(1.0, f64::max);
    let top = plots.into_iter().flatten().map(Plot::highest).max().unwrap_or(0).max(2);
    let x = |at: f64| inner.left() + inner.width() * (at / last).clamp(0.0, 1.0) as f32;
    let y = |value: i32| inner.bottom() - inner.height() * value.max(0) as f32 / top as f32;
    let font = FontId::proportional(SMALL - 1.0);
    for value in [0, top / 2, top] {
        let line = Stroke::new(1.0, mix(palette.raised, palette.line, 0.8));
        painter.hline(inner.x_range(), y(value), line);
        let words = format::number(value.max(0) as u64);
        let at = pos2(inner.left() - 6.0, y(value));
        painter.text(at, Align2::RIGHT_CENTER, words, font.clone(), palette.weak);
    }
    let least = last / f64::from((inner.width() / APART).max(1.0));
    let step = if lock == Lock::Time { time_steps::at_least(least) } else { step_of_counts(least) };
    for n in 0..=(last / step).floor().min(64.0) as u32 {
        let at = f64::from(n) * step;
        let words = match lock {
            Lock::Time => time_steps::label(at, step),
            _ => format::number(at as u64),
        };
        painter.vline(x(at), inner.bottom()..=inner.bottom() + 3.0, Stroke::new(1.0, palette.weak));
        let below = pos2(x(at), inner.bottom() + 4.0);
        painter.text(below, Align2::CENTER_TOP, words, font.clone(), palette.weak);
    }
    let here = place(lock, leader, (leader.seq(), leader.secs()));
    for (number, (session, plot)) in pair.into_iter().zip(plots).enumerate() {
        let sides = sides(session.scene(), &session.about.teams);
        for series in plot.into_iter().flat_map(|plot| &plot.series) {
            let Some(index) = sides.iter().position(|side| side.key == series.key) else { continue };
            // Lines of equal values lie beside each other.
            let shift = 1.3 * (index as f32 * 2.0 + number as f32 - 1.5);
            let x_of = |point: &Point| x(place(lock, session, (point.seq, point.t.as_secs_f64())));
            // What the set-up draws is the first value, and no change.
            let set_up = series.points.partition_point(|point| x_of(point) <= inner.left());
            let (before, changes) = series.points.split_at(set_up);
            let first = before.last().map_or(0, |point| point.value);
            let mut path = vec![pos2(inner.left(), y(first) + shift)];
            for point in changes {
                let at = x_of(point);
                path.extend(path.last().map(|before| pos2(at, before.y)));
                path.push(pos2(at, y(point.value) + shift));
            }
            path.extend(path.last().map(|before| pos2(x(end(lock, session)), before.y)));
            line(painter, &path, Stroke::new(1.8, palette.side(&sides[index])), number);
        }
    }
    painter.vline(x(here), inner.y_range().expand(3.0), Stroke::new(1.0, palette.text.gamma_multiply(0.8)));
    let mut left = rect.left() + 12.0;
    for (number, (name, scores)) in names.iter().zip(&told).enumerate() {
        let at = pos2(left, rect.top() + LEGEND / 2.0);
        let words = format!("{name}: {scores}");
        let galley = painter.layout_no_wrap(words, FontId::new(SMALL, semibold()), palette.text);
        if left + SAMPLE + 6.0 + galley.size().x > rect.right() {
            break;
        }
        line(painter, &[at, at + vec2(SAMPLE, 0.0)], Stroke::new(2.0, palette.text), number);
        let place = at + vec2(SAMPLE + 6.0, -galley.size().y / 2.0);
        left = place.x + galley.size().x + 20.0;
        painter.galley(place, galley, palette.text);
    }
    let at = response.interact_pointer_pos().filter(|_| response.clicked() || response.dragged())?;
    let part = f64::from((at.x - inner.left()) / inner.width().max(1.0)).clamp(0.0, 1.0);
    Some(CompareRequest::To(part * last))
}

/// A line of a match, by its number.
fn line(painter: &Painter, path: &[Pos2], stroke: Stroke, number: usize) {
    match number {
        0 => drop(painter.add(Shape::line(path.to_vec(), stroke))),
        _ => painter.extend(Shape::dashed_line(path, stroke, DASHES[0], DASHES[1])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_axis_are_round() {
        let steps = [0.2, 1.0, 1.4, 3.0, 7.0, 30.0, 120.0].map(step_of_counts);
        assert_eq!(steps, [1.0, 1.0, 2.0, 5.0, 10.0, 50.0, 200.0]);
    }
}
