//! `grandstand explain`: causes of a match's result, from its recording.

mod bot;
pub(super) mod directory;
mod fortress;
mod prints;
mod turns;
mod whole;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use grandstand_insight::Insight;
use grandstand_insight::turns::{NODES, NODES_RANGE, has_review};
use grandstand_matches::games;
use grandstand_protocol::Game;
use grandstand_replays::Replay;

use super::replay::load;
use super::{print, print_json};

/// Explain the result of a match, from its recording.
///
/// A match of Abalone or shark is played again. The report has the losses of each side with their causes, the cost of
/// its mistakes by kind and line of the source, and the turning point. --bot reports one bot at a moment: its line,
/// its names with their values, and what it waits for. --print lists the values of an expression. For Gomoku, Pente
/// and Riskless, an engine searches each position: the report has the move that lost, a better one, and the reason.
/// For Fortress, it has the units that were lost and the actions of the teams; --bot reports one unit: its last
/// actions with their answers, and what its team was told. For a DIRECTORY of recordings, it has the losses of
/// --version, grouped by cause and line, or by cause and number of the move. server/INSIGHT.md has the details.
/// Status 1 if the match differs from its recording, or if the search was stopped early.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// A recording, .replay or .replay.zst, of programs with their sources; in Fortress also a file of inputs; or a directory of recordings
    #[arg(value_name = "RECORDING|DIRECTORY")]
    path: PathBuf,
    /// Report one bot, by its number
    #[arg(long, value_name = "N")]
    bot: Option<u32>,
    /// At the end of this turn, before its moves are made; in shark, after so many moves; in Fortress, after so many
    /// seconds [default: where the bot is lost, or the end]
    #[arg(long, value_name = "N", requires = "bot", conflicts_with_all = ["cycle", "death"])]
    turn: Option<u64>,
    /// At the end of this cycle; in Fortress, of this millisecond
    #[arg(long, value_name = "N", requires = "bot", conflicts_with = "death")]
    cycle: Option<u64>,
    /// At the moment at which the bot is lost
    #[arg(long, requires = "bot")]
    death: bool,
    /// The values of an expression at each execution of a line, of all bots or of --bot: 'mybot.cl:31: (pos, n)'
    #[arg(long, value_name = "FILE:LINE: EXPRESSION", conflicts_with_all = ["turn", "cycle", "death"])]
    print: Option<String>,
    /// The program whose losses in a directory are explained: by this file's name, and only this version if the file
    /// exists
    #[arg(long, value_name = "FILE")]
    version: Option<PathBuf>,
    /// For Gomoku, Pente and Riskless: number of nodes that the engine searches per position; more take longer and
    /// see farther
    #[arg(long, value_name = "N", default_value_t = NODES, value_parser = clap::value_parser!(u64).range(NODES_RANGE))]
    nodes: u64,
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
        return match directory::game_of(&args.path, version)? {
            Some(game) if has_review(game) => turns::explain_directory(&args.path, version, args),
            Some(Game::Fortress) => {
                bail!(
                    "losses in Fortress have no causes by line or move that many matches share: explain them one by one"
                )
            }
            _ => directory::run(&args.path, version, args.json),
        };
    }
    if args.version.is_some() {
        bail!("--version is for a directory of recordings");
    }
    if let Some(inputs) = fortress::inputs(&args.path)? {
        return fortress::run(&inputs, args);
    }
    let replay = load(&args.path)?;
    match replay.header().game {
        game if has_review(game) => {
            if args.bot.is_some() || args.print.is_some() {
                bail!("--bot and --print are about bots: {} is played by moves", games::title(game));
            }
            return turns::run(&replay, args);
        }
        Game::Fortress => return fortress::of_replay(&replay, args),
        _ => {}
    }
    let mut insight = open(&replay, &args.path)?;
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

/// Replays the match of a recording.
fn open(replay: &Replay, path: &Path) -> anyhow::Result<Insight> {
    let mut insight = Insight::of_replay(replay).with_context(|| path.display().to_string())?;
    insight.play_out();
    Ok(insight)
}
