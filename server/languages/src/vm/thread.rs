//! A thread of the compiled engine.

use super::value::{Ref, Value};
use crate::arithmetic::Chance;
use crate::compile::code::{Code, END, Pc};
use crate::world::Pid;

/// The registers that an operation can name.
pub(crate) const WINDOW: usize = 256;

/// The registers of the function that runs.
pub(crate) type Window = [Value; WINDOW];

#[inline(always)]
pub(crate) fn window(stack: &mut [Value], base: usize) -> &mut Window {
    match stack.get_mut(base..).and_then(|stack| stack.first_chunk_mut()) {
        Some(window) => window,
        None => unreachable!("a window lies on the stack"),
    }
}

/// The window of a call; the stack grows to hold it.
#[inline(always)]
pub(crate) fn enter(stack: &mut Vec<Value>, base: usize) -> &mut Window {
    if stack.len() < base + WINDOW {
        grow(stack, base);
    }
    window(stack, base)
}

#[cold]
fn grow(stack: &mut Vec<Value>, base: usize) {
    stack.resize(2 * base + WINDOW, Value::Int(0));
}

/// Where a call that is under way goes on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) pc: Pc,
    pub(crate) base: u32,
}

/// What a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waits {
    No,
    World,
    /// For the lock of the shared cell that its operation names; the tickets say who came first.
    Lock {
        ticket: u64,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Thread {
    pub(crate) pid: Pid,
    pub(crate) team: usize,
    /// The windows of the calls that are under way, one reaching into the next. While it runs, at least [`WINDOW`] values long from
    /// `base` on; otherwise the part in use is enough.
    pub(crate) stack: Vec<Value>,
    pub(crate) frames: Vec<Frame>,
    /// How many frames of more than the calls that are under way there are: one below all, and code that was moved out of functions.
    pub(crate) extra_frames: usize,
    pub(crate) pc: Pc,
    pub(crate) base: usize,
    /// The cycle of its next reduction.
    pub(crate) clock: u64,
    /// It rests in the cycles before this one, if that is still to come: nothing that it has is run ahead.
    pub(crate) from: u64,
    /// The cycles up to `clock` in which it made no reduction.
    pub(crate) idle: u64,
    pub(crate) waits: Waits,
    /// The shared cells whose locks it holds.
    pub(crate) held: Vec<Ref>,
    /// The words that it has made since its team was last counted.
    pub(crate) made: u64,
    /// Of these, those that it had made by its last effect.
    pub(crate) shown: u64,
    pub(crate) chance: Chance,
}

impl Thread {
    /// A thread that begins with the code at `pc` in cycle `clock`; the code looks at what is on the stack.
    pub(crate) fn new(pid: Pid, team: usize, pc: Pc, stack: Vec<Value>, clock: u64, chance: Chance) -> Self {
        Thread {
            pid,
            team,
            stack,
            frames: vec![Frame { pc: END, base: 0 }],
            extra_frames: 1,
            pc,
            base: 0,
            clock,
            from: clock,
            idle: clock,
            waits: Waits::No,
            held: Vec::new(),
            made: 0,
            shown: 0,
            chance,
        }
    }

    /// The part of the stack that is in use: everything below the registers that its operation finds in use.
    pub(crate) fn used(&self, code: &Code) -> usize {
        self.base + code.details[self.pc as usize].height as usize
    }

    /// Forgets what of the stack is not in use.
    pub(crate) fn shrink(&mut self, used: usize) {
        self.stack.truncate(used.max(1));
    }

    /// A register of the function that runs.
    pub(crate) fn register(&mut self, register: u8) -> &mut Value {
        let at = self.base + register as usize;
        if at >= self.stack.len() {
            self.stack.resize(at + 1, Value::Int(0));
        }
        &mut self.stack[at]
    }

    /// The operation that it is at has this value; the next one is made in cycle `clock`.
    pub(crate) fn go_on(&mut self, d: u8, value: Value, clock: u64) {
        *self.register(d) = value;
        self.pc += 1;
        self.waits = Waits::No;
        self.idle += clock - (self.clock + 1);
        self.clock = clock;
        self.from = clock;
    }

    /// The reductions that it has made up to the end of `cycle`.
    pub(crate) fn steps(&self, cycle: u64) -> u64 {
        // A thread that has run ahead has made those only that its cycles allow; one that waits has made the one that it waits in.
        let next = match self.waits {
            Waits::No => self.clock.min(self.from.max(cycle + 1)),
            Waits::World | Waits::Lock { .. } => self.clock + 1,
        };
        next - self.idle
    }
}
