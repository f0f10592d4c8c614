//! Scale of the timeline: which part of the match is seen, and where its times lie along the track.

use std::rc::Rc;

use eframe::egui::{Rect, vec2};

use super::MARGIN;
use super::pace::Pace;
use crate::session::Session;

/// Zoom factor of one press of a key or a button.
pub(super) const STEP: f64 = 2.0;
/// Shortest visible part, as a fraction of the match.
const CLOSEST: f64 = 1e-3;
/// Upper bound of the shortest visible part, in seconds.
const CLOSEST_SECS: f64 = 0.5;
/// Distance of two moments that a pointer does not tell apart, in points.
const NEAR: f32 = 5.0;
/// Least distance of the shown moment from the ends of the visible part while that follows it, as a fraction of it.
const AHEAD: f64 = 0.1;

/// Visible part of a match, from one [place](Pace) of its timeline to another, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Window {
    pub from: f64,
    pub to: f64,
}

impl Window {
    /// All of a match that is `end` long.
    pub(super) fn whole(end: f64) -> Window {
        Window { from: 0.0, to: end }
    }

    fn secs(self) -> f64 {
        self.to - self.from
    }

    /// Zooms by `factor` around the place `at`; `None` when all of the match is visible.
    pub(super) fn zoomed(self, factor: f64, at: f64, end: f64) -> Option<Window> {
        let closest = (end * CLOSEST).min(CLOSEST_SECS);
        let secs = self.secs() / factor;
        if !secs.is_finite() || secs >= end {
            return None;
        }
        let secs = secs.max(closest);
        let part = ((at - self.from) / self.secs().max(1e-9)).clamp(0.0, 1.0);
        Some(Window { from: at - part * secs, to: at + (1.0 - part) * secs }.within(end))
    }

    /// Moves the visible part by `by` seconds.
    pub(super) fn moved(self, by: f64, end: f64) -> Window {
        Window { from: self.from + by, to: self.to + by }.within(end)
    }

    fn within(self, end: f64) -> Window {
        let secs = self.secs().min(end);
        let from = self.from.clamp(0.0, end - secs);
        Window { from, to: from + secs }
    }

    fn has(self, place: f64) -> bool {
        (self.from..=self.to).contains(&place)
    }

    /// Follows the picture from one place to another: when it leaves what is seen, that goes on with it. What the viewer looks at elsewhere
    /// stays while the picture plays.
    pub(super) fn following(self, before: f64, now: f64, plays: bool, end: f64) -> Window {
        if before == now || self.has(now) || plays && !self.has(before) {
            return self;
        }
        let part = if now > before { AHEAD } else { 1.0 - AHEAD };
        let from = now - part * self.secs();
        Window { from, to: from + self.secs() }.within(end)
    }
}

/// Where times lie along the track.
#[derive(Debug, Clone)]
pub(super) struct Scale {
    pub left: f32,
    pub width: f32,
    /// The places at the two ends.
    pub window: Window,
    /// The time of the end of the match, which is its place too.
    pub end: f64,
    pub pace: Rc<Pace>,
}

impl Scale {
    pub(super) fn of(session: &Session, pace: &Rc<Pace>, window: Option<Window>, area: Rect) -> Scale {
        let inner = area.shrink2(vec2(MARGIN, 0.0));
        let end = end_of(session);
        let window = window.unwrap_or(Window::whole(end));
        Scale { left: inner.left(), width: inner.width().max(1.0), window, end, pace: Rc::clone(pace) }
    }

    pub(super) fn right(&self) -> f32 {
        self.left + self.width
    }

    /// Where a time is; at an end for one that is not seen.
    pub(super) fn x(&self, secs: f64) -> f32 {
        self.x_of_place(self.pace.place(secs))
    }

    /// Where a command and its time are: of turns at one time each has its place.
    pub(super) fn x_of(&self, (seq, secs): (u64, f64)) -> f32 {
        self.x_of_place(self.pace.place_of(seq, secs))
    }

    fn x_of_place(&self, place: f64) -> f32 {
        let part = (place - self.window.from) / self.window.secs().max(1e-9);
        self.left + self.width * part.clamp(0.0, 1.0) as f32
    }

    /// The place of the timeline at a point of the track.
    pub(super) fn place(&self, x: f32) -> f64 {
        let part = f64::from((x - self.left) / self.width).clamp(0.0, 1.0);
        (self.window.from + part * self.window.secs()).clamp(0.0, self.end)
    }

    /// The time at a point of the track.
    pub(super) fn secs(&self, x: f32) -> f64 {
        self.pace.secs(self.place(x)).clamp(0.0, self.end)
    }

    /// Whether a time is seen.
    pub(super) fn sees(&self, secs: f64) -> bool {
        self.window.has(self.pace.place(secs))
    }

    /// Whether a command and its time are seen.
    pub(super) fn sees_at(&self, (seq, secs): (u64, f64)) -> bool {
        self.window.has(self.pace.place_of(seq, secs))
    }

    /// Whether a command and its time are seen as near to a point as a pointer can tell.
    pub(super) fn is_near(&self, at: (u64, f64), x: f32) -> bool {
        self.sees_at(at) && (self.x_of(at) - x).abs() <= NEAR
    }

    /// The command of the turn at a point of the track, where its time does not tell it from others.
    pub(super) fn turn_at(&self, x: f32) -> Option<u64> {
        self.pace.turn_at(self.place(x), f64::from(NEAR) * self.per_point())
    }

    /// Whether anything between two times is seen.
    pub(super) fn sees_any(&self, from: f64, to: f64) -> bool {
        self.pace.place(from) <= self.window.to && self.pace.place(to) >= self.window.from
    }

    /// So much of the timeline is a point of the screen, in seconds.
    pub(super) fn per_point(&self) -> f64 {
        self.window.secs() / f64::from(self.width)
    }

    /// The times of the two ends of what is seen.
    pub(super) fn seen(&self) -> [f64; 2] {
        [self.window.from, self.window.to].map(|place| self.pace.secs(place))
    }

    /// So many seconds of the match are a point of the screen around a time.
    pub(super) fn secs_per_point(&self, secs: f64) -> f64 {
        let (place, half) = (self.pace.place(secs), self.per_point() / 2.0);
        self.pace.secs(place + half) - self.pace.secs(place - half)
    }
}

/// The pace of a match on its timeline.
pub(super) fn pace_of(session: &Session) -> Rc<Pace> {
    Rc::new(Pace::of(&session.chapters, end_of(session)))
}

/// How long a match is on the timeline, in seconds; never nothing.
pub(super) fn end_of(session: &Session) -> f64 {
    session.end_secs().max(1e-6)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Chapters;

    const END: f64 = 100.0;

    #[test]
    fn what_is_pointed_at_stays_when_less_is_seen() {
        let near = Window::whole(END).zoomed(4.0, 60.0, END).expect("a part");
        assert_eq!(near, Window { from: 45.0, to: 70.0 });
        assert_eq!(near.zoomed(0.25, 60.0, END), None, "all of it");
        let nearest = (0..60).fold(near, |near, _| near.zoomed(2.0, 60.0, END).expect("a part"));
        assert!((nearest.secs() - 0.1).abs() < 1e-9 && nearest.has(60.0), "{nearest:?}");
        assert_eq!(near.zoomed(f64::NAN, 60.0, END), None);
    }

    #[test]
    fn the_part_that_is_seen_stays_within_the_match() {
        let near = Window { from: 45.0, to: 70.0 };
        assert_eq!(near.moved(500.0, END), Window { from: 75.0, to: 100.0 });
        assert_eq!(near.moved(-500.0, END), Window { from: 0.0, to: 25.0 });
    }

    #[test]
    fn it_goes_on_with_the_picture_and_waits_where_the_viewer_looks() {
        let near = Window { from: 40.0, to: 60.0 };
        assert_eq!(near.following(50.0, 59.0, true, END), near);
        assert_eq!(near.following(59.9, 60.1, true, END), Window { from: 58.1, to: 78.1 });
        assert_eq!(near.following(10.0, 10.1, true, END), near, "the viewer looks elsewhere");
        assert_eq!(near.following(10.0, 12.0, false, END), Window { from: 10.0, to: 30.0 }, "a step");
        assert_eq!(near.following(50.0, 30.0, false, END), Window { from: 12.0, to: 32.0 });
        assert_eq!(near.following(30.0, 30.0, false, END), near);
    }

    #[test]
    fn places_and_times_belong_together() {
        let window = Window { from: 40.0, to: 60.0 };
        let pace = Rc::new(Pace::of(&Chapters::default(), END));
        let scale = Scale { left: 10.0, width: 200.0, window, end: END, pace };
        for secs in [40.0, 47.5, 60.0] {
            assert!((scale.secs(scale.x(secs)) - secs).abs() < 1e-4 && scale.sees(secs));
        }
        assert_eq!((scale.x(0.0), scale.x(99.0)), (10.0, 210.0));
        assert!(!scale.sees(61.0) && !scale.sees_any(61.0, 70.0) && scale.sees_any(20.0, 90.0));
    }
}
