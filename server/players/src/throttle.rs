//! Rate limit of one connection: a token bucket.

use std::time::{Duration, Instant};

/// Size of the burst that is admitted at once, as seconds of the rate.
const BURST_SECS: f64 = 2.0;

/// Token bucket with one token a line, filled at the permitted rate. While it is empty the connection is not read, so
/// that TCP slows the peer down and nothing is lost.
#[derive(Debug)]
pub struct Throttle {
    per_second: f64,
    tokens: f64,
    filled: Instant,
}

impl Throttle {
    /// A full bucket.
    pub fn new(lines_per_second: u32, now: Instant) -> Self {
        let per_second = f64::from(lines_per_second.max(1));
        Self { per_second, tokens: per_second * BURST_SECS, filled: now }
    }

    /// Takes `lines` tokens; returns the time to wait before reading on.
    pub fn take(&mut self, lines: u32, now: Instant) -> Duration {
        self.fill(now);
        self.tokens -= f64::from(lines);
        Duration::from_secs_f64((-self.tokens / self.per_second).max(0.0))
    }

    /// Takes one token if there is one; returns whether there was.
    pub fn admits(&mut self, now: Instant) -> bool {
        self.fill(now);
        let admits = self.tokens >= 1.0;
        self.tokens -= f64::from(u8::from(admits));
        admits
    }

    /// Whether the bucket is full: its state need not be stored then.
    pub fn is_full(&mut self, now: Instant) -> bool {
        self.fill(now);
        self.tokens >= self.per_second * BURST_SECS
    }

    fn fill(&mut self, now: Instant) {
        let gained = now.saturating_duration_since(self.filled).as_secs_f64() * self.per_second;
        self.filled = self.filled.max(now);
        self.tokens = (self.tokens + gained).min(self.per_second * BURST_SECS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time_is_admitted_as_long_as_there_are_tokens() {
        let start = Instant::now();
        let mut throttle = Throttle::new(2, start);
        assert_eq!([(); 5].map(|()| throttle.admits(start)), [true, true, true, true, false]);
        assert!(throttle.admits(start + Duration::from_millis(500)));
        assert!(!throttle.admits(start + Duration::from_millis(500)));
        assert!(!throttle.is_full(start + Duration::from_secs(2)));
        assert!(throttle.is_full(start + Duration::from_secs(3)));
    }

    #[test]
    fn a_burst_passes_and_then_the_rate_holds() {
        let start = Instant::now();
        let mut throttle = Throttle::new(1000, start);
        assert_eq!(throttle.take(2000, start), Duration::ZERO);
        assert_eq!(throttle.take(500, start), Duration::from_millis(500));
        let later = start + Duration::from_secs(1);
        assert_eq!(throttle.take(500, later), Duration::ZERO);
        assert_eq!(throttle.take(1, later), Duration::from_millis(1));
        // A long pause fills the bucket no further than the burst.
        let later = later + Duration::from_secs(3600);
        assert_eq!(throttle.take(3000, later), Duration::from_secs(1));
    }
}
