//! Drawing rounds, when all before them counts.

use super::Director;
use crate::formats::{Drawn, round_robin};
use crate::{Encounter, EntryKind, Format, PlayerIndex, Round};

impl Director {
    /// Draws what comes next; false when the tournament is over. All that was drawn before counts.
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

    /// The rounds that come next in the present stage, of those whose encounters are known; none: the stage is over.
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
            Format::Swiss { .. } | Format::Elimination { .. } => Vec::new(),
        }
    }

    /// Gives a round its numbers.
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

    /// Takes a round that has its numbers.
    pub(super) fn keep_round(&mut self, round: Round) {
        let index = self.rounds.len();
        self.encounters.extend((0..round.encounters.len()).map(|place| (index, place)));
        self.handed.resize(self.encounters.len(), 0);
        self.rounds.push(round);
    }

    /// Who plays in the stage that begins, best seed first.
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
        // In a Swiss the house plays in the rounds that are odd; in an elimination the best have byes.
        if matches!(stage.format, Format::RoundRobin { .. }) && field.len() % 2 == 1 {
            field.extend(self.houses().next());
        }
        field
    }

    /// Players that fill up a field.
    pub(super) fn houses(&self) -> impl Iterator<Item = PlayerIndex> + '_ {
        (0..self.plan.players.len() as u32)
            .map(PlayerIndex)
            .filter(|&player| self.kind(player) == EntryKind::House && !self.is_retired(player))
    }

    /// Who goes on from a stage that is over, best first.
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
