//! Handing out games that may be played now, in the order of the schedule.

use super::TournamentState;
use crate::random::derive;
use crate::{Encounter, Format, GameResult, ScheduledGame};

impl TournamentState {
    /// The next game that may begin now and was not handed out before; `None` while results are awaited, and when the
    /// tournament is over.
    ///
    /// A game of an elimination is handed out when nothing can make it superfluous. Games of a test are handed out
    /// ahead of its decision; those played beyond it do not count.
    pub fn next_game(&mut self) -> Option<ScheduledGame> {
        let current = self.id_at()?;
        self.hand_from = self.hand_from.max(current);
        for id in self.hand_from..self.encounters.len() {
            let (round, place) = self.encounters[id];
            let encounter = &self.rounds[round].encounters[place];
            let needed = if encounter.players.iter().any(|&player| self.is_retired(player)) {
                0
            } else {
                self.needed(round, encounter)
            };
            let mut game = self.handed[id];
            if id == current {
                game = game.max(self.at.game);
            }
            while game < needed && self.results.contains_key(&(encounter.first_game + u64::from(game))) {
                game += 1;
            }
            let whole = encounter.most_games;
            self.handed[id] = game;
            if game < needed {
                self.handed[id] += 1;
                return Some(self.scheduled(round, place, game));
            }
            if id == self.hand_from && game >= whole {
                self.hand_from += 1;
            }
        }
        None
    }

    /// Id of the encounter that is being counted; `None` when all are over.
    pub(super) fn id_at(&self) -> Option<usize> {
        let id = self.outcomes.len();
        (id < self.encounters.len()).then_some(id)
    }

    /// Id of the encounter that contains a game number.
    pub(super) fn find(&self, number: u64) -> Option<usize> {
        let first = |&(round, place): &(usize, usize)| self.rounds[round].encounters[place].first_game;
        let id = self.encounters.partition_point(|at| first(at) <= number).checked_sub(1)?;
        let (round, place) = self.encounters[id];
        let encounter = &self.rounds[round].encounters[place];
        (number - encounter.first_game < u64::from(encounter.most_games)).then_some(id)
    }

    /// Number of games of an encounter that are certain to be played, given the results so far.
    fn needed(&self, round: usize, encounter: &Encounter) -> u32 {
        let stage = self.stage_of(round);
        let Format::Elimination { best_of, .. } = stage.format else { return encounter.most_games };
        let mut points = [crate::Score::ZERO; 2];
        let mut games = 0;
        while let Some(result) = self.result_of(encounter, games) {
            if stage.is_settled(games, points) && games > 0 {
                return games;
            }
            if let Some(shares) = result.shares() {
                let swapped = usize::from(!games.is_multiple_of(2));
                for (side, share) in shares.into_iter().enumerate() {
                    points[side ^ swapped] += stage.points.of(share);
                }
            }
            games += 1;
        }
        if games > 0 && stage.is_settled(games, points) {
            return games;
        }
        // The earliest part after which the encounter can be settled, which is so if the leader wins all further games.
        let lead = (points[0].0 - points[1].0).abs();
        let all = stage.games * best_of;
        (1..=best_of)
            .map(|part| part * stage.games)
            .filter(|&end| end > games)
            .find(|&end| lead + stage.swing() * i64::from(end - games) > stage.swing() * i64::from(all - end))
            .unwrap_or(encounter.most_games)
    }

    fn result_of(&self, encounter: &Encounter, game: u32) -> Option<GameResult> {
        let number = encounter.first_game + u64::from(game);
        (game < encounter.most_games).then(|| self.results.get(&number).copied()).flatten()
    }

    /// A game of an encounter. All encounters of a round have the same maps and openings, so that every player gets
    /// each as often.
    pub(super) fn scheduled(&self, round: usize, place: usize, game: u32) -> ScheduledGame {
        let (drawn, stage) = (&self.rounds[round], self.stage_of(round));
        let encounter = &drawn.encounters[place];
        let pair = game / 2;
        let turn = u64::from(drawn.round) * u64::from(encounter.most_games.div_ceil(2)) + u64::from(pair);
        let (map, opening) = rotation(self.plan.seed, drawn.stage, turn, stage.maps, stage.openings);
        ScheduledGame {
            number: encounter.first_game + u64::from(game),
            stage: drawn.stage,
            round: drawn.round,
            encounter: encounter.id,
            pair,
            players: self.sides(encounter, game),
            seed: derive(self.plan.seed, "game", &[encounter.first_game + u64::from(pair) * 2]),
            map,
            opening,
        }
    }
}

/// Map and opening of pair number `turn`. Both rotate from a start that the seed determines, and every combination
/// occurs once before one is repeated.
fn rotation(seed: u64, stage: u32, turn: u64, maps: u32, openings: u32) -> (Option<u32>, Option<u32>) {
    let (m, o) = (u64::from(maps.max(1)), u64::from(openings.max(1)));
    // Both rotations are back at their start after lcm(m, o) pairs; then one of them is shifted by one.
    let shift = turn / (m / gcd(m, o) * o);
    let start = |what| derive(seed, what, &[u64::from(stage)]);
    let map = (start("maps") % m + turn % m) % m;
    let opening = (start("openings") % o + turn % o + shift % o) % o;
    ((maps > 0).then_some(map as u32), (openings > 0).then_some(opening as u32))
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_map_meets_every_opening_once_before_one_comes_again() {
        for (maps, openings) in [(3, 5), (4, 6), (6, 4), (5, 5), (1, 7), (8, 12)] {
            let turns = u64::from(maps) * u64::from(openings);
            let met: BTreeSet<_> = (0..turns).map(|turn| rotation(9, 0, turn, maps, openings)).collect();
            assert_eq!(met.len() as u64, turns, "{maps} maps, {openings} openings");
        }
        assert_eq!(rotation(9, 0, 3, 0, 0), (None, None));
    }

    #[test]
    fn maps_and_openings_are_used_evenly_in_a_short_run() {
        for turns in 1..60 {
            for pick in [|(map, _): (Option<u32>, Option<u32>)| map, |(_, opening)| opening] {
                let mut used = [0_u32; 12];
                for turn in 0..turns {
                    used[pick(rotation(9, 0, turn, 12, 12)).unwrap() as usize] += 1;
                }
                assert!(used.iter().max().unwrap() - used.iter().min().unwrap() <= 2, "{used:?}");
            }
        }
    }
}
