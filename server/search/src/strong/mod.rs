//! Faster variants of the searches: iterative deepening within a time limit, move ordering, a transposition table, null windows, and
//! Jamboree on all threads.
//!
//! The value to a depth is still minimax's: no pruning can change it.

mod help;
mod node;
mod split_points;
mod transposition;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use grandstand_rules::turn::{Outcome, Position, Side};

use self::node::ThreadData;
use self::split_points::SplitPoints;
use self::transposition::TranspositionTable;
use crate::jamboree::PrunePercentage;
use crate::threads::{NoThreads, Threads};
use crate::value::{Counts, Estimate, Estimator};

/// A win at ply 0; a win at ply `n` is worth `n` less, so that earlier wins are preferred.
pub const WIN: i32 = 1_000_000;
/// Scores beyond this are wins.
pub const WIN_AT_LEAST: i32 = WIN / 2;
/// The deepest search.
pub const DEPTH_MAX: u32 = 100;

/// The knowledge of a game that makes a search fast. Moves are tried in the order of their promise.
pub trait Knowledge<P: Position>: Estimator<P> {
    /// The ordering score of a move for the mover, without a search; greater ones are tried earlier.
    fn order_score(&self, position: &P, mv: P::Move) -> i32;

    /// A number below [`SLOTS`] that identifies the move in the move-ordering statistics, independently of the position.
    fn history_index(&self, mv: P::Move) -> usize;
}

/// The number of values of [`Knowledge::history_index`].
pub const SLOTS: usize = 4096;

/// The limits of a search; the first one reached ends it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limits {
    /// The last depth.
    pub depth: Option<u32>,
    /// The soft limit: no further depth is begun that would probably not be completed in time.
    pub soft: Option<Duration>,
    /// The hard limit: the search is aborted.
    pub hard: Option<Duration>,
    /// The approximate number of nodes after which the search is aborted.
    pub nodes: Option<u64>,
}

/// The resources of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The number of threads, including the caller's.
    pub threads: usize,
    /// The size of the transposition table in MiB.
    pub table_mebibytes: usize,
    /// The share of children that are searched before the parallel ones; at least one child is.
    pub prune: PrunePercentage,
}

/// The result after a depth.
#[derive(Debug, Clone, PartialEq)]
pub struct Info<M> {
    /// The completed depth.
    pub depth: u32,
    /// The value from the view of the side to move at the root.
    pub score: i32,
    /// The value in the form of the other searches.
    pub estimate: Estimate,
    /// The principal variation, the best move first.
    pub line: Vec<M>,
    /// The nodes of all depths together, and the critical path of this depth alone; terminals are not counted.
    pub counts: Counts,
    /// The nodes of this depth alone.
    pub nodes: u64,
    /// The idle time of all threads together so far.
    pub idle: Duration,
    /// The time since the search began.
    pub elapsed: Duration,
}

/// A search with its table and threads, which are kept from move to move.
#[derive(Debug)]
pub struct Search<P: Position, K> {
    knowledge: K,
    table: TranspositionTable,
    pool: Option<Threads>,
    prune: PrunePercentage,
    locals: Mutex<Vec<ThreadData<P>>>,
}

/// The data that the threads of one search share.
struct Shared<'a, P: Position> {
    nodes: AtomicU64,
    stopped: AtomicBool,
    stop: &'a AtomicBool,
    deadline: Option<Instant>,
    nodes_max: u64,
    /// `None` with one thread.
    split_points: Option<SplitPoints<P>>,
}

impl<P: Position> Shared<'_, P> {
    /// Adds nodes, and returns whether the search must be aborted.
    fn count(&self, nodes: u64) -> bool {
        let all = self.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes;
        let over = all >= self.nodes_max
            || self.stop.load(Ordering::Relaxed)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if over {
            self.stopped.store(true, Ordering::Relaxed);
        }
        over
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

impl<P: Position, K: Knowledge<P>> Search<P, K> {
    /// Allocates the table and starts the threads.
    ///
    /// # Errors
    /// [`NoThreads`] if the system can't start the threads.
    pub fn new(knowledge: K, options: Options) -> Result<Self, NoThreads> {
        let threads = options.threads.max(1);
        // If all children are searched in sequence, there is nothing to share.
        let is_parallel = threads > 1 && options.prune.get() < 1.0;
        let pool = is_parallel.then(|| Threads::start(threads - 1)).transpose()?;
        let table = TranspositionTable::new(options.table_mebibytes);
        Ok(Self { knowledge, table, pool, prune: options.prune, locals: Mutex::default() })
    }

    /// The knowledge, for a change of the costs of first moves. Estimates must stay as they are: scores that were found are kept.
    pub fn knowledge_mut(&mut self) -> &mut K {
        &mut self.knowledge
    }

    /// Forgets all search results.
    pub fn forget(&mut self) {
        self.table.clear();
        let locals = self.locals.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        locals.iter_mut().for_each(ThreadData::forget);
    }

    /// Searches with iterative deepening until a limit is reached, and reports each depth. `None` if the game is over. The move is
    /// always legal, even if not even the first depth was completed.
    pub fn think(
        &self,
        position: &P,
        limits: &Limits,
        stop: &AtomicBool,
        report: &mut (dyn FnMut(&Info<P::Move>) + Send),
    ) -> Option<Info<P::Move>> {
        let began = Instant::now();
        let shared = Shared {
            nodes: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
            stop,
            deadline: limits.hard.map(|hard| began + hard),
            nodes_max: limits.nodes.unwrap_or(u64::MAX),
            split_points: self.pool.as_ref().map(|pool| SplitPoints::new(pool.count() + 1)),
        };
        let mut think = || self.deepen(position, limits, began, &shared, report);
        match (&self.pool, &shared.split_points) {
            (Some(pool), Some(split_points)) => pool.in_parallel(
                || {
                    let _dismissed = split_points.dismiss_at_the_end();
                    think()
                },
                |number| self.assist(position, number + 1, &shared, split_points),
            ),
            _ => think(),
        }
    }

    fn deepen(
        &self,
        position: &P,
        limits: &Limits,
        began: Instant,
        shared: &Shared<'_, P>,
        report: &mut (dyn FnMut(&Info<P::Move>) + Send),
    ) -> Option<Info<P::Move>> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut best = Info {
            depth: 0,
            score: 0,
            estimate: self.knowledge.estimate(position),
            line: vec![*moves.iter().max_by_key(|&&mv| self.knowledge.order_score(position, mv))?],
            counts: Counts::default(),
            nodes: 0,
            idle: Duration::ZERO,
            elapsed: Duration::ZERO,
        };
        for depth in 1..=limits.depth.unwrap_or(DEPTH_MAX).min(DEPTH_MAX) {
            let before = shared.nodes.load(Ordering::Relaxed);
            let Some((score, mv, path)) = self.root(position, depth, shared) else { break };
            let all = shared.nodes.load(Ordering::Relaxed);
            let side = position.to_move();
            let estimate = match score {
                WIN_AT_LEAST.. => Estimate::win(side),
                _ if score <= -WIN_AT_LEAST => Estimate::win(side.opponent()),
                _ if side == Side::First => Estimate::Guess(score),
                _ => Estimate::Guess(-score),
            };
            let elapsed = began.elapsed();
            let idle = shared.split_points.as_ref().map_or(Duration::ZERO, SplitPoints::idle);
            let counts = Counts { nodes: all, terminals: 0, path };
            let line = self.line(position, mv, depth);
            best = Info { depth, score, estimate, line, counts, nodes: all - before, idle, elapsed };
            report(&best);
            // A deeper search adds nothing to a won or lost match, and the next depth takes longer than all before.
            let is_late = limits.soft.is_some_and(|soft| elapsed * 2 >= soft);
            if score.abs() >= WIN_AT_LEAST && limits.depth.is_none() || is_late {
                break;
            }
        }
        best.elapsed = began.elapsed();
        Some(best)
    }

    /// The principal variation, as far as it is in the table.
    fn line(&self, position: &P, first: P::Move, depth: u32) -> Vec<P::Move> {
        let mut line = vec![first];
        let mut position = position.clone();
        position.advance(first);
        let mut moves = Vec::new();
        while (line.len() as u32) < depth {
            moves.clear();
            position.legal_moves(&mut moves);
            let entry = self.table.get(position.key());
            let entry = entry.filter(|entry| u32::from(entry.depth) + line.len() as u32 == depth);
            let Some(&mv) = entry.and_then(|entry| moves.get(usize::from(entry.best))) else { break };
            line.push(mv);
            position.advance(mv);
        }
        line
    }

    /// The value of a position for the side to move.
    fn score(&self, position: &P) -> i32 {
        if let Some(end) = position.end() {
            let won = |side| {
                WIN.saturating_sub_unsigned(position.ply()) * if side == position.to_move() { 1 } else { -1 }
            };
            return match end.outcome {
                Outcome::Win(side) => won(side),
                Outcome::Draw => 0,
            };
        }
        let for_maxie = match self.knowledge.estimate(position) {
            Estimate::Guess(guess) => guess.clamp(1 - WIN_AT_LEAST, WIN_AT_LEAST - 1),
            Estimate::MaxieWins => WIN_AT_LEAST,
            Estimate::MinnieWins => -WIN_AT_LEAST,
        };
        if position.to_move() == Side::First { for_maxie } else { -for_maxie }
    }
}
