//! Whole matches, headless: their speed relative to a watchable pace (a turn of Abalone in 0.3 s, a match of λ-Shark in
//! the seven minutes of the original).
//!
//! `cargo bench -p grandstand --bench match`
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and has nobody to report to"
)]

use std::path::Path;
use std::time::{Duration, Instant};

use grandstand_languages::{MemoryFiles, Program, cl, rcl};
use grandstand_matches::RunningMatch as _;
use grandstand_matches::machine::{ProgramMatch, Runner, Settings};
use grandstand_matches::programs;
use grandstand_players::program_files;
use grandstand_protocol::Game;
use grandstand_rules::abalone::{Rules, World};
use grandstand_rules::shark;

const TURN_SECS: f64 = 0.3;
/// Thinks all the time: looks in every direction before every move, and never waits.
const RESTLESS: &str = "
    let sum = rec sum in fn line => fn at => if line[at] = 4 then at else line[at] + sum line (at + 1) in
    let best = rec best in fn at => fn found => fn value =>
      if at = 7 then found else
      let seen = sum (do (5, at)) 0 in
      if seen > value then best (at + 1) at seen else best (at + 1) found value in
    let wander = rec wander in fn u => do (7, if rand 3 then best 1 1 0 else 1 + rand 6); wander u in
    let live = rec live in fn u => (rec grow in if spawn (live u) then grow else 0); wander u in
    live 0";
/// Waits for its turn, and moves at random.
const WAITING: &str = "
    let wander = rec wander in fn u => do (7, 1 + rand 6); do 9; wander u in
    let live = rec live in fn u => (rec grow in if spawn (live u) then grow else 0); wander u in
    live 0";

/// Plays a match to its end, with all of its commands; returns its cycles.
fn play(setup: &ProgramMatch<World>) -> u64 {
    let mut runner = Runner::new(setup).unwrap();
    let mut commands = 0;
    loop {
        commands += runner.drain_commands().len();
        if let Some(finish) = runner.world().finish() {
            assert!(commands > 64);
            return finish.cycle;
        }
        runner.advance();
    }
}

fn measure(name: &str, black: &Program, white: &Program) {
    let (mut cycles, mut turns, mut wall, mut matches) = (0, 0.0, Duration::ZERO, 0);
    while wall < Duration::from_secs(2) || matches < 3 {
        let settings = Settings::<Rules>::default();
        let cycles_per_turn = settings.rules.cycles_per_turn as f64;
        let setup =
            ProgramMatch { settings, seed: matches, players: [black.clone().into(), white.clone().into()] };
        let began = Instant::now();
        let played = play(&setup);
        wall += began.elapsed();
        cycles += played;
        turns += played as f64 / cycles_per_turn;
        matches += 1;
    }
    let secs = wall.as_secs_f64();
    println!(
        "{name:24} {matches:5} matches  {:8.1} turns a match  {:9.1} us a turn  {:7.1} M cycles/s  {:8.0} x real time",
        turns / matches as f64,
        1e6 * secs / turns,
        cycles as f64 / secs / 1e6,
        turns * TURN_SECS / secs,
    );
}

/// Robots of λ-Shark that compute in every step, and use actions without delay: once they have left the spawn point
/// they never wait.
const SHARK_RESTLESS: &str = "
    let sum = fn self => fn l => split l of fn h => fn t => h + self self t else 0 in
    let look = fn self => fn n => if n = 0 then 0 else
      (split do (A_LOOK, 1 + rand 4) of fn d => fn o => if o = O_OPPONENT then d else o else 0) + self self (n - 1) in
    let live = fn self => fn parent =>
      look look 4 + sum sum [1, 2, 3, 4, 5, 6, 7, 8] + sum sum (do A_FLAGPOS); self self parent in
    let leave = fn self => fn n => if do A_MOVE then 0 else (do (A_FACE, 1 + rand 4); self self n) in
    let start = fn parent => (leave leave 0; live live parent) in
    let grow = fn self => fn n => if n = 0 then start 0 else if spawn start then self self (n - 1) else self self n in
    grow grow 4";
/// Robots of λ-Shark that walk at random, and wait after each move and each turn.
const SHARK_WAITING: &str = "
    let walk = fn self => fn n => if n = 0 then 0 else if do A_MOVE then self self (n - 1) else 0 in
    let live = fn self => fn parent => do [A_FACE, 1 + rand 4]; walk walk (1 + rand 8); self self parent in
    let leave = fn self => fn n => if do A_MOVE then 0 else (do (A_FACE, 1 + rand 4); self self n) in
    let start = fn parent => (leave leave 0; live live parent) in
    let grow = fn self => fn n => if n = 0 then start 0 else if spawn start then self self (n - 1) else self self n in
    grow grow 4";

/// Plays all 10,000,000 steps, with five robots a side that are never destroyed, from this number of spawn credits.
fn measure_shark(name: &str, spawn_credits: u32, red: &Program, blue: &Program) {
    let calm = shark::Rules {
        spawn_credits,
        winning_score: 1_000,
        item_delay: 1_000_000_000,
        melee_damage: 0,
        laser_damage: 0,
        ..shark::Rules::default()
    };
    let settings = Settings { rules: calm, ..Settings::default() };
    let setup = ProgramMatch { settings, seed: 1, players: [red.clone().into(), blue.clone().into()] };
    let began = Instant::now();
    let mut runner = Runner::<shark::World>::new(&setup).unwrap();
    let mut commands = 0;
    while runner.ending().is_none() {
        runner.advance();
        commands += runner.drain_commands().len();
    }
    let secs = began.elapsed().as_secs_f64();
    let world = runner.world();
    assert_eq!((world.bots().len(), world.finish().unwrap().step), (10, 10_000_000));
    println!(
        "{name:24} 10 robots, 10,000,000 steps  {secs:8.3} s  {:8.1} M robot steps/s  {commands} commands  {:8.0} x real time",
        100.0 / secs,
        420.0 / secs,
    );
}

fn main() {
    let constants = programs::shipped("shark/constants.rch").unwrap();
    let [never, always] = [SHARK_RESTLESS, SHARK_WAITING].map(|text| {
        let text = format!("#include shark/constants.rch\n{text}");
        let files = MemoryFiles::new().with("bench.rcl", text).with("shark/constants.rch", constants);
        rcl::load("bench.rcl", &files).unwrap()
    });
    measure_shark("shark: walk and wait", 4, &always, &always);
    measure_shark("shark: never wait", 4, &never, &never);
    // Two of the robots that they spawn are scouts, which leave.
    let sharks = program_files::load(Game::Shark, "shark", Path::new(".")).unwrap();
    measure_shark("shark: sharks", 6, &sharks, &sharks);
    let [restless, waiting] = [RESTLESS, WAITING].map(|text| cl::parse("bench.cl", text).unwrap());
    measure("waiting - waiting", &waiting, &waiting);
    measure("restless - waiting", &restless, &waiting);
    measure("restless - restless", &restless, &restless);
    // The shipped teams, if they are in the workspace's directory.
    let directory = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shipped = ["team", "simple_bot"].map(|name| {
        let file = directory.join(format!("bots/abalone/{name}.cl"));
        file.exists().then(|| program_files::load(Game::Abalone, &file.to_string_lossy(), directory).unwrap())
    });
    if let [Some(team), Some(simple)] = &shipped {
        measure("team - simple_bot", team, simple);
        measure("team - team", team, team);
    }
}
