//! Heap of a team: one vector of words, filled from the front, and compacted into another one when it is full.

use super::value::{Header, Object, Ref, Value};

/// The number of words up to which a heap is not collected.
const SMALLEST: usize = 1 << 12;

/// The words of a team. The program's constants come first and never move.
#[derive(Debug)]
pub(crate) struct Heap {
    pub(crate) words: Vec<Value>,
    constants: usize,
    /// The length from which on the heap must be collected.
    full: usize,
    /// The vector for the next collection, kept to be reused.
    spare: Vec<Value>,
}

impl Clone for Heap {
    fn clone(&self) -> Self {
        Heap { words: self.words.clone(), constants: self.constants, full: self.full, spare: Vec::new() }
    }
}

impl Heap {
    pub(crate) fn new(constants: &[Value]) -> Self {
        Heap {
            words: constants.to_vec(),
            constants: constants.len(),
            full: constants.len() + SMALLEST,
            spare: Vec::new(),
        }
    }

    /// A copy with room for `words` more words.
    pub(crate) fn roomy_copy(&self, words: usize) -> Heap {
        Heap { full: self.len() + words, ..self.clone() }
    }

    /// Whether `words` more fit without a collection.
    #[inline]
    pub(crate) fn has_room(&self, words: usize) -> bool {
        self.words.len() + words <= self.full
    }

    /// The number of words in use, including garbage and constants.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// The number of words in use, without the constants.
    pub(crate) fn used(&self) -> usize {
        self.words.len() - self.constants
    }

    /// The address of the next object.
    #[inline]
    pub(crate) fn next(&self) -> Ref {
        self.words.len() as Ref
    }

    #[inline]
    pub(crate) fn header(&self, at: Ref) -> Header {
        match self.words[at as usize] {
            Value::Header(header) => header,
            other => unreachable!("{other:?} instead of an object's header at {at}"),
        }
    }

    #[inline]
    pub(crate) fn get(&self, at: Ref, index: usize) -> Value {
        self.words[at as usize + 1 + index]
    }

    #[inline]
    pub(crate) fn set(&mut self, at: Ref, index: usize, value: Value) {
        self.words[at as usize + 1 + index] = value;
    }

    /// Adds an object. There must be room for it.
    #[inline]
    pub(crate) fn object(&mut self, object: Object, info: u32, words: &[Value]) -> Ref {
        let at = self.next();
        self.words.push(Value::Header(Header::new(object, words.len(), info)));
        self.words.extend_from_slice(words);
        at
    }

    /// Sets the length of the last object to `len`, after its words were added one by one.
    #[inline]
    pub(crate) fn lengthen(&mut self, at: Ref, len: usize) {
        let header = self.header(at);
        self.words[at as usize] = Value::Header(header.with_len(len));
    }

    /// Begins a collection: pass every root to [`Collection::keep`], then call [`Collection::finish`].
    pub(crate) fn collect(&mut self) -> Collection<'_> {
        let mut to = std::mem::take(&mut self.spare);
        to.clear();
        to.extend_from_slice(&self.words[..self.constants]);
        Collection { heap: self, to }
    }
}

/// A collection in progress (Cheney, "A nonrecursive list compacting algorithm", 1970).
#[derive(Debug)]
pub(crate) struct Collection<'h> {
    heap: &'h mut Heap,
    to: Vec<Value>,
}

impl Collection<'_> {
    /// Keeps the object of a root, and updates the root to the object's new address.
    pub(crate) fn keep(&mut self, value: &mut Value) {
        match value {
            Value::Fn(at)
            | Value::Array(at)
            | Value::Pair(at)
            | Value::Own(at)
            | Value::Shared(at)
            | Value::Node(at) => self.keep_object(at),
            Value::Int(_) | Value::Header(_) | Value::Moved(_) | Value::Applied => {}
        }
    }

    pub(crate) fn keep_object(&mut self, at: &mut Ref) {
        let from = *at as usize;
        if from < self.heap.constants {
            return;
        }
        match self.heap.words[from] {
            Value::Moved(to) => *at = to,
            Value::Header(header) => {
                let to = self.to.len() as Ref;
                self.to.extend_from_slice(&self.heap.words[from..=from + header.len()]);
                self.heap.words[from] = Value::Moved(to);
                *at = to;
            }
            other => unreachable!("{other:?} instead of an object's header at {from}"),
        }
    }

    /// Keeps the objects that kept objects refer to.
    pub(crate) fn copy(&mut self) {
        let mut at = self.heap.constants;
        while let Some(&value) = self.to.get(at) {
            let mut value = value;
            self.keep(&mut value);
            self.to[at] = value;
            at += 1;
        }
    }

    /// The new address of an object after the [copying](Self::copy); `None` for one that is not kept.
    pub(crate) fn moved(&self, at: Ref) -> Option<Ref> {
        match self.heap.words.get(at as usize) {
            _ if (at as usize) < self.heap.constants => Some(at),
            Some(Value::Moved(to)) => Some(*to),
            _ => None,
        }
    }

    /// Replaces the heap by the copied words, and leaves room for at least `words` more.
    pub(crate) fn finish(self, words: usize) {
        self.heap.spare = std::mem::replace(&mut self.heap.words, self.to);
        let live = self.heap.words.len();
        self.heap.full = live + words + live.max(SMALLEST);
        // A spare vector that was large once is freed.
        if self.heap.spare.capacity() > 4 * self.heap.full {
            self.heap.spare = Vec::new();
        }
    }
}
