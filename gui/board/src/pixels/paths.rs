//! Paths: the area of an outline, or of a pen along it, in the form that tiny-skia fills.

use egui::pos2;
use tiny_skia::{FillRule, LineCap, LineJoin, Path, PathBuilder, Rect, Stroke};

use super::shapes::{HANDLE, Outline, Pen, Point, STEPS, Verb, rounded};

/// Corners sharper than a right angle are cut off, as in a window.
const MITER: f32 = 1.42;
/// Least and largest number of straight pieces of a curve.
const PIECES: [f32; 2] = [4.0, 64.0];

/// Area of a pen along an outline, and its fill rule.
pub(super) fn stroke(outline: &Outline, pen: Pen) -> Option<(Path, FillRule)> {
    let half = pen.width as f32 / STEPS as f32 / 2.0;
    match outline {
        // The area between two circles, or two rectangles.
        Outline::Circle { center, radius } => {
            let mut builder = PathBuilder::new();
            let radius = *radius as f32 / STEPS as f32;
            circle(&mut builder, *center, radius + half);
            if radius > half {
                circle(&mut builder, *center, radius - half);
            }
            Some((builder.finish()?, FillRule::EvenOdd))
        }
        Outline::Rect { min, max, radii } => {
            let mut builder = PathBuilder::new();
            for by in [half, -half] {
                let grown = |radius: i32| {
                    let radius = radius as f32 / STEPS as f32;
                    if radius > 0.0 { (radius + by).max(0.0) } else { 0.0 }
                };
                let ((left, top), (right, bottom)) = (min.pixels(), max.pixels());
                let (min, max) = (pos2(left - by, top - by), pos2(right + by, bottom + by));
                let rect = egui::Rect::from_min_max(min, max);
                if rect.is_positive() {
                    add(&mut builder, &rounded(rect, radii.map(grown), Point::at));
                }
            }
            Some((builder.finish()?, FillRule::EvenOdd))
        }
        Outline::Polygon { points, closed } => {
            let points: Vec<(f32, f32)> = points.iter().map(|point| point.pixels()).collect();
            Some((line(&points, *closed, half)?, FillRule::Winding))
        }
        Outline::Curve(verbs) => {
            let (points, closed) = flat(verbs);
            Some((line(&points, closed, half)?, FillRule::Winding))
        }
        Outline::Text(_) | Outline::Triangles(_) => None,
    }
}

/// Area inside an outline; `None` for an empty one and for triangles.
pub(super) fn path(outline: &Outline) -> Option<Path> {
    let mut builder = PathBuilder::new();
    match outline {
        Outline::Circle { center, radius } => circle(&mut builder, *center, *radius as f32 / STEPS as f32),
        Outline::Rect { min, max, radii } if *radii == [0; 4] => {
            let ((left, top), (right, bottom)) = (min.pixels(), max.pixels());
            builder.push_rect(Rect::from_ltrb(left, top, right, bottom)?);
        }
        Outline::Rect { min, max, radii } => {
            let ((left, top), (right, bottom)) = (min.pixels(), max.pixels());
            let rect = egui::Rect::from_min_max(pos2(left, top), pos2(right, bottom));
            add(&mut builder, &rounded(rect, radii.map(|radius| radius as f32 / STEPS as f32), Point::at));
        }
        Outline::Polygon { points, .. } => {
            for (index, point) in points.iter().enumerate() {
                let (x, y) = point.pixels();
                if index == 0 { builder.move_to(x, y) } else { builder.line_to(x, y) }
            }
            builder.close();
        }
        Outline::Curve(verbs) | Outline::Text(verbs) => add(&mut builder, verbs),
        Outline::Triangles(_) => {}
    }
    builder.finish()
}

fn circle(builder: &mut PathBuilder, center: Point, radius: f32) {
    let ((x, y), h) = (center.pixels(), radius * HANDLE);
    let place = |(dx, dy): (f32, f32)| (x + dx, y + dy);
    builder.move_to(x + radius, y);
    for quarter in [
        [(radius, 0.0), (radius, h), (h, radius), (0.0, radius)],
        [(0.0, radius), (-h, radius), (-radius, h), (-radius, 0.0)],
        [(-radius, 0.0), (-radius, -h), (-h, -radius), (0.0, -radius)],
        [(0.0, -radius), (h, -radius), (radius, -h), (radius, 0.0)],
    ] {
        bend(quarter.map(place), |(x, y)| builder.line_to(x, y));
    }
    builder.close();
}

fn add(builder: &mut PathBuilder, verbs: &[Verb]) {
    let mut from = (0.0, 0.0);
    for verb in verbs {
        match *verb {
            Verb::Move(to) => builder.move_to(to.pixels().0, to.pixels().1),
            Verb::Line(to) => builder.line_to(to.pixels().0, to.pixels().1),
            Verb::Quad(a, to) => {
                builder.quad_to(a.pixels().0, a.pixels().1, to.pixels().0, to.pixels().1);
            }
            Verb::Cubic(a, b, to) => {
                bend([from, a.pixels(), b.pixels(), to.pixels()], |(x, y)| builder.line_to(x, y));
            }
            Verb::Close => builder.close(),
        }
        if let Verb::Move(to) | Verb::Line(to) | Verb::Quad(_, to) | Verb::Cubic(_, _, to) = verb {
            from = to.pixels();
        }
    }
}

/// Area of a pen along straight pieces.
fn line(points: &[(f32, f32)], closed: bool, half: f32) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for (index, (x, y)) in points.iter().enumerate() {
        if index == 0 { builder.move_to(*x, *y) } else { builder.line_to(*x, *y) }
    }
    if closed {
        builder.close();
    }
    let stroke = Stroke {
        width: half * 2.0,
        miter_limit: MITER,
        line_cap: LineCap::Butt,
        line_join: LineJoin::Miter,
        dash: None,
    };
    builder.finish()?.stroke(&stroke, 1.0)
}

/// A curve as straight pieces, and whether it is closed.
fn flat(verbs: &[Verb]) -> (Vec<(f32, f32)>, bool) {
    let mut points: Vec<(f32, f32)> = Vec::new();
    let mut closed = false;
    for verb in verbs {
        match *verb {
            Verb::Move(to) | Verb::Line(to) => points.push(to.pixels()),
            Verb::Quad(handle, to) => {
                let from = points.last().copied().unwrap_or_default();
                let (handle, to) = (handle.pixels(), to.pixels());
                let third = |end: (f32, f32)| {
                    let part = |end: f32, handle: f32| end + (handle - end) * (2.0 / 3.0);
                    (part(end.0, handle.0), part(end.1, handle.1))
                };
                bend([from, third(from), third(to), to], |at| points.push(at));
            }
            Verb::Cubic(a, b, to) => {
                let from = points.last().copied().unwrap_or_default();
                bend([from, a.pixels(), b.pixels(), to.pixels()], |at| points.push(at));
            }
            Verb::Close => closed = true,
        }
    }
    (points, closed)
}

/// Cuts a cubic curve into straight pieces, more for a longer one; calls `line_to` for the end of each.
///
/// tiny-skia itself would cut curves at tile borders, at places found by cosines, which differ between machines.
fn bend([from, a, b, to]: [(f32, f32); 4], mut line_to: impl FnMut((f32, f32))) {
    let apart = |(x, y): (f32, f32), (u, v): (f32, f32)| ((u - x) * (u - x) + (v - y) * (v - y)).sqrt();
    let length = apart(from, a) + apart(a, b) + apart(b, to);
    let pieces = (2.0 * length.sqrt()).ceil().clamp(PIECES[0], PIECES[1]) as u16;
    for n in 1..pieces {
        let t = f32::from(n) / f32::from(pieces);
        let s = 1.0 - t;
        let weights = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
        let at = |p: [f32; 4]| p.iter().zip(weights).map(|(value, weight)| value * weight).sum();
        line_to((at([from.0, a.0, b.0, to.0]), at([from.1, a.1, b.1, to.1])));
    }
    line_to(to);
}
