//! Resuming a tournament from its stored rounds and results.

use thiserror::Error;

use super::{RecordError, TournamentState};
use crate::{GameResult, Plan, PlanError, PlayerIndex, Round};

/// Reason for which a tournament can't be resumed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ResumeError {
    /// The plan is invalid.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A stored round does not belong to this plan.
    #[error("stored round {round} of stage {stage} does not fit the plan: {problem}")]
    Round {
        /// The stage, from 1.
        stage: u64,
        /// The round, from 1.
        round: u64,
        /// The mistake.
        problem: &'static str,
    },
    /// A stored result belongs to no game.
    #[error(transparent)]
    Result(#[from] RecordError),
}

impl TournamentState {
    /// Resumes a tournament. `rounds`, in the order in which they were drawn, are kept even if rulings have changed
    /// `results` since. Missing games of a closed round are skipped.
    ///
    /// # Errors
    /// If the plan is invalid, a round does not belong to it, or a result belongs to no game.
    pub fn resume(
        plan: Plan,
        rounds: Vec<Round>,
        results: impl IntoIterator<Item = (u64, GameResult)>,
    ) -> Result<Self, ResumeError> {
        let mut tournament = Self::before(plan)?;
        for round in rounds {
            tournament.check_round(&round).map_err(|problem| ResumeError::Round {
                stage: u64::from(round.stage) + 1,
                round: u64::from(round.round) + 1,
                problem,
            })?;
            tournament.stage = round.stage as usize;
            tournament.keep_round(round);
        }
        tournament.taken = tournament.rounds.len();
        for (number, result) in results {
            tournament.keep(number, result)?;
        }
        tournament.count_results();
        Ok(tournament)
    }

    /// Checks whether a stored round can follow those before it.
    fn check_round(&self, round: &Round) -> Result<(), &'static str> {
        let Some(stage) = self.plan.stages.get(round.stage as usize) else {
            return Err("there is no such stage");
        };
        let last = self.rounds.last();
        let follows = match last {
            Some(last) if last.stage == round.stage => round.round == last.round + 1,
            Some(last) => round.stage > last.stage && round.round == 0,
            None => round.round == 0,
        };
        if !follows {
            return Err("it does not follow the one before it");
        }
        if (round.round == 0) == round.field.is_empty() {
            return Err("the first round of a stage has its field, and no other");
        }
        let known = |player: &PlayerIndex| player.index() < self.plan.players.len();
        let mut playing: Vec<PlayerIndex> =
            round.encounters.iter().flat_map(|encounter| encounter.players).collect();
        playing.extend(&round.byes);
        if !playing.iter().chain(&round.field).all(known) {
            return Err("it has a player that there is not");
        }
        playing.sort_unstable();
        if playing.windows(2).any(|two| two[0] == two[1]) {
            return Err("a player is in it twice");
        }
        let before = self.encounters.last().map(|&(round, place)| &self.rounds[round].encounters[place]);
        let mut first_game = before.map_or(0, |before| before.first_game + u64::from(before.most_games));
        for (id, encounter) in (self.encounters.len() as u32..).zip(&round.encounters) {
            if encounter.id != id || encounter.first_game != first_game {
                return Err("its encounters are not numbered in order");
            }
            if encounter.most_games != stage.most_games() {
                return Err("its encounters have another number of games");
            }
            if encounter.bracket.is_some() != stage.is_elimination() {
                return Err("it is of another format");
            }
            first_game += u64::from(encounter.most_games);
        }
        Ok(())
    }
}
