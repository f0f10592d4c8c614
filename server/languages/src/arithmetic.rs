//! Arithmetic and random numbers, identical in both engines to the last bit.

use crate::core::BinaryOp;
use crate::world::{Pid, Stuck};

/// The result of an operator on two integers; a comparison gives 1 or 0.
#[inline]
pub(crate) fn binary(op: BinaryOp, a: i64, b: i64) -> Result<i64, Stuck> {
    let result = match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::Div | BinaryOp::Mod if b == 0 => return Err(Stuck::DivisionByZero),
        // Only the smallest integer divided by -1 overflows; its remainder is 0.
        BinaryOp::Div => a.checked_div(b).map(|q| if a % b != 0 && (a < 0) != (b < 0) { q - 1 } else { q }),
        BinaryOp::Mod => {
            let r = a.wrapping_rem(b);
            Some(if r != 0 && (r < 0) != (b < 0) { r + b } else { r })
        }
        BinaryOp::Equal => Some(i64::from(a == b)),
        BinaryOp::Unequal => Some(i64::from(a != b)),
        BinaryOp::Less => Some(i64::from(a < b)),
        BinaryOp::Greater => Some(i64::from(a > b)),
        BinaryOp::LessEqual => Some(i64::from(a <= b)),
        BinaryOp::GreaterEqual => Some(i64::from(a >= b)),
    };
    result.ok_or(Stuck::Overflow(op.symbol()))
}

/// A thread's random number generator: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
#[derive(Clone, Copy, Debug)]
pub(crate) struct SplitMix64(u64);

impl SplitMix64 {
    /// The generator of a thread. Different threads of a machine get different numbers, and the same ones for the same seed.
    pub(crate) fn new(seed: u64, pid: Pid) -> Self {
        let mut mixer = SplitMix64(seed ^ u64::from(pid.0).wrapping_mul(0xd605_bbb5_8c8a_bbfd));
        SplitMix64(mixer.next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A random number from 0 to `n - 1`.
    pub(crate) fn below(&mut self, n: i64) -> Result<i64, Stuck> {
        if n < 1 {
            return Err(Stuck::EmptyRange);
        }
        Ok(((u128::from(self.next()) * n as u128) >> 64) as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_rounds_down() {
        let both = |a, b| (binary(BinaryOp::Div, a, b), binary(BinaryOp::Mod, a, b));
        assert_eq!(both(7, 2), (Ok(3), Ok(1)));
        assert_eq!(both(-7, 2), (Ok(-4), Ok(1)));
        assert_eq!(both(7, -2), (Ok(-4), Ok(-1)));
        assert_eq!(both(-7, -2), (Ok(3), Ok(-1)));
        assert_eq!(both(i64::MIN, -1), (Err(Stuck::Overflow("/")), Ok(0)));
        assert_eq!(both(1, 0), (Err(Stuck::DivisionByZero), Err(Stuck::DivisionByZero)));
    }

    #[test]
    fn chance_stays_in_range_and_repeats() {
        let draw = |seed, pid| {
            let mut chance = SplitMix64::new(seed, Pid(pid));
            (0..100).map(|_| chance.below(6).unwrap()).collect::<Vec<_>>()
        };
        assert!(draw(1, 1).iter().all(|n| (0..6).contains(n)));
        assert_eq!(draw(1, 1), draw(1, 1));
        assert_ne!(draw(1, 1), draw(1, 2));
        assert_ne!(draw(1, 1), draw(2, 1));
        assert_eq!(SplitMix64::new(0, Pid(1)).below(0), Err(Stuck::EmptyRange));
    }
}
