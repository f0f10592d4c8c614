//! The score of many matches between two players, and how far it may be trusted.

use std::collections::BTreeMap;

use grandstand_protocol::abalone::Team;
use grandstand_rules::abalone::Finish;
use serde::Serialize;

/// How often something happened, of how many matches, with the range in which its true frequency lies.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MatchCount {
    /// How often.
    pub count: u32,
    /// `count` of all matches, from 0 to 1.
    pub share: f64,
    /// The 95 % interval (Wilson's) of that share.
    pub interval: (f64, f64),
}

impl MatchCount {
    /// `count` of `matches`.
    pub fn of(count: u32, matches: u32) -> Self {
        if matches == 0 {
            return Self { count, share: 0.0, interval: (0.0, 1.0) };
        }
        // Wilson's score interval for the normal quantile of 97.5 %.
        const Z: f64 = 1.959_964;
        let n = f64::from(matches);
        let share = f64::from(count) / n;
        let middle = share + Z * Z / (2.0 * n);
        let spread = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        let bound = |x: f64| (x / (1.0 + Z * Z / n)).clamp(0.0, 1.0);
        Self { count, share, interval: (bound(middle - spread), bound(middle + spread)) }
    }
}

/// Matches between a first and a second player, who take turns with the colours.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    matches: u32,
    /// Wins of the first and of the second player by the colour that the first one had.
    wins: BTreeMap<Team, [u32; 2]>,
    terminations: BTreeMap<&'static str, u32>,
    turns: u64,
    cycles: u64,
}

impl Tally {
    /// Counts a match in which the first player had the colour `first`.
    pub fn add(&mut self, first: Team, finish: &Finish) {
        self.matches += 1;
        self.turns += u64::from(finish.turns);
        self.cycles += finish.cycle;
        *self.terminations.entry(finish.termination.name()).or_default() += 1;
        let wins = self.wins.entry(first).or_default();
        if let Some(winner) = finish.outcome.winner() {
            wins[usize::from(winner != first)] += 1;
        }
    }

    /// How many matches were counted.
    pub fn matches(&self) -> u32 {
        self.matches
    }

    /// The first player's wins.
    pub fn first(&self) -> MatchCount {
        self.count(|wins| wins[0])
    }

    /// The second player's wins.
    pub fn second(&self) -> MatchCount {
        self.count(|wins| wins[1])
    }

    /// Matches that nobody won.
    pub fn draws(&self) -> MatchCount {
        MatchCount::of(self.matches - self.first().count - self.second().count, self.matches)
    }

    /// Wins of the first and of the second player in the matches in which the first one had the colour.
    pub fn with_first_as(&self, team: Team) -> [u32; 2] {
        self.wins.get(&team).copied().unwrap_or_default()
    }

    /// How often the matches ended in which way.
    pub fn terminations(&self) -> &BTreeMap<&'static str, u32> {
        &self.terminations
    }

    /// Turns of all matches together.
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// Cycles of all matches together.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    fn count(&self, which: impl Fn(&[u32; 2]) -> u32) -> MatchCount {
        MatchCount::of(self.wins.values().map(which).sum(), self.matches)
    }
}

#[cfg(test)]
mod tests {
    use grandstand_rules::abalone::{Outcome, Termination};

    use super::*;

    #[test]
    fn a_win_goes_to_the_player_whatever_its_colour() {
        let finish = |outcome| Finish { outcome, termination: Termination::Score, cycle: 10, turns: 2 };
        let mut tally = Tally::default();
        tally.add(Team::Black, &finish(Outcome::Winner(Team::Black)));
        tally.add(Team::White, &finish(Outcome::Winner(Team::White)));
        tally.add(Team::White, &finish(Outcome::Winner(Team::Black)));
        tally.add(Team::Black, &finish(Outcome::Draw));
        assert_eq!((tally.first().count, tally.second().count, tally.draws().count), (2, 1, 1));
        assert_eq!((tally.with_first_as(Team::Black), tally.with_first_as(Team::White)), ([1, 0], [1, 1]));
        assert_eq!((tally.matches(), tally.turns(), tally.cycles()), (4, 8, 40));
        assert_eq!(tally.terminations(), &BTreeMap::from([("score", 4)]));
    }

    #[test]
    fn intervals_are_those_of_the_tables() {
        // 95 of 100: 0.888 to 0.978 (Wilson). 10 of 10: 0.722 to 1.
        let close = |count: MatchCount, low: f64, high: f64| {
            assert!(
                (count.interval.0 - low).abs() < 5e-4 && (count.interval.1 - high).abs() < 5e-4,
                "{count:?}"
            );
        };
        close(MatchCount::of(95, 100), 0.8882, 0.9785);
        close(MatchCount::of(10, 10), 0.7225, 1.0);
        close(MatchCount::of(0, 0), 0.0, 1.0);
    }
}
