//! Ratings: strengths that explain the results, and how sure they are.
//!
//! The model is Bradley and Terry's with Davidson's draws and the advantage of the first side: with the strengths a and b and the
//! advantage h, the first side wins, draws and loses as a·h : ν·√(a·h·b) : b. Its logarithm of the likelihood is concave, and a weak
//! normal prior on each parameter gives it a maximum for every set of results.
//!
//! Intervals come from resampling whole pairs, because the two games of a pair depend on each other: the spread of the ratings
//! of resampled tournaments, corrected for the number of a player's pairs, times Student's quantile for it.

mod model;
mod resample;

use serde::{Deserialize, Serialize};

use crate::PlayerIndex;

/// Elo of one unit of the logarithm of a strength.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Games from which on the intervals hold what they promise.
pub const RELIABLE_GAMES: u32 = 30;

/// A game that counts for ratings: it was played, and not before in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RatedGame {
    /// By side.
    pub players: [PlayerIndex; 2],
    /// The side that won; none: a draw.
    pub winner: Option<u8>,
    /// Encounter and pair: games that have both in common are resampled together.
    pub pair: (u32, u32),
}

/// How intervals are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// How many tournaments are resampled; 0: no intervals.
    pub resamples: u32,
    /// What they are drawn by.
    pub seed: u64,
}

/// 1,000 resamples.
impl Default for Options {
    fn default() -> Self {
        Self { resamples: 1000, seed: 0 }
    }
}

/// All that was estimated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ratings {
    /// Everybody who has a rated game, by index.
    pub players: Vec<Rating>,
    /// What the first side is worth, in Elo.
    pub side_advantage: f64,
    /// The share of draws between equals, without the advantage of a side.
    pub draws_of_equals: f64,
    /// Players that chains of games join, the largest group first. Ratings of different groups can't be compared: each group has the mean 0.
    pub groups: Vec<Vec<PlayerIndex>>,
}

/// One player's rating.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// Who.
    pub player: PlayerIndex,
    /// Elo above the mean of its group.
    pub elo: f64,
    /// Where the true value is in 95 of 100 tournaments; none: without resamples, or with a single pair.
    pub interval: Option<(f64, f64)>,
    /// Rated games.
    pub games: u32,
    /// Of these.
    pub wins: u32,
    /// Of these.
    pub draws: u32,
    /// In which of [`Ratings::groups`], from 0.
    pub group: u32,
    /// It has at least [`RELIABLE_GAMES`]: with fewer an interval is a hint.
    pub reliable: bool,
}

/// Rates the players of `games`. The same games give the same ratings, whatever their order.
pub fn fit(games: &[RatedGame], options: Options) -> Ratings {
    let mut games: Vec<&RatedGame> = games.iter().filter(|game| game.players[0] != game.players[1]).collect();
    games.sort_by_key(|game| (game.pair, game.players, game.winner));
    let mut players: Vec<PlayerIndex> = games.iter().flat_map(|game| game.players).collect();
    players.sort_unstable();
    players.dedup();
    let place = |player: PlayerIndex| players.binary_search(&player).unwrap_or_default();
    let data = model::Data::new(
        players.len(),
        games.iter().map(|game| (game.players.map(place), game.winner, game.pair)),
    );
    let fitted = model::Fitted::new(&data);
    let spreads = resample::spreads(&data, &fitted, options);
    let (group_of, groups) = groups(&data, &players);
    let mut ratings: Vec<Rating> = players
        .iter()
        .enumerate()
        .map(|(index, &player)| {
            let elo = ELO * fitted.strengths()[index];
            let interval =
                spreads.get(index).copied().flatten().map(|spread| (elo - ELO * spread, elo + ELO * spread));
            let group = group_of[index];
            Rating { player, elo, interval, games: 0, wins: 0, draws: 0, group, reliable: false }
        })
        .collect();
    for game in &games {
        for (side, &player) in game.players.iter().enumerate() {
            let rating = &mut ratings[place(player)];
            rating.games += 1;
            rating.draws += u32::from(game.winner.is_none());
            rating.wins += u32::from(game.winner.map(usize::from) == Some(side));
            rating.reliable = rating.games >= RELIABLE_GAMES;
        }
    }
    Ratings {
        players: ratings,
        side_advantage: ELO * fitted.advantage(),
        draws_of_equals: fitted.draws_of_equals(),
        groups,
    }
}

/// The group of each player, and the groups.
fn groups(data: &model::Data, players: &[PlayerIndex]) -> (Vec<u32>, Vec<Vec<PlayerIndex>>) {
    let mut root: Vec<usize> = (0..players.len()).collect();
    let find = |root: &mut Vec<usize>, mut player: usize| {
        while root[player] != player {
            root[player] = root[root[player]];
            player = root[player];
        }
        player
    };
    for [one, other] in data.opponents() {
        let (one, other) = (find(&mut root, one), find(&mut root, other));
        root[one.max(other)] = one.min(other);
    }
    let roots: Vec<usize> = (0..players.len()).map(|player| find(&mut root, player)).collect();
    let mut order: Vec<usize> = roots.clone();
    order.sort_unstable();
    order.dedup();
    let size = |of: usize| roots.iter().filter(|&&root| root == of).count();
    order.sort_by_key(|&root| (std::cmp::Reverse(size(root)), root));
    let group_of: Vec<u32> = roots
        .iter()
        .map(|root| order.iter().position(|other| other == root).unwrap_or_default() as u32)
        .collect();
    let mut groups = vec![Vec::new(); order.len()];
    for (&group, &player) in group_of.iter().zip(players) {
        groups[group as usize].push(player);
    }
    (group_of, groups)
}
