//! The transposition table: what was found of positions, shared by all threads without a lock.

use std::sync::atomic::{AtomicU64, Ordering};

/// How a stored score relates to the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is at least that.
    Lower,
    /// It is at most that.
    Upper,
    /// It is that.
    Exact,
}

/// What is known of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) score: i32,
    pub(super) depth: u8,
    pub(super) bound: Bound,
    /// The best move, by its place among the legal ones.
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

/// Two words: the entry, and the key mixed with it. What two threads wrote into one place at the same moment does not fit together
/// and is read as nothing (Hyatt and Mann, 2002).
#[derive(Debug, Default)]
struct Place {
    check: AtomicU64,
    word: AtomicU64,
}

/// A table of a fixed size; what comes later replaces what was there.
#[derive(Debug)]
pub(super) struct Table {
    places: Box<[Place]>,
    /// Mixed into all keys. What was put there under another one isn't found any more.
    age: u64,
}

impl Table {
    /// As large as fits into so many mebibytes; at least one.
    pub(super) fn new(mebibytes: usize) -> Self {
        let wanted = (mebibytes.max(1) << 20) / size_of::<Place>();
        let count = if wanted.is_power_of_two() { wanted } else { wanted.next_power_of_two() / 2 };
        Self { places: (0..count).map(|_| Place::default()).collect(), age: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.places.fill_with(Place::default);
    }

    /// Forgets everything without touching it.
    pub(super) fn renew(&mut self) {
        self.age = self.age.wrapping_add(0x9e37_79b9_7f4a_7c15);
    }

    fn place(&self, key: u64) -> &Place {
        &self.places[(key as usize) & (self.places.len() - 1)]
    }

    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let key = key ^ self.age;
        let place = self.place(key);
        let word = place.word.load(Ordering::Relaxed);
        (place.check.load(Ordering::Relaxed) ^ word == key).then(|| Entry::unpack(word))
    }

    pub(super) fn put(&self, key: u64, entry: Entry) {
        let key = key ^ self.age;
        let place = self.place(key);
        let word = entry.pack();
        place.check.store(key ^ word, Ordering::Relaxed);
        place.word.store(word, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_read_as_it_was_written_and_by_its_key_only_until_the_table_is_renewed() {
        let mut table = Table::new(1);
        for (key, score) in
            [(1, -1_000_000), (1 << 40 | 1, 7), (u64::MAX, i32::MIN), (0x1234_5678_9abc_def0, 0)]
        {
            for bound in [Bound::Lower, Bound::Upper, Bound::Exact] {
                let entry = Entry { score, depth: 200, bound, best: 65_535 };
                table.put(key, entry);
                assert_eq!(table.get(key), Some(entry));
                assert_eq!(table.get(key ^ 1 << 63), None);
                table.renew();
                assert_eq!(table.get(key), None);
            }
        }
    }
}
