//! Search of one thread: principal variation search, with the thread's own data.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::board::SearchBoard;
use super::busy::Busy;
use super::evaluation;
use super::geometry::{NOWHERE, POINTS, Point, distance};
use super::history::History;
use super::kind;
use super::moves::{self, Choice, Scored};
use super::net::Net;
use super::net::accumulator::Accumulator;
use super::score::{INFINITE, MAX_EVAL, SURE, from_table, to_table, win_at};
use super::threats::Threats;
use super::transposition::{Bound, Entry, NO_EVAL, TranspositionTable};
use super::tuning::{Selectivity, Tuning};

/// The longest line, in plies.
pub(super) const MAX_PLY: usize = 200;
/// The points of history that are worth a ply less or more of reduction.
const HISTORY_PLY: i32 = 8000;
/// The rise of a score, and its part for each ply of reduction, from which on a move is searched again one ply deeper.
const AGAIN: i32 = 34;
const AGAIN_PLY: i32 = 11;
/// The score of a move that is put off, less its number.
const PUT_OFF: i32 = i32::MIN / 2;
/// The number of nodes between two checks of the clock.
const POLL: u64 = 512;

/// The data that the threads of one search share.
pub(super) struct Shared<'a> {
    pub(super) table: &'a TranspositionTable,
    pub(super) halt: AtomicBool,
    pub(super) stop: &'a AtomicBool,
    pub(super) started: Instant,
    pub(super) hard: Option<Duration>,
    pub(super) max_nodes: Option<u64>,
    pub(super) nodes: AtomicU64,
    pub(super) tuning: Tuning,
    pub(super) busy: Busy,
}

/// The data that a thread keeps from search to search.
pub(super) struct Memory {
    pub(super) history: History,
    pub(super) no_fours: Vec<u64>,
    pub(super) threats: Threats,
}

impl Memory {
    pub(super) fn new() -> Memory {
        Memory { history: History::new(), no_fours: vec![0; 1 << 15], threats: Threats::new() }
    }
}

/// One thread's search.
pub(super) struct Worker<'a> {
    pub(super) board: SearchBoard,
    /// The sums of the net, where the rule has one.
    pub(super) net: Option<Accumulator>,
    pub(super) shared: &'a Shared<'a>,
    pub(super) memory: &'a mut Memory,
    pub(super) main: bool,
    pub(super) nodes: u64,
    told: u64,
    pub(super) halted: bool,
    pub(super) fours_left: u32,
    pub(super) moves: Vec<Scored>,
    pub(super) killers: Vec<[Point; 2]>,
    pub(super) evals: Vec<i32>,
    /// The move that the search of a ply leaves out, to see whether it is the only good one.
    pub(super) excluded: Vec<Point>,
    pub(super) selectivity: Selectivity,
    /// The depth of the iteration, which bounds extensions.
    pub(super) root_depth: i32,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        board: SearchBoard,
        shared: &'a Shared<'a>,
        memory: &'a mut Memory,
        main: bool,
    ) -> Worker<'a> {
        memory.history.age();
        let selectivity = Selectivity::new(&shared.tuning);
        Worker {
            board,
            net: None,
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
            excluded: vec![NOWHERE; MAX_PLY + 2],
            selectivity,
            root_depth: 0,
        }
    }

    /// Evaluates with the net, where the rule has one. A program that looks for forced wins only has no weights inside.
    pub(super) fn with_net(mut self) -> Worker<'a> {
        if self.board.freestyle() && self.shared.tuning.net {
            self.net = Some(Accumulator::new(Net::freestyle(), &self.board));
        }
        self
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
            self.evals[ply] = -self.evals[ply - 1];
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

        let tuning = &self.shared.tuning;
        let excluded = self.excluded[ply];
        let key = self.board.key();
        let known = self.shared.table.probe(key);
        let mut first = known.map_or(NOWHERE, |entry| entry.best);
        if first != NOWHERE && !self.board.is_empty(first) {
            first = NOWHERE;
        }
        if let Some(entry) = known.filter(|_| excluded == NOWHERE) {
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
        let threatened = forced || self.board.count(other, kind::OPEN_FOUR) > 0;
        // Under an open four's threat nothing is cut by the evaluation: that of the ply before will do.
        let unknown = threatened && self.net.is_some() && !tuning.net_threatened;
        let static_eval = if unknown {
            -self.evals[ply - 1]
        } else {
            known.and_then(|entry| entry.evaluation()).unwrap_or_else(|| self.evaluate())
        };
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
        self.killers[ply + 1] = [NOWHERE; 2];

        if !PV && !threatened && beta.abs() < SURE && excluded == NOWHERE {
            // Razoring: far below the window only fours could still help.
            if depth <= 3
                && eval + evaluation::RAZOR[depth.max(0) as usize] * tuning.razor as i32 / 100 <= alpha
            {
                let score = self.leaf(alpha, beta, ply);
                if score <= alpha {
                    return score;
                }
            }
            // Futility pruning: far above the window.
            let margin = evaluation::FUTILITY * tuning.futility as i32 / 100;
            if depth <= evaluation::FUTILITY_DEPTH
                && eval - margin * (depth - i32::from(improving)).max(1) >= beta
            {
                return eval;
            }
            // Null-move pruning: good enough even after a pass.
            if tuning.null_move
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
        if depth >= 4 && excluded == NOWHERE {
            let stale = |entry: Entry| PV && tuning.stale && i32::from(entry.depth) + 4 <= depth;
            if first == NOWHERE && (PV || cut) || first != NOWHERE && known.is_some_and(stale) {
                depth -= 1;
            }
        }
        // A position that fails high by its evaluation needs less to prove it.
        let high =
            tuning.fail_high && !PV && cut && !threatened && eval >= beta + evaluation::FAIL_HIGH * depth;

        let start = self.moves.len();
        let choice = moves::generate(&self.board, &mut self.moves);
        self.order(start, first, ply);
        let context = self.context();
        let alpha_before = alpha;
        let mut best_score = -INFINITE;
        let mut best = NOWHERE;
        let mut tried = 0usize;
        let mut next = start;
        // What is left of the depth after the moves that raised the score.
        let mut rest = depth;
        let mut narrowed = false;
        let limit = self.selectivity.limit(depth, improving) << u32::from(PV);
        let limited = match choice {
            Choice::Free => tuning.late_threats,
            Choice::Threatened => tuning.few_defences && !self.board.pente(),
            Choice::Forced => false,
        };
        let mut waiting = 0usize;
        while next < self.moves.len() {
            // Beyond the limit nothing is tried but what was put off.
            if limited && tried >= limit && waiting == 0 && best_score > -SURE {
                break;
            }
            let point = moves::pick(&mut self.moves, next);
            let score = self.moves[next].score;
            next += 1;
            if point == excluded || self.board.is_forbidden(me, point) {
                continue;
            }
            let put_off = score <= PUT_OFF;
            waiting -= usize::from(put_off);
            let (own_kind, other_kind) = (self.board.kind(me, point), self.board.kind(other, point));
            let captures = self.board.pente()
                && self.board.captures_at(me, point) + self.board.captures_at(other, point) > 0;
            let quiet = own_kind < kind::THREE && other_kind < kind::THREE && !captures;
            if best_score > -SURE && !put_off {
                let late = match choice {
                    _ if limited && tried >= limit => true,
                    Choice::Free => tried >= limit && quiet,
                    // A four that stops nothing only delays.
                    Choice::Threatened if limited => {
                        depth <= 3 && other_kind < kind::FOUR && self.is_far(point)
                    }
                    _ => false,
                };
                if late {
                    continue;
                }
            }
            // A move that another thread searches comes last, with the number that it has now.
            let mark = if tried > 0 { self.shared.busy.mark(key, point, depth) } else { None };
            let number = if put_off {
                (PUT_OFF - score) as usize
            } else {
                tried += 1;
                tried
            };
            if !put_off && self.shared.busy.holds(mark) {
                next -= 1;
                self.moves[next].score = PUT_OFF - number as i32;
                waiting += 1;
                continue;
            }
            let [replies, continuations] = self.memory.history.pairs(&context);
            let at = usize::from(point) & (POINTS - 1);
            let history = self.memory.history.of(me, point)
                + (i32::from(replies[at]) + i32::from(continuations[at])) * tuning.replies as i32 / 100;
            let mut new_depth = rest - 1;
            if choice == Choice::Forced {
                new_depth = rest;
            } else if point == first
                && let Some(entry) = known
            {
                match self.singular::<PV>(&entry, beta, depth, ply, cut) {
                    Singular::Extend(plies) => new_depth += plies,
                    Singular::Cut(score) => {
                        self.moves.truncate(start);
                        return score;
                    }
                }
            }
            if self.halted {
                self.moves.truncate(start);
                return 0;
            }
            if high && own_kind < kind::FOUR {
                new_depth -= 1;
            }
            self.shared.busy.begin(mark);
            self.board.make(point);
            let mut score = 0;
            let mut full = !PV || number > 1;
            if depth >= 2 && number > 1 + usize::from(PV) && choice == Choice::Free {
                let mut less = self.selectivity.reduction(depth, number);
                less += i32::from(cut) + i32::from(!improving) - i32::from(PV);
                less -= (history / HISTORY_PLY).clamp(-2, 2);
                if own_kind >= kind::FOUR {
                    less -= 2;
                } else if !quiet {
                    less -= 1;
                }
                let most = new_depth + i32::from(tuning.extend_late);
                let reduced = (new_depth - less).clamp(1.min(new_depth), most);
                if reduced != new_depth {
                    score = -self.search::<false>(-alpha - 1, -alpha, reduced, ply + 1, true);
                    full = score > alpha && reduced < new_depth;
                    if full && tuning.resize {
                        new_depth += self.resized(score, alpha, best_score, new_depth, reduced, ply);
                        full = reduced < new_depth;
                    }
                }
            }
            if full {
                score = -self.search::<false>(-alpha - 1, -alpha, new_depth, ply + 1, !cut);
            }
            if PV && (number == 1 || score > alpha && score < beta) {
                score = -self.search::<true>(-beta, -alpha, new_depth, ply + 1, false);
            }
            self.board.undo();
            self.shared.busy.end(mark);
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
                    if tuning.stale && !narrowed && (3..12).contains(&depth) && score.abs() < SURE {
                        (rest, narrowed) = (depth - 1, true);
                    }
                }
            }
        }
        if tried == 0 {
            self.moves.truncate(start);
            // Nothing stops the five; or, in a search without the best move, there is no other.
            return if excluded == NOWHERE { -win_at(ply + 2) } else { alpha };
        }
        if best != NOWHERE && best_score >= beta {
            self.reward(start, next, best, depth, ply);
        }
        self.moves.truncate(start);
        if excluded != NOWHERE {
            return best_score;
        }
        let bound = if best_score >= beta {
            Bound::Lower
        } else if PV && alpha > alpha_before {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let eval = if unknown { NO_EVAL } else { static_eval.clamp(-MAX_EVAL, MAX_EVAL) as i16 };
        self.shared.table.store(
            key,
            Entry { best, score: to_table(best_score, ply), eval, depth: depth.clamp(0, 255) as u8, bound },
        );
        best_score
    }

    /// The change of the depth at which a move is searched again whose reduced search raised the score to this.
    fn resized(&self, score: i32, alpha: i32, best: i32, depth: i32, reduced: i32, ply: usize) -> i32 {
        let much = score > alpha + AGAIN + AGAIN_PLY * (depth - reduced);
        i32::from(much && (ply as i32) < 2 * self.root_depth) - i32::from(score < best + depth)
    }

    /// Whether a point is far from the last move of either side.
    fn is_far(&self, point: Point) -> bool {
        [0, 1].into_iter().all(|back| distance(point, self.board.last(back)) > 4)
    }
}

/// What a search without the table's move says.
pub(super) enum Singular {
    /// The move is searched so many plies deeper.
    Extend(i32),
    /// The position is worth at least this without it.
    Cut(i32),
}
