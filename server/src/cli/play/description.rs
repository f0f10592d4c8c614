//! Description of a match, whichever command plays it.

use std::path::PathBuf;

use clap::Args;
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
    /// With settings by their names, limits as `NAME=VALUE`, and teams at any free port.
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

/// All that a match comes about from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MatchDescription<'a> {
    /// The game.
    pub(crate) game: Game,
    /// Who plays, the first side first, as `play` names players.
    pub(crate) players: [&'a str; 2],
    /// What chance is drawn from.
    pub(crate) seed: u64,
    /// Where what the players of a match in real time do is recorded.
    pub(crate) inputs: Option<&'a InputTarget>,
    /// Whether somebody sets the pace, which a match with clocks does by itself.
    pub(crate) paced: bool,
    /// Whether there are further matches, so that a program may be kept for the next one.
    pub(crate) several: bool,
    /// Whether what is odd about a program is told.
    pub(crate) warn: bool,
    /// The options.
    pub(crate) args: &'a MatchArgs,
}
