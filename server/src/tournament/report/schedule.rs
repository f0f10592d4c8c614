//! Schedule of a tournament without results: who meets whom, and nothing that tells how anything ended.
//!
//! In a round robin and a gauntlet the pairings don't depend on results, so that all rounds that were drawn are there. In every other
//! format, and in each further stage, a round tells of those before it: it is there when it is asked for. An encounter has the numbers of
//! all games that it can have, played or not, since how many were needed tells who won.

use grandstand_tournaments::{BracketPlace, Format, Round};
use serde::Serialize;

use super::Snapshot;

/// A tournament without results.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Schedule {
    /// For people.
    pub name: String,
    /// The game.
    pub game: &'static str,
    /// Who plays, best seed first.
    pub players: Vec<ScheduledPlayer>,
    /// All stages of the definition.
    pub stages: Vec<ScheduledStage>,
    /// How many rounds were asked for; at least those that tell nothing.
    pub rounds: usize,
}

/// A player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScheduledPlayer {
    /// What it is called.
    pub name: String,
    /// What plays.
    pub play: String,
}

/// A stage.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScheduledStage {
    /// For people.
    pub name: String,
    /// The format, by its name in a tournament's file.
    pub format: &'static str,
    /// How many go on; none: everybody.
    pub advance: Option<u32>,
    /// The rounds that may be known.
    pub rounds: Vec<ScheduledRound>,
}

/// A round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScheduledRound {
    /// From 1.
    pub round: u32,
    /// Who meets whom.
    pub encounters: Vec<ScheduledEncounter>,
    /// Who has no opponent.
    pub byes: Vec<String>,
}

/// An encounter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScheduledEncounter {
    /// Unique in the tournament.
    pub id: u32,
    /// Who meets.
    pub players: [String; 2],
    /// Where it stands in a bracket.
    pub bracket: Option<BracketPlace>,
    /// The numbers of all games that it can have.
    pub games: Vec<u64>,
}

impl Snapshot {
    /// The schedule with the first `rounds` rounds, and with those that tell nothing in any case.
    pub fn schedule(&self, rounds: u64) -> Schedule {
        let all = self.director.rounds();
        let stages = &self.director.plan().stages;
        let fixed = |stage: u32| {
            let format = stages.get(stage as usize).map(|stage| &stage.format);
            matches!(format, Some(Format::RoundRobin { .. } | Format::Gauntlet { .. }))
        };
        let free = match fixed(0) {
            true => all.iter().take_while(|round| round.stage == 0).count(),
            false => 1,
        };
        let rounds = usize::try_from(rounds).unwrap_or(usize::MAX).clamp(free, all.len().max(free) + 1);
        let shown = &all[..rounds.min(all.len())];
        let stages = stages.iter().enumerate().map(|(index, plan)| ScheduledStage {
            name: plan.name.clone(),
            format: super::stages::format_name(&plan.format),
            advance: plan.advance,
            rounds: shown
                .iter()
                .filter(|round| round.stage as usize == index)
                .map(|round| self.scheduled_round(round))
                .collect(),
        });
        let players = self.players.iter();
        Schedule {
            name: self.tournament.definition.name.clone(),
            game: self.tournament.definition.game.name(),
            players: players
                .map(|player| ScheduledPlayer { name: player.name.clone(), play: player.play.clone() })
                .collect(),
            stages: stages.collect(),
            rounds,
        }
    }

    fn scheduled_round(&self, round: &Round) -> ScheduledRound {
        let encounters = round.encounters.iter().map(|encounter| ScheduledEncounter {
            id: encounter.id,
            players: encounter.players.map(|player| self.name(player).to_owned()),
            bracket: encounter.bracket,
            games: (encounter.first_game..).take(encounter.most_games as usize).collect(),
        });
        ScheduledRound {
            round: round.round + 1,
            encounters: encounters.collect(),
            byes: round.byes.iter().map(|player| self.name(*player).to_owned()).collect(),
        }
    }
}
