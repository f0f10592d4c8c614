//! Probable mistakes in programs that load.

use std::collections::BTreeSet;
use std::fmt;

use crate::core::{Expr, ExprId, Module, NameId};
use crate::source::Location;

/// A probable mistake in a program, which runs all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The location.
    pub place: Location,
    /// The mistake, in words.
    pub problem: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: warning: {}\n{}", self.place, self.problem, self.place.excerpt())
    }
}

/// The probable mistakes of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mistakes {
    /// Unbound names by which a function means itself, in ascending order.
    pub(crate) itself: Vec<ExprId>,
    pub(crate) warnings: Vec<Warning>,
}

enum Todo {
    Visit(ExprId),
    Bind(NameId),
    Unbind(NameId),
    /// The beginning or the end of the function that a `let` binds to this name.
    Begin(NameId),
    End(NameId),
}

/// Searches a program for mistakes, without recursion. `recursion` is the hint how a function calls itself.
pub(crate) fn find(module: &Module, recursion: &str) -> Mistakes {
    let mut mistakes = Mistakes::default();
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
        // In reverse order, since the last entry is taken first.
        let later = todo.len();
        match module.expr(expr) {
            Expr::Name(name) => {
                if bound[name.0 as usize] == 0 && begun[name.0 as usize] > 0 {
                    mistakes.itself.push(expr);
                    if told.insert(*name) {
                        let text = module.name(*name);
                        let problem = format!("nothing binds the name `{text}` here{recursion}");
                        warn(&mut mistakes, module, expr, problem);
                    }
                }
            }
            Expr::Let { name, value, body } if matches!(module.expr(*value), Expr::Fn { .. }) => {
                todo.extend([Todo::Begin(*name), Todo::Visit(*value), Todo::End(*name)]);
                todo.extend([Todo::Bind(*name), Todo::Visit(*body), Todo::Unbind(*name)]);
            }
            other => other.parts(|part, names| {
                let names = names.into_iter().flatten();
                todo.extend(names.clone().map(Todo::Bind));
                todo.push(Todo::Visit(part));
                todo.extend(names.map(Todo::Unbind));
            }),
        }
        todo[later..].reverse();
        if let Expr::Let { value: first, .. } | Expr::Then { first, .. } = module.expr(expr) {
            never_ends(&mut mistakes, module, *first);
        }
    }
    mistakes.itself.sort_unstable();
    mistakes
}

fn warn(mistakes: &mut Mistakes, module: &Module, at: ExprId, problem: String) {
    mistakes.warnings.push(Warning { place: module.sources().place(module.span(at)), problem });
}

/// Warns of a `rec` whose value is needed, although it can only begin again.
fn never_ends(mistakes: &mut Mistakes, module: &Module, expr: ExprId) {
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
    warn(mistakes, module, expr, problem);
}
