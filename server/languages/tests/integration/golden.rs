//! The programs of `tests/golden`. The first comment of each has its expected result: `value: V` or `error: WHERE:
//! WHY` (its beginning), and `steps: N`. `GRANDSTAND_BLESS=1` prints the present results instead.

use std::path::Path;

use grandstand_languages::{
    Cause, End, Limits, Machine, MemoryFiles, Mode, NoWorld, Pid, Program, load, reference_engine,
};

/// The limits that the programs were written for; later defaults do not affect them.
fn limits() -> Limits {
    Limits { depth: 50_000, ..Limits::default() }
}

fn expected<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let comment = text.split("*)").next().unwrap_or_default();
    comment.lines().find_map(|line| line.trim_start_matches(['(', '*', ' ']).strip_prefix(key)).map(str::trim)
}

fn program(name: &str, text: &str) -> Program {
    load(name, &MemoryFiles::new().with(name, text)).unwrap_or_else(|error| panic!("{error}"))
}

/// The end of the first thread.
fn ends(name: &str, text: &str, mode: Mode) -> End {
    let mut machine = Machine::new(limits(), 0);
    machine.set_mode(mode);
    let program = program(name, text);
    let team = machine.add_team(&program);
    machine.start(team);
    let mut world = NoWorld::default();
    while machine.is_live(Pid(1)) && machine.cycle() < 10_000_000 {
        machine.run(machine.cycle() + 4000, &mut world);
    }
    world.ends.into_iter().find(|(_, pid, _)| *pid == Pid(1)).expect("the first thread ends").2
}

fn reference_ends(name: &str, text: &str) -> End {
    let program = program(name, text);
    let mut machine = reference_engine::Machine::new(limits(), 0);
    let team = machine.add_team(&program);
    machine.start(team);
    let mut world = NoWorld::default();
    machine.run(1_000_000, &mut world);
    world.ends.into_iter().find(|(_, pid, _)| *pid == Pid(1)).expect("the first thread ends").2
}

/// The end of the first thread, if the machine is replaced by a snapshot of itself after every cycle.
fn snapshots_end(name: &str, text: &str) -> End {
    let mut machine = Machine::new(limits(), 0);
    let team = machine.add_team(&program(name, text));
    machine.start(team);
    let mut world = NoWorld::default();
    while machine.is_live(Pid(1)) {
        machine.run(machine.cycle() + 1, &mut world);
        machine = machine.snapshot().restore();
    }
    world.ends.into_iter().find(|(_, pid, _)| *pid == Pid(1)).expect("the first thread ends").2
}

#[test]
fn programs_come_to_what_they_say() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut count = 0;
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let end = ends(&name, &text, Mode::RunAhead);
        assert_eq!(end, ends(&name, &text, Mode::Lockstep), "{name}");
        if std::env::var_os("GRANDSTAND_BLESS").is_some() {
            println!("{name}: {end} steps: {}", end.steps);
            continue;
        }
        match (&end.cause, expected(&text, "value:"), expected(&text, "error:")) {
            (Cause::Value(value), Some(expected), None) => assert_eq!(value.to_string(), expected, "{name}"),
            (Cause::Stuck { .. } | Cause::Limit { .. }, None, Some(expected)) => {
                assert!(end.to_string().starts_with(expected), "{name}: {end}");
            }
            _ => panic!("{name}: {end}"),
        }
        if end.steps < 10_000 {
            assert_eq!(end, reference_ends(&name, &text), "{name}");
            assert_eq!(end, snapshots_end(&name, &text), "{name}");
        }
        let steps: u64 = expected(&text, "steps:").expect("steps").parse().expect("a number");
        assert_eq!(end.steps, steps, "{name}");
        count += 1;
    }
    assert!(count >= 20 || std::env::var_os("GRANDSTAND_BLESS").is_some(), "{count} programs");
}

#[test]
fn the_reference_engine_makes_the_steps_of_fib_27() {
    let text = include_str!("../golden/fib27.cl");
    // The engine that defines a step runs smaller arguments; the formula for 27 follows from them.
    let steps = |n: u64| reference_ends("fib.cl", &text.replace("fib 27", &format!("fib {n}"))).steps;
    let all: Vec<u64> = (0..15).map(steps).collect();
    // `rec` and `let` are two steps; a call of n > 1 makes 8 of its own and those of both calls in it.
    let mut expected = vec![5, 5];
    while expected.len() < 28 {
        let n = expected.len();
        expected.push(expected[n - 1] + expected[n - 2] - 2 * 2 + 8 + 2);
    }
    assert_eq!(all, expected[..15]);
    assert_eq!(expected[27], 3_495_915);
    assert_eq!(ends("fib27.cl", text, Mode::RunAhead).steps, expected[27]);
}
