//! Evaluation of expressions with the names of a thread, for inspection: the machine is not changed.

use crate::arithmetic;
use crate::core::{BinaryOp, Expr, ExprId, Module, NameId, UnaryOp};
use crate::program::Program;
use crate::view::{ValueView, ViewLimits};
use crate::vm::Machine;
use crate::vm::scope::{Found, Scope};
use crate::vm::value::Value;
use crate::world::Pid;

/// The most pair halves and array elements that an expression may create.
const MOST_MADE: usize = 1000;

impl Machine {
    /// The value of an expression, which is loaded as a program of its own, with the names of a live thread's
    /// innermost call. Functions may be applied; observable operations (actions, writes, locks, random numbers) are
    /// errors.
    ///
    /// # Errors
    /// The reason why there is no value, in words.
    pub fn evaluate(&self, pid: Pid, expression: &Program, extent: ViewLimits) -> Result<ValueView, String> {
        let scope = self.scope(pid).ok_or_else(|| format!("thread {pid} does not live"))?;
        let mut evaluator = Evaluator { module: expression.module(), scope, bound: Vec::new(), made: 0 };
        let found = evaluator.value(evaluator.module.root())?;
        Ok(evaluator.scope.see(&found, extent))
    }
}

struct Evaluator<'a> {
    module: &'a Module,
    scope: Scope<'a>,
    bound: Vec<(NameId, Found)>,
    made: usize,
}

impl Evaluator<'_> {
    fn value(&mut self, mut expr: ExprId) -> Result<Found, String> {
        let outer = self.bound.len();
        // The last part is handled by this loop; the parser limits the nesting of the others.
        let value = loop {
            match self.module.expr(expr) {
                Expr::Let { name, value, body } => {
                    let found = self.value(*value)?;
                    self.bound.push((*name, found));
                    expr = *body;
                }
                Expr::Then { first, second } => {
                    self.value(*first)?;
                    expr = *second;
                }
                Expr::If { condition, yes, no } => {
                    expr = if self.integer(*condition)? != 0 { *yes } else { *no };
                }
                Expr::Split { value, left, right, yes, no } => {
                    let found = self.value(*value)?;
                    expr = match self.scope.halves(&found) {
                        Some([a, b]) => {
                            self.bound.extend([(*left, a), (*right, b)]);
                            *yes
                        }
                        None => *no,
                    };
                }
                Expr::Apply { .. } => match self.bind_in_place(expr)? {
                    Some(body) => expr = body,
                    None => break self.simple(expr),
                },
                _ => break self.simple(expr),
            }
        };
        self.bound.truncate(outer);
        value
    }

    /// Binds the parameters of an `fn` that is applied at its place. Returns its body, or `None` for any other application.
    fn bind_in_place(&mut self, expr: ExprId) -> Result<Option<ExprId>, String> {
        let (mut body, mut arguments) = (expr, Vec::new());
        while let Expr::Apply { function, argument } = self.module.expr(body) {
            arguments.push(*argument);
            body = *function;
        }
        let mut parameters = Vec::new();
        while let Expr::Fn { param, body: inner } = self.module.expr(body)
            && parameters.len() < arguments.len()
        {
            parameters.push(*param);
            body = *inner;
        }
        if parameters.len() < arguments.len() {
            return Ok(None);
        }
        let values = arguments.into_iter().rev().map(|argument| self.value(argument));
        let values = values.collect::<Result<Vec<_>, _>>()?;
        self.bound.extend(parameters.into_iter().zip(values));
        Ok(Some(body))
    }

    fn simple(&mut self, expr: ExprId) -> Result<Found, String> {
        let int = |value| Found::Own(Value::Int(value));
        Ok(match self.module.expr(expr) {
            Expr::Int(value) => int(*value),
            Expr::Name(name) => match self.bound.iter().rev().find(|(bound, _)| bound == name) {
                Some((_, found)) => found.clone(),
                None => Found::Own(self.scope.name(self.module.name(*name))?),
            },
            Expr::Array(elements) => {
                self.make(elements.len())?;
                Found::Array(elements.iter().map(|&element| self.value(element)).collect::<Result<_, _>>()?)
            }
            Expr::Pair { left, right } => {
                self.make(2)?;
                Found::Pair([self.value(*left)?, self.value(*right)?].into())
            }
            Expr::Index { array, index } => {
                let (array, index) = (self.value(*array)?, self.integer(*index)?);
                self.scope.element(&array, index)?
            }
            Expr::Binary { op, left, right } => {
                let (left, right) = (self.value(*left)?, self.value(*right)?);
                int(binary(*op, &left, &right)?)
            }
            Expr::Unary { op: UnaryOp::Negate, operand } => int(self
                .integer(*operand)?
                .checked_neg()
                .ok_or("the result of `~` does not fit in 64 bits")?),
            Expr::Unary { op: UnaryOp::TypeOf, operand } => int(match self.value(*operand)? {
                Found::Own(value) => value.kind().code(),
                Found::Array(_) | Found::Pair(_) => crate::world::Kind::Array.code(),
            }),
            Expr::Unary { op: UnaryOp::Get, operand } => {
                let cell = self.value(*operand)?;
                self.scope.content(&cell)?
            }
            Expr::Apply { function, argument } => {
                let (function, argument) = (self.value(*function)?, self.value(*argument)?);
                Found::Own(self.scope.apply(&function, &argument)?)
            }
            Expr::Unary { op, .. } => {
                return Err(format!("`{}` can't be done after the event", op.symbol()));
            }
            Expr::Assign { .. } => return Err("`:=` can't be done after the event".to_owned()),
            Expr::Spawn { .. } => return Err("`spawn` can't be done after the event".to_owned()),
            Expr::Update { .. } => return Err("`a[i := v]` can't be asked for here".to_owned()),
            Expr::Fn { .. } | Expr::Rec { .. } => {
                return Err("an expression that is asked for here makes no functions of its own".to_owned());
            }
            Expr::Let { .. } | Expr::Then { .. } | Expr::If { .. } | Expr::Split { .. } => {
                unreachable!("followed in a loop")
            }
        })
    }

    fn make(&mut self, parts: usize) -> Result<(), String> {
        self.made += parts;
        match self.made {
            ..=MOST_MADE => Ok(()),
            _ => Err(format!(
                "an expression that is asked for here makes at most {MOST_MADE} values of its own"
            )),
        }
    }

    fn integer(&mut self, expr: ExprId) -> Result<i64, String> {
        match self.value(expr)? {
            Found::Own(Value::Int(value)) => Ok(value),
            _ => Err("an integer is needed here".to_owned()),
        }
    }
}

fn binary(op: BinaryOp, left: &Found, right: &Found) -> Result<i64, String> {
    let words = |reason: crate::world::Stuck| reason.to_string();
    match (left, right) {
        (Found::Own(Value::Int(left)), Found::Own(Value::Int(right))) => {
            arithmetic::binary(op, *left, *right).map_err(words)
        }
        (Found::Own(left), Found::Own(right)) => crate::vm::binary(op, *left, *right).map_err(words),
        (Found::Own(Value::Int(_)), _) | (_, Found::Own(Value::Int(_))) if op == BinaryOp::Equal => Ok(0),
        (Found::Own(Value::Int(_)), _) | (_, Found::Own(Value::Int(_))) if op == BinaryOp::Unequal => Ok(1),
        _ => Err(format!("`{}` needs integers", op.symbol())),
    }
}
