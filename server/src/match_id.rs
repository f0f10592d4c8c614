//! Match ids (ULIDs): unique everywhere, sortable by time.

use std::fmt;
use std::str::FromStr;
use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

use grandstand_protocol::message::MatchId;

use crate::locked::Locked as _;

const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LEN: usize = 26;

/// A [ULID](https://github.com/ulid/spec): 48 bits of Unix milliseconds and 80 random bits.
///
/// Its text is 26 characters of Crockford's base 32; the order of the texts is that of the numbers, by time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ulid(u128);

impl Ulid {
    /// Unix milliseconds of its creation.
    pub(crate) fn unix_millis(self) -> u64 {
        (self.0 >> 80) as u64
    }
}

impl fmt::Display for Ulid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0u8; LEN];
        for (i, place) in text.iter_mut().enumerate() {
            let shift = 5 * (LEN - 1 - i);
            *place = DIGITS[((self.0 >> shift) & 31) as usize];
        }
        // The digits are ASCII, so the fallback is unreachable.
        f.write_str(std::str::from_utf8(&text).unwrap_or_default())
    }
}

impl fmt::Debug for Ulid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a ULID.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a ULID has 26 characters of 0-9 and A-Z without I, L, O and U")]
pub(crate) struct UlidError;

impl FromStr for Ulid {
    type Err = UlidError;

    /// Parses the canonical text. Lower-case letters and Crockford's look-alikes are refused, so that a match has one
    /// address.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bytes = text.as_bytes();
        // The first digit has three bits only.
        if bytes.len() != LEN || bytes[0] > b'7' {
            return Err(UlidError);
        }
        let mut value = 0u128;
        for byte in bytes {
            let digit = DIGITS.iter().position(|d| d == byte).ok_or(UlidError)?;
            value = (value << 5) | digit as u128;
        }
        Ok(Self(value))
    }
}

/// Generator of ids that grow strictly within a process, even if the clock stands still or steps back.
#[derive(Debug, Default)]
pub(crate) struct IdSource {
    last: Mutex<u128>,
}

impl IdSource {
    /// The next id, for a match that begins at `now`.
    pub(crate) fn next(&self, now: SystemTime) -> MatchId {
        let text = self.next_ulid(now).to_string();
        // 26 letters and digits are always an id.
        text.parse().unwrap_or_else(|_| unreachable!("{text} is an id"))
    }

    fn next_ulid(&self, now: SystemTime) -> Ulid {
        let millis = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() & ((1 << 48) - 1);
        let mut random = [0u8; 16];
        // Without randomness from the system the ids still grow and are unique within this process.
        let _ = getrandom::fill(&mut random[..10]);
        let random = u128::from_le_bytes(random);
        let mut last = self.last.locked();
        let fresh = (millis << 80) | random;
        *last = if fresh > *last && (fresh >> 80) > (*last >> 80) { fresh } else { *last + 1 };
        Ulid(*last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn ids_grow_and_their_texts_sort_alike() {
        let source = IdSource::default();
        let start = UNIX_EPOCH + Duration::from_millis(1_700_000_000_123);
        // The clock stands, moves on, and steps back.
        let times = [0i64, 0, 1, 5, 5, -3_000, 6].map(|d| {
            if d < 0 {
                start - Duration::from_millis(d.unsigned_abs())
            } else {
                start + Duration::from_millis(d as u64)
            }
        });
        let ids: Vec<Ulid> = times.iter().map(|t| source.next_ulid(*t)).collect();
        for pair in ids.windows(2) {
            assert!(pair[0] < pair[1]);
            assert!(pair[0].to_string() < pair[1].to_string());
        }
        assert_eq!(ids[0].unix_millis(), 1_700_000_000_123);
    }

    #[test]
    fn text_round_trips_and_others_are_refused() {
        let id = IdSource::default().next_ulid(SystemTime::now());
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!("7ZZZZZZZZZZZZZZZZZZZZZZZZZ".parse::<Ulid>().map(|i| i.0), Ok(u128::MAX));
        for wrong in [
            "",
            "0",
            "8ZZZZZZZZZZZZZZZZZZZZZZZZZ",
            "01ARZ3NDEKTSV4RRFFQ69G5FAI",
            "../../../../../etc/passwd.",
            "01arz3ndektsv4rrffq69g5fav",
        ] {
            assert!(wrong.parse::<Ulid>().is_err(), "{wrong}");
        }
    }
}
