//! Many matches, counted.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Instant;

use anyhow::Context;
use grandstand_protocol::abalone::Team;
use grandstand_rules::abalone::Finish;
use serde_json::{Value, json};

use super::PlayArgs;
use super::report::Report;
use crate::arena::{MatchCount, MatchSetup, Runner, StartError, Tally};

/// Plays `matches` matches: number n with the seed plus n, the players with the colours that they were given in
/// when n is even and the other way round when it is odd. The counts do not depend on how many run at a time.
pub(super) fn run(args: &PlayArgs, setup: &MatchSetup, matches: u32) -> anyhow::Result<ExitCode> {
    let report = Report::new();
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.many.jobs.map_or_else(cores, usize::from).min(matches as usize);
    let (next, tally) = (AtomicU32::new(0), Mutex::new(Tally::default()));
    let began = Instant::now();
    let work = || -> Result<(), StartError> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= matches {
                return Ok(());
            }
            let (first, finish) = play(setup, number)?;
            let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
            tally.add(first, &finish);
            let (done, won) = (tally.matches(), tally.first().count);
            drop(tally);
            report.progress(|| format!("{done} of {matches} matches, {} has won {won}", args.black));
        }
    };
    let broken = thread::scope(|scope| -> Result<bool, StartError> {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        let mut broken = false;
        for worker in workers {
            match worker.join() {
                Ok(result) => result?,
                Err(_) => broken = true,
            }
        }
        Ok(broken)
    })?;
    report.clear();
    if broken {
        report.say("a match broke");
        return Ok(ExitCode::from(1));
    }
    let tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    let wall_secs = began.elapsed().as_secs_f64();
    let text = if args.json {
        as_json(args, setup.seed, &tally, wall_secs).to_string()
    } else {
        in_words(args, setup.seed, &tally, wall_secs)
    };
    writeln!(io::stdout().lock(), "{text}").context("can't write the result")?;
    let expected = args.many.expect_wins.unwrap_or(0);
    if tally.first().count < expected {
        report.say(&format!("{} won {} matches, {expected} were expected", args.black, tally.first().count));
        return Ok(ExitCode::from(1));
    }
    Ok(ExitCode::SUCCESS)
}

/// Plays one match; also says which colour the first player had.
fn play(setup: &MatchSetup, number: u32) -> Result<(Team, Finish), StartError> {
    let mut setup = setup.clone();
    setup.seed = setup.seed.wrapping_add(u64::from(number));
    let mut first = Team::Black;
    if number % 2 == 1 {
        first = Team::White;
        std::mem::swap(&mut setup.black, &mut setup.white);
    }
    let mut runner = Runner::new(&setup)?;
    loop {
        if let Some(finish) = runner.finish() {
            return Ok((first, *finish));
        }
        runner.advance();
        // Nobody looks at what is drawn; it need not pile up.
        runner.drain_commands();
        runner.drain_log();
    }
}

fn as_json(args: &PlayArgs, seed: u64, tally: &Tally, wall_secs: f64) -> Value {
    let [black, white] = Team::ALL.map(|team| tally.with_first_as(team));
    json!({
        "game": "abalone",
        "players": [args.black, args.white],
        "matches": tally.matches(),
        "seed": seed,
        "wins": [tally.first(), tally.second()],
        "wins_with_first_as": {"black": black, "white": white},
        "draws": tally.draws(),
        "terminations": tally.terminations(),
        "turns": tally.turns(),
        "cycles": tally.cycles(),
        "wall_secs": wall_secs,
    })
}

fn in_words(args: &PlayArgs, seed: u64, tally: &Tally, wall_secs: f64) -> String {
    let [black, white] = Team::ALL.map(|team| tally.with_first_as(team));
    let share = |count: MatchCount| {
        let (low, high) = count.interval;
        format!(
            "{:>6} {:>6.1} % ({:.1} to {:.1})",
            count.count,
            100.0 * count.share,
            100.0 * low,
            100.0 * high
        )
    };
    let width = args.black.len().max(args.white.len()).max("draws".len());
    let ended: Vec<String> =
        tally.terminations().iter().map(|(name, count)| format!("{name} {count}")).collect();
    format!(
        "{} matches, seeds {seed} to {}; share of the matches with its 95 % interval\n\
         {:width$} {}  {} as black, {} as white\n\
         {:width$} {}  {} as white, {} as black\n\
         {:width$} {}\n\
         ended by: {}; {:.1} turns a match; {wall_secs:.1} s",
        tally.matches(),
        seed.wrapping_add(u64::from(tally.matches().saturating_sub(1))),
        args.black,
        share(tally.first()),
        black[0],
        white[0],
        args.white,
        share(tally.second()),
        black[1],
        white[1],
        "draws",
        share(tally.draws()),
        ended.join(", "),
        tally.turns() as f64 / f64::from(tally.matches().max(1)),
    )
}
