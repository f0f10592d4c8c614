//! View of a machine between two operations, for people: the location of a thread, the values of its names, its waits.
//!
//! All data is a copy, made by [`Machine::look`](crate::Machine::look) and related methods, which change nothing.

use std::fmt;

use crate::source::Location;
use crate::world::{Pid, TeamId};

/// A thread between two operations.
#[derive(Clone, Debug, PartialEq)]
pub struct ThreadView {
    /// The thread.
    pub pid: Pid,
    /// The thread's team.
    pub team: TeamId,
    /// The number of its reductions.
    pub steps: u64,
    /// The state of execution.
    pub state: State,
    /// The active calls, the innermost first; at most the requested number.
    pub calls: Vec<CallView>,
    /// The number of all active calls.
    pub depth: usize,
    /// The number of call frames, as in [`Visit::depth`]: code that was moved out of a function has a frame of its own.
    pub frames: usize,
    /// The locks that the thread holds.
    pub locks: Vec<HeldLock>,
}

/// A thread's state of execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// The thread runs.
    Runs {
        /// The cycle in which its next operation begins.
        next: u64,
    },
    /// The thread performs an action that takes several cycles.
    InAction {
        /// The cycle in which it gets the answer.
        until: u64,
    },
    /// The thread waits for the world's answer to an action.
    Waits {
        /// The cycle in which the wait began.
        since: u64,
    },
    /// The thread waits for a lock.
    WaitsForLock {
        /// The cycle in which the wait began.
        since: u64,
        /// The thread that holds the lock.
        holder: Pid,
        /// The location where that thread acquired it.
        taken: Location,
        /// The cycle in which that thread acquired it.
        taken_at: u64,
    },
}

/// A lock that a thread holds.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldLock {
    /// The location where the thread acquired it.
    pub taken: Location,
    /// The cycle in which the thread acquired it.
    pub since: u64,
    /// The content of the cell.
    pub value: ValueView,
}

/// An active call.
#[derive(Clone, Debug, PartialEq)]
pub struct CallView {
    /// The name to which the function is bound; `None` for an anonymous one.
    pub function: Option<String>,
    /// In the innermost call, the expression that is next, or that the thread waits in; in the others, the call.
    pub place: Location,
    /// The names in scope, the innermost first, without hidden ones.
    pub names: Vec<NameView>,
}

/// A name in scope.
#[derive(Clone, Debug, PartialEq)]
pub struct NameView {
    /// The name.
    pub name: String,
    /// The value; `None` if it is not kept, because the code has no further use for it.
    pub value: Option<ValueView>,
    /// Whether the value is a constant of the code: a function or an integer.
    pub constant: bool,
}

/// A cell shared by a team.
#[derive(Clone, Debug, PartialEq)]
pub struct CellView {
    /// The names by which threads of the team refer to it, in alphabetical order.
    pub names: Vec<String>,
    /// The content.
    pub value: ValueView,
    /// The thread that holds its lock.
    pub holder: Option<Pid>,
    /// The threads that wait for its lock, lowest pid first.
    pub waiting: Vec<Pid>,
    /// The last write; `None` if writes are not [kept](crate::Machine::keep_writes), or there was none.
    pub written: Option<(Write, Location)>,
}

/// A write to a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// The cycle.
    pub cycle: u64,
    /// The thread.
    pub pid: Pid,
    /// The index of the operation.
    pub(crate) pc: u32,
}

/// A thread's arrival at an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Visit {
    /// The cycle in which the operation begins.
    pub cycle: u64,
    /// The thread.
    pub pid: Pid,
    /// The index of the operation in the program's code.
    pub operation: u32,
    /// The number of call frames.
    pub depth: usize,
}

/// A value in a displayable form.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueView {
    /// An integer.
    Int(i64),
    /// A function, with its name if it has one.
    Function(Option<String>),
    /// An array up to its highest written index.
    Array(Vec<ValueView>),
    /// Nested pairs along the right halves: the left halves, and the last right half.
    Pair(Vec<ValueView>),
    /// A cell.
    Cell {
        /// Whether the team shares it.
        shared: bool,
        /// The content.
        value: Box<ValueView>,
    },
    /// A part beyond the requested extent.
    More,
}

/// The amount of detail in a view of a thread or a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewLimits {
    /// The most active calls.
    pub calls: usize,
    /// The most elements and parts of a value.
    pub elements: usize,
    /// The deepest nesting of arrays, pairs and cells.
    pub depth: usize,
}

impl Default for ViewLimits {
    /// An amount that fits into a panel.
    fn default() -> Self {
        ViewLimits { calls: 32, elements: 64, depth: 6 }
    }
}

impl fmt::Display for ValueView {
    /// Writes the languages' notation; a function is `fn` and its name, a cell `lref` or `gref` and its content.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueView::Int(value) if *value < 0 => write!(f, "~{}", value.unsigned_abs()),
            ValueView::Int(value) => write!(f, "{value}"),
            ValueView::Function(Some(name)) => write!(f, "fn {name}"),
            ValueView::Function(None) => f.write_str("fn"),
            ValueView::Array(elements) if elements.len() == 1 => write!(f, "()[0 := {}]", elements[0]),
            ValueView::Array(elements) => list(f, "(", elements, ")"),
            ValueView::Pair(parts) => match parts.split_last() {
                Some((ValueView::Int(0) | ValueView::More, [_, _, ..])) => {
                    let end = if parts.last() == Some(&ValueView::More) { ", …]" } else { "]" };
                    list(f, "[", &parts[..parts.len() - 1], end)
                }
                Some((last, [left])) => write!(f, "({left}, {last})"),
                _ => list(f, "(", parts, ")"),
            },
            ValueView::Cell { shared, value } => {
                write!(f, "{} {value}", if *shared { "gref" } else { "lref" })
            }
            ValueView::More => f.write_str("…"),
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, before: &str, parts: &[ValueView], after: &str) -> fmt::Result {
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
        let ints = |values: &[i64]| values.iter().copied().map(ValueView::Int).collect::<Vec<_>>();
        let cell = |shared, value| ValueView::Cell { shared, value: Box::new(value) };
        let shown = [
            (ValueView::Int(-3), "~3"),
            (ValueView::Function(Some("go".to_owned())), "fn go"),
            (ValueView::Array(ints(&[1, -2])), "(1, ~2)"),
            (ValueView::Array(ints(&[7])), "()[0 := 7]"),
            (ValueView::Array([ints(&[1]), vec![ValueView::More]].concat()), "(1, …)"),
            (ValueView::Pair(ints(&[3, 0])), "(3, 0)"),
            (ValueView::Pair(ints(&[1, 2, 0])), "[1, 2]"),
            (ValueView::Pair([ints(&[1, 2]), vec![ValueView::More]].concat()), "[1, 2, …]"),
            (cell(true, cell(false, ValueView::Function(None))), "gref lref fn"),
        ];
        for (seen, text) in shown {
            assert_eq!(seen.to_string(), text);
        }
    }
}
