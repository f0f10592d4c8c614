//! Forbidden moves of black in Renju, by the definitions of the Renju International Federation.
//!
//! - A **five** is a row of just five stones; one that has more is an **overline**.
//! - A **four** is a row of stones and one empty point such that a stone there makes it a five. It is **straight** if its four
//!   stones are adjacent and a stone at either end makes a five.
//! - A **three** is a row that one more stone makes a straight four, provided that black may place that stone and it makes no five
//!   in any direction.
//!
//! A stone that makes a five is never forbidden. One that makes an overline, two fours or two threes is. Whether a row
//! is a three depends on whether a further stone is forbidden, which depends on threes in turn.

use std::fmt;

use grandstand_protocol::stones::Point;

use super::board::{AXES, Board};
use crate::turn::Side;

/// The reason why a stone is forbidden to black.
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

/// The most stones that are tried to decide on one move. Positions of real games need some dozens; in a position constructed
/// to need more, a stone that is still undecided is allowed.
const TRIALS_MAX: usize = 20_000;

/// The reason why this empty point is forbidden to black; `None` if it is allowed.
pub(super) fn forbidden(board: &Board, point: Point) -> Option<Forbidden> {
    let mut view = View { board, added: Vec::new() };
    // Each frame is a tried stone whose threes are being counted.
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
        // The answer goes to the frame that asked, which may determine that frame's own answer, and so on.
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
    /// The answer depends on which of these threes are valid.
    Threes(Frame),
}

/// Stones that would turn threes into straight fours, with the axes of the threes, in the order of the axes.
struct Frame {
    stones: Vec<(usize, Point)>,
    next: usize,
    threes: usize,
}

impl Frame {
    fn asked(&self) -> Point {
        self.stones[self.next].1
    }

    /// Takes the answer for the stone that was asked; returns the frame's own answer once it is known.
    fn hear(&mut self, answer: Answer) -> Option<Answer> {
        let axis = self.stones[self.next].0;
        self.next += 1;
        if answer == Answer::Allowed {
            self.threes += 1;
            // A three that can become a straight four at either end counts once.
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

/// The board with additional black stones.
struct View<'a> {
    board: &'a Board,
    added: Vec<Point>,
}

/// The effect of a stone next to the end of a row.
struct Extension {
    at: Point,
    /// The length of the row including the stone.
    stones: i32,
    /// Whether the row is a straight four.
    is_straight: bool,
}

impl View<'_> {
    /// Adds a stone and returns its effect. The caller removes the stone.
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
            // Four adjacent stones with room at both ends are one four; any other row that two different stones make a five is two fours.
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

    /// The effect of a stone at one end of the row through `point`; `None` if there is no room for it.
    fn extension(&self, point: Point, axis: (i32, i32), way: i32) -> Option<Extension> {
        let (ahead, behind) = (self.run(point, axis, way), self.run(point, axis, -way));
        let at = self.board.step(point, axis, way * (ahead + 1)).filter(|&at| self.is_empty(at))?;
        let beyond = self.run(at, axis, way);
        // There is room at the end, and a stone there would connect to no other stones.
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
