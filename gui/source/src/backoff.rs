//! Backoff: pauses between attempts, longer after each failure.

use std::time::Duration;

/// Pauses that grow from half a second to ten seconds, and start again after a success.
#[derive(Debug, Default)]
pub(crate) struct Backoff {
    failures: u32,
}

impl Backoff {
    const FIRST: Duration = Duration::from_millis(500);
    const LONGEST: Duration = Duration::from_secs(10);

    /// The pause after one more failure.
    pub(crate) fn next(&mut self) -> Duration {
        let pause = Self::FIRST * 2_u32.pow(self.failures.min(8));
        self.failures += 1;
        pause.min(Self::LONGEST)
    }

    /// Records a success.
    pub(crate) fn reset(&mut self) {
        self.failures = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_ten_seconds_and_begin_anew() {
        let mut backoff = Backoff::default();
        let pauses: Vec<u128> = (0..7).map(|_| backoff.next().as_millis()).collect();
        assert_eq!(pauses, [500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
        (0..100).for_each(|_| assert!(backoff.next() <= Backoff::LONGEST));
        backoff.reset();
        assert_eq!(backoff.next(), Backoff::FIRST);
    }
}
