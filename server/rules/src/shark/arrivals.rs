//! Arrival times of powerups.

use crate::SplitMix64;

/// The steps at whose ends powerups appear: each with probability 1/`mean`, independently of all others (section 2.9).
///
/// Instead of a trial in each step, the number of steps to the next success is drawn. It is the least n with u ≥ qⁿ, where q = 1 −
/// 1/`mean` and u is uniform on [0, 1): a search over powers of q, in whole numbers, so that every platform draws the same.
#[derive(Debug, Clone)]
pub(super) struct Arrivals {
    random: SplitMix64,
    /// q to the power of 2ⁱ, in units of 2⁻⁶⁴, rounded down.
    powers: [u64; Self::POWERS],
    next: u64,
}

impl Arrivals {
    /// With a mean of 10⁹ steps, no u of 64 bits needs more than 2³⁷ steps.
    const POWERS: usize = 38;

    /// The arrivals after step `now`.
    pub(super) fn new(mut random: SplitMix64, mean: u64, now: u64) -> Self {
        let one = 1_u128 << 64;
        let mut power = (one - one / u128::from(mean.max(1))).min(u128::from(u64::MAX)) as u64;
        let powers = [(); Self::POWERS].map(|()| {
            let square = product(power, power);
            std::mem::replace(&mut power, square)
        });
        let next = now + gap(&powers, random.next_u64());
        Self { random, powers, next }
    }

    /// The step at whose end the next powerup appears.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// Draws the arrival after the current one, which has appeared or found no room.
    pub(super) fn pass(&mut self) {
        self.next += gap(&self.powers, self.random.next_u64());
    }
}

/// The least n from 1 on with `u` ≥ qⁿ.
fn gap(powers: &[u64], u: u64) -> u64 {
    let (mut failures, mut reached) = (0, u64::MAX);
    for (exponent, &power) in powers.iter().enumerate().rev() {
        let further = product(reached, power);
        if u < further {
            reached = further;
            failures |= 1 << exponent;
        }
    }
    failures + 1
}

fn product(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gaps(mean: u64, count: usize) -> Vec<u64> {
        let mut arrivals = Arrivals::new(SplitMix64::new(312), mean, 0);
        let mut last = 0;
        let gap = |_| {
            let gap = arrivals.next() - last;
            last = arrivals.next();
            arrivals.pass();
            gap
        };
        (0..count).map(gap).collect()
    }

    #[test]
    fn powerups_appear_once_in_item_delay_steps() {
        for mean in [2_u64, 10, 1_000, 100_000, 1_000_000_000] {
            let gaps = gaps(mean, 40_000);
            let average = gaps.iter().sum::<u64>() as f64 / gaps.len() as f64;
            assert!((average / mean as f64 - 1.0).abs() < 0.02, "{mean}: {average}");
            // The fraction of gaps that are longer than n is qⁿ.
            for n in [1, mean / 2, mean, 3 * mean] {
                let longer = gaps.iter().filter(|&&gap| gap > n).count() as f64 / gaps.len() as f64;
                let expected = (1.0 - 1.0 / mean as f64).powf(n as f64);
                assert!((longer - expected).abs() < 0.01, "{mean}: {longer} of the gaps are longer than {n}");
            }
        }
    }

    #[test]
    fn a_delay_of_one_step_is_a_powerup_after_every_step() {
        assert!(gaps(1, 100).iter().all(|&gap| gap == 1));
    }
}
