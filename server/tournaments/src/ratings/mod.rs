//! Ratings: strengths that explain the results, with intervals.
//!
//! The model is Bradley and Terry's with Davidson's draws and an advantage of the first side: with the strengths a and
//! b and the advantage h, the first side wins, draws and loses in the ratio a·h : ν·√(a·h·b) : b. Its log-likelihood is
//! concave, and a weak normal prior on each parameter gives it a maximum for every set of results.
//!
//! Intervals come from resampling whole pairs, because the two games of a pair depend on each other. They are the
//! spread of the ratings of resampled tournaments, corrected for the number of a player's pairs, times Student's
//! quantile for that number.

mod model;
mod resample;

use serde::{Deserialize, Serialize};

use crate::PlayerIndex;

/// Elo per unit of the logarithm of a strength.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Minimum number of games for reliable intervals.
pub const RELIABLE_GAMES: u32 = 30;

/// Game that counts for ratings: it was played, and no identical one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RatedGame {
    /// Players by side.
    pub players: [PlayerIndex; 2],
    /// The side that won; `None` for a draw.
    pub winner: Option<u8>,
    /// Encounter and pair: games that agree in both are resampled together.
    pub pair: (u32, u32),
}

/// Options of the intervals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Number of resampled tournaments; 0 for no intervals.
    pub resamples: u32,
    /// Seed of the resampling.
    pub seed: u64,
    /// Whether results decided who met whom: the games then contain less information, and intervals are wider.
    pub paired_by_results: bool,
}

/// 1,000 resamples of a schedule that no result changed.
impl Default for Options {
    fn default() -> Self {
        Self { resamples: 1000, seed: 0, paired_by_results: false }
    }
}

/// Result of the estimation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ratings {
    /// All players with a rated game, by index.
    pub players: Vec<Rating>,
    /// Advantage of the first side, in Elo.
    pub side_advantage: f64,
    /// Share of draws between equal players, without the advantage of a side.
    pub draws_of_equals: f64,
    /// Players that are connected by chains of games, the largest group first. Ratings of different groups can't be
    /// compared: each group has the mean 0.
    pub groups: Vec<Vec<PlayerIndex>>,
}

/// One player's rating.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// The player.
    pub player: PlayerIndex,
    /// Elo above the mean of the player's group.
    pub elo: f64,
    /// Interval that contains the true value in 95 of 100 tournaments; `None` without resamples, or with a single pair.
    pub interval: Option<(f64, f64)>,
    /// Number of rated games.
    pub games: u32,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Index of the player's group in [`Ratings::groups`].
    pub group: u32,
    /// Whether the player has at least [`RELIABLE_GAMES`]: with fewer, the interval is only a hint.
    pub reliable: bool,
}

/// Rates the players of `games`. The ratings do not depend on the order of the games.
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

/// Group of each player, and the groups.
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
