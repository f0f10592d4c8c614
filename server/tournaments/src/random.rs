//! Random numbers from the tournament's seed, the same on every platform and in every version.

use sha2::{Digest, Sha256};

/// 64 bits for `purpose` and `parts` under `seed`.
///
/// They are the beginning of a SHA-256, because recordings contain the seeds of matches: a reader must not be able to
/// compute the tournament's seed, and with it those of all later matches.
pub(crate) fn derive(seed: u64, purpose: &str, parts: &[u64]) -> u64 {
    let mut hash = Sha256::new();
    hash.update(b"grandstand tournament\0");
    hash.update(seed.to_le_bytes());
    hash.update(purpose.as_bytes());
    hash.update([0]);
    for part in parts {
        hash.update(part.to_le_bytes());
    }
    let bytes = hash.finalize();
    let mut first = [0; 8];
    first.copy_from_slice(&bytes[..8]);
    u64::from_le_bytes(first)
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
#[derive(Debug, Clone)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// The next 64 bits.
    pub(crate) fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which must not be 0; the bias is below 2⁻³² for bounds below 2³².
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_seeds_are_the_same_for_ever() {
        // Existing schedules depend on these values.
        assert_eq!(derive(7, "game", &[0, 1]), derive(7, "game", &[0, 1]));
        assert_ne!(derive(7, "game", &[0, 1]), derive(8, "game", &[0, 1]));
        assert_ne!(derive(7, "game", &[0, 1]), derive(7, "game", &[1, 0]));
        assert_ne!(derive(7, "game", &[0]), derive(7, "lot", &[0]));
    }

    #[test]
    fn every_number_below_the_bound_comes_about_as_often() {
        let mut random = Random(7);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[random.below(6)] += 1;
        }
        assert!(counts.iter().all(|&n| (9_500..10_500).contains(&n)), "{counts:?}");
    }
}
