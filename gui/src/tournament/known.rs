//! Part of a tournament that the viewer may know: all of it, or in spoiler mode only what follows from watched games.
//!
//! Every view reads [`VisibleTournament`] and not the report. In spoiler mode there are no tables and no figures. A round appears
//! once its pairings reveal nothing unwatched; an encounter has a result once all of its games were watched.

use grandstand_protocol::tournament::{EncounterLine, PlayerLine, Report, StageReport};

use crate::settings::WatchedGames;

/// A tournament, as far as the viewer may know it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VisibleTournament<'a> {
    report: &'a Report,
    watched: &'a WatchedGames,
    hides: bool,
}

/// Plan of a stage, which reveals no result.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StagePlan<'a> {
    pub name: &'a str,
    pub format: &'a str,
    pub advance: Option<u32>,
    /// Whether anything of the stage may be shown.
    pub is_open: bool,
}

/// A round that may be shown.
#[derive(Debug)]
pub(crate) struct KnownRound<'a> {
    pub round: u32,
    pub encounters: Vec<KnownEncounter<'a>>,
    pub byes: &'a [String],
}

/// An encounter, with its result if that may be shown.
#[derive(Debug)]
pub(crate) struct KnownEncounter<'a> {
    pub encounter: &'a EncounterLine,
    pub result: Option<EncounterResult>,
    /// Games that can be watched: those that were played; in spoiler mode, without a result, all that the encounter can
    /// have.
    pub games: Vec<u64>,
}

/// Result of an encounter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct EncounterResult {
    pub points: [f64; 2],
    pub winner: Option<usize>,
    pub by_seed: bool,
}

impl<'a> VisibleTournament<'a> {
    pub(crate) fn new(report: &'a Report, watched: &'a WatchedGames, hides: bool) -> VisibleTournament<'a> {
        VisibleTournament { report, watched, hides }
    }

    /// Whether results are hidden.
    pub(crate) fn hides(&self) -> bool {
        self.hides
    }

    /// Whether the viewer has watched this game.
    pub(crate) fn was_watched(&self, game: u64) -> bool {
        self.watched.has(game)
    }

    /// Numbers of watched games, at most `most`.
    pub(crate) fn watched(&self, most: usize) -> Vec<u64> {
        self.watched.numbers(most)
    }

    /// The tournament's name.
    pub(crate) fn name(&self) -> &'a str {
        &self.report.name
    }

    /// The name of the game.
    pub(crate) fn game(&self) -> &'a str {
        &self.report.game
    }

    /// The players, best seed first.
    pub(crate) fn players(&self) -> &'a [PlayerLine] {
        &self.report.players
    }

    /// Number of a player, from 1.
    pub(crate) fn number(&self, player: &str) -> Option<u32> {
        let index = self.report.players.iter().position(|one| one.name == player)?;
        u32::try_from(index + 1).ok()
    }

    /// The player of a number.
    pub(crate) fn player(&self, number: u32) -> Option<&'a PlayerLine> {
        self.report.players.get((number as usize).checked_sub(1)?)
    }

    /// The whole report; `None` if results are hidden.
    pub(crate) fn report(&self) -> Option<&'a Report> {
        Some(self.report).filter(|_| !self.hides)
    }

    /// A stage with its tables; `None` if results are hidden.
    pub(crate) fn tables(&self, stage: usize) -> Option<&'a StageReport> {
        self.report()?.stages.get(stage)
    }

    /// Plans of all stages.
    pub(crate) fn stages(&self) -> impl Iterator<Item = StagePlan<'a>> {
        let known = *self;
        self.report.stages.iter().enumerate().map(move |(index, stage)| StagePlan {
            name: &stage.name,
            format: &stage.format,
            advance: stage.advance,
            is_open: stage.begun && known.is_open(index),
        })
    }

    /// Index of the latest stage of which something may be shown.
    pub(crate) fn latest(&self) -> usize {
        self.stages().enumerate().filter(|(_, stage)| stage.is_open).last().map_or(0, |(index, _)| index)
    }

    /// Whether the players of a stage may be known: all results of the stages before it are.
    fn is_open(&self, stage: usize) -> bool {
        !self.hides || self.report.stages[..stage].iter().all(|before| self.is_seen(before.rounds.iter()))
    }

    fn is_seen<'b>(
        &self,
        rounds: impl Iterator<Item = &'b grandstand_protocol::tournament::RoundLine>,
    ) -> bool {
        rounds.flat_map(|round| &round.encounters).all(|encounter| self.result(encounter).is_some())
    }

    /// The rounds of a stage that may be shown.
    pub(crate) fn rounds(&self, stage: usize) -> Vec<KnownRound<'a>> {
        let Some(of) = self.report.stages.get(stage).filter(|_| self.is_open(stage)) else {
            return Vec::new();
        };
        // Formats whose pairings don't depend on results.
        let fixed = matches!(of.format.as_str(), "round-robin" | "gauntlet");
        let until = (0..of.rounds.len())
            .take_while(|index| !self.hides || fixed || self.is_seen(of.rounds[..*index].iter()))
            .count();
        let rounds = of.rounds[..until].iter().map(|round| KnownRound {
            round: round.round,
            encounters: round.encounters.iter().map(|encounter| self.encounter(encounter)).collect(),
            byes: &round.byes,
        });
        rounds.collect()
    }

    fn encounter(&self, encounter: &'a EncounterLine) -> KnownEncounter<'a> {
        let result = self.result(encounter);
        let games = match result.is_some() || !self.hides {
            true => encounter.games.clone(),
            // The number of games played would reveal the winner.
            false => (encounter.first_game..).take(encounter.most_games as usize).collect(),
        };
        KnownEncounter { encounter, result, games }
    }

    /// Result of an encounter that is over, if it may be known.
    fn result(&self, encounter: &EncounterLine) -> Option<EncounterResult> {
        let points = encounter.points.filter(|_| encounter.over)?;
        let watched = self.watchable(encounter).iter().all(|game| self.watched.has(*game));
        (!self.hides || watched).then_some(EncounterResult {
            points: points.map(|points| points.0),
            winner: encounter.winner.map(usize::from),
            by_seed: encounter.by_seed,
        })
    }

    /// Games that must be watched before the result of an encounter may be shown.
    pub(crate) fn watchable(&self, encounter: &EncounterLine) -> Vec<u64> {
        match encounter.games.is_empty() {
            // Nothing was played because a player had left; the first number stands for the encounter.
            true => vec![encounter.first_game],
            false => encounter.games.clone(),
        }
    }

    /// Whether a game of this number was played.
    pub(crate) fn was_played(&self, game: u64) -> bool {
        let encounters = self.report.stages.iter().flat_map(|stage| &stage.rounds);
        encounters.flat_map(|round| &round.encounters).any(|encounter| encounter.games.contains(&game))
    }

    /// Numbers of the latest games of the shown rounds; in spoiler mode only unwatched ones.
    pub(crate) fn newest(&self, most: usize) -> Vec<u64> {
        let rounds = (0..self.report.stages.len()).flat_map(|stage| self.rounds(stage));
        let played =
            rounds.flat_map(|round| round.encounters).flat_map(|known| known.encounter.games.clone());
        let mut played: Vec<u64> = played.filter(|game| !self.hides || !self.watched.has(*game)).collect();
        played.sort_unstable_by(|a, b| b.cmp(a));
        played.truncate(most);
        played
    }
}
