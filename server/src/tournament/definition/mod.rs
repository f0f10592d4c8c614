//! Definition of a tournament: all that its file or its short form says, as the catalogue pins it.

mod error;
mod file;
mod players;
mod short_form;
mod stage;

use grandstand_players::sandbox::Isolation;
use grandstand_protocol::Game;
use grandstand_tournaments::{Entry, EntryKind, Plan, PlanError, StagePlan};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use self::error::DefinitionError;
pub(crate) use self::file::parse;
pub use self::file::read;
pub use self::short_form::ShortForm;

/// What is played, by whom and how.
///
/// Files that it names are relative to the directory that the tournament was begun in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// For people.
    pub name: String,
    /// The game.
    pub game: Game,
    /// What everything that is drawn comes from.
    pub seed: SeedChoice,
    /// How many faults retire a player; none: no number does.
    pub faults: Option<u32>,
    /// The local time of day at which it should be over, as `HH:MM`. It stops nothing.
    pub until: Option<String>,
    /// Settings of the game, by their names in a file; `TIME` holds the clocks.
    pub settings: Map<String, Value>,
    /// How many times as fast matches in real time are played, in games that can.
    pub speed: Option<f64>,
    /// Limits of programs, as `NAME=VALUE`.
    pub limits: Vec<String>,
    /// How programs are kept in.
    pub sandbox: Isolation,
    /// Directories that programs may read besides their own.
    pub readable: Vec<String>,
    /// Who plays, best first.
    pub players: Vec<PlayerEntry>,
    /// The stages, in order.
    pub stages: Vec<Stage>,
}

/// What everything that is drawn comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeedChoice {
    /// This number, which everybody may know.
    Given(u64),
    /// A number that is drawn at the first start. Only its hash is told before the tournament is over.
    Secret,
}

/// A player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerEntry {
    /// Unique in the tournament.
    pub name: String,
    /// Who that is, as `grandstand play` names players.
    pub play: String,
    /// Whether it takes a place.
    pub kind: EntryKind,
    /// The round of a Swiss first stage from which on it plays.
    pub joins: u32,
}

/// A stage, with what goes round in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// How it is played.
    pub plan: StagePlan,
    /// The maps that go round.
    pub maps: Vec<NamedMap>,
    /// The openings that go round: stones in the order of play, as the setting `START` has them.
    pub openings: Vec<String>,
}

/// A map by the name that it was asked for with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedMap {
    /// A shipped map's name, or a file.
    pub name: String,
    /// The setting `MAP`: the name of a shipped map, or the rows of the file.
    pub setting: Value,
}

impl Definition {
    /// The plan that the rounds are drawn by, with the seed `seed`.
    pub fn plan(&self, seed: u64) -> Plan {
        let entry = |player: &PlayerEntry| Entry {
            name: player.name.clone(),
            kind: player.kind,
            joins: player.joins,
        };
        Plan {
            seed,
            players: self.players.iter().map(entry).collect(),
            stages: self.stages.iter().map(|stage| stage.plan.clone()).collect(),
            faults: self.faults,
        }
    }

    /// Looks over what no single key says: players, formats and counts together.
    ///
    /// # Errors
    /// The first thing that can't be played, and in which stage if it is one's.
    pub fn check(&self) -> Result<(), (Option<usize>, PlanError)> {
        let plan = self.plan(0);
        let Err(error) = plan.check() else { return Ok(()) };
        // The shortest beginning of the plan with the same fault ends with the stage that has it.
        let faulty = (0..plan.stages.len()).find(|&last| {
            let beginning = Plan { stages: plan.stages[..=last].to_vec(), ..plan.clone() };
            beginning.check().as_ref() == Err(&error)
        });
        Err((faulty.filter(|&last| last > 0 || plan.stages.len() == 1), error))
    }

    /// The settings of a match of that stage on its map and with its opening.
    pub fn settings(&self, stage: usize, map: Option<u32>, opening: Option<u32>) -> Map<String, Value> {
        let mut settings = self.settings.clone();
        let Some(stage) = self.stages.get(stage) else { return settings };
        if let Some(map) = map.and_then(|map| stage.maps.get(map as usize)) {
            settings.insert("MAP".to_owned(), map.setting.clone());
        }
        if let Some(start) = opening.and_then(|opening| stage.openings.get(opening as usize)) {
            settings.insert("OPENING".to_owned(), "balanced".into());
            settings.insert("START".to_owned(), start.as_str().into());
        }
        settings
    }

    /// What must not change once the tournament has begun, as text: everything but the name and [`until`](Self::until).
    pub fn pinned(&self) -> String {
        let pinned = Self { name: String::new(), until: None, ..self.clone() };
        // A definition has nothing in it that JSON has not.
        serde_json::to_string(&pinned).unwrap_or_default()
    }
}
