//! Checkpoints of recordings: scenes that earlier readings have passed, from which a later one may begin.
//!
//! A spectator that goes to a moment far back in a match of millions of commands asks for the snapshot there. The first one
//! pays for reading the recording up to it; from then on the nearest place before is known.

use std::collections::VecDeque;
use std::sync::Arc;

use grandstand_protocol::Scene;
use grandstand_protocol::message::MatchId;
use grandstand_replays::reader;

use crate::limits::memory::{MemoryBudget, MemoryUse, Reservation};

/// How many commands apart checkpoints are at least.
pub(super) const EVERY: u64 = 1 << 15;
/// How many checkpoints of one match are kept, and of how many matches.
const CHECKPOINTS: usize = 64;
const MATCHES: usize = 32;

/// A moment of a recording from which it can be read on.
#[derive(Debug, Clone)]
pub(crate) struct Checkpoint {
    /// The number of the last command before it.
    pub(super) seq: u64,
    pub(super) place: reader::LinePosition,
    /// The snapshot there.
    pub(super) scene: Scene,
}

impl Checkpoint {
    /// About how many bytes of memory it takes.
    fn bytes(&self) -> usize {
        self.scene.bytes() + 256
    }
}

/// The checkpoints of the matches that were read lately.
#[derive(Debug, Default)]
pub(super) struct Checkpoints {
    /// Those that were asked for last come last; the checkpoints of each in order.
    matches: VecDeque<(MatchId, Vec<(Checkpoint, Reservation)>)>,
}

impl Checkpoints {
    /// The last place at or before command `seq`.
    pub(super) fn before(&mut self, id: &MatchId, seq: u64) -> Option<Checkpoint> {
        let checkpoints = self.of(id)?;
        let index = checkpoints.partition_point(|(place, _)| place.seq <= seq).checked_sub(1)?;
        Some(checkpoints[index].0.clone())
    }

    /// Keeps a place, if there is memory for it once older ones have gone.
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

    /// The checkpoints of a match, which then comes last.
    fn of(&mut self, id: &MatchId) -> Option<&Vec<(Checkpoint, Reservation)>> {
        let index = self.matches.iter().position(|(kept, _)| kept == id)?;
        let found = self.matches.remove(index)?;
        self.matches.push_back(found);
        self.matches.back().map(|(_, checkpoints)| checkpoints)
    }
}

/// What is kept of a long match lies twice as far apart from now on.
fn thin(checkpoints: &mut Vec<(Checkpoint, Reservation)>) {
    let mut index = 0;
    checkpoints.retain(|_| {
        index += 1;
        index % 2 == 0
    });
}
