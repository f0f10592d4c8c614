//! Names in scope at each operation: a table beside the code, which the machine never looks at.
//!
//! It is for people who ask what a thread's names stand for. A name whose value the code has no use for is not kept anywhere.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::code::{Pc, Reg};
use crate::core::{Expr, ExprId, Module, NameId};
use crate::vm::value::Value;

/// Where the value of a name is while an operation is the next one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kept {
    /// It is always the same.
    Const(Value),
    /// In a register.
    Reg(Reg),
    /// In the closure that is in a register.
    Captured(Reg, u32),
    /// Nowhere.
    No,
}

/// The end of a chain of bindings.
pub(super) const NOTHING: u32 = u32::MAX;

/// A binding, and the one around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Binding {
    pub(super) around: u32,
    /// `None` where a function begins: of what is further around only constants are at hand.
    pub(super) name: Option<(NameId, Kept)>,
}

/// The names of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    bindings: Vec<Binding>,
    /// The innermost binding at each operation.
    at: Vec<u32>,
    /// The bodies of the functions, by their numbers.
    bodies: Vec<ExprId>,
    /// What functions are called, by their bodies; looked for when it is first asked.
    titles: OnceLock<HashMap<ExprId, NameId>>,
}

impl Names {
    /// How many bindings there are: the next one's index.
    pub(super) fn len(&self) -> u32 {
        self.bindings.len() as u32
    }

    /// Takes over the bindings of a function that has been compiled.
    pub(super) fn extend(&mut self, bindings: Vec<Binding>) {
        self.bindings.extend(bindings);
    }

    /// The innermost binding at the next operation.
    pub(super) fn push(&mut self, innermost: u32) {
        self.at.push(innermost);
    }

    /// A function of this number has this body.
    pub(super) fn function(&mut self, proto: u32, body: ExprId) {
        let index = proto as usize;
        if self.bodies.len() <= index {
            self.bodies.resize(index + 1, body);
        }
        self.bodies[index] = body;
    }

    /// What a function is called: the name of the `let` or the `rec` that binds it.
    pub(crate) fn title<'m>(&self, module: &'m Module, proto: u32) -> Option<&'m str> {
        let body = self.bodies.get(proto as usize)?;
        let name = self.titles.get_or_init(|| titles(module)).get(body)?;
        Some(module.name(*name))
    }

    /// The names that are in scope at an operation, innermost first, each with where its value is, of which registers below `height` are in use.
    /// A name that another one hides comes after it.
    pub(crate) fn in_scope(&self, pc: Pc, height: u8) -> impl Iterator<Item = (NameId, Kept)> {
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
                    Kept::Const(_) => true,
                    Kept::Reg(reg) | Kept::Captured(reg, _) => !outside && reg < height,
                    Kept::No => false,
                };
                return Some((name, if is_at_hand { kept } else { Kept::No }));
            }
        })
    }
}

/// The names that functions are bound to, by the functions' bodies. That of a `let` goes before that of a `rec`.
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
