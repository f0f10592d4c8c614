//! Counting: results become part of the tournament one by one, in the order of the schedule.

use serde::{Deserialize, Serialize};

use super::{Notice, Open, Position, Retired, TournamentState};
use crate::schedule::Share;
use crate::{
    CountedGame, Encounter, EntryKind, FaultOf, Format, GameResult, PlayerIndex, Round, Score, StagePlan,
    sprt,
};

/// Result of an encounter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EncounterResult {
    /// Points of the two players, in the encounter's order.
    pub points: [Score; 2],
    /// Winner, 0 or 1; `None` for a tie. In an elimination there always is a winner.
    pub winner: Option<u8>,
    /// Whether the encounter was a tie, and the better seed won by that.
    pub by_seed: bool,
    /// Results of its games, by pairs.
    pub tally: sprt::SprtCounts,
}

/// State of the next game in order.
enum Next {
    /// The game counts with this result.
    Counts(GameResult),
    /// The game is left out, with the rest of its encounter.
    LeftOut,
    /// The game alone is left out: its round was closed without it.
    Missing,
    /// The result has not arrived yet.
    Awaited,
}

impl TournamentState {
    /// Counts every game that can be counted, and draws every round that can be drawn.
    pub(super) fn count_results(&mut self) {
        while !self.over {
            if self.at.round == self.rounds.len() {
                self.over = !self.draw();
                let last = self.rounds.last().filter(|_| self.over);
                self.notices.extend(last.map(|round| Notice::StageOver { stage: round.stage }));
                continue;
            }
            self.begin_round();
            let Some(encounter) = self.encounter_at(self.at) else {
                self.at = Position { round: self.at.round + 1, ..Position::default() };
                continue;
            };
            let encounter = encounter.clone();
            if self.is_decided(&encounter) {
                self.close(&encounter);
                continue;
            }
            match self.next_result(&encounter) {
                Next::Awaited => return,
                Next::LeftOut => self.close(&encounter),
                Next::Missing => {
                    self.open.games += 1;
                    self.at.game += 1;
                }
                Next::Counts(result) => {
                    self.count(&encounter, result);
                    self.at.game += 1;
                }
            }
        }
    }

    /// Reports the end of the previous stage and the byes of the round, once.
    fn begin_round(&mut self) {
        if self.begun > self.at.round {
            return;
        }
        self.begun += 1;
        let before = self.at.round.checked_sub(1).map(|before| self.rounds[before].stage);
        let Round { stage, round, ref byes, .. } = self.rounds[self.at.round];
        let ended = before.filter(|&before| before != stage);
        self.notices.extend(ended.map(|stage| Notice::StageOver { stage }));
        self.notices.extend(byes.iter().map(|&player| Notice::Bye { player, stage, round }));
    }

    pub(super) fn encounter_at(&self, at: Position) -> Option<&Encounter> {
        self.rounds.get(at.round)?.encounters.get(at.encounter)
    }

    pub(super) fn stage_of(&self, round: usize) -> &StagePlan {
        &self.plan.stages[self.rounds[round].stage as usize]
    }

    fn next_result(&self, encounter: &Encounter) -> Next {
        let stage = self.rounds[self.at.round].stage as usize;
        let takes_out = self.plan.stages[stage].takes_out();
        if takes_out && encounter.players.iter().any(|&player| self.left_table(player, stage)) {
            return Next::LeftOut;
        }
        let [first, second] = self.sides(encounter, self.at.game).map(|player| self.is_retired(player));
        match (first, second) {
            (true, true) => return Next::Counts(GameResult::Forfeit { by: FaultOf::Both }),
            (true, false) => return Next::Counts(GameResult::Forfeit { by: FaultOf::First }),
            (false, true) => return Next::Counts(GameResult::Forfeit { by: FaultOf::Second }),
            (false, false) => {}
        }
        match self.results.get(&(encounter.first_game + u64::from(self.at.game))) {
            Some(&result) => Next::Counts(result),
            None if self.is_closed(self.at.round) => Next::Missing,
            None => Next::Awaited,
        }
    }

    /// Whether a later round that depends on this one was drawn: the missing games of this round are then skipped.
    fn is_closed(&self, round: usize) -> bool {
        let last = self.rounds.len() - 1;
        round < last
            && (self.rounds[last].stage > self.rounds[round].stage || !self.stage_of(round).takes_out())
    }

    /// Players of a game of an encounter, by side.
    pub(super) fn sides(&self, encounter: &Encounter, game: u32) -> [PlayerIndex; 2] {
        let [a, b] = encounter.players;
        if game.is_multiple_of(2) { [a, b] } else { [b, a] }
    }

    fn count(&mut self, encounter: &Encounter, result: GameResult) {
        let game = self.scheduled(self.at.round, self.at.encounter, self.at.game);
        let points = self.stage_of(self.at.round).points;
        let swapped = usize::from(!self.at.game.is_multiple_of(2));
        let shares = result.shares();
        if let Some(shares) = shares {
            for (side, share) in shares.into_iter().enumerate() {
                self.open.points[side ^ swapped] += points.of(share);
            }
        }
        self.open.games += 1;
        self.open.tally.add(shares.map(|shares| match shares[swapped] {
            Share::Lost => 0,
            Share::Drawn => 1,
            Share::Won => 2,
        }));
        let mut same_as = None;
        if let GameResult::Played { digest: Some(digest), .. } = result {
            let first = *self.seen.entry((game.players, digest)).or_insert(game.number);
            if first != game.number {
                same_as = Some(first);
                self.notices.push(Notice::Identical { first, again: game.number });
            }
        }
        let (players, number) = (game.players, game.number);
        self.games.push(CountedGame { game, result, same_as });
        for (side, player) in players.into_iter().enumerate() {
            // A retired player is at fault in all of its remaining games; those are no new faults. House players are
            // not retired: an odd field needs them.
            let can_retire = !self.is_retired(player) && self.kind(player) != EntryKind::House;
            if result.is_fault_of(side) && can_retire {
                self.fault(player, number, encounter);
            }
        }
    }

    fn fault(&mut self, player: PlayerIndex, number: u64, encounter: &Encounter) {
        let stage = self.rounds[self.at.round].stage;
        let of_all = self.encounters_of(player, stage);
        let state = &mut self.players[player.index()];
        state.faults += 1;
        if self.plan.faults.is_none_or(|most| state.faults < most) {
            return;
        }
        // Nobody leaves the table of an elimination, in which a lost encounter is the end, or of a test, which has
        // one encounter.
        let (of, over) = state.encounters;
        let over = if of == stage { over } else { 0 };
        let left_table = encounter.bracket.is_none() && of_all > 1 && over * 2 < of_all;
        state.retired = Some(Retired { stage, left_table });
        self.notices.push(Notice::Retired { player, stage, number, left_table });
    }

    /// Number of encounters that a player has in a stage when it is complete.
    fn encounters_of(&self, player: PlayerIndex, stage: u32) -> u32 {
        if let Format::Swiss { rounds } = self.plan.stages[stage as usize].format {
            return rounds;
        }
        let rounds = self.rounds.iter().filter(|round| round.stage == stage);
        rounds
            .flat_map(|round| &round.encounters)
            .filter(|encounter| encounter.players.contains(&player))
            .count() as u32
    }

    /// Whether the current encounter needs no further games.
    fn is_decided(&self, encounter: &Encounter) -> bool {
        if self.open.games >= encounter.most_games {
            return true;
        }
        let stage = self.stage_of(self.at.round);
        match &stage.format {
            Format::Elimination { .. } => stage.is_settled(self.open.games, self.open.points),
            Format::Sprt(plan) => {
                self.open.games > 0
                    && self.open.games.is_multiple_of(2)
                    && plan.verdict(&self.open.tally) != sprt::SprtDecision::Open
            }
            _ => false,
        }
    }

    /// Records the result of the current encounter, and goes on to the next one.
    fn close(&mut self, encounter: &Encounter) {
        let Open { points, tally, .. } = std::mem::take(&mut self.open);
        let stage = self.rounds[self.at.round].stage;
        let mut winner = match points[0].cmp(&points[1]) {
            std::cmp::Ordering::Greater => Some(0),
            std::cmp::Ordering::Less => Some(1),
            std::cmp::Ordering::Equal => None,
        };
        let by_seed = encounter.bracket.is_some() && winner.is_none();
        if by_seed {
            let field = self.field(stage as usize);
            let seed = |side: usize| field.iter().position(|&player| player == encounter.players[side]);
            let better = u8::from(seed(1) < seed(0));
            winner = Some(better);
            let winner = encounter.players[usize::from(better)];
            self.notices.push(Notice::BySeed { encounter: encounter.id, winner });
        }
        if let Format::Sprt(plan) = &self.plan.stages[stage as usize].format {
            let llr = tally.llr(plan);
            let verdict = match plan.verdict(&tally) {
                sprt::SprtDecision::Open => sprt::SprtDecision::OutOfGames,
                verdict => verdict,
            };
            self.notices.push(Notice::Sprt { stage, verdict, llr });
        }
        self.outcomes.push(EncounterResult { points, winner, by_seed, tally });
        for player in encounter.players {
            let (of, over) = &mut self.players[player.index()].encounters;
            (*of, *over) = (stage, if *of == stage { *over + 1 } else { 1 });
        }
        self.at.encounter += 1;
        self.at.game = 0;
    }
}

impl StagePlan {
    /// Whether the games of a player who leaves the table are removed from it. That holds for formats in which everybody
    /// has, or would have, the same number of them. Where opponents depend on results the games stay, since removing
    /// them would harm those who happened to meet the player.
    pub(crate) fn takes_out(&self) -> bool {
        matches!(self.format, Format::RoundRobin { .. } | Format::Gauntlet { .. })
    }

    /// Whether an encounter of an elimination is over: after a part, when the trailing player can't catch up any more.
    /// After a tie in all parts there is one more part, and then the seeds decide.
    pub(crate) fn is_settled(&self, games: u32, points: [Score; 2]) -> bool {
        let Format::Elimination { best_of, .. } = self.format else { return false };
        let all = self.games * best_of;
        let lead = (points[0].0 - points[1].0).abs();
        games.is_multiple_of(self.games) && lead > self.swing() * i64::from(all.saturating_sub(games))
    }

    /// Maximum change of a lead by one game, in thousandths.
    pub(crate) fn swing(&self) -> i64 {
        (self.points.win - self.points.loss).0
    }
}
