//! Explanation of a game of Gomoku, Pente or Riskless, and of a directory of them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context as _;
use grandstand_insight::turns::{Kind, Review, ReviewSession};
use grandstand_replays::Replay;
use serde_json::json;

use super::ExplainArgs;
use super::directory::{left_out, recordings};
use crate::cli::play::report::Report;
use crate::cli::replay::load;
use crate::cli::{print, print_json};

/// Length of a range of move numbers in the report.
const SPAN: u32 = 10;

/// Explains one match. Status 1 if it was stopped.
///
/// # Errors
/// If the match can't be reviewed.
pub(super) fn run(replay: &Replay, args: &ExplainArgs) -> anyhow::Result<ExitCode> {
    let stop = stopped_by_signals()?;
    let review = review(replay, args, "", &stop).with_context(|| args.path.display().to_string())?;
    if args.json {
        print_json(&review.json().to_string())?;
    } else {
        print(&review.words())?;
    }
    Ok(ExitCode::from(u8::from(!review.is_complete())))
}

/// Reviews the match with progress on standard error, up to the end or a signal.
fn review(replay: &Replay, args: &ExplainArgs, name: &str, stop: &AtomicBool) -> anyhow::Result<Review> {
    let mut reviewing = ReviewSession::of_replay(replay, args.nodes)?;
    let report = Report::new();
    while reviewing.work(stop) {
        let (done, all) = reviewing.progress();
        report.progress(|| format!("{name}position {done} of {all}"));
    }
    report.clear();
    Ok(reviewing.review())
}

/// A flag that SIGINT and SIGTERM set: the review stops, and its results so far are printed. A second signal ends the
/// process.
fn stopped_by_signals() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let signalled = {
        let _inside = runtime.enter();
        crate::cli::serve::shutdown_signal()
    };
    let flag = Arc::clone(&stop);
    let wait = move || {
        runtime.block_on(signalled);
        flag.store(true, Ordering::Relaxed);
        runtime.block_on(async { crate::cli::serve::shutdown_signal().await });
        std::process::exit(2);
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait)?;
    Ok(stop)
}

/// Losses by a cause, in a span of move numbers.
#[derive(Default)]
struct Group {
    matches: u32,
    loss: f64,
    examples: Vec<String>,
}

/// Explains the losses of a player in a directory, by cause and move number.
///
/// # Errors
/// If the directory can't be read.
pub(super) fn explain_directory(
    directory: &Path,
    version: &Path,
    args: &ExplainArgs,
) -> anyhow::Result<ExitCode> {
    let player = version.to_str().context("the name of the player is no text")?;
    let stop = stopped_by_signals()?;
    let mut groups: BTreeMap<(Option<Kind>, u32), Group> = BTreeMap::new();
    let (mut played, mut lost, mut unfinished) = (0_u32, 0_u32, 0_u32);
    let paths = recordings(directory)?;
    let all = paths.len();
    for (number, path) in (1..).zip(paths) {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let replay = match load(&path) {
            Ok(replay) => replay,
            Err(error) => {
                tell!("{name}: {error:#}");
                continue;
            }
        };
        let sides = sides_of(&replay, player);
        if sides.is_empty() {
            continue;
        }
        let Some(result) = replay.result() else {
            unfinished += 1;
            continue;
        };
        played += 1;
        if result.winner.as_deref().is_none_or(|winner| sides.iter().all(|side| side == winner)) {
            continue;
        }
        let review = match review(&replay, args, &format!("match {number} of {all}, "), &stop) {
            Ok(review) => review,
            Err(error) => {
                tell!("{name}: {error:#}");
                continue;
            }
        };
        if stop.load(Ordering::Relaxed) {
            break;
        }
        lost += 1;
        let made = review.decisive();
        let kind = made.and_then(|made| made.cause.as_ref()).map(|cause| cause.kind);
        let span = made.map_or(0, |made| (made.number - 1) / SPAN);
        let group = groups.entry((kind, span)).or_default();
        group.matches += 1;
        group.loss += made.map_or(0.0, |made| made.loss());
        let at = made.map_or_else(String::new, |made| format!(", move {} {}", made.number, made.text));
        group.examples.push(format!("{name}{at}"));
    }
    let is_stopped = stop.load(Ordering::Relaxed);
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(key, group)| (std::cmp::Reverse(group.matches), *key));
    if args.json {
        let causes = groups.iter().map(|((kind, span), group)| {
            json!({
                "cause": kind.map(Kind::name),
                "moves": kind.map(|_| [span * SPAN + 1, (span + 1) * SPAN]),
                "matches": group.matches,
                "loss": (group.loss * 1_000.0).round() / 1_000.0,
                "recordings": group.examples,
            })
        });
        let all = json!({
            "player": player,
            "played": played,
            "lost": lost,
            "unfinished": unfinished,
            "stopped": is_stopped,
            "causes": causes.collect::<Vec<_>>(),
        });
        print_json(&all.to_string())?;
        return Ok(ExitCode::from(u8::from(is_stopped)));
    }
    let mut text = format!("{player} lost {lost} of {played} matches");
    text += &left_out(unfinished);
    if is_stopped {
        text += " (stopped before all were reviewed)";
    }
    if !groups.is_empty() {
        text += "\nby the move that lost:\n  matches   moves    chance  cause";
    }
    for ((kind, span), group) in &groups {
        let span = match kind {
            Some(_) => format!("{}–{}", span * SPAN + 1, (span + 1) * SPAN),
            None => String::new(),
        };
        let words = kind.map_or("no single move lost", Kind::words);
        let example = group.examples.first().map_or("", |example| example);
        let average = 100.0 * group.loss / f64::from(group.matches.max(1));
        let _ = write!(text, "\n{:>9}{span:>8}{:>8.0} %  {words} (as in {example})", group.matches, -average);
    }
    print(&text)?;
    Ok(ExitCode::from(u8::from(is_stopped)))
}

/// The dialect's names of the sides that a player has in a recording.
fn sides_of(replay: &Replay, player: &str) -> Vec<String> {
    let programs = replay.header().about.programs.iter();
    programs.filter(|program| *program.file == *player).map(|program| program.team.to_string()).collect()
}
