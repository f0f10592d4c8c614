//! A machine between two operations, as people are shown it: where a thread is, what its names stand for, what it waits for.
//!
//! All of it is a copy; [`Machine::look`](crate::Machine::look) and its neighbours make it, and asking changes nothing.

use std::fmt;

use crate::source::Location;
use crate::world::{Pid, TeamId};

/// A thread between two operations.
#[derive(Clone, Debug, PartialEq)]
pub struct ThreadView {
    /// Which.
    pub pid: Pid,
    /// Whose.
    pub team: TeamId,
    /// The reductions that it has made.
    pub steps: u64,
    /// What it does.
    pub state: State,
    /// The functions that are under way, the innermost first; at most as many as were asked for.
    pub calls: Vec<CallView>,
    /// How many there are.
    pub depth: usize,
    /// How many frames of calls there are, as [`Visit::depth`] counts them: code that was moved out of a function has one of its own.
    pub frames: usize,
    /// The locks that it holds.
    pub locks: Vec<HeldLock>,
}

/// What a thread does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It computes. Its next operation begins in cycle `next`.
    Runs {
        /// When.
        next: u64,
    },
    /// It is in an action whose answer it has in cycle `until`.
    InAction {
        /// When.
        until: u64,
    },
    /// It is in an action that the world has not answered.
    Waits {
        /// Since this cycle.
        since: u64,
    },
    /// It waits for a lock.
    WaitsForLock {
        /// Since this cycle.
        since: u64,
        /// The thread that holds it.
        holder: Pid,
        /// Where that thread took it.
        taken: Location,
        /// When it did.
        taken_at: u64,
    },
}

/// A lock that a thread holds.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldLock {
    /// Where it took it.
    pub taken: Location,
    /// When.
    pub since: u64,
    /// What the cell holds.
    pub value: Seen,
}

/// A function that is under way.
#[derive(Clone, Debug, PartialEq)]
pub struct CallView {
    /// What the function is bound to; `None` for one without a name.
    pub function: Option<String>,
    /// The expression that comes next in it, or that it waits in; in the functions around the innermost one, the call.
    pub place: Location,
    /// The names in scope, the innermost first, without those that others hide.
    pub names: Vec<NameView>,
}

/// A name in scope.
#[derive(Clone, Debug, PartialEq)]
pub struct NameView {
    /// The name.
    pub name: String,
    /// What it stands for; `None` when that is not kept, because the code has no use for it any more.
    pub value: Option<Seen>,
    /// Whether it always stands for that: functions and integers that are bound once and for all.
    pub constant: bool,
}

/// A cell that a team shares.
#[derive(Clone, Debug, PartialEq)]
pub struct CellView {
    /// The names that threads of the team have for it, in the alphabet's order.
    pub names: Vec<String>,
    /// What it holds.
    pub value: Seen,
    /// Who holds its lock.
    pub holder: Option<Pid>,
    /// Who waits for its lock, lowest pid first.
    pub waiting: Vec<Pid>,
    /// Who wrote it last, where that is [kept](crate::Machine::keep_writes) and somebody has.
    pub written: Option<(Write, Location)>,
}

/// Who wrote a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// When.
    pub cycle: u64,
    /// Who.
    pub pid: Pid,
    /// The operation.
    pub(crate) pc: u32,
}

/// A thread that is about to do an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Visit {
    /// The cycle in which the operation begins.
    pub cycle: u64,
    /// Which thread.
    pub pid: Pid,
    /// The operation, by its index in the program's code.
    pub operation: u32,
    /// How many calls are under way.
    pub depth: usize,
}

/// A value as people are shown it.
#[derive(Clone, Debug, PartialEq)]
pub enum Seen {
    /// An integer.
    Int(i64),
    /// A function, with its name if it has one.
    Function(Option<String>),
    /// An array up to its highest written index.
    Array(Vec<Seen>),
    /// Pairs in the right halves of pairs: the left halves, and the last right half.
    Pair(Vec<Seen>),
    /// A cell, and what it holds.
    Cell {
        /// Whether the team shares it.
        shared: bool,
        /// What it holds.
        value: Box<Seen>,
    },
    /// There is more, which was not asked for.
    More,
}

/// How much is shown of a thread or a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Functions that are under way.
    pub calls: usize,
    /// Elements and parts of a value.
    pub elements: usize,
    /// How deep arrays, pairs and cells lie in each other.
    pub depth: usize,
}

impl Default for Extent {
    /// What fits a panel.
    fn default() -> Self {
        Extent { calls: 32, elements: 64, depth: 6 }
    }
}

impl fmt::Display for Seen {
    /// As the languages write it; a function is `fn` and its name, a cell `lref` or `gref` and what it holds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seen::Int(value) if *value < 0 => write!(f, "~{}", value.unsigned_abs()),
            Seen::Int(value) => write!(f, "{value}"),
            Seen::Function(Some(name)) => write!(f, "fn {name}"),
            Seen::Function(None) => f.write_str("fn"),
            Seen::Array(elements) if elements.len() == 1 => write!(f, "()[0 := {}]", elements[0]),
            Seen::Array(elements) => list(f, "(", elements, ")"),
            Seen::Pair(parts) => match parts.split_last() {
                Some((Seen::Int(0) | Seen::More, [_, _, ..])) => {
                    let end = if parts.last() == Some(&Seen::More) { ", …]" } else { "]" };
                    list(f, "[", &parts[..parts.len() - 1], end)
                }
                Some((last, [left])) => write!(f, "({left}, {last})"),
                _ => list(f, "(", parts, ")"),
            },
            Seen::Cell { shared, value } => write!(f, "{} {value}", if *shared { "gref" } else { "lref" }),
            Seen::More => f.write_str("…"),
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, before: &str, parts: &[Seen], after: &str) -> fmt::Result {
    f.write_str(before)?;
    for (index, part) in parts.iter().enumerate() {
        f.write_str(if index == 0 { "" } else { ", " })?;
        write!(f, "{part}")?;
    }
    f.write_str(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_the_languages_do() {
        let ints = |values: &[i64]| values.iter().copied().map(Seen::Int).collect::<Vec<_>>();
        let cell = |shared, value| Seen::Cell { shared, value: Box::new(value) };
        let shown = [
            (Seen::Int(-3), "~3"),
            (Seen::Function(Some("go".to_owned())), "fn go"),
            (Seen::Array(ints(&[1, -2])), "(1, ~2)"),
            (Seen::Array(ints(&[7])), "()[0 := 7]"),
            (Seen::Array([ints(&[1]), vec![Seen::More]].concat()), "(1, …)"),
            (Seen::Pair(ints(&[3, 0])), "(3, 0)"),
            (Seen::Pair(ints(&[1, 2, 0])), "[1, 2]"),
            (Seen::Pair([ints(&[1, 2]), vec![Seen::More]].concat()), "[1, 2, …]"),
            (cell(true, cell(false, Seen::Function(None))), "gref lref fn"),
        ];
        for (seen, text) in shown {
            assert_eq!(seen.to_string(), text);
        }
    }
}
