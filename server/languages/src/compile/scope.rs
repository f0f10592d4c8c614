//! Scope: what names stand for while a function is compiled.

use std::collections::HashMap;

use super::code::Reg;
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
}

impl Function {
    pub(super) fn new(job: &Job, closed: bool) -> Self {
        let mut function = Function { proto: job.proto, ..Function::default() };
        for &(name, binding) in &job.scope {
            function.bind(name, binding);
        }
        for &param in &job.params {
            function.bind(param, Binding { at: At::Reg(function.height), known: None, how: How::Value });
            function.height += 1;
        }
        if closed {
            function.closure = Some(function.height);
            function.height += 1;
        }
        function
    }

    pub(super) fn bind(&mut self, name: NameId, binding: Binding) {
        self.names.entry(name).or_default().push(binding);
        self.bound.push(name);
    }

    /// How many names are bound, for [`Function::unbind`].
    pub(super) fn mark(&self) -> usize {
        self.bound.len()
    }

    /// Forgets the names that were bound since the mark.
    pub(super) fn unbind(&mut self, mark: usize) {
        for name in self.bound.drain(mark..) {
            self.names.entry(name).and_modify(|bindings| {
                bindings.pop();
            });
        }
    }

    pub(super) fn lookup(&self, name: NameId) -> Option<Binding> {
        self.names.get(&name)?.last().copied()
    }
}
