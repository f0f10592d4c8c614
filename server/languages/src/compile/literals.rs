//! Literals: arrays, pairs and lists.

use super::Compiler;
use super::code::{Op, Reg};
use super::scope::{Binding, BindingForm, ValueLocation};
use crate::core::{Expr, ExprId};
use crate::vm::value::Value;
use crate::vm::{array, data};

/// Arrays and lists with more elements than this are built element by element.
const WIDE_LITERAL: usize = 32;

impl Compiler {
    /// The value of a constant expression that costs no reduction.
    pub(super) fn known_constant(&mut self, expr: ExprId) -> Option<Value> {
        match self.module.expr(expr) {
            Expr::Int(value) => Some(Value::Int(*value)),
            Expr::Name(name) => match self.function.lookup(*name)? {
                Binding { at: ValueLocation::Const(value), how: BindingForm::Value, .. } => Some(value),
                _ => None,
            },
            Expr::Pair { .. } => {
                let parts = self.parts(expr);
                let parts: Option<Vec<Value>> =
                    parts.into_iter().rev().map(|part| self.known_constant(part)).collect();
                parts?.into_iter().reduce(|right, left| data::pair(&mut self.statics, left, right))
            }
            _ => None,
        }
    }

    /// The left halves of nested pairs (along the right halves), and the last right half.
    fn parts(&self, mut expr: ExprId) -> Vec<ExprId> {
        let mut parts = Vec::new();
        while let Expr::Pair { left, right } = *self.module.expr(expr) {
            parts.push(left);
            expr = right;
        }
        parts.push(expr);
        parts
    }

    /// Emits code for nested pairs, with the result in the next free register.
    pub(super) fn pairs(&mut self, expr: ExprId) {
        let parts = self.parts(expr);
        if parts.len() > WIDE_LITERAL {
            return self.long_list(&parts, expr);
        }
        let h = self.top();
        let mut registers: Vec<Reg> = parts.iter().map(|&part| self.operand(part)).collect();
        let mut right = registers.pop();
        while let (Some(b), Some(a)) = (right, registers.pop()) {
            let d = if registers.is_empty() { h } else { self.top() };
            if b == self.top() {
                self.emit_with_top(0, |cost| Op::Pair { cost, d, a, b }, [expr; 2]);
            } else {
                self.emit_with(0, |cost| Op::Pair { cost, d, a, b }, [expr; 2]);
            }
            right = Some(d);
        }
    }

    /// Like [`Compiler::pairs`], part by part.
    fn long_list(&mut self, parts: &[ExprId], expr: ExprId) {
        let h = self.top();
        for _ in 0..2 {
            self.constant(Value::Int(0), expr);
            self.push();
        }
        let last = parts.len() - 1;
        for (index, &part) in parts.iter().enumerate() {
            if index == last && *self.module.expr(part) == Expr::Int(0) {
                break;
            }
            self.value(part);
            self.push();
            if index == last {
                self.emit_with(0, |cost| Op::Close { cost, h }, [expr; 2]);
            } else {
                self.emit_with(0, |cost| Op::Append { cost, h }, [expr; 2]);
            }
            self.function.height -= 1;
        }
    }

    /// Emits code for an array's elements, with the result in the next free register.
    pub(super) fn literal(&mut self, elements: &[ExprId], expr: ExprId) {
        let d = self.top();
        let n = elements.len();
        let constants: Option<Vec<Value>> =
            elements.iter().map(|&element| self.known_constant(element)).collect();
        if let Some(constants) = constants {
            let array = array::build(&mut self.statics, &constants);
            self.constant(Value::Array(array), expr);
            self.emit_with_top(1, |cost| Op::Filled { cost, n: n as u32 }, [expr; 2]);
        } else if n <= WIDE_LITERAL {
            for &element in elements {
                self.value(element);
                self.push();
            }
            self.emit_with(1, |cost| Op::Array { cost, d, h: d, n: n as u8 }, [expr; 2]);
        } else {
            let empty = array::build(&mut self.statics, &[]);
            self.constant(Value::Array(empty), expr);
            self.push();
            for (index, &element) in elements.iter().enumerate() {
                self.value(element);
                self.push();
                self.emit_with(0, |cost| Op::Fill { cost, h: d, v: index as u32 }, [expr; 2]);
                self.function.height -= 1;
            }
            self.emit_with(1, |cost| Op::Filled { cost, n: n as u32 }, [expr; 2]);
        }
    }
}
