//! Search of one thread: principal variation search, with the thread's own data.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::board::SearchBoard;
use super::evaluation;
use super::geometry::{NOWHERE, POINTS, Point};
use super::kind;
use super::moves::{self, Choice, Scored};
use super::score::{INFINITE, MAX_EVAL, SURE, from_table, to_table, win_at};
use super::table::{Bound, Entry, Table};
use super::threats::Threats;

/// The longest line, in plies.
pub(super) const MAX_PLY: usize = 200;
/// The number of nodes between two checks of the clock.
const POLL: u64 = 512;

/// The data that the threads of one search share.
pub(super) struct Shared<'a> {
    pub(super) table: &'a Table,
    pub(super) halt: AtomicBool,
    pub(super) stop: &'a AtomicBool,
    pub(super) started: Instant,
    pub(super) hard: Option<Duration>,
    pub(super) max_nodes: Option<u64>,
    pub(super) nodes: AtomicU64,
    pub(super) tuning: Tuning,
}

/// Switches and parameters of the search, for comparing variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tuning {
    /// The most moves that a search for wins by fours tries at a leaf.
    pub leaf_fours: u32,
    /// The moves that searches for wins by threats may try in total, in per cent of all others: at the root, and for the
    /// other side after the best move of each iteration.
    pub threats: u32,
    /// Whether a null move is tried where a position looks good enough.
    pub null_move: bool,
    /// The reduction of late moves, in per cent of the default.
    pub reduction: u32,
    /// The number of late moves tried near the leaves, in per cent of the default.
    pub width: u32,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning { leaf_fours: 100, threats: 10, null_move: true, reduction: 100, width: 100 }
    }
}

/// The data that a thread keeps from search to search.
pub(super) struct Memory {
    history: Box<[[i16; POINTS]; 2]>,
    counters: Box<[[Point; POINTS]; 2]>,
    pub(super) no_fours: Vec<u64>,
    pub(super) threats: Threats,
}

impl Memory {
    pub(super) fn new() -> Memory {
        Memory {
            history: Box::new([[0; POINTS]; 2]),
            counters: Box::new([[NOWHERE; POINTS]; 2]),
            no_fours: vec![0; 1 << 15],
            threats: Threats::new(),
        }
    }
}

/// One thread's search.
pub(super) struct Worker<'a> {
    pub(super) board: SearchBoard,
    pub(super) shared: &'a Shared<'a>,
    pub(super) memory: &'a mut Memory,
    pub(super) main: bool,
    pub(super) nodes: u64,
    told: u64,
    pub(super) halted: bool,
    pub(super) fours_left: u32,
    moves: Vec<Scored>,
    killers: Vec<[Point; 2]>,
    evals: Vec<i32>,
    reductions: Vec<[u8; 64]>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        board: SearchBoard,
        shared: &'a Shared<'a>,
        memory: &'a mut Memory,
        main: bool,
    ) -> Worker<'a> {
        for side in memory.history.iter_mut() {
            side.iter_mut().for_each(|h| *h /= 2);
        }
        let percent = f64::from(shared.tuning.reduction) / 100.0;
        let reductions = (0..64)
            .map(|depth: i32| {
                std::array::from_fn(|index| {
                    let (depth, index) = (f64::from(depth.max(1)), index.max(1) as f64);
                    (depth.ln() * index.ln() * 0.7 * percent) as u8
                })
            })
            .collect();
        Worker {
            board,
            shared,
            memory,
            main,
            nodes: 0,
            told: 0,
            halted: false,
            fours_left: 0,
            moves: Vec::with_capacity(POINTS * 8),
            killers: vec![[NOWHERE; 2]; MAX_PLY + 2],
            evals: vec![0; MAX_PLY + 2],
            reductions,
        }
    }

    /// Counts a node, and periodically checks the limits.
    #[inline]
    pub(super) fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes - self.told >= POLL || self.shared.max_nodes.is_some() {
            self.poll();
        }
    }

    #[cold]
    fn poll(&mut self) {
        let shared = self.shared;
        let total =
            shared.nodes.fetch_add(self.nodes - self.told, Ordering::Relaxed) + self.nodes - self.told;
        let clock = self.nodes / POLL != self.told / POLL;
        self.told = self.nodes;
        if shared.halt.load(Ordering::Relaxed) {
            self.halted = true;
        } else if shared.max_nodes.is_some_and(|most| total >= most)
            || clock
                && self.main
                && (shared.stop.load(Ordering::Relaxed)
                    || shared.hard.is_some_and(|hard| shared.started.elapsed() >= hard))
        {
            self.halted = true;
            shared.halt.store(true, Ordering::Relaxed);
        }
    }

    /// Adds this thread's nodes to the shared count and returns the total.
    pub(super) fn tell_nodes(&mut self) -> u64 {
        let more = self.nodes - self.told;
        self.told = self.nodes;
        self.shared.nodes.fetch_add(more, Ordering::Relaxed) + more
    }

    /// The static value of the position for the side to move.
    pub(super) fn evaluate(&self) -> i32 {
        evaluation::evaluate(&self.board)
    }

    /// The score of a position that is decided without a search; `None` for any other.
    fn decided(&self, ply: usize) -> Option<i32> {
        let board = &self.board;
        let (me, other) = (board.turn(), board.turn() ^ 1);
        if board.has_captured_all(other) {
            return Some(-win_at(ply));
        }
        if board.count(me, kind::FIVE) > 0 || board.wins_by_capture(me) {
            return Some(win_at(ply + 1));
        }
        if board.pente() {
            return None;
        }
        match board.count(other, kind::FIVE) {
            0 => {}
            1 => return None,
            _ => return Some(-win_at(ply + 2)),
        }
        if board.count(me, kind::OPEN_FOUR) > 0 {
            return Some(win_at(ply + 3));
        }
        if board.four_count(other) == 0
            && !board.restricts(me)
            && (board.count(me, kind::FOUR_THREE) > 0 || board.count(me, kind::THREE_THREE) > 0)
        {
            return Some(win_at(ply + 5));
        }
        None
    }

    /// The value of a leaf: static, unless a win by fours is found.
    fn leaf(&mut self, alpha: i32, beta: i32, ply: usize) -> i32 {
        let key = self.board.key();
        let known = self.shared.table.probe(key);
        if let Some(entry) = known {
            let score = from_table(entry.score, ply);
            let cut = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if cut {
                return score;
            }
        }
        let eval = known.map_or_else(|| self.evaluate(), |entry| i32::from(entry.eval));
        let (mut score, mut bound) = (eval, Bound::Lower);
        if eval < beta {
            bound = Bound::Exact;
            if let Some(plies) = self.win_by_fours(self.shared.tuning.leaf_fours) {
                score = win_at(ply + plies);
            }
        }
        if known.is_none_or(|entry| entry.depth == 0) && !self.halted {
            let best = known.map_or(NOWHERE, |entry| entry.best);
            let entry = Entry { best, score: to_table(score, ply), eval: eval as i16, depth: 0, bound };
            self.shared.table.store(key, entry);
        }
        score
    }

    /// The value of the position for the side to move: exact between `alpha` and `beta`, a bound outside.
    pub(super) fn search<const PV: bool>(
        &mut self,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        cut: bool,
    ) -> i32 {
        self.count_node();
        if self.halted || self.board.is_full() {
            return 0;
        }
        if let Some(score) = self.decided(ply) {
            return score;
        }
        if ply >= MAX_PLY - 1 {
            return self.evaluate();
        }
        alpha = alpha.max(-win_at(ply));
        beta = beta.min(win_at(ply + 1));
        if alpha >= beta {
            return alpha;
        }
        let (me, other) = (self.board.turn(), self.board.turn() ^ 1);
        let forced = self.board.count(other, kind::FIVE) > 0;
        if forced && !self.board.pente() {
            let Some(answer) = self.board.five(other) else { return alpha };
            if self.board.is_forbidden(me, answer) {
                return -win_at(ply + 2);
            }
            self.board.make(answer);
            let score = -self.search::<PV>(-beta, -alpha, depth, ply + 1, !cut);
            self.board.undo();
            return score;
        }
        // While an open four threatens, a leaf's value is unreliable: the defences are searched a few plies deeper.
        let settled = depth <= -3 || self.board.count(other, kind::OPEN_FOUR) == 0;
        if depth <= 0 && !forced && settled {
            return self.leaf(alpha, beta, ply);
        }

        let key = self.board.key();
        let known = self.shared.table.probe(key);
        let mut first = known.map_or(NOWHERE, |entry| entry.best);
        if first != NOWHERE && !self.board.is_empty(first) {
            first = NOWHERE;
        }
        if let Some(entry) = known {
            let score = from_table(entry.score, ply);
            // A certain result is valid at every depth.
            if !PV && i32::from(entry.depth) >= depth || score.abs() >= SURE {
                let cut = match entry.bound {
                    Bound::Exact => true,
                    Bound::Lower => score >= beta || score >= SURE,
                    Bound::Upper => score <= alpha || score <= -SURE,
                };
                if cut {
                    return score;
                }
            }
        }
        let static_eval = known.map_or_else(|| self.evaluate(), |entry| i32::from(entry.eval));
        self.evals[ply] = static_eval;
        let mut eval = static_eval;
        if let Some(entry) = known {
            let score = from_table(entry.score, ply);
            let better = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score > eval,
                Bound::Upper => score < eval,
            };
            if better && score.abs() < SURE {
                eval = score;
            }
        }
        let improving = ply >= 2 && static_eval > self.evals[ply - 2];
        let threatened = forced || self.board.count(other, kind::OPEN_FOUR) > 0;
        self.killers[ply + 1] = [NOWHERE; 2];

        if !PV && !threatened && beta.abs() < SURE {
            // Razoring: far below the window only fours could still help.
            if depth <= 3 && eval + evaluation::RAZOR[depth.max(0) as usize] <= alpha {
                let score = self.leaf(alpha, beta, ply);
                if score <= alpha {
                    return score;
                }
            }
            // Futility pruning: far above the window.
            if depth <= 6 && eval - evaluation::FUTILITY * (depth - i32::from(improving)).max(1) >= beta {
                return eval;
            }
            // Null-move pruning: good enough even after a pass.
            if self.shared.tuning.null_move
                && depth >= 4
                && eval >= beta
                && static_eval >= beta
                && self.board.last(0) != NOWHERE
            {
                let less = 3 + depth / 4;
                self.board.pass();
                let score = -self.search::<false>(-beta, 1 - beta, depth - less, ply + 1, !cut);
                self.board.undo();
                if self.halted {
                    return 0;
                }
                if score >= beta && score < SURE {
                    return score;
                }
            }
        }
        if first == NOWHERE && depth >= 4 && (PV || cut) {
            depth -= 1;
        }

        let start = self.moves.len();
        let choice = moves::generate(&self.board, &mut self.moves);
        self.order(start, first, ply);
        let alpha_before = alpha;
        let mut best_score = -INFINITE;
        let mut best = NOWHERE;
        let mut tried = 0usize;
        let end = self.moves.len();
        let mut next = start;
        while next < end {
            let point = moves::pick(&mut self.moves[..end], next);
            next += 1;
            if self.board.is_forbidden(me, point) {
                continue;
            }
            let (own_kind, other_kind) = (self.board.kind(me, point), self.board.kind(other, point));
            let captures = self.board.pente()
                && self.board.captures_at(me, point) + self.board.captures_at(other, point) > 0;
            let quiet = own_kind < kind::THREE && other_kind < kind::THREE && !captures;
            if choice == Choice::Free && best_score > -SURE && own_kind < kind::FOUR {
                let limit =
                    (evaluation::WIDTH + depth * depth * 6 / 5) * self.shared.tuning.width as i32 / 100;
                let limit = if improving { limit } else { limit * 2 / 3 };
                if !PV && depth <= 8 && tried as i32 >= limit && quiet {
                    continue;
                }
            }
            tried += 1;
            let history = i32::from(self.memory.history[me][usize::from(point) & (POINTS - 1)]);
            let mut new_depth = depth - 1;
            if choice == Choice::Forced {
                new_depth = depth;
            }
            self.board.make(point);
            let mut score = 0;
            let mut full = !PV || tried > 1;
            if depth >= 2 && tried > 1 + usize::from(PV) && choice == Choice::Free {
                let mut less = i32::from(self.reductions[(depth as usize).min(63)][tried.min(63)]);
                less += i32::from(cut) + i32::from(!improving) - i32::from(PV);
                less -= (history / 5000).clamp(-2, 2);
                if own_kind >= kind::FOUR {
                    less -= 2;
                } else if !quiet {
                    less -= 1;
                }
                let reduced = (new_depth - less).clamp(1.min(new_depth), new_depth);
                if reduced < new_depth {
                    score = -self.search::<false>(-alpha - 1, -alpha, reduced, ply + 1, true);
                    full = score > alpha;
                }
            }
            if full {
                score = -self.search::<false>(-alpha - 1, -alpha, new_depth, ply + 1, !cut);
            }
            if PV && (tried == 1 || score > alpha && score < beta) {
                score = -self.search::<true>(-beta, -alpha, new_depth, ply + 1, false);
            }
            self.board.undo();
            if self.halted {
                self.moves.truncate(start);
                return 0;
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best = point;
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        if tried == 0 {
            self.moves.truncate(start);
            // Nothing stops the five.
            return -win_at(ply + 2);
        }
        if best != NOWHERE && best_score >= beta {
            self.reward(start, next, best, depth, ply);
        }
        self.moves.truncate(start);
        let bound = if best_score >= beta {
            Bound::Lower
        } else if PV && alpha > alpha_before {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let eval = static_eval.clamp(-MAX_EVAL, MAX_EVAL) as i16;
        self.shared.table.store(
            key,
            Entry { best, score: to_table(best_score, ply), eval, depth: depth.clamp(0, 255) as u8, bound },
        );
        best_score
    }

    /// Stores in the table that the side to move wins.
    pub(super) fn note_win(&mut self, best: Point, plies: usize, ply: usize) {
        let score = to_table(win_at(ply + plies), ply);
        let eval = self.evaluate().clamp(-MAX_EVAL, MAX_EVAL) as i16;
        let entry = Entry { best, score, eval, depth: u8::MAX, bound: Bound::Lower };
        self.shared.table.store(self.board.key(), entry);
    }

    /// Scores the moves from `start` on.
    fn order(&mut self, start: usize, first: Point, ply: usize) {
        let (me, other) = (self.board.turn(), self.board.turn() ^ 1);
        let last = self.board.last(0);
        let counter = self.memory.counters[me][usize::from(last) & (POINTS - 1)];
        let killers = self.killers[ply];
        for scored in &mut self.moves[start..] {
            let point = scored.point;
            let mut score = i32::from(self.board.order(me, point)[0])
                + i32::from(self.board.order(other, point)[1])
                + i32::from(self.memory.history[me][usize::from(point) & (POINTS - 1)]) / 128;
            if point == first {
                score += 1_000_000;
            } else if killers.contains(&point) {
                score += 40;
            } else if point == counter {
                score += 30;
            }
            if self.board.pente() {
                score += evaluation::captures_order(&self.board, point);
            }
            scored.score = score;
        }
    }

    /// Updates the move-ordering statistics: `best` refuted the previous move, and the moves tried before it did not.
    fn reward(&mut self, start: usize, next: usize, best: Point, depth: i32, ply: usize) {
        let me = self.board.turn();
        let bonus = (depth * depth * 16).min(1600);
        for index in start..next {
            let point = self.moves[index].point;
            let slot = &mut self.memory.history[me][usize::from(point) & (POINTS - 1)];
            let signed = if point == best { bonus } else { -bonus };
            *slot += (signed - i32::from(*slot) * bonus / 16_384) as i16;
        }
        if self.killers[ply][0] != best {
            self.killers[ply] = [best, self.killers[ply][0]];
        }
        let last = self.board.last(0);
        self.memory.counters[me][usize::from(last) & (POINTS - 1)] = best;
    }

    /// The moves of the root, in descending order of their static scores.
    pub(super) fn root_moves(&mut self) -> Vec<Point> {
        // A five comes first: elsewhere in the tree such a position is decided before moves are generated.
        if let Some(five) = self.board.five(self.board.turn()) {
            return vec![five];
        }
        let start = self.moves.len();
        moves::generate(&self.board, &mut self.moves);
        self.order(start, NOWHERE, 0);
        let mut all: Vec<Scored> = self.moves.drain(start..).collect();
        all.retain(|m| self.board.is_empty(m.point) && !self.board.is_forbidden(self.board.turn(), m.point));
        all.sort_by_key(|m| std::cmp::Reverse(m.score));
        all.into_iter().map(|m| m.point).collect()
    }

    /// The principal variation in the table, from `first` on.
    pub(super) fn line(&mut self, first: Point) -> Vec<Point> {
        let mut line = vec![first];
        let player = self.board.turn();
        self.board.make(first);
        while line.len() < 64 && !self.board.is_full() {
            let (me, other) = (self.board.turn(), self.board.turn() ^ 1);
            let next = self
                .board
                .five(me)
                .or_else(|| self.board.five(other))
                .or_else(|| self.memory.threats.best(self.board.key(), player, me == player))
                .or_else(|| self.shared.table.probe(self.board.key()).map(|entry| entry.best));
            let ends = self.board.count(me, kind::FIVE) > 0;
            match next {
                Some(point) if self.board.is_empty(point) && !self.board.is_forbidden(me, point) => {
                    line.push(point);
                    self.board.make(point);
                    if ends {
                        break;
                    }
                }
                _ => break,
            }
        }
        for _ in 0..line.len() {
            self.board.undo();
        }
        line
    }
}
