//! Where in recordings reading may begin: pictures that were passed when something was read before.
//!
//! A spectator that goes to a moment far back in a match of millions of commands asks for the picture there. The first one
//! pays for reading the recording up to it; from then on the nearest place before is known.

use std::collections::VecDeque;
use std::sync::Arc;

use grandstand_protocol::Scene;
use grandstand_protocol::message::MatchId;
use grandstand_replays::reader;

use crate::memory::{Memory, Reservation, Use};

/// How many commands apart places are at least.
pub(super) const EVERY: u64 = 1 << 15;
/// How many places of one match are kept, and of how many matches.
const PLACES: usize = 64;
const MATCHES: usize = 32;

/// A moment of a recording from which it can be read on.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    /// The number of the last command before it.
    pub(super) seq: u64,
    pub(super) place: reader::Place,
    /// The picture there.
    pub(super) scene: Scene,
}

impl Place {
    /// About how many bytes of memory it takes.
    fn bytes(&self) -> usize {
        self.scene.bytes() + 256
    }
}

/// The places of the matches that were read lately.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// Those that were asked for last come last; the places of each in order.
    matches: VecDeque<(MatchId, Vec<(Place, Reservation)>)>,
}

impl Places {
    /// The last place at or before command `seq`.
    pub(super) fn before(&mut self, id: &MatchId, seq: u64) -> Option<Place> {
        let places = self.of(id)?;
        let index = places.partition_point(|(place, _)| place.seq <= seq).checked_sub(1)?;
        Some(places[index].0.clone())
    }

    /// Keeps a place, if there is memory for it once older ones have gone.
    pub(super) fn keep(&mut self, memory: &Arc<Memory>, id: &MatchId, place: Place) {
        if self.of(id).is_none() {
            if self.matches.len() >= MATCHES {
                self.matches.pop_front();
            }
            self.matches.push_back((id.clone(), Vec::new()));
        }
        let reservation = loop {
            if let Ok(reservation) = memory.reserve(Use::Places, place.bytes()) {
                break reservation;
            }
            if self.matches.len() > 1 {
                self.matches.pop_front();
                continue;
            }
            match self.matches.back_mut() {
                Some((_, places)) if !places.is_empty() => thin(places),
                _ => return,
            }
        };
        let Some((_, places)) = self.matches.back_mut() else { return };
        let index = places.partition_point(|(other, _)| other.seq < place.seq);
        if places.get(index).is_none_or(|(next, _)| next.seq != place.seq) {
            places.insert(index, (place, reservation));
        }
        if places.len() > PLACES {
            thin(places);
        }
    }

    /// The places of a match, which then comes last.
    fn of(&mut self, id: &MatchId) -> Option<&Vec<(Place, Reservation)>> {
        let index = self.matches.iter().position(|(kept, _)| kept == id)?;
        let found = self.matches.remove(index)?;
        self.matches.push_back(found);
        self.matches.back().map(|(_, places)| places)
    }
}

/// What is kept of a long match lies twice as far apart from now on.
fn thin(places: &mut Vec<(Place, Reservation)>) {
    let mut index = 0;
    places.retain(|_| {
        index += 1;
        index % 2 == 0
    });
}
