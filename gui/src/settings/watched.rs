//! Games of tournaments that the viewer has watched to their end: in spoiler mode their results are known.

use serde::{Deserialize, Serialize};

/// So many tournaments are kept, the last one watched first.
const MOST: usize = 12;
/// So many stretches of numbers of one of them; who watches in order has one.
const STRETCHES: usize = 500;

/// What was watched.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Watched {
    list: Vec<WatchedGames>,
}

/// What was watched of one tournament.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct WatchedGames {
    /// Which, by what tells it from every other.
    tournament: String,
    /// The games, by stretches of their numbers, both ends included, in order.
    games: Vec<[u64; 2]>,
}

impl Watched {
    /// The games of a tournament.
    pub(crate) fn of(&self, tournament: &str) -> WatchedGames {
        self.list.iter().find(|one| one.tournament == tournament).cloned().unwrap_or_default()
    }

    /// A game was watched.
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

    /// The numbers of the games, from the first on; at most so many.
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
