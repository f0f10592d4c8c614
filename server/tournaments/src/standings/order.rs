//! Order of a table: points, then the tie-breaks one by one.

use std::collections::BTreeMap;

use super::{OrderedBy, StageResults};
use crate::random::derive;
use crate::{PlayerIndex, Score, StagePlan, TieBreak};

/// Tie-breaks of a stage, with the lot as the last one.
pub(super) fn levels(stage: &StagePlan) -> Vec<TieBreak> {
    let mut levels = stage.tie_breaks.clone();
    if !levels.contains(&TieBreak::Lot) {
        levels.push(TieBreak::Lot);
    }
    levels
}

/// The values that order a table.
pub(super) struct Scores<'a> {
    tallies: &'a [StageResults],
    place: BTreeMap<PlayerIndex, usize>,
    values: Vec<BTreeMap<TieBreak, Score>>,
}

impl<'a> Scores<'a> {
    pub(super) fn new(
        seed: u64,
        stage: usize,
        levels: &[TieBreak],
        tallies: &'a [StageResults],
        plan: &StagePlan,
    ) -> Self {
        let place: BTreeMap<_, _> =
            tallies.iter().enumerate().map(|(index, tally)| (tally.player, index)).collect();
        let points = |player: &PlayerIndex| tallies[place[player]].points;
        let mut lots: Vec<usize> = (0..tallies.len()).collect();
        lots.sort_by_key(|&index| {
            let player = tallies[index].player;
            (derive(seed, "lot", &[stage as u64, u64::from(player.0)]), player)
        });
        let mut values = vec![BTreeMap::new(); tallies.len()];
        for (index, tally) in tallies.iter().enumerate() {
            for &level in levels {
                // A round without an opponent counts as games against an opponent with the player's own points; a bye
                // counts as won games.
                let games = i64::from(plan.games);
                let value = match level {
                    TieBreak::HeadToHead => continue,
                    TieBreak::Buchholz => {
                        let without = i64::from(tally.byes + tally.absent) * games;
                        tally.met.iter().map(|(player, _)| points(player)).sum::<Score>()
                            + tally.points * without
                    }
                    TieBreak::SonnebornBerger => {
                        let met =
                            tally.met.iter().map(|(player, halves)| points(player).0 * halves).sum::<i64>();
                        Score((met + tally.points.0 * i64::from(tally.byes) * games * 2) / 2)
                    }
                    TieBreak::Wins => Score::ONE * i64::from(tally.wins),
                    TieBreak::Lot => {
                        let lot = lots.iter().position(|&drawn| drawn == index).unwrap_or_default();
                        Score::ONE * (lot as i64 + 1)
                    }
                };
                values[index].insert(level, value);
            }
        }
        Self { tallies, place, values }
    }

    /// Index of a player's tally.
    pub(super) fn position(&self, player: PlayerIndex) -> usize {
        self.place[&player]
    }

    /// Value of a tie-break; `None` for head-to-head, which depends on the group.
    pub(super) fn value(&self, player: PlayerIndex, level: TieBreak) -> Option<Score> {
        self.values[self.position(player)].get(&level).copied()
    }

    fn tally(&self, player: PlayerIndex) -> &StageResults {
        &self.tallies[self.position(player)]
    }

    /// Head-to-head points of the games among `group`, by player; `None` unless each met each other one.
    fn head_to_head(&self, group: &[PlayerIndex]) -> Option<Vec<Score>> {
        let mut values = Vec::with_capacity(group.len());
        for &player in group {
            let met = &self.tally(player).met;
            let all = group
                .iter()
                .all(|other| *other == player || met.iter().any(|(opponent, _)| opponent == other));
            if !all {
                return None;
            }
            let halves: i64 =
                met.iter().filter(|(other, _)| group.contains(other)).map(|(_, halves)| halves).sum();
            values.push(Score::HALF * halves);
        }
        Some(values)
    }
}

/// A player of an ordered table, with the criterion that puts it above the next, and its head-to-head score if that
/// was used.
pub(super) type Ordered = (PlayerIndex, Option<OrderedBy>, Option<Score>);

/// Orders players by points and tie-breaks.
pub(super) fn order(scores: &Scores<'_>, players: &[PlayerIndex], levels: &[TieBreak]) -> Vec<Ordered> {
    let mut ordered: Vec<Ordered> = Vec::with_capacity(players.len());
    // Stack of the groups that are still to be split, the last one at the bottom, each with its level.
    let points = players.iter().map(|&player| scores.tally(player).points).collect();
    let mut open: Vec<(Vec<PlayerIndex>, usize, Option<OrderedBy>)> = Vec::new();
    push(&mut open, split(players, points), 0, OrderedBy::Points, None);
    let mut direct: BTreeMap<PlayerIndex, Score> = BTreeMap::new();
    while let Some((group, level, above)) = open.pop() {
        if group.len() == 1 || level == levels.len() {
            ordered.extend(group.iter().map(|&player| (player, above, direct.get(&player).copied())));
            continue;
        }
        let values = match levels[level] {
            TieBreak::HeadToHead => scores.head_to_head(&group),
            // The lowest lot comes first.
            TieBreak::Lot => Some(
                group
                    .iter()
                    .map(|&player| -scores.value(player, TieBreak::Lot).unwrap_or_default())
                    .collect(),
            ),
            other => {
                Some(group.iter().map(|&player| scores.value(player, other).unwrap_or_default()).collect())
            }
        };
        let Some(values) = values else {
            open.push((group, level + 1, above));
            continue;
        };
        if levels[level] == TieBreak::HeadToHead {
            for (&player, &value) in group.iter().zip(&values) {
                direct.entry(player).or_insert(value);
            }
        }
        let parts = split(&group, values);
        // If a head-to-head split a group, players who are still tied are compared again among themselves.
        let again = levels[level] == TieBreak::HeadToHead && parts.len() > 1;
        push(
            &mut open,
            parts,
            if again { level } else { level + 1 },
            OrderedBy::TieBreak(levels[level]),
            above,
        );
    }
    ordered
}

/// Pushes groups onto the stack, the first one on top; the last one inherits what the whole group stood above.
fn push(
    open: &mut Vec<(Vec<PlayerIndex>, usize, Option<OrderedBy>)>,
    parts: Vec<Vec<PlayerIndex>>,
    level: usize,
    order: OrderedBy,
    above: Option<OrderedBy>,
) {
    for (back, part) in parts.into_iter().rev().enumerate() {
        open.push((part, level, if back == 0 { above } else { Some(order) }));
    }
}

/// Splits a group by values, the greatest first.
fn split(players: &[PlayerIndex], values: Vec<Score>) -> Vec<Vec<PlayerIndex>> {
    let mut both: Vec<(Score, PlayerIndex)> = values.into_iter().zip(players.iter().copied()).collect();
    both.sort_by_key(|&(value, player)| (std::cmp::Reverse(value), player));
    both.chunk_by(|a, b| a.0 == b.0).map(|part| part.iter().map(|&(_, player)| player).collect()).collect()
}
