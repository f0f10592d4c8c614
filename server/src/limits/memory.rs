//! Budget of the memory that others can make this server hold: summaries, snapshots, checkpoints and answers.
//!
//! Each use has a share of its own, so that none of them can take another's. What is reserved is given back when the
//! [`Reservation`], or the last copy of the [`held`](MemoryBudget::hold) bytes, is dropped.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use bytes::Bytes;
use grandstand_protocol::words;

words! {
    /// Purpose of held memory.
    MemoryUse {
        /// Summaries of recordings. When they are too many, the oldest are read from their files again.
        Summaries = "summaries",
        /// Snapshots for those who join, and kept for those who follow. When there are too many, kept ones go, and
        /// then newcomers are refused.
        Snapshots = "pictures",
        /// Checkpoints of recordings. When they are too many, those of the matches that were read longest ago go.
        Checkpoints = "places",
        /// Answers that are being read. When they are too many, further ones are refused.
        Answers = "answers",
    }
}

impl MemoryUse {
    /// Its share of the budget, in eighths.
    fn eighths(self) -> usize {
        match self {
            Self::Summaries | Self::Checkpoints => 1,
            Self::Snapshots | Self::Answers => 3,
        }
    }
}

/// A use's share is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the server's memory for this is full (`memory-bytes`): try again later")]
pub(crate) struct MemoryFull;

impl From<MemoryFull> for io::Error {
    fn from(full: MemoryFull) -> Self {
        Self::new(io::ErrorKind::OutOfMemory, full)
    }
}

/// The budget.
#[derive(Debug)]
pub(crate) struct MemoryBudget {
    limit: usize,
    held: [AtomicUsize; MemoryUse::ALL.len()],
    refused: [AtomicU64; MemoryUse::ALL.len()],
}

impl MemoryBudget {
    /// A budget of so many bytes.
    pub(crate) fn new(limit: usize) -> Arc<Self> {
        let held = [const { AtomicUsize::new(0) }; MemoryUse::ALL.len()];
        let refused = [const { AtomicU64::new(0) }; MemoryUse::ALL.len()];
        Arc::new(Self { limit, held, refused })
    }

    /// The bytes that a use may hold.
    pub(crate) fn share(&self, what: MemoryUse) -> usize {
        self.limit / 8 * what.eighths()
    }

    /// The bytes that a use holds.
    pub(crate) fn held(&self, what: MemoryUse) -> usize {
        self.held[what as usize].load(Ordering::Relaxed)
    }

    /// How many times a use was refused more.
    pub(crate) fn refused(&self, what: MemoryUse) -> u64 {
        self.refused[what as usize].load(Ordering::Relaxed)
    }

    /// Reserves bytes.
    pub(crate) fn reserve(
        self: &Arc<Self>,
        what: MemoryUse,
        bytes: usize,
    ) -> Result<Reservation, MemoryFull> {
        let mut reservation = Reservation { memory: self.clone(), what, bytes: 0 };
        reservation.resize(bytes)?;
        Ok(reservation)
    }

    /// Bytes that are reserved as long as there is a copy of them.
    pub(crate) fn hold(self: &Arc<Self>, what: MemoryUse, bytes: Bytes) -> Result<Bytes, MemoryFull> {
        Ok(self.reserve(what, bytes.len())?.hold(bytes))
    }
}

/// Bytes of a budget, given back when this is dropped.
#[derive(Debug)]
pub(crate) struct Reservation {
    memory: Arc<MemoryBudget>,
    what: MemoryUse,
    bytes: usize,
}

impl Reservation {
    /// Makes it as large as this; it stays as it was if that is too much.
    pub(crate) fn resize(&mut self, bytes: usize) -> Result<(), MemoryFull> {
        let held = &self.memory.held[self.what as usize];
        if let Some(less) = self.bytes.checked_sub(bytes) {
            held.fetch_sub(less, Ordering::Relaxed);
        } else {
            let share = self.memory.share(self.what);
            let more = bytes - self.bytes;
            let grown = |held: usize| held.checked_add(more).filter(|held| *held <= share);
            if held.fetch_update(Ordering::Relaxed, Ordering::Relaxed, grown).is_err() {
                self.memory.refused[self.what as usize].fetch_add(1, Ordering::Relaxed);
                return Err(MemoryFull);
            }
        }
        self.bytes = bytes;
        Ok(())
    }

    /// The bytes that it is for, which keep it until the last copy of them is dropped.
    pub(crate) fn hold(self, bytes: Bytes) -> Bytes {
        Bytes::from_owner(Held { bytes, _reservation: self })
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.memory.held[self.what as usize].fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Cache of the values that were used last, up to a limit of bytes.
#[derive(Debug)]
pub(crate) struct LruCache<K, V> {
    limit: usize,
    bytes: usize,
    /// Those that were wanted last come last.
    values: VecDeque<(K, V, usize)>,
}

impl<K: PartialEq, V: Clone> LruCache<K, V> {
    /// At most so many values are kept, whatever they take.
    const MOST: usize = 256;

    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, bytes: 0, values: VecDeque::new() }
    }

    /// The value of a key.
    pub(crate) fn get(&mut self, key: &K) -> Option<V> {
        let index = self.values.iter().position(|(kept, ..)| kept == key)?;
        let found = self.values.remove(index)?;
        let value = found.1.clone();
        self.values.push_back(found);
        Some(value)
    }

    /// Keeps a value of so many bytes in place of the one of the same key, unless it is too large.
    pub(crate) fn put(&mut self, key: K, value: V, bytes: usize) {
        if let Some(index) = self.values.iter().position(|(kept, ..)| *kept == key) {
            self.drop_at(index);
        }
        if bytes > self.limit {
            return;
        }
        while self.bytes + bytes > self.limit || self.values.len() >= Self::MOST {
            self.drop_at(0);
        }
        self.bytes += bytes;
        self.values.push_back((key, value, bytes));
    }

    fn drop_at(&mut self, index: usize) {
        if let Some((_, _, bytes)) = self.values.remove(index) {
            self.bytes -= bytes;
        }
    }
}

/// Bytes with their reservation.
struct Held {
    bytes: Bytes,
    _reservation: Reservation,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_with_the_last_copy_and_no_use_takes_anothers() {
        let memory = MemoryBudget::new(800);
        let held = memory.hold(MemoryUse::Answers, Bytes::from(vec![7; 250])).unwrap();
        let copy = held.slice(10..20);
        assert_eq!(memory.held(MemoryUse::Answers), 250);
        assert_eq!(memory.reserve(MemoryUse::Answers, 51).err(), Some(MemoryFull));
        assert_eq!((memory.refused(MemoryUse::Answers), memory.refused(MemoryUse::Checkpoints)), (1, 0));
        let mut place = memory.reserve(MemoryUse::Checkpoints, 100).unwrap();
        assert_eq!(place.resize(101), Err(MemoryFull));
        place.resize(40).unwrap();
        assert_eq!(memory.held(MemoryUse::Checkpoints), 40);
        drop(held);
        assert_eq!(memory.held(MemoryUse::Answers), 250);
        assert_eq!(copy, vec![7; 10]);
        drop((copy, place));
        assert_eq!(MemoryUse::ALL.map(|what| memory.held(what)), [0; 4]);
    }

    #[test]
    fn what_is_kept_is_what_was_wanted_last() {
        let mut kept = LruCache::new(10);
        for key in 1..=3 {
            kept.put(key, key * 100, 3);
        }
        assert_eq!(kept.get(&1), Some(100));
        kept.put(4, 400, 3);
        assert_eq!([1, 2, 3, 4].map(|key| kept.get(&key)), [Some(100), None, Some(300), Some(400)]);
        kept.put(4, 401, 8);
        assert_eq!([1, 3, 4].map(|key| kept.get(&key)), [None, None, Some(401)]);
        kept.put(4, 402, 11);
        assert_eq!((kept.get(&4), kept.bytes), (None, 0));
    }
}
