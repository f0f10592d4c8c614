//! `tournament check`: validation of a tournament, and estimate of its duration.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Args;
use serde_json::json;

use super::Source;
use crate::cli::{print, print_json};
use crate::tournament::definition::Definition;
use crate::tournament::runner::{expected_games, measure, problems};
use crate::workers::cores;

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    source: Source,
    /// Seconds for which games are played to measure their speed; 0 plays none
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(0..=3600))]
    measure: u64,
    /// Number of concurrent games in the estimate [default: one for each core]
    #[arg(long, value_name = "N")]
    jobs: Option<std::num::NonZeroUsize>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Checks a tournament; status 1 if a player does not load.
pub(super) fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let Some((definition, _)) = args.source.read()? else { bail!("name a FILE.toml, or --game and players") };
    let problems = problems(&definition);
    for (name, what) in &problems {
        tell!("{name}: {what}");
    }
    let (games, exact) = expected_games(&definition);
    let measured = (args.measure > 0 && problems.is_empty()).then(|| {
        let jobs = args.jobs.map_or_else(cores, usize::from);
        measure(&definition, jobs, Duration::from_secs(args.measure))
    });
    let secs = measured
        .filter(|measured| measured.per_second > 0.0)
        .map(|measured| games as f64 / measured.per_second);
    let per_player = 2.0 * games as f64 / definition.players.len().max(1) as f64;
    let late = match (secs, &definition.until) {
        (Some(secs), Some(until)) => late(secs, until)?,
        _ => None,
    };
    if args.json {
        let problems: Vec<_> =
            problems.iter().map(|(name, what)| json!({ "name": name, "problem": what })).collect();
        let object = json!({
            "name": definition.name,
            "game": definition.game.name(),
            "players": definition.players.len(),
            "games": games,
            "exact": exact,
            "games_a_player": per_player,
            "elo_interval": interval(per_player),
            "games_a_second": measured.map(|measured| measured.per_second),
            "seconds": secs,
            "unfinished": measured.map(|measured| measured.unfinished),
            "late_by_seconds": late,
            "problems": problems,
            "needs": needs(&definition),
        });
        print_json(&object.to_string())?;
    } else {
        print(&words(&definition, games, exact, per_player))?;
        for (name, words) in needs(&definition) {
            print(&format!("{name} needs a worker with {}", words.join(", ")))?;
        }
        if let (Some(measured), Some(secs)) = (measured, secs) {
            let most = if measured.unfinished > 0 { "at least " } else { "" };
            print(&format!(
                "{} trial games: {:.2} a second, {most}{} for all",
                measured.games + measured.unfinished,
                measured.per_second,
                span(secs)
            ))?;
        }
        if let (Some(late), Some(until)) = (late, &definition.until) {
            print(&format!("warning: begun now it is over {} after {until}", span(late)))?;
        }
    }
    Ok(ExitCode::from(u8::from(!problems.is_empty())))
}

/// Requirements of players on their machines, by the players' names.
fn needs(definition: &Definition) -> BTreeMap<&str, &[String]> {
    let players = definition.players.iter().filter(|player| !player.needs.is_empty());
    players.map(|player| (player.name.as_str(), player.needs.as_slice())).collect()
}

fn words(definition: &Definition, games: u64, exact: bool, per_player: f64) -> String {
    let stages: Vec<&str> = definition.stages.iter().map(|stage| stage.plan.name.as_str()).collect();
    let most = if exact { "" } else { "at most " };
    format!(
        "{} ({}): {} players, {}\n{most}{games} games, about {per_player:.0} a player; ratings will be known to ±{:.0} Elo (95 %)",
        definition.name,
        definition.game.name(),
        definition.players.len(),
        stages.join(", then "),
        interval(per_player)
    )
}

/// Half the 95 % interval of a rating after `games` games between equals without draws.
fn interval(games: f64) -> f64 {
    let error = 1.96 * 0.5 / games.max(1.0).sqrt();
    // Derivative of Elo by the share of points, at one half.
    error * 400.0 * 4.0 / std::f64::consts::LN_10
}

/// Lateness in seconds of something that takes `secs` from now on, relative to the next `until`; `None` if it is in
/// time.
fn late(secs: f64, until: &str) -> anyhow::Result<Option<f64>> {
    let now = jiff::Zoned::now();
    let time: jiff::civil::Time = until.parse().with_context(|| format!("{until} is no time of day"))?;
    let mut end = now.with().time(time).build().context("the time of day")?;
    if end <= now {
        end = end.tomorrow().and_then(|day| day.with().time(time).build()).context("the next day")?;
    }
    let left = now.duration_until(&end).as_secs_f64();
    Ok((secs > left).then_some(secs - left))
}

/// A duration such as `4 h 05 min`, `3 min 20 s` or `12 s`.
pub(super) fn span(secs: f64) -> String {
    let secs = secs.max(0.0).round() as u64;
    match (secs / 3600, secs / 60 % 60, secs % 60) {
        (0, 0, secs) => format!("{secs} s"),
        (0, minutes, secs) => format!("{minutes} min {secs:02} s"),
        (hours, minutes, _) => format!("{hours} h {minutes:02} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_told_in_two_units() {
        for (secs, text) in [(0.4, "0 s"), (12.0, "12 s"), (200.0, "3 min 20 s"), (14_700.0, "4 h 05 min")] {
            assert_eq!(span(secs), text);
        }
    }

    #[test]
    fn fourteen_games_tell_a_rating_to_180_elo() {
        assert!((interval(14.0) - 182.0).abs() < 1.0);
    }
}
