//! Round of a Swiss: a matching of least cost.
//!
//! Costs have four ranks, and no amount of a lower rank outweighs a higher one: no second bye (or encounter with the
//! house player); no second encounter of two players; least differences of points; among equal points, the upper half
//! meets the lower.

use crate::{PlayerIndex, Score, pairing};

/// A player of the round. Candidates are in the order of the table.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) player: PlayerIndex,
    pub(crate) points: Score,
    pub(crate) byes: u32,
    /// Opponents so far, once for each encounter.
    pub(crate) met: Vec<PlayerIndex>,
}

/// Encounters, and the player with a bye if the field is odd and there is no house player.
pub(crate) fn round(
    candidates: &[Candidate],
    house: Option<PlayerIndex>,
) -> (Vec<[PlayerIndex; 2]>, Option<PlayerIndex>) {
    let players = candidates.len();
    let vertices = players + players % 2;
    let costs = Costs::new(candidates, house);
    let most = costs.most() * (vertices as i128 + 1) + 1;
    let mates = pairing::greatest_weight(vertices, |a, b| most - costs.cost(a, b));
    let mut encounters = Vec::with_capacity(players / 2);
    let mut bye = None;
    for (upper, mate) in mates.iter().enumerate().take(players) {
        match *mate {
            Some(lower) if lower < players && upper < lower => {
                encounters.push([candidates[upper].player, candidates[lower].player]);
            }
            Some(lower) if lower >= players => match house {
                Some(house) => encounters.push([candidates[upper].player, house]),
                None => bye = Some(candidates[upper].player),
            },
            _ => {}
        }
    }
    (encounters, bye)
}

/// Costs of encounters.
struct Costs<'a> {
    candidates: &'a [Candidate],
    house: Option<PlayerIndex>,
    /// For each candidate: start and size of the group with the same points in the table.
    groups: Vec<(usize, usize)>,
    least: Score,
    /// Costs of a thousandth of a point, a repeated encounter and a repeated bye.
    units: [i128; 3],
    /// Upper bound of the times that two players met, or that one had a bye.
    times: i128,
}

impl<'a> Costs<'a> {
    fn new(candidates: &'a [Candidate], house: Option<PlayerIndex>) -> Self {
        let mut groups = Vec::with_capacity(candidates.len());
        for group in candidates.chunk_by(|a, b| a.points == b.points) {
            let begin = groups.len();
            groups.extend(std::iter::repeat_n((begin, group.len()), group.len()));
        }
        let least = candidates.iter().map(|candidate| candidate.points).min().unwrap_or_default();
        let greatest = candidates.iter().map(|candidate| candidate.points).max().unwrap_or_default();
        let pairs = candidates.len().div_ceil(2) as i128;
        let times =
            candidates.iter().map(|candidate| candidate.met.len() as i128 + i128::from(candidate.byes)).max();
        let times = times.unwrap_or(0) + 1;
        // Each unit exceeds the maximum cost of all pairs in the units below it.
        let point = pairs * candidates.len() as i128 + 1;
        let again = pairs * (i128::from((greatest - least).0) + 1) * point + 1;
        let bye = pairs * times * again + 1;
        Self { candidates, house, groups, least, units: [point, again, bye], times }
    }

    /// Upper bound of the cost of a pair.
    fn most(&self) -> i128 {
        (self.times + 1) * self.units[2] * 2
    }

    fn cost(&self, upper: usize, lower: usize) -> i128 {
        let [point, again, bye] = self.units;
        let one = &self.candidates[upper];
        let met = |other: PlayerIndex| one.met.iter().filter(|&&met| met == other).count() as i128;
        let Some(other) = self.candidates.get(lower) else {
            // The bye, or the encounter with the house player, goes to the last in the table.
            let times = i128::from(one.byes) + self.house.map_or(0, met);
            let above = self.candidates.len() - 1 - upper;
            return times * bye + i128::from((one.points - self.least).0) * point + above as i128;
        };
        let apart = lower - upper;
        let (begin, size) = self.groups[upper];
        let fold = if self.groups[lower].0 == begin { apart.abs_diff(size / 2) } else { apart };
        met(other.player) * again + i128::from((one.points - other.points).0.abs()) * point + fold as i128
    }
}
