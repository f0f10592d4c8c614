//! Ratings of a stage over time: fitted after several numbers of its rated games, without intervals.

use grandstand_protocol::tournament::{HistoryPoint, RatingHistory};
use grandstand_tournaments::ratings::{self, Options, RatedGame};

use super::Snapshot;

/// Maximum number of points in a history, besides the current one.
const POINTS: usize = 32;

impl Snapshot {
    /// The history of the ratings of stage `stage`, from 0; `None` if the stage does not exist.
    pub fn rating_history(&self, stage: usize) -> Option<RatingHistory> {
        let name = self.tournament.definition.stages.get(stage)?.plan.name.clone();
        let games = self.state.rated_games(stage);
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

    /// The histories of all stages with rated games.
    pub fn rating_histories(&self) -> Vec<RatingHistory> {
        let stages = 0..self.tournament.definition.stages.len();
        let histories = stages.filter_map(|stage| self.rating_history(stage));
        histories.filter(|history| !history.points.is_empty()).collect()
    }
}

fn fit(games: &[RatedGame]) -> ratings::Ratings {
    ratings::fit(games, Options { resamples: 0, ..Options::default() })
}

/// Numbers of games for the points: evenly spaced by a power of two, so that points stay the same as games are added.
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
