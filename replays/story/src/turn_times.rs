//! Usual thinking time of a side, to find long thinks.
//!
//! A think is long if it takes more than `TIMES` times the median of the side's last `WINDOW` thinks and more than
//! `LEAST_MILLIS`. The first `AFTER` thinks are never long. With the median, a single long think does not hide the next
//! one.

use std::collections::VecDeque;

/// Factor over the median.
const TIMES: u32 = 3;
/// Minimum of a long think, in milliseconds.
const LEAST_MILLIS: u32 = 1_000;
/// Number of thinks before the first long one.
const AFTER: usize = 4;
/// Number of thinks for the median.
const WINDOW: usize = 31;

/// Recent thinking times of a side.
#[derive(Debug, Clone, Default)]
pub struct TurnTimes {
    lately: VecDeque<u32>,
}

impl TurnTimes {
    /// Adds a thinking time in milliseconds; `true` if it is long.
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
        // Not among the first, not below the minimum, and not if all are similar.
        assert!(long(&[9000, 1, 1, 1, 900]).is_empty());
        assert!(long(&[4000, 5000, 6000, 5000, 7000, 14_000]).is_empty());
        // A side that becomes slow soon has no long thinks any more.
        let slow: Vec<u32> = [100; 10].into_iter().chain([2000; 60]).collect();
        assert!(long(&slow).len() < 20);
    }
}
