//! Axes of a plot: times below it, values beside it, and the moment that is pointed at.

use std::ops::RangeInclusive;

use eframe::egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Response, Stroke, Ui, pos2, vec2};
use grandstand_board::badge::team_badge;
use grandstand_board::theme::{Palette, SMALL, mix, semibold};
use grandstand_story::format;
use grandstand_story::plots::Point;
use grandstand_story::sides::Side;

use super::LEFT;
use super::move_axis::MoveAxis;
use crate::widgets::time_steps;

/// The room for the times below a plot, in points.
pub(super) const BELOW: f32 = 20.0;
/// Gap between a number and the plot, and before it, in points.
const BESIDE: f32 = 6.0;
/// Radius of the sides' badges, and how far they move a plot to the right, in points.
const BADGE: f32 = 5.0;
pub(in crate::panels) const BADGES: f32 = 2.0 * BADGE + 3.0 - BESIDE;
/// Labels of the time are so far apart at least, in points.
const APART: f32 = 56.0;

/// The area of a plot over the time of a match.
#[derive(Debug, Clone, Copy)]
pub(super) struct TimeAxis {
    inner: Rect,
    /// The time at the right edge, in seconds.
    end: f64,
}

impl TimeAxis {
    pub(super) fn new(inner: Rect, end: f64) -> TimeAxis {
        TimeAxis { inner, end: end.max(1e-6) }
    }

    /// The place of a time.
    pub(super) fn x(&self, secs: f64) -> f32 {
        self.inner.left() + self.inner.width() * (secs / self.end).clamp(0.0, 1.0) as f32
    }

    /// The time at a place.
    fn secs(&self, x: f32) -> f64 {
        f64::from((x - self.inner.left()) / self.inner.width().max(1.0)).clamp(0.0, 1.0) * self.end
    }

    /// The time that is pointed at, in seconds.
    pub(super) fn pointed(&self, response: &Response) -> Option<f64> {
        let at = response.hover_pos().or(response.interact_pointer_pos())?;
        Some(self.secs(at.x))
    }

    /// Paints the ticks with their times, without those that `hidden` covers.
    pub(super) fn paint(&self, painter: &Painter, palette: &Palette, hidden: Option<f32>) {
        let per_point = self.end / f64::from(self.inner.width().max(1.0));
        let step = time_steps::at_least(per_point * f64::from(APART));
        let count = (self.end / step).floor().min(64.0) as u32;
        for n in 0..=count {
            let secs = f64::from(n) * step;
            let x = self.x(secs);
            let bottom = self.inner.bottom();
            painter.vline(x, bottom..=bottom + 3.0, Stroke::new(1.0, palette.weak));
            if hidden.is_some_and(|hidden| (hidden - x).abs() < APART * 0.6) {
                continue;
            }
            // Below the lowest value, which stands beside the first time.
            let at = pos2(x, bottom + 6.0);
            painter.text(at, Align2::CENTER_TOP, time_steps::label(secs, step), font(), palette.weak);
        }
    }

    /// Paints a line through the moment that is pointed at, and its time on the axis.
    pub(super) fn paint_pointed(&self, painter: &Painter, palette: &Palette, secs: f64, whole: Rect) {
        let x = self.x(secs);
        let line = Stroke::new(1.0, palette.text.gamma_multiply(0.7));
        painter.vline(x, self.inner.y_range(), line);
        plate(
            painter,
            palette,
            pos2(x, self.inner.bottom() + 5.0),
            &format::clock(secs),
            whole.x_range().into(),
        );
    }
}

/// The axis of a plot of steps: the one that all plots of the match have, so that a line means the same in each.
#[derive(Debug)]
pub(super) enum Axis<'a> {
    /// Over the time of the match.
    Time(TimeAxis),
    /// Over its moves, in games by turns.
    Moves(MoveAxis<'a>),
}

/// A place that is pointed at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pointed {
    /// What is there.
    pub what: What,
    /// Its place.
    pub x: f32,
}

/// What is at a place of an axis.
#[derive(Debug, Clone, Copy)]
pub(super) enum What {
    /// A time in seconds.
    Secs(f64),
    /// A move, counted from 0: the last command before the next one.
    Move { index: usize, end_seq: u64 },
}

impl Pointed {
    /// The move, counted from 0, if the axis has moves.
    fn index(self) -> Option<usize> {
        match self.what {
            What::Secs(_) => None,
            What::Move { index, .. } => Some(index),
        }
    }
}

impl Axis<'_> {
    /// The place of the shown moment, which has a command and a time in seconds.
    pub(super) fn x(&self, shown: (u64, f64)) -> f32 {
        match self {
            Axis::Time(axis) => axis.x(shown.1),
            Axis::Moves(axis) => axis.x(shown),
        }
    }

    /// The place of a change: over moves, where the move that made it stands.
    pub(super) fn x_of_change(&self, point: &Point) -> f32 {
        match self {
            Axis::Time(axis) => axis.x(point.t.as_secs_f64()),
            Axis::Moves(axis) => axis.x_of_change(point.seq),
        }
    }

    /// The place of the start, and that of the end of what is known.
    pub(super) fn ends(&self) -> (f32, f32) {
        match self {
            Axis::Time(axis) => (axis.inner.left(), axis.inner.right()),
            Axis::Moves(axis) => (axis.x((0, 0.0)), axis.end()),
        }
    }

    /// The place that is pointed at.
    pub(super) fn pointed(&self, response: &Response) -> Option<Pointed> {
        match self {
            Axis::Time(axis) => {
                let secs = axis.pointed(response)?;
                Some(Pointed { what: What::Secs(secs), x: axis.x(secs) })
            }
            Axis::Moves(axis) => {
                let index = axis.pointed(response)?;
                let what = What::Move { index, end_seq: axis.end_seq(index) };
                Some(Pointed { what, x: axis.middle(index) })
            }
        }
    }

    /// Paints the numbers below the plot, without those that the pointed place covers.
    pub(super) fn paint(&self, painter: &Painter, palette: &Palette, pointed: Option<Pointed>) {
        match self {
            Axis::Time(axis) => axis.paint(painter, palette, pointed.map(|at| at.x)),
            Axis::Moves(axis) => axis.paint(painter, palette, pointed.and_then(Pointed::index)),
        }
    }

    /// Paints a line through the place that is pointed at, and its time or move below it.
    pub(super) fn paint_pointed(&self, painter: &Painter, palette: &Palette, at: Pointed, whole: Rect) {
        match (self, at.what) {
            (Axis::Moves(axis), What::Move { index, .. }) => {
                axis.paint_pointed(painter, palette, index, whole)
            }
            (Axis::Time(axis), What::Secs(secs)) => axis.paint_pointed(painter, palette, secs, whole),
            _ => {}
        }
    }
}

pub(in crate::panels) fn font() -> FontId {
    FontId::proportional(SMALL - 1.0)
}

/// A text on the axis that stands out; it stays within `range`.
pub(in crate::panels) fn plate(
    painter: &Painter,
    palette: &Palette,
    at: Pos2,
    text: &str,
    range: RangeInclusive<f32>,
) {
    let galley = painter.layout_no_wrap(text.to_owned(), FontId::new(SMALL - 1.0, semibold()), palette.panel);
    let half = galley.size().x / 2.0 + 4.0;
    let x = at.x.clamp(range.start() + half, (range.end() - half).max(range.start() + half));
    let rect = Rect::from_center_size(pos2(x, at.y + galley.size().y / 2.0), galley.size() + vec2(8.0, 1.0));
    painter.rect_filled(rect, 3.0, palette.text);
    painter.galley(rect.center() - galley.size() / 2.0, galley, palette.panel);
}

/// The room for these numbers before a plot, in points: within the plot's ground.
pub(in crate::panels) fn left(painter: &Painter, numbers: impl Iterator<Item = String>) -> f32 {
    let wide = |text| painter.layout_no_wrap(text, font(), Color32::WHITE).size().x;
    numbers.map(wide).fold(LEFT - 2.0 * BESIDE, f32::max) + 2.0 * BESIDE
}

/// The badges of both sides before the numbers: at the top and the bottom of the plot, where each is ahead. `left`: the edge of the
/// whole plot.
pub(in crate::panels) fn badges(ui: &Ui, sides: &[Side], inner: Rect, left: f32) {
    for (side, end) in sides.iter().zip([inner.top() + BADGE, inner.bottom() - BADGE]) {
        team_badge(ui, side, pos2(left + BADGE + 3.0, end), BADGE);
    }
}

/// A line through a value, and its number before it.
pub(in crate::panels) fn value_line(painter: &Painter, palette: &Palette, inner: Rect, y: f32, text: &str) {
    painter.hline(inner.x_range(), y, Stroke::new(1.0, mix(palette.raised, palette.line, 0.8)));
    painter.text(pos2(inner.left() - BESIDE, y), Align2::RIGHT_CENTER, text, font(), palette.weak);
}
