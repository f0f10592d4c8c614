//! Usual thinking time of a side, so that a long think stands out.
//!
//! A think is long when it takes more than `TIMES` times the median of the side's last `WINDOW` ones and more than
//! `LEAST_MILLIS`; the first `AFTER` are never long. The median and not the average: a single long think does not
//! hide the next.

use std::collections::VecDeque;

/// So many times as long as usual …
const TIMES: u32 = 3;
/// … and longer than so many milliseconds …
const LEAST_MILLIS: u32 = 1_000;
/// … after so many that are known.
const AFTER: usize = 4;
/// What is usual is told from so many.
const WINDOW: usize = 31;

/// The times that one side took lately.
#[derive(Debug, Clone, Default)]
pub struct TurnTimes {
    lately: VecDeque<u32>,
}

impl TurnTimes {
    /// Takes in how many milliseconds the side took, and says whether that is long.
    pub fn took(&mut self, millis: u32) -> bool {
        let long = self.lately.len() >= AFTER
            && millis > LEAST_MILLIS
            && millis > TIMES.saturating_mul(self.median());
        if self.lately.len() >= WINDOW {
            self.lately.pop_front();
        }
        self.lately.push_back(millis);
        long
    }

    fn median(&self) -> u32 {
        let mut sorted: Vec<u32> = self.lately.iter().copied().collect();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn long(times: &[u32]) -> Vec<u32> {
        let mut times_of_side = TurnTimes::default();
        times.iter().copied().filter(|millis| times_of_side.took(*millis)).collect()
    }

    #[test]
    fn a_think_is_long_beside_what_is_usual() {
        assert_eq!(long(&[500, 500, 500, 500, 1600, 500, 1501]), [1600, 1501]);
        // Not among the first, not when it is short by itself, and not when all are so long.
        assert!(long(&[9000, 1, 1, 1, 900]).is_empty());
        assert!(long(&[4000, 5000, 6000, 5000, 7000, 14_000]).is_empty());
        // Who becomes slow is slow and does not think long for ever.
        let slow: Vec<u32> = [100; 10].into_iter().chain([2000; 60]).collect();
        assert!(long(&slow).len() < 20);
    }
}
