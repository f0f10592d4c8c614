//! Watched games of tournaments, whose results may be shown in spoiler mode.

use serde::{Deserialize, Serialize};

/// Number of tournaments kept, the last watched one first.
const MOST: usize = 12;
/// Number of ranges of games kept for one tournament.
const STRETCHES: usize = 500;

/// Watched games of all tournaments.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Watched {
    list: Vec<WatchedGames>,
}

/// Watched games of one tournament.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct WatchedGames {
    /// Key of the tournament.
    tournament: String,
    /// Inclusive ranges of the games' numbers, in order.
    games: Vec<[u64; 2]>,
}

impl Watched {
    /// Watched games of a tournament.
    pub(crate) fn of(&self, tournament: &str) -> WatchedGames {
        self.list.iter().find(|one| one.tournament == tournament).cloned().unwrap_or_default()
    }

    /// Notes a game as watched.
    pub(crate) fn note(&mut self, tournament: &str, game: u64) {
        if self.list.first().is_some_and(|first| first.tournament == tournament && first.has(game)) {
            return;
        }
        let mut games = self.of(tournament);
        tournament.clone_into(&mut games.tournament);
        games.add(game);
        self.list.retain(|one| one.tournament != tournament);
        self.list.insert(0, games);
        self.list.truncate(MOST);
    }
}

impl WatchedGames {
    /// Whether a game was watched.
    pub(crate) fn has(&self, game: u64) -> bool {
        self.games.iter().any(|[first, last]| (*first..=*last).contains(&game))
    }

    /// Numbers of the first watched games, at most `most`.
    pub(crate) fn numbers(&self, most: usize) -> Vec<u64> {
        self.games.iter().flat_map(|[first, last]| *first..=*last).take(most).collect()
    }

    fn add(&mut self, game: u64) {
        if self.has(game) {
            return;
        }
        self.games.push([game, game]);
        self.games.sort_unstable();
        self.games.dedup_by(|next, before| {
            let joins = before[1].checked_add(1) == Some(next[0]);
            if joins {
                before[1] = next[1];
            }
            joins
        });
        self.games.truncate(STRETCHES);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn what_was_noted_is_known_and_nothing_else(games in proptest::collection::vec(0_u64..60, 0..60)) {
            let mut watched = Watched::default();
            games.iter().for_each(|game| watched.note("cup", *game));
            let known = watched.of("cup");
            for game in 0..60 {
                proptest::prop_assert_eq!(known.has(game), games.contains(&game));
            }
            let mut sorted = games;
            sorted.sort_unstable();
            sorted.dedup();
            proptest::prop_assert_eq!(known.numbers(100), sorted);
            proptest::prop_assert!(known.games.windows(2).all(|two| two[0][1] + 1 < two[1][0]));
            proptest::prop_assert!(!watched.of("league").has(0));
        }
    }
}
