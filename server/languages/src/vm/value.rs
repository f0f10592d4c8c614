//! Values, and the headers of objects in a heap.

use crate::world::Kind;

/// An index into a team's heap: the address of an object's header.
pub(crate) type Ref = u64;

/// One word: a value or, only in a heap, an object's metadata. 16 bytes.
///
/// Every variant holds 64 bits, beside a tag of 8, so that words are copied in the same two parts in which they are written. (A read in
/// one part after a write in two would defeat store forwarding and stall.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Value {
    Int(i64),
    /// A closure or a partial application.
    Fn(Ref),
    Array(Ref),
    Pair(Ref),
    Own(Ref),
    Shared(Ref),
    /// A node of an array's tree.
    Node(Ref),
    /// The first word of an object.
    Header(Header),
    /// The new address of an object, during a collection.
    Moved(Ref),
    /// In a register: the first of two applications has been performed.
    Applied,
}

impl Value {
    /// The kind of a value that a program sees. Other variants never reach a program.
    pub(crate) fn kind(self) -> Kind {
        match self {
            Value::Fn(_) => Kind::Function,
            Value::Array(_) | Value::Node(_) => Kind::Array,
            Value::Pair(_) => Kind::Pair,
            Value::Own(_) | Value::Shared(_) => Kind::Cell,
            Value::Int(_) | Value::Header(_) | Value::Moved(_) | Value::Applied => Kind::Integer,
        }
    }
}

/// An object's kind, length and additional information: 4, 28 and 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header(u64);

impl Header {
    #[inline]
    pub(crate) fn new(object: Object, len: usize, info: u32) -> Self {
        debug_assert!(len < 1 << 28, "objects are short");
        Header(u64::from(info) << 32 | (len as u64) << 4 | object as u64)
    }

    #[inline]
    pub(crate) fn is(self, object: Object) -> bool {
        self.0 & 15 == object as u64
    }

    /// The number of words after the header.
    #[inline]
    pub(crate) fn len(self) -> usize {
        (self.0 as u32 >> 4) as usize
    }

    /// The additional information: a closure's function; the number of arguments that a partial application lacks; an
    /// array's extent; an own cell's owner.
    #[inline]
    pub(crate) fn info(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// Kind, length and additional information, for [`of_parts`](Self::of_parts).
    pub(crate) fn parts(self) -> (u8, u32, u32) {
        (self.0 as u8 & 15, self.len() as u32, self.info())
    }

    pub(crate) fn of_parts((object, len, info): (u8, u32, u32)) -> Self {
        Header(u64::from(info) << 32 | u64::from(len) << 4 | u64::from(object))
    }

    #[inline]
    pub(crate) fn with_len(self, len: usize) -> Self {
        Header(self.0 & !0xffff_fff0 | (len as u64) << 4)
    }
}

/// The kinds of objects, with the words after the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Object {
    /// The captured values.
    Closure,
    /// A closure and its first arguments.
    Partial,
    /// An array of at most [`super::array::WIDTH`] elements.
    Small,
    /// The root of an array's tree: its children.
    Tree,
    /// An inner node of the tree: further nodes, or elements.
    Node,
    /// The halves.
    Pair,
    /// The content; 1 if the cell is locked.
    Own,
    /// The content; the lock holder's pid, or 0; the index of the lock in the holder's list.
    Shared,
}
