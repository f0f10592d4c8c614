//! Values and the headers of what lies in a heap.

use crate::world::Kind;

/// An index into a team's heap: where an object's header lies.
pub(crate) type Ref = u64;

/// One word: a value, or, in a heap only, what holds objects together. 16 bytes.
///
/// Every variant holds 64 bits, beside a tag of 8: so words are copied in the same two parts in which they are written. (Written in two
/// parts and read back in one, they would have to wait for the cache.)
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
    /// Where an object has gone, while the heap is being collected.
    Moved(Ref),
    /// In a register: the first of two applications has been made.
    Applied,
}

impl Value {
    /// What a program sees. The others never reach one.
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

/// What an object is, how long, and something more: 4, 28 and 32 bits.
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

    /// Words after the header.
    #[inline]
    pub(crate) fn len(self) -> usize {
        (self.0 as u32 >> 4) as usize
    }

    /// By object: a closure's function; how many arguments a partial application still needs; an array's extent; an own cell's owner.
    #[inline]
    pub(crate) fn info(self) -> u32 {
        (self.0 >> 32) as u32
    }

    #[inline]
    pub(crate) fn with_len(self, len: usize) -> Self {
        Header(self.0 & !0xffff_fff0 | (len as u64) << 4)
    }
}

/// The kinds of objects, with what follows the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Object {
    /// What the function uses from around it.
    Closure,
    /// A closure and its first arguments.
    Partial,
    /// An array of at most [`super::array::WIDTH`] elements.
    Small,
    /// The root of an array's tree.
    Tree,
    /// Another node of it: further nodes, or elements.
    Node,
    /// Its halves.
    Pair,
    /// The value; 1 when it is locked.
    Own,
    /// The value; the holder's pid, or 0; the lock's place among those that the holder holds.
    Shared,
}
