//! Interpreter loop, which runs a thread up to its next observable event.

use super::apply::{Applied, MOST_ARGUMENTS, apply, enters, takes_two};
use super::array;
use super::data;
use super::exit::{Event, Exit, StopCheck};
use super::faults::{binary, cell_fault, fault, fault_at, index_fault, operand_fault};
use super::heap::Heap;
use super::thread::{Frame, Thread, WINDOW, enter, window};
use super::value::{Object, Value};
use crate::compile::code::{Capture, Code, Op, Pc};
use crate::core::{BinaryOp, UnaryOp};
use crate::world::{Limit, Limits, Role, Stuck};

/// Runs a thread up to its next event, or until its next operation begins after cycle `until`.
pub(super) fn run(
    thread: &mut Thread,
    heap: &mut Heap,
    code: &Code,
    limits: &Limits,
    until: u64,
    check: &mut impl StopCheck,
) -> Exit {
    let pid = thread.pid;
    let Thread { stack, frames, chance, .. } = thread;
    let ops = code.ops.as_slice();
    let mut pc = thread.pc as usize;
    let mut base = thread.base;
    let mut clock = thread.clock;
    let mut most_frames = limits.depth + thread.extra_frames;
    let mut regs = enter(stack, base);

    let exit = loop {
        if clock > until {
            break Exit::Paused;
        }
        if check.stops(pc, clock) {
            break Exit::Watched;
        }
        // Stops with an event in the reduction that is `$own` before the end of the operation.
        macro_rules! event {
            ($cost:expr, $own:expr, $event:expr) => {
                break Exit::Event(clock + u64::from($cost) - $own, $event)
            };
        }
        macro_rules! stuck {
            ($cost:expr, $own:expr, $reason:expr) => {
                event!($cost, $own, Event::Stuck($reason, fault_at(code, pc, 0)))
            };
        }
        macro_rules! too_deep {
            ($cost:expr) => {
                event!($cost, 1, Event::Limit(Limit::Depth(limits.depth), fault_at(code, pc, 1)))
            };
        }
        macro_rules! too_long {
            ($cost:expr) => {{
                let limit = Limit::ArrayElements(limits.array_elements);
                event!($cost, 1, Event::Limit(limit, fault_at(code, pc, 0)))
            }};
        }
        // The thread's own cell. A shared one is an effect, anything else a fault.
        macro_rules! own_cell {
            ($cost:expr, $cell:expr, $name:literal) => {
                match $cell {
                    Value::Own(cell) if heap.header(cell).info() == pid.0 => cell,
                    Value::Shared(_) => event!($cost, 1, Event::Effect),
                    other => stuck!($cost, 1, cell_fault($name, other, heap)),
                }
            };
        }
        macro_rules! next {
            ($cost:expr) => {{
                clock += u64::from($cost);
                pc += 1;
                continue;
            }};
        }
        // Ends the operation with a value in `$d`.
        macro_rules! put {
            ($cost:expr, $d:expr, $value:expr) => {{
                regs[$d as usize] = $value;
                next!($cost)
            }};
        }
        macro_rules! room {
            ($words:expr) => {
                if !heap.has_room($words) {
                    break Exit::Collect($words);
                }
            };
        }
        macro_rules! arithmetic {
            ($op:ident, $method:ident, $cost:expr, $d:expr, $a:expr, $right:expr) => {{
                let (left, right) = (regs[$a as usize], $right);
                if let (Value::Int(a), Value::Int(b)) = (left, right)
                    && let Some(result) = a.$method(b)
                {
                    put!($cost, $d, Value::Int(result));
                }
                stuck!($cost, 1, fault(BinaryOp::$op, left, right))
            }};
        }
        macro_rules! unless {
            ($op:ident, $holds:tt, $cost:expr, $a:expr, $right:expr, $to:expr) => {{
                let (left, right) = (regs[$a as usize], $right);
                let holds = if let (Value::Int(a), Value::Int(b)) = (left, right) {
                    a $holds b
                } else {
                    match binary(BinaryOp::$op, left, right) {
                        Ok(value) => value != 0,
                        Err(reason) => stuck!($cost, 2, reason),
                    }
                };
                clock += u64::from($cost);
                pc = if holds { pc + 1 } else { $to as usize };
                continue;
            }};
        }
        // Enters the code at `$to` with a window at `$h`; `$back` is the return address.
        macro_rules! call {
            ($cost:expr, $h:expr, $to:expr, $back:expr) => {{
                if frames.len() >= most_frames {
                    too_deep!($cost);
                }
                frames.push(Frame { pc: $back as Pc, base: base as u32 });
                base += $h as usize;
                clock += u64::from($cost);
                pc = $to as usize;
                regs = enter(stack, base);
                continue;
            }};
        }
        macro_rules! give_back {
            ($cost:expr, $value:expr) => {{
                regs[0] = $value;
                clock += u64::from($cost);
                let Some(frame) = frames.pop() else { unreachable!("one frame lies below all") };
                pc = frame.pc as usize;
                base = frame.base as usize;
                regs = window(stack, base);
                continue;
            }};
        }
        macro_rules! apply_and_call {
            ($n:literal, $cost:expr, $h:expr, $back:expr) => {{
                if frames.len() >= most_frames && enters::<$n>(regs[$h as usize], heap, code) {
                    too_deep!($cost);
                }
                match apply::<$n>(regs, heap, code, $h as usize) {
                    Applied::Enter(to) => {
                        frames.push(Frame { pc: $back as Pc, base: base as u32 });
                        base += $h as usize;
                        clock += u64::from($cost);
                        pc = to as usize;
                        regs = enter(stack, base);
                        continue;
                    }
                    Applied::Done => {
                        clock += u64::from($cost);
                        pc = $back;
                        continue;
                    }
                    Applied::NotAFunction(kind) => stuck!($cost, 1, Stuck::NotAFunction(kind)),
                    Applied::Room(words) => break Exit::Collect(words),
                }
            }};
        }
        macro_rules! apply_and_leave {
            ($n:literal, $cost:expr, $h:expr) => {
                match apply::<$n>(regs, heap, code, $h as usize) {
                    Applied::Enter(to) => {
                        // The most arguments of any function, plus its closure.
                        let from = $h as usize;
                        regs.copy_within(from..from + MOST_ARGUMENTS + 1, 0);
                        clock += u64::from($cost);
                        pc = to as usize;
                        continue;
                    }
                    Applied::Done => give_back!($cost, regs[$h as usize]),
                    Applied::NotAFunction(kind) => stuck!($cost, 1, Stuck::NotAFunction(kind)),
                    Applied::Room(words) => break Exit::Collect(words),
                }
            };
        }

        match ops[pc] {
            Op::Add { cost, d, a, b } => arithmetic!(Add, checked_add, cost, d, a, regs[b as usize]),
            Op::AddInt { cost, d, a, v } => arithmetic!(Add, checked_add, cost, d, a, int(v)),
            Op::Sub { cost, d, a, b } => arithmetic!(Sub, checked_sub, cost, d, a, regs[b as usize]),
            Op::SubInt { cost, d, a, v } => arithmetic!(Sub, checked_sub, cost, d, a, int(v)),
            Op::Mul { cost, d, a, b } => arithmetic!(Mul, checked_mul, cost, d, a, regs[b as usize]),
            Op::MulInt { cost, d, a, v } => arithmetic!(Mul, checked_mul, cost, d, a, int(v)),
            Op::UnlessLess { cost, a, b, to } => unless!(Less, <, cost, a, regs[b as usize], to),
            Op::UnlessLessEqual { cost, a, b, to } => unless!(LessEqual, <=, cost, a, regs[b as usize], to),
            Op::UnlessGreater { cost, a, b, to } => unless!(Greater, >, cost, a, regs[b as usize], to),
            Op::UnlessGreaterEqual { cost, a, b, to } => {
                unless!(GreaterEqual, >=, cost, a, regs[b as usize], to)
            }
            Op::UnlessEqual { cost, a, b, to } => unless!(Equal, ==, cost, a, regs[b as usize], to),
            Op::UnlessUnequal { cost, a, b, to } => unless!(Unequal, !=, cost, a, regs[b as usize], to),
            Op::UnlessLessInt { cost, a, v, to } => unless!(Less, <, cost, a, int(v), to),
            Op::UnlessLessEqualInt { cost, a, v, to } => unless!(LessEqual, <=, cost, a, int(v), to),
            Op::UnlessGreaterInt { cost, a, v, to } => unless!(Greater, >, cost, a, int(v), to),
            Op::UnlessGreaterEqualInt { cost, a, v, to } => unless!(GreaterEqual, >=, cost, a, int(v), to),
            Op::UnlessEqualInt { cost, a, v, to } => unless!(Equal, ==, cost, a, int(v), to),
            Op::UnlessUnequalInt { cost, a, v, to } => unless!(Unequal, !=, cost, a, int(v), to),
            Op::UnlessTrue { cost, a, to } => {
                let Value::Int(condition) = regs[a as usize] else {
                    let found = regs[a as usize].kind();
                    stuck!(cost, 1, Stuck::NotAnInteger { what: Role::Condition, found })
                };
                clock += u64::from(cost);
                pc = if condition != 0 { pc + 1 } else { to as usize };
            }
            Op::Return { cost, s } => give_back!(cost, regs[s as usize]),
            Op::AddReturn { cost, a, b } => {
                let (left, right) = (regs[a as usize], regs[b as usize]);
                if let (Value::Int(a), Value::Int(b)) = (left, right)
                    && let Some(sum) = a.checked_add(b)
                {
                    give_back!(cost, Value::Int(sum));
                }
                stuck!(cost, 1, fault(BinaryOp::Add, left, right))
            }
            Op::ReturnInner { cost, s } => {
                most_frames -= 1;
                give_back!(cost, regs[s as usize]);
            }
            Op::Call { cost, h, to } => call!(cost, h, to, pc + 1),
            Op::CallSubInt { cost, h, a, v, to } => {
                let left = regs[a as usize];
                if let Value::Int(a) = left
                    && let Some(argument) = a.checked_sub(i64::from(v))
                {
                    regs[h as usize] = Value::Int(argument);
                    call!(cost, h, to, pc + 1);
                }
                stuck!(cost, 2, fault(BinaryOp::Sub, left, int(v)))
            }
            Op::CallInner { cost, h, to } => {
                most_frames += 1;
                call!(cost, h, to, pc + 1);
            }
            Op::TailCall1 { cost, h, to } => {
                regs[0] = regs[h as usize];
                clock += u64::from(cost);
                pc = to as usize;
            }
            Op::TailCall2 { cost, h, to } => {
                let h = h as usize;
                (regs[0], regs[1]) = (regs[h], regs[(h + 1) % WINDOW]);
                clock += u64::from(cost);
                pc = to as usize;
            }
            Op::TailCall3 { cost, h, to } => {
                let h = h as usize;
                (regs[0], regs[1], regs[2]) = (regs[h], regs[(h + 1) % WINDOW], regs[(h + 2) % WINDOW]);
                clock += u64::from(cost);
                pc = to as usize;
            }
            Op::TailCall { cost, h, n, to } | Op::TailInner { cost, h, n, to } => {
                regs.copy_within(h as usize..h as usize + n as usize, 0);
                clock += u64::from(cost);
                pc = to as usize;
            }
            Op::Apply { cost, h } => apply_and_call!(1, cost, h, pc + 1),
            Op::TailApply { cost, h } => apply_and_leave!(1, cost, h),
            Op::ApplyFirst { cost, h } => {
                if takes_two(regs[h as usize], heap, code) {
                    clock += u64::from(cost);
                    pc += 2;
                } else {
                    apply_and_call!(1, cost, h, pc + 1);
                }
            }
            Op::Applied { h } => {
                regs[(h as usize + 1) % WINDOW] = Value::Applied;
                pc += 1;
            }
            Op::ApplySecond { cost, h } => {
                let first = h as usize + 1;
                if regs[first % WINDOW] == Value::Applied {
                    // All checks come first: the operation can't be restarted once the argument has moved.
                    let Value::Fn(_) = regs[h as usize] else {
                        stuck!(cost, 1, Stuck::NotAFunction(regs[h as usize].kind()))
                    };
                    if frames.len() >= most_frames && enters::<1>(regs[h as usize], heap, code) {
                        too_deep!(cost);
                    }
                    room!(MOST_ARGUMENTS + 3);
                    regs[first] = regs[first + 1];
                    apply_and_call!(1, cost, h, pc + 1);
                }
                apply_and_call!(2, cost, h, pc + 1)
            }
            Op::TailApplySecond { cost, h } => {
                let first = h as usize + 1;
                if regs[first % WINDOW] == Value::Applied {
                    let Value::Fn(_) = regs[h as usize] else {
                        stuck!(cost, 1, Stuck::NotAFunction(regs[h as usize].kind()))
                    };
                    room!(MOST_ARGUMENTS + 3);
                    regs[first] = regs[first + 1];
                    apply_and_leave!(1, cost, h)
                } else {
                    apply_and_leave!(2, cost, h)
                }
            }
            Op::Partial { cost, h, n } => {
                let (h, n) = (h as usize, n as usize);
                room!(n + 2);
                let Value::Fn(at) = regs[h + n] else { unreachable!("a known function is one") };
                let missing = u32::from(code.protos[heap.header(at).info() as usize].arity) - n as u32;
                let partial = heap.object(Object::Partial, missing, &regs[h + n..=h + n]);
                heap.words.extend_from_slice(&regs[h..h + n]);
                heap.lengthen(partial, n + 1);
                regs[h] = Value::Fn(partial);
                next!(cost)
            }

            Op::Move { cost, d, s } => put!(cost, d, regs[s as usize]),
            Op::Int { cost, d, v } => put!(cost, d, int(v)),
            Op::Const { cost, d, k } => put!(cost, d, constant(code, k)),
            Op::Captured { cost, d, s, i } => {
                let Value::Fn(at) = regs[s as usize] else { unreachable!("a window holds its closure") };
                put!(cost, d, heap.get(at, i as usize))
            }
            Op::Closure { cost, d, proto } => {
                let captures = code.protos[proto as usize].captures.as_slice();
                room!(captures.len() + 1);
                let closure = heap.object(Object::Closure, proto, &[]);
                for capture in captures {
                    let value = match *capture {
                        Capture::Reg(reg) => regs[reg as usize],
                        Capture::Captured(reg, index) => {
                            let Value::Fn(at) = regs[reg as usize] else {
                                unreachable!("a window holds its closure")
                            };
                            heap.get(at, index as usize)
                        }
                    };
                    heap.words.push(value);
                }
                heap.lengthen(closure, captures.len());
                put!(cost, d, Value::Fn(closure))
            }
            Op::Tick { cost } => next!(cost),
            Op::Jump { cost, to } => {
                clock += u64::from(cost);
                pc = to as usize;
            }

            Op::Pair { cost, d, a, b } => {
                room!(data::PAIR_WORDS);
                put!(cost, d, data::pair(heap, regs[a as usize], regs[b as usize]))
            }
            Op::Append { cost, h } => {
                room!(data::PAIR_WORDS);
                data::append(heap, regs, h);
                next!(cost)
            }
            Op::Close { cost, h } => {
                data::close(heap, regs, h);
                next!(cost)
            }
            Op::Split { cost, d, s, to } => {
                clock += u64::from(cost);
                pc = if let Value::Pair(at) = regs[s as usize] {
                    let d = d as usize;
                    (regs[d], regs[(d + 1) % WINDOW]) = (heap.get(at, 0), heap.get(at, 1));
                    pc + 1
                } else {
                    to as usize
                };
            }

            Op::Index { cost, d, a, i } => {
                let (array, index) = (regs[a as usize], regs[i as usize]);
                if let (Value::Array(at), Value::Int(index)) = (array, index)
                    && index >= 0
                {
                    put!(cost, d, array::get(heap, at, index as u64))
                }
                stuck!(cost, 1, index_fault(array, index))
            }
            Op::IndexInt { cost, d, a, v } => {
                let array = regs[a as usize];
                if let Value::Array(at) = array
                    && v >= 0
                {
                    put!(cost, d, array::get(heap, at, v as u64))
                }
                stuck!(cost, 1, index_fault(array, int(v)))
            }
            Op::Update { cost, h } => {
                let h = h as usize;
                let (array, index) = (regs[h], regs[(h + 1) % WINDOW]);
                if let (Value::Array(at), Value::Int(index)) = (array, index)
                    && index >= 0
                {
                    if index as u64 >= limits.array_elements as u64 {
                        too_long!(cost);
                    }
                    room!(array::UPDATE_WORDS);
                    regs[h] = Value::Array(array::set(heap, at, index as u32, regs[(h + 2) % WINDOW]));
                    next!(cost);
                }
                stuck!(cost, 1, index_fault(array, index))
            }
            Op::Array { cost, d, h, n } => {
                if n as usize > limits.array_elements {
                    too_long!(cost);
                }
                room!(array::words(n as usize));
                let (h, n) = (h as usize, n as usize);
                put!(cost, d, Value::Array(array::build(heap, &regs[h..h + n])))
            }
            Op::Fill { cost, h, v } => {
                room!(array::UPDATE_WORDS);
                let h = h as usize;
                let Value::Array(at) = regs[h] else { unreachable!("a literal is an array") };
                regs[h] = Value::Array(array::set(heap, at, v, regs[h + 1]));
                next!(cost)
            }
            Op::Filled { cost, n } => {
                if n as usize > limits.array_elements {
                    too_long!(cost);
                }
                next!(cost)
            }

            Op::Binary { cost, op, d, a, b } => match binary(op, regs[a as usize], regs[b as usize]) {
                Ok(value) => {
                    put!(cost, d, Value::Int(value))
                }
                Err(reason) => stuck!(cost, 1, reason),
            },
            Op::BinaryInt { cost, op, d, a, v } => match binary(op, regs[a as usize], int(v)) {
                Ok(value) => {
                    put!(cost, d, Value::Int(value))
                }
                Err(reason) => stuck!(cost, 1, reason),
            },
            Op::Negate { cost, d, s } => {
                let operand = regs[s as usize];
                let Value::Int(value) = operand else {
                    stuck!(cost, 1, operand_fault(UnaryOp::Negate, operand))
                };
                let Some(value) = value.checked_neg() else { stuck!(cost, 1, Stuck::Overflow("~")) };
                put!(cost, d, Value::Int(value))
            }
            Op::TypeOf { cost, d, s } => put!(cost, d, Value::Int(regs[s as usize].kind().code())),
            Op::Random { cost, d, s } => {
                let operand = regs[s as usize];
                let Value::Int(n) = operand else { stuck!(cost, 1, operand_fault(UnaryOp::Random, operand)) };
                match chance.below(n) {
                    Ok(value) => regs[d as usize] = Value::Int(value),
                    Err(reason) => stuck!(cost, 1, reason),
                }
                next!(cost)
            }

            Op::NewOwn { cost, d, s } => {
                room!(3);
                let cell = heap.object(Object::Own, pid.0, &[regs[s as usize], Value::Int(0)]);
                put!(cost, d, Value::Own(cell))
            }
            Op::NewShared { cost, d, s } => {
                room!(4);
                let cell = heap.object(Object::Shared, 0, &[regs[s as usize], Value::Int(0), Value::Int(0)]);
                put!(cost, d, Value::Shared(cell))
            }
            Op::Get { cost, d, s } => {
                let cell = own_cell!(cost, regs[s as usize], "!");
                put!(cost, d, heap.get(cell, 0))
            }
            Op::Assign { cost, d, a, b } => {
                let cell = own_cell!(cost, regs[a as usize], ":=");
                heap.set(cell, 0, regs[b as usize]);
                put!(cost, d, Value::Int(0))
            }
            Op::Acquire { cost, d, s } => {
                let cell = own_cell!(cost, regs[s as usize], "acquire");
                if heap.get(cell, 1) == Value::Int(1) {
                    stuck!(cost, 1, Stuck::LockHeld)
                }
                heap.set(cell, 1, Value::Int(1));
                put!(cost, d, Value::Int(0))
            }
            Op::Release { cost, d, s } => {
                let cell = own_cell!(cost, regs[s as usize], "release");
                if heap.get(cell, 1) == Value::Int(0) {
                    stuck!(cost, 1, Stuck::LockNotHeld)
                }
                heap.set(cell, 1, Value::Int(0));
                put!(cost, d, Value::Int(0))
            }
            Op::Do { cost, .. } | Op::Spawn { cost, .. } => event!(cost, 1, Event::Effect),
            Op::Unbound { cost } => {
                let at = fault_at(code, pc, 0);
                stuck!(cost, 1, code.module.unbound(at))
            }
            Op::End { cost } => event!(cost, 0, Event::Ended),
        }
    };
    thread.pc = pc as Pc;
    thread.base = base;
    thread.clock = clock;
    thread.extra_frames = most_frames - limits.depth;
    exit
}

/// The value of an operation's literal.
#[inline(always)]
fn int(v: i32) -> Value {
    Value::Int(i64::from(v))
}

/// Not inlined, so that the function's prologue does not load the constants.
#[inline(never)]
fn constant(code: &Code, k: u32) -> Value {
    code.consts[k as usize]
}
