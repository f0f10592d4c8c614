//! Operands of `do` that can't be right, whatever the parts come to that are not known before the program runs.

use grandstand_languages::core::{Expr, ExprId, UnaryOp};
use grandstand_languages::{DATUM_ELEMENTS, Datum, Language, Span};

use crate::analysis::Analysis;

/// What is wrong with each `do` of the main file that can't be right, and where.
pub(crate) fn wrong(analysis: &Analysis) -> Vec<(Span, String)> {
    let module = analysis.draft.module();
    let in_main = module.exprs().filter(|expr| module.span(*expr).file == 0);
    in_main.filter_map(|expr| problem(analysis, expr)).collect()
}

fn problem(analysis: &Analysis, expr: ExprId) -> Option<(Span, String)> {
    let module = analysis.draft.module();
    match *module.expr(expr) {
        Expr::Unary { op: UnaryOp::Do, operand } => {
            let problem = refusal(analysis, operand)?;
            Some((
                module.span(operand),
                format!("this action is refused, and its thread ends there: {problem}"),
            ))
        }
        Expr::Apply { function, .. } => {
            let number = Datum::Int(analysis.integer(function)?);
            let name = match module.expr(function) {
                Expr::Name(name) => format!("`{}` is the number {number}", module.name(*name)),
                _ => format!("{number} is a number"),
            };
            let hint = match analysis.language {
                Language::Cl => "do (ACTION, ARGUMENT)",
                Language::Rcl => "do [ACTION, ARGUMENT]",
            };
            let is_action = analysis.game().is_some_and(|game| {
                let Expr::Name(name) = module.expr(function) else { return false };
                game.actions().iter().any(|action| action.name == module.name(*name))
            });
            let hint = if is_action {
                format!("; an action with an argument is written `{hint}`")
            } else {
                String::new()
            };
            Some((
                module.span(function),
                format!("{name}, and only a function can be applied to something{hint}"),
            ))
        }
        _ => None,
    }
}

/// Why an operand of `do` is refused whatever its unknown parts are.
fn refusal(analysis: &Analysis, operand: ExprId) -> Option<String> {
    let game = analysis.game()?;
    let one = Datum::Int(1);
    let pair = match analysis.language {
        Language::Cl => Datum::Array(vec![one.clone(), one.clone()]),
        Language::Rcl => Datum::pair(one.clone(), one.clone()),
    };
    let text = match analysis.language {
        Language::Cl => Datum::text("a"),
        Language::Rcl => Datum::text_list("a"),
    };
    let mut problem = None;
    for unknown in [one, Datum::Int(0), pair, text] {
        // An action that is not known can be any.
        let request = value(analysis, operand, &unknown, &mut true)?;
        let refused = game.refusal(&request)?;
        if problem.replace(refused.clone()).is_some_and(|before| before != refused) {
            return None;
        }
    }
    problem
}

/// The value of an expression, with `unknown` for every part that is not known; `None` when `first`, its first part, is not known, or it is too large.
///
/// Calls itself no deeper than expressions are nested: the right halves of pairs are followed in a loop.
fn value(analysis: &Analysis, expr: ExprId, unknown: &Datum, first: &mut bool) -> Option<Datum> {
    let module = analysis.draft.module();
    let must_be_known = std::mem::take(first);
    match module.expr(expr) {
        Expr::Array(elements) if elements.len() <= DATUM_ELEMENTS => {
            *first = must_be_known;
            let values = elements.iter().map(|element| value(analysis, *element, unknown, first));
            values.collect::<Option<Vec<_>>>().map(Datum::Array)
        }
        Expr::Pair { .. } => {
            *first = must_be_known;
            let (mut parts, mut rest) = (Vec::new(), expr);
            while let Expr::Pair { left, right } = module.expr(rest) {
                if parts.len() == DATUM_ELEMENTS {
                    return None;
                }
                parts.push(value(analysis, *left, unknown, first)?);
                rest = *right;
            }
            match value(analysis, rest, unknown, first)? {
                Datum::Pair(more) => parts.extend(more),
                last => parts.push(last),
            }
            Some(Datum::Pair(parts))
        }
        _ => match analysis.integer(expr) {
            Some(integer) => Some(Datum::Int(integer)),
            None if must_be_known => None,
            None => Some(unknown.clone()),
        },
    }
}
