//! Plot of the scores or the evaluations of both matches over what aligns them: the first one's lines are whole, those of the second one
//! dashed.

use std::sync::Arc;

use eframe::egui::text::{LayoutJob, TextFormat};
use eframe::egui::{
    Align2, FontId, Galley, Painter, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2,
};
use grandstand_board::theme::{Palette, SMALL, semibold};
use grandstand_replays::diff::Lock;
use grandstand_story::format;
use grandstand_story::games::sides;
use grandstand_story::plots::{Plot, PlotKind, Point, Series};
use grandstand_story::sides::Side;
use grandstand_story::story;

use super::score_values::Values;
use super::{Compare, CompareRequest, places};
use crate::panels::plot::axes;
use crate::session::Session;
use crate::widgets::time_steps;

/// Heights of the legend and of the numbers below the plot, in points.
const LEGEND: f32 = 24.0;
const BELOW: f32 = 18.0;
/// Distance of two numbers of the axis at least, in points.
const APART: f32 = 64.0;
/// Distance of two lines of equal values in a plot of this height, in points; in a lower one it would be read as a value.
const APART_LINES: f32 = 1.3;
const HIGH: f32 = 110.0;
/// Dashes and gaps of the second match, and the length of the pieces of line in the legend, in points.
const DASHES: [f32; 2] = [6.0, 4.0];
const SAMPLE: f32 = 22.0;
/// Gaps of the legend: between a piece of line and its text, and between both matches, in points.
const BEFORE: f32 = 6.0;
const BETWEEN: f32 = 20.0;

/// The plots of both matches: those of the scores or those of the evaluations, whichever say more. `None` of a match without.
fn plots(pair: [&Session; 2]) -> [Option<&Plot>; 2] {
    let of = |kind: PlotKind| {
        pair.map(|session| {
            let mut plots = session.events.findings().plots.iter();
            plots.find(|plot| plot.kind == kind && !plot.is_empty())
        })
    };
    let count = |plots: &[Option<&Plot>; 2]| -> usize {
        let all = plots.iter().flatten().flat_map(|plot| &plot.series);
        all.map(|series| series.points.len()).sum()
    };
    let (scores, evaluations) = (of(PlotKind::Steps), of(PlotKind::Balance));
    let is_hidden = pair.into_iter().any(|session| session.is_spoiler_free());
    if count(&evaluations) > count(&scores) && !is_hidden { evaluations } else { scores }
}

/// Whether one of these matches has something to plot.
pub(super) fn has_figures(pair: [&Session; 2]) -> bool {
    plots(pair).into_iter().any(|plot| plot.is_some())
}

/// Place of a moment on the axis: its time in seconds, its turn, or its command.
fn place(lock: Lock, session: &Session, (seq, secs): (u64, f64)) -> f64 {
    match lock {
        Lock::Time => secs,
        Lock::Turn => session.chapters.at_seq(seq).unwrap_or(0) as f64,
        Lock::Command => seq as f64,
    }
}

/// Place of a point of a series. By turns an evaluation belongs to the move that it led to, and anything else to the turn that it came
/// with.
fn place_of(lock: Lock, session: &Session, are_scores: bool, point: &Point) -> f64 {
    let at = (point.seq, point.t.as_secs_f64());
    match lock {
        Lock::Turn if are_scores => place(lock, session, (session.end_of((point.seq, point.t)), at.1)),
        Lock::Turn => {
            let moves = session.events.findings().moves.list();
            let led_to = moves.get(moves.partition_point(|made| made.seq < point.seq));
            led_to.map_or_else(|| place(lock, session, at), |made| f64::from(made.number))
        }
        _ => place(lock, session, at),
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

/// The place of the moment that a match shows.
pub(super) fn here(lock: Lock, session: &Session) -> f64 {
    place(lock, session, (session.seq(), session.secs()))
}

/// The value of a series at a place of the axis; `None` before its first one.
fn value_at((lock, are_scores): (Lock, bool), session: &Session, series: &Series, at: f64) -> Option<i32> {
    let is_before = |point: &Point| place_of(lock, session, are_scores, point) <= at;
    let after = series.points.partition_point(is_before);
    after.checked_sub(1).map(|last| series.points[last].value)
}

/// A place of the axis in words.
fn words_at(lock: Lock, session: &Session, at: f64) -> String {
    match lock {
        Lock::Time => format::clock(at),
        Lock::Turn => session.turn_name(at as u64).unwrap_or_else(|| format::number(at as u64)),
        Lock::Command => format!("Line {}", format::number(at as u64)),
    }
}

/// Shows the plot of two boards of which one stands above the other or beside it; returns where a click goes.
pub(super) fn show(
    ui: &mut Ui,
    (rect, is_tall): (Rect, bool),
    compare: &Compare,
    leader: &Session,
) -> Option<CompareRequest> {
    let palette = Palette::of(ui.ctx());
    let (pair, names, lock) = (compare.pair(leader), compare.names(leader), compare.lock);
    let response = ui.interact(rect, ui.scope_id().with("scores"), Sense::click_and_drag());
    let plots = plots(pair);
    let all_sides = pair.map(|session| sides(session.scene(), &session.about.teams));
    let values = Values::of(plots, rect.height() - LEGEND - BELOW);
    let (plots, all_sides) = (&plots, &all_sides);
    let series = |number: usize| {
        let series = plots[number].into_iter().flat_map(|plot| &plot.series);
        series.filter_map(move |series| {
            let index = all_sides[number].iter().position(|side| side.key == series.key)?;
            Some((index, series))
        })
    };
    // The values at a place of the axis, or at the shown moments.
    let values_of = |number: usize, at: Option<f64>| -> Vec<Option<String>> {
        let told = |(index, side): (usize, &Side)| {
            let game = story(pair[number].scene());
            let series = series(number).find(|(of, _)| *of == index).map(|(_, series)| series);
            let value = match (series, at) {
                (None, _) => None,
                (Some(series), Some(at)) => value_at((lock, values.are_scores()), pair[number], series, at),
                (Some(_), None) if values.are_scores() => Some(side.score),
                (Some(series), None) => series.until(pair[number].seq()).map(|point| point.value),
            };
            values.words(game, index, value)
        };
        all_sides[number].iter().enumerate().map(told).collect()
    };
    response.widget_info(|| {
        let title = plots.iter().flatten().next().map_or("Score", |plot| plot.title);
        let each = [0, 1].map(|number: usize| {
            let told = values_of(number, None);
            let names_of: Vec<String> = all_sides[number].iter().map(|side| side.name.clone()).collect();
            format!("{}: {}", names[number], named(&names_of, &told))
        });
        WidgetInfo::labeled(Role::Figure, true, format!("{title} of both. {}", each.join("; ")))
    });
    let painter = ui.painter();
    painter.rect_filled(rect, 8.0, palette.raised);
    let inner = Rect::from_min_max(rect.min + vec2(0.0, LEGEND), rect.max - vec2(16.0, BELOW + 2.0));
    let ends = pair.map(|session| end(lock, session));
    let known = pair.map(|session| {
        let read = session.events.read_to().min(session.log().last_seq());
        place(lock, session, (read, session.log().time_of(read).as_secs_f64()))
    });
    let last = ends.into_iter().fold(1.0, f64::max);
    // Evaluations have no sign: the badges tell who is ahead.
    let badges = if values.are_scores() { 0.0 } else { axes::BADGES };
    let numbers = axes::left(painter, values.lines().map(|(_, label)| label));
    let inner = inner.with_min_x(rect.left() + badges + numbers);
    let x = |at: f64| inner.left() + inner.width() * (at / last).clamp(0.0, 1.0) as f32;
    let y = |value: i32| inner.bottom() - inner.height() * values.part(value);
    for (value, label) in values.lines() {
        axes::value_line(painter, palette, inner, y(value), &label);
    }
    if !values.are_scores() {
        axes::badges(ui, &all_sides[0], inner, rect.left());
    }
    let pointed = response.hover_pos().or(response.interact_pointer_pos()).map(|at| {
        let part = f64::from((at.x - inner.left()) / inner.width().max(1.0)).clamp(0.0, 1.0);
        if lock == Lock::Time { part * last } else { (part * last).round() }
    });
    let least = last / f64::from((inner.width() / APART).max(1.0));
    let step = if lock == Lock::Time { time_steps::at_least(least) } else { step_of_counts(least) };
    for n in 0..=(last / step).floor().min(64.0) as u32 {
        let at = f64::from(n) * step;
        painter.vline(x(at), inner.bottom()..=inner.bottom() + 3.0, Stroke::new(1.0, palette.weak));
        if pointed.is_some_and(|pointed| (x(pointed) - x(at)).abs() < APART * 0.6) {
            continue;
        }
        let words = match lock {
            Lock::Time => time_steps::label(at, step),
            _ => format::number(at as u64),
        };
        let below = pos2(x(at), inner.bottom() + 4.0);
        painter.text(below, Align2::CENTER_TOP, words, axes::font(), palette.weak);
    }
    // Lines of equal values lie beside each other, none below that of zero.
    let apart = (inner.height() / HIGH).clamp(0.4, 1.0) * APART_LINES;
    let shift = |index: usize, number: usize| apart * (index as f32 * 2.0 + number as f32 - 3.0);
    for (number, session) in pair.into_iter().enumerate() {
        for (index, series) in series(number) {
            let shift = shift(index, number);
            let x_of = |point: &Point| x(place_of(lock, session, values.are_scores(), point));
            // What the set-up draws is the first value, and no change.
            let set_up = series.points.partition_point(|point| x_of(point) <= inner.left());
            let (before, changes) = series.points.split_at(set_up);
            let first = before.last().map(|point| point.value).or(values.before());
            let mut path: Vec<Pos2> =
                first.map(|first| pos2(inner.left(), y(first) + shift)).into_iter().collect();
            for point in changes {
                let at = x_of(point);
                path.extend(path.last().filter(|_| values.are_scores()).map(|before| pos2(at, before.y)));
                path.push(pos2(at, y(point.value) + shift));
            }
            // What has not been read yet is no value that stays.
            path.extend(path.last().map(|before| pos2(x(known[number]).max(before.x), before.y)));
            line(painter, &path, Stroke::new(1.8, palette.side(&all_sides[number][index])), number);
        }
    }
    // Each match has its own moment: the lines of two that are aligned are one.
    let high = inner.y_range().expand(3.0);
    let cursors = pair.map(|session| x(here(lock, session)));
    let is_one = (cursors[0] - cursors[1]).abs() < 1.0;
    for (number, at) in cursors.into_iter().enumerate().take(if is_one { 1 } else { 2 }) {
        let ends = [pos2(at, high.min), pos2(at, high.max)];
        line(painter, &ends, Stroke::new(1.0, palette.text.gamma_multiply(0.8)), number);
    }
    let row = Rect::from_x_y_ranges(rect.left() + 12.0..=rect.right() - 8.0, rect.top()..=inner.top());
    legend(
        ui,
        (row, is_tall),
        (&names, &compare.short_names(leader), all_sides),
        [values_of(0, pointed), values_of(1, pointed)],
    );
    let at = pointed?;
    painter.vline(x(at), inner.y_range(), Stroke::new(1.0, palette.text.gamma_multiply(0.7)));
    for (n, session) in pair.into_iter().enumerate().filter(|(n, _)| at <= ends[*n]) {
        for (index, series) in series(n) {
            let Some(value) = value_at((lock, values.are_scores()), session, series, at).or(values.before())
            else {
                continue;
            };
            let point = pos2(x(at), y(value) + shift(index, n));
            let side = palette.side(&all_sides[n][index]);
            match n {
                0 => painter.circle(point, 3.5, side, Stroke::new(1.5, palette.raised)),
                _ => painter.circle(point, 3.5, palette.raised, Stroke::new(1.8, side)),
            };
        }
    }
    let below = pos2(x(at), inner.bottom() + 3.0);
    axes::plate(painter, palette, below, &words_at(lock, leader, at), rect.x_range().into());
    (response.clicked() || response.dragged()).then_some(CompareRequest::To(at))
}

/// The values that are known with their teams: `search wins in 1`.
fn named(teams: &[String], values: &[Option<String>]) -> String {
    let known =
        teams.iter().zip(values).filter_map(|(team, value)| Some(format!("{team} {}", value.as_deref()?)));
    known.collect::<Vec<_>>().join(", ")
}

/// A part of the legend, and the index of the side in whose colour it is.
type Words = (String, Option<usize>);

/// The legend: a piece of each match's line, its name and its values in the colours of their lines, with the names that have room for
/// both; without room for these the places of the boards tell the matches apart.
fn legend(
    ui: &Ui,
    (row, is_tall): (Rect, bool),
    (names, short, sides): (&[String; 2], &[String; 2], &[Vec<Side>; 2]),
    values: [Vec<Option<String>>; 2],
) {
    let (painter, palette) = (ui.painter(), Palette::of(ui.ctx()));
    let joined = |parts: Vec<Words>, between: &str| -> Vec<Words> {
        let apart = |n: usize| (n > 0).then(|| (between.to_owned(), None));
        parts.into_iter().enumerate().flat_map(|(n, part)| apart(n).into_iter().chain([part])).collect()
    };
    let both = |n: usize| {
        let known = values[n].iter().enumerate().filter_map(|(index, value)| {
            Some((format!("{} {}", sides[n].get(index)?.name, value.as_deref()?), Some(index)))
        });
        joined(known.collect(), ", ")
    };
    // A value without its counterpart has its team.
    let brief = |n: usize| {
        let all: Option<Vec<Words>> =
            values[n].iter().enumerate().map(|(index, value)| Some((value.clone()?, Some(index)))).collect();
        all.map_or_else(|| both(n), |all| joined(all, " : "))
    };
    // What is called by its teams does not name them again.
    let is_named_by_teams = |n: usize| sides[n].iter().all(|side| names[n].contains(&side.name));
    let whole = |n: usize| if is_named_by_teams(n) { brief(n) } else { both(n) };
    let titled = |name: &str, values: Vec<Words>| -> Vec<Words> {
        [(format!("{name}: "), None)].into_iter().chain(values).collect()
    };
    let texts = [
        [0, 1].map(|n| titled(&names[n], whole(n))),
        [0, 1].map(|n| titled(&names[n], brief(n))),
        [0, 1].map(|n| titled(&short[n], brief(n))),
        [0, 1].map(|n| titled(&format::capitalised(places(is_tall)[n]), brief(n))),
        [0, 1].map(brief),
    ];
    let laid_out = |n: usize, words: &[Words]| {
        let mut job = LayoutJob::default();
        for (text, side) in words {
            let side = side.and_then(|index| sides[n].get(index));
            let ink = side.map_or(palette.text, |side| palette.side(side));
            job.append(text, 0.0, TextFormat::simple(FontId::new(SMALL, semibold()), ink));
        }
        ui.fonts_mut(|fonts| fonts.layout_job(job))
    };
    let laid = texts.map(|texts| [0, 1].map(|n| laid_out(n, &texts[n])));
    let width = |galleys: &[Arc<Galley>; 2]| -> f32 {
        galleys.iter().map(|galley| SAMPLE + BEFORE + galley.size().x).sum::<f32>() + BETWEEN
    };
    let Some(galleys) = laid.into_iter().find(|galleys| width(galleys) <= row.width()) else { return };
    let mut left = row.left();
    for (number, galley) in galleys.into_iter().enumerate() {
        let at = pos2(left, row.center().y);
        line(painter, &[at, at + vec2(SAMPLE, 0.0)], Stroke::new(2.0, palette.text), number);
        let place = at + vec2(SAMPLE + BEFORE, -galley.size().y / 2.0);
        left = place.x + galley.size().x + BETWEEN;
        painter.galley(place, galley, palette.text);
    }
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
