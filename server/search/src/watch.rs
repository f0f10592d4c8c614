//! Observers of a search, node by node, and the trace format of the handout.

use std::sync::atomic::{AtomicBool, Ordering};

use grandstand_rules::turn::{Position, Side};

use crate::value::{Estimate, Value, Window};

/// An observer of alpha-beta and Jamboree. Every method may do nothing, as for `()`.
pub trait Watch<P: Position>: Send + Sized {
    /// Called when the search enters a position with these bounds.
    fn enter(&mut self, _position: &P, _bounds: Window<P::Move>) {}
    /// Called when a terminal is estimated.
    fn estimate(&mut self, _position: &P, _estimate: Estimate) {}
    /// Called when the search leaves a position; `is_pruned` if it skips further children because the bounds have met.
    fn leave(&mut self, _position: &P, _value: Value<P::Move>, _is_pruned: bool) {}
    /// Whether the search must end at once; its result is then meaningless.
    fn is_stopped(&self) -> bool {
        false
    }
    /// An observer for a child that is searched in parallel with its siblings.
    #[must_use]
    fn fork(&self) -> Self;
    /// Merges the observations of a fork. Called in the order of the moves, whatever the order in which they were searched.
    fn join(&mut self, fork: Self);
}

/// The observer that does nothing.
impl<P: Position> Watch<P> for () {
    fn fork(&self) -> Self {}
    fn join(&mut self, (): Self) {}
}

/// An observer that ends the search once the flag is set.
#[derive(Debug, Clone, Copy)]
pub struct StopWhen<'a>(pub &'a AtomicBool);

impl<P: Position> Watch<P> for StopWhen<'_> {
    fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn fork(&self) -> Self {
        *self
    }

    fn join(&mut self, _: Self) {}
}

/// The lines of figures 4 and 5.
#[derive(Debug)]
pub struct Trace<P> {
    /// The names of positions.
    name: fn(&P) -> String,
    lines: Vec<String>,
}

impl<P: Position> Trace<P> {
    /// An empty trace, with the names that the function gives to positions.
    pub fn new(name: fn(&P) -> String) -> Self {
        Self { name, lines: Vec::new() }
    }

    /// The lines so far.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// A position with the side to move: `(Maxie,a)`.
    pub fn state(&self, position: &P) -> String {
        let side = match position.to_move() {
            Side::First => "Maxie",
            Side::Second => "Minnie",
        };
        format!("({side},{})", (self.name)(position))
    }
}

fn shown<P: Position>(position: &P, value: Value<P::Move>) -> String {
    match value {
        Value::Step(mv, estimate) => format!("Step({}, {estimate})", position.move_text(mv)),
        Value::Leaf(estimate) => format!("Leaf({estimate})"),
    }
}

impl<P: Position> Watch<P> for Trace<P> {
    fn enter(&mut self, position: &P, bounds: Window<P::Move>) {
        let function = match position.to_move() {
            Side::First => 'F',
            Side::Second => 'G',
        };
        let [alpha, beta] = [bounds.alpha, bounds.beta].map(|bound| shown(position, bound));
        self.lines.push(format!("{function}: state {} with ab=({alpha}, {beta})", self.state(position)));
    }

    fn estimate(&mut self, position: &P, estimate: Estimate) {
        let estimate = estimate.to_string();
        let estimate = estimate.trim_start_matches("Guess: ");
        self.lines.push(format!("Estimating state {}[{estimate}]", (self.name)(position)));
    }

    fn leave(&mut self, position: &P, value: Value<P::Move>, is_pruned: bool) {
        let pruned = if is_pruned { " (* Pruned *)" } else { "" };
        self.lines.push(format!("Result of {} is {}{pruned}", self.state(position), shown(position, value)));
    }

    fn fork(&self) -> Self {
        Self::new(self.name)
    }

    fn join(&mut self, fork: Self) {
        self.lines.extend(fork.lines);
    }
}
