//! Application of functions that the compiler does not know: closures, and partial applications of them.

use super::heap::Heap;
use super::thread::Window;
use super::value::{Object, Value};
use crate::compile::code::{Code, Pc};
use crate::world::Kind;

/// The result of an application.
pub(super) enum Applied {
    /// The window at `h` is ready for the code there.
    Enter(Pc),
    /// A partial application is in `h`.
    Done,
    NotAFunction(Kind),
    /// The application needs room for this number of words.
    Room(usize),
}

/// Applies `h` to the `N` arguments that follow it. The stack has room for a window of any function above them.
#[inline(always)]
pub(super) fn apply<const N: usize>(regs: &mut Window, heap: &mut Heap, code: &Code, h: usize) -> Applied {
    let function = regs[h];
    let Value::Fn(at) = function else { return Applied::NotAFunction(function.kind()) };
    let header = heap.header(at);
    if header.is(Object::Closure) {
        let proto = &code.protos[header.info() as usize];
        if proto.arity as usize == N {
            for n in 0..N {
                regs[h + n] = regs[h + n + 1];
            }
            regs[h + N] = function;
            return Applied::Enter(proto.entry);
        }
    }
    apply_partial::<N>(regs, heap, code, h)
}

/// Starts, extends or completes a partial application.
#[cold]
#[inline(never)]
pub(super) fn apply_partial<const N: usize>(
    regs: &mut Window,
    heap: &mut Heap,
    code: &Code,
    h: usize,
) -> Applied {
    let Value::Fn(at) = regs[h] else { unreachable!("the caller looked") };
    let header = heap.header(at);
    if header.is(Object::Closure) {
        let missing = u32::from(code.protos[header.info() as usize].arity) - N as u32;
        if !heap.has_room(N + 2) {
            return Applied::Room(N + 2);
        }
        let partial = heap.object(Object::Partial, missing, &regs[h..=h + N]);
        regs[h] = Value::Fn(partial);
        return Applied::Done;
    }
    let len = header.len();
    if header.info() as usize == N {
        let closure = heap.get(at, 0);
        let mut given = [Value::Int(0); N];
        given.copy_from_slice(&regs[h + 1..=h + N]);
        let held = at as usize + 2;
        regs[h..h + len - 1].copy_from_slice(&heap.words[held..held + len - 1]);
        regs[h + len - 1..h + len - 1 + N].copy_from_slice(&given);
        regs[h + len - 1 + N] = closure;
        let Value::Fn(closure) = closure else {
            unreachable!("a partial application begins with its closure")
        };
        return Applied::Enter(code.protos[heap.header(closure).info() as usize].entry);
    }
    if !heap.has_room(len + N + 1) {
        return Applied::Room(len + N + 1);
    }
    let partial = heap.object(Object::Partial, header.info() - N as u32, &[]);
    heap.words.extend_from_within(at as usize + 1..=at as usize + len);
    heap.words.extend_from_slice(&regs[h + 1..=h + N]);
    heap.lengthen(partial, len + N);
    regs[h] = Value::Fn(partial);
    Applied::Done
}

/// Whether a value is a function that takes two or more arguments before its body runs.
#[inline(always)]
pub(super) fn takes_two(value: Value, heap: &Heap, code: &Code) -> bool {
    let Value::Fn(at) = value else { return false };
    let header = heap.header(at);
    if header.is(Object::Closure) {
        code.protos[header.info() as usize].arity >= 2
    } else {
        header.info() >= 2
    }
}

/// The most arguments that a function takes at once, including those of a partial application.
pub(super) const MOST_ARGUMENTS: usize = 16;

/// Whether an application to `N` arguments begins a call.
#[cold]
pub(super) fn enters<const N: usize>(function: Value, heap: &Heap, code: &Code) -> bool {
    let Value::Fn(at) = function else { return false };
    let header = heap.header(at);
    if header.is(Object::Closure) {
        code.protos[header.info() as usize].arity as usize == N
    } else {
        header.info() as usize == N
    }
}
