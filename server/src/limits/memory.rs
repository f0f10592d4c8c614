//! Budget for memory held on behalf of clients: summaries, snapshots, checkpoints and responses.
//!
//! Each use has its own share, so that none can take another's. Reserved bytes are returned when the [`Reservation`],
//! or the last copy of the [`held`](MemoryBudget::hold) bytes, is dropped.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use bytes::Bytes;
use grandstand_protocol::words;

words! {
    /// Purpose of held memory.
    MemoryUse {
        /// Summaries of recordings. Past the share, the oldest are read from their files again.
        Summaries = "summaries",
        /// Snapshots for joining spectators, and cached ones for later spectators. Past the share, cached ones are
        /// dropped first, then new requests are refused.
        Snapshots = "pictures",
        /// Checkpoints of recordings. Past the share, those of the least recently read matches are dropped.
        Checkpoints = "places",
        /// Responses that clients are reading. Past the share, further ones are refused.
        Answers = "answers",
    }
}

impl MemoryUse {
    /// Share of the budget, in eighths.
    fn eighths(self) -> usize {
        match self {
            Self::Summaries | Self::Checkpoints => 1,
            Self::Snapshots | Self::Answers => 3,
        }
    }
}

/// The share of a use is exhausted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the server's memory for this is full (`memory-bytes`): try again later")]
pub(crate) struct MemoryFull;

impl From<MemoryFull> for io::Error {
    fn from(full: MemoryFull) -> Self {
        Self::new(io::ErrorKind::OutOfMemory, full)
    }
}

/// Memory budget with a fixed share for each use.
#[derive(Debug)]
pub(crate) struct MemoryBudget {
    limit: usize,
    held: [AtomicUsize; MemoryUse::ALL.len()],
    refused: [AtomicU64; MemoryUse::ALL.len()],
}

impl MemoryBudget {
    /// A budget of `limit` bytes.
    pub(crate) fn new(limit: usize) -> Arc<Self> {
        let held = [const { AtomicUsize::new(0) }; MemoryUse::ALL.len()];
        let refused = [const { AtomicU64::new(0) }; MemoryUse::ALL.len()];
        Arc::new(Self { limit, held, refused })
    }

    /// Share of a use in bytes.
    pub(crate) fn share(&self, what: MemoryUse) -> usize {
        self.limit / 8 * what.eighths()
    }

    /// Bytes currently reserved for a use.
    pub(crate) fn held(&self, what: MemoryUse) -> usize {
        self.held[what as usize].load(Ordering::Relaxed)
    }

    /// Number of refused reservations of a use.
    pub(crate) fn refused(&self, what: MemoryUse) -> u64 {
        self.refused[what as usize].load(Ordering::Relaxed)
    }

    /// Reserves bytes; fails if the share of the use is exhausted.
    pub(crate) fn reserve(
        self: &Arc<Self>,
        what: MemoryUse,
        bytes: usize,
    ) -> Result<Reservation, MemoryFull> {
        let mut reservation = Reservation { memory: self.clone(), what, bytes: 0 };
        reservation.resize(bytes)?;
        Ok(reservation)
    }

    /// Bytes whose reservation lasts as long as a copy of them.
    pub(crate) fn hold(self: &Arc<Self>, what: MemoryUse, bytes: Bytes) -> Result<Bytes, MemoryFull> {
        Ok(self.reserve(what, bytes.len())?.hold(bytes))
    }
}

/// Reserved bytes of a budget, returned on drop.
#[derive(Debug)]
pub(crate) struct Reservation {
    memory: Arc<MemoryBudget>,
    what: MemoryUse,
    bytes: usize,
}

impl Reservation {
    /// Sets the size in bytes; on failure it stays as it was.
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

    /// Attaches the reservation to the bytes that it was made for, until the last copy of them is dropped.
    pub(crate) fn hold(self, bytes: Bytes) -> Bytes {
        Bytes::from_owner(Held { bytes, _reservation: self })
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.memory.held[self.what as usize].fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// LRU cache with a limit in bytes.
#[derive(Debug)]
pub(crate) struct LruCache<K, V> {
    limit: usize,
    bytes: usize,
    /// Entries with their size, the most recently used last.
    values: VecDeque<(K, V, usize)>,
}

impl<K: PartialEq, V: Clone> LruCache<K, V> {
    /// Maximum number of entries, whatever their size.
    const MOST: usize = 256;

    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, bytes: 0, values: VecDeque::new() }
    }

    /// The value of a key, which becomes the most recently used.
    pub(crate) fn get(&mut self, key: &K) -> Option<V> {
        let index = self.values.iter().position(|(kept, ..)| kept == key)?;
        let found = self.values.remove(index)?;
        let value = found.1.clone();
        self.values.push_back(found);
        Some(value)
    }

    /// Inserts a value of the given size, replacing the key's old one; a value above the limit is not kept.
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

    /// Drops the least recently used entry; false if there is none.
    pub(crate) fn drop_oldest(&mut self) -> bool {
        let had = !self.values.is_empty();
        self.drop_at(0);
        had
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
