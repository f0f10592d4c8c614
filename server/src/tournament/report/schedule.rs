//! Schedule of a tournament without results: pairings, and nothing that reveals a result.
//!
//! In a round robin and a gauntlet the pairings don't depend on results, so all drawn rounds are included. In every
//! other format, and in each later stage, a round reveals results before it: it is included on request. An encounter
//! has the numbers of all games that it can have, played or not, since the number of played games would reveal the
//! winner.

use grandstand_tournaments::{Format, Round};
use serde::Serialize;

use super::stages::bracket_place;
use super::{BracketPlace, Snapshot};

/// A tournament without results.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Schedule {
    /// Display name.
    pub name: String,
    /// The game.
    pub game: &'static str,
    /// The players, best seed first.
    pub players: Vec<ScheduledPlayer>,
    /// All stages of the definition.
    pub stages: Vec<ScheduledStage>,
    /// Number of requested rounds, at least those that reveal nothing.
    pub rounds: usize,
}

/// A player in a schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScheduledPlayer {
    /// The player's name.
    pub name: String,
    /// The player's specification.
    pub play: String,
}

/// A stage in a schedule.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScheduledStage {
    /// Display name.
    pub name: String,
    /// The format, by its name in a tournament file.
    pub format: &'static str,
    /// Number of players that advance; `None` for all.
    pub advance: Option<u32>,
    /// The rounds that may be shown.
    pub rounds: Vec<ScheduledRound>,
}

/// A round in a schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScheduledRound {
    /// Number of the round, from 1.
    pub round: u32,
    /// The pairings.
    pub encounters: Vec<ScheduledEncounter>,
    /// Names of the players without an opponent.
    pub byes: Vec<String>,
}

/// An encounter in a schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScheduledEncounter {
    /// Id, unique in the tournament.
    pub id: u32,
    /// Names of the two players.
    pub players: [String; 2],
    /// Position in a bracket.
    pub bracket: Option<BracketPlace>,
    /// Numbers of all games that the encounter can have.
    pub games: Vec<u64>,
}

impl Snapshot {
    /// The schedule with the first `rounds` rounds, and always with those that reveal nothing.
    pub fn schedule(&self, rounds: u64) -> Schedule {
        let all = self.state.rounds();
        let stages = &self.state.plan().stages;
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
            bracket: encounter.bracket.map(bracket_place),
            games: (encounter.first_game..).take(encounter.most_games as usize).collect(),
        });
        ScheduledRound {
            round: round.round + 1,
            encounters: encounters.collect(),
            byes: round.byes.iter().map(|player| self.name(*player).to_owned()).collect(),
        }
    }
}
