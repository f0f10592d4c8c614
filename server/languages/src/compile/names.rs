//! Names in scope at each operation: a table beside the code, which the machine never reads.
//!
//! It serves the inspection of a thread's names. The value of a name that the code does not use is not kept anywhere.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::code::{Pc, Reg};
use crate::core::{Expr, ExprId, Module, NameId};
use crate::vm::value::Value;

/// The location of a name's value before an operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum NameStorage {
    /// The value is a constant.
    Const(Value),
    /// The value is in a register.
    Reg(Reg),
    /// The value is in the closure in a register.
    Captured(Reg, u32),
    /// The value is not kept.
    No,
}

/// The end of a chain of bindings.
pub(super) const NOTHING: u32 = u32::MAX;

/// A binding, with the index of the surrounding one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Binding {
    pub(super) around: u32,
    /// The name and its value's location; `None` marks the beginning of a function, beyond which only constants are accessible.
    pub(super) name: Option<(NameId, NameStorage)>,
}

/// The names of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    bindings: Vec<Binding>,
    /// The index of the innermost binding at each operation.
    at: Vec<u32>,
    /// The bodies of the functions, by number.
    bodies: Vec<ExprId>,
    /// The names of functions, by their bodies; computed on first use.
    titles: OnceLock<HashMap<ExprId, NameId>>,
}

impl Names {
    /// The number of bindings, which is the index of the next one.
    pub(super) fn len(&self) -> u32 {
        self.bindings.len() as u32
    }

    /// Adds the bindings of a compiled function.
    pub(super) fn extend(&mut self, bindings: Vec<Binding>) {
        self.bindings.extend(bindings);
    }

    /// Records the innermost binding at the next operation.
    pub(super) fn push(&mut self, innermost: u32) {
        self.at.push(innermost);
    }

    /// Records the body of the function with this number.
    pub(super) fn function(&mut self, proto: u32, body: ExprId) {
        let index = proto as usize;
        if self.bodies.len() <= index {
            self.bodies.resize(index + 1, body);
        }
        self.bodies[index] = body;
    }

    /// The name of a function: that of the `let` or `rec` that binds it.
    pub(crate) fn title<'m>(&self, module: &'m Module, proto: u32) -> Option<&'m str> {
        let body = self.bodies.get(proto as usize)?;
        let name = self.titles.get_or_init(|| titles(module)).get(body)?;
        Some(module.name(*name))
    }

    /// The names in scope at an operation, innermost first, each with the location of its value. Only registers below `height` are in use.
    /// A hidden name comes after the one that hides it.
    pub(crate) fn in_scope(&self, pc: Pc, height: u8) -> impl Iterator<Item = (NameId, NameStorage)> {
        let mut next = self.at.get(pc as usize).copied().unwrap_or(NOTHING);
        let mut outside = false;
        std::iter::from_fn(move || {
            loop {
                let binding = self.bindings.get(next as usize)?;
                next = binding.around;
                let Some((name, kept)) = binding.name else {
                    outside = true;
                    continue;
                };
                let is_at_hand = match kept {
                    NameStorage::Const(_) => true,
                    NameStorage::Reg(reg) | NameStorage::Captured(reg, _) => !outside && reg < height,
                    NameStorage::No => false,
                };
                return Some((name, if is_at_hand { kept } else { NameStorage::No }));
            }
        })
    }
}

/// The names bound to functions, by the functions' bodies. A `let` takes precedence over a `rec`.
fn titles(module: &Module) -> HashMap<ExprId, NameId> {
    let mut titles = HashMap::new();
    let body_of = |mut expr: ExprId| {
        if let Expr::Rec { body, .. } = module.expr(expr) {
            expr = *body;
        }
        while let Expr::Fn { body, .. } = module.expr(expr) {
            expr = *body;
        }
        expr
    };
    for id in (0..module.nodes.len() as u32).map(ExprId) {
        match module.expr(id) {
            Expr::Let { name, value, .. }
                if matches!(module.expr(*value), Expr::Fn { .. } | Expr::Rec { .. }) =>
            {
                titles.insert(body_of(*value), *name);
            }
            Expr::Rec { name, .. } => {
                titles.entry(body_of(id)).or_insert(*name);
            }
            _ => {}
        }
    }
    titles
}
