//! Programs that load, and yet can't be what was meant.

use std::collections::BTreeSet;
use std::fmt;

use crate::core::{Expr, ExprId, Module, NameId};
use crate::source::Location;

/// Something in a program that can't have been meant so. The program runs all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Where.
    pub place: Location,
    /// What.
    pub problem: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: warning: {}\n{}", self.place, self.problem, self.place.excerpt())
    }
}

/// The slips of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slips {
    /// Names that nothing binds and with which a function means itself, in ascending order.
    pub(crate) itself: Vec<ExprId>,
    pub(crate) warnings: Vec<Warning>,
}

enum Todo {
    Visit(ExprId),
    Bind(NameId),
    Unbind(NameId),
    /// The function that a `let` binds to this name begins, or ends.
    Begin(NameId),
    End(NameId),
}

/// Looks through a program, in a loop however deep it is. `recursion` tells how a function calls itself.
pub(crate) fn find(module: &Module, recursion: &str) -> Slips {
    let mut slips = Slips::default();
    let mut bound = vec![0_u32; module.names.len()];
    let mut begun = vec![0_u32; module.names.len()];
    let mut told = BTreeSet::new();
    let mut todo = vec![Todo::Visit(module.root())];
    while let Some(next) = todo.pop() {
        let expr = match next {
            Todo::Visit(expr) => expr,
            Todo::Bind(name) => {
                bound[name.0 as usize] += 1;
                continue;
            }
            Todo::Unbind(name) => {
                bound[name.0 as usize] -= 1;
                continue;
            }
            Todo::Begin(name) => {
                begun[name.0 as usize] += 1;
                continue;
            }
            Todo::End(name) => {
                begun[name.0 as usize] -= 1;
                continue;
            }
        };
        let mut bind = |name: NameId, body: ExprId| {
            todo.extend([Todo::Unbind(name), Todo::Visit(body), Todo::Bind(name)]);
        };
        match module.expr(expr) {
            Expr::Int(_) => {}
            Expr::Name(name) => {
                if bound[name.0 as usize] == 0 && begun[name.0 as usize] > 0 {
                    slips.itself.push(expr);
                    if told.insert(*name) {
                        let text = module.name(*name);
                        let problem = format!("nothing binds the name `{text}` here{recursion}");
                        warn(&mut slips, module, expr, problem);
                    }
                }
            }
            Expr::Fn { param: name, body } | Expr::Rec { name, body } => bind(*name, *body),
            Expr::Let { name, value, body } => {
                bind(*name, *body);
                let is_function = matches!(module.expr(*value), Expr::Fn { .. });
                todo.extend(is_function.then_some(Todo::End(*name)));
                todo.push(Todo::Visit(*value));
                todo.extend(is_function.then_some(Todo::Begin(*name)));
                never_ends(&mut slips, module, *value);
            }
            Expr::Then { first, second } => {
                todo.extend([Todo::Visit(*second), Todo::Visit(*first)]);
                never_ends(&mut slips, module, *first);
            }
            Expr::Split { value, left, right, yes, no } => {
                todo.push(Todo::Visit(*no));
                todo.extend([Todo::Unbind(*left), Todo::Unbind(*right), Todo::Visit(*yes)]);
                todo.extend([Todo::Bind(*left), Todo::Bind(*right), Todo::Visit(*value)]);
            }
            Expr::Spawn { body, parent: Some(parent) } => bind(*parent, *body),
            Expr::Spawn { body: only, parent: None } | Expr::Unary { operand: only, .. } => {
                todo.push(Todo::Visit(*only));
            }
            Expr::If { condition: a, yes: b, no: c } | Expr::Update { array: a, index: b, value: c } => {
                todo.extend([*c, *b, *a].map(Todo::Visit));
            }
            Expr::Apply { function: a, argument: b }
            | Expr::Binary { left: a, right: b, .. }
            | Expr::Pair { left: a, right: b }
            | Expr::Index { array: a, index: b }
            | Expr::Assign { cell: a, value: b } => todo.extend([*b, *a].map(Todo::Visit)),
            Expr::Array(elements) => todo.extend(elements.iter().rev().copied().map(Todo::Visit)),
        }
    }
    slips.itself.sort_unstable();
    slips
}

fn warn(slips: &mut Slips, module: &Module, at: ExprId, problem: String) {
    slips.warnings.push(Warning { place: module.sources().place(module.span(at)), problem });
}

/// Warns of a `rec` whose value something waits for, though it can't do anything but begin again.
fn never_ends(slips: &mut Slips, module: &Module, expr: ExprId) {
    let Expr::Rec { name, body } = module.expr(expr) else { return };
    let mut lasts = vec![*body];
    while let Some(last) = lasts.pop() {
        match module.expr(last) {
            Expr::Name(found) if found == name => {}
            Expr::Let { name: inner, body, .. } if inner != name => lasts.push(*body),
            Expr::Then { second, .. } => lasts.push(*second),
            Expr::If { yes, no, .. } => lasts.extend([*yes, *no]),
            _ => return,
        }
    }
    let name = module.name(*name);
    let problem = format!(
        "this `rec` runs at once and never ends, so what follows is never reached; a function that is called later is \
         `rec {name} in fn u => …`"
    );
    warn(slips, module, expr, problem);
}
