//! Settings of a game, from a file and from the command line.

use std::error::Error;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use grandstand_matches::settings::{read_setting, read_settings, to_map};
use grandstand_protocol::Game;
use grandstand_protocol::abalone::Hex;
use serde::Serialize;
use serde_json::{Map, Value};

/// Headings of `play --help` over the settings of Abalone, and over options for games of programs.
const ABALONE: &str = "Settings of Abalone";
pub(super) const THREADS: &str = "Bots that are threads of a program: Abalone and λ-Shark";

#[derive(Debug, Default, Args)]
pub(crate) struct SettingsArgs {
    /// A TOML or JSON file of settings (WINNING_SCORE = 6 …); the options below have priority
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// One setting of the game, by its name in such a file; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = read_setting, allow_hyphen_values = true)]
    set: Vec<(String, Value)>,
    /// The map, for games that have one: a file, or a shipped map by its name
    #[arg(long, value_name = "FILE|NAME")]
    map: Option<String>,

    #[command(flatten, next_help_heading = ABALONE)]
    abalone: AbaloneArgs,
}

/// Settings of Abalone, by their names.
#[derive(Debug, Default, Args, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
struct AbaloneArgs {
    /// Points that win the match
    #[arg(long, value_name = "N")]
    winning_score: Option<u32>,
    /// Pieces that a team may have
    #[arg(long, value_name = "N")]
    max_pieces: Option<u32>,
    /// Clock cycles in a turn
    #[arg(long, value_name = "N")]
    cycles_per_turn: Option<u64>,
    /// Clock cycles in a match
    #[arg(long, value_name = "N")]
    game_length: Option<u64>,
    /// Start of black
    #[arg(long, value_name = "HEX", allow_hyphen_values = true)]
    black_start: Option<Hex>,
    /// Start of white
    #[arg(long, value_name = "HEX", allow_hyphen_values = true)]
    white_start: Option<Hex>,
    /// Messages that a team may say in a turn
    #[arg(long, value_name = "N")]
    talks_per_turn: Option<u32>,
}

impl SettingsArgs {
    /// Exactly these settings.
    pub(crate) fn of(set: Map<String, Value>) -> Self {
        Self { set: set.into_iter().collect(), ..Self::default() }
    }

    /// The same settings with a map, which has priority.
    pub(crate) fn on(self, map: Option<String>) -> Self {
        Self { map, ..self }
    }

    /// Reads the settings by name and validates them by `check`. Later sources have priority: the file, `--set`, then
    /// `--map` and the game's own options.
    pub(crate) fn read<S, E: Error + Send + Sync + 'static>(
        &self,
        game: Game,
        check: impl Fn(Map<String, Value>) -> Result<S, E>,
    ) -> anyhow::Result<S> {
        let mut map = Map::new();
        if let Some(file) = &self.rules {
            let text = std::fs::read_to_string(file);
            let text = text.with_context(|| format!("can't read the rules in {}", file.display()))?;
            let context = || format!("the rules in {}", file.display());
            map = read_settings(file, &text).with_context(context)?;
            check(map.clone()).with_context(context)?;
        }
        map.extend(self.set.iter().cloned());
        if let Some(name) = &self.map {
            map.insert("MAP".to_owned(), super::map::setting(game, name)?);
        }
        map.extend(to_map(&self.abalone).into_iter().filter(|(_, value)| !value.is_null()));
        Ok(check(map)?)
    }
}
