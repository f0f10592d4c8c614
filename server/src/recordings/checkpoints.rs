//! Checkpoints of recordings: scenes stored during earlier reads, from which later reads start.
//!
//! A spectator that seeks far back in a match of millions of commands requests the snapshot there. The first request
//! reads the recording up to that command; later ones start at the nearest checkpoint before it.

use std::collections::VecDeque;
use std::sync::Arc;

use grandstand_protocol::Scene;
use grandstand_protocol::message::MatchId;
use grandstand_replays::reader;

use crate::limits::memory::{MemoryBudget, MemoryUse, Reservation};

/// Distance between two checkpoints, in commands.
pub(super) const EVERY: u64 = 1 << 15;
/// Maximum number of checkpoints per match, and of matches with checkpoints.
const CHECKPOINTS: usize = 64;
const MATCHES: usize = 32;

/// A position in a recording with its state, from which it can be read on.
#[derive(Debug, Clone)]
pub(crate) struct Checkpoint {
    /// The number of the last command before it.
    pub(super) seq: u64,
    pub(super) place: reader::LinePosition,
    /// The scene at that position.
    pub(super) scene: Scene,
}

impl Checkpoint {
    /// Approximate size in bytes of memory.
    fn bytes(&self) -> usize {
        self.scene.bytes() + 256
    }
}

/// The checkpoints of the recently read matches.
#[derive(Debug, Default)]
pub(super) struct Checkpoints {
    /// Matches with their checkpoints in order; the most recently used match is the last.
    matches: VecDeque<(MatchId, Vec<(Checkpoint, Reservation)>)>,
}

impl Checkpoints {
    /// The last checkpoint at or before command `seq`.
    pub(super) fn before(&mut self, id: &MatchId, seq: u64) -> Option<Checkpoint> {
        let checkpoints = self.of(id)?;
        let index = checkpoints.partition_point(|(place, _)| place.seq <= seq).checked_sub(1)?;
        Some(checkpoints[index].0.clone())
    }

    /// Stores a checkpoint, dropping older ones to free memory for it; gives up if that is not enough.
    pub(super) fn keep(&mut self, memory: &Arc<MemoryBudget>, id: &MatchId, place: Checkpoint) {
        if self.of(id).is_none() {
            if self.matches.len() >= MATCHES {
                self.matches.pop_front();
            }
            self.matches.push_back((id.clone(), Vec::new()));
        }
        let reservation = loop {
            if let Ok(reservation) = memory.reserve(MemoryUse::Checkpoints, place.bytes()) {
                break reservation;
            }
            if self.matches.len() > 1 {
                self.matches.pop_front();
                continue;
            }
            match self.matches.back_mut() {
                Some((_, checkpoints)) if !checkpoints.is_empty() => thin(checkpoints),
                _ => return,
            }
        };
        let Some((_, checkpoints)) = self.matches.back_mut() else { return };
        let index = checkpoints.partition_point(|(other, _)| other.seq < place.seq);
        if checkpoints.get(index).is_none_or(|(next, _)| next.seq != place.seq) {
            checkpoints.insert(index, (place, reservation));
        }
        if checkpoints.len() > CHECKPOINTS {
            thin(checkpoints);
        }
    }

    /// The checkpoints of a match, which becomes the most recently used.
    fn of(&mut self, id: &MatchId) -> Option<&Vec<(Checkpoint, Reservation)>> {
        let index = self.matches.iter().position(|(kept, _)| kept == id)?;
        let found = self.matches.remove(index)?;
        self.matches.push_back(found);
        self.matches.back().map(|(_, checkpoints)| checkpoints)
    }
}

/// Drops every second checkpoint of a match.
fn thin(checkpoints: &mut Vec<(Checkpoint, Reservation)>) {
    let mut index = 0;
    checkpoints.retain(|_| {
        index += 1;
        index % 2 == 0
    });
}
