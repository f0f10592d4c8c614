//! A strong player of Gomoku and Pente: principal variation search on line patterns.

mod board;
mod combo;
mod evaluation;
mod fitted;
mod geometry;
mod kind;
pub mod lesson;
mod line;
mod moves;
mod renju;
mod score;
mod table;
#[cfg(test)]
mod tests;
mod think;
mod threats;
mod vcf;
mod window;
mod worker;

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use self::board::Tables;
use self::table::Table;
use self::worker::Memory;
pub use self::worker::Tuning;
pub use grandstand_rules::stones::Rule;

/// When a search ends. Without any limit it ends when it is told to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// No new iteration begins that would hardly end by then; a settled choice is played sooner. One that is not below
    /// the hard limit does nothing.
    pub soft: Option<Duration>,
    /// The search is over by then, but for a few milliseconds.
    pub hard: Option<Duration>,
    /// How many positions may be looked at, by all threads.
    pub nodes: Option<u64>,
    /// How many plies the deepest iteration has.
    pub depth: Option<u32>,
}

/// What an engine has to work with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How many threads search; with one, the same limits of nodes or depth give the same move.
    pub threads: usize,
    /// The size of the transposition table; everything else takes less than 4 MiB a thread.
    pub memory_mib: usize,
    /// What parts of the search are on.
    pub tuning: Tuning,
}

impl Default for Options {
    fn default() -> Options {
        Options { threads: 1, memory_mib: 64, tuning: Tuning::default() }
    }
}

/// What a search thinks of a position, so far or in the end: the line begins with the move that it would make and has at
/// most 64 moves (column and row from the lower left). The score is from the view of the side to move; ±(30000 − n) is a
/// forced win or loss in n plies.
pub type Thought = grandstand_rules::turn::Thought<(u16, u16)>;

/// Why there is nothing to think about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unplayable {
    /// The move of this number (from 0) is beside the board.
    #[error("move {} is beside the board", .0 + 1)]
    OffTheBoard(usize),
    /// The move of this number (from 0) is on a stone.
    #[error("move {} is on a stone", .0 + 1)]
    Taken(usize),
    /// There is no move left.
    #[error("no move is left")]
    Full,
}

/// A player of one rule on one size of board. It remembers what it found from move to move.
pub struct Engine {
    size: u16,
    rule: Rule,
    options: Options,
    table: Table,
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
    /// Gets ready for boards of `size` points a side, at least 5. Allocates all that it will need, so that this is the
    /// slow part.
    #[must_use]
    pub fn new(size: u16, rule: Rule, options: Options) -> Engine {
        Tables::of(rule);
        let threads = options.threads.max(1);
        let memories = (0..threads).map(|_| Memory::new()).collect();
        Engine { size: size.max(5), rule, options, table: Table::new(options.memory_mib), memories }
    }

    /// Forgets what it found in former games.
    pub fn clear(&mut self) {
        self.table.clear();
        for memory in &mut self.memories {
            *memory = Memory::new();
        }
    }

    /// The size of the transposition table, in MiB.
    #[must_use]
    pub fn memory_mib(&self) -> usize {
        self.table.mebibytes()
    }

    /// Chooses a move after these moves (columns and rows from the lower left, black's first one first, in order,
    /// captured stones too), until a limit is reached or `stop` is set. Each iteration is reported.
    ///
    /// # Errors
    /// [`Unplayable`]: a move is beside the board or on a stone, or the board is full.
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
