//! Snapshots of a match at regular distances, within a limit of memory.

use grandstand_matches::machine::GameWorld;

use crate::state::{Keyframe, State};

/// Cycles between two snapshots at the start.
const SPACING: u64 = 2_048;
/// Number of snapshots of large heaps for which the limit of memory is raised.
const FEWEST: usize = 48;
/// Memory of snapshots at most, however large the heaps are, in bytes.
const LARGEST: usize = 256 << 20;

/// Snapshots, the earliest first. The first one is of cycle 0 and is never dropped.
#[derive(Debug)]
pub(crate) struct Keyframes<W: GameWorld> {
    frames: Vec<Keyframe<W>>,
    spacing: u64,
    bytes: usize,
    most: usize,
}

impl<W: GameWorld> Keyframes<W> {
    /// Keeps `most` bytes at most, not counting the first and the last snapshot. Where so few snapshots fit into them that
    /// answers would take seconds, it keeps 48, or 256 MiB.
    pub(crate) fn new(first: &mut State<W>, most: usize) -> Self {
        let first = first.snapshot();
        Self { bytes: first.bytes(), frames: vec![first], spacing: SPACING, most }
    }

    /// Cycle at which the next snapshot is due.
    pub(crate) fn due(&self) -> u64 {
        self.frames.last().map_or(0, Keyframe::cycle) + self.spacing
    }

    /// Adds a snapshot. Above the limit, every second one is dropped and the distance doubles.
    pub(crate) fn add(&mut self, state: &mut State<W>) {
        let frame = state.snapshot();
        let most = self.most.max((FEWEST * frame.bytes()).min(LARGEST));
        self.bytes += frame.bytes();
        self.frames.push(frame);
        while self.bytes > most && self.frames.len() > 2 {
            self.spacing *= 2;
            let mut index = 0;
            self.frames.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.bytes = self.frames.iter().map(Keyframe::bytes).sum();
        }
    }

    /// The last snapshot that is not after `cycle`.
    pub(crate) fn before(&self, cycle: u64) -> &Keyframe<W> {
        let after = self.frames.partition_point(|frame| frame.cycle() <= cycle);
        &self.frames[after.saturating_sub(1)]
    }
}
