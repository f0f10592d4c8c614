//! Explanation of a match of Steam Fortress, and of one unit.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use grandstand_insight::fortress::{Fortress, When};
use grandstand_matches::inputs::{VERSION_FIELD, game_of};
use grandstand_protocol::Game;
use grandstand_replays::Replay;

use super::ExplainArgs;
use crate::cli::{print, print_json};

/// Maximum size of a file of inputs, in bytes.
const INPUTS_BYTES: u64 = 1 << 30;
/// Maximum size of the first line of one.
const FIRST_LINE_BYTES: u64 = 1 << 20;

/// The match of a file of inputs; `None` if the file is something else.
///
/// # Errors
/// If the file can't be read, or has the inputs of another game.
pub(super) fn inputs(path: &Path) -> anyhow::Result<Option<Fortress>> {
    let name = || path.display().to_string();
    let mut file = BufReader::new(File::open(path).with_context(name)?);
    let mut first = Vec::new();
    file.by_ref().take(FIRST_LINE_BYTES).read_until(b'\n', &mut first).with_context(name)?;
    let Ok(mut text) = String::from_utf8(first) else { return Ok(None) };
    let is_inputs =
        serde_json::from_str::<serde_json::Value>(&text).is_ok_and(|value| !value[VERSION_FIELD].is_null());
    if !is_inputs {
        return Ok(None);
    }
    if game_of(&text) != Some(Game::Fortress) {
        bail!("{}: the inputs of a match by turns tell no more than its recording: explain that", name());
    }
    file.by_ref().take(INPUTS_BYTES + 1).read_to_string(&mut text).with_context(name)?;
    if text.len() as u64 > INPUTS_BYTES {
        bail!("{}: a file of inputs has at most {INPUTS_BYTES} bytes", name());
    }
    Ok(Some(Fortress::of_inputs(text).with_context(name)?))
}

/// Explains the match of a recording.
///
/// # Errors
/// If it can't be played again.
pub(super) fn of_replay(replay: &Replay, args: &ExplainArgs) -> anyhow::Result<ExitCode> {
    let fortress = Fortress::of_replay(replay).with_context(|| args.path.display().to_string())?;
    run(&fortress, args)
}

/// Explains a match, or one of its units. Status 1 if the match differs from its recording.
///
/// # Errors
/// If there is no such unit, or standard output can't be written.
pub(super) fn run(fortress: &Fortress, args: &ExplainArgs) -> anyhow::Result<ExitCode> {
    if args.print.is_some() {
        bail!("--print is about programs in CL and RCL: teams of Fortress are programs of their own");
    }
    let Some(bot) = args.bot else {
        let report = fortress.report()?;
        if args.json {
            print_json(&report.json().to_string())?;
        } else {
            print(&report.words())?;
        }
        return Ok(ExitCode::from(u8::from(!report.agrees)));
    };
    let when = match (args.turn, args.cycle) {
        (Some(second), _) => When::Millis(second.saturating_mul(1_000)),
        (None, Some(millis)) => When::Millis(millis),
        (None, None) if args.death => When::Loss,
        (None, None) => When::LossOrEnd,
    };
    let view = fortress.at(bot, when)?;
    if args.json {
        print_json(&view.json().to_string())?;
    } else {
        print(&view.words())?;
    }
    Ok(ExitCode::SUCCESS)
}
