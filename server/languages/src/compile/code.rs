//! Bytecode: operations on a window of registers, each with the reductions that it stands for.

use std::sync::Arc;

use super::names::Names;
use crate::core::{BinaryOp, ExprId, Module};
use crate::vm::value::Value;

/// A register of the current function.
pub(crate) type Reg = u8;
/// An index into [`Code::ops`].
pub(crate) type Pc = u32;

/// One operation.
///
/// `cost` is the number of reductions that an operation stands for. The last of them are its own; their number is given for each
/// operation. Those before them are reductions that only bind a name or drop a value (`let`, `;`, the first applications of a function
/// with several arguments, the unrolling of a `rec`) and can't fail. `d` is the register of the result, `to` the target of a jump or call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    /// Ends the thread with the value of register 0. Own: none.
    End { cost: u8 },
    /// Only pays for reductions. Own: none.
    Tick { cost: u8 },
    /// Own: none.
    Jump { cost: u8, to: Pc },
    /// An unbound name. Own: one, which is never made.
    Unbound { cost: u8 },

    /// Own: none.
    Move { cost: u8, d: Reg, s: Reg },
    /// Own: none.
    Int { cost: u8, d: Reg, v: i32 },
    /// Loads one of [`Code::consts`]. Own: none, or one for an array.
    Const { cost: u8, d: Reg, k: u32 },
    /// Loads the captured value `i` of the closure in `s`. Own: none.
    Captured { cost: u8, d: Reg, s: Reg, i: u32 },
    /// Creates a closure of a function. Own: none.
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

    /// Jumps if the condition does not hold. Own: two, the comparison and the `if`.
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
    /// Jumps if the register is zero. Own: one.
    UnlessTrue { cost: u8, a: Reg, to: Pc },

    /// Returns a value from the current function. Own: none.
    Return { cost: u8, s: Reg },
    /// Own: one.
    AddReturn { cost: u8, a: Reg, b: Reg },
    /// Returns from code that was only moved out of the function: not the end of a call. Own: none.
    ReturnInner { cost: u8, s: Reg },

    /// Calls the code at `to`. Its window begins at `h`: its arguments, then its closure if it needs it. Own: one.
    Call { cost: u8, h: Reg, to: Pc },
    /// Own: two, a subtraction for the only argument, and the call.
    CallSubInt { cost: u8, h: Reg, a: Reg, v: i32, to: Pc },
    /// Jumps to code that was only moved out of the function. Own: none.
    CallInner { cost: u8, h: Reg, to: Pc },
    /// Tail call: moves `n` registers from `h` to the beginning of the window. Own: one.
    TailCall { cost: u8, h: Reg, n: u8, to: Pc },
    /// As above, with one register. Own: one.
    TailCall1 { cost: u8, h: Reg, to: Pc },
    /// As above, with two. Own: one.
    TailCall2 { cost: u8, h: Reg, to: Pc },
    /// As above, with three. Own: one.
    TailCall3 { cost: u8, h: Reg, to: Pc },
    /// Like `CallInner`, in tail position: moves `n` registers. Own: none.
    TailInner { cost: u8, h: Reg, n: u8, to: Pc },
    /// Applies `h` to `h + 1`. Own: one.
    Apply { cost: u8, h: Reg },
    /// Like `Apply`, in tail position. Own: one.
    TailApply { cost: u8, h: Reg },
    /// Applies `h` to `h + 1`, with a second argument to follow. If the function takes two or more arguments, it
    /// calls nothing and skips the next operation, which is an `Applied`. Own: one.
    ApplyFirst { cost: u8, h: Reg },
    /// Records in `h + 1` that `ApplyFirst` made a call. Own: none.
    Applied { h: Reg },
    /// Applies the result of `ApplyFirst` to `h + 2`. Own: one.
    ApplySecond { cost: u8, h: Reg },
    /// Like `ApplySecond`, in tail position. Own: one.
    TailApplySecond { cost: u8, h: Reg },
    /// Applies the closure in `h + n` to its first `n` arguments, in `h` and following, which are fewer than it
    /// takes; result in `h`. Own: one.
    Partial { cost: u8, h: Reg, n: u8 },

    /// Own: none.
    Pair { cost: u8, d: Reg, a: Reg, b: Reg },
    /// Appends `h + 2` to a list that begins in `h` and whose last pair is in `h + 1`; an integer there means that
    /// there is no pair yet. Own: none.
    Append { cost: u8, h: Reg },
    /// Sets the right half of the last pair, in `h + 1`, to `h + 2`. Own: none.
    Close { cost: u8, h: Reg },
    /// Loads the halves of a pair into `d` and `d + 1`; jumps if the value is not a pair. Own: one.
    Split { cost: u8, d: Reg, s: Reg, to: Pc },
    /// Creates an array of `n` registers from `h`. Own: one.
    Array { cost: u8, d: Reg, h: Reg, n: u8 },
    /// Own: one.
    Index { cost: u8, d: Reg, a: Reg, i: Reg },
    /// Own: one.
    IndexInt { cost: u8, d: Reg, a: Reg, v: i32 },
    /// `h[h + 1 := h + 2]`. Own: one.
    Update { cost: u8, h: Reg },
    /// Writes the next element of a long literal, `h + 1`, at index `v`. Own: none.
    Fill { cost: u8, h: Reg, v: u32 },
    /// Completes a long literal of `n` elements. Own: one.
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
    /// Spawns a thread that runs the code at `to`, with its parent's pid if `told`, and with the closure in `s` if
    /// the code needs one. Own: one, an effect.
    Spawn { cost: u8, d: Reg, s: Reg, told: bool, to: Pc },
}

/// A function `fn a => fn b => … body`, or code without arguments (a `rec` that is no function, a spawned expression).
#[derive(Clone, Debug)]
pub(crate) struct Proto {
    /// The first operation.
    pub(crate) entry: Pc,
    /// The number of arguments that the function takes before its body runs.
    pub(crate) arity: u8,
    /// Whether the window contains the closure, after the arguments.
    pub(crate) closed: bool,
    /// The sources of a new closure's words in the surrounding function.
    pub(crate) captures: Vec<Capture>,
}

/// The source of a word of a new closure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Capture {
    /// A register.
    Reg(Reg),
    /// A word of the closure in a register.
    Captured(Reg, u32),
}

/// Metadata of an operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Detail {
    /// The expressions to blame if one of the operation's own reductions fails: for the first one, and for the last one.
    pub(crate) exprs: [ExprId; 2],
    /// The number of registers in use before the operation.
    pub(crate) height: u8,
}

/// A compiled program.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    pub(crate) details: Vec<Detail>,
    pub(crate) protos: Vec<Proto>,
    pub(crate) consts: Vec<Value>,
    /// The initial words of every heap of the program.
    pub(crate) statics: Vec<Value>,
    pub(crate) entry: Pc,
    pub(crate) module: Arc<Module>,
    /// The names in scope, for diagnostics.
    pub(crate) names: Names,
}

/// The index of [`Op::End`].
pub(crate) const END: Pc = 0;
