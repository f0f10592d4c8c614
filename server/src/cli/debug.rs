//! `grandstand debug`: the debug adapter over standard input and output.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use grandstand_editor::debug::{Adapter, Launch, Matches};
use grandstand_insight::Insight;
use grandstand_matches::machine::{GameWorld, ProgramMatch, Settings};
use grandstand_matches::{MatchSpec as _, by_world};
use grandstand_protocol::Game;

use super::lsp::Files;
use super::play::settings::SettingsArgs;
use super::play::spec::player;
use super::replay::load;
use super::stdio;

/// Debug a match of programs in CL or RCL for an editor, forwards and backwards.
///
/// The editor starts it: docs/EDITORS.md describes the setup for VS Code, Neovim and Helix. It speaks the debug
/// adapter protocol over standard input and output. An editor can launch a match or open a recording; it gets
/// breakpoints with conditions, log points, calls, names with their values, and steps back.
#[derive(Debug, Args)]
pub struct DebugArgs {
    /// Speak the debug adapter protocol, so far the only one
    #[arg(long, required = true)]
    dap: bool,
}

/// Serves one editor.
///
/// # Errors
/// If standard input is not a stream of messages, or standard output can't be written.
pub fn run(_: &DebugArgs) -> anyhow::Result<ExitCode> {
    stdio::serve(&mut Adapter::new(Files))
}

impl Matches for Files {
    fn open(&self, launch: &Launch) -> Result<Insight, String> {
        open(launch).map_err(|error| super::in_words(&error))
    }

    fn absolute(&self, directory: &str, path: &str) -> Option<String> {
        Some(Path::new(directory).join(path).canonicalize().ok()?.to_str()?.to_owned())
    }
}

fn open(launch: &Launch) -> anyhow::Result<Insight> {
    let directory = launch.cwd.as_deref().map_or(PathBuf::from("."), PathBuf::from);
    if let Some(recording) = &launch.recording {
        let replay = load(&directory.join(recording))?;
        return Insight::of_replay(&replay).with_context(|| recording.clone());
    }
    let [first, second] = &launch.players[..] else {
        bail!("`recording` or two `players` say what is to be debugged");
    };
    let game = match &launch.game {
        Some(game) => game.parse().with_context(|| format!("the game `{game}`"))?,
        None if first.ends_with(".rcl") || second.ends_with(".rcl") => Game::Shark,
        None => Game::Abalone,
    };
    by_world!(game, World => of::<World>(launch, [first, second], &directory))
        .unwrap_or_else(|| bail!("the bots of {game} are no threads of programs"))
}

fn of<W: GameWorld>(launch: &Launch, names: [&String; 2], directory: &Path) -> anyhow::Result<Insight> {
    let given = SettingsArgs::of(launch.settings.clone()).on(launch.map.clone());
    let settings = given.read(W::GAME, Settings::<W::Rules>::from_map)?;
    let [first, second] = names.map(|name| {
        let file = directory.join(name);
        // The other names are those of shipped programs.
        let name = if file.is_file() { file.to_str().unwrap_or(name) } else { name };
        player::<W>(name.strip_prefix("./").unwrap_or(name), false, directory)
    });
    let spec = ProgramMatch::<W> { settings, seed: launch.seed, players: [first?, second?] };
    Ok(Insight::of_header(W::GAME, &spec.header(None))?)
}
