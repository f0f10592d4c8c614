//! Scope of the function that is being compiled: the bindings of names.

use std::collections::HashMap;

use super::code::Reg;
use super::names::{self, NOTHING, NameStorage};
use crate::core::{ExprId, NameId};
use crate::vm::value::Value;

/// The location of a name's value.
#[derive(Clone, Copy, Debug)]
pub(super) enum ValueLocation {
    Const(Value),
    Reg(Reg),
    /// A word of the function's closure.
    Captured(u32),
    /// The function's closure itself.
    Closure,
}

/// The binding of a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Binding {
    pub(super) at: ValueLocation,
    /// The number of the bound function, if it is statically known.
    pub(super) known: Option<u32>,
    /// The kind of the binding.
    pub(super) how: BindingForm,
}

/// The kind of a binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BindingForm {
    /// A binding to a value.
    Value,
    /// A binding by `rec` to a function: unrolling costs a reduction.
    RecFn,
    /// A binding by `rec` to something else: unrolling evaluates it.
    RecOther,
}

/// A function that remains to be compiled.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) proto: u32,
    pub(super) params: Vec<NameId>,
    pub(super) body: ExprId,
    /// The bindings of the surrounding names, as seen from inside.
    pub(super) scope: Vec<(NameId, Binding)>,
    /// Whether the code was only moved out of another function.
    pub(super) inner: bool,
    /// The innermost surrounding binding in the table of names.
    pub(super) around: u32,
}

/// The state of the function that is being compiled.
#[derive(Debug, Default)]
pub(super) struct Function {
    pub(super) proto: u32,
    names: HashMap<NameId, Vec<Binding>>,
    /// The names in the order of their bindings.
    bound: Vec<NameId>,
    /// The number of registers in use.
    pub(super) height: Reg,
    /// The register of the function's closure.
    pub(super) closure: Option<Reg>,
    /// The number of reductions that no operation has paid for yet.
    pub(super) pending: u32,
    /// Data for the table of names: the bindings so far, the index of the first one, and the innermost one in scope.
    pub(super) told: Vec<names::Binding>,
    first_told: u32,
    pub(super) innermost: u32,
}

impl Function {
    /// The initial state for a job. `told` is the number of bindings in the table of names.
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
            function.bind(
                param,
                Binding { at: ValueLocation::Reg(function.height), known: None, how: BindingForm::Value },
            );
            function.height += 1;
        }
        function.height += Reg::from(closed);
        function
    }

    /// Adds a binding to the table of names.
    fn tell(&mut self, binding: names::Binding) {
        self.told.push(binding);
        self.innermost = self.first_told + self.told.len() as u32 - 1;
    }

    pub(super) fn bind(&mut self, name: NameId, binding: Binding) {
        self.names.entry(name).or_default().push(binding);
        self.bound.push(name);
        let kept = match (binding.at, self.closure) {
            (ValueLocation::Const(value), _) => NameStorage::Const(value),
            (ValueLocation::Reg(reg), _) | (ValueLocation::Closure, Some(reg)) => NameStorage::Reg(reg),
            (ValueLocation::Captured(index), Some(closure)) => NameStorage::Captured(closure, index),
            (ValueLocation::Captured(_) | ValueLocation::Closure, None) => NameStorage::No,
        };
        self.tell(names::Binding { around: self.innermost, name: Some((name, kept)) });
    }

    /// The number of bound names, for [`Function::unbind`].
    pub(super) fn mark(&self) -> usize {
        self.bound.len()
    }

    /// Removes the names that were bound since the mark.
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
