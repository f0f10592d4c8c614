//! One match: drawn, recorded, logged and summed up.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime};

use anyhow::Context;
use grandstand_protocol::abalone::Team;
use grandstand_rules::abalone::{Finish, World};
use serde_json::{Value, json};

use super::PlayArgs;
use super::audience::{Audience, Kind, Lines};
use super::pace::Pace;
use super::recording::Recording;
use super::report::Report;
use crate::arena::{MatchSetup, Patience, Runner, StampedCommand};
use crate::hub::clock::rfc3339;

/// What a turn takes for people who watch. A replay of a match that ran faster is timed by it too.
const WATCHABLE: Duration = Duration::from_millis(300);
/// Commands that come as close together as this are sent together.
const TOGETHER_MICROS: u64 = 5_000;

pub(super) fn run(args: &PlayArgs, setup: &MatchSetup) -> anyhow::Result<ExitCode> {
    let report = Report::new();
    let mut runner = Runner::new(setup)?;
    let mut log = args.log.as_deref().map(open_log).transpose()?;
    if args.seed.is_none() && !args.json {
        report.say(&format!("seed {}", setup.seed));
    }
    let addresses = addresses(args);
    let header = setup.header(Some(&rfc3339(SystemTime::now())));
    let mut recording = args.record.as_deref().map(|file| Recording::create(file, &header)).transpose()?;
    let pace = args.pace.unwrap_or(if addresses.is_empty() { Duration::ZERO } else { WATCHABLE });
    let patience = Patience { connect: args.connect_wait, ..Patience::default() };
    let mut audience = Audience::gather(&addresses, &patience, !pace.is_zero(), &report);
    audience.announce(&header);

    let cycles_per_turn = setup.settings.rules.cycles_per_turn;
    let clock = Pace::new(if pace.is_zero() { WATCHABLE } else { pace }, cycles_per_turn);
    let mut pacer = (!pace.is_zero()).then(|| Pace::new(pace, cycles_per_turn));
    let mut broken = false;
    let began = Instant::now();
    loop {
        let commands = runner.drain_commands();
        if let Some(file) = &mut recording {
            let written = commands.iter().try_for_each(|c| file.command(clock.time_of(c.cycle), &c.command));
            if let Err(error) = written.and_then(|()| file.flush()) {
                report.say(&format!("{error:#}"));
                (recording, broken) = (None, true);
            }
        }
        draw(&commands, &mut audience, pacer.as_mut());
        for entry in runner.drain_log() {
            if args.verbose {
                report.print(&format!("{entry}\n"));
            }
            if let Some(file) = &mut log
                && let Err(error) = writeln!(file, "{entry}").and_then(|()| file.flush())
            {
                report.say(&format!("the log is not complete: {error}"));
                (log, broken) = (None, true);
            }
        }
        if let Some(finish) = runner.finish() {
            if let Some(pace) = &mut pacer {
                pace.wait_for(finish.cycle);
            }
            break;
        }
        report.progress(|| progress(runner.world()));
        runner.advance();
    }
    let wall = began.elapsed();
    report.clear();

    if let (Some(finish), Some(result)) = (runner.finish(), runner.result()) {
        audience.finish(&result);
        if let Some(file) = recording
            && let Err(error) = file.finish(clock.time_of(finish.cycle), &result)
        {
            report.say(&format!("{error:#}"));
            broken = true;
        }
        let summary = Summary { args, setup, world: runner.world(), finish, wall };
        let text = if args.json { summary.json().to_string() } else { summary.words() };
        writeln!(io::stdout().lock(), "{text}").context("can't write the result")?;
    }
    Ok(if broken { ExitCode::from(2) } else { ExitCode::SUCCESS })
}

fn open_log(path: &Path) -> anyhow::Result<BufWriter<File>> {
    let file = File::create(path).with_context(|| format!("can't write the log {}", path.display()))?;
    Ok(BufWriter::new(file))
}

fn addresses(args: &PlayArgs) -> Vec<(Kind, String)> {
    let gui = if args.extensions { Kind::Extended } else { Kind::Plain };
    let bridges = args.bridge.iter().map(|address| (Kind::Extended, address.clone()));
    bridges.chain(args.gui.iter().map(|address| (gui, address.clone()))).collect()
}

/// Shows the commands, each in its time.
fn draw(commands: &[StampedCommand], audience: &mut Audience, mut pacer: Option<&mut Pace>) {
    let Some(mut first) = commands.first().map(|command| command.cycle) else { return };
    let mut lines = Lines::default();
    for stamped in commands {
        if let Some(pace) = &mut pacer
            && pace.time_of(stamped.cycle).since(pace.time_of(first)).0 > TOGETHER_MICROS
        {
            pace.wait_for(first);
            audience.show(std::mem::take(&mut lines));
            first = stamped.cycle;
        }
        lines.push(&stamped.command);
    }
    if let Some(pace) = pacer {
        pace.wait_for(first);
    }
    audience.show(lines);
}

fn progress(world: &World) -> String {
    let team = |team: Team| format!("{team} {} ({} pieces)", world.score(team), world.pieces(team));
    let percent = 100 * u64::from(world.turn()) * world.rules().cycles_per_turn / world.rules().game_length;
    format!("turn {} ({percent} %)  {}  {}", world.turn(), team(Team::Black), team(Team::White))
}

/// What is to be told of a match that is over.
struct Summary<'a> {
    args: &'a PlayArgs,
    setup: &'a MatchSetup,
    world: &'a World,
    finish: &'a Finish,
    wall: Duration,
}

impl Summary<'_> {
    /// The object that `--json` prints: `outcome` is `black`, `white` or `draw`; `termination` one of the
    /// game's; `wall_secs` without connecting and compressing.
    fn json(&self) -> Value {
        let each =
            |value: &dyn Fn(Team) -> Value| json!({"black": value(Team::Black), "white": value(Team::White)});
        json!({
            "game": "abalone",
            "players": {"black": self.args.black, "white": self.args.white},
            "outcome": self.finish.outcome.winner().map_or("draw", Team::name),
            "termination": self.finish.termination.name(),
            "score": each(&|team| self.world.score(team).into()),
            "pieces": each(&|team| self.world.pieces(team).into()),
            "turns": self.finish.turns,
            "cycles": self.finish.cycle,
            "dropped_talks": each(&|team| self.world.dropped_talks(team).into()),
            "seed": self.setup.seed,
            "wall_secs": self.wall.as_secs_f64(),
        })
    }

    fn words(&self) -> String {
        let (world, finish) = (self.world, self.finish);
        let score = |first: Team| format!("{}:{}", world.score(first), world.score(first.opponent()));
        let who = match finish.outcome.winner() {
            Some(Team::Black) => format!("black ({}) wins {}", self.args.black, score(Team::Black)),
            Some(Team::White) => format!("white ({}) wins {}", self.args.white, score(Team::White)),
            None => format!("a draw, {}", score(Team::Black)),
        };
        let dropped: u64 = Team::ALL.map(|team| world.dropped_talks(team)).iter().sum();
        let dropped = if dropped > 0 {
            format!("; {dropped} messages were too many and not shown")
        } else {
            String::new()
        };
        let watched = WATCHABLE.as_secs_f64() * finish.cycle as f64 / world.rules().cycles_per_turn as f64;
        format!(
            "{who}, ended by {} after {} turns ({} cycles); seed {}; {:.3} s, {:.0} times as fast as at {} s a turn{dropped}",
            finish.termination,
            finish.turns,
            finish.cycle,
            self.setup.seed,
            self.wall.as_secs_f64(),
            watched / self.wall.as_secs_f64().max(1e-9),
            WATCHABLE.as_secs_f64(),
        )
    }
}
