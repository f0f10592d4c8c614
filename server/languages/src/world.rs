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
    /// The action's value; the thread goes on in the next cycle. At most [`DATUM_ELEMENTS`] and [`DATUM_DEPTH`]; the rest of it is
    /// zero.
    Value(Datum),
    /// The action's value comes so many cycles later: the thread waits in the next `cycles` cycles and goes on in the one after them. (With
    /// none it is [`Answer::Value`].) Waiting costs the machine nothing.
    Later {
        /// How many cycles, at most [`LATEST`].
        cycles: u64,
        /// As in [`Answer::Value`].
        value: Datum,
    },
    /// The thread waits until the machine's `wake` is called for it.
    Block,
    /// The thread is stuck, for this reason.
    Stuck(String),
}

/// The most cycles that an action may be delayed.
pub const LATEST: u64 = 1 << 62;

/// What the threads of a machine live in. Calls come in the order of (cycle, pid).
///
/// A match that is over need not stop its machine in the middle of [`run`](crate::Machine::run): nothing of the threads can be seen but
/// by these calls, so a world that answers [`Answer::Block`], refuses children and overlooks ends from that moment on has ended exactly there.
pub trait World {
    /// Where in the source of its program the thread is that comes next in [`act`](World::act) or [`spawn`](World::spawn). Finding it
    /// costs something: a world that does not want to know does not ask.
    fn acts_at(&mut self, pid: Pid, place: impl FnOnce() -> Span) {
        let _ = (pid, place);
    }

    /// A thread does an action. `request` is the operand of `do`.
    fn act(&mut self, cycle: u64, pid: Pid, request: &Datum) -> Answer;

    /// May `parent` have a child, which would be `child`? If not, `spawn` is 0.
    fn spawn(&mut self, cycle: u64, parent: Pid, child: Pid) -> bool;

    /// A thread has ended by itself (not by the machine's `kill`, nor by [`World::take_killed`]).
    fn ended(&mut self, cycle: u64, pid: Pid, end: &End);

    /// Threads wait for each other: each for a lock that the next one holds, the last one for one of the first. None of them can go on
    /// unless the world puts an end to another. The first is the one that has just begun to wait.
    fn deadlocked(&mut self, cycle: u64, circle: &[LockWait]) {
        let _ = (cycle, circle);
    }

    /// The threads that the world has put an end to since it was last asked. The machine asks after each of the calls above, and ends them at
    /// once and without another word: they step no more, not even in the same cycle, and their locks go on to who waits for them. The
    /// thread that acts may be among them, and the child that has just been allowed.
    fn take_killed(&mut self) -> Vec<Pid> {
        Vec::new()
    }
}

/// A thread that waits for a lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockWait {
    /// Which.
    pub pid: Pid,
    /// The `acquire` that it waits in.
    pub place: Location,
    /// The cycle in which it began to.
    pub since: u64,
    /// Who holds the lock.
    pub holder: Pid,
    /// The `acquire` by which that thread got it.
    pub taken: Location,
}

impl fmt::Display for LockWait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pid, place, holder, taken, .. } = self;
        write!(f, "thread {pid} waits at {place} for the lock that thread {holder} took at {taken}")
    }
}

impl LockWait {
    /// The threads of `waits` that wait for each other, if the thread `first` is one of them: it, the one that holds what it waits for, and so
    /// on.
    pub fn circle(first: Pid, waits: &[LockWait]) -> Option<Vec<LockWait>> {
        let wait_of = |pid: Pid| waits.iter().find(|wait| wait.pid == pid);
        let mut circle = vec![wait_of(first)?.clone()];
        // Who waits for a circle that it is no part of comes round without coming back.
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
/// It keeps the ends that it is told of.
#[derive(Clone, Debug, Default)]
pub struct NoWorld {
    /// Cycle, thread, end; in the order in which they came.
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

/// How much a team and its threads may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Values that a team's threads and cells hold at once, 16 bytes each, counted as `CL.md` says. Default 1,048,576.
    pub words: usize,
    /// Threads of a team that live at once. Default 256.
    pub threads: usize,
    /// Indices of an array are below this. Default 1,048,576.
    pub array_elements: usize,
    /// Calls of a thread that are under way at once; tail calls don't count. Default 131,072.
    pub depth: usize,
}

/// So many calls of a thread that are under way are no words; two of those beyond are one.
pub const FREE_CALLS: usize = 50_000;

impl Default for Limits {
    fn default() -> Self {
        Limits { words: 1 << 20, threads: 256, array_elements: 1 << 20, depth: 1 << 17 }
    }
}

/// How a thread ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// Why.
    pub cause: Cause,
    /// The reductions that it made.
    pub steps: u64,
}

/// Why a thread ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Its program is a value.
    Value(Datum),
    /// No rule applies.
    Stuck {
        /// Why not.
        reason: Stuck,
        /// Where in the source.
        place: Box<Location>,
    },
    /// It went past a limit.
    Limit {
        /// Which.
        limit: Limit,
        /// Where in the source.
        place: Box<Location>,
    },
}

impl fmt::Display for End {
    /// The value; or place, reason, source line and caret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.cause {
            Cause::Value(value) => write!(f, "{value}"),
            Cause::Stuck { reason, place } => write!(f, "{place}: stuck: {reason}\n{}", place.excerpt()),
            Cause::Limit { limit, place } => write!(f, "{place}: {limit}\n{}", place.excerpt()),
        }
    }
}

/// The kinds of values, with the codes that `typeof` gives.
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
    /// What `typeof` gives.
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

/// Why no rule applies.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stuck {
    /// Nothing binds the name.
    #[error("the name `{name}` is not bound{hint}")]
    Unbound {
        /// The name.
        name: String,
        /// What a message says besides, where the name's own function is meant.
        hint: &'static str,
    },
    /// Something else is applied to an argument.
    #[error("only a function can be applied, this is {0}")]
    NotAFunction(Kind),
    /// An integer is needed.
    #[error("{what} must be an integer, this is {found}")]
    NotAnInteger {
        /// Where it is needed.
        what: Role,
        /// What is there.
        found: Kind,
    },
    /// An array is needed.
    #[error("only an array has elements, this is {0}")]
    NotAnArray(Kind),
    /// A cell is needed.
    #[error("`{operator}` needs a cell, this is {found}")]
    NotACell {
        /// By which operator.
        operator: &'static str,
        /// What is there.
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

/// What an integer is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// An operator's left side.
    Left(&'static str),
    /// An operator's right side.
    Right(&'static str),
    /// A prefix operator's operand.
    Operand(&'static str),
    /// What `if` looks at.
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

/// A limit that a thread went past.
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
