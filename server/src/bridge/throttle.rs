//! How fast one connection may send lines.

use std::time::{Duration, Instant};

/// Lines that may come at once, in seconds' worth of the rate.
const BURST_SECS: f64 = 2.0;

/// A bucket of tokens, one a line, filled at the permitted rate. When it is empty the connection is not read for a
/// while, so that its peer is slowed by TCP and nothing is lost.
#[derive(Debug)]
pub(crate) struct Throttle {
    per_second: f64,
    tokens: f64,
    filled: Instant,
}

impl Throttle {
    /// A full bucket.
    pub(crate) fn new(lines_per_second: u32, now: Instant) -> Self {
        let per_second = f64::from(lines_per_second.max(1));
        Self { per_second, tokens: per_second * BURST_SECS, filled: now }
    }

    /// Takes `lines` tokens; how long to wait before reading on.
    pub(crate) fn take(&mut self, lines: u32, now: Instant) -> Duration {
        let gained = (now - self.filled).as_secs_f64() * self.per_second;
        self.filled = now;
        self.tokens = (self.tokens + gained).min(self.per_second * BURST_SECS) - f64::from(lines);
        Duration::from_secs_f64((-self.tokens / self.per_second).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_passes_and_then_the_rate_holds() {
        let start = Instant::now();
        let mut throttle = Throttle::new(1000, start);
        assert_eq!(throttle.take(2000, start), Duration::ZERO);
        assert_eq!(throttle.take(500, start), Duration::from_millis(500));
        let later = start + Duration::from_secs(1);
        assert_eq!(throttle.take(500, later), Duration::ZERO);
        assert_eq!(throttle.take(1, later), Duration::from_millis(1));
        // A long rest fills no more than the burst.
        let later = later + Duration::from_secs(3600);
        assert_eq!(throttle.take(3000, later), Duration::from_secs(1));
    }
}
