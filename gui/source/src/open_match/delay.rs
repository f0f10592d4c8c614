//! How late the picture of a live match is.
//!
//! A command carries its time in the match, by the clock of the server, which began at a moment that a spectator does not
//! know. But no command comes before it happened: the one that came fastest was under way for as long as a message takes,
//! half of the time in which the server answers a question, and what comes later than that one did is late by the
//! difference.

use grandstand_protocol::Micros;

/// What arrived fastest, and how much later the last command came than that.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Delay {
    /// The least of the times of arrival, each less the time of its command in the match, in seconds.
    fastest: Option<f64>,
    late: Option<f64>,
}

impl Delay {
    /// Something arrived at `now`, in seconds, that happened at `t`.
    pub(super) fn command_arrived(&mut self, now: f64, t: Micros) {
        let apart = now - t.as_secs_f64();
        let fastest = self.fastest.map_or(apart, |fastest| fastest.min(apart));
        (self.fastest, self.late) = (Some(fastest), Some(apart - fastest));
    }

    /// By how much the last command was later than the fastest, in seconds.
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
