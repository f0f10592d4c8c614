//! Compilation of expressions other than functions and applications.

use super::code::{Op, Reg};
use super::scope::{Binding, BindingForm, ValueLocation};
use super::{Compiler, HIGH};
use crate::core::{BinaryOp, Expr, ExprId, NameId, UnaryOp};
use crate::vm::value::Value;

impl Compiler {
    /// Emits code that puts an expression's value into the next free register.
    pub(super) fn value(&mut self, expr: ExprId) {
        let (height, mark) = (self.function.height, self.function.mark());
        let module = self.module.clone();
        let mut expr = expr;
        // The jumps from the branches of a chain of `if`s to its end.
        let mut ends = Vec::new();
        loop {
            if self.function.height as usize > HIGH
                && !matches!(module.expr(expr), Expr::Int(_) | Expr::Name(_))
            {
                self.inner(expr, false);
                break;
            }
            let next = self.follow(expr, |compiler, yes| {
                compiler.value(yes);
                compiler.move_to(height, yes);
                compiler.function.height = height;
                ends.push(compiler.emit_with_top(0, |cost| Op::Jump { cost, to: 0 }, [yes; 2]));
            });
            let Some(next) = next else {
                self.simple(expr);
                break;
            };
            expr = next;
        }
        self.move_to(height, expr);
        self.function.unbind(mark);
        if !ends.is_empty() {
            // The value is already in its register, and the registers above are free.
            self.function.height = height + 1;
            self.settle(expr);
        }
        for end in ends {
            self.land(end);
        }
        self.function.height = height;
    }

    /// Emits a move of the value in the next free register down to `d`.
    fn move_to(&mut self, d: Reg, at: ExprId) {
        let s = self.top();
        if s != d {
            self.emit_with_top(0, |cost| Op::Move { cost, d, s }, [at; 2]);
        }
    }

    /// Emits code that ends the function with an expression's value.
    pub(super) fn tail(&mut self, expr: ExprId) {
        let module = self.module.clone();
        let (height, mark) = (self.function.height, self.function.mark());
        let mut expr = expr;
        loop {
            if self.function.height as usize > HIGH
                && !matches!(module.expr(expr), Expr::Int(_) | Expr::Name(_))
            {
                self.inner(expr, true);
                break;
            }
            if let Some(next) = self.follow(expr, Self::tail) {
                expr = next;
                continue;
            }
            match module.expr(expr) {
                Expr::Apply { .. } => match self.bind_in_place(expr) {
                    Some(body) => expr = body,
                    None => {
                        self.apply(expr, true);
                        break;
                    }
                },
                Expr::Rec { .. } if self.rec_is_run(expr) => {
                    self.run_rec(expr, true);
                    break;
                }
                Expr::Name(name) if self.name_is_run(*name) => {
                    self.run_name(*name, expr, true);
                    break;
                }
                Expr::Binary { op: BinaryOp::Add, left, right } if self.small(*right).is_none() => {
                    let a = self.operand(*left);
                    let b = self.operand(*right);
                    self.emit_with(1, |cost| Op::AddReturn { cost, a, b }, [expr; 2]);
                    break;
                }
                _ => {
                    let s = self.operand(expr);
                    self.emit_with(0, |cost| Op::Return { cost, s }, [expr; 2]);
                    break;
                }
            }
        }
        self.function.height = height;
        self.function.unbind(mark);
    }

    /// Emits code for the first parts of a `let`, a `;`, an `if` or a `split`. `branch` emits the code of a branch.
    /// Returns the last part.
    fn follow(&mut self, expr: ExprId, branch: impl FnOnce(&mut Self, ExprId)) -> Option<ExprId> {
        let (height, mark) = (self.function.height, self.function.mark());
        let module = self.module.clone();
        let (jump, yes, no) = match module.expr(expr) {
            Expr::Let { name, value, body } => {
                self.bind(*name, *value);
                return Some(*body);
            }
            Expr::Then { first, second } => {
                self.discard(*first);
                return Some(*second);
            }
            Expr::If { condition, yes, no } => (self.condition(*condition, expr), *yes, *no),
            Expr::Split { value, left, right, yes, no } => {
                (self.split(*value, [*left, *right], expr), *yes, *no)
            }
            _ => return None,
        };
        branch(self, yes);
        self.function.height = height;
        self.function.unbind(mark);
        self.land(jump);
        Some(no)
    }

    /// Compiles the binding of `let name = value in`.
    fn bind(&mut self, name: NameId, value: ExprId) {
        let binding = self.binding(value);
        self.function.bind(name, binding);
    }

    /// The binding of a name to a value; costs the reduction that binds it.
    pub(super) fn binding(&mut self, value: ExprId) -> Binding {
        let module = self.module.clone();
        let binding = match module.expr(value) {
            Expr::Int(value) => {
                Binding { at: ValueLocation::Const(Value::Int(*value)), known: None, how: BindingForm::Value }
            }
            Expr::Name(other) => match self.function.lookup(*other) {
                Some(binding) if binding.how != BindingForm::RecOther => {
                    if binding.how == BindingForm::RecFn {
                        self.tick();
                    }
                    Binding { how: BindingForm::Value, ..binding }
                }
                _ => self.bind_computed(value),
            },
            Expr::Fn { .. } => self.bind_function(value),
            Expr::Rec { .. } if !self.rec_is_run(value) => self.bind_function(value),
            Expr::Pair { .. } => match self.known_constant(value) {
                Some(pair) => {
                    Binding { at: ValueLocation::Const(pair), known: None, how: BindingForm::Value }
                }
                None => self.bind_computed(value),
            },
            _ => self.bind_computed(value),
        };
        self.tick();
        binding
    }

    fn bind_computed(&mut self, value: ExprId) -> Binding {
        self.value(value);
        Binding { at: ValueLocation::Reg(self.push()), known: None, how: BindingForm::Value }
    }

    fn bind_function(&mut self, value: ExprId) -> Binding {
        let closure = self.closure(value);
        let at = match closure.constant {
            Some(value) => ValueLocation::Const(value),
            None => {
                self.make(&closure, value);
                ValueLocation::Reg(self.push())
            }
        };
        Binding { at, known: Some(closure.proto), how: BindingForm::Value }
    }

    /// Compiles `first;`.
    fn discard(&mut self, first: ExprId) {
        let name_of_value =
            |name| matches!(self.function.lookup(name), Some(Binding { how: BindingForm::Value, .. }));
        match self.module.expr(first) {
            Expr::Int(_) => {}
            Expr::Name(name) if name_of_value(*name) => {}
            _ => self.value(first),
        }
        self.tick();
    }

    /// The register of an expression's value: the name's own, or the next free one, which is then in use.
    pub(super) fn operand(&mut self, expr: ExprId) -> Reg {
        if let Expr::Name(name) = self.module.expr(expr)
            && let Some(Binding { at: ValueLocation::Reg(reg), how: BindingForm::Value, .. }) =
                self.function.lookup(*name)
        {
            return reg;
        }
        self.value(expr);
        self.push()
    }

    /// The value of a constant that fits into an operation.
    pub(super) fn small(&self, expr: ExprId) -> Option<i32> {
        match self.module.expr(expr) {
            Expr::Int(value) => i32::try_from(*value).ok(),
            Expr::Name(name) => match self.function.lookup(*name)? {
                Binding { at: ValueLocation::Const(Value::Int(value)), how: BindingForm::Value, .. } => {
                    i32::try_from(value).ok()
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Emits code that binds names to the halves of a pair. Returns the operation that jumps if the value is not a pair.
    fn split(&mut self, value: ExprId, names: [NameId; 2], whole: ExprId) -> usize {
        let d = self.top();
        let s = self.operand(value);
        let branch = self.emit_with(1, |cost| Op::Split { cost, d, s, to: 0 }, [whole; 2]);
        self.function.height = d;
        for name in names {
            let at = ValueLocation::Reg(self.push());
            self.function.bind(name, Binding { at, known: None, how: BindingForm::Value });
        }
        branch
    }

    /// Emits code for an `if`'s condition. Returns the operation that jumps if it does not hold.
    fn condition(&mut self, condition: ExprId, whole: ExprId) -> usize {
        let height = self.function.height;
        let module = self.module.clone();
        let exprs = [condition, whole];
        let branch = match module.expr(condition) {
            Expr::Binary { op, left, right } if is_comparison(*op) => {
                let a = self.operand(*left);
                if let Some(v) = self.small(*right) {
                    self.emit_with(2, |cost| unless_int(*op, cost, a, v), exprs)
                } else {
                    let b = self.operand(*right);
                    self.emit_with(2, |cost| unless(*op, cost, a, b), exprs)
                }
            }
            _ => {
                let a = self.operand(condition);
                self.emit_with(1, |cost| Op::UnlessTrue { cost, a, to: 0 }, [whole; 2])
            }
        };
        self.function.height = height;
        branch
    }

    /// Emits code for any expression except `let`, `;`, `if` and `split`, with the value in the next free register.
    fn simple(&mut self, expr: ExprId) {
        let d = self.top();
        let module = self.module.clone();
        match module.expr(expr) {
            Expr::Let { .. } | Expr::Then { .. } | Expr::If { .. } | Expr::Split { .. } => {
                unreachable!("followed in a loop")
            }
            Expr::Int(value) => self.constant(Value::Int(*value), expr),
            Expr::Name(name) => self.name(*name, expr),
            Expr::Fn { .. } => {
                let closure = self.closure(expr);
                self.make(&closure, expr);
            }
            Expr::Rec { .. } => {
                if self.rec_is_run(expr) {
                    self.run_rec(expr, false);
                } else {
                    let closure = self.closure(expr);
                    self.make(&closure, expr);
                }
            }
            Expr::Apply { .. } => self.apply(expr, false),
            Expr::Binary { op, left, right } => {
                let a = self.operand(*left);
                if let Some(v) = self.small(*right) {
                    self.emit_with(1, |cost| binary_int(*op, cost, d, a, v), [expr; 2]);
                } else {
                    let b = self.operand(*right);
                    self.emit_with(1, |cost| binary(*op, cost, d, a, b), [expr; 2]);
                }
            }
            Expr::Unary { op, operand } => {
                let s = self.operand(*operand);
                let op = |cost| match op {
                    UnaryOp::Negate => Op::Negate { cost, d, s },
                    UnaryOp::TypeOf => Op::TypeOf { cost, d, s },
                    UnaryOp::Random => Op::Random { cost, d, s },
                    UnaryOp::NewOwn => Op::NewOwn { cost, d, s },
                    UnaryOp::NewShared => Op::NewShared { cost, d, s },
                    UnaryOp::Get => Op::Get { cost, d, s },
                    UnaryOp::Acquire => Op::Acquire { cost, d, s },
                    UnaryOp::Release => Op::Release { cost, d, s },
                    UnaryOp::Do => Op::Do { cost, d, s },
                };
                self.emit_with(1, op, [expr; 2]);
            }
            Expr::Pair { .. } => match self.known_constant(expr) {
                Some(pair) => self.constant(pair, expr),
                None => self.pairs(expr),
            },
            Expr::Array(elements) => self.literal(elements, expr),
            Expr::Index { array, index } => {
                let a = self.operand(*array);
                if let Some(v) = self.small(*index) {
                    self.emit_with(1, |cost| Op::IndexInt { cost, d, a, v }, [expr; 2]);
                } else {
                    let i = self.operand(*index);
                    self.emit_with(1, |cost| Op::Index { cost, d, a, i }, [expr; 2]);
                }
            }
            Expr::Update { array, index, value } => {
                for operand in [array, index, value] {
                    self.value(*operand);
                    self.push();
                }
                self.emit_with(1, |cost| Op::Update { cost, h: d }, [expr; 2]);
            }
            Expr::Assign { cell, value } => {
                let a = self.operand(*cell);
                let b = self.operand(*value);
                self.emit_with(1, |cost| Op::Assign { cost, d, a, b }, [expr; 2]);
            }
            Expr::Spawn { body, parent } => self.spawn(*body, *parent, expr),
        }
        self.function.height = d;
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    !matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod)
}

fn binary(op: BinaryOp, cost: u8, d: Reg, a: Reg, b: Reg) -> Op {
    match op {
        BinaryOp::Add => Op::Add { cost, d, a, b },
        BinaryOp::Sub => Op::Sub { cost, d, a, b },
        BinaryOp::Mul => Op::Mul { cost, d, a, b },
        _ => Op::Binary { cost, op, d, a, b },
    }
}

fn binary_int(op: BinaryOp, cost: u8, d: Reg, a: Reg, v: i32) -> Op {
    match op {
        BinaryOp::Add => Op::AddInt { cost, d, a, v },
        BinaryOp::Sub => Op::SubInt { cost, d, a, v },
        BinaryOp::Mul => Op::MulInt { cost, d, a, v },
        _ => Op::BinaryInt { cost, op, d, a, v },
    }
}

fn unless(op: BinaryOp, cost: u8, a: Reg, b: Reg) -> Op {
    let to = 0;
    match op {
        BinaryOp::Less => Op::UnlessLess { cost, a, b, to },
        BinaryOp::LessEqual => Op::UnlessLessEqual { cost, a, b, to },
        BinaryOp::Greater => Op::UnlessGreater { cost, a, b, to },
        BinaryOp::GreaterEqual => Op::UnlessGreaterEqual { cost, a, b, to },
        BinaryOp::Equal => Op::UnlessEqual { cost, a, b, to },
        _ => Op::UnlessUnequal { cost, a, b, to },
    }
}

fn unless_int(op: BinaryOp, cost: u8, a: Reg, v: i32) -> Op {
    let to = 0;
    match op {
        BinaryOp::Less => Op::UnlessLessInt { cost, a, v, to },
        BinaryOp::LessEqual => Op::UnlessLessEqualInt { cost, a, v, to },
        BinaryOp::Greater => Op::UnlessGreaterInt { cost, a, v, to },
        BinaryOp::GreaterEqual => Op::UnlessGreaterEqualInt { cost, a, v, to },
        BinaryOp::Equal => Op::UnlessEqualInt { cost, a, v, to },
        _ => Op::UnlessUnequalInt { cost, a, v, to },
    }
}
