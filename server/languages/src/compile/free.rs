//! Free names of expressions.

use std::collections::{BTreeSet, HashMap};

use crate::core::{Expr, ExprId, Module, NameId};

/// The names bound between a function and an expression in it.
#[derive(Default)]
struct Bound {
    names: Vec<NameId>,
    times: HashMap<NameId, u32>,
}

impl Bound {
    fn push(&mut self, name: NameId) {
        self.names.push(name);
        *self.times.entry(name).or_default() += 1;
    }

    fn bind(&mut self, names: [Option<NameId>; 2]) {
        names.into_iter().flatten().for_each(|name| self.push(name));
    }

    fn truncate(&mut self, len: usize) {
        for name in self.names.drain(len..) {
            self.times.entry(name).and_modify(|times| *times -= 1);
        }
    }

    fn contains(&self, name: NameId) -> bool {
        self.times.get(&name).is_some_and(|&times| times > 0)
    }
}

/// Computes free names, and caches those of functions.
#[derive(Debug, Default)]
pub(super) struct FreeNames {
    known: HashMap<ExprId, BTreeSet<NameId>>,
}

impl FreeNames {
    /// The free names of an expression. The recursion is no deeper than the nesting of expressions.
    pub(super) fn of(&mut self, module: &Module, expr: ExprId) -> BTreeSet<NameId> {
        let mut free = BTreeSet::new();
        self.walk(module, expr, &mut Bound::default(), &mut free);
        free
    }

    fn walk(&mut self, module: &Module, mut expr: ExprId, bound: &mut Bound, free: &mut BTreeSet<NameId>) {
        let outer = bound.names.len();
        // The last part is handled by this loop, so chains of `let`, `;` and `else` may have any length.
        loop {
            match module.expr(expr) {
                Expr::Name(name) => {
                    if !bound.contains(*name) {
                        free.insert(*name);
                    }
                    break;
                }
                Expr::Fn { param: name, body } | Expr::Rec { name, body } => {
                    if !self.known.contains_key(&expr) {
                        let mut inner = BTreeSet::new();
                        let mut parameter = Bound::default();
                        parameter.push(*name);
                        self.walk(module, *body, &mut parameter, &mut inner);
                        self.known.insert(expr, inner);
                    }
                    free.extend(self.known[&expr].iter().copied().filter(|&name| !bound.contains(name)));
                    break;
                }
                other => {
                    let mut last = None;
                    other.parts(|part, names| {
                        if let Some((part, names)) = last.replace((part, names)) {
                            let around = bound.names.len();
                            bound.bind(names);
                            self.walk(module, part, bound, free);
                            bound.truncate(around);
                        }
                    });
                    let Some((part, names)) = last else { break };
                    bound.bind(names);
                    expr = part;
                }
            }
        }
        bound.truncate(outer);
    }
}
