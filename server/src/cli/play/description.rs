//! Description of a match, for all commands that play one.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use grandstand_languages::Program;
use grandstand_players::input_file::InputTarget;
use grandstand_players::sandbox::Isolation;
use grandstand_protocol::Game;
use serde_json::{Map, Value};

use super::fortress::{self, FortressArgs};
use super::isolation::{self, ProgramArgs};
use super::settings::SettingsArgs;
use super::turns::{self, StonesArgs, TurnArgs};

/// Options that describe a match besides who plays it.
#[derive(Debug, Args)]
pub(crate) struct MatchArgs {
    #[command(flatten, next_help_heading = "Settings of the game")]
    pub(crate) settings: SettingsArgs,
    #[command(flatten, next_help_heading = isolation::PROGRAMS)]
    pub(crate) programs: ProgramArgs,
    #[command(flatten, next_help_heading = fortress::FORTRESS)]
    pub(crate) fortress: FortressArgs,
    #[command(flatten, next_help_heading = turns::BY_TURNS)]
    pub(crate) turns: TurnArgs,
    #[command(flatten, next_help_heading = turns::STONES)]
    pub(crate) stones: StonesArgs,
}

impl MatchArgs {
    /// Options with these settings by name and limits as `NAME=VALUE`, and teams on any free port.
    pub(crate) fn new(
        settings: Map<String, Value>,
        limits: Vec<String>,
        sandbox: Isolation,
        readable: Vec<PathBuf>,
        speed: Option<f64>,
    ) -> Self {
        Self {
            settings: SettingsArgs::of(settings),
            programs: ProgramArgs::of(limits, sandbox, readable),
            fortress: FortressArgs::at_any_port(speed),
            turns: TurnArgs::default(),
            stones: StonesArgs::default(),
        }
    }
}

/// Loaded programs, by the specifications of the players that name them.
pub(crate) type Programs = BTreeMap<String, Program>;

/// No loaded programs: every player is loaded from its files.
pub(crate) const NO_PROGRAMS: &Programs = &Programs::new();

/// All parameters of a match.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MatchDescription<'a> {
    /// The game.
    pub(crate) game: Game,
    /// Specifications of the players as in `play`, the first side first.
    pub(crate) players: [&'a str; 2],
    /// Programs that are loaded already; they take the place of files.
    pub(crate) programs: &'a Programs,
    /// Seed of the match.
    pub(crate) seed: u64,
    /// Target for recorded inputs of a real-time match.
    pub(crate) inputs: Option<&'a InputTarget>,
    /// Whether a pace is set; a match with clocks has its own.
    pub(crate) paced: bool,
    /// Whether further matches follow, so that a player's process may be reused.
    pub(crate) several: bool,
    /// Whether to print the warnings about a program.
    pub(crate) warn: bool,
    /// Settings of a match by turns that have priority over the options, by their names in a file.
    pub(crate) chosen: &'a Map<String, Value>,
    /// The options.
    pub(crate) args: &'a MatchArgs,
}
