//! Axis below the track: the turns of the match, or its time where it has none. Ticks and labels thin out with the width.

use eframe::egui::{Align2, Color32, FontId, Painter, Rect, Stroke, pos2};
use grandstand_board::theme::{Palette, SMALL};
use grandstand_story::format;

use super::scale::Scale;
use crate::session::{Chapters, Session};
use crate::widgets::time_steps;

/// How high the axis is.
pub(super) const AXIS: f32 = 19.0;
/// Labels are so far apart at least, from the middle of one to that of the next.
const APART: f32 = 64.0;
/// Ticks without a label are so far apart at least.
const TICKS_APART: f32 = 6.0;
/// How far apart turns with a label may be.
const TURNS: [u64; 3] = [1, 2, 5];

/// A tick with its label, or without.
#[derive(Debug, Clone, PartialEq)]
struct Tick {
    /// The command that made it, or 0 for a time, and its time.
    at: (u64, f64),
    label: Option<String>,
}

/// Paints the axis along the upper edge of `area`; `named` where it has its name before it.
pub(super) fn paint(painter: &Painter, area: Rect, session: &Session, scale: &Scale, named: bool) {
    let palette = Palette::of(painter.ctx());
    let font = FontId::proportional(SMALL - 1.0);
    let mut free = f32::NEG_INFINITY;
    // Where there is no room before the axis, its first label says what the numbers are.
    let mut name = session.chapters.unit_name().filter(|_| !named);
    let ticks = ticks(&session.chapters, scale);
    let of_last = ticks.iter().rposition(|tick| tick.label.is_some());
    let last = of_last.and_then(|at| ticks[at].label.clone());
    let last = last.map_or(0.0, |label| painter.layout_no_wrap(label, font.clone(), palette.weak).size().x);
    // The last label has its room before those in the middle.
    let last = of_last.map_or(f32::INFINITY, |at| {
        scale.x_of(ticks[at].at).min(scale.right() + super::MARGIN - last / 2.0) - last / 2.0
    });
    for (index, tick) in ticks.into_iter().enumerate() {
        let x = scale.x_of(tick.at);
        let Some(label) = tick.label else {
            painter.vline(x, area.top()..=area.top() + 2.5, Stroke::new(1.0, palette.line));
            continue;
        };
        let text = match name.take() {
            Some(name) => format!("{name} {label}"),
            None => label,
        };
        let galley = painter.layout_no_wrap(text, font.clone(), palette.weak);
        let half = galley.size().x / 2.0;
        // The first label keeps clear of the name before the axis.
        let first = scale.left + half - if named { 3.0 } else { super::MARGIN };
        let middle = x.clamp(first, (scale.right() + super::MARGIN - half).max(first));
        painter.vline(x, area.top()..=area.top() + 4.0, Stroke::new(1.0, palette.weak));
        let is_in_the_way = Some(index) != of_last && index > 0 && middle + half + 8.0 > last;
        if middle - half < free || is_in_the_way {
            continue;
        }
        free = middle + half + 8.0;
        painter.galley(pos2(middle - half, area.top() + 3.5), galley, palette.weak);
    }
}

/// What the numbers of the axis are, before it where there is room.
pub(super) fn paint_name(painter: &Painter, at: eframe::egui::Pos2, session: &Session, ink: Color32) {
    let name = session.chapters.unit_name().unwrap_or("Time");
    painter.text(at, Align2::RIGHT_TOP, name, FontId::proportional(SMALL - 1.0), ink);
}

/// The ticks that are seen: turns where the match has them, else times.
fn ticks(chapters: &Chapters, scale: &Scale) -> Vec<Tick> {
    if chapters.unit_name().is_some() { turn_ticks(chapters, scale) } else { time_ticks(scale) }
}

fn turn_ticks(chapters: &Chapters, scale: &Scale) -> Vec<Tick> {
    let Some((first, _)) = chapters.known() else { return Vec::new() };
    let [from, to] = scale.seen();
    let first = chapters.at(from).unwrap_or(first);
    let Some(last) = chapters.at(to) else { return Vec::new() };
    let count = (last.saturating_sub(first) + 1) as f32;
    let step = |apart: f32| {
        let least = count * apart / scale.width;
        let steps = (0..18).flat_map(|power| TURNS.map(|step| step * 10_u64.pow(power)));
        steps.into_iter().find(|step| *step as f32 >= least).unwrap_or(u64::MAX)
    };
    let (labelled, ticked) = (step(APART), step(TICKS_APART));
    let begin = first.div_ceil(ticked).saturating_mul(ticked);
    let numbers = (begin..=last).step_by(usize::try_from(ticked).unwrap_or(usize::MAX));
    // The first turn has its label, whatever comes after it, and so has the last one.
    let numbers =
        (first == 1).then_some(1).into_iter().chain(numbers.filter(|number| *number > 1 && *number < last));
    let numbers = numbers.chain((last > 1).then_some(last));
    let at = |number| Some((chapters.seq_of(number)?, chapters.time_of(number)?));
    let seen = numbers.filter_map(|number| Some((number, at(number)?)));
    seen.filter(|(_, at)| scale.sees_at(*at))
        .map(|(number, at)| {
            let label = number.is_multiple_of(labelled) || number == 1 || number == last;
            Tick { at, label: label.then(|| format::number(number)) }
        })
        .collect()
}

fn time_ticks(scale: &Scale) -> Vec<Tick> {
    let labelled = time_steps::at_least(scale.per_point() * f64::from(APART));
    let ticked = time_steps::dividing(labelled, scale.per_point() * f64::from(TICKS_APART));
    let first = (scale.window.from / ticked).ceil().max(0.0) as u64;
    let last = (scale.window.to / ticked).floor().max(0.0) as u64;
    let every = (labelled / ticked).round().max(1.0) as u64;
    // As many as there is room for, whatever the numbers are.
    (first..=last)
        .take((scale.width / TICKS_APART) as usize + 2)
        .map(|n| {
            let secs = n as f64 * ticked;
            let text = time_steps::label(secs, labelled);
            Tick { at: (0, secs), label: n.is_multiple_of(every).then_some(text) }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::super::pace::Pace;
    use super::super::scale::Window;
    use super::*;

    fn scale(width: f32, from: f64, to: f64) -> Scale {
        let pace = Rc::new(Pace::of(&Chapters::default(), 100_000.0));
        Scale { left: 0.0, width, window: Window { from, to }, end: 100_000.0, pace }
    }

    #[test]
    fn labels_thin_out_with_the_width_and_never_touch() {
        for width in [60.0, 160.0, 700.0, 1800.0] {
            for (from, to) in [(0.0, 0.3), (0.0, 7.0), (31.0, 33.0), (0.0, 640.0), (0.0, 99_000.0)] {
                let scale = scale(width, from, to);
                let ticks = time_ticks(&scale);
                let labels: Vec<f32> = ticks
                    .iter()
                    .filter(|tick| tick.label.is_some())
                    .map(|tick| scale.x_of(tick.at))
                    .collect();
                assert!(
                    labels.windows(2).all(|pair| pair[1] - pair[0] >= APART - 0.1),
                    "{width} {from} {to}"
                );
                assert!(width < 200.0 || labels.len() >= 2, "{width} {from} {to}: {ticks:?}");
                assert!(ticks.len() as f32 <= width / TICKS_APART + 2.0);
            }
        }
    }

    #[test]
    fn times_are_written_as_finely_as_they_differ() {
        let labels = |from, to| -> Vec<String> {
            time_ticks(&scale(300.0, from, to)).into_iter().filter_map(|tick| tick.label).collect()
        };
        assert_eq!(labels(0.0, 60.0), ["0:00", "0:15", "0:30", "0:45", "1:00"]);
        assert_eq!(labels(0.0, 2.0), ["0:00.0", "0:00.5", "0:01.0", "0:01.5", "0:02.0"]);
    }
}
