//! Operators on values of any kind, and their failures.

use super::heap::Heap;
use super::value::Value;
use crate::arithmetic;
use crate::compile::code::Code;
use crate::core::{BinaryOp, ExprId, UnaryOp};
use crate::world::{Kind, Role, Stuck};

/// The expression that can't be reduced: of an operation's own reductions the first (0) or the last (1).
#[cold]
#[inline(never)]
pub(super) fn fault_at(code: &Code, pc: usize, which: usize) -> ExprId {
    code.details[pc].exprs[which]
}

/// A binary operator on values of any kind.
pub(crate) fn binary(op: BinaryOp, left: Value, right: Value) -> Result<i64, Stuck> {
    if let (Value::Int(left), Value::Int(right)) = (left, right) {
        return arithmetic::binary(op, left, right);
    }
    match op {
        BinaryOp::Equal => equal(left, right).map(i64::from),
        BinaryOp::Unequal => equal(left, right).map(|equal| i64::from(!equal)),
        _ => Err(fault(op, left, right)),
    }
}

pub(super) fn equal(left: Value, right: Value) -> Result<bool, Stuck> {
    match (left.kind(), right.kind()) {
        (Kind::Integer | Kind::Cell, _) | (_, Kind::Integer | Kind::Cell) => Ok(left == right),
        (left, right) => Err(Stuck::NotComparable(left, right)),
    }
}

/// The reason why an operator has no result.
#[cold]
pub(super) fn fault(op: BinaryOp, left: Value, right: Value) -> Stuck {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => match arithmetic::binary(op, left, right) {
            Err(reason) => reason,
            Ok(_) => unreachable!("`{}` has a value", op.symbol()),
        },
        (Value::Int(_), other) => Stuck::NotAnInteger { what: Role::Right(op.symbol()), found: other.kind() },
        (other, _) => Stuck::NotAnInteger { what: Role::Left(op.symbol()), found: other.kind() },
    }
}

#[cold]
pub(super) fn operand_fault(op: UnaryOp, operand: Value) -> Stuck {
    Stuck::NotAnInteger { what: Role::Operand(op.symbol()), found: operand.kind() }
}

#[cold]
pub(super) fn index_fault(array: Value, index: Value) -> Stuck {
    match (array, index) {
        (Value::Array(_), Value::Int(index)) => Stuck::NegativeIndex(index),
        (Value::Array(_), other) => Stuck::NotAnInteger { what: Role::Index, found: other.kind() },
        (other, _) => Stuck::NotAnArray(other.kind()),
    }
}

#[cold]
pub(super) fn cell_fault(operator: &'static str, value: Value, heap: &Heap) -> Stuck {
    match value {
        Value::Own(cell) => Stuck::ForeignCell(crate::world::Pid(heap.header(cell).info())),
        other => Stuck::NotACell { operator, found: other.kind() },
    }
}
