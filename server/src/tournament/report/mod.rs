//! Reports of a tournament: what its catalogue and the rules of its formats make known, as values that serialize to JSON.
//!
//! A [`Snapshot`] reads a catalogue once; everything else is computed from it, without looking into the file again.

mod filter;
mod games;
mod history;
mod player;
mod schedule;
mod stages;
pub mod text;

use grandstand_tournaments::{Director, Notice, PlayerIndex, ResumeError};
use serde::Serialize;
use thiserror::Error;

use super::catalogue::{
    Catalogue, CatalogueError, Fault, GameRecord, PlayerRecord, Ruling, TournamentRecord,
};

pub use self::filter::{GameFilter, Outcome};
pub use self::games::GameLine;
pub use self::history::{HistoryPoint, RatingHistory};
pub use self::player::{Opposition, PlayerReport};
pub use self::schedule::{Schedule, ScheduledEncounter, ScheduledPlayer, ScheduledRound, ScheduledStage};
pub use self::stages::{
    CrossCell, CrossRow, EncounterLine, RatingLine, RoundLine, SprtLine, StageReport, StandingLine,
    TieBreakLine,
};

/// A tournament at one moment.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// What is played.
    pub tournament: TournamentRecord,
    /// Its players, in the order of the plan.
    pub players: Vec<PlayerRecord>,
    /// Its games that were tried, by number.
    pub games: Vec<GameRecord>,
    /// All rulings, in the order in which they were made.
    pub rulings: Vec<Ruling>,
    /// What counts, and what follows from it.
    pub director: Director,
    /// What happened that somebody should know.
    pub notices: Vec<Notice>,
}

/// Why there is nothing to report.
#[derive(Debug, Error)]
pub enum SnapshotError {
    /// The catalogue can't be read.
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    /// What it holds does not fit together.
    #[error("the catalogue does not fit together: {0}")]
    Resume(#[from] ResumeError),
}

impl Snapshot {
    /// Reads a catalogue.
    ///
    /// # Errors
    /// If it can't be read, or what it holds does not fit together.
    pub fn read(catalogue: &Catalogue) -> Result<Self, SnapshotError> {
        let moment = catalogue.moment()?;
        let tournament = catalogue.tournament()?;
        let players = catalogue.players()?;
        let rulings = catalogue.rulings()?;
        let games = catalogue.games()?;
        let rounds = catalogue.rounds()?;
        drop(moment);
        let results: Vec<_> =
            games.iter().filter_map(|game| Some((game.game.number, game.result()?))).collect();
        let plan = tournament.definition.plan(tournament.seed);
        let mut director = Director::resume(plan, rounds, results)?;
        let notices = director.notices();
        Ok(Self { tournament, players, games, rulings, director, notices })
    }

    /// What a player is called.
    pub fn name(&self, player: PlayerIndex) -> &str {
        self.players.get(player.index()).map_or("?", |player| &player.name)
    }

    /// The player of that name.
    pub fn player_named(&self, name: &str) -> Option<PlayerIndex> {
        self.players.iter().find(|player| player.name == name).map(|player| player.player)
    }

    /// A game that was tried.
    pub fn game(&self, number: u64) -> Option<&GameRecord> {
        self.games.binary_search_by_key(&number, |game| game.game.number).ok().map(|at| &self.games[at])
    }

    /// Everything but the single games.
    pub fn report(&self) -> Report {
        let definition = &self.tournament.definition;
        let over = self.director.is_over();
        let last = self.games.iter().filter_map(GameRecord::last);
        let disturbed_ms = last.clone().filter_map(|result| result.disturbed_ms).max();
        let attempts = self.games.iter().flat_map(|game| &game.attempts);
        Report {
            name: definition.name.clone(),
            game: definition.game.name(),
            created: self.tournament.created.clone(),
            over,
            counted: self.director.counted(),
            remaining: self.director.remaining(),
            seed: (over || !self.tournament.seed_secret).then(|| self.tournament.seed.to_string()),
            seed_sha256: self.tournament.seed_sha256.clone(),
            wall_ms: last.map(|result| result.wall_ms).sum(),
            machine_faults: attempts.filter(|result| result.fault == Some(Fault::Machine)).count(),
            disturbed_ms,
            players: self.players.clone(),
            stages: (0..definition.stages.len()).map(|stage| stages::stage(self, stage)).collect(),
            ranking: self.director.ranking().iter().map(|place| self.place(place)).collect(),
            notices: self.notices.iter().map(|notice| self.notice(notice)).collect(),
            rulings: self.rulings.clone(),
        }
    }

    fn place(&self, place: &grandstand_tournaments::FinalPlace) -> PlaceLine {
        PlaceLine {
            place: place.place,
            player: self.name(place.player).to_owned(),
            stage: self.stage_name(place.stage).to_owned(),
        }
    }

    fn stage_name(&self, stage: u32) -> &str {
        self.tournament.definition.stages.get(stage as usize).map_or("?", |stage| &stage.plan.name)
    }

    /// A notice in words.
    pub fn notice(&self, notice: &Notice) -> NoticeLine {
        let names: Vec<String> = self.players.iter().map(|player| player.name.clone()).collect();
        in_words(notice, &names, &self.director)
    }
}

/// A notice in words, with the players' names in the order of the plan.
pub(super) fn in_words(notice: &Notice, names: &[String], director: &Director) -> NoticeLine {
    let name = |player: &PlayerIndex| names.get(player.index()).map_or("?", String::as_str);
    let stage_name =
        |stage: &u32| director.plan().stages.get(*stage as usize).map_or("?", |stage| &stage.name);
    let (kind, text) = match notice {
        Notice::Retired { player, number, left_table, .. } => {
            let what = if *left_table { "it leaves the table" } else { "the rest of its games are forfeits" };
            ("retired", format!("{} is retired by its fault in game {number}: {what}", name(player)))
        }
        Notice::Bye { player, stage, round } => (
            "bye",
            format!("{} has no opponent in round {} of {}", name(player), round + 1, stage_name(stage)),
        ),
        Notice::Identical { first, again } => {
            ("identical", format!("game {again} is the same as game {first}, and is rated once"))
        }
        Notice::BySeed { encounter, winner } => (
            "by-seed",
            format!("encounter {encounter} stayed level: {} goes on as the better seed", name(winner)),
        ),
        Notice::Sprt { verdict, llr, .. } => (
            "sprt",
            format!(
                "the test ends with {}, at a log-likelihood ratio of {llr:.2}",
                stages::verdict(*verdict)
            ),
        ),
        Notice::StageOver { stage } => ("stage-over", format!("{} is over", stage_name(stage))),
    };
    NoticeLine { kind, text }
}

/// A tournament at one moment, without its single games.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// For people.
    pub name: String,
    /// The game.
    pub game: &'static str,
    /// When it began, in RFC 3339.
    pub created: String,
    /// Whether all of it was played.
    pub over: bool,
    /// Games that count.
    pub counted: u64,
    /// Games that the rounds drawn so far still have; at most, in eliminations and tests.
    pub remaining: u64,
    /// What everything was drawn from, once it may be known.
    pub seed: Option<String>,
    /// The SHA-256 of `grandstand tournament seed N`.
    pub seed_sha256: String,
    /// What all games took together, in milliseconds.
    pub wall_ms: u64,
    /// How often the machine was at fault.
    pub machine_faults: usize,
    /// How late the machine woke a thread up during a game with clocks, at worst, in milliseconds.
    pub disturbed_ms: Option<u64>,
    /// Who plays.
    pub players: Vec<PlayerRecord>,
    /// Stage by stage.
    pub stages: Vec<StageReport>,
    /// The places over all stages begun.
    pub ranking: Vec<PlaceLine>,
    /// What happened that somebody should know.
    pub notices: Vec<NoticeLine>,
    /// All rulings.
    pub rulings: Vec<Ruling>,
}

/// A place over all stages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlaceLine {
    /// From 1; none: house and staff, and who left a table.
    pub place: Option<u32>,
    /// Who.
    pub player: String,
    /// The last stage that it played in.
    pub stage: String,
}

/// Something that happened, in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NoticeLine {
    /// Of which kind, in one word.
    pub kind: &'static str,
    /// What.
    pub text: String,
}
