#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "figures are what it is for")]
//! Benchmark of questions to a match: `cargo bench -p grandstand-insight`. One core, 1,000,000 cycles: of the shipped bots,
//! and of 256 robots that fill the memory of both teams. Times are processor times.

use std::fs;
use std::time::Duration;

use cpu_time::ThreadTime;
use grandstand_insight::{Direction, Insight, Logpoint, Moment, Target};
use grandstand_languages::view::CellView;
use grandstand_languages::{MemoryFiles, Program, rcl};
use grandstand_matches::MatchSpec as _;
use grandstand_matches::machine::{GameWorld, Player, ProgramMatch, Settings};
use grandstand_matches::programs::{load_shipped, shipped};
use grandstand_protocol::Micros;
use grandstand_protocol::shark::Map;
use grandstand_replays::{Header, Writer, zst};
use grandstand_rules::{abalone, shark};

const CYCLES: u64 = 1_000_000;
const QUESTIONS: u64 = 1_000;
/// Of a match with full heaps, whose answers take longer.
const FEW: u64 = 100;

fn main() {
    let rules = abalone::Rules { game_length: CYCLES, winning_score: 60, ..abalone::Rules::default() };
    ask::<abalone::World>(rules, "team", ship::<abalone::World>("team"), ("team.cl", "1"), QUESTIONS);
    let rules = shark::Rules { game_length: CYCLES, ..shark::Rules::default() };
    ask::<shark::World>(rules, "shark", ship::<shark::World>("shark"), ("shark.rcl", "1"), QUESTIONS);
    ask::<shark::World>(many_robots(), "dense", dense(), ("dense.rcl", "so_far"), FEW);
    recorded::<abalone::World>(["team", "team"]);
    recorded::<abalone::World>(["team", "simple_bot"]);
    recorded::<shark::World>(["shark", "shark"]);
}

fn ship<W: GameWorld>(name: &str) -> Player {
    load_shipped(W::GAME, name).unwrap().map(Program::into).unwrap()
}

/// A program that fills its team's memory.
fn dense() -> Player {
    let files = MemoryFiles::new()
        .with("dense.rcl", include_str!("dense.rcl"))
        .with("shark/constants.rch", shipped("shark/constants.rch").unwrap());
    rcl::load("dense.rcl", &files).unwrap().into()
}

/// Rules by which both teams have 128 robots after 100,000 steps: spawn credits on every second free tile, and short
/// moves that hurt nobody.
fn many_robots() -> shark::Rules {
    let rules = shark::Rules::default();
    let rich = |(y, row): (usize, String)| {
        let tile = |(x, tile)| if tile == '.' && (x + y) % 2 == 0 { 'i' } else { tile };
        row.chars().enumerate().map(tile).collect::<String>()
    };
    let map = Map::from_rows(rules.map.rows().enumerate().map(rich)).unwrap();
    shark::Rules {
        map,
        game_length: CYCLES,
        winning_score: 1_000,
        spawn_credits: 1_000,
        item_delay: 1,
        melee_damage: 0,
        at_move: 100,
        at_face: 50,
        ..rules
    }
}

/// Plays matches recorded in memory, without the bots' requests and with them, and compares time and size (plain and
/// compressed).
fn recorded<W: GameWorld>(names: [&str; 2]) {
    let players = names.map(ship::<W>);
    let record = |seed: u64, asked: bool| {
        let spec = ProgramMatch::<W> { settings: Settings::default(), seed, players: players.clone() };
        let header = Header::new(W::GAME, spec.header(None));
        let began = ThreadTime::now();
        let mut running = spec.start().unwrap();
        if asked {
            running.keep_bot_requests();
        }
        let mut writer = Writer::new(Vec::new(), &header).unwrap();
        loop {
            if let Some(asked) = running.drain_bot_requests() {
                writer.bot_requests(Micros(0), &asked).unwrap();
            }
            for command in running.drain_commands() {
                writer.command(Micros(command.tick), &command.command).unwrap();
            }
            if running.ending().is_some() {
                break;
            }
            running.advance();
        }
        let file = writer.into_inner();
        let took = began.elapsed();
        let mut compressed = Vec::new();
        zst::compress(file.as_slice(), &mut compressed).unwrap();
        (took, file.len(), compressed.len())
    };
    let mut sums = [(Duration::ZERO, 0, 0); 2];
    for seed in 0..40 {
        // Alternately, so that a busy machine slows both alike.
        for (sum, asked) in sums.iter_mut().zip([false, true]) {
            let (took, plain, compressed) = record(seed, asked);
            *sum = (sum.0 + took, sum.1 + plain, sum.2 + compressed);
        }
    }
    let [without, with] = sums;
    println!("{}, {} against {}, recorded with what bots asked for", W::GAME, names[0], names[1]);
    let times = |what: &str, with: f64, without: f64| println!("  {what:<60} {:>9.3} times", with / without);
    times("time to play and record", with.0.as_secs_f64(), without.0.as_secs_f64());
    times("size", with.1 as f64, without.1 as f64);
    times("size, compressed", with.2 as f64, without.2 as f64);
}

/// A match of a program against itself.
fn ask<W: GameWorld>(
    rules: W::Rules,
    name: &str,
    player: Player,
    (file, expression): (&str, &str),
    questions: u64,
) {
    let settings = Settings { rules, ..Settings::default() };
    let spec = ProgramMatch::<W> { settings, seed: 7, players: [player.clone(), player] };
    let header = spec.header(None);
    let before = resident();

    let began = ThreadTime::now();
    let mut plain = spec.start().unwrap();
    grandstand_matches::play_out(&mut *plain);
    let played = began.elapsed();
    drop(plain);

    let began = ThreadTime::now();
    let mut insight = Insight::of_header(W::GAME, &header).unwrap();
    insight.play_out();
    let end = insight.ending().unwrap().tick;
    let bots = insight.bots();
    // The first bot alive in the middle of the match.
    bots.iter().find_map(|bot| insight.at(Moment::end_of(end / 2), bot.bot).ok()).unwrap();
    let first = began.elapsed();
    println!("{}, {name} against itself, {end} cycles, {} bots", W::GAME, bots.len());
    figure("played, nothing kept", played);
    figure("from opening to the first answer", first);

    // Pseudo-random cycles and bots from a fixed seed.
    let mut times: Vec<Duration> = Vec::new();
    let mut mixed = 1_u64;
    while (times.len() as u64) < questions {
        mixed = mixed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bot = &bots[(mixed >> 40) as usize % bots.len()];
        let gone = bot.gone.as_ref().map_or(end, |entry| entry.cycle);
        let cycle = bot.born + 1 + (mixed >> 20) % (gone.saturating_sub(bot.born + 1)).max(1);
        let began = ThreadTime::now();
        if insight.at(Moment::end_of(cycle), bot.bot).is_ok() {
            times.push(began.elapsed());
        }
    }
    times.sort();
    figure("any cycle and bot, with the last writes of its cells, p50", times[times.len() / 2]);
    figure("the same, p99", times[times.len() * 99 / 100]);
    println!("  {:<60} {:>9.1} MiB", "memory", (resident() - before) as f64 / 1024.0);
    last_writes(&mut insight, end);

    // The line that is reached most often.
    let line = busiest(&mut insight, end);
    let prints = Logpoint::parse(&format!("{file}:{line}: {expression}")).unwrap();
    let began = ThreadTime::now();
    let count = insight.logpoint_hits(&prints, 100_000).map_or(0, |(_, count)| count);
    figure(&format!("an expression printed {count} times, at {file}:{line}"), began.elapsed());
}

/// Prints the longest search for the last write of a cell, from the last moment at which one has a name.
fn last_writes(insight: &mut Insight, end: u64) {
    let bots = insight.bots();
    let moments = (1..end).rev().step_by(97).flat_map(|cycle| bots.iter().map(move |bot| (cycle, bot.bot)));
    let mut named = moments.filter_map(|(cycle, bot)| {
        let view = insight.at(Moment::end_of(cycle), bot).ok()?;
        let is_named = |cell: &&CellView| cell.written.is_some() && !cell.names.is_empty();
        let names: Vec<String> =
            view.cells.iter().filter(is_named).map(|cell| cell.names[0].clone()).collect();
        (!names.is_empty()).then_some((view.moment, view.side, names))
    });
    let Some((from, side, names)) = named.next() else { return };
    let mut longest = Duration::ZERO;
    let mut found = 0;
    for cell in names {
        let began = ThreadTime::now();
        let write = insight.seek(from, Target::Write { side, cell }, Direction::Backward).unwrap();
        longest = longest.max(began.elapsed());
        found += u32::from(write.is_some());
    }
    figure(&format!("the last write of a cell before the end, the longest of {found}"), longest);
}

/// The line at which bots are found most often.
fn busiest(insight: &mut Insight, end: u64) -> u32 {
    let mut lines = std::collections::BTreeMap::<u32, u32>::new();
    let bots = insight.bots();
    for cycle in (1..end).step_by(20_011) {
        for bot in &bots {
            if let Ok(view) = insight.at(Moment::end_of(cycle), bot.bot)
                && let Some(call) = view.thread.calls.last()
            {
                *lines.entry(call.place.line).or_default() += 1;
            }
        }
    }
    lines.into_iter().max_by_key(|(_, count)| *count).map_or(1, |(line, _)| line)
}

fn figure(what: &str, took: Duration) {
    println!("  {what:<60} {:>9.2} ms", took.as_secs_f64() * 1e3);
}

/// Resident memory of this process in KiB; 0 where the system doesn't tell it.
fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok()).unwrap_or(0)
}
