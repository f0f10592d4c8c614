//! Values of the reference engine, and their store. Nothing is ever freed: this engine is for tests and short runs.

use std::collections::BTreeMap;

use crate::core::{ExprId, NameId};
use crate::datum::{DATUM_DEPTH, Datum};
use crate::world::{Kind, Pid, Stuck};

/// A value; all but integers are indices into the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Int(i64),
    Closure(usize),
    Array(usize),
    Pair(usize),
    Own(usize),
    Shared(usize),
}

impl Value {
    pub(super) fn kind(self) -> Kind {
        match self {
            Value::Int(_) => Kind::Integer,
            Value::Closure(_) => Kind::Function,
            Value::Array(_) => Kind::Array,
            Value::Pair(_) => Kind::Pair,
            Value::Own(_) | Value::Shared(_) => Kind::Cell,
        }
    }
}

/// An environment: the innermost binding, or none.
pub(super) type Env = Option<usize>;

#[derive(Clone, Copy, Debug)]
pub(super) struct Binding {
    pub(super) name: NameId,
    pub(super) bound: Bound,
    pub(super) outer: Env,
}

/// The meaning of a name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bound {
    Value(Value),
    /// A `rec` expression with its environment, to be unrolled.
    Rec(ExprId, Env),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Closure {
    pub(super) expr: ExprId,
    pub(super) env: Env,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Array {
    pub(super) filled: BTreeMap<u64, Value>,
    /// The highest index that was ever written, plus one.
    pub(super) extent: u64,
}

impl Array {
    pub(super) fn get(&self, index: u64) -> Value {
        self.filled.get(&index).copied().unwrap_or(Value::Int(0))
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct OwnCell {
    pub(super) owner: Pid,
    pub(super) value: Value,
    pub(super) locked: bool,
}

#[derive(Clone, Debug)]
pub(super) struct SharedCell {
    pub(super) value: Value,
    /// The thread that holds the lock, and the `acquire` by which it got it.
    pub(super) holder: Option<(Pid, ExprId)>,
    /// The threads that wait for the lock in order of arrival, each with its `acquire` and the cycle in which it began to wait.
    pub(super) waiting: Vec<(Pid, ExprId, u64)>,
}

impl SharedCell {
    /// Whether a thread holds the lock.
    pub(super) fn is_held_by(&self, pid: Pid) -> bool {
        self.holder.is_some_and(|(holder, _)| holder == pid)
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    bindings: Vec<Binding>,
    pub(super) closures: Vec<Closure>,
    pub(super) arrays: Vec<Array>,
    pub(super) pairs: Vec<(Value, Value)>,
    owns: Vec<OwnCell>,
    pub(super) shared: Vec<SharedCell>,
}

impl Store {
    pub(super) fn bind(&mut self, binding: Binding) -> Env {
        self.bindings.push(binding);
        Some(self.bindings.len() - 1)
    }

    pub(super) fn lookup(&self, mut env: Env, name: NameId) -> Option<Bound> {
        while let Some(binding) = env.map(|index| &self.bindings[index]) {
            if binding.name == name {
                return Some(binding.bound);
            }
            env = binding.outer;
        }
        None
    }

    pub(super) fn closure(&mut self, closure: Closure) -> Value {
        self.closures.push(closure);
        Value::Closure(self.closures.len() - 1)
    }

    pub(super) fn array(&mut self, array: Array) -> Value {
        self.arrays.push(array);
        Value::Array(self.arrays.len() - 1)
    }

    pub(super) fn pair(&mut self, left: Value, right: Value) -> Value {
        self.pairs.push((left, right));
        Value::Pair(self.pairs.len() - 1)
    }

    pub(super) fn new_own(&mut self, cell: OwnCell) -> Value {
        self.owns.push(cell);
        Value::Own(self.owns.len() - 1)
    }

    pub(super) fn new_shared(&mut self, cell: SharedCell) -> Value {
        self.shared.push(cell);
        Value::Shared(self.shared.len() - 1)
    }

    /// The thread's own cell; an error for a cell of another thread.
    pub(super) fn own(&mut self, cell: usize, me: Pid) -> Result<&mut OwnCell, Stuck> {
        let cell = &mut self.owns[cell];
        if cell.owner == me { Ok(cell) } else { Err(Stuck::ForeignCell(cell.owner)) }
    }

    /// Converts a value for the world, with at most `budget` elements and parts; a larger one becomes opaque. Also
    /// returns whether anything was too large.
    pub(super) fn datum(&self, value: Value, budget: usize) -> (Datum, bool) {
        let mut left = budget;
        let mut cut = false;
        let datum = self.show(value, DATUM_DEPTH, &mut left, &mut cut);
        (datum, cut)
    }

    fn show(&self, value: Value, depth: usize, left: &mut usize, cut: &mut bool) -> Datum {
        let parts: Vec<Value> = match value {
            Value::Int(value) => return Datum::Int(value),
            Value::Closure(_) | Value::Own(_) | Value::Shared(_) => return Datum::Opaque,
            Value::Array(array) => {
                let array = &self.arrays[array];
                if array.extent > *left as u64 {
                    *cut = true;
                    return Datum::Opaque;
                }
                (0..array.extent).map(|index| array.get(index)).collect()
            }
            Value::Pair(_) => self.parts(value),
        };
        if depth == 0 || parts.len() > *left {
            *cut = true;
            return Datum::Opaque;
        }
        *left -= parts.len();
        let parts = parts.into_iter().map(|part| self.show(part, depth - 1, left, cut)).collect();
        if matches!(value, Value::Array(_)) { Datum::Array(parts) } else { Datum::Pair(parts) }
    }

    /// The left halves of nested pairs (along the right halves), and the last right half.
    fn parts(&self, mut value: Value) -> Vec<Value> {
        let mut parts = Vec::new();
        while let Value::Pair(pair) = value {
            parts.push(self.pairs[pair].0);
            value = self.pairs[pair].1;
        }
        parts.push(value);
        parts
    }

    /// Converts a value from the world.
    pub(super) fn value(&mut self, datum: &Datum) -> Value {
        match datum {
            Datum::Int(value) => Value::Int(*value),
            Datum::Opaque => Value::Int(0),
            Datum::Array(elements) => {
                let values: Vec<Value> = elements.iter().map(|element| self.value(element)).collect();
                let extent = values.len() as u64;
                self.array(Array { filled: (0..).zip(values).collect(), extent })
            }
            Datum::Pair(parts) => {
                let mut whole = None;
                for part in parts.iter().rev() {
                    let part = self.value(part);
                    whole = Some(whole.map_or(part, |right| self.pair(part, right)));
                }
                whole.unwrap_or(Value::Int(0))
            }
        }
    }
}
