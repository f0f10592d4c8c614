//! The same searches, made strong: iterative deepening within a time, good moves first, a table of what was found, null windows, and
//! Jamboree on all threads.
//!
//! The value to a depth is still minimax's: nothing is pruned that could change it.

mod help;
mod node;
mod split_points;
mod table;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use grandstand_rules::turn::{Outcome, Position, Side};

use self::node::Local;
use self::split_points::SplitPoints;
use self::table::{Bound, Table};
use crate::jamboree::PrunePercentage;
use crate::threads::{NoThreads, Threads};
use crate::value::{Counts, Estimate, Estimator};

/// A win at ply 0; one at ply `n` is worth `n` less, so that the earlier one is the better one.
pub const WIN: i32 = 1_000_000;
/// Scores beyond this are wins.
pub const WIN_AT_LEAST: i32 = WIN / 2;
/// The deepest search.
pub const DEPTH_MAX: u32 = 100;

/// What a search must know of a game to be fast. Its moves are tried in the order of what this promises.
pub trait Knowledge<P: Position>: Estimator<P> {
    /// How good a move looks to the mover before anything is searched; more is earlier.
    fn promise(&self, position: &P, mv: P::Move) -> i32;

    /// A number below [`SLOTS`] by which the move is remembered, wherever it is played.
    fn slot(&self, mv: P::Move) -> usize;
}

/// How many moves are told apart by [`Knowledge::slot`].
pub const SLOTS: usize = 4096;

/// When a search stops; each of them holds.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limits {
    /// After this depth.
    pub depth: Option<u32>,
    /// No further depth is begun when it would likely not be done by then.
    pub soft: Option<Duration>,
    /// The search breaks off.
    pub hard: Option<Duration>,
    /// The search breaks off after about so many nodes.
    pub nodes: Option<u64>,
}

/// What a search may use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Threads; the one that asks is among them.
    pub threads: usize,
    /// The size of the table.
    pub table_mebibytes: usize,
    /// How many children come before the parallel ones; at least one does.
    pub prune: PrunePercentage,
}

/// What is known after a depth.
#[derive(Debug, Clone, PartialEq)]
pub struct Info<M> {
    /// The depth that was searched to.
    pub depth: u32,
    /// The value from the view of who moves at the root.
    pub score: i32,
    /// The value as the other searches tell it.
    pub estimate: Estimate,
    /// The main line, the best move first.
    pub line: Vec<M>,
    /// Nodes, all depths together, and the critical path of this depth alone; terminals are not counted.
    pub counts: Counts,
    /// Nodes of this depth alone.
    pub nodes: u64,
    /// How long threads had nothing to do so far, all together.
    pub idle: Duration,
    /// Since the search began.
    pub elapsed: Duration,
}

/// A search with its table and threads, which it keeps from move to move.
#[derive(Debug)]
pub struct Search<P: Position, K> {
    knowledge: K,
    table: Table,
    pool: Option<Threads>,
    prune: PrunePercentage,
    locals: Mutex<Vec<Local<P>>>,
}

/// What the threads of one search share.
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
    /// Adds nodes, and sees whether the search must break off.
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
    /// The system gives no threads.
    pub fn new(knowledge: K, options: Options) -> Result<Self, NoThreads> {
        let threads = options.threads.max(1);
        // When all children come one after another there is nothing to help with.
        let is_parallel = threads > 1 && options.prune.get() < 1.0;
        let pool = is_parallel.then(|| Threads::start(threads - 1)).transpose()?;
        let table = Table::new(options.table_mebibytes);
        Ok(Self { knowledge, table, pool, prune: options.prune, locals: Mutex::default() })
    }

    /// What it knows, to be changed: the scores that were found with what it knew before are forgotten, and the order of moves is kept.
    pub fn knowledge_mut(&mut self) -> &mut K {
        self.table.renew();
        &mut self.knowledge
    }

    /// Forgets what was found.
    pub fn forget(&mut self) {
        self.table.clear();
        let locals = self.locals.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        locals.iter_mut().for_each(Local::forget);
    }

    /// Searches deeper and deeper until a limit holds, and tells of each depth. `None` when the game is over. The move is always legal,
    /// also when not even the first depth was done.
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
            (Some(pool), Some(split_points)) => pool.beside(
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
            line: vec![*moves.iter().max_by_key(|&&mv| self.knowledge.promise(position, mv))?],
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
            // A won or lost match is not better known for being searched deeper, and the next depth takes longer than all before.
            let is_late = limits.soft.is_some_and(|soft| elapsed * 2 >= soft);
            if score.abs() >= WIN_AT_LEAST && limits.depth.is_none() || is_late {
                break;
            }
        }
        best.elapsed = began.elapsed();
        Some(best)
    }

    /// The main line, as far as the table knows it.
    fn line(&self, position: &P, first: P::Move, depth: u32) -> Vec<P::Move> {
        let mut line = vec![first];
        let mut position = position.clone();
        position.advance(first);
        let mut moves = Vec::new();
        while (line.len() as u32) < depth {
            moves.clear();
            position.legal_moves(&mut moves);
            let entry = self.table.get(position.key()).filter(|entry| {
                u32::from(entry.depth) + line.len() as u32 == depth && entry.bound != Bound::Stale
            });
            let Some(&mv) = entry.and_then(|entry| moves.get(usize::from(entry.best))) else { break };
            line.push(mv);
            position.advance(mv);
        }
        line
    }

    /// What a position is worth to who moves there.
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
