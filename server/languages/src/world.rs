//! Interface between a machine and the world around it.

use std::fmt;

use crate::datum::{DATUM_DEPTH, DATUM_ELEMENTS, Datum};
use crate::source::{Location, Span};

/// A thread's number: from 1, never used twice in a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pid(pub u32);

impl fmt::Display for Pid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A team's number, from 0 in the order in which the teams were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TeamId(pub u32);

/// The world's answer to an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The action's value; the thread continues in the next cycle. At most [`DATUM_ELEMENTS`] and [`DATUM_DEPTH`]; parts beyond them become
    /// zero.
    Value(Datum),
    /// The action's value, delayed: the thread waits in the next `cycles` cycles and continues in the one after them. (With
    /// 0 it equals [`Answer::Value`].) The wait takes no computation.
    Later {
        /// The number of cycles, at most [`LATEST`].
        cycles: u64,
        /// The value, as in [`Answer::Value`].
        value: Datum,
    },
    /// The thread waits until the machine's `wake` is called for it.
    Block,
    /// The thread is stuck, for the given reason.
    Stuck(String),
}

/// The longest delay of an action, in cycles.
pub const LATEST: u64 = 1 << 62;

/// The environment of a machine's threads. Calls come in the order of (cycle, pid).
///
/// A match that ends need not stop its machine in the middle of [`run`](crate::Machine::run): threads are observable only
/// through these calls, so a world that answers [`Answer::Block`], refuses children and ignores ends from then on has ended exactly there.
pub trait World {
    /// Supplies the source location of the thread in the following [`act`](World::act) or [`spawn`](World::spawn). Calling `place` takes
    /// time, so a world that does not need the location does not call it.
    fn acts_at(&mut self, pid: Pid, place: impl FnOnce() -> Span) {
        let _ = (pid, place);
    }

    /// Performs an action of a thread. `request` is the operand of `do`.
    fn act(&mut self, cycle: u64, pid: Pid, request: &Datum) -> Answer;

    /// Decides whether `parent` may have a child with the pid `child`. If not, the value of `spawn` is 0.
    fn spawn(&mut self, cycle: u64, parent: Pid, child: Pid) -> bool;

    /// Reports that a thread has ended by itself (not by the machine's `kill`, nor by [`World::take_killed`]).
    fn ended(&mut self, cycle: u64, pid: Pid, end: &End);

    /// Reports a deadlock: each thread waits for a lock that the next one holds, and the last one for a lock of the first. None of them can
    /// continue unless the world destroys another. The first one has just begun to wait.
    fn deadlocked(&mut self, cycle: u64, circle: &[LockWait]) {
        let _ = (cycle, circle);
    }

    /// The threads that the world has destroyed since the last call. The machine calls this after each of the methods above, and ends the
    /// threads at once, without an `ended` event: they step no more, not even in the same cycle, and their locks go to waiting threads. The
    /// acting thread may be among them, and so may the child that was just allowed.
    fn take_killed(&mut self) -> Vec<Pid> {
        Vec::new()
    }
}

/// A thread that waits for a lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockWait {
    /// The thread that waits.
    pub pid: Pid,
    /// The location of the `acquire` in which it waits.
    pub place: Location,
    /// The cycle in which the wait began.
    pub since: u64,
    /// The thread that holds the lock.
    pub holder: Pid,
    /// The location of the `acquire` by which that thread got it.
    pub taken: Location,
}

impl fmt::Display for LockWait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pid, place, holder, taken, .. } = self;
        write!(f, "thread {pid} waits at {place} for the lock that thread {holder} took at {taken}")
    }
}

impl LockWait {
    /// The cycle of threads in `waits` that wait for each other, if the thread `first` is part of one: `first`, the
    /// holder of the lock that it waits for, and so on.
    pub fn circle(first: Pid, waits: &[LockWait]) -> Option<Vec<LockWait>> {
        let wait_of = |pid: Pid| waits.iter().find(|wait| wait.pid == pid);
        let mut circle = vec![wait_of(first)?.clone()];
        // A thread that waits for a cycle without being part of it never comes back to itself, so the length is limited.
        while circle.len() <= waits.len() {
            let next = circle.last()?.holder;
            if next == first {
                return Some(circle);
            }
            circle.push(wait_of(next)?.clone());
        }
        None
    }
}

/// A world without a game: every `do` is stuck, every `spawn` succeeds.
///
/// It records the reported ends.
#[derive(Clone, Debug, Default)]
pub struct NoWorld {
    /// The ends in order: cycle, thread, end.
    pub ends: Vec<(u64, Pid, End)>,
}

impl World for NoWorld {
    fn act(&mut self, _cycle: u64, _pid: Pid, _request: &Datum) -> Answer {
        Answer::Stuck("`do` needs a game: there is no world here that could act".to_owned())
    }

    fn spawn(&mut self, _cycle: u64, _parent: Pid, _child: Pid) -> bool {
        true
    }

    fn ended(&mut self, cycle: u64, pid: Pid, end: &End) {
        self.ends.push((cycle, pid, end.clone()));
    }
}

/// The limits of a team and its threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most values that a team's threads and cells hold at once, 16 bytes each, counted as in `CL.md`. Default 1,048,576.
    pub words: usize,
    /// The most live threads of a team. Default 256.
    pub threads: usize,
    /// The upper bound of array indices, exclusive. Default 1,048,576.
    pub array_elements: usize,
    /// The most active calls of a thread; tail calls don't count. Default 131,072.
    pub depth: usize,
}

/// The number of a thread's active calls that count as no words; two calls beyond it count as one word.
pub const FREE_CALLS: usize = 50_000;

impl Default for Limits {
    fn default() -> Self {
        Limits { words: 1 << 20, threads: 256, array_elements: 1 << 20, depth: 1 << 17 }
    }
}

/// The end of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// The cause.
    pub cause: Cause,
    /// The number of its reductions.
    pub steps: u64,
}

/// The cause of a thread's end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The program is a value.
    Value(Datum),
    /// No rule applies.
    Stuck {
        /// The reason.
        reason: Stuck,
        /// The source location.
        place: Box<Location>,
    },
    /// The thread exceeded a limit.
    Limit {
        /// The limit.
        limit: Limit,
        /// The source location.
        place: Box<Location>,
    },
}

impl fmt::Display for End {
    /// Writes the value; or location, reason, source line and caret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.cause {
            Cause::Value(value) => write!(f, "{value}"),
            Cause::Stuck { reason, place } => write!(f, "{place}: stuck: {reason}\n{}", place.excerpt()),
            Cause::Limit { limit, place } => write!(f, "{place}: {limit}\n{}", place.excerpt()),
        }
    }
}

/// The kinds of values, with the results of `typeof`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 0
    Integer,
    /// 1
    Function,
    /// 2, in CL
    Array,
    /// 2, in RCL
    Pair,
    /// 3
    Cell,
}

impl Kind {
    /// The result of `typeof`.
    pub fn code(self) -> i64 {
        match self {
            Kind::Integer => 0,
            Kind::Function => 1,
            Kind::Array | Kind::Pair => 2,
            Kind::Cell => 3,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Integer => "an integer",
            Kind::Function => "a function",
            Kind::Array => "an array",
            Kind::Pair => "a pair",
            Kind::Cell => "a cell",
        })
    }
}

/// The reason why no rule applies.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stuck {
    /// Nothing binds the name.
    #[error("the name `{name}` is not bound{hint}")]
    Unbound {
        /// The name.
        name: String,
        /// A hint for the case that the name means its own function.
        hint: &'static str,
    },
    /// A value other than a function is applied to an argument.
    #[error("only a function can be applied, this is {0}")]
    NotAFunction(Kind),
    /// An integer is needed.
    #[error("{what} must be an integer, this is {found}")]
    NotAnInteger {
        /// The role of the value.
        what: Role,
        /// The kind of the value.
        found: Kind,
    },
    /// An array is needed.
    #[error("only an array has elements, this is {0}")]
    NotAnArray(Kind),
    /// A cell is needed.
    #[error("`{operator}` needs a cell, this is {found}")]
    NotACell {
        /// The operator that needs it.
        operator: &'static str,
        /// The kind of the value.
        found: Kind,
    },
    /// Functions, arrays and pairs can't be compared with each other.
    #[error("{0} can't be compared with {1}")]
    NotComparable(Kind, Kind),
    /// The right side of `/` or `mod` is zero.
    #[error("division by zero")]
    DivisionByZero,
    /// The result does not fit in 64 bits.
    #[error("the result of `{0}` does not fit in 64 bits")]
    Overflow(&'static str),
    /// An index below zero.
    #[error("an index can't be negative, this is ~{}", .0.unsigned_abs())]
    NegativeIndex(i64),
    /// `rand n` with `n` below 1.
    #[error("`rand` needs a positive integer")]
    EmptyRange,
    /// The cell belongs to another thread.
    #[error("this cell is thread {0}'s own (cells that threads share are made by `gref`)")]
    ForeignCell(Pid),
    /// `acquire` of a lock that the thread holds already.
    #[error("this thread holds the cell's lock already")]
    LockHeld,
    /// `release` of a lock that the thread does not hold.
    #[error("this thread does not hold the cell's lock")]
    LockNotHeld,
    /// The operand of `do` is too large for any world.
    #[error(
        "the operand of `do` has more than {DATUM_ELEMENTS} elements, or is nested more than {DATUM_DEPTH} deep"
    )]
    RequestTooLarge,
    /// The world does not accept the action.
    #[error("{0}")]
    Action(String),
}

/// The role of a value that must be an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// An operator's left side.
    Left(&'static str),
    /// An operator's right side.
    Right(&'static str),
    /// A prefix operator's operand.
    Operand(&'static str),
    /// The condition of `if`.
    Condition,
    /// An array's index.
    Index,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Role::Left(op) => write!(f, "the left side of `{op}`"),
            Role::Right(op) => write!(f, "the right side of `{op}`"),
            Role::Operand(op) => write!(f, "the operand of `{op}`"),
            Role::Condition => f.write_str("the condition of `if`"),
            Role::Index => f.write_str("an index"),
        }
    }
}

/// A limit that a thread exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Limit {
    /// [`Limits::words`].
    #[error("out of memory: its team holds more than {0} words")]
    Words(usize),
    /// [`Limits::threads`].
    #[error("too many threads: its team may have {0}")]
    Threads(usize),
    /// [`Limits::array_elements`].
    #[error("the array would get more than {0} elements")]
    ArrayElements(usize),
    /// [`Limits::depth`].
    #[error("more than {0} calls are under way: endless recursion?")]
    Depth(usize),
}
