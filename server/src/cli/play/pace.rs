//! Wall-clock pacing of a match.

use std::thread;
use std::time::{Duration, Instant};

use grandstand_protocol::Micros;

/// Delay beyond which all later events are shifted, instead of played faster.
const SLACK: Duration = Duration::from_millis(50);

/// Conversion of ticks to wall-clock time.
#[derive(Debug, Clone)]
pub(crate) struct Pace {
    per_beat: Duration,
    ticks_per_beat: u64,
    began: Instant,
}

impl Pace {
    /// A pace of `per_beat` for each beat of `ticks_per_beat` ticks, starting now.
    pub(crate) fn new(per_beat: Duration, ticks_per_beat: u64) -> Self {
        Self { per_beat, ticks_per_beat, began: Instant::now() }
    }

    /// The time from the start to `tick`.
    pub(crate) fn time_of(&self, tick: u64) -> Micros {
        let micros = self.per_beat.as_micros() * u128::from(tick) / u128::from(self.ticks_per_beat.max(1));
        Micros(u64::try_from(micros).unwrap_or(u64::MAX).min(Micros::MAX.0))
    }

    /// Waits until `tick` is due; returns at once if it is past.
    pub(super) fn wait_for(&mut self, tick: u64) {
        let due = self.began + Duration::from_micros(self.time_of(tick).0);
        let now = Instant::now();
        if now < due {
            thread::sleep(due - now);
        } else if now - due > SLACK {
            self.began += now - due;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_shares_of_a_beat() {
        let pace = Pace::new(Duration::from_millis(300), 2_000);
        let micros: Vec<u64> = [0, 1, 7, 2_000, 1_000_000].map(|tick| pace.time_of(tick).0).into();
        assert_eq!(micros, [0, 150, 1_050, 300_000, 150_000_000]);
        let slowest = Pace::new(Duration::from_secs(3_600), 1);
        assert_eq!(slowest.time_of(1_000_000_000), Micros::MAX);
    }

    #[test]
    fn who_is_late_does_not_hurry_afterwards() {
        let mut pace = Pace::new(Duration::from_millis(20), 10);
        let began = Instant::now().checked_sub(Duration::from_secs(60)).unwrap();
        pace.began = began;
        pace.wait_for(10);
        assert!(pace.began > began + Duration::from_secs(59));
    }
}
