//! Drawing of rounds, once all before them have been counted.

use std::collections::BTreeMap;

use super::TournamentState;
use crate::formats::elimination::{self, Met};
use crate::formats::swiss::{self, Candidate};
use crate::formats::{Drawn, round_robin};
use crate::standings::tallies;
use crate::{BracketPosition, Encounter, EntryKind, Format, PlayerIndex, Round};

impl TournamentState {
    /// Draws the next rounds; false when the tournament is over. All earlier rounds must have been counted.
    pub(super) fn draw(&mut self) -> bool {
        while self.stage < self.plan.stages.len() {
            let begun = self.rounds.iter().any(|round| round.stage as usize == self.stage);
            let field = if begun { self.field(self.stage).to_vec() } else { self.next_field() };
            let drawn = self.next_rounds(&field);
            if !drawn.is_empty() {
                for drawn in drawn {
                    self.add_round(drawn, &field);
                }
                return true;
            }
            self.stage += 1;
        }
        false
    }

    /// The next rounds of the current stage whose encounters are known; empty if the stage is over.
    fn next_rounds(&self, field: &[PlayerIndex]) -> Vec<Drawn> {
        let rounds = self.rounds.iter().filter(|round| round.stage as usize == self.stage).count();
        let rest = |all: Vec<Drawn>| all.into_iter().skip(rounds).collect();
        if field.len() < 2 {
            return Vec::new();
        }
        match self.plan.stages[self.stage].format {
            Format::RoundRobin { cycles } => rest(round_robin::round_robin(field, cycles)),
            Format::Gauntlet { challengers, cycles } => {
                rest(round_robin::gauntlet(field, challengers, cycles))
            }
            Format::Sprt(_) => {
                let encounters = vec![([field[0], field[1]], None)];
                rest(vec![Drawn { cycle: 0, encounters, byes: Vec::new() }])
            }
            Format::Swiss { rounds: all } if rounds < all as usize => {
                self.swiss_round(field, rounds as u32).into_iter().collect()
            }
            Format::Swiss { .. } => Vec::new(),
            Format::Elimination { double, third_place, .. } => {
                let bracket = elimination::Plan::new(field.len(), double, third_place);
                bracket.next_round(field, &self.bracket(self.stage)).into_iter().collect()
            }
        }
    }

    /// Encounters of a stage's bracket so far.
    pub(crate) fn bracket(&self, stage: usize) -> BTreeMap<BracketPosition, Met> {
        let rounds = self.rounds.iter().filter(|round| round.stage as usize == stage);
        let encounters = rounds.flat_map(|round| &round.encounters);
        encounters
            .filter_map(|encounter| {
                let winner = self.encounter_result(encounter.id).and_then(|result| result.winner);
                Some((encounter.bracket?, Met { players: encounter.players, winner }))
            })
            .collect()
    }

    /// A round of a Swiss; `None` if fewer than two players can play any more.
    fn swiss_round(&self, field: &[PlayerIndex], round: u32) -> Option<Drawn> {
        let tallies = tallies(self, self.stage, field);
        let mut met = vec![Vec::new(); self.plan.players.len()];
        let rounds = self.rounds.iter().filter(|round| round.stage as usize == self.stage);
        for [one, other] in rounds.flat_map(|round| &round.encounters).map(|encounter| encounter.players) {
            met[one.index()].push(other);
            met[other.index()].push(one);
        }
        let joined = |player: PlayerIndex| self.stage > 0 || self.plan.players[player.index()].joins <= round;
        // The tallies are in the order of the seeding; a stable sort by points gives the order that counts here.
        let mut candidates: Vec<Candidate> = tallies
            .iter()
            .filter(|tally| {
                field.contains(&tally.player) && joined(tally.player) && !self.is_retired(tally.player)
            })
            .map(|tally| Candidate {
                player: tally.player,
                points: tally.points,
                byes: tally.byes,
                met: std::mem::take(&mut met[tally.player.index()]),
            })
            .collect();
        if candidates.len() < 2 {
            // A player who is alone waits for late entries.
            let late = |&player: &PlayerIndex| !joined(player) && !self.is_retired(player);
            let empty = Drawn { cycle: round, encounters: Vec::new(), byes: Vec::new() };
            return field.iter().any(late).then_some(empty);
        }
        candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.points));
        let (encounters, bye) = swiss::round(&candidates, self.houses().next());
        let encounters = encounters.into_iter().map(|players| (players, None)).collect();
        Some(Drawn { cycle: round, encounters, byes: bye.into_iter().collect() })
    }

    /// Numbers the encounters and games of a round, and adds it.
    fn add_round(&mut self, drawn: Drawn, field: &[PlayerIndex]) {
        let stage = self.stage as u32;
        let before = self.rounds.iter().rev().take_while(|round| round.stage == stage);
        let round = before.count() as u32;
        let last = self.encounters.last().map(|&(round, place)| &self.rounds[round].encounters[place]);
        let mut first_game = last.map_or(0, |last| last.first_game + u64::from(last.most_games));
        let most_games = self.plan.stages[self.stage].most_games();
        let mut encounters = Vec::with_capacity(drawn.encounters.len());
        for (players, bracket) in drawn.encounters {
            let id = (self.encounters.len() + encounters.len()) as u32;
            encounters.push(Encounter { id, players, first_game, most_games, bracket });
            first_game += u64::from(most_games);
        }
        let field = if round == 0 { field.to_vec() } else { Vec::new() };
        self.keep_round(Round { stage, round, cycle: drawn.cycle, field, encounters, byes: drawn.byes });
    }

    /// Adds a round that is numbered.
    pub(super) fn keep_round(&mut self, round: Round) {
        let index = self.rounds.len();
        self.encounters.extend((0..round.encounters.len()).map(|place| (index, place)));
        self.handed.resize(self.encounters.len(), 0);
        self.rounds.push(round);
    }

    /// Players of the next stage, best seed first.
    fn next_field(&self) -> Vec<PlayerIndex> {
        let stage = &self.plan.stages[self.stage];
        let before = (0..self.stage).rev().find(|&before| !self.field(before).is_empty());
        let mut field: Vec<PlayerIndex> = match before {
            None => (0..self.plan.players.len() as u32).map(PlayerIndex).collect(),
            Some(before) => self.advancing(before),
        };
        field.retain(|&player| {
            let plays = match self.kind(player) {
                EntryKind::Entered => true,
                EntryKind::Staff => !stage.is_elimination(),
                EntryKind::House => false,
            };
            plays && !self.is_retired(player)
        });
        // In a Swiss the house player plays in rounds with an odd field; in an elimination the best have byes.
        if matches!(stage.format, Format::RoundRobin { .. }) && field.len() % 2 == 1 {
            field.extend(self.houses().next());
        }
        field
    }

    /// House players, which fill up an odd field.
    pub(super) fn houses(&self) -> impl Iterator<Item = PlayerIndex> + '_ {
        (0..self.plan.players.len() as u32)
            .map(PlayerIndex)
            .filter(|&player| self.kind(player) == EntryKind::House)
    }

    /// Players that advance from a stage that is over, best first.
    fn advancing(&self, stage: usize) -> Vec<PlayerIndex> {
        let mut table = self.standings(stage);
        table.retain(|standing| !self.is_retired(standing.player) && !standing.left_table);
        match self.plan.stages[stage].advance {
            Some(most) => {
                let placed = table.iter().filter(|standing| standing.rank.is_some());
                placed.map(|standing| standing.player).take(most as usize).collect()
            }
            None => table.iter().map(|standing| standing.player).collect(),
        }
    }
}
