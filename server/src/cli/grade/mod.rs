//! `grandstand grade`: grading of a bot by a rubric.

mod report;
pub(crate) mod rubric;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use grandstand_languages::LoadError;
use grandstand_matches::machine::{GameWorld, Player, ProgramMatch, Settings};
use grandstand_matches::{Ending, MatchSpec, StartError, Tracing, by_world, maps, play_out};
use grandstand_players::program_files;
use serde_json::Value;

use self::report::{Grade, Graded};
use self::rubric::{Rubric, Test};
use super::play::spec::player;
use super::print;
use crate::workers::{cores, in_parallel};

/// Grade a bot by a rubric: matches against house bots, on both sides and all maps, with seeds that its author does not see.
///
/// The same bot always has the same grade, to the byte: it runs in this process, and nothing depends on time.
/// docs/GRADING.md describes the rubric, and the use with Gradescope, GitHub and GitLab.
#[derive(Debug, Args)]
pub struct GradeArgs {
    /// The bot: a program's file, FILE.cl or FILE.rcl, or a shipped program by its name
    bot: String,
    /// The rubric, in TOML
    #[arg(long, value_name = "FILE")]
    rubric: PathBuf,
    /// Write the grade as a table for spreadsheets, too
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the grade as Gradescope's results.json, too
    #[arg(long, value_name = "FILE")]
    gradescope: Option<PathBuf>,
    /// Number of concurrent matches [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    jobs: Option<u32>,
}

/// Grades the bot. The status is 0 for any grade, also if the bot does not load.
///
/// # Errors
/// If the rubric is invalid, the bot's file can't be read, or a grade can't be written.
pub fn run(args: &GradeArgs) -> anyhow::Result<ExitCode> {
    let rubric = Rubric::read(&args.rubric)?;
    let jobs = args.jobs.map_or_else(cores, |jobs| jobs as usize);
    let graded = by_world!(rubric.game, World => grade::<World>(&args.bot, &rubric, jobs)?);
    let Some(graded) = graded else { bail!("{} can't be graded", rubric.game) };
    let write = |file: &Option<PathBuf>, text: String| match file {
        Some(file) => fs::write(file, text).with_context(|| format!("can't write {}", file.display())),
        None => Ok(()),
    };
    write(&args.csv, graded.csv())?;
    write(&args.gradescope, graded.gradescope())?;
    print(&graded.to_string())?;
    Ok(ExitCode::SUCCESS)
}

/// Plays the tests of the rubric.
fn grade<W: GameWorld>(bot: &str, rubric: &Rubric, jobs: usize) -> anyhow::Result<Graded> {
    // The whole rubric is checked before the bot is loaded and a match is played.
    let tests = rubric.tests.iter().map(|test| {
        let house = player::<W>(&test.beats, false, Path::new("."))
            .with_context(|| format!("the test `{}`", test.title()))?;
        let settings = settings::<W>(rubric, test).with_context(|| format!("the test `{}`", test.title()))?;
        Ok((test, house, settings))
    });
    let tests: Vec<_> = tests.collect::<anyhow::Result<_>>()?;
    let own = match program_files::load(W::GAME, bot, Path::new(".")) {
        Ok(program) => Ok(Player::from(program)),
        Err(error @ LoadError::File { .. }) => return Err(error.into()),
        Err(error) => Err(error.to_string()),
    };
    let mut graded = Graded::new(bot);
    for (test, house, settings) in tests {
        let own = match &own {
            Ok(own) => own,
            Err(error) => {
                graded.tests.push(Grade::of(test, [0; 3], vec![error.clone()]));
                continue;
            }
        };
        let specs: Vec<ProgramMatch<W>> = settings
            .into_iter()
            .map(|settings| ProgramMatch {
                settings,
                seed: rubric.seed,
                players: [own.clone(), house.clone()],
            })
            .collect();
        graded.tests.push(play(test, &specs, jobs)?);
    }
    Ok(graded)
}

/// The settings of a test's matches, one per map.
fn settings<W: GameWorld>(rubric: &Rubric, test: &Test) -> anyhow::Result<Vec<Settings<W::Rules>>> {
    let shipped: Vec<&str> = maps::format(W::GAME)
        .map(|format| format.shipped.iter().map(|(name, _)| *name).collect())
        .unwrap_or_default();
    if let Some(unknown) = test.maps.iter().flatten().find(|map| !shipped.contains(&map.as_str())) {
        bail!("there is no map `{unknown}`; expected some of: {}", shipped.join(", "));
    }
    let maps: Vec<&str> = match &test.maps {
        Some(maps) if maps.is_empty() => bail!("`maps` is empty"),
        Some(maps) => maps.iter().map(String::as_str).collect(),
        // The rubric's own `MAP` has priority.
        None if rubric.settings.contains_key("MAP") => Vec::new(),
        None => shipped,
    };
    let read = |map: Option<&str>| -> anyhow::Result<Settings<W::Rules>> {
        let mut named = rubric.settings.clone();
        named.extend(map.map(|map| ("MAP".to_owned(), Value::from(map))));
        Ok(Settings::from_map(named)?)
    };
    if maps.is_empty() {
        return Ok(vec![read(None)?]);
    }
    if test.games < 2 * maps.len() as u32 {
        bail!("{} games are too few for both sides of {} maps", test.games, maps.len());
    }
    maps.into_iter().map(|map| read(Some(map))).collect()
}

/// The match with this number: the map changes after both sides of it were played, the seed with each match.
fn variation<W: GameWorld>(specs: &[ProgramMatch<W>], number: u64) -> (Box<dyn MatchSpec>, usize) {
    let spec = &specs[(number as usize / 2) % specs.len()];
    let side = number as usize % 2;
    (spec.variation(spec.seed.wrapping_add(number), side == 1), side)
}

/// Plays the matches of a test.
fn play<W: GameWorld>(test: &Test, specs: &[ProgramMatch<W>], jobs: usize) -> anyhow::Result<Grade> {
    let played = in_parallel(jobs, test.games.into(), |number| -> Result<Option<bool>, StartError> {
        let (spec, side) = variation(specs, number);
        let ending = finish(&*spec, None)?.0;
        Ok(ending.winner.map(|winner| winner == side))
    })?;
    let results = played.context("a match broke")?;
    let count = |what: Option<bool>| results.iter().filter(|won| **won == what).count() as u32;
    let counts = [count(Some(true)), count(None), count(Some(false))];
    let lost = results.iter().position(|won| *won == Some(false));
    let remarks = match lost {
        None => Vec::new(),
        Some(number) => {
            let (spec, side) = variation(specs, number as u64);
            let (ending, costs) = finish(&*spec, Some(Tracing::Costs))?;
            let name = ending.sides[side].name;
            let head = format!("the first match that it lost, as {name}, ended by {}", ending.termination);
            let costs = &costs[side];
            let more = if costs.is_empty() { "" } else { "; what cost it most, in moves of one bot:" };
            [format!("{head}{more}")].into_iter().chain(costs.iter().cloned()).collect()
        }
    };
    Ok(Grade::of(test, counts, remarks))
}

/// Plays a match to its end; returns the ending, and the costliest mistakes of each side if they are traced.
fn finish(spec: &dyn MatchSpec, tracing: Option<Tracing>) -> Result<(Ending, [Vec<String>; 2]), StartError> {
    let mut running = spec.start()?;
    if let Some(tracing) = tracing {
        running.trace(tracing);
    }
    let ending = play_out(&mut *running);
    Ok((ending, running.costs()))
}
