//! Plan of a tournament: players, stages, formats; and its validation.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::sprt::SprtPlan;
use crate::{Points, Score};

/// Maximum number of players of a tournament.
pub const MAX_PLAYERS: usize = 1024;
/// Maximum number of stages of a tournament.
pub const MAX_STAGES: usize = 16;
/// Maximum number of games of an encounter, of cycles, of rounds, and of parts of an encounter of an elimination.
pub const MAX_REPEATS: u32 = 1000;
/// Maximum number of encounters of a round robin or a gauntlet.
pub const MAX_ENCOUNTERS: u64 = 2_000_000;
/// Maximum absolute value of a result in points: within it no tie-break overflows.
pub const MAX_POINTS: Score = Score(1_000_000);
/// Maximum number of games of a test.
pub const MAX_SPRT_GAMES: u32 = 10_000_000;

/// Player: an index into [`Plan::players`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PlayerIndex(pub u32);

impl PlayerIndex {
    /// The index as a `usize`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Plan of a whole tournament. Everything that is drawn follows from it and from the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Seed of lots, maps, openings and games.
    pub seed: u64,
    /// The players, best first: the seeding of the first stage.
    pub players: Vec<Entry>,
    /// The stages, in the order in which they are played.
    pub stages: Vec<StagePlan>,
    /// Number of faults (forfeits by its own doing) that retires a player; `None` never does. House players are not
    /// retired.
    pub faults: Option<u32>,
}

/// A player's entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Name, unique in the tournament.
    pub name: String,
    /// Kind of the entry.
    pub kind: EntryKind,
    /// First round of the first stage in which the player plays; 0 is the beginning. Only a Swiss has late entries.
    pub joins: u32,
}

/// Kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EntryKind {
    /// A player that takes a place.
    Entered,
    /// A player that plays only if the field is odd, and takes no place.
    House,
    /// A player that plays like any other but takes no place; it never advances, and plays in no elimination.
    Staff,
}

/// Plan of a stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StagePlan {
    /// Name for people.
    pub name: String,
    /// The format.
    pub format: Format,
    /// Number of players that advance to the next stage; `None` for all.
    pub advance: Option<u32>,
    /// Games of an encounter: an even number, in pairs with sides changed. In an elimination, games of each of the
    /// `best_of` parts. A test ignores this and plays pairs until it is decided.
    pub games: u32,
    /// Number of maps that rotate; 0 if the game has none.
    pub maps: u32,
    /// Number of openings that rotate; 0 for none.
    pub openings: u32,
    /// Points for each result.
    pub points: Points,
    /// Tie-breaks in their order; a lot by the seed always comes last.
    pub tie_breaks: Vec<TieBreak>,
}

/// Format of a stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "format", rename_all = "kebab-case")]
pub enum Format {
    /// Every player meets every other one, `cycles` times.
    RoundRobin {
        /// Number of times.
        cycles: u32,
    },
    /// The first players meet all others, but not each other.
    Gauntlet {
        /// Number of challengers, the first players.
        challengers: u32,
        /// Number of times.
        cycles: u32,
    },
    /// In each round, players with about the same points who have not met yet meet each other.
    Swiss {
        /// Number of rounds.
        rounds: u32,
    },
    /// A player who loses an encounter is out; with `double`, a player who loses two.
    Elimination {
        /// Maximum number of parts of an encounter, each of [`StagePlan::games`] games; the encounter ends when its
        /// result can't change any more.
        best_of: u32,
        /// Whether losers go on in a losers' bracket, whose winner meets the winners' winner in the grand final.
        double: bool,
        /// Whether the losers of the semi-finals meet too; double elimination has a third place without that.
        third_place: bool,
    },
    /// Two players meet until a sequential probability ratio test is decided.
    Sprt(SprtPlan),
}

/// Criterion that orders players with the same points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TieBreak {
    /// Points of the games among the tied players; skipped unless each of them met each other one.
    HeadToHead,
    /// Sum over games of the opponents' points.
    Buchholz,
    /// Sum over games of an opponent's points, times the share of the game that was won (1, ½, 0).
    SonnebornBerger,
    /// Number of games won.
    Wins,
    /// Lot from the tournament's seed.
    Lot,
}

impl TieBreak {
    /// The customary order: head-to-head, Buchholz, Sonneborn–Berger, wins, lot.
    pub const DEFAULT: [Self; 5] =
        [Self::HeadToHead, Self::Buchholz, Self::SonnebornBerger, Self::Wins, Self::Lot];

    /// Name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::HeadToHead => "head-to-head",
            Self::Buchholz => "Buchholz",
            Self::SonnebornBerger => "Sonneborn–Berger",
            Self::Wins => "wins",
            Self::Lot => "lot",
        }
    }
}

/// Reason for which a plan is invalid. Messages count stages from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the words of each say it")]
pub enum PlanError {
    #[error("a tournament needs at least one stage")]
    NoStages,
    #[error("{0} stages are more than {MAX_STAGES}")]
    ManyStages(usize),
    #[error("{0} players are more than {MAX_PLAYERS}")]
    ManyPlayers(usize),
    #[error("two players are named {0:?}")]
    SameName(String),
    #[error("`faults` is at least 1")]
    NoFaults,
    #[error("stage {stage} needs two players that may play in it, and has {players}")]
    FewPlayers { stage: usize, players: usize },
    #[error("a test is between two players, and stage {stage} has {players}")]
    NotTwo { stage: usize, players: usize },
    #[error(
        "stage {stage}: games come in pairs with sides changed, so their number is even and at least 2, not {games}"
    )]
    OddGames { stage: usize, games: u32 },
    #[error("stage {stage}: {what} is from 1 to {most}, not {value}")]
    OutOfRange { stage: usize, what: &'static str, value: u32, most: u32 },
    #[error("stage {stage}: {challengers} challengers leave nobody of {players} players to meet")]
    ManyChallengers { stage: usize, challengers: u32, players: usize },
    #[error("stage {stage} has {encounters} encounters, more than {MAX_ENCOUNTERS}")]
    ManyEncounters { stage: usize, encounters: u64 },
    #[error(
        "player {name:?} joins in round {joins}, and only a Swiss first stage with more rounds has late entries"
    )]
    Late { name: String, joins: u32 },
    #[error("stage {stage}: points for a win are more than for a draw, and those not less than for a loss")]
    Points { stage: usize },
    #[error("stage {stage}: a result is worth {MAX_POINTS} points at most")]
    ManyPoints { stage: usize },
    #[error("stage {stage}: the tie-break {} stands there twice", .tie_break.name())]
    TieBreakTwice { stage: usize, tie_break: TieBreak },
    #[error("stage {stage}: a double elimination has its third without a match for that place")]
    ThirdOfDouble { stage: usize },
    #[error("stage {stage}: {problem}")]
    Sprt { stage: usize, problem: &'static str },
}

impl Plan {
    /// Checks the whole plan.
    ///
    /// # Errors
    /// The first mistake in it.
    pub fn check(&self) -> Result<(), PlanError> {
        if self.stages.is_empty() {
            return Err(PlanError::NoStages);
        }
        if self.stages.len() > MAX_STAGES {
            return Err(PlanError::ManyStages(self.stages.len()));
        }
        if self.players.len() > MAX_PLAYERS {
            return Err(PlanError::ManyPlayers(self.players.len()));
        }
        let mut names: Vec<&str> = self.players.iter().map(|entry| entry.name.as_str()).collect();
        names.sort_unstable();
        if let Some(two) = names.windows(2).find(|two| two[0] == two[1]) {
            return Err(PlanError::SameName(two[0].to_owned()));
        }
        if self.faults == Some(0) {
            return Err(PlanError::NoFaults);
        }
        let rounds = match self.stages[0].format {
            Format::Swiss { rounds } => rounds,
            _ => 1,
        };
        if let Some(late) = self.players.iter().find(|entry| entry.joins >= rounds && entry.joins > 0) {
            return Err(PlanError::Late { name: late.name.clone(), joins: late.joins });
        }
        let entered = self.count(EntryKind::Entered);
        let mut field = entered + self.count(EntryKind::Staff);
        for (index, stage) in self.stages.iter().enumerate() {
            stage.check(index + 1, if stage.is_elimination() { field.min(entered) } else { field })?;
            if let Some(advance) = stage.advance {
                let stage = index + 1;
                if advance == 0 {
                    let most = MAX_PLAYERS as u32;
                    return Err(PlanError::OutOfRange { stage, what: "`advance`", value: 0, most });
                }
                field = entered.min(field).min(advance as usize);
            } else if stage.is_elimination() {
                field = field.min(entered);
            }
        }
        Ok(())
    }

    /// Number of players of a kind.
    fn count(&self, kind: EntryKind) -> usize {
        self.players.iter().filter(|entry| entry.kind == kind).count()
    }
}

impl StagePlan {
    /// Whether the stage is an elimination.
    pub fn is_elimination(&self) -> bool {
        matches!(self.format, Format::Elimination { .. })
    }

    /// Whether results decide who meets whom.
    pub fn pairs_by_results(&self) -> bool {
        matches!(self.format, Format::Swiss { .. } | Format::Elimination { .. })
    }

    /// Maximum number of games of an encounter.
    pub fn most_games(&self) -> u32 {
        match &self.format {
            Format::Elimination { best_of, .. } => self.games * (best_of + 1),
            Format::Sprt(plan) => plan.max_games,
            _ => self.games,
        }
    }

    /// Checks stage number `stage`, which at most `players` players will play.
    fn check(&self, stage: usize, players: usize) -> Result<(), PlanError> {
        let repeats = |what, value| {
            if value == 0 || value > MAX_REPEATS {
                return Err(PlanError::OutOfRange { stage, what, value, most: MAX_REPEATS });
            }
            Ok(())
        };
        if players < 2 {
            return Err(PlanError::FewPlayers { stage, players });
        }
        if self.games == 0 || self.games % 2 == 1 {
            return Err(PlanError::OddGames { stage, games: self.games });
        }
        repeats("`games`", self.games)?;
        let Points { win, draw, loss, bye } = self.points;
        if win <= draw || draw < loss {
            return Err(PlanError::Points { stage });
        }
        if [win, draw, loss, bye].iter().any(|points| points.0.unsigned_abs() > MAX_POINTS.0.unsigned_abs()) {
            return Err(PlanError::ManyPoints { stage });
        }
        for (index, &tie_break) in self.tie_breaks.iter().enumerate() {
            if self.tie_breaks[..index].contains(&tie_break) {
                return Err(PlanError::TieBreakTwice { stage, tie_break });
            }
        }
        let encounters = match self.format {
            Format::RoundRobin { cycles } => {
                repeats("`cycles`", cycles)?;
                (players as u64 + 1) * players as u64 / 2 * u64::from(cycles)
            }
            Format::Gauntlet { challengers, cycles } => {
                repeats("`cycles`", cycles)?;
                if challengers == 0 || challengers as usize >= players {
                    return Err(PlanError::ManyChallengers { stage, challengers, players });
                }
                u64::from(challengers) * (players as u64 - u64::from(challengers)) * u64::from(cycles)
            }
            Format::Swiss { rounds } => {
                repeats("`rounds`", rounds)?;
                u64::from(rounds) * (players as u64).div_ceil(2)
            }
            Format::Elimination { best_of, double, third_place } => {
                repeats("`best_of`", best_of)?;
                if double && third_place {
                    return Err(PlanError::ThirdOfDouble { stage });
                }
                2 * players as u64
            }
            Format::Sprt(ref plan) => {
                if players != 2 {
                    return Err(PlanError::NotTwo { stage, players });
                }
                plan.check().map_err(|problem| PlanError::Sprt { stage, problem })?;
                1
            }
        };
        if encounters > MAX_ENCOUNTERS {
            return Err(PlanError::ManyEncounters { stage, encounters });
        }
        Ok(())
    }
}
