//! Losses of a program in a directory of recordings, grouped by cause and line.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use grandstand_insight::{Insight, Report};
use grandstand_languages::{self as languages, Program};
use grandstand_matches::bundle::unbundle;
use grandstand_matches::machine::Account;
use grandstand_players::program_files::ProgramFiles;
use grandstand_protocol::Game;
use grandstand_replays::Replay;
use grandstand_story::format::count;
use serde_json::json;

use crate::cli::replay::load;
use crate::cli::{print, print_json};

/// Cause of losses: kind, action, rule or reason, and place.
type Key = (&'static str, &'static str, String, Option<(String, u32)>);

/// Cost of a cause.
#[derive(Default)]
struct Group {
    matches: u32,
    /// Number of matches in which it cost most.
    worst: u32,
    moves: f64,
    times: u64,
    example: String,
}

/// A version of a program in recordings.
pub(crate) struct Version {
    file: String,
    /// Text of the version, if it is known.
    program: Option<Program>,
}

impl Version {
    /// The program with the file's name; if the file exists, only the version with its text.
    ///
    /// # Errors
    /// If the file is not a program.
    pub(crate) fn of(path: &Path) -> anyhow::Result<Self> {
        let program = if path.is_file() { Some(read(path)?) } else { None };
        Ok(Self { program, ..Self::any(path)? })
    }

    /// Any version of the program with the file's name.
    ///
    /// # Errors
    /// If the path has no file name.
    pub(crate) fn any(path: &Path) -> anyhow::Result<Self> {
        let name = path.file_name().and_then(|name| name.to_str());
        let file = name.with_context(|| format!("{} is not the name of a program", path.display()))?;
        Ok(Self { file: file.to_owned(), program: None })
    }

    /// The sides that it plays in a recording; empty if another version of it plays, `None` if no version does.
    pub(crate) fn sides(&self, replay: &Replay, sides: [&str; 2]) -> Option<Vec<usize>> {
        let programs = &replay.header().about.programs;
        let own: Vec<_> = programs.iter().filter(|program| *program.file == *self.file).collect();
        if own.is_empty() {
            return None;
        }
        let is_same = |program: &&&grandstand_protocol::Program| match (&self.program, &program.source) {
            (None, _) => true,
            (Some(wanted), Some(source)) => unbundle(source).is_ok_and(|found| are_alike(wanted, &found)),
            (Some(_), None) => false,
        };
        let same = own.iter().filter(is_same);
        Some(same.filter_map(|program| sides.iter().position(|side| **side == *program.team)).collect())
    }
}

/// Loads the program in a file.
///
/// # Errors
/// If the file can't be read, or is not a program.
pub(crate) fn read(path: &Path) -> anyhow::Result<Program> {
    let name = path.to_str().with_context(|| format!("{} is not the name of a program", path.display()))?;
    Ok(languages::load(name, &ProgramFiles::new(name, Path::new(".")))?)
}

/// Whether two programs have the same text, independent of their paths.
fn are_alike(a: &Program, b: &Program) -> bool {
    let [a, b] = [a, b].map(|program| program.sources().files().iter().map(|file| &file.text));
    a.eq(b)
}

/// The recordings in a directory, sorted by name.
///
/// # Errors
/// If it can't be read, or has none.
pub(crate) fn recordings(directory: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let name = || directory.display().to_string();
    let entries =
        fs::read_dir(directory).with_context(name)?.collect::<Result<Vec<_>, _>>().with_context(name)?;
    let paths = entries.into_iter().map(|entry| entry.path());
    let is_recording = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.ends_with(".replay") || name.ends_with(".replay.zst")
    };
    let mut paths: Vec<PathBuf> = paths.filter(is_recording).collect();
    paths.sort();
    if paths.is_empty() {
        bail!("{} has no recordings (.replay or .replay.zst)", directory.display());
    }
    Ok(paths)
}

/// The game of the first recording in which a program of that name plays.
///
/// # Errors
/// If the directory can't be read.
pub(super) fn game_of(directory: &Path, version: &Path) -> anyhow::Result<Option<Game>> {
    let name = version.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let whole = version.to_str().unwrap_or_default();
    let is_its = |file: &str| file == name || file == whole;
    let plays = |replay: &Replay| replay.header().about.programs.iter().any(|program| is_its(&program.file));
    let replays = recordings(directory)?.into_iter().filter_map(|path| load(&path).ok());
    Ok(replays.filter(|replay| plays(replay)).map(|replay| replay.header().game).next())
}

/// Explains the recordings in a directory.
///
/// # Errors
/// If it can't be read.
pub(super) fn run(directory: &Path, version: &Path, as_json: bool) -> anyhow::Result<ExitCode> {
    let version = Version::of(version)?;
    let mut groups: BTreeMap<Key, Group> = BTreeMap::new();
    let (mut played, mut lost, mut others, mut unfinished) = (0_u32, 0_u32, 0_u32, 0_u32);
    for path in recordings(directory)? {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let explained = load(&path).and_then(|replay| explain(&replay, &version));
        match explained {
            Ok(Explained::NotIts) => {}
            Ok(Explained::Another) => others += 1,
            Ok(Explained::Unfinished) => unfinished += 1,
            Ok(Explained::NotLost) => played += 1,
            Ok(Explained::Lost(side, report)) => {
                (played, lost) = (played + 1, lost + 1);
                for (rank, account) in
                    report.accounts[side].iter().filter(|account| account.moves >= 1.0).enumerate()
                {
                    let group = groups.entry(key(account)).or_default();
                    group.matches += 1;
                    group.worst += u32::from(rank == 0);
                    group.moves += account.moves;
                    group.times += account.times;
                    if group.example.is_empty() {
                        group.example = name.clone();
                    }
                }
            }
            Err(error) => tell!("{name}: {error:#}"),
        }
    }
    let mut groups: Vec<(Key, Group)> = groups.into_iter().collect();
    groups.sort_by(|a, b| {
        (b.1.worst, b.1.moves).partial_cmp(&(a.1.worst, a.1.moves)).unwrap_or(std::cmp::Ordering::Equal)
    });
    if as_json {
        let causes = groups.iter().map(|((kind, action, why, place), group)| {
            json!({
                "kind": kind, "action": (!action.is_empty()).then_some(action), "why": why,
                "file": place.as_ref().map(|(file, _)| file), "line": place.as_ref().map(|(_, line)| line),
                "matches": group.matches, "worst": group.worst, "moves": group.moves, "times": group.times,
                "example": group.example,
            })
        });
        let all = json!({
            "program": version.file, "matches": played, "lost": lost, "other_versions": others,
            "unfinished": unfinished,
            "causes": causes.collect::<Vec<_>>(),
        });
        print_json(&all.to_string())?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = format!("{} lost {lost} of {played} matches", version.file);
    if others > 0 {
        let _ = write!(text, " ({others} recordings of another version of it are left out)");
    }
    text += &left_out(unfinished);
    if !groups.is_empty() {
        text += "\nby what cost it most:\n   most   seen     moves  cause";
    }
    for (key, group) in &groups {
        let _ = write!(
            text,
            "\n{:>7}{:>7}{:>10.1}  {} (as in {})",
            group.worst,
            group.matches,
            group.moves,
            cause(key, group.times),
            group.example
        );
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Words for recordings without a result, which are no matches to count.
pub(super) fn left_out(unfinished: u32) -> String {
    if unfinished == 0 {
        return String::new();
    }
    format!(" ({unfinished} recordings without a result are left out)")
}

enum Explained {
    NotIts,
    Another,
    /// The recording has no result.
    Unfinished,
    /// Won or drawn.
    NotLost,
    Lost(usize, Box<Report>),
}

fn explain(replay: &Replay, version: &Version) -> anyhow::Result<Explained> {
    // The header is enough to select the match.
    let teams: Vec<&str> = replay.header().about.programs.iter().map(|program| &*program.team).collect();
    let [first, second] = teams[..] else { return Ok(Explained::NotIts) };
    let sides = match version.sides(replay, [first, second]) {
        None => return Ok(Explained::NotIts),
        Some(sides) if sides.is_empty() => return Ok(Explained::Another),
        Some(sides) => sides,
    };
    let Some(result) = replay.result() else { return Ok(Explained::Unfinished) };
    let Some(side) = lost_side(&sides, [first, second], result.winner.as_deref()) else {
        return Ok(Explained::NotLost);
    };
    let mut insight = Insight::of_replay(replay)?;
    insight.play_out();
    if let Some(difference) = &insight.compared().difference {
        bail!("{difference}");
    }
    Ok(Explained::Lost(side, Box::new(insight.report())))
}

/// The side among `sides` that lost; `None` for a draw. `names` are those of both sides.
pub(crate) fn lost_side(sides: &[usize], names: [&str; 2], winner: Option<&str>) -> Option<usize> {
    let winner = winner?;
    sides.iter().copied().find(|&side| names[side] != winner)
}

/// Grouping key of the mistakes with the same cause.
fn key(account: &Account) -> Key {
    // The place where a lock was taken matters, not the bot that held it.
    let why = match account.why.split_once(" took at ") {
        Some((_, taken)) if account.kind == "lock" => taken.to_owned(),
        _ => account.why.clone(),
    };
    (account.kind, account.action.unwrap_or_default(), why, account.place.clone())
}

fn cause((kind, action, why, place): &Key, times: u64) -> String {
    let at = place.as_ref().map(|(file, line)| format!(" at {file}:{line}")).unwrap_or_default();
    let bots = || count(times, "bot", "bots");
    let often = || count(times, "time", "times");
    match *kind {
        "died" => format!("{} died{at}: {why}", bots()),
        "ended" => format!("{} left the match because the program ended", bots()),
        "lock" => format!("bots waited{at} for the lock taken at {why}"),
        "move" => format!("{} a move failed that was committed{at} ({why})", often()),
        "action" => format!("{} {action} failed{at} ({why})", often()),
        "late" => format!("{} a move was committed{at} after the end of the turn", often()),
        "computing" => format!("{} a bot was still computing when the turn ended", often()),
        "resting" => format!("{} a bot waited{at} without having committed a move", often()),
        _ => format!("{times} bots did nothing any more"),
    }
}
