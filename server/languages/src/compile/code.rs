//! The bytecode: operations on a window of registers, each with the reductions that it stands for.

use std::sync::Arc;

use super::names::Names;
use crate::core::{BinaryOp, ExprId, Module};
use crate::vm::value::Value;

/// A register of the function that runs.
pub(crate) type Reg = u8;
/// An index into [`Code::ops`].
pub(crate) type Pc = u32;

/// One operation.
///
/// `cost` is the number of reductions that it stands for. The last of them are its own, as said beside each; those before them are
/// reductions that only bind a name or drop a value (`let`, `;`, the first applications of a function with several arguments, the
/// unrolling of a `rec`) and can't fail. `d` is where the result goes, `to` where the program goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    /// The thread's program is the value of register 0. Its own: none.
    End { cost: u8 },
    /// Own: none.
    Tick { cost: u8 },
    /// Own: none.
    Jump { cost: u8, to: Pc },
    /// A name that nothing binds. Own: one, which is never made.
    Unbound { cost: u8 },

    /// Own: none.
    Move { cost: u8, d: Reg, s: Reg },
    /// Own: none.
    Int { cost: u8, d: Reg, v: i32 },
    /// One of [`Code::consts`]. Own: none, or one for an array.
    Const { cost: u8, d: Reg, k: u32 },
    /// What the closure in `s` holds at `i`. Own: none.
    Captured { cost: u8, d: Reg, s: Reg, i: u32 },
    /// A closure of a function. Own: none.
    Closure { cost: u8, d: Reg, proto: u32 },

    /// Own: one.
    Add { cost: u8, d: Reg, a: Reg, b: Reg },
    /// Own: one.
    AddInt { cost: u8, d: Reg, a: Reg, v: i32 },
    /// Own: one.
    Sub { cost: u8, d: Reg, a: Reg, b: Reg },
    /// Own: one.
    SubInt { cost: u8, d: Reg, a: Reg, v: i32 },
    /// Own: one.
    Mul { cost: u8, d: Reg, a: Reg, b: Reg },
    /// Own: one.
    MulInt { cost: u8, d: Reg, a: Reg, v: i32 },
    /// Any other operator. Own: one.
    Binary { cost: u8, op: BinaryOp, d: Reg, a: Reg, b: Reg },
    /// Own: one.
    BinaryInt { cost: u8, op: BinaryOp, d: Reg, a: Reg, v: i32 },
    /// Own: one.
    Negate { cost: u8, d: Reg, s: Reg },
    /// Own: one.
    TypeOf { cost: u8, d: Reg, s: Reg },
    /// Own: one.
    Random { cost: u8, d: Reg, s: Reg },

    /// Jumps when the condition does not hold. Own: two, the comparison and the `if`.
    UnlessLess { cost: u8, a: Reg, b: Reg, to: Pc },
    /// As above.
    UnlessLessEqual { cost: u8, a: Reg, b: Reg, to: Pc },
    /// As above.
    UnlessGreater { cost: u8, a: Reg, b: Reg, to: Pc },
    /// As above.
    UnlessGreaterEqual { cost: u8, a: Reg, b: Reg, to: Pc },
    /// As above.
    UnlessEqual { cost: u8, a: Reg, b: Reg, to: Pc },
    /// As above.
    UnlessUnequal { cost: u8, a: Reg, b: Reg, to: Pc },
    /// As above.
    UnlessLessInt { cost: u8, a: Reg, v: i32, to: Pc },
    /// As above.
    UnlessLessEqualInt { cost: u8, a: Reg, v: i32, to: Pc },
    /// As above.
    UnlessGreaterInt { cost: u8, a: Reg, v: i32, to: Pc },
    /// As above.
    UnlessGreaterEqualInt { cost: u8, a: Reg, v: i32, to: Pc },
    /// As above.
    UnlessEqualInt { cost: u8, a: Reg, v: i32, to: Pc },
    /// As above.
    UnlessUnequalInt { cost: u8, a: Reg, v: i32, to: Pc },
    /// Jumps when the register is zero. Own: one.
    UnlessTrue { cost: u8, a: Reg, to: Pc },

    /// The value of the function that runs. Own: none.
    Return { cost: u8, s: Reg },
    /// Own: one.
    AddReturn { cost: u8, a: Reg, b: Reg },
    /// From code that was only moved out of the function: not the end of a call. Own: none.
    ReturnInner { cost: u8, s: Reg },

    /// Calls the code at `to`, whose window begins at `h`: its arguments, then its closure if it looks at it. Own: one.
    Call { cost: u8, h: Reg, to: Pc },
    /// Own: two, a subtraction for the only argument, and the call.
    CallSubInt { cost: u8, h: Reg, a: Reg, v: i32, to: Pc },
    /// Goes to code that was only moved out of the function. Own: none.
    CallInner { cost: u8, h: Reg, to: Pc },
    /// The last thing that a function does: moves `n` registers from `h` to the beginning of the window. Own: one.
    TailCall { cost: u8, h: Reg, n: u8, to: Pc },
    /// As above, with one register. Own: one.
    TailCall1 { cost: u8, h: Reg, to: Pc },
    /// As above, with two. Own: one.
    TailCall2 { cost: u8, h: Reg, to: Pc },
    /// As above, with three. Own: one.
    TailCall3 { cost: u8, h: Reg, to: Pc },
    /// As `CallInner`, as the last thing: moves `n` registers. Own: none.
    TailInner { cost: u8, h: Reg, n: u8, to: Pc },
    /// Applies `h` to `h + 1`. Own: one.
    Apply { cost: u8, h: Reg },
    /// As above, as the last thing. Own: one.
    TailApply { cost: u8, h: Reg },
    /// Applies `h` to `h + 1` with a second argument to come: only looks, when the function takes two or more, and skips the next
    /// operation, which is an `Applied`. Own: one.
    ApplyFirst { cost: u8, h: Reg },
    /// After `ApplyFirst` made a call: notes so in `h + 1`. Own: none.
    Applied { h: Reg },
    /// Applies what `ApplyFirst` left to `h + 2`. Own: one.
    ApplySecond { cost: u8, h: Reg },
    /// As above, as the last thing. Own: one.
    TailApplySecond { cost: u8, h: Reg },
    /// The closure in `h + n` with its first `n` arguments, in `h` and following, fewer than it takes; to `h`. Own: one.
    Partial { cost: u8, h: Reg, n: u8 },

    /// Own: none.
    Pair { cost: u8, d: Reg, a: Reg, b: Reg },
    /// Adds `h + 2` to a list that begins in `h` and whose last pair is in `h + 1`; there is none yet when that is an integer. Own: none.
    Append { cost: u8, h: Reg },
    /// Lets the right half of the last pair in `h + 1` be `h + 2`. Own: none.
    Close { cost: u8, h: Reg },
    /// The halves of a pair, to `d` and `d + 1`; jumps when it is none. Own: one.
    Split { cost: u8, d: Reg, s: Reg, to: Pc },
    /// The array of `n` registers from `h`. Own: one.
    Array { cost: u8, d: Reg, h: Reg, n: u8 },
    /// Own: one.
    Index { cost: u8, d: Reg, a: Reg, i: Reg },
    /// Own: one.
    IndexInt { cost: u8, d: Reg, a: Reg, v: i32 },
    /// `h[h + 1 := h + 2]`. Own: one.
    Update { cost: u8, h: Reg },
    /// Writes the next element of a long literal, `h + 1`, at `v`. Own: none.
    Fill { cost: u8, h: Reg, v: u32 },
    /// A long literal of `n` elements is complete. Own: one.
    Filled { cost: u8, n: u32 },

    /// Own: one.
    NewOwn { cost: u8, d: Reg, s: Reg },
    /// Own: one.
    NewShared { cost: u8, d: Reg, s: Reg },
    /// Own: one; an effect when the cell is shared.
    Get { cost: u8, d: Reg, s: Reg },
    /// Own: one; an effect when the cell is shared.
    Assign { cost: u8, d: Reg, a: Reg, b: Reg },
    /// Own: one; an effect when the cell is shared.
    Acquire { cost: u8, d: Reg, s: Reg },
    /// Own: one; an effect when the cell is shared.
    Release { cost: u8, d: Reg, s: Reg },
    /// Own: one, an effect.
    Do { cost: u8, d: Reg, s: Reg },
    /// A thread that runs the code at `to`, with its parent's pid if it is told that, and the closure in `s` if it looks at one. Own: one,
    /// an effect.
    Spawn { cost: u8, d: Reg, s: Reg, told: bool, to: Pc },
}

/// A function: `fn a => fn b => … body`, or code that takes nothing (a `rec` that is no function, a spawned expression).
#[derive(Clone, Debug)]
pub(crate) struct Proto {
    /// Its first operation.
    pub(crate) entry: Pc,
    /// The arguments that it takes before it does anything.
    pub(crate) arity: u8,
    /// Whether its window holds its closure, after the arguments.
    pub(crate) closed: bool,
    /// Where the words of a new closure are found in the function around it.
    pub(crate) captures: Vec<Capture>,
}

/// Where a closure finds one of its words when it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Capture {
    /// In a register.
    Reg(Reg),
    /// In the closure that is in a register.
    Captured(Reg, u32),
}

/// What is known of an operation besides itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Detail {
    /// The expressions at fault when one of its own reductions can't be made: the first, the last.
    pub(crate) exprs: [ExprId; 2],
    /// The registers that are in use before it, from 0.
    pub(crate) height: u8,
}

/// A compiled program.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    pub(crate) details: Vec<Detail>,
    pub(crate) protos: Vec<Proto>,
    pub(crate) consts: Vec<Value>,
    /// The words that every heap of the program begins with.
    pub(crate) statics: Vec<Value>,
    pub(crate) entry: Pc,
    pub(crate) module: Arc<Module>,
    /// For people who ask.
    pub(crate) names: Names,
}

/// Where [`Op::End`] is.
pub(crate) const END: Pc = 0;
