//! Compiler from the core to bytecode.
//!
//! Every function has a window of registers: its arguments, its closure if it needs it, then the values of its `let`s and
//! intermediate results, as a stack. At any operation exactly the registers below a known height are in use.
//! Integers, and functions that use only constants from around them, are constants themselves and take no register.

mod calls;
pub(crate) mod code;
mod exprs;
mod free;
mod literals;
pub(crate) mod names;
mod scope;

use std::collections::VecDeque;
use std::sync::Arc;

use self::code::{Code, Detail, END, Op, Pc, Proto, Reg};
use self::free::FreeNames;
use self::names::{NOTHING, Names};
use self::scope::{Function, Job};
use crate::core::{ExprId, Module};
use crate::error::LoadError;
use crate::vm::heap::Heap;
use crate::vm::value::Value;

/// The number of registers in use from which on an expression is moved into code of its own.
const HIGH: usize = 200;
/// The most unpaid reductions that one operation pays for, besides its own: both fit into a byte.
const MAX_TICK: u32 = 200;
/// The most captured names, not counting constants, of a function.
const MAX_CAPTURES: usize = 400;
/// The most arguments that a function takes at once; a function with more returns a function that takes the others.
const MAX_ARITY: usize = 16;

/// Compiles a program.
pub(crate) fn compile(module: Arc<Module>) -> Result<Code, LoadError> {
    let root = module.root();
    let mut compiler = Compiler {
        module,
        ops: Vec::new(),
        details: Vec::new(),
        protos: Vec::new(),
        consts: Vec::new(),
        statics: Heap::new(&[]),
        calls: Vec::new(),
        jobs: VecDeque::new(),
        free: FreeNames::default(),
        function: Function::default(),
        names: Names::default(),
        error: None,
    };
    compiler.emit(Op::End { cost: 0 }, root);
    debug_assert_eq!(END, 0);
    let main = compiler.proto(0, false, Vec::new());
    compiler.jobs.push_back(Job {
        proto: main,
        params: Vec::new(),
        body: root,
        scope: Vec::new(),
        inner: false,
        around: NOTHING,
    });
    while let Some(job) = compiler.jobs.pop_front()
        && compiler.error.is_none()
    {
        compiler.function(job);
    }
    if let Some(error) = compiler.error {
        return Err(error);
    }
    for &pc in &compiler.calls {
        compiler.ops[pc].relocate(|proto| compiler.protos[proto as usize].entry);
    }
    Ok(Code {
        entry: compiler.protos[main as usize].entry,
        ops: compiler.ops,
        details: compiler.details,
        protos: compiler.protos,
        consts: compiler.consts,
        statics: compiler.statics.words,
        names: compiler.names,
        module: compiler.module,
    })
}

struct Compiler {
    module: Arc<Module>,
    ops: Vec<Op>,
    details: Vec<Detail>,
    protos: Vec<Proto>,
    consts: Vec<Value>,
    /// A heap with the program's constants.
    statics: Heap,
    /// The operations whose `to` still is a function's number.
    calls: Vec<usize>,
    /// The functions that remain to be compiled.
    jobs: VecDeque<Job>,
    free: FreeNames,
    /// The current function.
    function: Function,
    names: Names,
    error: Option<LoadError>,
}

impl Compiler {
    fn function(&mut self, job: Job) {
        let proto = &mut self.protos[job.proto as usize];
        proto.entry = self.ops.len() as Pc;
        self.function = Function::new(&job, proto.closed, self.names.len());
        self.names.function(job.proto, job.body);
        if job.inner {
            self.value(job.body);
            let s = self.function.height;
            self.emit_with_top(0, |cost| Op::ReturnInner { cost, s }, [job.body; 2]);
        } else {
            self.tail(job.body);
        }
        self.names.extend(std::mem::take(&mut self.function.told));
    }

    fn proto(&mut self, arity: usize, closed: bool, captures: Vec<code::Capture>) -> u32 {
        self.protos.push(Proto { entry: 0, arity: arity as u8, closed, captures });
        (self.protos.len() - 1) as u32
    }

    /// The register of the next value.
    fn top(&self) -> Reg {
        self.function.height
    }

    /// Marks the register of the last value as in use.
    fn push(&mut self) -> Reg {
        self.function.height += 1;
        self.function.height - 1
    }

    /// Records a reduction that can't fail and needs no operation: the next operation pays for it.
    fn tick(&mut self) {
        self.function.pending += 1;
    }

    /// Emits operations for all unpaid reductions, at places that are reached in different ways.
    fn settle(&mut self, at: ExprId) {
        while self.function.pending > 0 {
            let cost = self.function.pending.min(MAX_TICK);
            self.function.pending -= cost;
            self.emit(Op::Tick { cost: cost as u8 }, at);
        }
    }

    /// Emits an operation with `own` reductions of its own, which also pays for the unpaid ones. Returns its index.
    fn emit_with(&mut self, own: u8, op: impl FnOnce(u8) -> Op, exprs: [ExprId; 2]) -> usize {
        if self.function.pending > MAX_TICK {
            self.settle(exprs[0]);
        }
        let cost = self.function.pending as u8 + own;
        self.function.pending = 0;
        self.ops.push(op(cost));
        self.names.push(self.function.innermost);
        self.details.push(Detail { exprs, height: self.function.height });
        self.ops.len() - 1
    }

    /// Like [`Compiler::emit_with`], for an operation that reads the next free register, which therefore counts as in use.
    fn emit_with_top(&mut self, own: u8, op: impl FnOnce(u8) -> Op, exprs: [ExprId; 2]) -> usize {
        self.function.height += 1;
        let pc = self.emit_with(own, op, exprs);
        self.function.height -= 1;
        pc
    }

    /// Emits an operation unchanged.
    fn emit(&mut self, op: Op, at: ExprId) -> usize {
        self.ops.push(op);
        self.names.push(self.function.innermost);
        self.details.push(Detail { exprs: [at; 2], height: self.function.height });
        self.ops.len() - 1
    }

    /// Records that an operation's `to` is a function's number.
    fn leads_to_proto(&mut self, pc: usize) {
        self.calls.push(pc);
    }

    /// Sets the target of the jump at `pc` to the next operation.
    fn land(&mut self, pc: usize) {
        let here = self.ops.len() as Pc;
        self.ops[pc].relocate(|_| here);
    }

    /// Emits code that loads a constant.
    fn constant(&mut self, value: Value, at: ExprId) {
        let d = self.top();
        match value {
            Value::Int(value) if i32::try_from(value).is_ok() => {
                self.emit_with(0, |cost| Op::Int { cost, d, v: value as i32 }, [at; 2]);
            }
            _ => {
                let k = self.consts.len() as u32;
                self.consts.push(value);
                self.emit_with(0, |cost| Op::Const { cost, d, k }, [at; 2]);
            }
        }
    }

    fn too_large(&mut self, at: ExprId, what: &'static str, limit: usize) {
        let place = Box::new(self.module.sources().place(self.module.span(at)));
        self.error.get_or_insert(LoadError::TooLarge { place, what, limit });
    }
}

impl Op {
    /// Changes the target of a jump or a call.
    fn relocate(&mut self, target: impl FnOnce(Pc) -> Pc) {
        match self {
            Op::Jump { to, .. }
            | Op::UnlessLess { to, .. }
            | Op::UnlessLessEqual { to, .. }
            | Op::UnlessGreater { to, .. }
            | Op::UnlessGreaterEqual { to, .. }
            | Op::UnlessEqual { to, .. }
            | Op::UnlessUnequal { to, .. }
            | Op::UnlessLessInt { to, .. }
            | Op::UnlessLessEqualInt { to, .. }
            | Op::UnlessGreaterInt { to, .. }
            | Op::UnlessGreaterEqualInt { to, .. }
            | Op::UnlessEqualInt { to, .. }
            | Op::UnlessUnequalInt { to, .. }
            | Op::UnlessTrue { to, .. }
            | Op::Call { to, .. }
            | Op::CallSubInt { to, .. }
            | Op::CallInner { to, .. }
            | Op::TailCall { to, .. }
            | Op::TailCall1 { to, .. }
            | Op::TailCall2 { to, .. }
            | Op::TailCall3 { to, .. }
            | Op::TailInner { to, .. }
            | Op::Split { to, .. }
            | Op::Spawn { to, .. } => *to = target(*to),
            other => unreachable!("{other:?} leads nowhere"),
        }
    }
}
