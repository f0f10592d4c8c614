//! Minimax: every line of play to a depth.

use grandstand_rules::turn::Position;

use crate::value::{Counts, Estimator, Found, Value};
use crate::watch::Watch;

/// The value of a position to a depth, and the first of the moves that reach it.
pub fn minimax<P: Position, E: Estimator<P>>(position: &P, depth: u32, estimator: &E) -> Found<P::Move> {
    minimax_watched(position, depth, estimator, &mut ())
}

/// Minimax with an observer, which sees only the terminals, since minimax has no bounds.
pub fn minimax_watched<P: Position, E: Estimator<P>, W: Watch<P>>(
    position: &P,
    depth: u32,
    estimator: &E,
    watch: &mut W,
) -> Found<P::Move> {
    let (value, counts) = node(position, depth, true, estimator, watch);
    Found { mv: value.mv(), estimate: value.estimate(), counts }
}

fn node<P: Position, E: Estimator<P>, W: Watch<P>>(
    position: &P,
    depth: u32,
    is_root: bool,
    estimator: &E,
    watch: &mut W,
) -> (Value<P::Move>, Counts) {
    if depth == 0 || position.end().is_some() || watch.is_stopped() {
        let estimate = estimator.estimate(position);
        watch.estimate(position, estimate);
        return (Value::Leaf(estimate), Counts::TERMINAL);
    }
    let side = position.to_move();
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut best: Option<Value<P::Move>> = None;
    let mut counts = Counts::INNER;
    for mv in moves {
        let mut child = position.clone();
        child.advance(mv);
        let cost = if is_root { estimator.cost(&child) } else { 0 };
        let (value, below) = node(&child, depth - 1, false, estimator, watch);
        counts = counts.then(below);
        let step = Value::Step(mv, value.estimate().less(cost, side));
        best = Some(best.map_or(step, |best| best.improved(step, side)));
    }
    (best.unwrap_or_else(|| Value::Leaf(estimator.estimate(position))), counts)
}
