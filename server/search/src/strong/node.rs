//! One node of the strong search.

use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, AtomicUsize, Ordering};

use grandstand_rules::turn::Position;

use super::table::{Bound, Entry};
use super::{Knowledge, SLOTS, Search, Shared, WIN};

/// Below every score, and above when negated.
const NONE: i32 = -2 * WIN;
/// Nodes between two looks at the clock.
const NODES_A_LOOK: u64 = 1024;
/// The least depth whose children may be searched in parallel: below it handing over costs more than it brings.
const PARALLEL_DEPTH: u32 = 4;
/// The least depth at which children are ordered by what they are worth, not only by what their moves promise.
const ESTIMATED_ORDER_DEPTH: u32 = 2;

/// What a thread needs for itself. It is kept and used again, so that a search allocates next to nothing.
#[derive(Debug)]
pub(super) struct Local<P: Position> {
    /// A position for each height above the root.
    positions: Vec<P>,
    moves: Vec<Vec<P::Move>>,
    /// The moves of a height in the order in which they are tried: rank, then the place among the legal ones.
    order: Vec<Vec<(i32, u16)>>,
    /// The two moves that last refuted something at that height.
    killers: Vec<[usize; 2]>,
    /// How often a move has refuted something, by side and slot.
    history: [Vec<i32>; 2],
    /// The best move at the root, by its place among the legal ones.
    best: u16,
    nodes: u64,
}

/// The children of a node that are searched in parallel. One that refutes the node ends the others.
struct Split<'a> {
    is_cut: AtomicBool,
    above: Option<&'a Split<'a>>,
}

impl Split<'_> {
    fn is_over(&self) -> bool {
        let mut split = Some(self);
        while let Some(this) = split {
            if this.is_cut.load(Ordering::Relaxed) {
                return true;
            }
            split = this.above;
        }
        false
    }
}

/// Score from the view of who moves, and the nodes on the critical path.
type Found = (i32, u64);

/// Where a node is searched: what is shared, what is below which parallel parts.
#[derive(Clone, Copy)]
struct Place<'a> {
    shared: &'a Shared<'a>,
    split: Option<&'a Split<'a>>,
    height: usize,
    depth: u32,
}

impl<P: Position> Local<P> {
    fn new(position: &P) -> Self {
        Self {
            positions: vec![position.clone()],
            moves: Vec::new(),
            order: Vec::new(),
            killers: Vec::new(),
            history: [vec![0; SLOTS], vec![0; SLOTS]],
            best: 0,
            nodes: 0,
        }
    }

    /// Room for a node at that height and its children.
    fn reach(&mut self, height: usize) {
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

    /// Sets the next height to what comes of a move.
    fn advance(&mut self, height: usize, mv: P::Move) {
        if let [.., position, child] = &mut self.positions[..height + 2] {
            child.clone_from(position);
            child.advance(mv);
        }
    }
}

impl<P: Position, K: Knowledge<P>> Search<P, K> {
    fn take_local(&self, position: &P) -> Local<P> {
        let mut locals = self.locals.lock().unwrap_or_else(PoisonError::into_inner);
        locals.pop().unwrap_or_else(|| Local::new(position))
    }

    fn put_local(&self, local: Local<P>) {
        self.locals.lock().unwrap_or_else(PoisonError::into_inner).push(local);
    }

    /// Score, best move and critical path of a depth; `None` when the search was broken off.
    pub(super) fn root(&self, position: &P, depth: u32, shared: &Shared<'_>) -> Option<(i32, P::Move, u64)> {
        let mut local = self.take_local(position);
        local.history.iter_mut().flatten().for_each(|count| *count /= 8);
        local.reach(0);
        local.positions[0].clone_from(position);
        let place = Place { shared, split: None, height: 0, depth };
        let (score, path) = self.node(&mut local, place, NONE, -NONE);
        shared.count(std::mem::take(&mut local.nodes));
        let mv = local.moves[0].get(usize::from(local.best)).copied();
        self.put_local(local);
        if shared.is_stopped() { None } else { mv.map(|mv| (score, mv, path)) }
    }

    /// The score of a node within a window; beyond it a bound. What it returns means nothing once the search has stopped or a split
    /// above is over.
    fn node(&self, local: &mut Local<P>, place: Place<'_>, mut alpha: i32, beta: i32) -> Found {
        let Place { shared, split, height, depth } = place;
        local.nodes += 1;
        if local.nodes >= NODES_A_LOOK {
            shared.count(std::mem::take(&mut local.nodes));
        }
        let position = &local.positions[height];
        if depth == 0 || position.end().is_some() {
            return (self.score(position), 1);
        }
        local.reach(height);
        if shared.is_stopped() || split.is_some_and(Split::is_over) {
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
        let is_parallel = depth >= PARALLEL_DEPTH && self.pool.is_some();
        let first = if is_parallel { self.prune.split(count).max(1) } else { count };
        for tried in 0..first {
            let index = pick(&mut local.order[height], tried);
            let mv = local.moves[height][usize::from(index)];
            local.advance(height, mv);
            let below = Place { height: height + 1, depth: depth - 1, ..place };
            let (score, nodes) = self.child(local, below, alpha, beta, tried > 0);
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
            let (score, index, nodes) = self.rest(local, place, first, (alpha, beta, best));
            path += nodes;
            if score > best {
                (best, best_move) = (score, index);
            }
            if best >= beta {
                let mv = local.moves[height][usize::from(best_move)];
                self.remember(local, height, depth, mv);
            }
        }
        if shared.is_stopped() || split.is_some_and(Split::is_over) {
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

    /// A child's score from the parent's view; all but the first are only asked whether they are better than alpha, first.
    fn child(&self, local: &mut Local<P>, below: Place<'_>, alpha: i32, beta: i32, is_scout: bool) -> Found {
        if is_scout && beta - alpha > 1 {
            let (score, path) = self.node(local, below, -alpha - 1, -alpha);
            if -score <= alpha || -score >= beta {
                return (-score, path);
            }
            let (score, again) = self.node(local, below, -beta, -alpha);
            return (-score, path + again);
        }
        let (score, path) = self.node(local, below, -beta, -alpha);
        (-score, path)
    }

    /// The children from the `first` on, in parallel. The best score with its move's place, and the critical path.
    fn rest(
        &self,
        local: &mut Local<P>,
        place: Place<'_>,
        first: usize,
        window: (i32, i32, i32),
    ) -> (i32, u16, u64) {
        let Place { shared, split, height, depth } = place;
        let (alpha, beta, best) = window;
        let (order, moves) =
            (std::mem::take(&mut local.order[height]), std::mem::take(&mut local.moves[height]));
        let position = local.positions[height].clone();
        let here = Split { is_cut: AtomicBool::new(false), above: split };
        let below = Place { shared, split: Some(&here), height: height + 1, depth: depth - 1 };
        let (next, alpha) = (AtomicUsize::new(first), AtomicI32::new(alpha));
        // The best score, and behind it who had it, so that both change at once.
        let top = AtomicU64::new(pack(best, 0));
        let path = AtomicU64::new(0);
        let work = |local: &mut Local<P>| {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(&(_, place)) = order.get(index) else { break };
                let bound = alpha.load(Ordering::Relaxed);
                if bound >= beta || here.is_over() || shared.is_stopped() {
                    break;
                }
                local.advance(height, moves[usize::from(place)]);
                let (score, nodes) = self.child(local, below, bound, beta, true);
                path.fetch_max(nodes, Ordering::Relaxed);
                if here.is_over() || shared.is_stopped() {
                    break;
                }
                top.fetch_max(pack(score, place), Ordering::Relaxed);
                if alpha.fetch_max(score, Ordering::Relaxed).max(score) >= beta {
                    here.is_cut.store(true, Ordering::Relaxed);
                }
            }
        };
        rayon::scope(|scope| {
            for _ in 1..rayon::current_num_threads().min(order.len() - first) {
                scope.spawn(|_| {
                    if next.load(Ordering::Relaxed) < order.len() {
                        let mut local = self.take_local(&position);
                        local.reach(height);
                        local.positions[height].clone_from(&position);
                        work(&mut local);
                        shared.count(std::mem::take(&mut local.nodes));
                        self.put_local(local);
                    }
                });
            }
            work(local);
        });
        local.order[height] = order;
        local.moves[height] = moves;
        let (score, place) = unpack(top.into_inner());
        (score, place, path.into_inner())
    }

    /// Lists the moves of a height with the rank by which they are tried.
    fn order(&self, local: &mut Local<P>, height: usize, depth: u32, known: Option<u16>) {
        let mut moves = std::mem::take(&mut local.moves[height]);
        let mut order = std::mem::take(&mut local.order[height]);
        moves.clear();
        order.clear();
        local.positions[height].legal_moves(&mut moves);
        let side = local.positions[height].to_move().index();
        for (place, &mv) in (0..=u16::MAX).zip(&moves) {
            let slot = self.knowledge.slot(mv) % SLOTS;
            let rank = if known == Some(place) {
                i32::MAX
            } else if local.killers[height].contains(&slot) {
                KILLER
            } else if depth >= ESTIMATED_ORDER_DEPTH {
                local.advance(height, mv);
                -self.score(&local.positions[height + 1]) * 8 + local.history[side][slot].min(KILLER / 4)
            } else {
                self.knowledge.promise(&local.positions[height], mv)
                    + local.history[side][slot].min(KILLER / 4)
            };
            order.push((rank, place));
        }
        local.moves[height] = moves;
        local.order[height] = order;
    }

    /// A move has refuted a node: it is tried early elsewhere.
    fn remember(&self, local: &mut Local<P>, height: usize, depth: u32, mv: P::Move) {
        let slot = self.knowledge.slot(mv) % SLOTS;
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

/// Brings the best of the moves from `tried` on to that place.
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

/// Score and place in one word that grows with the score.
fn pack(score: i32, place: u16) -> u64 {
    u64::from((score ^ i32::MIN) as u32) << 32 | u64::from(place)
}

fn unpack(word: u64) -> (i32, u16) {
    ((word >> 32) as u32 as i32 ^ i32::MIN, word as u16)
}
