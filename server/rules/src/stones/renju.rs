//! Forbidden moves of black in Renju, by the definitions of the Renju International Federation.
//!
//! - A **five** is a row of just five stones; one that has more is an **overline**.
//! - A **four** is a row of stones and one empty point which a stone there makes a five. It is **straight** when its four
//!   stones stand side by side and a stone at either end makes a five.
//! - A **three** is a row that one more stone makes a straight four, if black may place that stone and makes no five with
//!   it, in whatever direction.
//!
//! A stone that makes a five is never forbidden. One that makes an overline, two fours or two threes is. Whether a three
//! is one depends on whether a further stone is forbidden, which depends on threes in turn.

use std::fmt;

use grandstand_protocol::stones::Point;

use super::board::{AXES, Board};
use crate::turn::Side;

/// Why black may not place a stone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Forbidden {
    /// Six or more in a row.
    Overline,
    /// Two fours at once.
    DoubleFour,
    /// Two threes at once.
    DoubleThree,
}

impl fmt::Display for Forbidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Forbidden::Overline => "an overline",
            Forbidden::DoubleFour => "a double-four",
            Forbidden::DoubleThree => "a double-three",
        })
    }
}

/// How many stones are tried to tell whether one is forbidden. Positions of games need some dozens; in one that was built
/// to need more, a stone that is still in doubt is allowed.
const TRIALS_MAX: usize = 20_000;

/// Why black may not place a stone on this empty point; `None` if it may.
pub(super) fn forbidden(board: &Board, point: Point) -> Option<Forbidden> {
    let mut view = View { board, added: Vec::new() };
    // Each frame is a stone that was tried and whose threes are being counted.
    let mut frames: Vec<Frame> = Vec::new();
    let mut asked = point;
    let mut trials = 0;
    loop {
        trials += 1;
        let mut answer = match view.place(asked) {
            Effect::Known(answer) => {
                view.added.pop();
                answer
            }
            Effect::Threes(frame) if trials < TRIALS_MAX => {
                asked = frame.asked();
                frames.push(frame);
                continue;
            }
            Effect::Threes(_) => {
                view.added.pop();
                Answer::Allowed
            }
        };
        // The answer goes to the frame that asked, whose own answer may follow from it, and so on.
        loop {
            let Some(frame) = frames.last_mut() else {
                return match answer {
                    Answer::Forbidden(why) => Some(why),
                    Answer::Five | Answer::Allowed => None,
                };
            };
            match frame.hear(answer) {
                None => {
                    asked = frame.asked();
                    break;
                }
                Some(own) => {
                    answer = own;
                    frames.pop();
                    view.added.pop();
                }
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Five,
    Forbidden(Forbidden),
    Allowed,
}

enum Effect {
    Known(Answer),
    /// It depends on which of these threes are ones.
    Threes(Frame),
}

/// Stones that would make threes into straight fours, with the axes of the threes, in the order of the axes.
struct Frame {
    stones: Vec<(usize, Point)>,
    next: usize,
    threes: usize,
}

impl Frame {
    fn asked(&self) -> Point {
        self.stones[self.next].1
    }

    /// Takes the answer to the stone that it asked for, and gives its own answer once that is known.
    fn hear(&mut self, answer: Answer) -> Option<Answer> {
        let axis = self.stones[self.next].0;
        self.next += 1;
        if answer == Answer::Allowed {
            self.threes += 1;
            // A three that can become a straight four at either end is one three.
            while self.stones.get(self.next).is_some_and(|&(other, _)| other == axis) {
                self.next += 1;
            }
        }
        if self.threes >= 2 {
            return Some(Answer::Forbidden(Forbidden::DoubleThree));
        }
        let mut rest: Vec<usize> = self.stones[self.next..].iter().map(|&(axis, _)| axis).collect();
        rest.dedup();
        (self.threes + rest.len() < 2).then_some(Answer::Allowed)
    }
}

/// The board with some more black stones on it.
struct View<'a> {
    board: &'a Board,
    added: Vec<Point>,
}

/// What a stone next to the end of a row would do.
struct Extension {
    at: Point,
    /// The length of the row with it.
    stones: i32,
    /// Whether such a row of four is straight.
    is_straight: bool,
}

impl View<'_> {
    /// Adds a stone, and says what that does. The caller takes it away.
    fn place(&mut self, point: Point) -> Effect {
        self.added.push(point);
        let rows = AXES.map(|axis| self.run(point, axis, -1) + 1 + self.run(point, axis, 1));
        if rows.contains(&5) {
            return Effect::Known(Answer::Five);
        }
        if rows.iter().any(|&stones| stones > 5) {
            return Effect::Known(Answer::Forbidden(Forbidden::Overline));
        }
        let mut fours = 0;
        let mut threes = Vec::new();
        for (index, axis) in AXES.into_iter().enumerate() {
            let extensions = [-1, 1].map(|way| self.extension(point, axis, way));
            let on_axis = extensions.iter().flatten().filter(|extension| extension.stones == 5).count();
            // Four side by side with room at both ends are one four, all else that two stones make a five are two.
            fours += if on_axis == 2 && rows[index] == 4 { 1 } else { on_axis };
            let straight = extensions.into_iter().flatten().filter(|extension| extension.is_straight);
            threes.extend(straight.map(|extension| (index, extension.at)));
        }
        if fours >= 2 {
            return Effect::Known(Answer::Forbidden(Forbidden::DoubleFour));
        }
        if threes.iter().all(|&(axis, _)| Some(axis) == threes.first().map(|&(axis, _)| axis)) {
            return Effect::Known(Answer::Allowed);
        }
        Effect::Threes(Frame { stones: threes, next: 0, threes: 0 })
    }

    /// What a stone at the one end of the row through `point` would do; `None` if there is no room for it.
    fn extension(&self, point: Point, axis: (i32, i32), way: i32) -> Option<Extension> {
        let (ahead, behind) = (self.run(point, axis, way), self.run(point, axis, -way));
        let at = self.board.step(point, axis, way * (ahead + 1)).filter(|&at| self.is_empty(at))?;
        let beyond = self.run(at, axis, way);
        // There is room at an end, and a stone there joins no others.
        let is_open = |from: Point, way: i32| {
            let end = self.board.step(from, axis, way).filter(|&end| self.is_empty(end));
            end.is_some_and(|end| self.run(end, axis, way) == 0)
        };
        let stones = behind + 1 + ahead + 1 + beyond;
        let is_straight = stones == 4
            && self.board.step(point, axis, -way * behind).is_some_and(|from| is_open(from, -way))
            && self.board.step(at, axis, way * beyond).is_some_and(|from| is_open(from, way));
        Some(Extension { at, stones, is_straight })
    }

    fn is_black(&self, point: Point) -> bool {
        self.board.get(point) == Some(Side::First) || self.added.contains(&point)
    }

    fn is_empty(&self, point: Point) -> bool {
        self.board.get(point).is_none() && !self.added.contains(&point)
    }

    fn run(&self, point: Point, axis: (i32, i32), way: i32) -> i32 {
        let is_own =
            |steps| self.board.step(point, axis, way * steps).is_some_and(|next| self.is_black(next));
        (1..).take_while(|&steps| is_own(steps)).count() as i32
    }
}
