//! Score of many matches between two players, with confidence intervals.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::spec::Ending;

/// Frequency of an event among matches, with a confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Frequency {
    /// Number of matches with the event.
    pub count: u32,
    /// `count` of all matches, from 0 to 1.
    pub share: f64,
    /// The 95 % interval (Wilson's) of that share.
    pub interval: (f64, f64),
}

impl Frequency {
    /// The count `count` among `matches` matches.
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

/// Matches between a first and a second player, who alternate between the sides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SeriesScore {
    matches: u32,
    /// Wins of the first and of the second player, by the side that the first one had.
    wins: [[u32; 2]; 2],
    terminations: BTreeMap<&'static str, u32>,
    lengths: Vec<(&'static str, u64)>,
}

impl SeriesScore {
    /// Counts a match in which the first player finally had the side with index `first`.
    pub fn add(&mut self, first: usize, ending: &Ending) {
        self.matches += 1;
        *self.terminations.entry(ending.termination).or_default() += 1;
        if let Some(winner) = ending.winner {
            self.wins[first][usize::from(winner != first)] += 1;
        }
        for &(unit, length) in &ending.lengths {
            match self.lengths.iter_mut().find(|(known, _)| *known == unit) {
                Some((_, sum)) => *sum += length,
                None => self.lengths.push((unit, length)),
            }
        }
    }

    /// Number of counted matches.
    pub fn matches(&self) -> u32 {
        self.matches
    }

    /// The first player's wins.
    pub fn first(&self) -> Frequency {
        self.count(0)
    }

    /// The second player's wins.
    pub fn second(&self) -> Frequency {
        self.count(1)
    }

    /// Matches that nobody won.
    pub fn draws(&self) -> Frequency {
        Frequency::of(self.matches - self.first().count - self.second().count, self.matches)
    }

    /// Wins of the first and of the second player in the matches in which the first had the side with that index.
    pub fn with_first_as(&self, side: usize) -> [u32; 2] {
        self.wins[side]
    }

    /// Number of matches by termination.
    pub fn terminations(&self) -> &BTreeMap<&'static str, u32> {
        &self.terminations
    }

    /// Total lengths of all matches, by each of the game's units, as in [`Ending::lengths`].
    pub fn lengths(&self) -> &[(&'static str, u64)] {
        &self.lengths
    }

    fn count(&self, player: usize) -> Frequency {
        Frequency::of(self.wins.iter().map(|wins| wins[player]).sum(), self.matches)
    }
}

#[cfg(test)]
mod tests {
    use grandstand_protocol::Color;
    use serde_json::Map;

    use super::*;
    use crate::spec::Side;

    #[test]
    fn a_win_goes_to_the_player_whatever_its_side() {
        let ending = |winner| Ending {
            sides: [Side { name: "red", color: Color::Red }, Side { name: "blue", color: Color::Blue }],
            tick: 10,
            winner,
            termination: "score",
            score: Some([0, 0]),
            lengths: vec![("turns", 2), ("cycles", 10)],
            detail: Map::new(),
            remarks: Map::new(),
            words: None,
            swapped: false,
        };
        let mut tally = SeriesScore::default();
        tally.add(0, &ending(Some(0)));
        tally.add(1, &ending(Some(1)));
        tally.add(1, &ending(Some(0)));
        tally.add(0, &ending(None));
        assert_eq!((tally.first().count, tally.second().count, tally.draws().count), (2, 1, 1));
        assert_eq!((tally.with_first_as(0), tally.with_first_as(1)), ([1, 0], [1, 1]));
        assert_eq!((tally.matches(), tally.lengths()), (4, &[("turns", 8), ("cycles", 40)][..]));
        assert_eq!(tally.terminations(), &BTreeMap::from([("score", 4)]));
    }

    #[test]
    fn intervals_are_those_of_the_tables() {
        // 95 of 100: 0.888 to 0.978 (Wilson). 10 of 10: 0.722 to 1.
        let close = |count: Frequency, low: f64, high: f64| {
            assert!(
                (count.interval.0 - low).abs() < 5e-4 && (count.interval.1 - high).abs() < 5e-4,
                "{count:?}"
            );
        };
        close(Frequency::of(95, 100), 0.8882, 0.9785);
        close(Frequency::of(10, 10), 0.7225, 1.0);
        close(Frequency::of(0, 0), 0.0, 1.0);
    }
}
