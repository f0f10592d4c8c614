//! Snapshot of a machine: a copy whose heaps are packed into about a sixth of their size.

use super::Machine;
use super::value::{Header, Value};

/// A copy of a machine that can be kept and restored, many times if need be.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The machine without the words of its heaps.
    machine: Machine,
    /// Of each team, the number of the heap's words, and the words as bytes.
    heaps: Vec<(usize, Box<[u8]>)>,
}

impl Machine {
    /// A snapshot of the machine. Garbage is collected first, in the machine too; both continue in the same way.
    #[must_use]
    pub fn snapshot(&mut self) -> Snapshot {
        for team in 0..self.teams.len() {
            self.collect(team, 0);
        }
        for thread in &mut self.threads {
            let used = thread.used(&self.teams[thread.team].code);
            thread.shrink(used);
        }
        let words: Vec<Vec<Value>> =
            self.teams.iter_mut().map(|team| std::mem::take(&mut team.heap.words)).collect();
        let heaps = words.iter().map(|words| (words.len(), pack(words))).collect();
        let machine = self.clone();
        for (team, words) in self.teams.iter_mut().zip(words) {
            team.heap.words = words;
        }
        Snapshot { machine, heaps }
    }
}

impl Snapshot {
    /// The machine as it was, without garbage.
    #[must_use]
    pub fn restore(&self) -> Machine {
        let mut machine = self.machine.clone();
        for (team, (len, bytes)) in machine.teams.iter_mut().zip(&self.heaps) {
            team.heap.words = unpack(*len, bytes);
        }
        machine
    }

    /// The last cycle that was executed, 0 before the first.
    pub fn cycle(&self) -> u64 {
        self.machine.cycle
    }

    /// The approximate size in bytes.
    pub fn bytes(&self) -> usize {
        self.machine.bytes() + self.heaps.iter().map(|(_, bytes)| bytes.len()).sum::<usize>()
    }
}

/// The bits of a word's first byte that tell what it is; the others have its payload, if that is less than [`LONG`].
const TAG_BITS: u32 = 4;
/// The payload follows as a LEB128 number, less this.
const LONG: u64 = 15;

/// Words as bytes. An address counts from its word, so that objects made one after another look alike.
fn pack(words: &[Value]) -> Box<[u8]> {
    let mut bytes = Vec::with_capacity(words.len());
    for (at, word) in words.iter().enumerate() {
        let near = |to: u64| zigzag((to as i64).wrapping_sub(at as i64));
        match *word {
            Value::Int(number) => push(&mut bytes, 0, zigzag(number)),
            Value::Fn(to) => push(&mut bytes, 1, near(to)),
            Value::Array(to) => push(&mut bytes, 2, near(to)),
            Value::Pair(to) => push(&mut bytes, 3, near(to)),
            Value::Own(to) => push(&mut bytes, 4, near(to)),
            Value::Shared(to) => push(&mut bytes, 5, near(to)),
            Value::Node(to) => push(&mut bytes, 6, near(to)),
            // Between collections there are none, but the type has them.
            Value::Moved(to) => push(&mut bytes, 7, near(to)),
            Value::Applied => push(&mut bytes, 8, 0),
            Value::Header(header) => {
                let (object, len, info) = header.parts();
                push(&mut bytes, 9, object.into());
                push_number(&mut bytes, len.into());
                push_number(&mut bytes, info.into());
            }
        }
    }
    bytes.into_boxed_slice()
}

/// The `len` words of [`pack`].
fn unpack(len: usize, bytes: &[u8]) -> Vec<Value> {
    let (mut words, mut rest) = (Vec::with_capacity(len), bytes);
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        let mut payload = u64::from(first) >> TAG_BITS;
        if payload == LONG {
            payload = payload.wrapping_add(number(&mut rest));
        }
        let near = unzigzag(payload).wrapping_add(words.len() as i64) as u64;
        words.push(match first & ((1 << TAG_BITS) - 1) {
            0 => Value::Int(unzigzag(payload)),
            1 => Value::Fn(near),
            2 => Value::Array(near),
            3 => Value::Pair(near),
            4 => Value::Own(near),
            5 => Value::Shared(near),
            6 => Value::Node(near),
            7 => Value::Moved(near),
            8 => Value::Applied,
            _ => {
                let (len, info) = (number(&mut rest) as u32, number(&mut rest) as u32);
                Value::Header(Header::of_parts((payload as u8, len, info)))
            }
        });
    }
    words
}

fn push(bytes: &mut Vec<u8>, tag: u8, payload: u64) {
    bytes.push(tag | (payload.min(LONG) as u8) << TAG_BITS);
    if let Some(more) = payload.checked_sub(LONG) {
        push_number(bytes, more);
    }
}

fn push_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn number(rest: &mut &[u8]) -> u64 {
    let (mut number, mut shift) = (0, 0);
    while let Some((&byte, after)) = rest.split_first() {
        *rest = after;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
        shift += 7;
    }
    number
}

/// Small numbers of either sign as small numbers.
fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::super::value::Object;
    use super::*;

    #[test]
    fn packed_words_come_back() {
        let numbers = (0..64).flat_map(|bit| [1_i64 << bit, (1_i64 << bit).wrapping_sub(1), -1 << bit]);
        let refs =
            [Value::Fn, Value::Array, Value::Pair, Value::Own, Value::Shared, Value::Node, Value::Moved];
        let mut words = vec![Value::Applied];
        for number in numbers {
            words.push(Value::Int(number));
            words.extend(refs.map(|of| of(number as u64)));
            words.extend([0, 1, 7, 8, 100].map(|near| Value::Pair(words.len() as u64 + near)));
        }
        for object in [Object::Closure, Object::Small, Object::Tree, Object::Shared] {
            for (len, info) in [(0, 0), (2, 0), (127, 128), ((1 << 28) - 1, u32::MAX)] {
                words.push(Value::Header(Header::new(object, len, info)));
            }
        }
        assert_eq!(unpack(words.len(), &pack(&words)), words);
    }

    #[test]
    fn a_list_takes_a_sixth_of_its_size() {
        let pair = |at: u64| {
            let header = Header::new(Object::Small, 2, 0);
            [Value::Header(header), Value::Int(at as i64 / 3), Value::Pair(at + 3)]
        };
        let words: Vec<Value> = (0..1_000).flat_map(|index| pair(3 * index)).collect();
        assert!(pack(&words).len() * 6 <= words.len() * size_of::<Value>());
    }
}
