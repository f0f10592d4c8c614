//! A strong player of Gomoku and Pente: principal variation search on line patterns.

mod board;
mod board_region;
mod busy;
mod combo;
mod evaluation;
pub mod features;
mod fitted;
mod geometry;
mod history;
mod kind;
mod leaf;
mod line;
mod moves;
mod net;
mod order;
mod renju;
mod score;
mod singular;
#[cfg(test)]
mod tests;
mod think;
mod threats;
mod transposition;
mod tuning;
mod vcf;
mod win;
mod worker;

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use self::board::Tables;
use self::transposition::TranspositionTable;
pub use self::tuning::Tuning;
pub use self::win::{Means, Win};
use self::worker::Memory;
pub use grandstand_rules::stones::Rule;

/// The limits of a search. Without any limit it ends only when it is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// The soft limit: no new iteration begins that would hardly end before it, and a settled choice is played sooner. It has no
    /// effect unless it is below the hard limit.
    pub soft: Option<Duration>,
    /// The hard limit: the search ends by then, with a tolerance of a few milliseconds.
    pub hard: Option<Duration>,
    /// The number of positions that all threads together may visit.
    pub nodes: Option<u64>,
    /// The depth of the deepest iteration, in plies.
    pub depth: Option<u32>,
}

/// The resources of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The number of search threads. With one thread, the same limits of nodes or depth give the same move.
    pub threads: usize,
    /// The size of the transposition table; everything else takes less than 12 MiB per thread.
    pub memory_mib: usize,
    /// The search features that are enabled.
    pub tuning: Tuning,
}

impl Default for Options {
    fn default() -> Options {
        Options { threads: 1, memory_mib: 64, tuning: Tuning::default() }
    }
}

/// The evaluation of a position by a search, so far or finally: the line begins with the move to make and has at
/// most 64 moves (column and row from the lower left). The score is from the view of the side to move; ±(30000 − n) is a
/// forced win or loss in n plies.
pub type Thought = grandstand_rules::turn::Thought<(u16, u16)>;

/// The reason why there is no move to search for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unplayable {
    /// The move with this number (from 0) is off the board.
    #[error("move {} is beside the board", .0 + 1)]
    OffTheBoard(usize),
    /// The move with this number (from 0) is on a stone.
    #[error("move {} is on a stone", .0 + 1)]
    Taken(usize),
    /// The board is full.
    #[error("no move is left")]
    Full,
}

/// A player of one rule on one board size. It keeps its search results from move to move.
pub struct Engine {
    size: u16,
    rule: Rule,
    options: Options,
    table: TranspositionTable,
    memories: Vec<Memory>,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("size", &self.size)
            .field("rule", &self.rule)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl Engine {
    /// Prepares an engine for boards with `size` points along an edge, at least 5. All memory is allocated here, so this is
    /// slow.
    pub fn new(size: u16, rule: Rule, options: Options) -> Engine {
        Tables::of(rule);
        let threads = options.threads.max(1);
        let memories = (0..threads).map(|_| Memory::new()).collect();
        Engine {
            size: size.max(5),
            rule,
            options,
            table: TranspositionTable::new(options.memory_mib),
            memories,
        }
    }

    /// Forgets the results of earlier games.
    pub fn clear(&mut self) {
        self.table.clear();
        for memory in &mut self.memories {
            *memory = Memory::new();
        }
    }

    /// The size of the transposition table, in MiB.
    pub fn memory_mib(&self) -> usize {
        self.table.mebibytes()
    }

    /// Chooses a move after these moves (columns and rows from the lower left, black's first, in order,
    /// including captured stones), until a limit is reached or `stop` is set. `report` is called after each iteration.
    ///
    /// # Errors
    /// [`Unplayable`]: a move is off the board or on a stone, or the board is full.
    pub fn think(
        &mut self,
        moves: &[(u16, u16)],
        limits: &Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Thought),
    ) -> Result<Thought, Unplayable> {
        think::think(self, moves, limits, stop, report)
    }
}
