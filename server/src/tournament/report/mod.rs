//! Reports of a tournament, computed from its catalogue and the rules of its formats: the documents of `protocol`'s `tournament`.
//!
//! A [`Snapshot`] reads a catalogue once; all reports are computed from it, without further reads.

mod filter;
mod games;
mod history;
mod player;
mod schedule;
mod stages;
pub mod text;

use grandstand_tournaments::{Notice, PlayerIndex, ResumeError, TournamentState};
use thiserror::Error;

use super::catalogue::{
    Catalogue, CatalogueError, Fault, GameRecord, PlayerRecord, Ruling, TournamentRecord,
};

pub use self::filter::GameFilter;
pub use self::schedule::{Schedule, ScheduledEncounter, ScheduledPlayer, ScheduledRound, ScheduledStage};
pub use grandstand_protocol::tournament::{
    Bracket, BracketPlace, CrossCell, CrossRow, EncounterLine, GameLine, HistoryPoint, NoticeLine,
    Opposition, OutcomeFilter, PlaceLine, PlayerLine, PlayerReport, Points, RatingHistory, RatingLine,
    Report, RoundLine, RulingLine, SprtLine, StageReport, StandingLine, StandingsOrder, TieBreakLine,
};

/// State of a tournament at one moment.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The record of the tournament.
    pub tournament: TournamentRecord,
    /// The players, in the order of the plan.
    pub players: Vec<PlayerRecord>,
    /// The games with an attempt, by number.
    pub games: Vec<GameRecord>,
    /// All rulings, in the order in which they were made.
    pub rulings: Vec<Ruling>,
    /// The state, which decides what counts.
    pub state: TournamentState,
    /// Notices for people.
    pub notices: Vec<Notice>,
}

/// Reason for which no report can be made.
#[derive(Debug, Error)]
pub enum SnapshotError {
    /// The catalogue can't be read.
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    /// The catalogue's data are inconsistent.
    #[error("the catalogue does not fit together: {0}")]
    Resume(#[from] ResumeError),
}

impl Snapshot {
    /// Reads a catalogue.
    ///
    /// # Errors
    /// If it can't be read, or its data are inconsistent.
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
        let mut state = TournamentState::resume(plan, rounds, results)?;
        let notices = state.notices();
        Ok(Self { tournament, players, games, rulings, state, notices })
    }

    /// The name of a player.
    pub fn name(&self, player: PlayerIndex) -> &str {
        self.players.get(player.index()).map_or("?", |player| &player.name)
    }

    /// The player with this name.
    pub fn player_named(&self, name: &str) -> Option<PlayerIndex> {
        self.players.iter().find(|player| player.name == name).map(|player| player.player)
    }

    /// A game with an attempt.
    pub fn game(&self, number: u64) -> Option<&GameRecord> {
        self.games.binary_search_by_key(&number, |game| game.game.number).ok().map(|at| &self.games[at])
    }

    /// The report, which has everything but the single games.
    pub fn report(&self) -> Report {
        let definition = &self.tournament.definition;
        let over = self.state.is_over();
        let last = self.games.iter().filter_map(GameRecord::last);
        let disturbed_ms = last.clone().filter_map(|result| result.disturbed_ms).max();
        let attempts = self.games.iter().flat_map(|game| &game.attempts);
        Report {
            revision: 0,
            name: definition.name.clone(),
            game: definition.game.name().to_owned(),
            created: self.tournament.created.clone(),
            over,
            counted: self.state.counted(),
            remaining: self.state.remaining(),
            seed: (over || !self.tournament.seed_secret).then(|| self.tournament.seed.to_string()),
            seed_sha256: self.tournament.seed_sha256.clone(),
            wall_ms: last.map(|result| result.wall_ms).sum(),
            machine_faults: attempts.filter(|result| result.fault == Some(Fault::Machine)).count(),
            machine_left: self.games.iter().filter(|game| is_left(game)).count(),
            disturbed_ms,
            players: self.players.iter().map(player_line).collect(),
            stages: (0..definition.stages.len()).map(|stage| stages::stage(self, stage)).collect(),
            ranking: self.state.ranking().iter().map(|place| self.place(place)).collect(),
            notices: self.notices.iter().map(|notice| self.notice(notice)).collect(),
            rulings: self.rulings.iter().map(ruling_line).collect(),
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
        in_words(notice, &names, &self.state)
    }
}

/// Whether a game ended by a fault of the machine, and is not played again.
fn is_left(game: &GameRecord) -> bool {
    game.last().is_some_and(|last| last.fault == Some(Fault::Machine)) && game.result().is_some()
}

fn player_line(record: &PlayerRecord) -> PlayerLine {
    PlayerLine {
        player: record.player.0,
        name: record.name.clone(),
        play: record.play.clone(),
        sha256: record.sha256.clone(),
        versions: record.versions,
    }
}

fn ruling_line(ruling: &Ruling) -> RulingLine {
    RulingLine {
        game: ruling.game,
        kind: Some(ruling.kind),
        reason: ruling.reason.clone(),
        made: ruling.made.clone(),
    }
}

/// A notice in words, with the players' names in the order of the plan.
pub(super) fn in_words(notice: &Notice, names: &[String], state: &TournamentState) -> NoticeLine {
    let name = |player: &PlayerIndex| names.get(player.index()).map_or("?", String::as_str);
    let stage_name = |stage: &u32| state.plan().stages.get(*stage as usize).map_or("?", |stage| &stage.name);
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
    NoticeLine { kind: kind.to_owned(), text }
}
