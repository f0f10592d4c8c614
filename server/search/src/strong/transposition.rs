//! Transposition table: search results by position, shared by all threads without a lock.

use std::sync::atomic::{AtomicU64, Ordering};

/// The relation of a stored score to the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// The true score is at least the stored one.
    Lower,
    /// The true score is at most the stored one.
    Upper,
    /// The true score is the stored one.
    Exact,
}

/// A search result of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) score: i32,
    pub(super) depth: u8,
    pub(super) bound: Bound,
    /// The best move, as an index among the legal moves.
    pub(super) best: u16,
}

impl Entry {
    fn pack(self) -> u64 {
        u64::from(self.score as u32)
            | u64::from(self.best) << 32
            | u64::from(self.depth) << 48
            | (self.bound as u64) << 56
    }

    fn unpack(word: u64) -> Self {
        let bound = match word >> 56 {
            0 => Bound::Lower,
            1 => Bound::Upper,
            _ => Bound::Exact,
        };
        Self { score: word as u32 as i32, best: (word >> 32) as u16, depth: (word >> 48) as u8, bound }
    }
}

/// Two words: the entry, and the key combined with it. Words that two threads wrote into one slot at the same moment do not match
/// and are ignored (Hyatt and Mann, 2002).
#[derive(Debug, Default)]
struct Slot {
    check: AtomicU64,
    word: AtomicU64,
}

/// A table of a fixed size; a later entry replaces the one in its slot.
#[derive(Debug)]
pub(super) struct TranspositionTable {
    places: Box<[Slot]>,
}

impl TranspositionTable {
    /// The largest table that fits into `mebibytes` MiB; at least one MiB.
    pub(super) fn new(mebibytes: usize) -> Self {
        let wanted = (mebibytes.max(1) << 20) / size_of::<Slot>();
        let count = if wanted.is_power_of_two() { wanted } else { wanted.next_power_of_two() / 2 };
        Self { places: (0..count).map(|_| Slot::default()).collect() }
    }

    pub(super) fn clear(&mut self) {
        self.places.fill_with(Slot::default);
    }

    fn place(&self, key: u64) -> &Slot {
        &self.places[(key as usize) & (self.places.len() - 1)]
    }

    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let place = self.place(key);
        let word = place.word.load(Ordering::Relaxed);
        (place.check.load(Ordering::Relaxed) ^ word == key).then(|| Entry::unpack(word))
    }

    pub(super) fn put(&self, key: u64, entry: Entry) {
        let place = self.place(key);
        let word = entry.pack();
        place.check.store(key ^ word, Ordering::Relaxed);
        place.word.store(word, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRIES: [(u64, i32); 4] =
        [(1, -1_000_000), (1 << 40 | 1, 7), (u64::MAX, i32::MIN), (0x1234_5678_9abc_def0, 0)];

    #[test]
    fn an_entry_is_read_as_it_was_written_and_by_its_key_only() {
        let table = TranspositionTable::new(1);
        for (key, score) in ENTRIES {
            for bound in [Bound::Lower, Bound::Upper, Bound::Exact] {
                let entry = Entry { score, depth: 200, bound, best: 65_535 };
                table.put(key, entry);
                assert_eq!(table.get(key), Some(entry));
                assert_eq!(table.get(key ^ 1 << 63), None);
            }
        }
    }
}
