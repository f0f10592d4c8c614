//! Series of matches with statistics.

use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;

use grandstand_matches::{Ending, Frequency, MatchSpec, SeriesScore, StartError, each, play_out};
use serde_json::{Value, json};

use super::args::PlayArgs;
use super::report::Report;
use crate::cli::{print, print_json};
use crate::locked::Locked as _;
use crate::workers::{cores, in_parallel};

/// Plays `matches` matches. Number n has the seed plus n, and the players on their given sides if n is even, swapped if
/// it is odd. The counts do not depend on the number of concurrent matches.
pub(super) fn run(args: &PlayArgs, spec: &dyn MatchSpec, matches: u32) -> anyhow::Result<ExitCode> {
    let report = Report::new();
    // Real-time matches share the machine's ports and its clock.
    let most = if spec.tempo().keeps_time { 1 } else { matches as usize };
    let jobs = args.many.jobs.map_or_else(cores, usize::from).min(most);
    let tally = Mutex::new(SeriesScore::default());
    let began = Instant::now();
    let played = in_parallel(jobs, matches.into(), |number| -> Result<(), StartError> {
        let (first, ending) = play(spec, number)?;
        let mut tally = tally.locked();
        tally.add(first, &ending);
        let (done, won) = (tally.matches(), tally.first().count);
        drop(tally);
        report.progress(|| format!("{done} of {matches} matches, {} has won {won}", args.first));
        Ok(())
    })?;
    report.clear();
    if played.is_none() {
        report.say("a match broke");
        return Ok(ExitCode::from(1));
    }
    let tally = tally.locked();
    let wall_secs = began.elapsed().as_secs_f64();
    if args.json {
        print_json(&as_json(args, spec, &tally, wall_secs).to_string())?;
    } else {
        print(&in_words(args, spec, &tally, wall_secs))?;
    }
    let expected = args.many.expect_wins.unwrap_or(0);
    if tally.first().count < expected {
        report.say(&format!("{} won {} matches, {expected} were expected", args.first, tally.first().count));
        return Ok(ExitCode::from(1));
    }
    Ok(ExitCode::SUCCESS)
}

/// Plays one match; also returns the side that the first player had at the end.
fn play(spec: &dyn MatchSpec, number: u64) -> Result<(usize, Ending), StartError> {
    let swapped = number % 2 == 1;
    let seed = spec.seed().wrapping_add(number);
    let ending = play_out(&mut *spec.variation(seed, swapped).start()?);
    Ok((usize::from(swapped != ending.swapped), ending))
}

fn as_json(args: &PlayArgs, spec: &dyn MatchSpec, tally: &SeriesScore, wall_secs: f64) -> Value {
    let mut object = json!({
        "game": spec.game(),
        "players": args.players(),
        "matches": tally.matches(),
        "seed": spec.seed(),
        "wins": [tally.first(), tally.second()],
        "wins_with_first_as": each(spec.sides(), [0, 1].map(|side| json!(tally.with_first_as(side)))),
        "draws": tally.draws(),
        "terminations": tally.terminations(),
        "wall_secs": wall_secs,
    });
    for &(unit, length) in tally.lengths() {
        object[unit] = length.into();
    }
    object
}

fn in_words(args: &PlayArgs, spec: &dyn MatchSpec, tally: &SeriesScore, wall_secs: f64) -> String {
    let share = |count: Frequency| {
        let (low, high) = count.interval;
        let (share, low, high) = (100.0 * count.share, 100.0 * low, 100.0 * high);
        format!("{:>6} {share:>6.1} % ({low:.1} to {high:.1})", count.count)
    };
    let names = spec.sides().map(|side| side.name);
    let [first, second] = [0, 1].map(|side| tally.with_first_as(side));
    let width = args.players().map(str::len).into_iter().max().unwrap_or(0).max("draws".len());
    let ended: Vec<String> =
        tally.terminations().iter().map(|(name, count)| format!("{name} {count}")).collect();
    let matches = f64::from(tally.matches().max(1));
    let length = tally
        .lengths()
        .first()
        .map(|&(unit, length)| format!("; {:.1} {unit} a match", length as f64 / matches));
    let (seed, last) = (spec.seed(), u64::from(tally.matches().saturating_sub(1)));
    format!(
        "{} matches, seeds {seed} to {}; share of the matches with its 95 % interval\n\
         {:width$} {}  {} as {}, {} as {}\n\
         {:width$} {}  {} as {}, {} as {}\n\
         {:width$} {}\n\
         ended by: {}{}; {wall_secs:.1} s",
        tally.matches(),
        seed.wrapping_add(last),
        args.first,
        share(tally.first()),
        first[0],
        names[0],
        second[0],
        names[1],
        args.second,
        share(tally.second()),
        first[1],
        names[1],
        second[1],
        names[0],
        "draws",
        share(tally.draws()),
        ended.join(", "),
        length.unwrap_or_default(),
    )
}
