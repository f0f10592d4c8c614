//! Transposition table: search results by position, shared by threads without locks.

use std::sync::atomic::{AtomicU64, Ordering};

use super::geometry::{NOWHERE, Point};

/// The relation of a stored score to the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// The true score is at most the stored one.
    Upper,
    /// The true score is at least the stored one.
    Lower,
    /// The true score is the stored one.
    Exact,
}

/// A search result of a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) best: Point,
    /// The score from the view of the side to move; wins are counted from this position, see [`super::score`].
    pub(super) score: i16,
    /// The static evaluation, or [`NO_EVAL`].
    pub(super) eval: i16,
    pub(super) depth: u8,
    pub(super) bound: Bound,
}

/// The evaluation of a position that was searched without one.
pub(super) const NO_EVAL: i16 = i16::MIN;

impl Entry {
    /// The static evaluation, if there is one.
    #[inline]
    pub(super) fn evaluation(&self) -> Option<i32> {
        (self.eval != NO_EVAL).then_some(i32::from(self.eval))
    }
}

/// Each entry is two words; the first is the position's hash XOR the second, so an entry that two threads wrote at
/// once matches no position. A returned entry may still belong to another position: its move must be checked.
pub(super) struct TranspositionTable {
    words: Vec<AtomicU64>,
    generation: AtomicU64,
}

/// Entries that share a cache line.
const BUCKET: usize = 4;

impl TranspositionTable {
    /// A table of at most `mebibytes` MiB, at least one.
    pub(super) fn new(mebibytes: usize) -> TranspositionTable {
        let buckets = (mebibytes.max(1) << 20) / (BUCKET * 16);
        let buckets = if buckets.is_power_of_two() { buckets } else { buckets.next_power_of_two() / 2 };
        let mut words = Vec::new();
        words.resize_with(buckets * BUCKET * 2, || AtomicU64::new(0));
        TranspositionTable { words, generation: AtomicU64::new(0) }
    }

    /// The size in MiB.
    pub(super) fn mebibytes(&self) -> usize {
        (self.words.len() * 8) >> 20
    }

    /// Forgets everything.
    pub(super) fn clear(&self) {
        for word in &self.words {
            word.store(0, Ordering::Relaxed);
        }
    }

    /// Begins a new search: entries of former searches are replaced first.
    pub(super) fn age(&self) {
        self.generation.fetch_add(1, Ordering::Relaxed);
    }

    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let buckets = self.words.len() / (2 * BUCKET);
        let start = (key as usize & (buckets - 1)) * 2 * BUCKET;
        &self.words[start..start + 2 * BUCKET]
    }

    /// The entry of the position with this hash.
    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        for slot in self.bucket(key).chunks_exact(2) {
            let data = slot[1].load(Ordering::Relaxed);
            if slot[0].load(Ordering::Relaxed) ^ data == key && data != 0 {
                return Some(unpack(data));
            }
        }
        None
    }

    /// Stores an entry for the position with this hash.
    pub(super) fn store(&self, key: u64, mut entry: Entry) {
        let generation = self.generation.load(Ordering::Relaxed) & 0x3f;
        let bucket = self.bucket(key);
        let mut victim = 0;
        let mut worst = i32::MAX;
        for (index, slot) in bucket.chunks_exact(2).enumerate() {
            let data = slot[1].load(Ordering::Relaxed);
            if slot[0].load(Ordering::Relaxed) ^ data == key && data != 0 {
                let old = unpack(data);
                if entry.best == NOWHERE {
                    entry.best = old.best;
                }
                let current = data >> 58 == generation;
                if current && entry.bound != Bound::Exact && i32::from(entry.depth) + 3 < i32::from(old.depth)
                {
                    return;
                }
                victim = index;
                break;
            }
            let age = ((generation.wrapping_sub(data >> 58)) & 0x3f) as i32;
            let value = if data == 0 { i32::MIN } else { (data >> 42 & 0xff) as i32 - 4 * age };
            if value < worst {
                worst = value;
                victim = index;
            }
        }
        let data = pack(entry) | generation << 58;
        bucket[2 * victim].store(key ^ data, Ordering::Relaxed);
        bucket[2 * victim + 1].store(data, Ordering::Relaxed);
    }
}

/// Packs an entry. Bits from the lowest: 10 point, 16 score, 16 evaluation, 8 depth, 2 bound, 6 empty, 6 generation. Never zero.
fn pack(entry: Entry) -> u64 {
    let bound = match entry.bound {
        Bound::Upper => 1u64,
        Bound::Lower => 2,
        Bound::Exact => 3,
    };
    u64::from(entry.best & 0x3ff)
        | u64::from(entry.score as u16) << 10
        | u64::from(entry.eval as u16) << 26
        | u64::from(entry.depth) << 42
        | bound << 50
}

fn unpack(data: u64) -> Entry {
    Entry {
        best: (data & 0x3ff) as Point,
        score: (data >> 10) as u16 as i16,
        eval: (data >> 26) as u16 as i16,
        depth: (data >> 42) as u8,
        bound: match data >> 50 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_comes_back_as_it_was_stored() {
        let table = TranspositionTable::new(1);
        for (n, bound) in [(1u64, Bound::Upper), (2, Bound::Lower), (3, Bound::Exact)] {
            let entry = Entry { best: 1000, score: -29_990, eval: -7, depth: 200, bound };
            table.store(n << 40 | 5, entry);
            let back = table.probe(n << 40 | 5).expect("stored");
            assert_eq!(
                (back.best, back.score, back.eval, back.depth, back.bound),
                (1000, -29_990, -7, 200, bound)
            );
        }
        assert!(table.probe(77).is_none());
    }

    #[test]
    fn a_torn_entry_is_no_entry() {
        let table = TranspositionTable::new(1);
        table.store(9, Entry { best: 4, score: 1, eval: 1, depth: 1, bound: Bound::Exact });
        for word in &table.words {
            word.fetch_xor(u64::from(word.load(Ordering::Relaxed) != 0) << 20, Ordering::Relaxed);
        }
        table.words[1].fetch_xor(1, Ordering::Relaxed);
        for key in 0..64 {
            assert!(key != 9 || table.probe(key).is_none_or(|e| e.best == 4));
        }
    }
}
