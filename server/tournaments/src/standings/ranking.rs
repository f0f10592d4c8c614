//! Places over all stages.

use serde::{Deserialize, Serialize};

use crate::{Director, PlayerIndex};

/// A place of the whole tournament.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FinalPlace {
    /// From 1; none: house and staff, and who left a table. Shared where the stage shares it.
    pub place: Option<u32>,
    /// Who.
    pub player: PlayerIndex,
    /// The last stage that it played in, from 0: its table has the reasons.
    pub stage: u32,
}

impl Director {
    /// The places over all stages begun: who came further stands before who did not.
    pub fn ranking(&self) -> Vec<FinalPlace> {
        ranking(self)
    }
}

/// Everybody's place: those of the last stage begun first, then those who did not come so far, stage by stage.
fn ranking(director: &Director) -> Vec<FinalPlace> {
    let mut places: Vec<FinalPlace> = Vec::new();
    let mut without: Vec<FinalPlace> = Vec::new();
    let mut seen = vec![false; director.plan().players.len()];
    for stage in (0..director.plan().stages.len()).rev() {
        let above = places.len() as u32;
        let mut rank_here = None;
        for standing in director.standings(stage) {
            if std::mem::replace(&mut seen[standing.player.index()], true) {
                continue;
            }
            let mut place = FinalPlace { place: None, player: standing.player, stage: stage as u32 };
            let Some(rank) = standing.rank else {
                without.push(place);
                continue;
            };
            // The ranks of those who went on leave gaps; players who share a rank share the place.
            let here = places.len() as u32 + 1;
            let number = match rank_here {
                Some((same, number)) if same == rank && number > above => number,
                _ => here,
            };
            rank_here = Some((rank, number));
            place.place = Some(number);
            places.push(place);
        }
    }
    places.extend(without);
    places
}
