//! Conversion of values to and from those of the world.

use super::array;
use super::heap::Heap;
use super::thread::Window;
use super::value::{Object, Value};
use crate::datum::{DATUM_DEPTH, Datum};

/// Converts a value for the world, with at most `budget` elements and parts; a larger one becomes opaque. Also
/// returns whether anything was too large.
pub(super) fn datum(heap: &Heap, value: Value, budget: usize) -> (Datum, bool) {
    let (mut left, mut cut) = (budget, false);
    let datum = show(heap, value, DATUM_DEPTH, &mut left, &mut cut);
    (datum, cut)
}

fn show(heap: &Heap, value: Value, depth: usize, left: &mut usize, cut: &mut bool) -> Datum {
    let (count, datum): (usize, fn(Vec<Datum>) -> Datum) = match value {
        Value::Int(value) => return Datum::Int(value),
        Value::Array(at) => (array::extent(heap, at) as usize, Datum::Array),
        Value::Pair(_) => (parts(heap, value).take(*left + 1).count(), Datum::Pair),
        _ => return Datum::Opaque,
    };
    if depth == 0 || count > *left {
        *cut = true;
        return Datum::Opaque;
    }
    *left -= count;
    let mut show = |part| show(heap, part, depth - 1, left, cut);
    datum(match value {
        Value::Array(at) => (0..count as u64).map(|index| show(array::get(heap, at, index))).collect(),
        _ => parts(heap, value).map(show).collect(),
    })
}

/// The left halves of nested pairs (along the right halves), and the last right half.
fn parts(heap: &Heap, value: Value) -> impl Iterator<Item = Value> {
    let mut next = Some(value);
    std::iter::from_fn(move || {
        let value = next.take()?;
        let Value::Pair(at) = value else { return Some(value) };
        next = Some(heap.get(at, 1));
        Some(heap.get(at, 0))
    })
}

/// The most words of a datum.
pub(super) fn words(datum: &Datum) -> usize {
    match datum {
        Datum::Array(elements) => array::words(elements.len()) + elements.iter().map(words).sum::<usize>(),
        Datum::Pair(parts) => PAIR_WORDS * parts.len() + parts.iter().map(words).sum::<usize>(),
        Datum::Int(_) | Datum::Opaque => 0,
    }
}

/// The words of a pair.
pub(super) const PAIR_WORDS: usize = 3;

/// A pair. The heap must have room for it.
pub(crate) fn pair(heap: &mut Heap, left: Value, right: Value) -> Value {
    Value::Pair(heap.object(Object::Pair, 0, &[left, right]))
}

/// Appends the register after the next to the list that begins in register `h` and whose last pair is in the next one; an integer there
/// means that there is no pair yet. The heap must have room for a pair.
#[inline(never)]
pub(super) fn append(heap: &mut Heap, regs: &mut Window, h: u8) {
    let h = h as usize;
    let pair = pair(heap, regs[h + 2], Value::Int(0));
    match regs[h + 1] {
        Value::Pair(last) => heap.set(last, 1, pair),
        _ => regs[h] = pair,
    }
    regs[h + 1] = pair;
}

/// Replaces the final 0 of such a list.
#[inline(never)]
pub(super) fn close(heap: &mut Heap, regs: &mut Window, h: u8) {
    let Value::Pair(last) = regs[h as usize + 1] else { unreachable!("a list has begun") };
    heap.set(last, 1, regs[h as usize + 2]);
}

/// Converts a value from the world; an opaque one becomes zero. The heap must have room for it.
pub(super) fn value(heap: &mut Heap, datum: &Datum) -> Value {
    match datum {
        Datum::Int(value) => Value::Int(*value),
        Datum::Opaque => Value::Int(0),
        Datum::Array(elements) => {
            let elements: Vec<Value> = elements.iter().map(|element| value(heap, element)).collect();
            Value::Array(array::build(heap, &elements))
        }
        Datum::Pair(parts) => {
            let mut parts = parts.iter().rev().map(|part| value(heap, part)).collect::<Vec<_>>().into_iter();
            let last = parts.next().unwrap_or(Value::Int(0));
            parts.fold(last, |right, left| pair(heap, left, right))
        }
    }
}
