//! One node of the strong search.

use grandstand_rules::turn::Position;
use std::sync::PoisonError;

use super::split_points::{At, NodeKind};
use super::transposition::{Bound, Entry};
use super::{Knowledge, SLOTS, Search, Shared, WIN};

/// A bound below every score; its negative is above every score.
const NONE: i32 = -2 * WIN;
/// The number of nodes between two checks of the limits.
const NODES_PER_CHECK: u64 = 1024;
/// The least depth at which children may be searched in parallel: below it the overhead exceeds the gain.
pub(super) const PARALLEL_DEPTH: u32 = 2;
/// The least depth at which children are ordered by their estimates, not only by the promise of their moves.
const ESTIMATED_ORDER_DEPTH: u32 = 2;

/// A thread's own data. It is reused, so that a search allocates next to nothing.
#[derive(Debug)]
pub(super) struct ThreadData<P: Position> {
    /// A position for each height (distance from the root).
    pub(super) positions: Vec<P>,
    pub(super) moves: Vec<Vec<P::Move>>,
    /// The moves of a height in the order in which they are tried: rank, then the index among the legal moves.
    pub(super) order: Vec<Vec<(i32, u16)>>,
    /// The two moves that last refuted a node at that height.
    killers: Vec<[usize; 2]>,
    /// The refutations by each move, weighted, by side and slot.
    history: [Vec<i32>; 2],
    /// The best move at the root, as an index among the legal moves.
    best: u16,
    /// The depth of the search that the history belongs to.
    round: u32,
    pub(super) nodes: u64,
    /// The thread's number.
    pub(super) seat: usize,
    /// The shared node below which the thread searches.
    pub(super) above: Option<At>,
    /// The height of the highest shared node above that was refuted meanwhile.
    pub(super) refuted_height: usize,
    /// The number of refutations of shared nodes that `over` takes into account.
    pub(super) cuts: u64,
}

/// The score from the view of the side to move, and the number of nodes on the critical path.
pub(super) type ScoreAndPath = (i32, u64);

/// A node's position in the search, and its expected kind.
pub(super) struct NodeContext<'a, P: Position> {
    pub(super) shared: &'a Shared<'a, P>,
    pub(super) height: usize,
    pub(super) depth: u32,
    pub(super) kind: NodeKind,
}

impl<P: Position> Clone for NodeContext<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Position> Copy for NodeContext<'_, P> {}

impl<P: Position> NodeContext<'_, P> {
    /// A child of this node, of the given kind.
    pub(super) fn below(self, kind: NodeKind) -> Self {
        Self { height: self.height + 1, depth: self.depth - 1, kind, ..self }
    }
}

impl<P: Position> ThreadData<P> {
    fn new(position: &P) -> Self {
        Self {
            positions: vec![position.clone()],
            moves: Vec::new(),
            order: Vec::new(),
            killers: Vec::new(),
            history: [vec![0; SLOTS], vec![0; SLOTS]],
            best: 0,
            round: 0,
            nodes: 0,
            seat: 0,
            above: None,
            refuted_height: usize::MAX,
            cuts: 0,
        }
    }

    /// Forgets the move-ordering statistics.
    pub(super) fn forget(&mut self) {
        self.killers.fill([SLOTS; 2]);
        self.history.iter_mut().for_each(|counts| counts.fill(0));
        self.round = 0;
    }

    /// Makes room for a node at that height and for its children.
    pub(super) fn reach(&mut self, height: usize) {
        while self.positions.len() < height + 2 {
            let position = self.positions[0].clone();
            self.positions.push(position);
        }
        while self.moves.len() <= height {
            self.moves.push(Vec::new());
            self.order.push(Vec::new());
            self.killers.push([SLOTS; 2]);
        }
    }

    /// Begins a search to another depth, in which older statistics count less.
    pub(super) fn begin(&mut self, round: u32) {
        if self.round != round {
            self.round = round;
            self.history.iter_mut().flatten().for_each(|count| *count /= 8);
        }
    }

    /// Sets the position of the next height to that after a move.
    pub(super) fn advance(&mut self, height: usize, mv: P::Move) {
        if let [.., position, child] = &mut self.positions[..height + 2] {
            child.clone_from(position);
            child.advance(mv);
        }
    }
}

impl<P: Position, K: Knowledge<P>> Search<P, K> {
    pub(super) fn take_thread_data(&self, position: &P, seat: usize) -> ThreadData<P> {
        let mut locals = self.locals.lock().unwrap_or_else(PoisonError::into_inner);
        let local = locals.pop().unwrap_or_else(|| ThreadData::new(position));
        ThreadData { seat, above: None, refuted_height: usize::MAX, cuts: 0, ..local }
    }

    pub(super) fn put_thread_data(&self, local: ThreadData<P>) {
        self.locals.lock().unwrap_or_else(PoisonError::into_inner).push(local);
    }

    /// Score, best move and critical path of a depth; `None` if the search was aborted.
    pub(super) fn root(
        &self,
        position: &P,
        depth: u32,
        shared: &Shared<'_, P>,
    ) -> Option<(i32, P::Move, u64)> {
        let mut local = self.take_thread_data(position, 0);
        local.begin(depth);
        local.reach(0);
        local.positions[0].clone_from(position);
        let place = NodeContext { shared, height: 0, depth, kind: NodeKind::Pv };
        let (score, path) = self.node(&mut local, place, NONE, -NONE);
        shared.count(std::mem::take(&mut local.nodes));
        let mv = local.moves[0].get(usize::from(local.best)).copied();
        self.put_thread_data(local);
        if shared.is_stopped() { None } else { mv.map(|mv| (score, mv, path)) }
    }

    /// The score of a node within a window; outside it a bound. The result is meaningless once the search has stopped or a shared node
    /// above is refuted.
    pub(super) fn node(
        &self,
        local: &mut ThreadData<P>,
        place: NodeContext<'_, P>,
        mut alpha: i32,
        beta: i32,
    ) -> ScoreAndPath {
        let NodeContext { shared, height, depth, kind } = place;
        local.nodes += 1;
        if local.nodes >= NODES_PER_CHECK {
            shared.count(std::mem::take(&mut local.nodes));
        }
        let position = &local.positions[height];
        if depth == 0 || position.end().is_some() {
            return (self.score(position), 1);
        }
        local.reach(height);
        if shared.is_stopped() || self.is_refuted_above(local, shared, height) {
            return (0, 1);
        }
        let key = local.positions[height].key();
        let known = self.table.get(key);
        if let Some(entry) = known
            && u32::from(entry.depth) == depth
            && height > 0
        {
            let is_enough = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= beta,
                Bound::Upper => entry.score <= alpha,
            };
            if is_enough {
                return (entry.score, 1);
            }
        }
        self.order(local, height, depth, known.map(|entry| entry.best));
        let count = local.order[height].len();
        let alpha_before = alpha;
        let (mut best, mut best_move, mut path) = (NONE, 0, 1);
        let first = self.sequential_count(place, count);
        for tried in 0..first {
            let index = pick(&mut local.order[height], tried);
            let mv = local.moves[height][usize::from(index)];
            local.advance(height, mv);
            let below = place.below(if tried == 0 { kind.of_first() } else { NodeKind::Cut });
            let (score, nodes) = self.child(local, below, alpha, beta, tried > 0);
            if local.refuted_height <= height {
                return (0, path);
            }
            path += nodes;
            if score > best {
                (best, best_move) = (score, index);
                alpha = alpha.max(score);
            }
            if alpha >= beta {
                self.remember(local, height, depth, mv);
                break;
            }
        }
        if alpha < beta && first < count {
            (0..count - first).for_each(|rest| _ = pick(&mut local.order[height], first + rest));
            let nodes;
            (best, best_move, nodes) =
                self.search_in_parallel(local, place, first, (alpha, beta), (best, best_move));
            path += nodes;
            if best >= beta {
                let mv = local.moves[height][usize::from(best_move)];
                self.remember(local, height, depth, mv);
            }
        }
        if shared.is_stopped() || local.refuted_height <= height {
            return (0, path);
        }
        let bound = match best {
            best if best >= beta => Bound::Lower,
            best if best > alpha_before => Bound::Exact,
            _ => Bound::Upper,
        };
        if height == 0 {
            local.best = best_move;
        }
        self.table.put(key, Entry { score: best, depth: depth as u8, bound, best: best_move });
        (best, path)
    }

    /// The cost of the move to the position of that height.
    pub(super) fn cost(&self, local: &ThreadData<P>, height: usize) -> i32 {
        if height == 1 { self.knowledge.cost(&local.positions[height]) } else { 0 }
    }

    /// A child's score from the parent's view. All children but the first are scouts: first it is only tested whether they beat alpha.
    fn child(
        &self,
        local: &mut ThreadData<P>,
        below: NodeContext<'_, P>,
        alpha: i32,
        beta: i32,
        is_scout: bool,
    ) -> ScoreAndPath {
        let cost = self.cost(local, below.height);
        let (alpha, beta) = (alpha + cost, beta + cost);
        let mut path = 0;
        if is_scout && beta - alpha > 1 {
            let (score, scouted) = self.node(local, below, -alpha - 1, -alpha);
            if -score <= alpha || -score >= beta {
                return (-score - cost, scouted);
            }
            path = scouted;
        }
        let kind = if beta - alpha > 1 { NodeKind::Pv } else { below.kind };
        let (score, searched) = self.node(local, NodeContext { kind, ..below }, -beta, -alpha);
        (-score - cost, path + searched)
    }

    /// Lists the moves of a height with the ranks by which they are tried.
    fn order(&self, local: &mut ThreadData<P>, height: usize, depth: u32, known: Option<u16>) {
        let mut moves = std::mem::take(&mut local.moves[height]);
        let mut order = std::mem::take(&mut local.order[height]);
        moves.clear();
        order.clear();
        local.positions[height].legal_moves(&mut moves);
        let side = local.positions[height].to_move().index();
        for (place, &mv) in (0..=u16::MAX).zip(&moves) {
            let slot = self.knowledge.history_index(mv) % SLOTS;
            let rank = if known == Some(place) {
                i32::MAX
            } else if local.killers[height].contains(&slot) {
                KILLER
            } else if depth >= ESTIMATED_ORDER_DEPTH {
                local.advance(height, mv);
                -self.score(&local.positions[height + 1]) * 8 + local.history[side][slot].min(KILLER / 4)
            } else {
                self.knowledge.order_score(&local.positions[height], mv)
                    + local.history[side][slot].min(KILLER / 4)
            };
            order.push((rank, place));
        }
        local.moves[height] = moves;
        local.order[height] = order;
    }

    /// Updates the statistics for a move that has refuted a node: it is tried earlier at other nodes.
    fn remember(&self, local: &mut ThreadData<P>, height: usize, depth: u32, mv: P::Move) {
        let slot = self.knowledge.history_index(mv) % SLOTS;
        let killers = &mut local.killers[height];
        if killers[0] != slot {
            *killers = [slot, killers[0]];
        }
        let side = local.positions[height].to_move().index();
        let count = &mut local.history[side][slot];
        *count = count.saturating_add((depth * depth) as i32);
    }
}

/// The rank of a move that has refuted a sibling.
const KILLER: i32 = 1 << 20;

/// Swaps the best of the moves from `tried` on to that index.
fn pick(order: &mut [(i32, u16)], tried: usize) -> u16 {
    let left = &mut order[tried..];
    let mut best = 0;
    for (index, &(rank, _)) in left.iter().enumerate() {
        if rank > left[best].0 {
            best = index;
        }
    }
    left.swap(0, best);
    left[0].1
}
