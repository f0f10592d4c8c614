//! `grandstand tournament`: plays tournaments, and reports on them.

mod check;
mod export;
mod ruling;
mod run;
mod show;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};

pub(super) use self::run::when_asked_to_stop;
use crate::tournament::catalogue::{self, Catalogue};
use crate::tournament::definition::{self, Definition, ShortForm};
use crate::tournament::report::Snapshot;

/// Play a tournament between programs, and report its results.
///
/// The whole state of a tournament is in one file, FILE.db, with the recordings beside it. A run may be interrupted
/// at any moment; the next run resumes it.
#[derive(Debug, Args)]
pub struct TournamentArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play a tournament, or resume it
    Run(Box<run::RunArgs>),
    /// Check a tournament's file: load every program, count the games, measure how long they take
    Check(Box<check::CheckArgs>),
    /// The tables, best first
    Standings(show::ShowArgs),
    /// Points of each player against each other
    Crosstable(show::ShowArgs),
    /// The games, or the recording of one
    Games(show::GamesArgs),
    /// Report of one player
    Player(show::PlayerArgs),
    /// Exclude a game from the results
    Annul(ruling::AnnulArgs),
    /// Give a game to a player, or make it a draw
    Award(ruling::AwardArgs),
    /// Write tables to a file, or web pages to a folder
    Export(export::ExportArgs),
    /// Recover the readable part of a damaged FILE.db
    Salvage(SalvageArgs),
}

#[derive(Debug, Args)]
struct SalvageArgs {
    /// The damaged tournament
    from: PathBuf,
    /// The new one
    to: PathBuf,
}

/// Source of a tournament's description: a file, or options and players.
#[derive(Debug, Args)]
struct Source {
    /// FILE.toml, which describes the tournament; with --game the players, as `play` names them: files, or patterns such as 'bots/*.cl'
    #[arg(value_name = "FILE|PLAYER")]
    what: Vec<String>,
    #[command(flatten)]
    short: ShortForm,
}

impl Source {
    /// The definition, and the directory that its files are relative to, which becomes the working directory; `None` if
    /// nothing is given.
    fn read(&self) -> anyhow::Result<Option<(Definition, PathBuf)>> {
        if let Some(definition) = self.short.definition(&self.what) {
            let here = std::env::current_dir().context("the working directory")?;
            return Ok(Some((definition?, here)));
        }
        let file = match &*self.what {
            [] => return Ok(None),
            [file] => Path::new(file),
            _ => bail!("one FILE.toml describes a tournament; players are named here after --game"),
        };
        let name = file.file_name().with_context(|| format!("{} is no file", file.display()))?;
        let directory =
            file.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let directory = directory.canonicalize().with_context(|| format!("can't read {}", file.display()))?;
        enter(&directory)?;
        Ok(Some((definition::read(Path::new(name))?, directory)))
    }

    /// The catalogue of a definition file: its path with the extension `db`.
    fn catalogue(&self) -> Option<PathBuf> {
        match &*self.what {
            [file] if self.short.game.is_none() => Some(Path::new(file).with_extension("db")),
            _ => None,
        }
    }
}

/// Changes the working directory, which programs and their includes are relative to.
fn enter(directory: &Path) -> anyhow::Result<()> {
    std::env::set_current_dir(directory).with_context(|| format!("can't go to {}", directory.display()))
}

/// Runs the subcommand.
///
/// # Errors
/// If an argument, a file or the catalogue is invalid.
pub fn run(args: &TournamentArgs) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::Run(args) => run::run(args),
        Command::Check(args) => check::run(args),
        Command::Standings(args) => show::standings(args),
        Command::Crosstable(args) => show::crosstable(args),
        Command::Games(args) => show::games(args),
        Command::Player(args) => show::player(args),
        Command::Annul(args) => ruling::annul(args),
        Command::Award(args) => ruling::award(args),
        Command::Export(args) => export::run(args),
        Command::Salvage(args) => salvage(args),
    }
}

fn salvage(args: &SalvageArgs) -> anyhow::Result<ExitCode> {
    let saved = catalogue::salvage(&args.from, &args.to)?;
    let rows: Vec<String> = saved.rows.iter().map(|(table, rows)| format!("{table} {rows}")).collect();
    super::print(&format!("{}: saved rows: {}", args.to.display(), rows.join(", ")))?;
    if saved.orphans > 0 {
        super::print(&format!(
            "{} results are of games or files of players that can't be read; they are played again",
            saved.orphans
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads the current state of a catalogue.
fn snapshot(db: &Path) -> anyhow::Result<Snapshot> {
    let catalogue = Catalogue::read_only(db)?;
    Snapshot::read(&catalogue).with_context(|| db.display().to_string())
}
