//! `tournament standings`, `crosstable`, `games` and `player`: reports of a tournament.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use serde::Serialize;

use super::snapshot;
use crate::cli::{print, print_json};
use crate::tournament::catalogue::Catalogue;
use crate::tournament::report::text;

#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// The tournament, FILE.db
    db: PathBuf,
    /// Print the whole report as one JSON object, as server/TOURNAMENTS.md explains it
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct GamesArgs {
    /// The tournament, FILE.db
    db: PathBuf,
    /// Only games of this player
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Only games of this round of a stage, counted from 1
    #[arg(long, value_name = "N")]
    round: Option<u32>,
    /// Only games that were lost by a fault, of a player or of the machine
    #[arg(long)]
    faults: bool,
    /// Write the recording of this game to a file, which `watch` and `convert` open
    #[arg(long, value_name = "GAME", requires = "to")]
    extract: Option<u64>,
    /// The file, such as game.replay.zst
    #[arg(long, value_name = "FILE", requires = "extract")]
    to: Option<PathBuf>,
    /// Write the inputs from which a game in real time can be played again, compressed by zstd, rather than its recording
    #[arg(long, requires = "extract")]
    inputs: bool,
    /// Print a JSON object a line for each game
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct PlayerArgs {
    /// The tournament, FILE.db
    db: PathBuf,
    /// The player's name
    name: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Prints the tables.
pub(super) fn standings(args: &ShowArgs) -> anyhow::Result<ExitCode> {
    show(&snapshot(&args.db)?.report(), args.json, text::standings)
}

/// Prints the crosstable.
pub(super) fn crosstable(args: &ShowArgs) -> anyhow::Result<ExitCode> {
    show(&snapshot(&args.db)?.report(), args.json, text::crosstable)
}

/// Prints a report as text, or as one JSON object.
fn show<T: Serialize>(report: &T, json: bool, text: impl Fn(&T) -> String) -> anyhow::Result<ExitCode> {
    match json {
        true => print_json(&serde_json::to_string(report)?)?,
        false => print(text(report).trim_end())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the games, or writes the recording of one.
pub(super) fn games(args: &GamesArgs) -> anyhow::Result<ExitCode> {
    if let (Some(number), Some(to)) = (args.extract, &args.to) {
        let catalogue = Catalogue::read_only(&args.db)?;
        let bytes = if args.inputs { catalogue.inputs(number)? } else { catalogue.recording(number)? };
        let what = if args.inputs { "inputs" } else { "recording" };
        let bytes = bytes.with_context(|| format!("{}: game {number} has no {what}", args.db.display()))?;
        std::fs::write(to, bytes).with_context(|| format!("can't write {}", to.display()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let snapshot = snapshot(&args.db)?;
    if let Some(name) = &args.player {
        known(&snapshot, name)?;
    }
    let mut lines = snapshot.game_lines();
    lines.retain(|line| {
        args.player.as_ref().is_none_or(|name| line.players.contains(name))
            && args.round.is_none_or(|round| line.round == round)
            && (!args.faults || line.fault.is_some())
    });
    if args.json {
        for line in &lines {
            print_json(&serde_json::to_string(line)?)?;
        }
    } else {
        print(text::games(&lines).trim_end())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the report of one player.
pub(super) fn player(args: &PlayerArgs) -> anyhow::Result<ExitCode> {
    let snapshot = snapshot(&args.db)?;
    let player = known(&snapshot, &args.name)?;
    let report = snapshot.player(player).context("the player has no report")?;
    show(&report, args.json, text::player)
}

/// The player with this name.
pub(super) fn known(
    snapshot: &crate::tournament::report::Snapshot,
    name: &str,
) -> anyhow::Result<grandstand_tournaments::PlayerIndex> {
    let Some(player) = snapshot.player_named(name) else {
        let names: Vec<&str> = snapshot.players.iter().map(|player| player.name.as_str()).collect();
        bail!("no player is called {name:?}; there are {}", names.join(", "));
    };
    Ok(player)
}
