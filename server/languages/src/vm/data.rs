//! Values to and from what the world sees.

use super::array;
use super::heap::Heap;
use super::value::Value;
use crate::world::{DATUM_DEPTH, Datum};

/// A value for the world, of at most `budget` array elements; what is larger is opaque. Says whether anything was too large.
pub(super) fn datum(heap: &Heap, value: Value, budget: usize) -> (Datum, bool) {
    let (mut left, mut cut) = (budget, false);
    let datum = show(heap, value, DATUM_DEPTH, &mut left, &mut cut);
    (datum, cut)
}

fn show(heap: &Heap, value: Value, depth: usize, left: &mut usize, cut: &mut bool) -> Datum {
    match value {
        Value::Int(value) => Datum::Int(value),
        Value::Array(at) => {
            let extent = array::extent(heap, at) as usize;
            if depth == 0 || extent > *left {
                *cut = true;
                return Datum::Opaque;
            }
            *left -= extent;
            let elements = (0..extent as u64).map(|index| array::get(heap, at, index));
            Datum::Array(elements.map(|element| show(heap, element, depth - 1, left, cut)).collect())
        }
        _ => Datum::Opaque,
    }
}

/// The words that a datum takes, at most.
pub(super) fn words(datum: &Datum) -> usize {
    match datum {
        Datum::Array(elements) => array::words(elements.len()) + elements.iter().map(words).sum::<usize>(),
        Datum::Int(_) | Datum::Opaque => 0,
    }
}

/// What the world gave; what is opaque is zero. The heap must have room for it.
pub(super) fn value(heap: &mut Heap, datum: &Datum) -> Value {
    match datum {
        Datum::Int(value) => Value::Int(*value),
        Datum::Opaque => Value::Int(0),
        Datum::Array(elements) => {
            let elements: Vec<Value> = elements.iter().map(|element| value(heap, element)).collect();
            Value::Array(array::build(heap, &elements))
        }
    }
}
