//! Places over all stages.

use serde::{Deserialize, Serialize};

use crate::{PlayerIndex, TournamentState};

/// Place in the whole tournament.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FinalPlace {
    /// Place, from 1; `None` for house and staff players, and for those who left a table. Shared if the stage shares
    /// it.
    pub place: Option<u32>,
    /// The player.
    pub player: PlayerIndex,
    /// Last stage that the player played in, from 0: its table shows the reasons.
    pub stage: u32,
}

impl TournamentState {
    /// Places over all stages that have begun: a player who came further stands above one who did not.
    pub fn ranking(&self) -> Vec<FinalPlace> {
        ranking(self)
    }
}

/// Places of all players: those of the last stage begun first, then the others, stage by stage.
fn ranking(tournament: &TournamentState) -> Vec<FinalPlace> {
    let mut places: Vec<FinalPlace> = Vec::new();
    let mut without: Vec<FinalPlace> = Vec::new();
    let mut seen = vec![false; tournament.plan().players.len()];
    for stage in (0..tournament.plan().stages.len()).rev() {
        let above = places.len() as u32;
        let mut rank_here = None;
        for standing in tournament.standings(stage) {
            if std::mem::replace(&mut seen[standing.player.index()], true) {
                continue;
            }
            let mut place = FinalPlace { place: None, player: standing.player, stage: stage as u32 };
            let Some(rank) = standing.rank else {
                without.push(place);
                continue;
            };
            // The ranks of players who advanced leave gaps; players with the same rank share a place.
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
