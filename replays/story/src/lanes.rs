//! Lanes under the timeline: figures over the whole match in a bounded number of bins, so that a frame can paint all of
//! them.

use grandstand_protocol::Micros;

/// Number of bins at most: about one a pixel.
const BINS: usize = 1024;
/// Initial length of a bin, in microseconds.
const FIRST: u64 = 1 << 15;

/// Contents of a bin.
pub trait Bin: Copy + Default + PartialEq {
    /// Combines this bin with the next one.
    fn with(self, next: Self) -> Self;
}

/// A lane: bins of equal length, which doubles when there would be too many.
#[derive(Debug, Clone)]
pub struct Bins<T> {
    micros: u64,
    bins: Vec<T>,
}

impl<T> Default for Bins<T> {
    fn default() -> Bins<T> {
        Bins { micros: FIRST, bins: Vec::new() }
    }
}

impl<T: Bin> Bins<T> {
    /// All bins.
    pub fn all(&self) -> &[T] {
        &self.bins
    }

    /// Length of a bin, in seconds.
    pub fn secs(&self) -> f64 {
        self.micros as f64 / 1e6
    }

    /// Whether all bins are empty.
    pub fn is_empty(&self) -> bool {
        self.bins.iter().all(|bin| *bin == T::default())
    }

    /// Combination of all bins between two times, in seconds.
    pub fn between(&self, from: f64, to: f64) -> T {
        let index = |secs: f64| (secs.max(0.0) / self.secs()) as usize;
        let (from, to) = (index(from).min(self.bins.len()), index(to).saturating_add(1).min(self.bins.len()));
        self.bins[from.min(to)..to].iter().fold(T::default(), |all, bin| all.with(*bin))
    }

    fn index(&mut self, t: Micros) -> usize {
        while t.0 / self.micros >= BINS as u64 {
            self.micros *= 2;
            let pairs = self.bins.chunks(2);
            self.bins = pairs.map(|pair| pair.iter().fold(T::default(), |all, bin| all.with(*bin))).collect();
        }
        let index = (t.0 / self.micros) as usize;
        if self.bins.len() <= index {
            self.bins.resize(index + 1, T::default());
        }
        index
    }

    /// Adds a value at a moment.
    pub fn put(&mut self, t: Micros, value: T) {
        let index = self.index(t);
        self.bins[index] = self.bins[index].with(value);
    }

    /// Adds a value to all bins between two moments.
    pub fn fill(&mut self, from: Micros, to: Micros, value: T) {
        let last = self.index(to);
        let first = ((from.0 / self.micros) as usize).min(last);
        self.bins[first..=last].iter_mut().for_each(|bin| *bin = bin.with(value));
    }

    /// Adds the values of commands that were missing before.
    pub fn splice(&mut self, other: &Bins<T>) {
        for (index, bin) in other.bins.iter().enumerate().filter(|(_, bin)| **bin != T::default()) {
            self.put(Micros(index as u64 * other.micros), *bin);
        }
    }
}

/// Number of commands.
impl Bin for u32 {
    fn with(self, next: u32) -> u32 {
        self.saturating_add(next)
    }
}

/// Longest thinking time under way, in milliseconds: of the first side, of the second, of no side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Thinking(pub [u32; 3]);

impl Bin for Thinking {
    fn with(self, next: Thinking) -> Thinking {
        Thinking(std::array::from_fn(|side| self.0[side].max(next.0[side])))
    }
}

/// Value that holds from a moment on, if it is new.
impl<T: Copy + PartialEq> Bin for Option<T> {
    fn with(self, next: Option<T>) -> Option<T> {
        next.or(self)
    }
}

/// Leading side and its lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lead {
    /// Index of the side.
    pub side: u8,
    /// Difference to the second.
    pub by: i32,
}

impl Lead {
    /// Lead for these scores, in the order of the sides.
    pub fn of(scores: impl Iterator<Item = i32>) -> Lead {
        let mut scores: Vec<(usize, i32)> = scores.enumerate().collect();
        scores.sort_by_key(|(side, score)| (std::cmp::Reverse(*score), *side));
        match scores[..] {
            [(side, most), (_, second), ..] => Lead { side: side as u8, by: most.saturating_sub(second) },
            [(side, most)] => Lead { side: side as u8, by: most },
            [] => Lead { side: 0, by: 0 },
        }
    }
}

/// The lanes of a match.
#[derive(Debug, Clone, Default)]
pub struct Lanes {
    /// Lead.
    pub score: Bins<Option<Lead>>,
    /// Evaluations from the first team's point of view.
    pub evaluation: Bins<Option<i32>>,
    /// Thinking time under way.
    pub thinking: Bins<Thinking>,
    /// Number of commands.
    pub activity: Bins<u32>,
}

impl Lanes {
    /// Adds the lanes of commands that were missing before.
    pub fn splice(&mut self, other: &Lanes) {
        self.score.splice(&other.score);
        self.evaluation.splice(&other.evaluation);
        self.thinking.splice(&other.thinking);
        self.activity.splice(&other.activity);
    }

    /// Periods without commands longer than this number of seconds, to the precision of the bins.
    pub fn idle(&self, longer: f64) -> impl Iterator<Item = (f64, f64)> {
        let (bins, secs) = (self.activity.all(), self.activity.secs());
        let mut at = 0;
        std::iter::from_fn(move || {
            while at < bins.len() {
                let from = at;
                let many = bins[at..].iter().take_while(|bin| **bin == 0).count();
                at += many.max(1);
                if many > 0 && many as f64 * secs > longer {
                    return Some((from as f64 * secs, (from + many) as f64 * secs));
                }
            }
            None
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lane_of_any_length_stays_short_and_loses_nothing() {
        let mut lane: Bins<u32> = Bins::default();
        for n in 0..200_000_u64 {
            lane.put(Micros(n * 1_000_000), 1);
        }
        assert!(lane.all().len() <= BINS);
        assert_eq!(lane.all().iter().sum::<u32>(), 200_000);
        lane.put(Micros::MAX, 1);
        assert!(lane.all().len() <= BINS);
        assert_eq!(lane.between(0.0, f64::MAX), 200_001);
    }

    #[test]
    fn a_long_think_fills_its_time_and_idle_time_is_told() {
        let mut lanes = Lanes::default();
        lanes.thinking.fill(Micros(1_000_000), Micros(3_000_000), Thinking([2000, 0, 0]));
        assert_eq!(lanes.thinking.between(2.0, 2.1), Thinking([2000, 0, 0]));
        assert_eq!(lanes.thinking.between(0.0, 0.5), Thinking::default());
        for t in [0, 1_000_000, 4_000_000] {
            lanes.activity.put(Micros(t), 1);
        }
        let idle: Vec<(f64, f64)> = lanes.idle(2.0).collect();
        assert_eq!(idle.len(), 1);
        assert!((idle[0].0 - 1.0).abs() < 0.1 && (idle[0].1 - 4.0).abs() < 0.1, "{idle:?}");
    }

    #[test]
    fn the_lead_is_over_the_second_best() {
        assert_eq!(Lead::of([2, 5, 4].into_iter()), Lead { side: 1, by: 1 });
        assert_eq!(Lead::of([3, 3].into_iter()).by, 0);
        assert_eq!(Lead::of([].into_iter()), Lead { side: 0, by: 0 });
    }
}
