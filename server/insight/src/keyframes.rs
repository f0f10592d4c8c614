//! Snapshots of a match, so many cycles apart, within a bound of memory.

use grandstand_matches::machine::GameWorld;

use crate::state::State;

/// The cycles between two snapshots at first.
const SPACING: u64 = 2_048;

/// Snapshots, the earliest first. The first is of cycle 0 and stays.
#[derive(Debug)]
pub(crate) struct Keyframes<W: GameWorld> {
    frames: Vec<(State<W>, usize)>,
    spacing: u64,
    bytes: usize,
    most: usize,
}

impl<W: GameWorld> Keyframes<W> {
    /// That many bytes at most, the first and the last one not counted.
    pub(crate) fn new(mut first: State<W>, most: usize) -> Self {
        let (first, bytes) = first.snapshot();
        Self { frames: vec![(first, bytes)], spacing: SPACING, bytes, most }
    }

    /// The cycle at which the next one is due.
    pub(crate) fn due(&self) -> u64 {
        self.frames.last().map_or(0, |(state, _)| state.cycle()) + self.spacing
    }

    /// Adds one. When they become too large, every second one goes, and the next ones are as far apart.
    pub(crate) fn add(&mut self, state: &mut State<W>) {
        let (frame, bytes) = state.snapshot();
        self.bytes += bytes;
        self.frames.push((frame, bytes));
        while self.bytes > self.most && self.frames.len() > 2 {
            self.spacing *= 2;
            let mut index = 0;
            self.frames.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.bytes = self.frames.iter().map(|(_, bytes)| bytes).sum();
        }
    }

    /// The last one that is not after a cycle.
    pub(crate) fn before(&self, cycle: u64) -> &State<W> {
        let after = self.frames.partition_point(|(state, _)| state.cycle() <= cycle);
        &self.frames[after.saturating_sub(1)].0
    }
}
