//! Arrays as persistent trees: up to 16 elements in one object, else nodes of 16. Reading and updating visit one node per level.

use super::heap::Heap;
use super::value::{Object, Ref, Value};

/// The number of branches of a node.
pub(crate) const WIDTH: usize = 16;
const BITS: u32 = 4;
/// The most words that one update adds: eight levels hold every index below 2³², and a growing tree can add as many on top.
pub(crate) const UPDATE_WORDS: usize = 2 * 8 * (WIDTH + 1) + WIDTH + 1;

/// The most words of an array of `len` elements.
pub(crate) fn words(len: usize) -> usize {
    if len <= WIDTH { len + 1 } else { (len / WIDTH + 1) * (WIDTH + 1) * 2 + 8 * (WIDTH + 1) }
}

/// The number of levels of a tree for indices below `extent`.
fn levels(extent: u32) -> u32 {
    (32 - (extent - 1).leading_zeros()).div_ceil(BITS)
}

/// The element at `index`.
#[inline]
pub(crate) fn get(heap: &Heap, array: Ref, index: u64) -> Value {
    let header = heap.header(array);
    if index >= u64::from(header.info()) {
        return Value::Int(0);
    }
    if header.is(Object::Small) {
        return heap.get(array, index as usize);
    }
    let mut shift = (levels(header.info()) - 1) * BITS;
    let mut node = array;
    loop {
        let child = heap.get(node, (index >> shift) as usize % WIDTH);
        if shift == 0 {
            return child;
        }
        match child {
            Value::Node(next) => node = next,
            _ => return Value::Int(0),
        }
        shift -= BITS;
    }
}

/// A new array with `value` at `index`. The heap must have room for [`UPDATE_WORDS`].
pub(crate) fn set(heap: &mut Heap, array: Ref, index: u32, value: Value) -> Ref {
    let old = heap.header(array);
    let extent = old.info().max(index + 1);
    if extent as usize <= WIDTH {
        let mut elements = [Value::Int(0); WIDTH];
        let from = array as usize + 1;
        elements[..old.len()].copy_from_slice(&heap.words[from..from + old.len()]);
        elements[index as usize] = value;
        return heap.object(Object::Small, extent, &elements[..extent as usize]);
    }
    let height = levels(extent);
    let mut old_height = if old.is(Object::Small) { u32::from(old.info() > 0) } else { levels(old.info()) };
    // The old tree as a node of the lowest sufficient height, or nothing.
    let mut below = match old_height {
        0 => Value::Int(0),
        _ if old_height == height => Value::Node(array),
        _ => Value::Node(copy(heap, Object::Node, 0, array, old.len())),
    };
    while old_height < height - 1 && old_height > 0 {
        let mut children = [Value::Int(0); WIDTH];
        children[0] = below;
        below = Value::Node(heap.object(Object::Node, 0, &children));
        old_height += 1;
    }
    let root = if old_height == height {
        copy(heap, Object::Tree, extent, array, WIDTH)
    } else {
        let mut children = [Value::Int(0); WIDTH];
        children[0] = below;
        heap.object(Object::Tree, extent, &children)
    };
    // Copies the nodes on the path down.
    let mut node = root;
    for level in (1..height).rev() {
        let branch = (index >> (level * BITS)) as usize % WIDTH;
        let child = match heap.get(node, branch) {
            Value::Node(child) => copy(heap, Object::Node, 0, child, WIDTH),
            _ => heap.object(Object::Node, 0, &[Value::Int(0); WIDTH]),
        };
        heap.set(node, branch, Value::Node(child));
        node = child;
    }
    heap.set(node, index as usize % WIDTH, value);
    root
}

/// A full node that begins with the first `len` words of another object.
fn copy(heap: &mut Heap, object: Object, info: u32, from: Ref, len: usize) -> Ref {
    let mut words = [Value::Int(0); WIDTH];
    let start = from as usize + 1;
    words[..len].copy_from_slice(&heap.words[start..start + len]);
    heap.object(object, info, &words)
}

/// An array of these elements. The heap must have room for [`words`].
pub(crate) fn build(heap: &mut Heap, elements: &[Value]) -> Ref {
    let extent = elements.len() as u32;
    if elements.len() <= WIDTH {
        return heap.object(Object::Small, extent, elements);
    }
    let mut level = elements.to_vec();
    while level.len() > WIDTH {
        let nodes = level.chunks(WIDTH).map(|chunk| {
            let mut words = [Value::Int(0); WIDTH];
            words[..chunk.len()].copy_from_slice(chunk);
            Value::Node(heap.object(Object::Node, 0, &words))
        });
        level = nodes.collect();
    }
    let mut words = [Value::Int(0); WIDTH];
    words[..level.len()].copy_from_slice(&level);
    heap.object(Object::Tree, extent, &words)
}

/// The highest index that was ever written, plus one.
pub(crate) fn extent(heap: &Heap, array: Ref) -> u32 {
    heap.header(array).info()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn updates_agree_with_a_vector() {
        let mut heap = Heap::new(&[]);
        let mut array = build(&mut heap, &[]);
        let mut model: Vec<i64> = Vec::new();
        let mut older = Vec::new();
        let mut state = 1_u64;
        for step in 0..3000_i64 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let reach = 1 << (state >> 60).min(13);
            let index = (state >> 20) as usize % (model.len() + reach);
            if index >= model.len() {
                model.resize(index + 1, 0);
            }
            model[index] = step;
            array = set(&mut heap, array, index as u32, Value::Int(step));
            if step % 500 == 0 {
                older.push((array, model.clone()));
            }
        }
        older.push((array, model));
        for (array, model) in older {
            assert_eq!(extent(&heap, array) as usize, model.len());
            for (index, &element) in model.iter().enumerate() {
                assert_eq!(get(&heap, array, index as u64), Value::Int(element), "{index}");
            }
            assert_eq!(get(&heap, array, model.len() as u64), Value::Int(0));
        }
    }

    #[test]
    fn built_arrays_hold_their_elements() {
        for len in [0, 1, 15, 16, 17, 255, 256, 257, 5000] {
            let mut heap = Heap::new(&[]);
            let elements: Vec<Value> = (0..len).map(Value::Int).collect();
            let array = build(&mut heap, &elements);
            assert!(heap.len() <= words(elements.len()), "{len}: {}", heap.len());
            for index in 0..len {
                assert_eq!(get(&heap, array, index as u64), Value::Int(index));
            }
            let before = heap.len();
            let far = set(&mut heap, array, u32::MAX - 1, Value::Int(7));
            assert!(heap.len() - before <= UPDATE_WORDS);
            assert_eq!(get(&heap, far, u64::from(u32::MAX - 1)), Value::Int(7));
            assert_eq!(get(&heap, far, 3), get(&heap, array, 3));
        }
    }
}
