//! `grandstand check-map`: errors and warnings of a map.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use grandstand_matches::games::title;
use grandstand_matches::map_format::MapFormat;
use grandstand_matches::maps::{self, Checked};
use grandstand_protocol::Game;
use grandstand_rules::map::MapFaults;
use serde_json::{Value, json};

use super::{print, print_json};

/// Check map files: whether a match can be played on them.
///
/// Errors are printed as FILE:LINE:COLUMN and the reason; warnings name what is unusual in a valid map. Status 0 if
/// all maps are valid, 1 if one is not, 2 if one can't be read.
#[derive(Debug, Args)]
pub struct CheckMapArgs {
    /// The maps
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The game of the maps: shark, fortress or riskless [default: by the names of the directory and the file, else
    /// by the characters]
    #[arg(long)]
    game: Option<Game>,
    /// Print one JSON object for each map, one a line: `file`, `game`, `good`, `errors` and `warnings` (`line`,
    /// `column`, `reason`), and `more` if not all errors are listed
    #[arg(long)]
    json: bool,
}

/// Larger than any map; the rest of a file is not read.
const READ_MAX_BYTES: u64 = 1 << 20;

/// Checks the maps.
///
/// # Errors
/// If a file can't be read, or standard output not written.
pub fn run(args: &CheckMapArgs) -> anyhow::Result<ExitCode> {
    let format = args.game.map(format_of).transpose()?;
    let mut all_good = true;
    for file in &args.files {
        let name = file.display().to_string();
        let text = read(file, READ_MAX_BYTES).with_context(|| name.clone())?;
        let checked = maps::check(format, file, &text);
        all_good &= checked.faults.is_empty();
        if args.json {
            print_json(&to_json(&name, &checked).to_string())?;
        } else {
            print(to_text(&name, &checked).trim_end())?;
        }
    }
    Ok(ExitCode::from(u8::from(!all_good)))
}

/// Reads at most `most` bytes from the start of a file.
pub(super) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    File::open(path)?.take(most).read_to_end(&mut text)?;
    Ok(text)
}

fn format_of(game: Game) -> anyhow::Result<&'static MapFormat> {
    let Some(format) = maps::format(game) else {
        bail!("{game} is played without a map; expected {}", maps::either(|format| format.game.name()));
    };
    Ok(format)
}

fn to_text(name: &str, checked: &Checked) -> String {
    let mut text = String::new();
    let title = checked.format.map_or("any game", |format| title(format.game));
    let mut tell = |faults: &MapFaults, kind: &str| {
        for fault in faults.iter() {
            text += &format!("{name}:{}:{}: {kind}{}\n", fault.line, fault.column, fault.reason);
        }
        if faults.more() > 0 {
            text += &format!("{name}: {kind}and {} more\n", faults.more());
        }
    };
    tell(&checked.faults, "");
    tell(&checked.warnings, "warning: ");
    text + &if checked.faults.is_empty() {
        format!("{name}: a map of {title}\n")
    } else {
        format!("{name}: no map of {title}\n")
    }
}

fn to_json(name: &str, checked: &Checked) -> Value {
    let list = |faults: &MapFaults| -> Vec<Value> {
        let one = |fault: &grandstand_rules::map::MapFault| json!({ "line": fault.line, "column": fault.column, "reason": fault.reason });
        faults.iter().map(one).collect()
    };
    let mut object = json!({
        "file": name,
        "game": checked.format.map(|format| format.game.name()),
        "good": checked.faults.is_empty(),
        "errors": list(&checked.faults),
        "warnings": list(&checked.warnings),
    });
    if checked.faults.more() > 0 {
        object["more"] = json!(checked.faults.more());
    }
    object
}
