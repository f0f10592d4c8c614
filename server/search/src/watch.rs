//! Observers of a search, node by node, and the trace that the handout prints.

use std::sync::atomic::{AtomicBool, Ordering};

use grandstand_rules::turn::{Position, Side};

use crate::value::{Bounds, Estimate, Value};

/// Is told what alpha-beta and Jamboree do. All of it may do nothing, as `()` does.
pub trait Watch<P: Position>: Send + Sized {
    /// The search comes to a position with these bounds.
    fn enter(&mut self, _position: &P, _bounds: Bounds<P::Move>) {}
    /// A terminal is estimated.
    fn estimate(&mut self, _position: &P, _estimate: Estimate) {}
    /// The search leaves a position; `is_pruned` when it ignores further children because the bounds have met.
    fn leave(&mut self, _position: &P, _value: Value<P::Move>, _is_pruned: bool) {}
    /// Whether the search is to come to its end at once; what it finds is worth nothing then.
    fn is_stopped(&self) -> bool {
        false
    }
    /// Who watches a child that is searched beside its siblings.
    #[must_use]
    fn fork(&self) -> Self;
    /// Takes back what a fork has seen; in the order of the moves, whatever the order in which they were searched.
    fn join(&mut self, fork: Self);
}

/// Nobody watches.
impl<P: Position> Watch<P> for () {
    fn fork(&self) -> Self {}
    fn join(&mut self, (): Self) {}
}

/// Ends a search once the flag is set.
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
    /// What a position is called.
    name: fn(&P) -> String,
    lines: Vec<String>,
}

impl<P: Position> Trace<P> {
    /// An empty trace, in which positions have the names that this gives them.
    #[must_use]
    pub fn new(name: fn(&P) -> String) -> Self {
        Self { name, lines: Vec::new() }
    }

    /// The lines so far.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// A position with whose turn it is: `(Maxie,a)`.
    #[must_use]
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
    fn enter(&mut self, position: &P, bounds: Bounds<P::Move>) {
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
