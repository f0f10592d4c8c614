//! `grandstand explain`: causes of a match's result, from its recording.

mod bot;
pub(super) mod night;
mod prints;
mod whole;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use grandstand_insight::Insight;

use super::replay::load;
use super::{print, print_json};

/// Explain why a match of Abalone or shark went as it did, from its recording: it is played again, and asked.
///
/// Told is what each side lost and by what, what its mistakes cost, by kind and line of the source, and where the match turned. --bot tells of one bot at a
/// moment: its line, its names with their values, what it waited for. --print shows the values that an expression had. Of a DIRECTORY of recordings, the
/// losses of --version, grouped by cause and line. server/INSIGHT.md says more. Status 1 when the match parts from its recording.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// A recording, .replay or .replay.zst, with the sources of both programs; or a directory of them
    #[arg(value_name = "RECORDING|DIRECTORY")]
    path: PathBuf,
    /// Tell of one bot, by its number
    #[arg(long, value_name = "N")]
    bot: Option<u32>,
    /// At the end of this turn, before its moves are made; in shark, of so many moves [default: where the bot is lost, or the end]
    #[arg(long, value_name = "N", requires = "bot", conflicts_with_all = ["cycle", "death"])]
    turn: Option<u64>,
    /// At the end of this cycle
    #[arg(long, value_name = "N", requires = "bot", conflicts_with = "death")]
    cycle: Option<u64>,
    /// Where the bot is lost
    #[arg(long, requires = "bot")]
    death: bool,
    /// The values of an expression each time that a line was reached, of all bots or of --bot: 'mybot.cl:31: (pos, n)'
    #[arg(long, value_name = "FILE:LINE: EXPRESSION", conflicts_with_all = ["turn", "cycle", "death"])]
    print: Option<String>,
    /// Whose losses in a directory are explained: of the program with this file's name, and, where the file is there, of this very version
    #[arg(long, value_name = "FILE")]
    version: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Explains the match, or the matches of a directory.
///
/// # Errors
/// If a file can't be read, or the match can't be replayed.
pub fn run(args: &ExplainArgs) -> anyhow::Result<ExitCode> {
    if args.path.is_dir() {
        let Some(version) = &args.version else {
            bail!("whose losses are meant? `--version FILE` names the program");
        };
        if args.bot.is_some() || args.print.is_some() {
            bail!("--bot and --print are about one recording");
        }
        return night::run(&args.path, version, args.json);
    }
    if args.version.is_some() {
        bail!("--version is for a directory of recordings");
    }
    let mut insight = open(&args.path)?;
    if let Some(text) = &args.print {
        prints::run(&mut insight, text, args)?;
    } else if let Some(bot) = args.bot {
        bot::run(&mut insight, bot, args)?;
    } else {
        let report = insight.report();
        if args.json {
            print_json(&report.json().to_string())?;
        } else {
            print(&whole::words(&insight, &report))?;
        }
    }
    Ok(ExitCode::from(u8::from(insight.compared().difference.is_some())))
}

/// Opens a recording and replays its match.
fn open(path: &Path) -> anyhow::Result<Insight> {
    let replay = load(path)?;
    let mut insight = Insight::of_replay(&replay).with_context(|| path.display().to_string())?;
    insight.play_out();
    Ok(insight)
}
