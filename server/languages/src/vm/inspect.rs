//! Inspection of a machine: copies of the state of its threads and cells. The machine is not changed.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::array;
use super::heap::Heap;
use super::thread::{Held, Thread, Waits};
use super::value::{Object, Ref, Value};
use super::{Machine, Team, place};
use crate::compile::code::{Code, END, Op, Pc};
use crate::compile::names::NameStorage;
use crate::view::{CallView, CellView, HeldLock, NameView, State, ThreadView, ValueView, ViewLimits, Write};
use crate::world::{Pid, TeamId};

/// An active call: its next operation, or the one in which it waits, and the base of its registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub(super) pc: Pc,
    pub(super) base: usize,
}

impl Machine {
    /// The operations that a live thread is at in its calls, the innermost first, at most `most` of them, as indices.
    pub fn stack(&self, pid: Pid, most: usize) -> Option<Vec<u32>> {
        let calls = self.calls(self.find(pid)?);
        Some(calls.into_iter().take(most).map(|call| call.pc).collect())
    }

    /// A live thread in its state after the executed cycles.
    pub fn look(&self, pid: Pid, extent: ViewLimits) -> Option<ThreadView> {
        let index = self.find(pid)?;
        let thread = &self.threads[index];
        let Team { code, heap, .. } = &self.teams[thread.team];
        let calls = self.calls(index);
        let view = |(depth, call): (usize, &Call)| CallView {
            function: code.function(call.pc).map(str::to_owned),
            place: *place(code, code.details[call.pc as usize].exprs[usize::from(depth > 0)]),
            names: names(thread, heap, code, *call, extent),
        };
        let locks = thread.held.iter().map(|held| HeldLock {
            taken: *place(code, code.details[held.at as usize].exprs[0]),
            since: held.since,
            value: see(heap, code, heap.get(held.cell, 0), extent),
        });
        Some(ThreadView {
            pid,
            team: TeamId(thread.team as u32),
            steps: thread.steps(self.cycle),
            state: self.state(index),
            calls: calls.iter().enumerate().take(extent.calls).map(view).collect(),
            depth: calls.len(),
            frames: thread.frames.len(),
            locks: locks.collect(),
        })
    }

    /// The shared cells that a team's threads can name, or whose locks they hold, in the order of their names.
    pub fn cells(&self, team: TeamId, extent: ViewLimits) -> Vec<CellView> {
        let Some(Team { code, heap, writes, .. }) = self.teams.get(team.0 as usize) else {
            return Vec::new();
        };
        let mut named: BTreeMap<Ref, BTreeSet<&str>> = BTreeMap::new();
        for (index, thread) in self.threads.iter().enumerate() {
            if thread.team != team.0 as usize {
                continue;
            }
            for held in &thread.held {
                named.entry(held.cell).or_default();
            }
            for call in self.calls(index).into_iter().take(extent.calls) {
                for (name, value) in in_scope(thread, heap, code, call) {
                    if let Some(Value::Shared(cell)) = value {
                        named.entry(cell).or_default().insert(name);
                    }
                }
            }
        }
        let waits_for = |cell: Ref| {
            let waits = |&index: &usize| self.blocked_by(index).is_some_and(|(blocked, _)| blocked == cell);
            let indices =
                (0..self.threads.len()).filter(|&index| self.threads[index].team == team.0 as usize);
            indices.filter(waits).map(|index| self.threads[index].pid).collect()
        };
        let view = |(cell, names): (Ref, BTreeSet<&str>)| CellView {
            names: names.into_iter().map(str::to_owned).collect(),
            value: see(heap, code, heap.get(cell, 0), extent),
            holder: self.holder(team.0 as usize, cell),
            waiting: waits_for(cell),
            written: writes.as_ref().and_then(|writes| writes.get(&cell)).map(|&write| {
                let at = code.details[write.pc as usize].exprs[0];
                (write, *place(code, at))
            }),
        };
        let mut cells: Vec<CellView> = named.into_iter().map(view).collect();
        cells.sort_by(|a, b| (a.names.is_empty(), &a.names).cmp(&(b.names.is_empty(), &b.names)));
        cells
    }

    /// Records from now on the last write to each shared cell, for [`cells`](Self::cells).
    pub fn keep_writes(&mut self) {
        for team in &mut self.teams {
            team.writes.get_or_insert_default();
        }
    }

    /// The team of a live thread.
    pub fn team_of(&self, pid: Pid) -> Option<TeamId> {
        Some(TeamId(self.threads[self.find(pid)?].team as u32))
    }

    /// The approximate size of a copy of the machine in bytes.
    pub fn bytes(&self) -> usize {
        let word = size_of::<Value>();
        let heaps = self.teams.iter().map(|team| team.heap.len() * word);
        let threads = self.threads.iter().map(|thread| {
            size_of::<Thread>()
                + thread.stack.len() * word
                + thread.frames.len() * size_of::<super::thread::Frame>()
        });
        heaps.sum::<usize>() + threads.sum::<usize>()
    }

    fn state(&self, index: usize) -> State {
        let thread = &self.threads[index];
        match thread.waits {
            Waits::World => State::Waits { since: thread.clock },
            Waits::Lock { .. } => {
                let lock = self.blocked_by(index).and_then(|(cell, holder)| {
                    let holder = &self.threads[holder];
                    let held: &Held = holder.held.iter().find(|held| held.cell == cell)?;
                    let code = &self.teams[holder.team].code;
                    let taken = *place(code, code.details[held.at as usize].exprs[0]);
                    Some(State::WaitsForLock {
                        since: thread.clock,
                        holder: holder.pid,
                        taken,
                        taken_at: held.since,
                    })
                });
                lock.unwrap_or(State::Waits { since: thread.clock })
            }
            Waits::No if self.rests(thread) => State::InAction { until: thread.from - 1 },
            Waits::No => State::Runs { next: thread.clock },
        }
    }

    /// Whether a thread has the answer of an action that is still in progress.
    fn rests(&self, thread: &Thread) -> bool {
        thread.from > self.cycle + 1 && thread.from == thread.clock
    }

    /// The calls of a thread, the innermost first.
    pub(super) fn calls(&self, index: usize) -> Vec<Call> {
        let thread = &self.threads[index];
        let code = &self.teams[thread.team].code;
        // The action in progress is the operation before the next one.
        let pc = if self.rests(thread) { thread.pc - 1 } else { thread.pc };
        let mut calls = vec![Call { pc, base: thread.base }];
        for frame in thread.frames.iter().rev().take_while(|frame| frame.pc != END) {
            let pc = frame.pc - 1;
            // Code that was moved out of a function still belongs to that function's call.
            if !matches!(code.ops[pc as usize], Op::CallInner { .. }) {
                calls.push(Call { pc, base: frame.base as usize });
            }
        }
        calls
    }
}

impl Code {
    /// The name of the function that contains an operation.
    pub(crate) fn function(&self, pc: Pc) -> Option<&str> {
        let proto = self.protos.partition_point(|proto| proto.entry <= pc).checked_sub(1)?;
        self.names.title(&self.module, proto as u32)
    }
}

/// The names in scope at a call, each with its value if it is kept, the innermost first, without hidden ones.
pub(super) fn in_scope<'c>(
    thread: &Thread,
    heap: &Heap,
    code: &'c Code,
    call: Call,
) -> Vec<(&'c str, Option<Value>)> {
    let height = code.details[call.pc as usize].height;
    let register = |reg: u8| thread.stack.get(call.base + reg as usize).copied();
    let value = |kept: NameStorage| match kept {
        NameStorage::Const(value) => Some(value),
        NameStorage::Reg(reg) => register(reg),
        NameStorage::Captured(reg, index) => match register(reg)? {
            Value::Fn(at) if (index as usize) < heap.header(at).len() => Some(heap.get(at, index as usize)),
            _ => None,
        },
        NameStorage::No => None,
    };
    let mut met = HashSet::new();
    let names = code.names.in_scope(call.pc, height).filter(|(name, _)| met.insert(*name));
    names.map(|(name, kept)| (code.module.name(name), value(kept))).collect()
}

fn names(thread: &Thread, heap: &Heap, code: &Code, call: Call, extent: ViewLimits) -> Vec<NameView> {
    let height = code.details[call.pc as usize].height;
    let mut met = HashSet::new();
    let kinds = code.names.in_scope(call.pc, height).filter(|(name, _)| met.insert(*name));
    let constants = kinds.map(|(_, kept)| matches!(kept, NameStorage::Const(_)));
    let view = |((name, value), constant): ((&str, Option<Value>), bool)| NameView {
        name: name.to_owned(),
        value: value.map(|value| see(heap, code, value, extent)),
        constant,
    };
    in_scope(thread, heap, code, call).into_iter().zip(constants).map(view).collect()
}

/// A value in displayable form, within an extent.
pub(super) fn see(heap: &Heap, code: &Code, value: Value, extent: ViewLimits) -> ValueView {
    let mut left = extent.elements;
    part(heap, code, value, extent.depth, &mut left)
}

pub(super) fn part(heap: &Heap, code: &Code, value: Value, depth: usize, left: &mut usize) -> ValueView {
    let deeper = |value: Value, left: &mut usize| match (depth, value) {
        (_, Value::Int(value)) => ValueView::Int(value),
        (0, _) => ValueView::More,
        _ => part(heap, code, value, depth - 1, left),
    };
    match value {
        Value::Int(value) => ValueView::Int(value),
        Value::Fn(at) => ValueView::Function(function(heap, code, at)),
        Value::Array(at) | Value::Node(at) => {
            let mut elements = Vec::new();
            for index in 0..u64::from(array::extent(heap, at)) {
                if *left == 0 {
                    elements.push(ValueView::More);
                    break;
                }
                *left -= 1;
                elements.push(deeper(array::get(heap, at, index), left));
            }
            ValueView::Array(elements)
        }
        Value::Pair(_) => {
            let (mut parts, mut rest) = (Vec::new(), value);
            while let Value::Pair(at) = rest {
                if *left == 0 {
                    parts.push(ValueView::More);
                    return ValueView::Pair(parts);
                }
                *left -= 1;
                parts.push(deeper(heap.get(at, 0), left));
                rest = heap.get(at, 1);
            }
            parts.push(deeper(rest, left));
            ValueView::Pair(parts)
        }
        Value::Own(at) | Value::Shared(at) => {
            let shared = matches!(value, Value::Shared(_));
            ValueView::Cell { shared, value: Box::new(deeper(heap.get(at, 0), left)) }
        }
        Value::Header(_) | Value::Moved(_) | Value::Applied => ValueView::More,
    }
}

/// The name of a function or of a partial application.
fn function(heap: &Heap, code: &Code, at: Ref) -> Option<String> {
    let header = heap.header(at);
    let closure = if header.is(Object::Partial) {
        let Value::Fn(closure) = heap.get(at, 0) else { return None };
        heap.header(closure)
    } else {
        header
    };
    code.names.title(&code.module, closure.info()).map(str::to_owned)
}

impl Machine {
    /// Records that a thread has written a shared cell, if writes are kept.
    pub(super) fn note_write(&mut self, index: usize, cell: Ref) {
        let Thread { pid, pc, team, .. } = self.threads[index];
        let cycle = self.cycle;
        if let Some(writes) = &mut self.teams[team].writes {
            writes.insert(cell, Write { cycle, pid, pc });
        }
    }
}
