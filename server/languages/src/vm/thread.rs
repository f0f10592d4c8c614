//! Thread of the compiled engine.

use super::value::{Ref, Value};
use crate::arithmetic::SplitMix64;
use crate::compile::code::{Code, END, Pc};
use crate::world::{FREE_CALLS, Pid};

/// The number of registers that an operation can address.
pub(crate) const WINDOW: usize = 256;

/// The registers of the current function.
pub(crate) type Window = [Value; WINDOW];

#[inline(always)]
pub(crate) fn window(stack: &mut [Value], base: usize) -> &mut Window {
    match stack.get_mut(base..).and_then(|stack| stack.first_chunk_mut()) {
        Some(window) => window,
        None => unreachable!("a window lies on the stack"),
    }
}

/// The window of a call; the stack grows as needed.
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

/// The return address of an active call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) pc: Pc,
    pub(crate) base: u32,
}

/// The wait state of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waits {
    No,
    World,
    /// The thread waits for the lock of the shared cell that is its operand; tickets determine the order.
    Lock {
        ticket: u64,
    },
}

/// A shared cell whose lock a thread holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    pub(crate) cell: Ref,
    /// The operation that acquired the lock.
    pub(crate) at: Pc,
    /// The cycle of the acquisition.
    pub(crate) since: u64,
}

#[derive(Clone, Debug)]
pub(crate) struct Thread {
    pub(crate) pid: Pid,
    pub(crate) team: usize,
    /// The windows of the active calls, which overlap. While the thread runs, the stack has at least [`WINDOW`] values from
    /// `base` on; otherwise the part in use is enough.
    pub(crate) stack: Vec<Value>,
    pub(crate) frames: Vec<Frame>,
    /// The number of frames that are no calls: the bottom frame, and those of code that was moved out of functions.
    pub(crate) extra_frames: usize,
    pub(crate) pc: Pc,
    pub(crate) base: usize,
    /// The cycle of the next reduction.
    pub(crate) clock: u64,
    /// The thread rests in the cycles before this one: until then its state is not ahead of the clock.
    pub(crate) from: u64,
    /// The number of cycles up to `clock` without a reduction.
    pub(crate) idle: u64,
    pub(crate) waits: Waits,
    /// The shared cells whose locks the thread holds.
    pub(crate) held: Vec<Held>,
    /// The number of words that the thread has made since the last count.
    pub(crate) made: u64,
    /// The value of `made` at the thread's last effect.
    pub(crate) shown: u64,
    /// The words of the calls at the last count.
    pub(crate) counted: usize,
    pub(crate) chance: SplitMix64,
}

/// The length up to which a stack is never shrunk.
const SMALL_STACK: usize = 1 << 13;

impl Thread {
    /// A thread that begins with the code at `pc` in cycle `clock`; the code finds its arguments on the stack.
    pub(crate) fn new(
        pid: Pid,
        team: usize,
        pc: Pc,
        stack: Vec<Value>,
        clock: u64,
        chance: SplitMix64,
    ) -> Self {
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
            counted: 0,
            chance,
        }
    }

    /// The length of the stack in use: up to the registers that the current operation finds in use.
    pub(crate) fn used(&self, code: &Code) -> usize {
        self.base + code.details[self.pc as usize].height as usize
    }

    /// The words of the calls: the stack in use, and half a word for each call beyond the free ones.
    pub(crate) fn call_words(&self, code: &Code) -> usize {
        let calls = self.frames.len() - self.extra_frames;
        self.used(code) + calls.saturating_sub(FREE_CALLS).div_ceil(2)
    }

    /// The words made since the last count, plus the growth of the calls.
    pub(crate) fn grown(&self, code: &Code) -> u64 {
        self.made + self.call_words(code).saturating_sub(self.counted) as u64
    }

    /// An upper bound of [`grown`](Self::grown) that is cheap to compute.
    pub(crate) fn grown_at_most(&self) -> u64 {
        self.made + (self.stack.len() + self.frames.len()) as u64
    }

    /// Drops the unused part of the stack.
    pub(crate) fn shrink(&mut self, used: usize) {
        self.stack.truncate(used.max(1));
    }

    /// Frees memory of a stack that was deep once.
    pub(crate) fn give_back(&mut self, code: &Code) {
        if self.stack.len() <= SMALL_STACK && self.frames.capacity() <= SMALL_STACK {
            return;
        }
        let used = self.used(code);
        if self.stack.len() > SMALL_STACK.max(4 * used) {
            self.shrink(2 * used);
            self.stack.shrink_to_fit();
        }
        if self.frames.capacity() > SMALL_STACK.max(4 * self.frames.len()) {
            self.frames.shrink_to(2 * self.frames.len());
        }
    }

    /// A register of the current function.
    pub(crate) fn register(&mut self, register: u8) -> &mut Value {
        let at = self.base + register as usize;
        if at >= self.stack.len() {
            self.stack.resize(at + 1, Value::Int(0));
        }
        &mut self.stack[at]
    }

    /// Gives the current operation its value; the next one begins in cycle `clock`.
    pub(crate) fn go_on(&mut self, d: u8, value: Value, clock: u64) {
        *self.register(d) = value;
        self.pc += 1;
        self.waits = Waits::No;
        self.idle += clock - (self.clock + 1);
        self.clock = clock;
        self.from = clock;
    }

    /// The number of reductions up to the end of `cycle`.
    pub(crate) fn steps(&self, cycle: u64) -> u64 {
        // A thread that ran ahead counts only reductions up to the cycle; a waiting thread counts the one in which it waits.
        let next = match self.waits {
            Waits::No => self.clock.min(self.from.max(cycle + 1)),
            Waits::World | Waits::Lock { .. } => self.clock + 1,
        };
        next - self.idle
    }
}

#[cfg(test)]
mod tests {
    use crate::{Limits, Machine, NoWorld, cl};

    #[test]
    fn a_thread_that_was_deep_gives_its_memory_back() {
        let text = "let down = rec down in fn n => if n = 0 then 0 else 1 + down (n - 1) in
            down 100000; (rec rest in rest)";
        let mut machine = Machine::new(Limits::default(), 0);
        let team = machine.add_team(&cl::parse("deep.cl", text).unwrap());
        machine.start(team);
        let sizes = |machine: &Machine| {
            let thread = &machine.threads[0];
            (thread.stack.capacity(), thread.frames.capacity())
        };
        machine.run(400_000, &mut NoWorld::default());
        let (stack, frames) = sizes(&machine);
        assert!(stack > 100_000 && frames > 100_000, "{stack} {frames}");
        machine.run(700_000, &mut NoWorld::default());
        let (stack, frames) = sizes(&machine);
        assert!(stack < 2 * super::SMALL_STACK && frames < 2 * super::SMALL_STACK, "{stack} {frames}");
    }
}
