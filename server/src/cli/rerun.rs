//! `grandstand rerun`: replays lost matches of recordings with a new version of a program.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use grandstand_insight::Insight;
use grandstand_matches::machine::{GameWorld, Player, ProgramMatch};
use grandstand_matches::{Ending, MatchSpec as _, by_world, play_out};
use grandstand_replays::Replay;
use serde_json::{Value, json};

use super::explain::directory::{Version, lost_side, read, recordings};
use super::replay::load;
use super::{print, print_json};

/// Play the lost matches of recordings again with a new version of a program: the same opponents, seeds and sides.
///
/// Played are the lost matches of Abalone and shark of the program with the new file's name, or of --version. The
/// recordings must have the sources of both programs.
#[derive(Debug, Args)]
pub struct RerunArgs {
    /// A directory of recordings
    #[arg(long, value_name = "DIRECTORY")]
    losses: PathBuf,
    /// The new version: a program's file, FILE.cl or FILE.rcl
    new: PathBuf,
    /// The program to replace: by this file's name, and only this version if the file exists [default: the new file's
    /// name]
    #[arg(long, value_name = "FILE")]
    version: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Plays the matches.
///
/// # Errors
/// If the recordings or the program can't be read.
pub fn run(args: &RerunArgs) -> anyhow::Result<ExitCode> {
    let version = match &args.version {
        Some(path) => Version::of(path)?,
        None => Version::any(&args.new)?,
    };
    let program: Player = read(&args.new)?.into();
    let mut again = Vec::new();
    for path in recordings(&args.losses)? {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        match load(&path).and_then(|replay| lost_again(&replay, &version, &program)) {
            Ok(Some((side, ending))) => again.push((name, side, ending)),
            Ok(None) => {}
            Err(error) => tell!("{name}: {error:#}"),
        }
    }
    let won = again.iter().filter(|(_, side, ending)| ending.winner == Some(*side)).count();
    let drawn = again.iter().filter(|(_, _, ending)| ending.winner.is_none()).count();
    if args.json {
        let matches = again.iter().map(|(name, side, ending)| as_json(name, *side, ending));
        let all = json!({ "lost": again.len(), "won": won, "drawn": drawn, "matches": matches.collect::<Vec<_>>() });
        print_json(&all.to_string())?;
    } else {
        let width = again.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or(0);
        for (name, side, ending) in &again {
            let score = ending
                .score
                .map(|score| format!(" {}–{}", score[*side], score[1 - side]))
                .unwrap_or_default();
            print(&format!("{name:width$}  {}{score}", outcome(*side, ending)))?;
        }
        let drawn = if drawn > 0 { format!(", {drawn} drawn") } else { String::new() };
        print(&format!("{} lost: {won} now won{drawn}.", again.len()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn outcome(side: usize, ending: &Ending) -> &'static str {
    match ending.winner {
        None => "drawn",
        Some(winner) if winner == side => "won",
        Some(_) => "lost",
    }
}

fn as_json(name: &str, side: usize, ending: &Ending) -> Value {
    json!({
        "recording": name,
        "side": ending.sides[side].name,
        "outcome": outcome(side, ending),
        "score": ending.score.map(|score| [score[side], score[1 - side]]),
        "termination": ending.termination,
    })
}

/// Replays a match that the program lost with the new version; `None` for other recordings.
fn lost_again(
    replay: &Replay,
    version: &Version,
    program: &Player,
) -> anyhow::Result<Option<(usize, Ending)>> {
    by_world!(replay.header().game, World => of::<World>(replay, version, program)).unwrap_or(Ok(None))
}

fn of<W: GameWorld>(
    replay: &Replay,
    version: &Version,
    program: &Player,
) -> anyhow::Result<Option<(usize, Ending)>> {
    let names = W::SIDES.map(|side| side.name);
    let sides = version.sides(replay, names).unwrap_or_default();
    let winner = replay.result().and_then(|result| result.winner.as_deref());
    let Some(side) = lost_side(&sides, names, winner) else { return Ok(None) };
    // Checks that the sources are those that played.
    Insight::of_replay(replay)?;
    let mut spec = ProgramMatch::<W>::from_header(&replay.header().about)?;
    let Player::Program(new) = program else { bail!("a team written in Rust has no versions") };
    spec.players[side] = new.clone().into();
    let mut running = spec.start().context("the match can't begin")?;
    Ok(Some((side, play_out(&mut *running))))
}
