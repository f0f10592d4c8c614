//! Brackets: single and double elimination.
//!
//! A bracket is built completely for its number of players; every node knows the sources of its two players. The
//! results of the nodes so far determine the next encounters and the final places.

use std::collections::BTreeMap;

use super::Drawn;
use crate::{BracketKind, BracketPosition, PlayerIndex};

/// Source of a player of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// A seed, from 0; seeds beyond the field are missing.
    Seed(usize),
    /// The winner of a node.
    Winner(usize),
    /// The loser of a node.
    Loser(usize),
}

/// A possible encounter.
#[derive(Debug, Clone)]
struct Node {
    place: BracketPosition,
    /// Step in which the node can be played; nodes of one step are played side by side.
    step: u32,
    sources: [Source; 2],
}

/// State of a node whose players were drawn against each other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Met {
    pub(crate) players: [PlayerIndex; 2],
    /// Index of the winner; `None` while the encounter is being played.
    pub(crate) winner: Option<u8>,
}

/// State of a node.
#[derive(Debug, Clone, Copy)]
enum Known {
    /// An earlier node is not over.
    Open,
    /// No player reaches the node.
    Empty,
    /// One player reaches the node, and goes on.
    Walkover(PlayerIndex),
    /// Two players reach the node, and have not been drawn yet.
    Ready([PlayerIndex; 2]),
    /// The two players were drawn against each other.
    Met(Met),
}

/// Progress of a player: greater is better, and equal values share a place.
pub(crate) type Reach = u32;

/// The whole bracket.
#[derive(Debug)]
pub(crate) struct Plan {
    nodes: Vec<Node>,
}

impl Plan {
    /// The bracket of `players` players, at least two.
    pub(crate) fn new(players: usize, double: bool, third_place: bool) -> Self {
        let depth = players.max(2).next_power_of_two().trailing_zeros();
        let mut plan = Self { nodes: Vec::new() };
        let mut winners: Vec<Vec<usize>> = Vec::new();
        for round in 0..depth {
            let sources: Vec<[Source; 2]> = match winners.last() {
                None => {
                    seeding(depth).chunks(2).map(|two| [Source::Seed(two[0]), Source::Seed(two[1])]).collect()
                }
                Some(before) => {
                    before.chunks(2).map(|two| [Source::Winner(two[0]), Source::Winner(two[1])]).collect()
                }
            };
            if round + 1 == depth && depth > 1 && third_place && !double {
                let semi = &winners[depth as usize - 2];
                plan.add(
                    BracketKind::ThirdPlace,
                    0,
                    round,
                    vec![[Source::Loser(semi[0]), Source::Loser(semi[1])]],
                );
            }
            winners.push(plan.add(BracketKind::Winners, round, round, sources));
        }
        if double {
            plan.add_losers(&winners);
        }
        plan
    }

    /// Adds the losers' bracket and the grand final.
    fn add_losers(&mut self, winners: &[Vec<usize>]) {
        let depth = winners.len() as u32;
        let last = winners[winners.len() - 1][0];
        let mut before: Vec<usize> = Vec::new();
        for (round, lost) in winners.iter().enumerate() {
            let round = round as u32;
            if round == 0 {
                if depth > 1 {
                    let sources =
                        lost.chunks(2).map(|two| [Source::Loser(two[0]), Source::Loser(two[1])]).collect();
                    before = self.add(BracketKind::Losers, 0, 1, sources);
                }
                continue;
            }
            // Losers from the winners' bracket are placed in reversed order in every other round, so that players who
            // met there meet again late.
            let count = lost.len();
            let place = |index: usize| if round % 2 == 1 { count - 1 - index } else { index };
            let sources = (0..count)
                .map(|index| [Source::Winner(before[index]), Source::Loser(lost[place(index)])])
                .collect();
            before = self.add(BracketKind::Losers, 2 * round - 1, 2 * round, sources);
            if round + 1 < depth {
                let sources =
                    before.chunks(2).map(|two| [Source::Winner(two[0]), Source::Winner(two[1])]).collect();
                before = self.add(BracketKind::Losers, 2 * round, 2 * round + 1, sources);
            }
        }
        let challenger = before.first().map_or(Source::Loser(last), |&node| Source::Winner(node));
        let step = 2 * depth - 1;
        let first = self.add(BracketKind::GrandFinal, 0, step, vec![[Source::Winner(last), challenger]])[0];
        // This encounter is only played if the winners' winner lost the first.
        self.add(BracketKind::GrandFinal, 1, step + 1, vec![[Source::Loser(first), Source::Winner(first)]]);
    }

    fn add(&mut self, bracket: BracketKind, round: u32, step: u32, sources: Vec<[Source; 2]>) -> Vec<usize> {
        let begin = self.nodes.len();
        self.nodes.extend((0..).zip(sources).map(|(position, sources)| Node {
            place: BracketPosition { bracket, round, position },
            step,
            sources,
        }));
        (begin..self.nodes.len()).collect()
    }

    /// States of all nodes. A node that was drawn keeps its players.
    fn known(&self, field: &[PlayerIndex], met: &BTreeMap<BracketPosition, Met>) -> Vec<Known> {
        let mut known = vec![Known::Open; self.nodes.len()];
        // In the order of steps, every node comes after its sources. The order of the list does not ensure that across
        // brackets.
        for index in self.by_step() {
            let node = &self.nodes[index];
            known[index] = match met.get(&node.place) {
                Some(&met) => Known::Met(met),
                None if !self.is_needed(index, &known) => Known::Empty,
                None => match node.sources.map(|source| coming(source, field, &known)) {
                    [Some(Some(one)), Some(Some(other))] => Known::Ready([one, other]),
                    [Some(Some(one)), Some(None)] | [Some(None), Some(Some(one))] => Known::Walkover(one),
                    [Some(None), Some(None)] => Known::Empty,
                    _ => Known::Open,
                },
            };
        }
        known
    }

    fn by_step(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_key(|&index| (self.nodes[index].step, index));
        order
    }

    /// Whether a node is played: the second encounter of a grand final only if the first was lost by the player who had
    /// not lost before.
    fn is_needed(&self, index: usize, known: &[Known]) -> bool {
        let place = self.nodes[index].place;
        if place.bracket != BracketKind::GrandFinal || place.round == 0 {
            return true;
        }
        !matches!(
            known[index - 1],
            Known::Met(Met { winner: Some(0), .. }) | Known::Empty | Known::Walkover(_)
        )
    }

    /// The next round: the encounters of the first step among all that can be drawn. `None` if the bracket is over.
    pub(crate) fn next_round(
        &self,
        field: &[PlayerIndex],
        met: &BTreeMap<BracketPosition, Met>,
    ) -> Option<Drawn> {
        let known = self.known(field, met);
        let ready = |index: &usize| matches!(known[*index], Known::Ready(_));
        let order = self.by_step();
        let step = self.nodes[order.iter().copied().find(ready)?].step;
        let mut drawn = Drawn { cycle: step, encounters: Vec::new(), byes: Vec::new() };
        let seed = |player: PlayerIndex| field.iter().position(|&other| other == player);
        for index in order.into_iter().filter(|&index| self.nodes[index].step == step) {
            match known[index] {
                Known::Ready([one, other]) => {
                    // The better seed has the first side in the first game.
                    let players = if seed(one) <= seed(other) { [one, other] } else { [other, one] };
                    let grand_final = self.nodes[index].place.bracket == BracketKind::GrandFinal;
                    drawn.encounters.push((
                        if grand_final { [one, other] } else { players },
                        Some(self.nodes[index].place),
                    ));
                }
                Known::Walkover(player) => drawn.byes.push(player),
                _ => {}
            }
        }
        Some(drawn)
    }

    /// Progress of each player of the field, in the order of the field.
    pub(crate) fn reaches(&self, field: &[PlayerIndex], met: &BTreeMap<BracketPosition, Met>) -> Vec<Reach> {
        const IN: Reach = Reach::MAX - 1;
        let known = self.known(field, met);
        let mut reaches: BTreeMap<PlayerIndex, Reach> = field.iter().map(|&player| (player, IN)).collect();
        for index in self.by_step() {
            let Known::Met(Met { players, winner }) = known[index] else { continue };
            let Node { place, step, .. } = self.nodes[index];
            // Both players come at least as far as the loser of this node.
            let [lost, won] = match place.bracket {
                BracketKind::ThirdPlace => [2 * step - 1, 2 * step],
                _ => [2 * step + 1, IN],
            };
            let Some(winner) = winner.map(usize::from) else {
                let so_far = if place.bracket == BracketKind::ThirdPlace { lost } else { IN };
                for player in players {
                    reaches.insert(player, so_far);
                }
                continue;
            };
            let goes_on = self.nodes.iter().enumerate().any(|(after, node)| {
                node.sources.contains(&Source::Loser(index)) && !matches!(known[after], Known::Empty)
            });
            let is_last = !self.nodes.iter().enumerate().any(|(after, node)| {
                node.sources.contains(&Source::Winner(index)) && !matches!(known[after], Known::Empty)
            });
            let won = if is_last && place.bracket != BracketKind::ThirdPlace { Reach::MAX } else { won };
            reaches.insert(players[winner], won);
            reaches.insert(players[1 - winner], if goes_on { IN } else { lost });
        }
        field.iter().map(|player| reaches[player]).collect()
    }
}

/// The player from a source: `None` while it is open, `Some(None)` if there is none.
fn coming(source: Source, field: &[PlayerIndex], known: &[Known]) -> Option<Option<PlayerIndex>> {
    let (node, wins) = match source {
        Source::Seed(seed) => return Some(field.get(seed).copied()),
        Source::Winner(node) => (node, true),
        Source::Loser(node) => (node, false),
    };
    match known[node] {
        Known::Open | Known::Ready(_) | Known::Met(Met { winner: None, .. }) => None,
        Known::Empty => Some(None),
        Known::Walkover(player) => Some(wins.then_some(player)),
        Known::Met(Met { players, winner: Some(winner) }) => {
            Some(Some(players[usize::from(winner) ^ usize::from(!wins)]))
        }
    }
}

/// Seeds of the first round from the top: the two best can't meet before the final, nor the four best before the
/// semi-finals.
fn seeding(depth: u32) -> Vec<usize> {
    let mut seeds = vec![0];
    for _ in 0..depth {
        let last = 2 * seeds.len() - 1;
        seeds = seeds.iter().flat_map(|&seed| [seed, last - seed]).collect();
    }
    seeds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seeding_is_the_customary_one() {
        assert_eq!(seeding(3), [0, 7, 3, 4, 1, 6, 2, 5]);
    }

    #[test]
    fn a_double_elimination_has_two_encounters_a_player_but_two() {
        for depth in 1..8 {
            let players = 1 << depth;
            assert_eq!(Plan::new(players, true, false).nodes.len(), 2 * players - 1);
        }
    }
}
