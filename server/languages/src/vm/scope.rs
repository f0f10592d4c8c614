//! Scope of an expression that is evaluated with the names and values of a thread.

use std::rc::Rc;

use super::apply::{Applied, apply};
use super::exit::{Event, Exit, NeverStop};
use super::heap::Heap;
use super::inspect::{in_scope, part};
use super::interpret;
use super::thread::{Thread, enter};
use super::value::Value;
use super::{Machine, array, data};
use crate::arithmetic::SplitMix64;
use crate::compile::code::{Code, Op};
use crate::view::{ValueView, ViewLimits};
use crate::world::{Limits, Pid};

/// The most words that functions applied by an expression may make.
const WORDS: usize = 1 << 20;

/// The most reductions of a function that an expression applies.
const STEPS: u64 = 100_000;

/// A value of the thread, or one that the expression has created. Copies share their parts.
#[derive(Clone, Debug)]
pub(crate) enum Found {
    Own(Value),
    Array(Rc<[Found]>),
    Pair(Rc<[Found; 2]>),
}

/// The environment of an expression.
pub(crate) struct Scope<'m> {
    machine: &'m Machine,
    code: &'m Code,
    heap: &'m Heap,
    /// A copy of the heap for the objects of applied functions; `None` before the first application.
    copy: Option<Heap>,
    pid: Pid,
    index: usize,
}

impl Machine {
    /// The names of a live thread's innermost call.
    pub(crate) fn scope(&self, pid: Pid) -> Option<Scope<'_>> {
        let index = self.find(pid)?;
        let team = &self.teams[self.threads[index].team];
        Some(Scope { machine: self, code: &team.code, heap: &team.heap, copy: None, pid, index })
    }
}

impl Scope<'_> {
    fn heap(&self) -> &Heap {
        self.copy.as_ref().unwrap_or(self.heap)
    }

    /// The value of a name.
    ///
    /// # Errors
    /// The name is not in scope, or its value is not kept.
    pub(crate) fn name(&self, wanted: &str) -> Result<Value, String> {
        let thread = &self.machine.threads[self.index];
        let calls = self.machine.calls(self.index);
        let names =
            calls.first().map(|&call| in_scope(thread, self.heap, self.code, call)).unwrap_or_default();
        match names.into_iter().find(|(name, _)| *name == wanted) {
            Some((_, Some(value))) => Ok(value),
            Some((_, None)) => {
                Err(format!("`{wanted}` is not kept: the code has no use for it from here on"))
            }
            None => Err(format!("no `{wanted}` is in scope here")),
        }
    }

    /// The halves of a pair; `None` for anything else.
    pub(crate) fn halves(&self, found: &Found) -> Option<[Found; 2]> {
        match found {
            Found::Pair(halves) => Some((**halves).clone()),
            Found::Own(Value::Pair(at)) => Some([0, 1].map(|half| Found::Own(self.heap().get(*at, half)))),
            _ => None,
        }
    }

    /// An array's element.
    ///
    /// # Errors
    /// The value is no array, or the index is negative.
    pub(crate) fn element(&self, array: &Found, index: i64) -> Result<Found, String> {
        let at = u64::try_from(index).ok();
        let at =
            at.ok_or_else(|| format!("an index can't be negative, this is ~{}", index.unsigned_abs()))?;
        match array {
            Found::Array(elements) => {
                let element = usize::try_from(at).ok().and_then(|at| elements.get(at)).cloned();
                Ok(element.unwrap_or(Found::Own(Value::Int(0))))
            }
            Found::Own(Value::Array(array)) => Ok(Found::Own(array::get(self.heap(), *array, at))),
            _ => Err("only an array has elements".to_owned()),
        }
    }

    /// The content of a cell.
    ///
    /// # Errors
    /// The value is no cell.
    pub(crate) fn content(&self, cell: &Found) -> Result<Found, String> {
        match cell {
            Found::Own(Value::Own(at) | Value::Shared(at)) => Ok(Found::Own(self.heap().get(*at, 0))),
            _ => Err("`!` needs a cell".to_owned()),
        }
    }

    /// The value in displayable form.
    pub(crate) fn see(&self, found: &Found, extent: ViewLimits) -> ValueView {
        let mut left = extent.elements;
        self.part(found, extent.depth, &mut left)
    }

    fn part(&self, found: &Found, depth: usize, left: &mut usize) -> ValueView {
        let mut parts = Vec::new();
        let mut show = |found: &Found, left: &mut usize| {
            let more = *left == 0 || depth == 0;
            *left = left.saturating_sub(1);
            parts.push(if more { ValueView::More } else { self.part(found, depth - 1, left) });
            !more
        };
        match found {
            Found::Own(value) => part(self.heap(), self.code, *value, depth, left),
            Found::Array(elements) => {
                let _ = elements.iter().all(|element| show(element, left));
                ValueView::Array(parts)
            }
            Found::Pair(_) => {
                let mut rest = found;
                while let Found::Pair(halves) = rest {
                    if !show(&halves[0], left) {
                        return ValueView::Pair(parts);
                    }
                    rest = &halves[1];
                }
                match self.part(rest, depth, left) {
                    ValueView::Pair(more) => parts.extend(more),
                    last => parts.push(last),
                }
                ValueView::Pair(parts)
            }
        }
    }

    /// The result of a function for an argument.
    ///
    /// # Errors
    /// The value is no function, or the function is stuck, performs an observable operation, or takes too long.
    pub(crate) fn apply(&mut self, function: &Found, argument: &Found) -> Result<Value, String> {
        let Found::Own(function) = function else { return Err("only a function can be applied".to_owned()) };
        let mut heap = self.copy.take().unwrap_or_else(|| self.heap.roomy_copy(WORDS));
        let result = self.run(*function, argument, &mut heap);
        self.copy = Some(heap);
        result
    }

    fn run(&self, function: Value, argument: &Found, heap: &mut Heap) -> Result<Value, String> {
        let argument = make(argument, heap)?;
        let (code, limits) = (self.code, Limits { depth: 10_000, ..self.machine.limits });
        let mut thread =
            Thread::new(self.pid, 0, 0, vec![function, argument], 0, SplitMix64::new(0, self.pid));
        let regs = enter(&mut thread.stack, 0);
        match apply::<1>(regs, heap, code, 0) {
            Applied::Enter(to) => thread.pc = to,
            Applied::Done => return Ok(regs[0]),
            Applied::NotAFunction(kind) => {
                return Err(format!("only a function can be applied, this is {kind}"));
            }
            Applied::Room(_) => return Err("it takes too much memory".to_owned()),
        }
        loop {
            match interpret::run(&mut thread, heap, code, &limits, STEPS, &mut NeverStop) {
                Exit::Event(_, Event::Ended) => return Ok(*thread.register(0)),
                Exit::Event(_, Event::Stuck(reason, _)) => return Err(reason.to_string()),
                Exit::Event(_, Event::Limit(limit, _)) => return Err(limit.to_string()),
                Exit::Event(at, Event::Effect) => match code.ops[thread.pc as usize] {
                    Op::Get { d, s, .. } if let Value::Shared(cell) = *thread.register(s) => {
                        let value = heap.get(cell, 0);
                        thread.clock = at;
                        thread.go_on(d, value, at + 1);
                    }
                    _ => {
                        return Err(
                            "it does what others could see: that can't be done after the event".to_owned()
                        );
                    }
                },
                Exit::Collect(_) => return Err("it takes too much memory".to_owned()),
                Exit::Paused | Exit::Watched => return Err(format!("it takes more than {STEPS} steps")),
            }
        }
    }
}

/// Copies a value that an expression has created into a heap.
fn make(found: &Found, heap: &mut Heap) -> Result<Value, String> {
    let room = |heap: &Heap, words| {
        if heap.has_room(words) { Ok(()) } else { Err("it takes too much memory".to_owned()) }
    };
    Ok(match found {
        Found::Own(value) => *value,
        Found::Array(elements) => {
            let elements = elements.iter().map(|part| make(part, heap)).collect::<Result<Vec<_>, _>>()?;
            room(heap, array::words(elements.len()))?;
            Value::Array(array::build(heap, &elements))
        }
        Found::Pair(halves) => {
            let [left, right] = [make(&halves[0], heap)?, make(&halves[1], heap)?];
            room(heap, data::PAIR_WORDS)?;
            data::pair(heap, left, right)
        }
    })
}
