//! Jamboree (section 6): some children are searched in sequence, each with the bounds of those before, the rest in parallel.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use grandstand_rules::turn::Position;
use thiserror::Error;

use crate::alphabeta::leaf;
use crate::value::{Counts, Estimator, Found, Value, Window};
use crate::watch::Watch;

/// The share of a node's children that are searched in sequence: from 0 (all in parallel, like minimax) to 1 (none in parallel, like
/// alpha-beta).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrunePercentage(f64);

/// A number outside of the range of a share.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("the prune percentage is {0}; expected a number from 0 to 1")]
pub struct NotAShare(pub f64);

impl PrunePercentage {
    /// One half, as in the handout's examples.
    pub const HALF: Self = Self(0.5);
    /// Only what must be is searched in sequence; the built-in player performs best with it.
    pub const NONE: Self = Self(0.0);
    /// A share.
    ///
    /// # Errors
    /// [`NotAShare`] if it is not from 0 to 1.
    pub fn new(share: f64) -> Result<Self, NotAShare> {
        if (0.0..=1.0).contains(&share) { Ok(Self(share)) } else { Err(NotAShare(share)) }
    }

    /// The share.
    pub fn get(self) -> f64 {
        self.0
    }

    /// The number of `moves` moves that are searched in sequence: ⌊share · moves⌋ (`splitMoves`).
    pub fn split(self, moves: usize) -> usize {
        ((self.0 * moves as f64).floor() as usize).min(moves)
    }
}

/// The least depth of a tree that is searched in parallel; smaller ones are not worth the overhead.
const PARALLEL_DEPTH: u32 = 2;

/// The value of a position to a depth, equal to that of [`minimax`](crate::minimax()), and a move that reaches it. The parallel part
/// runs on the [`Threads`](crate::Threads) on which the function is called; the result does not depend on their number.
pub fn jamboree<P: Position, E: Estimator<P>>(
    position: &P,
    depth: u32,
    prune: PrunePercentage,
    estimator: &E,
) -> Found<P::Move> {
    jamboree_watched(position, depth, prune, estimator, &mut ())
}

/// Jamboree with an observer.
pub fn jamboree_watched<P: Position, E: Estimator<P>, W: Watch<P> + Sync>(
    position: &P,
    depth: u32,
    prune: PrunePercentage,
    estimator: &E,
    watch: &mut W,
) -> Found<P::Move> {
    let search = Jamboree { prune, estimator };
    let (value, counts) = search.node(position, depth, Window::INITIAL, true, watch);
    Found { mv: value.mv(), estimate: value.estimate(), counts }
}

/// The result of a child's search after the cost of its move, with its observer.
type Searched<P, W> = (Value<<P as Position>::Move>, Counts, W);

/// A node whose children are searched.
struct Node<'a, P> {
    position: &'a P,
    depth: u32,
    is_root: bool,
}

impl<P> Clone for Node<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Node<'_, P> {}

struct Jamboree<'a, E> {
    prune: PrunePercentage,
    estimator: &'a E,
}

impl<E> Jamboree<'_, E> {
    fn node<P: Position, W: Watch<P> + Sync>(
        &self,
        position: &P,
        depth: u32,
        mut bounds: Window<P::Move>,
        is_root: bool,
        watch: &mut W,
    ) -> (Value<P::Move>, Counts)
    where
        E: Estimator<P>,
    {
        watch.enter(position, bounds);
        if depth == 0 || position.end().is_some() || watch.is_stopped() {
            return (leaf(position, self.estimator, watch), Counts::TERMINAL);
        }
        let (node, side) = (Node { position, depth, is_root }, position.to_move());
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let (first, rest) = moves.split_at(self.prune.split(moves.len()));
        let mut counts = Counts::INNER;
        for &mv in first {
            let (value, below) = self.child(node, mv, bounds, watch);
            counts = counts.then(below);
            bounds = bounds.improved(value, side);
            if bounds.is_crossed() {
                watch.leave(position, bounds.of(side), true);
                return (bounds.of(side), counts);
            }
        }
        let mut beside = Counts::default();
        let mut best = bounds;
        let mut take = |(value, below): (Value<P::Move>, Counts)| {
            beside = beside.in_parallel(below);
            best = best.improved(value, side);
        };
        if depth <= PARALLEL_DEPTH || rest.len() < 2 || rayon::current_num_threads() < 2 {
            for &mv in rest {
                take(self.child(node, mv, bounds, watch));
            }
        } else {
            for (value, counts, fork) in self.in_parallel(node, rest, bounds, watch) {
                take((value, counts));
                watch.join(fork);
            }
        }
        watch.leave(position, best.of(side), false);
        (best.of(side), counts.then(beside))
    }

    /// The step to a child, with the cost of its move.
    fn child<P: Position, W: Watch<P> + Sync>(
        &self,
        node: Node<'_, P>,
        mv: P::Move,
        bounds: Window<P::Move>,
        watch: &mut W,
    ) -> (Value<P::Move>, Counts)
    where
        E: Estimator<P>,
    {
        let Node { position, depth, is_root } = node;
        let mut child = position.clone();
        child.advance(mv);
        let side = position.to_move();
        let cost = if is_root { self.estimator.cost(&child) } else { 0 };
        let (value, counts) = self.node(&child, depth - 1, bounds.before(cost, side), false, watch);
        (Value::Step(mv, value.estimate().less(cost, side)), counts)
    }

    /// Searches the children on all idle threads, each with the same bounds. The results are in the order
    /// of the moves.
    fn in_parallel<P: Position, W: Watch<P> + Sync>(
        &self,
        node: Node<'_, P>,
        moves: &[P::Move],
        bounds: Window<P::Move>,
        watch: &W,
    ) -> Vec<Searched<P, W>>
    where
        E: Estimator<P>,
    {
        let found: Vec<OnceLock<Searched<P, W>>> = moves.iter().map(|_| OnceLock::new()).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(index) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&i| i < moves.len()) {
                let mut fork = watch.fork();
                let (value, counts) = self.child(node, moves[index], bounds, &mut fork);
                // Each index is taken once, so the cell is still empty.
                let _ = found[index].set((value, counts, fork));
            }
        };
        rayon::scope(|scope| {
            let helpers = rayon::current_num_threads().min(moves.len()) - 1;
            (0..helpers).for_each(|_| scope.spawn(|_| work()));
            work();
        });
        found.into_iter().filter_map(OnceLock::into_inner).collect()
    }
}
