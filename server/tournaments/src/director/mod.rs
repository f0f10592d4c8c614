//! Director of a tournament: draws rounds, hands out games, counts results.
//!
//! Results count in the order of the schedule. What arrives early is kept until all before it are there, and rounds, decisions
//! and retirements see only what counts. So everything here is a function of the plan and of each game's result, whatever
//! order these came in.

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

/// A tournament that is under way.
#[derive(Debug, Clone)]
pub struct Director {
    plan: Plan,
    rounds: Vec<Round>,
    /// Round and position of each encounter, by its id.
    encounters: Vec<(usize, usize)>,
    /// How many rounds were taken with [`Director::take_drawn`].
    taken: usize,
    /// The stage that is drawn.
    stage: usize,
    /// How many rounds were begun to be counted.
    begun: usize,
    /// What was reported, by number.
    results: BTreeMap<u64, GameResult>,
    /// What counts, in order.
    games: Vec<CountedGame>,
    /// The next game that is to count.
    at: Position,
    /// The encounter that is being counted.
    open: Open,
    /// By encounter id, of those that are over.
    outcomes: Vec<EncounterResult>,
    /// By player.
    players: Vec<Player>,
    /// First number of each game that was played, by players and digest.
    seen: HashMap<([PlayerIndex; 2], u64), u64>,
    /// How many games of each encounter were handed out or passed over.
    handed: Vec<u32>,
    /// All encounters before this one are handed out whole.
    hand_from: usize,
    notices: Vec<Notice>,
    over: bool,
}

/// A place in the schedule.
#[derive(Debug, Clone, Copy, Default)]
struct Position {
    round: usize,
    encounter: usize,
    game: u32,
}

/// What an encounter came to so far.
#[derive(Debug, Clone, Copy, Default)]
struct Open {
    points: [Score; 2],
    games: u32,
    tally: sprt::Tally,
}

/// What became of a player.
#[derive(Debug, Clone, Copy, Default)]
struct Player {
    faults: u32,
    retired: Option<Retired>,
    /// A stage, and how many of its encounters are over.
    encounters: (u32, u32),
}

#[derive(Debug, Clone, Copy)]
struct Retired {
    stage: u32,
    /// It was before half of its encounters.
    left_table: bool,
}

/// What happened that somebody should be told. The same results give the same notices in the same order; after a resume they
/// come again from the beginning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "notice", rename_all = "kebab-case")]
pub enum Notice {
    /// A player has as many faults as retire it.
    Retired {
        /// Who.
        player: PlayerIndex,
        /// The stage, from 0.
        stage: u32,
        /// The game of its last fault.
        number: u64,
        /// It was before half of its encounters, so it takes no place in this stage; else the rest of its games are forfeits.
        left_table: bool,
    },
    /// A player has no opponent in a round.
    Bye {
        /// Who.
        player: PlayerIndex,
        /// The stage, from 0.
        stage: u32,
        /// The round, from 0.
        round: u32,
    },
    /// A game was the same as an earlier one, command for command; ratings count it once.
    Identical {
        /// The earlier one.
        first: u64,
        /// The later one.
        again: u64,
    },
    /// An encounter of an elimination was level to the end, and the better seed went on.
    BySeed {
        /// The encounter's id.
        encounter: u32,
        /// Who went on.
        winner: PlayerIndex,
    },
    /// A test ended.
    Sprt {
        /// The stage, from 0.
        stage: u32,
        /// How.
        verdict: sprt::Verdict,
        /// The logarithm of the likelihood ratio.
        llr: f64,
    },
    /// All games of a stage count.
    StageOver {
        /// The stage, from 0.
        stage: u32,
    },
}

/// Why a result was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The number is none of the schedule's so far.
    #[error("no game with the number {0} was drawn")]
    Unknown(u64),
    /// The game has a result.
    #[error("game {0} has a result already")]
    Twice(u64),
    /// A side is 0 or 1.
    #[error("the result of game {0} names a side that there is not")]
    Side(u64),
}

impl Director {
    /// A tournament from its beginning.
    ///
    /// # Errors
    /// The plan can't be played.
    pub fn new(plan: Plan) -> Result<Self, PlanError> {
        let mut director = Self::before(plan)?;
        director.advance();
        Ok(director)
    }

    /// Before anything was drawn.
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

    /// Rounds drawn since the last call, to be stored before any of their games begin.
    pub fn take_drawn(&mut self) -> Vec<Round> {
        let drawn = self.rounds[self.taken..].to_vec();
        self.taken = self.rounds.len();
        drawn
    }

    /// All rounds drawn so far.
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// Takes the result of a game, in whatever order games end.
    ///
    /// # Errors
    /// No such game was drawn, or it has a result, or the result makes no sense. Nothing changed then.
    pub fn record(&mut self, number: u64, result: GameResult) -> Result<(), RecordError> {
        self.keep(number, result)?;
        self.advance();
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

    /// The rounds of which all counts.
    pub fn counted_rounds(&self) -> &[Round] {
        &self.rounds[..self.at.round]
    }

    /// What counts, in the order of the schedule.
    pub fn games(&self) -> &[CountedGame] {
        &self.games
    }

    /// The games of a stage that ratings go by: those that were played, and of identical ones the first.
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

    /// How many games count.
    pub fn counted(&self) -> u64 {
        self.games.len() as u64
    }

    /// How many games the stages drawn so far have that still may be played: exact but for eliminations and tests, where it is the most.
    pub fn remaining(&self) -> u64 {
        let here =
            self.encounter_at(self.at).map_or(0, |encounter| u64::from(encounter.most_games - self.at.game));
        let after = self.id_at().map_or(self.encounters.len(), |id| id + 1);
        let later = self.encounters[after.min(self.encounters.len())..]
            .iter()
            .map(|&(round, place)| u64::from(self.rounds[round].encounters[place].most_games));
        if self.over { 0 } else { here + later.sum::<u64>() }
    }

    /// Whether all that the plan has was counted.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// What happened since the last call.
    pub fn notices(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.notices)
    }

    /// The stage's players, best seed first; empty before it began.
    pub fn field(&self, stage: usize) -> &[PlayerIndex] {
        let first = self.rounds.iter().find(|round| round.stage as usize == stage);
        first.map_or(&[], |round| &round.field)
    }

    /// What an encounter came to; `None` until it is over.
    pub fn encounter_result(&self, encounter: u32) -> Option<EncounterResult> {
        self.outcomes.get(encounter as usize).copied()
    }

    /// How the test of a stage stands, with the logarithm of its likelihood ratio; `None` for other formats and before it began.
    pub fn sprt(&self, stage: usize) -> Option<(sprt::Tally, f64, sprt::Verdict)> {
        let crate::Format::Sprt(plan) = &self.plan.stages.get(stage)?.format else { return None };
        let round = self.rounds.iter().find(|round| round.stage as usize == stage)?;
        let encounter = round.encounters.first()?;
        let tally = match self.outcomes.get(encounter.id as usize) {
            Some(outcome) => outcome.tally,
            None => self.open.tally,
        };
        let llr = tally.llr(plan);
        let verdict = match plan.verdict(&tally) {
            sprt::Verdict::Open if self.outcomes.len() > encounter.id as usize => sprt::Verdict::OutOfGames,
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
