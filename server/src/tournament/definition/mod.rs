//! Definition of a tournament: the content of its file or of its short form, as stored in the catalogue.

mod error;
mod file;
pub(crate) mod needs;
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

/// The definition: game, players, stages and settings.
///
/// Paths in it are relative to the directory in which the tournament was begun.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// Display name.
    pub name: String,
    /// The game.
    pub game: Game,
    /// The seed of all draws.
    pub seed: SeedChoice,
    /// Number of faults that retires a player; `None` for no limit.
    pub faults: Option<u32>,
    /// Local time of day at which it should be over, as `HH:MM`. It stops nothing.
    pub until: Option<String>,
    /// Settings of the game, by their names in a file; `TIME` has the clocks.
    pub settings: Map<String, Value>,
    /// Speed factor of real-time matches, in games that support one.
    pub speed: Option<f64>,
    /// Limits of programs, as `NAME=VALUE`.
    pub limits: Vec<String>,
    /// Sandbox mode for programs.
    pub sandbox: Isolation,
    /// Directories that programs may read besides their own.
    pub readable: Vec<String>,
    /// The players, best seed first.
    pub players: Vec<PlayerEntry>,
    /// The stages, in order.
    pub stages: Vec<Stage>,
}

/// The seed of all draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeedChoice {
    /// A public number.
    Given(u64),
    /// A number drawn at the first start. Only its hash is published before the tournament is over.
    Secret,
}

/// A player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerEntry {
    /// Name, unique in the tournament.
    pub name: String,
    /// The player's specification, as in `grandstand play`.
    pub play: String,
    /// Kind of entry: whether the player takes a place.
    pub kind: EntryKind,
    /// The first round in which it plays, in a Swiss first stage.
    pub joins: u32,
    /// Requirements on its machine, where workers play: labels, and `memory=MIB`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
}

/// A stage, with the boards that its games rotate through.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// The plan of the stage.
    pub plan: StagePlan,
    /// The maps in rotation.
    pub maps: Vec<NamedMap>,
    /// The openings in rotation: stones in the order of play, in the format of the setting `START`.
    pub openings: Vec<String>,
}

/// A map with the name that was given for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedMap {
    /// The name of a shipped map, or a file.
    pub name: String,
    /// The setting `MAP`: the name of a shipped map, or the rows of the file.
    pub setting: Value,
}

impl Definition {
    /// The plan from which rounds are drawn, with the given seed.
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

    /// Checks the definition across keys: players, formats and counts together.
    ///
    /// # Errors
    /// The first error, with the index of its stage if it has one.
    pub fn check(&self) -> Result<(), (Option<usize>, PlanError)> {
        let plan = self.plan(0);
        let Err(error) = plan.check() else { return Ok(()) };
        // The shortest prefix of the plan with the same error ends with the faulty stage.
        let faulty = (0..plan.stages.len()).find(|&last| {
            let beginning = Plan { stages: plan.stages[..=last].to_vec(), ..plan.clone() };
            beginning.check().as_ref() == Err(&error)
        });
        Err((faulty.filter(|&last| last > 0 || plan.stages.len() == 1), error))
    }

    /// The settings of a match in the given stage, with its map and opening.
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

    /// The part that must not change after the start, as text: everything but the name and [`until`](Self::until).
    pub fn pinned(&self) -> String {
        let pinned = Self { name: String::new(), until: None, ..self.clone() };
        // A definition has only types that JSON supports.
        serde_json::to_string(&pinned).unwrap_or_default()
    }
}
