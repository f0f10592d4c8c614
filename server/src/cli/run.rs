//! `grandstand run`: a program by itself, its value and its steps.

use std::path::Path;
use std::process::ExitCode;

use grandstand_languages::{self as languages, Answer, Cause, Datum, End, Limits, Machine, Pid, World};
use serde_json::{Value, json};

use super::{print, print_json};
use crate::programs::ProgramFiles;

/// Runs a program by itself and prints its value and its steps.
///
/// The threads that it spawns run along. What they are stuck with goes to standard error. There is no game: `do` is stuck.
#[derive(Debug, clap::Args)]
pub struct RunArgs {
    /// The program, in RCL if its name ends in `.rcl`, otherwise in CL. Its includes are relative to the working directory; the shipped
    /// library comes after that.
    file: String,
    /// Give up after so many clock cycles (a program of n steps takes n + 1).
    #[arg(long, value_name = "N", default_value_t = 10_000_000_000)]
    steps: u64,
    /// Seeds `rand`.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Print one JSON object: `value`, or `error` with `place` (`file`, `line`, `column`); `steps`, `cycles`, `threads`.
    #[arg(long)]
    json: bool,
}

/// The cycles between two looks at whether the program has ended.
const SLICE: u64 = 1 << 16;

/// Runs the program. Status 0 when its first thread ends with a value, 1 when it is stuck or does not end in time, or when the
/// program does not load.
pub fn run(args: &RunArgs) -> anyhow::Result<ExitCode> {
    let program = match languages::load(&args.file, &ProgramFiles::new(&args.file, Path::new("."))) {
        Ok(program) => program,
        Err(error @ languages::LoadError::File { .. }) => return Err(error.into()),
        Err(error) => {
            if args.json {
                print_json(&json!({ "error": error.to_string() }).to_string())?;
            }
            tell!("{error}");
            return Ok(ExitCode::from(1));
        }
    };
    let mut machine = Machine::new(Limits::default(), args.seed);
    let team = machine.add_team(&program);
    let root = machine.start(team);
    let mut alone = Alone { root, end: None, last: 0, threads: 1 };
    while machine.cycle() < args.steps && !machine.live().is_empty() {
        let until = machine.cycle().saturating_add(SLICE).min(args.steps);
        machine.run(until, &mut alone);
        if machine.cycle() == until && machine.all_wait() {
            break;
        }
    }
    report(args, &alone)
}

fn report(args: &RunArgs, alone: &Alone) -> anyhow::Result<ExitCode> {
    let Some(end) = &alone.end else {
        let error = format!("the first thread has not ended after {} cycles, or waits forever", args.steps);
        if args.json {
            print_json(&json!({ "error": error, "threads": alone.threads }).to_string())?;
        }
        tell!("{}: {error}", args.file);
        return Ok(ExitCode::from(1));
    };
    if args.json {
        print_json(&to_json(end, alone).to_string())?;
    }
    match &end.cause {
        Cause::Value(value) => {
            if !args.json {
                print(&format!("{value}\n{} steps", end.steps))?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Cause::Stuck { .. } | Cause::Limit { .. } => {
            tell!("{end}\n(after {} steps)", end.steps);
            Ok(ExitCode::from(1))
        }
    }
}

fn to_json(end: &End, alone: &Alone) -> Value {
    let mut object = json!({ "steps": end.steps, "cycles": alone.last, "threads": alone.threads });
    match &end.cause {
        Cause::Value(value) => object["value"] = datum(value),
        Cause::Stuck { place, .. } | Cause::Limit { place, .. } => {
            object["error"] = json!(end.to_string());
            object["place"] = json!({ "file": place.file, "line": place.line, "column": place.column });
        }
    }
    object
}

/// Integers as numbers, arrays as arrays, functions and cells as null. Pairs are objects: `pairs` holds what they hold along their right halves.
fn datum(value: &Datum) -> Value {
    match value {
        Datum::Int(value) => json!(value),
        Datum::Array(elements) => elements.iter().map(datum).collect(),
        Datum::Pair(parts) => json!({ "pairs": parts.iter().map(datum).collect::<Value>() }),
        Datum::Opaque => Value::Null,
    }
}

/// A world without a game.
struct Alone {
    root: Pid,
    end: Option<End>,
    /// The cycle in which the first thread ended.
    last: u64,
    threads: u64,
}

impl World for Alone {
    fn act(&mut self, _cycle: u64, _pid: Pid, _request: &Datum) -> Answer {
        Answer::Stuck("`do` needs a game, and `run` runs a program by itself".to_owned())
    }

    fn spawn(&mut self, _cycle: u64, _parent: Pid, _child: Pid) -> bool {
        self.threads += 1;
        true
    }

    fn ended(&mut self, cycle: u64, pid: Pid, end: &End) {
        if pid == self.root {
            self.end = Some(end.clone());
            self.last = cycle;
        } else if !matches!(end.cause, Cause::Value(_)) {
            tell!("thread {pid}: {end}");
        }
    }
}
