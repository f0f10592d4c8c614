//! Chance that the tournament's seed gives, the same on every platform and in every version.

use sha2::{Digest, Sha256};

/// 64 bits for `purpose` and `parts` under `seed`.
///
/// It is the beginning of a SHA-256, because the seeds of matches stand in their recordings: whoever reads one must not be
/// able to compute the tournament's own, and with it those of all matches to come.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_seeds_are_the_same_for_ever() {
        // Schedules that were begun depend on them.
        assert_eq!(derive(7, "game", &[0, 1]), derive(7, "game", &[0, 1]));
        assert_ne!(derive(7, "game", &[0, 1]), derive(8, "game", &[0, 1]));
        assert_ne!(derive(7, "game", &[0, 1]), derive(7, "game", &[1, 0]));
        assert_ne!(derive(7, "game", &[0]), derive(7, "lot", &[0]));
    }
}
