//! Ratings of a stage over time: fitted again after so many of its rated games, without intervals.

use grandstand_tournaments::ratings::{self, Options, RatedGame};
use serde::Serialize;

use super::Snapshot;

/// Most points of a history, besides the present.
const POINTS: usize = 32;

/// How the ratings of a stage became what they are.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RatingHistory {
    /// The stage, from 1.
    pub stage: usize,
    /// Its name.
    pub name: String,
    /// Who has a rating at the end, best first.
    pub players: Vec<String>,
    /// After so many games, fewest first; the last is the present.
    pub points: Vec<HistoryPoint>,
}

/// The ratings after so many games.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HistoryPoint {
    /// Rated games of the stage, in the order of the schedule.
    pub games: usize,
    /// Elo of each of the players, in their order; null of who had no rated game yet.
    pub elo: Vec<Option<f64>>,
}

impl Snapshot {
    /// How the ratings of stage number `stage`, from 0, became what they are; none where there is no such stage.
    pub fn rating_history(&self, stage: usize) -> Option<RatingHistory> {
        let name = self.tournament.definition.stages.get(stage)?.plan.name.clone();
        let games = self.director.rated_games(stage);
        let fitted = |count: usize| fit(&games[..count]);
        let mut last = fitted(games.len()).players;
        last.sort_by(|a, b| b.elo.total_cmp(&a.elo).then(a.player.cmp(&b.player)));
        let points = lengths(games.len()).into_iter().map(|count| {
            let then = fitted(count).players;
            let elo = |of| then.iter().find(|rating| rating.player == of).map(|rating| rating.elo);
            HistoryPoint { games: count, elo: last.iter().map(|rating| elo(rating.player)).collect() }
        });
        let points = points.collect();
        let players = last.iter().map(|rating| self.name(rating.player).to_owned()).collect();
        Some(RatingHistory { stage: stage + 1, name, players, points })
    }

    /// The histories of all stages that have some.
    pub fn rating_histories(&self) -> Vec<RatingHistory> {
        let stages = 0..self.tournament.definition.stages.len();
        let histories = stages.filter_map(|stage| self.rating_history(stage));
        histories.filter(|history| !history.points.is_empty()).collect()
    }
}

fn fit(games: &[RatedGame]) -> ratings::Ratings {
    ratings::fit(games, Options { resamples: 0, seed: 0 })
}

/// After how many games of so many: evenly, by a power of two, so that points stay while there are more games.
fn lengths(games: usize) -> Vec<usize> {
    let step = games.div_ceil(POINTS).next_power_of_two();
    let mut lengths: Vec<usize> = (step..games).step_by(step).collect();
    lengths.extend((games > 0).then_some(games));
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_few_and_stay_while_games_are_added() {
        assert_eq!(lengths(0), Vec::<usize>::new());
        assert_eq!(lengths(3), [1, 2, 3]);
        for games in 1..3000 {
            let points = lengths(games);
            assert!(points.len() <= POINTS && points.is_sorted(), "{games}: {points:?}");
            assert_eq!(points.last(), Some(&games));
            let more = lengths(games + 1);
            let stay = points[..points.len() - 1].iter().filter(|point| more.contains(point)).count();
            assert!(stay + 1 >= points.len() / 2, "{games}");
        }
    }
}
