//! Alpha-beta pruning (section 5), as the handout specifies it.

use grandstand_rules::turn::Position;

use crate::value::{Counts, Estimator, Found, Value, Window};
use crate::watch::Watch;

/// The value of a position to a depth, equal to that of [`minimax`](crate::minimax()), and a move that reaches it.
pub fn alphabeta<P: Position, E: Estimator<P>>(position: &P, depth: u32, estimator: &E) -> Found<P::Move> {
    alphabeta_watched(position, depth, estimator, &mut ())
}

/// Alpha-beta with an observer.
pub fn alphabeta_watched<P: Position, E: Estimator<P>, W: Watch<P>>(
    position: &P,
    depth: u32,
    estimator: &E,
    watch: &mut W,
) -> Found<P::Move> {
    let (value, counts) = node(position, depth, Window::INITIAL, true, estimator, watch);
    Found { mv: value.mv(), estimate: value.estimate(), counts }
}

/// `F` and `G` of section 5.4 in one function: the side to move determines which bound a node improves.
fn node<P: Position, E: Estimator<P>, W: Watch<P>>(
    position: &P,
    depth: u32,
    mut bounds: Window<P::Move>,
    is_root: bool,
    estimator: &E,
    watch: &mut W,
) -> (Value<P::Move>, Counts) {
    watch.enter(position, bounds);
    if depth == 0 || position.end().is_some() || watch.is_stopped() {
        return (leaf(position, estimator, watch), Counts::TERMINAL);
    }
    let side = position.to_move();
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut counts = Counts::INNER;
    for mv in moves {
        let mut child = position.clone();
        child.advance(mv);
        let cost = if is_root { estimator.cost(&child) } else { 0 };
        let (value, below) = node(&child, depth - 1, bounds.before(cost, side), false, estimator, watch);
        counts = counts.then(below);
        bounds = bounds.improved(Value::Step(mv, value.estimate().less(cost, side)), side);
        if bounds.is_crossed() {
            break;
        }
    }
    watch.leave(position, bounds.of(side), bounds.is_crossed());
    (bounds.of(side), counts)
}

/// Estimates a position at which the search ends.
pub(crate) fn leaf<P: Position, E: Estimator<P>, W: Watch<P>>(
    position: &P,
    estimator: &E,
    watch: &mut W,
) -> Value<P::Move> {
    let estimate = estimator.estimate(position);
    watch.estimate(position, estimate);
    watch.leave(position, Value::Leaf(estimate), false);
    Value::Leaf(estimate)
}
