//! Present time of a live match, and the delay of its scene.
//!
//! A command carries its time in the match, by the clock of the server, whose origin a spectator does not
//! know. But no command arrives before its time: the fastest one was in transit for about the usual latency,
//! half of the server's response time, and every later one is delayed by its difference
//! to the fastest.

use grandstand_protocol::Micros;

/// The fastest arrival, which tells the present time, and the delay of the last command relative to it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Delay {
    /// The least difference between arrival time and match time, in seconds.
    fastest: Option<f64>,
    late: Option<f64>,
}

impl Delay {
    /// Records the arrival at `now`, in seconds, of a command with time `t`.
    pub(super) fn command_arrived(&mut self, now: f64, t: Micros) {
        let (apart, fastest) = self.time_arrived(now, t);
        self.late = Some(apart - fastest);
    }

    /// Records that the server said at `now`, in seconds, that the time of the match is `t`. Returns the difference of
    /// the two, and the least so far.
    pub(super) fn time_arrived(&mut self, now: f64, t: Micros) -> (f64, f64) {
        let apart = now - t.as_secs_f64();
        let fastest = self.fastest.map_or(apart, |fastest| fastest.min(apart));
        self.fastest = Some(fastest);
        // Nothing that was drawn since is late yet.
        self.late.get_or_insert(0.0);
        (apart, fastest)
    }

    /// The time of the match at `now`, in seconds; `None` before anything arrived.
    pub(super) fn present_secs(&self, now: f64) -> Option<f64> {
        self.fastest.map(|fastest| now - fastest)
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
        // Nothing has come for a minute.
        assert!(delay.present_secs(162.1).is_some_and(|secs| (secs - 67.0).abs() < 1e-9));
    }
}
