//! Single reduction: the rules of `CL.md` and `RCL.md`, section 4, in their order.

use super::store::{Array, Binding, Bound, Closure, Env, OwnCell, SharedCell, Store, Value};
use crate::arithmetic::{self, SplitMix64};
use crate::core::{BinaryOp, Expr, ExprId, Module, NameId, UnaryOp};
use crate::world::{Kind, Limit, Limits, Pid, Role, Stuck};

/// The state of a thread's program: the current focus, and the frames that wait for its value, innermost last.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) focus: Focus,
    waiting: Vec<Frame>,
    depth: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Focus {
    Evaluate(ExprId, Env),
    Value(Value),
}

#[derive(Clone, Debug)]
enum Frame {
    /// An expression whose operands are being evaluated, with the values so far.
    Operands { expr: ExprId, env: Env, done: Vec<Value> },
    /// A call in progress.
    Call,
}

/// The result of a step.
pub(super) enum Step {
    /// A reduction that only this thread observes.
    Reduced,
    /// A reduction that waits for its value from outside.
    Effect(Effect, ExprId),
    /// The program is a value.
    Value(Value),
    /// No rule applies to this expression.
    Stuck(Stuck, ExprId),
    /// The expression exceeded a limit.
    Limit(Limit, ExprId),
}

/// A reduction that involves more than the thread itself.
pub(super) enum Effect {
    Do(Value),
    /// The body, the name of the parent's pid in it, and the environment.
    Spawn(ExprId, Option<NameId>, Env),
    Acquire(usize),
    Release(usize),
}

impl State {
    pub(super) fn new(expr: ExprId, env: Env) -> Self {
        State { focus: Focus::Evaluate(expr, env), waiting: Vec::new(), depth: 0 }
    }

    /// Performs one reduction, or finds that there is none.
    pub(super) fn step(
        &mut self,
        module: &Module,
        store: &mut Store,
        limits: &Limits,
        me: Pid,
        chance: &mut SplitMix64,
    ) -> Step {
        loop {
            // Finds the redex; only the reduction itself costs a step.
            match self.focus {
                Focus::Evaluate(expr, env) => match module.expr(expr) {
                    Expr::Int(value) => self.focus = Focus::Value(Value::Int(*value)),
                    Expr::Fn { .. } => self.focus = Focus::Value(store.closure(Closure { expr, env })),
                    Expr::Name(name) => match store.lookup(env, *name) {
                        None => return Step::Stuck(module.unbound(expr), expr),
                        Some(Bound::Value(value)) => self.focus = Focus::Value(value),
                        Some(Bound::Rec(rec, env)) => {
                            return self.unroll(module, store, limits, rec, env, expr);
                        }
                    },
                    Expr::Rec { .. } => return self.unroll(module, store, limits, expr, env, expr),
                    Expr::Spawn { body, parent } => {
                        self.focus = Focus::Value(Value::Int(0));
                        return Step::Effect(Effect::Spawn(*body, *parent, env), expr);
                    }
                    node => match operands(node).first() {
                        Some(&first) => {
                            self.waiting.push(Frame::Operands { expr, env, done: Vec::new() });
                            self.focus = Focus::Evaluate(first, env);
                        }
                        None => return self.reduce(module, store, limits, me, chance, expr, env, &[]),
                    },
                },
                Focus::Value(value) => match self.waiting.pop() {
                    None => return Step::Value(value),
                    Some(Frame::Call) => self.depth -= 1,
                    Some(Frame::Operands { expr, env, mut done }) => {
                        done.push(value);
                        match (operands(module.expr(expr)).get(done.len()), module.expr(expr)) {
                            (Some(&next), _) => {
                                self.waiting.push(Frame::Operands { expr, env, done });
                                self.focus = Focus::Evaluate(next, env);
                            }
                            // A pair of values is a value.
                            (None, Expr::Pair { .. }) => {
                                self.focus = Focus::Value(store.pair(done[0], done[1]));
                            }
                            (None, _) => {
                                return self.reduce(module, store, limits, me, chance, expr, env, &done);
                            }
                        }
                    }
                },
            }
        }
    }

    /// Unrolls `rec f in e` to `e`, with the whole expression for `f`.
    fn unroll(
        &mut self,
        module: &Module,
        store: &mut Store,
        limits: &Limits,
        rec: ExprId,
        env: Env,
        at: ExprId,
    ) -> Step {
        let Expr::Rec { name, body } = *module.expr(rec) else {
            unreachable!("only `rec` is bound as such");
        };
        let inner = store.bind(Binding { name, bound: Bound::Rec(rec, env), outer: env });
        self.enter(module, limits, body, inner, at)
    }

    /// Continues with a body. It counts as a call, except for a function, which is already a value, and for a tail call.
    fn enter(&mut self, module: &Module, limits: &Limits, body: ExprId, env: Env, at: ExprId) -> Step {
        let last = matches!(self.waiting.last(), None | Some(Frame::Call));
        if !last && !matches!(module.expr(body), Expr::Fn { .. }) {
            if self.depth == limits.depth {
                return Step::Limit(Limit::Depth(limits.depth), at);
            }
            self.depth += 1;
            self.waiting.push(Frame::Call);
        }
        self.focus = Focus::Evaluate(body, env);
        Step::Reduced
    }

    #[expect(clippy::too_many_arguments, reason = "a rule may look at everything that a thread has")]
    fn reduce(
        &mut self,
        module: &Module,
        store: &mut Store,
        limits: &Limits,
        me: Pid,
        chance: &mut SplitMix64,
        at: ExprId,
        env: Env,
        values: &[Value],
    ) -> Step {
        let value = match (module.expr(at), values) {
            (Expr::Let { name, body, .. }, &[value]) => {
                let inner = store.bind(Binding { name: *name, bound: Bound::Value(value), outer: env });
                self.focus = Focus::Evaluate(*body, inner);
                return Step::Reduced;
            }
            (Expr::Then { second, .. }, [_]) => {
                self.focus = Focus::Evaluate(*second, env);
                return Step::Reduced;
            }
            (Expr::If { yes, no, .. }, &[condition]) => match integer(condition, Role::Condition) {
                Ok(condition) => {
                    self.focus = Focus::Evaluate(if condition != 0 { *yes } else { *no }, env);
                    return Step::Reduced;
                }
                Err(reason) => Err(reason),
            },
            (Expr::Split { left, right, yes, .. }, &[Value::Pair(pair)]) => {
                let (first, second) = store.pairs[pair];
                let inner = store.bind(Binding { name: *left, bound: Bound::Value(first), outer: env });
                let inner = store.bind(Binding { name: *right, bound: Bound::Value(second), outer: inner });
                self.focus = Focus::Evaluate(*yes, inner);
                return Step::Reduced;
            }
            (Expr::Split { no, .. }, [_]) => {
                self.focus = Focus::Evaluate(*no, env);
                return Step::Reduced;
            }
            (Expr::Apply { .. }, &[function, argument]) => match function {
                Value::Closure(closure) => {
                    let Closure { expr, env } = store.closures[closure];
                    let Expr::Fn { param, body } = *module.expr(expr) else {
                        unreachable!("only functions are closed over");
                    };
                    let inner =
                        store.bind(Binding { name: param, bound: Bound::Value(argument), outer: env });
                    return self.enter(module, limits, body, inner, at);
                }
                other => Err(Stuck::NotAFunction(other.kind())),
            },
            (Expr::Binary { op, .. }, &[left, right]) => binary(*op, left, right),
            (Expr::Array(_), elements) => {
                if elements.len() > limits.array_elements {
                    return Step::Limit(Limit::ArrayElements(limits.array_elements), at);
                }
                let filled =
                    elements.iter().enumerate().map(|(index, &value)| (index as u64, value)).collect();
                Ok(store.array(Array { filled, extent: elements.len() as u64 }))
            }
            (Expr::Index { .. }, &[array, index]) => {
                element(array, index).map(|(array, index)| store.arrays[array].get(index))
            }
            (Expr::Update { .. }, &[array, index, value]) => match element(array, index) {
                Ok((_, index)) if index >= limits.array_elements as u64 => {
                    return Step::Limit(Limit::ArrayElements(limits.array_elements), at);
                }
                Ok((array, index)) => {
                    let mut array = store.arrays[array].clone();
                    array.filled.insert(index, value);
                    array.extent = array.extent.max(index + 1);
                    Ok(store.array(array))
                }
                Err(reason) => Err(reason),
            },
            (Expr::Assign { .. }, &[cell, value]) => match cell {
                Value::Own(cell) => store.own(cell, me).map(|cell| cell.value = value),
                Value::Shared(cell) => {
                    store.shared[cell].value = value;
                    Ok(())
                }
                other => Err(Stuck::NotACell { operator: ":=", found: other.kind() }),
            }
            .map(|()| Value::Int(0)),
            (Expr::Unary { op, .. }, &[operand]) => match unary(*op, operand, store, me, chance) {
                Ok(Unary::Value(value)) => Ok(value),
                Ok(Unary::Effect(effect)) => {
                    self.focus = Focus::Value(Value::Int(0));
                    return Step::Effect(effect, at);
                }
                Err(reason) => Err(reason),
            },
            _ => unreachable!("every operand is there, and nothing else has any"),
        };
        match value {
            Ok(value) => {
                self.focus = Focus::Value(value);
                Step::Reduced
            }
            Err(reason) => Step::Stuck(reason, at),
        }
    }
}

/// The subexpressions that must be values before an expression can be reduced, in the order of evaluation.
fn operands(expr: &Expr) -> Vec<ExprId> {
    match expr {
        Expr::Int(_) | Expr::Name(_) | Expr::Fn { .. } | Expr::Rec { .. } | Expr::Spawn { .. } => vec![],
        Expr::Let { value, .. } => vec![*value],
        Expr::Then { first, .. } => vec![*first],
        Expr::If { condition, .. } => vec![*condition],
        Expr::Pair { left, right } => vec![*left, *right],
        Expr::Split { value, .. } => vec![*value],
        Expr::Apply { function, argument } => vec![*function, *argument],
        Expr::Binary { left, right, .. } => vec![*left, *right],
        Expr::Unary { operand, .. } => vec![*operand],
        Expr::Array(elements) => elements.clone(),
        Expr::Index { array, index } => vec![*array, *index],
        Expr::Update { array, index, value } => vec![*array, *index, *value],
        Expr::Assign { cell, value } => vec![*cell, *value],
    }
}

enum Unary {
    Value(Value),
    Effect(Effect),
}

fn unary(
    op: UnaryOp,
    operand: Value,
    store: &mut Store,
    me: Pid,
    chance: &mut SplitMix64,
) -> Result<Unary, Stuck> {
    let role = Role::Operand(op.symbol());
    let value = match (op, operand) {
        (UnaryOp::Negate, _) => {
            Value::Int(integer(operand, role)?.checked_neg().ok_or(Stuck::Overflow("~"))?)
        }
        (UnaryOp::TypeOf, _) => Value::Int(operand.kind().code()),
        (UnaryOp::Random, _) => Value::Int(chance.below(integer(operand, role)?)?),
        (UnaryOp::NewOwn, value) => store.new_own(OwnCell { owner: me, value, locked: false }),
        (UnaryOp::NewShared, value) => {
            store.new_shared(SharedCell { value, holder: None, waiting: Vec::new() })
        }
        (UnaryOp::Get, Value::Own(cell)) => store.own(cell, me)?.value,
        (UnaryOp::Get, Value::Shared(cell)) => store.shared[cell].value,
        (UnaryOp::Acquire, Value::Own(cell)) => {
            match std::mem::replace(&mut store.own(cell, me)?.locked, true) {
                false => Value::Int(0),
                true => return Err(Stuck::LockHeld),
            }
        }
        (UnaryOp::Release, Value::Own(cell)) => match std::mem::take(&mut store.own(cell, me)?.locked) {
            true => Value::Int(0),
            false => return Err(Stuck::LockNotHeld),
        },
        (UnaryOp::Acquire, Value::Shared(cell)) if store.shared[cell].is_held_by(me) => {
            return Err(Stuck::LockHeld);
        }
        (UnaryOp::Release, Value::Shared(cell)) if !store.shared[cell].is_held_by(me) => {
            return Err(Stuck::LockNotHeld);
        }
        (UnaryOp::Acquire, Value::Shared(cell)) => return Ok(Unary::Effect(Effect::Acquire(cell))),
        (UnaryOp::Release, Value::Shared(cell)) => return Ok(Unary::Effect(Effect::Release(cell))),
        (UnaryOp::Get | UnaryOp::Acquire | UnaryOp::Release, other) => {
            return Err(Stuck::NotACell { operator: op.symbol(), found: other.kind() });
        }
        (UnaryOp::Do, _) => return Ok(Unary::Effect(Effect::Do(operand))),
    };
    Ok(Unary::Value(value))
}

fn integer(value: Value, what: Role) -> Result<i64, Stuck> {
    match value {
        Value::Int(value) => Ok(value),
        other => Err(Stuck::NotAnInteger { what, found: other.kind() }),
    }
}

fn binary(op: BinaryOp, left: Value, right: Value) -> Result<Value, Stuck> {
    let result = match op {
        BinaryOp::Equal => i64::from(equal(left, right)?),
        BinaryOp::Unequal => i64::from(!equal(left, right)?),
        _ => {
            let left = integer(left, Role::Left(op.symbol()))?;
            arithmetic::binary(op, left, integer(right, Role::Right(op.symbol()))?)?
        }
    };
    Ok(Value::Int(result))
}

/// Compares integers by value and cells by identity; neither equals any other kind. Functions, arrays and pairs can't be compared.
fn equal(left: Value, right: Value) -> Result<bool, Stuck> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => Ok(left == right),
        (Value::Own(left), Value::Own(right)) | (Value::Shared(left), Value::Shared(right)) => {
            Ok(left == right)
        }
        _ => match (left.kind(), right.kind()) {
            (Kind::Integer | Kind::Cell, _) | (_, Kind::Integer | Kind::Cell) => Ok(false),
            (left, right) => Err(Stuck::NotComparable(left, right)),
        },
    }
}

/// The array and the index of an access.
fn element(array: Value, index: Value) -> Result<(usize, u64), Stuck> {
    let Value::Array(array) = array else {
        return Err(Stuck::NotAnArray(array.kind()));
    };
    let index = integer(index, Role::Index)?;
    Ok((array, u64::try_from(index).ok().ok_or(Stuck::NegativeIndex(index))?))
}
