//! State of a tournament: rounds that are drawn, games that are handed out, results that are counted.
//!
//! Results count in the order of the schedule. An early result is kept until all before it are there; rounds,
//! decisions and retirements depend only on results that count. Everything here is therefore a function of the plan
//! and of each game's result, and does not depend on the order of arrival.

mod count;
mod draw;
mod hand_out;
mod resume;

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

pub use count::EncounterResult;
pub use resume::ResumeError;

use crate::ratings::RatedGame;
use crate::{
    CountedGame, EntryKind, GameResult, Plan, PlanError, PlayerIndex, Round, ScheduledGame, Score, sprt,
};

/// A tournament in progress.
#[derive(Debug, Clone)]
pub struct TournamentState {
    plan: Plan,
    rounds: Vec<Round>,
    /// Round and position of each encounter, by its id.
    encounters: Vec<(usize, usize)>,
    /// Number of rounds taken with [`TournamentState::take_drawn`].
    taken: usize,
    /// The stage whose rounds are being drawn.
    stage: usize,
    /// Number of rounds whose counting has begun.
    begun: usize,
    /// Reported results, by game number.
    results: BTreeMap<u64, GameResult>,
    /// Games that count, in order.
    games: Vec<CountedGame>,
    /// Position of the next game to be counted.
    at: Position,
    /// State of the encounter that is being counted.
    open: Open,
    /// Results of the encounters that are over, by encounter id.
    outcomes: Vec<EncounterResult>,
    /// State of the players, by index.
    players: Vec<Player>,
    /// Number of the first of identical games, by players and digest.
    seen: HashMap<([PlayerIndex; 2], u64), u64>,
    /// Number of games of each encounter that were handed out or skipped, by encounter id.
    handed: Vec<u32>,
    /// All games of the encounters before this one are handed out.
    hand_from: usize,
    notices: Vec<Notice>,
    over: bool,
}

/// A position in the schedule.
#[derive(Debug, Clone, Copy, Default)]
struct Position {
    round: usize,
    encounter: usize,
    game: u32,
}

/// Results of the current encounter so far.
#[derive(Debug, Clone, Copy, Default)]
struct Open {
    points: [Score; 2],
    games: u32,
    tally: sprt::SprtCounts,
}

/// State of a player.
#[derive(Debug, Clone, Copy, Default)]
struct Player {
    faults: u32,
    retired: Option<Retired>,
    /// A stage, and the number of the player's encounters in it that are over.
    encounters: (u32, u32),
}

#[derive(Debug, Clone, Copy)]
struct Retired {
    stage: u32,
    /// Whether this was before half of the player's encounters.
    left_table: bool,
}

/// Event to be reported. The same results give the same notices in the same order; after a resume they come again from
/// the beginning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "notice", rename_all = "kebab-case")]
pub enum Notice {
    /// A player was retired for its faults.
    Retired {
        /// The player.
        player: PlayerIndex,
        /// The stage, from 0.
        stage: u32,
        /// Number of the game with its last fault.
        number: u64,
        /// Whether this was before half of its encounters, so that it takes no place in this stage; otherwise the rest
        /// of its games are forfeits.
        left_table: bool,
    },
    /// A player has no opponent in a round.
    Bye {
        /// The player.
        player: PlayerIndex,
        /// The stage, from 0.
        stage: u32,
        /// The round, from 0.
        round: u32,
    },
    /// A game was identical to an earlier one, command for command; ratings count it once.
    Identical {
        /// Number of the earlier game.
        first: u64,
        /// Number of the later game.
        again: u64,
    },
    /// An encounter of an elimination was level to the end, and the better seed went on.
    BySeed {
        /// The encounter's id.
        encounter: u32,
        /// The player who went on.
        winner: PlayerIndex,
    },
    /// A test ended.
    Sprt {
        /// The stage, from 0.
        stage: u32,
        /// The decision.
        verdict: sprt::SprtDecision,
        /// The logarithm of the likelihood ratio.
        llr: f64,
    },
    /// All games of a stage have been counted.
    StageOver {
        /// The stage, from 0.
        stage: u32,
    },
}

/// Reason for which a result was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// No game with this number has been drawn.
    #[error("no game with the number {0} was drawn")]
    Unknown(u64),
    /// The game has a result already.
    #[error("game {0} has a result already")]
    Twice(u64),
    /// The result names a side other than 0 and 1.
    #[error("the result of game {0} names a side that there is not")]
    Side(u64),
}

impl TournamentState {
    /// Begins a tournament.
    ///
    /// # Errors
    /// If the plan is invalid.
    pub fn new(plan: Plan) -> Result<Self, PlanError> {
        let mut tournament = Self::before(plan)?;
        tournament.count_results();
        Ok(tournament)
    }

    /// A tournament that has not drawn anything yet.
    fn before(plan: Plan) -> Result<Self, PlanError> {
        plan.check()?;
        Ok(Self {
            players: vec![Player::default(); plan.players.len()],
            plan,
            rounds: Vec::new(),
            encounters: Vec::new(),
            taken: 0,
            stage: 0,
            begun: 0,
            results: BTreeMap::new(),
            games: Vec::new(),
            at: Position::default(),
            open: Open::default(),
            outcomes: Vec::new(),
            seen: HashMap::new(),
            handed: Vec::new(),
            hand_from: 0,
            notices: Vec::new(),
            over: false,
        })
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Rounds drawn since the last call. The caller must store them before any of their games begins.
    pub fn take_drawn(&mut self) -> Vec<Round> {
        let drawn = self.rounds[self.taken..].to_vec();
        self.taken = self.rounds.len();
        drawn
    }

    /// All rounds drawn so far.
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// Takes the result of a game; games may end in any order.
    ///
    /// # Errors
    /// If no such game was drawn, it has a result already, or the result makes no sense. Nothing is changed then.
    pub fn record(&mut self, number: u64, result: GameResult) -> Result<(), RecordError> {
        self.keep(number, result)?;
        self.count_results();
        Ok(())
    }

    fn keep(&mut self, number: u64, result: GameResult) -> Result<(), RecordError> {
        if !result.is_sound() {
            return Err(RecordError::Side(number));
        }
        if self.find(number).is_none() {
            return Err(RecordError::Unknown(number));
        }
        if self.results.contains_key(&number) {
            return Err(RecordError::Twice(number));
        }
        self.results.insert(number, result);
        Ok(())
    }

    /// Rounds whose games have all been counted.
    pub fn counted_rounds(&self) -> &[Round] {
        &self.rounds[..self.at.round]
    }

    /// Games that count, in the order of the schedule.
    pub fn games(&self) -> &[CountedGame] {
        &self.games
    }

    /// Games of a stage that count for ratings: those that were played, and only the first of identical ones.
    pub fn rated_games(&self, stage: usize) -> Vec<RatedGame> {
        let of_stage = self.games.iter().filter(|counted| counted.game.stage as usize == stage);
        let rated = of_stage.filter(|counted| counted.same_as.is_none());
        rated
            .filter_map(|counted| match counted.result {
                GameResult::Played { winner, .. } => Some(RatedGame {
                    players: counted.game.players,
                    winner,
                    pair: (counted.game.encounter, counted.game.pair),
                }),
                _ => None,
            })
            .collect()
    }

    /// Number of games that count.
    pub fn counted(&self) -> u64 {
        self.games.len() as u64
    }

    /// Number of games that may still be played in the stages drawn so far: exact, except for eliminations and tests,
    /// where it is the maximum.
    pub fn remaining(&self) -> u64 {
        let here =
            self.encounter_at(self.at).map_or(0, |encounter| u64::from(encounter.most_games - self.at.game));
        let after = self.id_at().map_or(self.encounters.len(), |id| id + 1);
        let later = self.encounters[after.min(self.encounters.len())..]
            .iter()
            .map(|&(round, place)| u64::from(self.rounds[round].encounters[place].most_games));
        if self.over { 0 } else { here + later.sum::<u64>() }
    }

    /// Whether the whole plan has been played and counted.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Notices since the last call.
    pub fn notices(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.notices)
    }

    /// Players of a stage, best seed first; empty before it begins.
    pub fn field(&self, stage: usize) -> &[PlayerIndex] {
        let first = self.rounds.iter().find(|round| round.stage as usize == stage);
        first.map_or(&[], |round| &round.field)
    }

    /// Result of an encounter; `None` until it is over.
    pub fn encounter_result(&self, encounter: u32) -> Option<EncounterResult> {
        self.outcomes.get(encounter as usize).copied()
    }

    /// State of a stage's test, with the logarithm of its likelihood ratio; `None` for other formats and before it
    /// begins.
    pub fn sprt(&self, stage: usize) -> Option<(sprt::SprtCounts, f64, sprt::SprtDecision)> {
        let crate::Format::Sprt(plan) = &self.plan.stages.get(stage)?.format else { return None };
        let round = self.rounds.iter().find(|round| round.stage as usize == stage)?;
        let encounter = round.encounters.first()?;
        let tally = match self.outcomes.get(encounter.id as usize) {
            Some(outcome) => outcome.tally,
            None => self.open.tally,
        };
        let llr = tally.llr(plan);
        let verdict = match plan.verdict(&tally) {
            sprt::SprtDecision::Open if self.outcomes.len() > encounter.id as usize => {
                sprt::SprtDecision::OutOfGames
            }
            verdict => verdict,
        };
        Some((tally, llr, verdict))
    }

    /// Whether a player was retired for its faults.
    pub fn is_retired(&self, player: PlayerIndex) -> bool {
        self.players[player.index()].retired.is_some()
    }

    /// Whether a player left the table of a stage: it was retired before half of its encounters.
    pub fn left_table(&self, player: PlayerIndex, stage: usize) -> bool {
        let retired = self.players[player.index()].retired;
        retired.is_some_and(|retired| retired.left_table && retired.stage as usize == stage)
    }

    /// The kind of a player's entry.
    pub(crate) fn kind(&self, player: PlayerIndex) -> EntryKind {
        self.plan.players[player.index()].kind
    }

    /// The game with a number, if it was drawn.
    pub fn game(&self, number: u64) -> Option<ScheduledGame> {
        let id = self.find(number)?;
        let (round, place) = self.encounters[id];
        Some(self.scheduled(round, place, (number - self.rounds[round].encounters[place].first_game) as u32))
    }
}
