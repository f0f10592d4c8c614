//! Crosstable: who had what against whom.

use serde::{Deserialize, Serialize};

use crate::schedule::Share;
use crate::{Director, PlayerIndex, Score};

/// A square of results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crosstable {
    /// Of rows and columns, in the order of the standings.
    pub players: Vec<PlayerIndex>,
    /// By row: what its player had against that of the column. The diagonal is empty.
    pub cells: Vec<Vec<Cell>>,
}

/// What one player had against another.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// Its points.
    pub points: Score,
    /// Games it won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games it lost.
    pub losses: u32,
    /// The numbers of all games between both, in order, annulled ones too.
    pub games: Vec<u64>,
    /// Not in the table: one of both left it.
    pub left_out: bool,
}

impl Director {
    /// Who had what against whom in a stage, in the order of its table.
    pub fn crosstable(&self, stage: usize) -> Crosstable {
        crosstable(self, stage)
    }
}

/// The crosstable of a stage; empty before it began.
fn crosstable(director: &Director, stage: usize) -> Crosstable {
    let players: Vec<PlayerIndex> =
        director.standings(stage).iter().map(|standing| standing.player).collect();
    let mut row = vec![usize::MAX; director.plan().players.len()];
    for (index, player) in players.iter().enumerate() {
        row[player.index()] = index;
    }
    let mut cells = vec![vec![Cell::default(); players.len()]; players.len()];
    for counted in director.games().iter().filter(|counted| counted.game.stage as usize == stage) {
        let plan = &director.plan().stages[stage];
        let sides = counted.game.players;
        for side in 0..2 {
            let cell = &mut cells[row[sides[side].index()]][row[sides[1 - side].index()]];
            cell.games.push(counted.game.number);
            cell.left_out =
                plan.takes_out() && sides.iter().any(|&player| director.left_table(player, stage));
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
