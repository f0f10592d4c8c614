//! Whose a command is: the team that it speaks of.

use crate::command::Command;
use crate::scene::Scene;
use crate::team::TwoTeams;
use crate::{abalone, fortress, grid, riskless, shark, stones};

impl Command {
    /// The team that the command speaks of, by the dialect's name for it: who talks, scores or moves, whose piece it
    /// draws. `None` when it speaks of none, or of both. In Steam Fortress units have numbers: see [`Scene::team_of`].
    #[must_use]
    pub fn team(&self) -> Option<&str> {
        match self {
            Command::Abalone(command) => match command {
                abalone::Command::Say { team, .. } | abalone::Command::Score { team, .. } => {
                    Some(team.name())
                }
                abalone::Command::Set { piece, .. } => piece.map(|piece| piece.team.name()),
                abalone::Command::Turns { .. } => None,
            },
            Command::Shark(command) => match command {
                shark::Command::Say { team, .. } | shark::Command::Stand { team, .. } => Some(team.name()),
                shark::Command::Draw(shark::Draw { sprite: shark::Sprite::Bot(bot), .. }) => {
                    Some(bot.team.name())
                }
                _ => None,
            },
            Command::Fortress(command) => match command {
                fortress::Command::Say { team, .. } | fortress::Command::Spawn { team, .. } => {
                    Some(team.name())
                }
                fortress::Command::Point { owner: team, .. }
                | fortress::Command::Control { owner: team, .. }
                | fortress::Command::Capture { team, .. } => team.map(|team| team.name()),
                _ => None,
            },
            Command::Stones(command) => match command {
                stones::Command::Set { stone, .. } => stone.map(|team| team.name()),
                stones::Command::Move { team, .. }
                | stones::Command::Captures { team, .. }
                | stones::Command::Turn { team }
                | stones::Command::Say { team, .. } => Some(team.name()),
                stones::Command::Clock(clock) => Some(clock.team.name()),
                stones::Command::Thought(thought) => Some(thought.team.name()),
                stones::Command::Win { winner } => winner.winner().map(TwoTeams::name),
                _ => None,
            },
            Command::Riskless(command) => match command {
                riskless::Command::Set(set) => set.holding.map(|held| held.team.name()),
                riskless::Command::Move(march) => Some(march.team.name()),
                riskless::Command::Turn { team } | riskless::Command::Say { team, .. } => Some(team.name()),
                riskless::Command::Clock(clock) => Some(clock.team.name()),
                riskless::Command::Thought(thought) => Some(thought.team.name()),
                riskless::Command::Win { winner } => winner.winner().map(TwoTeams::name),
                _ => None,
            },
            Command::Grid(command) => match command {
                grid::Command::Score { team, .. } | grid::Command::Say { team, .. } => Some(team),
                _ => None,
            },
            Command::Marker(marker) => marker.team.as_deref(),
            Command::Overlay(overlay) => Some(&*overlay.team).filter(|team| !team.is_empty()),
            Command::Unknown(_) => None,
        }
    }
}

impl Scene {
    /// The team that the command speaks of when it comes next: the one that it [names](Command::team), or that of the
    /// unit whose number it says.
    #[must_use]
    pub fn team_of<'a>(&self, command: &'a Command) -> Option<&'a str> {
        let unit = match command {
            Command::Fortress(
                fortress::Command::Update { id, .. }
                | fortress::Command::Remove { id }
                | fortress::Command::Shot { id, .. }
                | fortress::Command::Cone { id, .. }
                | fortress::Command::Axe { id, .. }
                | fortress::Command::Hit { by: id, .. },
            ) => *id,
            _ => return command.team(),
        };
        match self {
            Scene::Fortress(scene) => scene.unit(unit).map(|unit| unit.team.name()),
            _ => None,
        }
    }
}
