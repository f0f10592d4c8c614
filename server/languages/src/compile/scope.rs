//! Scope: what names stand for while a function is compiled.

use std::collections::HashMap;

use super::code::Reg;
use super::names::{self, Kept, NOTHING};
use crate::core::{ExprId, NameId};
use crate::vm::value::Value;

/// Where a name's value is.
#[derive(Clone, Copy, Debug)]
pub(super) enum At {
    Const(Value),
    Reg(Reg),
    /// In the function's closure.
    Captured(u32),
    /// It is the function's closure.
    Closure,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Binding {
    pub(super) at: At,
    /// The function that it is, if that is known.
    pub(super) known: Option<u32>,
    /// How it is bound.
    pub(super) how: How,
}

/// How a name is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// To a value.
    Value,
    /// By `rec`, to a function: it takes a reduction to unroll.
    RecFn,
    /// By `rec`, to something else: unrolling it runs it.
    RecOther,
}

/// A function that is to be compiled.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) proto: u32,
    pub(super) params: Vec<NameId>,
    pub(super) body: ExprId,
    /// What the names around it stand for, seen from inside.
    pub(super) scope: Vec<(NameId, Binding)>,
    /// Whether it is code that was only moved out of another function.
    pub(super) inner: bool,
    /// The innermost name around it, for the table of names.
    pub(super) around: u32,
}

/// The function that is being compiled.
#[derive(Debug, Default)]
pub(super) struct Function {
    pub(super) proto: u32,
    names: HashMap<NameId, Vec<Binding>>,
    /// Names in the order in which they were bound.
    bound: Vec<NameId>,
    /// The registers in use.
    pub(super) height: Reg,
    /// The register that holds its closure.
    pub(super) closure: Option<Reg>,
    /// The reductions that no operation has paid for yet.
    pub(super) pending: u32,
    /// For the table of names: the bindings so far, the index of the first, and the innermost one that is in scope.
    pub(super) told: Vec<names::Binding>,
    first_told: u32,
    pub(super) innermost: u32,
}

impl Function {
    /// `told` is how many bindings there are in the table of names.
    pub(super) fn new(job: &Job, closed: bool, told: u32) -> Self {
        let mut function =
            Function { proto: job.proto, first_told: told, innermost: NOTHING, ..Function::default() };
        function.closure = closed.then_some(job.params.len() as Reg);
        if job.around != NOTHING {
            function.tell(names::Binding { around: job.around, name: None });
        }
        for &(name, binding) in &job.scope {
            function.bind(name, binding);
        }
        for &param in &job.params {
            function.bind(param, Binding { at: At::Reg(function.height), known: None, how: How::Value });
            function.height += 1;
        }
        function.height += Reg::from(closed);
        function
    }

    /// Adds to the table of names.
    fn tell(&mut self, binding: names::Binding) {
        self.told.push(binding);
        self.innermost = self.first_told + self.told.len() as u32 - 1;
    }

    pub(super) fn bind(&mut self, name: NameId, binding: Binding) {
        self.names.entry(name).or_default().push(binding);
        self.bound.push(name);
        let kept = match (binding.at, self.closure) {
            (At::Const(value), _) => Kept::Const(value),
            (At::Reg(reg), _) | (At::Closure, Some(reg)) => Kept::Reg(reg),
            (At::Captured(index), Some(closure)) => Kept::Captured(closure, index),
            (At::Captured(_) | At::Closure, None) => Kept::No,
        };
        self.tell(names::Binding { around: self.innermost, name: Some((name, kept)) });
    }

    /// How many names are bound, for [`Function::unbind`].
    pub(super) fn mark(&self) -> usize {
        self.bound.len()
    }

    /// Forgets the names that were bound since the mark.
    pub(super) fn unbind(&mut self, mark: usize) {
        for name in self.bound.drain(mark..) {
            self.innermost = self.told[(self.innermost - self.first_told) as usize].around;
            self.names.entry(name).and_modify(|bindings| {
                bindings.pop();
            });
        }
    }

    pub(super) fn lookup(&self, name: NameId) -> Option<Binding> {
        self.names.get(&name)?.last().copied()
    }
}
