//! `grandstand bots`: the shipped programs and libraries, from the binary alone.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use grandstand_matches::games::GAMES;

use super::new::write;
use super::{print, print_unchanged};

/// List, show and copy the shipped programs and the libraries that programs include.
#[derive(Debug, Args)]
pub struct BotsArgs {
    #[command(subcommand)]
    command: BotsCommand,
}

#[derive(Debug, Subcommand)]
enum BotsCommand {
    /// List them, each with its description
    List,
    /// Print the text of one
    Show {
        /// Its name, such as simple_bot, simple_bot.cl or shark/botlib.rch
        name: String,
    },
    /// Copy one into a directory. Included files need not be copied: the binary has them
    Copy {
        /// Its name, as for show
        name: String,
        /// The directory
        directory: PathBuf,
        /// Overwrite an existing file
        #[arg(long)]
        force: bool,
    },
}

/// Runs the subcommand.
///
/// # Errors
/// If there is no such program, or a file can't be written.
pub fn run(args: &BotsArgs) -> anyhow::Result<ExitCode> {
    match &args.command {
        BotsCommand::List => list()?,
        BotsCommand::Show { name } => print_unchanged(find(name)?.1.trim_end_matches('\n'))?,
        BotsCommand::Copy { name, directory, force } => {
            let (path, text) = find(name)?;
            let file = directory.join(Path::new(path).file_name().unwrap_or_default());
            write(&file, text, *force)?;
            print(&format!("wrote {}", file.display()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// All shipped files, as path and text.
fn files() -> impl Iterator<Item = (&'static str, &'static str)> {
    GAMES.iter().flat_map(|game| game.program_files).copied()
}

fn find(name: &str) -> anyhow::Result<(&'static str, &'static str)> {
    let is_named = |path: &str| {
        let file = path.rsplit('/').next().unwrap_or(path);
        path == name || file == name || file.split('.').next() == Some(name)
    };
    let found = files().find(|(path, _)| is_named(path));
    found.with_context(|| format!("there is no shipped program `{name}`; `grandstand bots list` names them"))
}

fn list() -> anyhow::Result<()> {
    let width = files().map(|(path, _)| path.len()).max().unwrap_or(0);
    let lines: Vec<String> =
        files().map(|(path, text)| format!("{path:width$}  {}", first_line(text))).collect();
    print(&lines.join("\n"))
}

/// The description in a program's first comment: the first sentence of its first line, without the file's name.
fn first_line(text: &str) -> &str {
    let line = text.lines().find(|line| !line.starts_with("#!")).unwrap_or_default();
    let line = line.trim_start_matches("(*").trim_start_matches("\"\"\"").trim_end_matches("*)").trim();
    let says = match line.split_once(": ") {
        Some((name, says)) if !name.contains(' ') => says,
        _ => line,
    };
    says.split_once(". ").map_or(says, |(first, _)| first).trim_end_matches('.')
}
