#![allow(clippy::print_stdout, reason = "figures are what it is for")]
//! Benchmark of the machine: `cargo bench -p grandstand-languages` prints reductions per second on one core.

use std::process::Command;
use std::time::Instant;

use grandstand_languages::{Datum, Language, Limits, Machine, MemoryFiles, Mode, NoWorld, Pid, Program};

const FIB: &str = "let fib = rec fib in fn n => if n < 2 then n else fib (n - 1) + fib (n - 2) in";
const LOOP: &str = "(rec loop in fn i => fn sum => if i = 0 then sum else loop (i - 1) (sum + i))";
const CLOSURES: &str = "let compose = fn f => fn g => fn x => f (g x) in
    let add = fn a => fn b => a + b in
    (rec loop in fn i => fn sum => if i = 0 then sum else loop (i - 1) (compose (add i) (add 1) sum))";
const RCL_FIB: &str =
    "let fib = fn fib => fn n => if n < 2 then n else fib fib (n - 1) + fib fib (n - 2) in fib fib 32";
const RCL_LOOP: &str = "let loop = fn loop => fn i => fn sum => if i = 0 then sum else loop loop (i - 1) (sum + i) in loop loop 20000000 0";
const RCL_LISTS: &str = "let from = fn self => fn n => fn l => if n = 0 then l else self self (n - 1) (n, l) in
    let foldl = fn self => fn f => fn acc => fn l => split l of fn h => fn t => self self f (f h acc) t else acc in
    let numbers = from from 1000 [] in
    let again = fn self => fn n => fn sum => if n = 0 then sum else self self (n - 1) (foldl foldl (fn x => fn acc => acc + x) 0 numbers) in
    again again 10000 0";
const SUM: &str = "#include arrays.ch
    let fill = rec fill in fn i => fn a => if i = 0 then a else fill (i - 1) (a[i - 1 := i]) in
    let numbers = fill 100000 () in
    (rec again in fn n => fn sum => if n = 0 then sum else again (n - 1) (foldl (fn x => fn acc => acc + x) 0 numbers 100000))";

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let wants = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| name.contains(wanted.as_str()));
    println!("{:<44} {:>14} {:>12}", "one core", "reductions", "millions/s");
    for (name, text) in [
        ("fib", format!("{FIB} fib 32")),
        ("tail-recursive loop", format!("{LOOP} 20000000 0")),
        ("closures", format!("{CLOSURES} 3000000 0")),
        ("fold over 100,000", format!("{SUM} 40 0")),
        ("Fib in RCL", RCL_FIB.to_owned()),
        ("Tail calls in RCL", RCL_LOOP.to_owned()),
        ("A list of 1,000 in RCL", RCL_LISTS.to_owned()),
    ] {
        if wants(name) {
            let language = if name.ends_with("RCL") { Language::Rcl } else { Language::Cl };
            alone(name, &load(language, &text));
        }
    }
    for (name, mode, snapshots) in [
        ("28 mixed threads, one step each in turn", Mode::Lockstep, false),
        ("28 mixed threads, run ahead", Mode::RunAhead, false),
        ("28 mixed threads, run ahead, snapshots", Mode::RunAhead, true),
    ] {
        if wants(name) {
            mixed(name, mode, snapshots);
        }
    }
    if wants("lua") {
        fib27_beside_lua();
    }
}

fn load(language: Language, text: &str) -> Program {
    let files = MemoryFiles::new()
        .with("bench", text)
        .with("arrays.ch", include_str!("../../bots/abalone/arrays.ch"))
        .with("barrier.ch", include_str!("../../bots/abalone/barrier.ch"));
    language.load("bench", &files).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs a program alone; returns its value, its steps and the seconds that it took.
fn run(program: &Program) -> (String, u64, f64) {
    let limits = Limits { words: 1 << 23, ..Limits::default() };
    let mut machine = Machine::new(limits, 0);
    let team = machine.add_team(program);
    machine.start(team);
    let mut world = NoWorld::default();
    let start = Instant::now();
    while machine.is_live(Pid(1)) {
        machine.run(machine.cycle() + (1 << 16), &mut world);
    }
    let seconds = start.elapsed().as_secs_f64();
    let end = &world.ends[0].2;
    (end.to_string(), end.steps, seconds)
}

/// The best of three runs.
fn alone(name: &str, program: &Program) {
    let (_, steps, seconds) =
        (0..3).map(|_| run(program)).min_by(|a, b| a.2.total_cmp(&b.2)).expect("three runs");
    figure(name, steps, seconds);
}

fn figure(name: &str, reductions: u64, seconds: f64) {
    println!("{name:<44} {reductions:>14} {:>12.0}", reductions as f64 / seconds / 1e6);
}

/// The programs of the mixed threads. None of them ends; they share a cell and a lock now and then.
fn mixed_text() -> String {
    format!(
        "#include arrays.ch
        {FIB}
        let add = fn a => fn b => a + b in
        let shared = gref 0 in
        let forever = rec forever in fn f => (f 0; forever f) in
        let numbers = (3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4) in
        let work = fn kind =>
          if kind = 0 then forever (fn x => fib 12)
          else if kind = 1 then forever (fn x => {LOOP} 300 0)
          else if kind = 2 then forever (fn x => foldl (fn x => fn acc => acc + x) 0 numbers 20)
          else if kind = 3 then forever (fn x => map (fn x => x * x) numbers 20)
          else if kind = 4 then forever (fn x => foldl add 0 (append numbers numbers 20 20) 40)
          else if kind = 5 then forever (fn x => (acquire shared; shared := (!shared + 1) mod 1000; release shared; fib 8))
          else forever (fn x => let cell = lref 0 in
            (rec count in if !cell = 100 then 0 else (cell := !cell + 1; count)))
        in
        let start = rec start in fn n => if n = 13 then work (n mod 7) else (spawn (work (n mod 7)); start (n + 1)) in
        start 0"
    )
}

fn mixed(name: &str, mode: Mode, snapshots: bool) {
    const CYCLES: u64 = 2_000_000;
    let program = load(Language::Cl, &mixed_text());
    let mut best = f64::INFINITY;
    let mut reductions = 0;
    for _ in 0..3 {
        let mut machine = Machine::new(Limits::default(), 0);
        machine.set_mode(mode);
        for _ in 0..2 {
            let team = machine.add_team(&program);
            machine.start(team);
        }
        let mut world = NoWorld::default();
        machine.run(65_536, &mut world);
        assert_eq!(machine.live().len(), 28, "{:?}", world.ends);
        let before: u64 = steps(&machine);
        let start = Instant::now();
        let mut kept = Vec::new();
        while machine.cycle() < CYCLES {
            machine.run(machine.cycle() + 65_536, &mut world);
            if snapshots {
                kept.push(machine.snapshot());
            }
        }
        best = best.min(start.elapsed().as_secs_f64());
        reductions = steps(&machine) - before;
    }
    figure(name, reductions, best);
}

/// The reductions of all threads.
fn steps(machine: &Machine) -> u64 {
    machine.live().into_iter().filter_map(|pid| machine.steps(pid)).sum()
}

fn fib27_beside_lua() {
    let program = load(Language::Cl, &format!("{FIB} fib 27"));
    let (value, steps, seconds) =
        (0..10).map(|_| run(&program)).min_by(|a, b| a.2.total_cmp(&b.2)).expect("ten runs");
    assert_eq!(value, Datum::Int(196_418).to_string());
    println!("fib 27, {steps} reductions: {:.2} ms", seconds * 1e3);
    let script = "local function fib(n) if n < 2 then return n else return fib(n - 1) + fib(n - 2) end end
        local best = math.huge
        for _ = 1, 10 do
            local start = os.clock()
            assert(fib(27) == 196418)
            best = math.min(best, os.clock() - start)
        end
        print(string.format('fib 27, Lua 5.4: %.2f ms', best * 1e3))";
    match Command::new("lua5.4").args(["-e", script]).output() {
        Ok(output) => print!("{}", String::from_utf8_lossy(&output.stdout)),
        Err(_) => println!("fib 27, Lua 5.4: not installed (lua5.4), skipped"),
    }
}
