//! The names that an expression uses from around it.

use std::collections::{BTreeSet, HashMap};

use crate::core::{Expr, ExprId, Module, NameId};

/// The names that are bound on the way to an expression.
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

    fn truncate(&mut self, len: usize) {
        for name in self.names.drain(len..) {
            self.times.entry(name).and_modify(|times| *times -= 1);
        }
    }

    fn contains(&self, name: NameId) -> bool {
        self.times.get(&name).is_some_and(|&times| times > 0)
    }
}

/// Finds free names, and remembers those of functions.
#[derive(Debug, Default)]
pub(super) struct FreeNames {
    known: HashMap<ExprId, BTreeSet<NameId>>,
}

impl FreeNames {
    /// The free names of an expression. Calls itself no deeper than expressions are nested.
    pub(super) fn of(&mut self, module: &Module, expr: ExprId) -> BTreeSet<NameId> {
        let mut free = BTreeSet::new();
        self.walk(module, expr, &mut Bound::default(), &mut free);
        free
    }

    fn walk(&mut self, module: &Module, mut expr: ExprId, bound: &mut Bound, free: &mut BTreeSet<NameId>) {
        let outer = bound.names.len();
        // `let`, `;` and `else` are followed in this loop.
        loop {
            match module.expr(expr) {
                Expr::Int(_) => break,
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
                Expr::Let { name, value, body } => {
                    self.walk(module, *value, bound, free);
                    bound.push(*name);
                    expr = *body;
                }
                Expr::Then { first, second } => {
                    self.walk(module, *first, bound, free);
                    expr = *second;
                }
                Expr::If { condition, yes, no } => {
                    self.walk(module, *condition, bound, free);
                    self.walk(module, *yes, bound, free);
                    expr = *no;
                }
                Expr::Split { value, left, right, yes, no } => {
                    self.walk(module, *value, bound, free);
                    let around = bound.names.len();
                    bound.push(*left);
                    bound.push(*right);
                    self.walk(module, *yes, bound, free);
                    bound.truncate(around);
                    expr = *no;
                }
                Expr::Pair { left, right } => {
                    self.walk(module, *left, bound, free);
                    expr = *right;
                }
                Expr::Apply { function, argument } => {
                    self.walk(module, *function, bound, free);
                    expr = *argument;
                }
                Expr::Binary { left, right, .. } => {
                    self.walk(module, *left, bound, free);
                    expr = *right;
                }
                Expr::Unary { operand, .. } => expr = *operand,
                Expr::Spawn { body, parent } => {
                    if let Some(parent) = parent {
                        bound.push(*parent);
                    }
                    expr = *body;
                }
                Expr::Array(elements) => {
                    for element in elements {
                        self.walk(module, *element, bound, free);
                    }
                    break;
                }
                Expr::Index { array, index } => {
                    self.walk(module, *array, bound, free);
                    expr = *index;
                }
                Expr::Update { array, index, value } => {
                    self.walk(module, *array, bound, free);
                    self.walk(module, *index, bound, free);
                    expr = *value;
                }
                Expr::Assign { cell, value } => {
                    self.walk(module, *cell, bound, free);
                    expr = *value;
                }
            }
        }
        bound.truncate(outer);
    }
}
