//! When what is drawn is to be seen.

use std::thread;
use std::time::{Duration, Instant};

use grandstand_protocol::Micros;

/// Falling behind by more than this moves all that follows, instead of hurrying.
const SLACK: Duration = Duration::from_millis(50);

/// How cycles become time.
#[derive(Debug, Clone)]
pub(super) struct Pace {
    per_turn: Duration,
    cycles_per_turn: u64,
    began: Instant,
}

impl Pace {
    /// So much time for a turn of so many cycles, from now on.
    pub(super) fn new(per_turn: Duration, cycles_per_turn: u64) -> Self {
        Self { per_turn, cycles_per_turn, began: Instant::now() }
    }

    /// The time from the beginning to `cycle`.
    pub(super) fn time_of(&self, cycle: u64) -> Micros {
        let micros = self.per_turn.as_micros() * u128::from(cycle) / u128::from(self.cycles_per_turn.max(1));
        Micros(u64::try_from(micros).unwrap_or(u64::MAX).min(Micros::MAX.0))
    }

    /// Waits until `cycle` is to be seen; not at all when that has passed.
    pub(super) fn wait_for(&mut self, cycle: u64) {
        let due = self.began + Duration::from_micros(self.time_of(cycle).0);
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
    fn cycles_are_shares_of_a_turn() {
        let pace = Pace::new(Duration::from_millis(300), 2_000);
        let micros: Vec<u64> = [0, 1, 7, 2_000, 1_000_000].map(|cycle| pace.time_of(cycle).0).into();
        assert_eq!(micros, [0, 150, 1_050, 300_000, 150_000_000]);
        let slowest = Pace::new(Duration::from_secs(3_600), 1);
        assert_eq!(slowest.time_of(1_000_000_000), Micros::MAX);
    }

    #[test]
    fn it_waits_and_does_not_hurry_afterwards() {
        let mut pace = Pace::new(Duration::from_millis(20), 10);
        let began = Instant::now();
        pace.wait_for(10);
        assert!(began.elapsed() >= Duration::from_millis(20));
        thread::sleep(Duration::from_millis(100));
        pace.wait_for(20);
        let late = Instant::now();
        pace.wait_for(30);
        assert!(late.elapsed() >= Duration::from_millis(15), "{:?}", late.elapsed());
    }
}
