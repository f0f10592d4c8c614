//! Delay of the scene of a live match.
//!
//! A command carries its time in the match, by the clock of the server, whose origin a spectator does not
//! know. But no command arrives before its time: the fastest one was in transit for about the usual latency,
//! half of the server's response time, and every later one is delayed by its difference
//! to the fastest.

use grandstand_protocol::Micros;

/// The fastest arrival, and the delay of the last command relative to it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Delay {
    /// The least difference between arrival time and match time of a command, in seconds.
    fastest: Option<f64>,
    late: Option<f64>,
}

impl Delay {
    /// Records the arrival at `now`, in seconds, of a command with time `t`.
    pub(super) fn command_arrived(&mut self, now: f64, t: Micros) {
        let apart = now - t.as_secs_f64();
        let fastest = self.fastest.map_or(apart, |fastest| fastest.min(apart));
        (self.fastest, self.late) = (Some(fastest), Some(apart - fastest));
    }

    /// The delay of the last command relative to the fastest one, in seconds.
    pub fn late_secs(&self) -> Option<f64> {
        self.late
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_later_than_the_fastest_is_late() {
        let mut delay = Delay::default();
        for (now, t, late) in [(100.0, 0, 0.0), (100.1, 5, 0.0), (101.6, 6, 0.5), (102.1, 7, 0.0)] {
            delay.command_arrived(now, Micros(t * 1_000_000));
            let found = delay.late_secs().unwrap_or(f64::NAN);
            assert!((found - late).abs() < 1e-9, "{found} at {now}");
        }
    }
}
