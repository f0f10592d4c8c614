//! `grandstand new`: a commented template of a first bot.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use grandstand_matches::games::title;
use grandstand_matches::programs::shipped;
use grandstand_protocol::Game;

use super::print;

/// Write a commented first bot, and print how to try it.
///
/// It loads, plays, and wins against the weakest shipped player (in Steam Fortress it equals that one). An existing
/// file is overwritten only with --force.
#[derive(Debug, Args)]
pub struct NewArgs {
    /// The game: abalone, shark, fortress, gomoku or pente
    game: Game,
    /// Its name: the file is NAME.cl, NAME.rcl or NAME.py
    name: PathBuf,
    /// The language of the bot [default: the game's: cl for abalone, rcl for shark, python for the others]
    #[arg(long, value_enum)]
    language: Option<BotLanguage>,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

/// A language that bots are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BotLanguage {
    Cl,
    Rcl,
    Python,
}

impl BotLanguage {
    fn extension(self) -> &'static str {
        match self {
            Self::Cl => "cl",
            Self::Rcl => "rcl",
            Self::Python => "py",
        }
    }
}

/// The template for a game, and its language; `None` for a game without external programs.
fn template(game: Game) -> Option<(BotLanguage, &'static str)> {
    let gomocup = include_str!("../../bots/templates/gomocup.py");
    Some(match game {
        Game::Abalone => (BotLanguage::Cl, include_str!("../../bots/templates/abalone.cl")),
        Game::Shark => (BotLanguage::Rcl, include_str!("../../bots/templates/shark.rcl")),
        Game::Fortress => (BotLanguage::Python, shipped("fortress/weak_team.py")?),
        Game::Gomoku | Game::Pente => (BotLanguage::Python, gomocup),
        _ => return None,
    })
}

/// Writes the file and prints how to try it.
///
/// # Errors
/// If the game has no such bots, or the file can't be written.
pub fn run(args: &NewArgs) -> anyhow::Result<ExitCode> {
    let Some((language, text)) = template(args.game) else {
        bail!(
            "bots of {} are not written as programs; `grandstand play {0}` plays against our searches",
            title(args.game)
        );
    };
    if args.language.is_some_and(|asked| asked != language) {
        let written = language.to_possible_value().map(|value| value.get_name().to_owned());
        bail!("bots of {} are written in {}", title(args.game), written.unwrap_or_default());
    }
    let file = with_extension(&args.name, language.extension());
    let name = file.file_stem().and_then(|name| name.to_str()).context("the name is not UTF-8")?.to_owned();
    let shown = file.to_str().context("the name is not UTF-8")?;
    if name.contains(['"', '\\', '*', '\'']) || name.chars().any(char::is_control) {
        bail!(
            "`{name}` is no name for a bot: it may not hold quotes, backslashes, stars or control characters"
        );
    }
    let text = text.replace("weak_team.py", "@FILE@").replace("weak in Python", "@NAME@");
    let text = text.replace("@NAME@", &name).replace("@FILE@", shown).replace("@GAME@", args.game.name());
    write(&file, &text, args.force)?;
    let player = match args.game {
        Game::Fortress => format!("team:'python3 {shown}' weak --speed 10"),
        Game::Gomoku | Game::Pente => format!("engine:'python3 {shown}' random --move-time 1s"),
        _ => format!("{shown} random"),
    };
    print(&format!("wrote {shown}; try it:\n  grandstand play {} {player} -v", args.game))?;
    Ok(ExitCode::SUCCESS)
}

/// The name with the extension, unless it has that already.
fn with_extension(name: &Path, extension: &str) -> PathBuf {
    if name.extension().is_some_and(|own| own == extension) {
        return name.to_owned();
    }
    let mut file = name.as_os_str().to_owned();
    file.push(".");
    file.push(extension);
    file.into()
}

/// Writes a file; an existing one only if `forced`.
pub(super) fn write(file: &Path, text: &str, forced: bool) -> anyhow::Result<()> {
    let context = || format!("can't write {}", file.display());
    if forced {
        return fs::write(file, text).with_context(context);
    }
    match OpenOptions::new().write(true).create_new(true).open(file) {
        Ok(mut new) => new.write_all(text.as_bytes()).with_context(context),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            bail!("{} is there already; --force writes over it", file.display())
        }
        Err(error) => Err(error).with_context(context),
    }
}
