//! Results of each player in a stage.

use crate::schedule::Share;
use crate::{Format, PlayerIndex, Score, TournamentState};

/// Results of one player.
#[derive(Debug, Clone)]
pub(crate) struct StageResults {
    pub(crate) player: PlayerIndex,
    pub(crate) points: Score,
    pub(crate) wins: u32,
    pub(crate) draws: u32,
    pub(crate) losses: u32,
    pub(crate) forfeits: u32,
    pub(crate) byes: u32,
    /// Rounds of a Swiss without a game or a bye: before a late entry, or after a retirement.
    pub(crate) absent: u32,
    /// Opponent and share in half games, for each game that counts.
    pub(crate) met: Vec<(PlayerIndex, i64)>,
}

/// Results of all players of a stage with this field, in the order of its seeding; house players that were needed come
/// last.
pub(crate) fn tallies(
    tournament: &TournamentState,
    stage: usize,
    field: &[PlayerIndex],
) -> Vec<StageResults> {
    let plan = &tournament.plan().stages[stage];
    let mut players = field.to_vec();
    let mut place = vec![usize::MAX; tournament.plan().players.len()];
    for (index, player) in players.iter().enumerate() {
        place[player.index()] = index;
    }
    let rounds = || tournament.rounds().iter().filter(|round| round.stage as usize == stage);
    for player in rounds().flat_map(|round| &round.encounters).flat_map(|encounter| encounter.players) {
        if place[player.index()] == usize::MAX {
            place[player.index()] = players.len();
            players.push(player);
        }
    }
    let mut tallies: Vec<StageResults> = players
        .into_iter()
        .map(|player| StageResults {
            player,
            points: Score::ZERO,
            wins: 0,
            draws: 0,
            losses: 0,
            forfeits: 0,
            byes: 0,
            absent: 0,
            met: Vec::new(),
        })
        .collect();
    let takes_out = plan.takes_out();
    for counted in tournament.games().iter().filter(|counted| counted.game.stage as usize == stage) {
        let players = counted.game.players;
        if takes_out && players.iter().any(|&player| tournament.left_table(player, stage)) {
            continue;
        }
        let Some(shares) = counted.result.shares() else { continue };
        for side in 0..2 {
            let tally = &mut tallies[place[players[side].index()]];
            tally.points += plan.points.of(shares[side]);
            let (halves, count) = match shares[side] {
                Share::Won => (2, &mut tally.wins),
                Share::Drawn => (1, &mut tally.draws),
                Share::Lost => (0, &mut tally.losses),
            };
            *count += 1;
            tally.forfeits += u32::from(counted.result.is_fault_of(side));
            tally.met.push((players[1 - side], halves));
        }
    }
    if matches!(plan.format, Format::Swiss { .. }) {
        // A bye scores when the round is over, like the games of the round.
        for round in tournament.counted_rounds().iter().filter(|round| round.stage as usize == stage) {
            let mut plays = vec![false; tallies.len()];
            for player in round.encounters.iter().flat_map(|encounter| encounter.players) {
                plays[place[player.index()]] = true;
            }
            for player in &round.byes {
                plays[place[player.index()]] = true;
                let tally = &mut tallies[place[player.index()]];
                tally.points += plan.points.bye * i64::from(plan.games);
                tally.byes += 1;
            }
            for (tally, plays) in tallies.iter_mut().zip(plays) {
                tally.absent += u32::from(!plays);
            }
        }
    }
    tallies
}
