//! Crosstable: the results of each player against each other one.

use serde::{Deserialize, Serialize};

use crate::schedule::Share;
use crate::{PlayerIndex, Score, TournamentState};

/// Results of a stage as a matrix.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crosstable {
    /// Players of rows and columns, in the order of the standings.
    pub players: Vec<PlayerIndex>,
    /// Results by row, of its player against that of the column. The diagonal is empty.
    pub cells: Vec<Vec<Cell>>,
}

/// Results of one player against another.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// Points of the row's player.
    pub points: Score,
    /// Games that the row's player won.
    pub wins: u32,
    /// Drawn games.
    pub draws: u32,
    /// Games that the row's player lost.
    pub losses: u32,
    /// Numbers of all games between the two, in order, including annulled ones.
    pub games: Vec<u64>,
    /// Whether the table leaves the games out, because one of the two left it.
    pub left_out: bool,
}

impl TournamentState {
    /// The crosstable of a stage, in the order of its standings.
    pub fn crosstable(&self, stage: usize) -> Crosstable {
        crosstable(self, stage)
    }
}

/// The crosstable of a stage; empty before it began.
fn crosstable(tournament: &TournamentState, stage: usize) -> Crosstable {
    let players: Vec<PlayerIndex> =
        tournament.standings(stage).iter().map(|standing| standing.player).collect();
    let mut row = vec![usize::MAX; tournament.plan().players.len()];
    for (index, player) in players.iter().enumerate() {
        row[player.index()] = index;
    }
    let mut cells = vec![vec![Cell::default(); players.len()]; players.len()];
    for counted in tournament.games().iter().filter(|counted| counted.game.stage as usize == stage) {
        let plan = &tournament.plan().stages[stage];
        let sides = counted.game.players;
        for side in 0..2 {
            let cell = &mut cells[row[sides[side].index()]][row[sides[1 - side].index()]];
            cell.games.push(counted.game.number);
            cell.left_out =
                plan.takes_out() && sides.iter().any(|&player| tournament.left_table(player, stage));
            let Some(shares) = counted.result.shares() else { continue };
            cell.points += plan.points.of(shares[side]);
            match shares[side] {
                Share::Won => cell.wins += 1,
                Share::Drawn => cell.draws += 1,
                Share::Lost => cell.losses += 1,
            }
        }
    }
    Crosstable { players, cells }
}
