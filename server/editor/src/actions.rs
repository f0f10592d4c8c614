//! Operands of `do` that are wrong for all values of their unknown parts.

use grandstand_languages::core::{Expr, ExprId, UnaryOp};
use grandstand_languages::{DATUM_ELEMENTS, Datum, Language, Span};

use crate::analysis::Analysis;

/// Returns the span and the problem of each wrong `do` of the main file.
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
                game.actions.iter().any(|action| action.name == module.name(*name))
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

/// Returns the reason for the refusal of an operand of `do`, if it is the same for all values of the unknown parts.
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
        // An unknown action can be any action.
        let request = value(analysis, operand, &unknown, &mut true)?;
        let refused = (game.refusal)(&request)?;
        if problem.replace(refused.clone()).is_some_and(|before| before != refused) {
            return None;
        }
    }
    problem
}

/// Returns the value of an expression, with `unknown` in place of every unknown part. `None` if the value is too large,
/// or if `first` is set and its first part is unknown.
///
/// The recursion is as deep as the expressions are nested: a loop follows the right halves of pairs.
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
