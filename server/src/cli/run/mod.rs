//! `grandstand run`: runs a program without a match.

pub(crate) mod script;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use grandstand_languages::source::Sources;
use grandstand_languages::{
    self as languages, Answer, Cause, Datum, End, Language, LockWait, Machine, Pid, Span, World,
};
use grandstand_matches::machine::read_limits;
use grandstand_matches::settings::read_setting;
use grandstand_players::program_files::ProgramFiles;
use serde_json::{Map, Value, json};

use self::script::{Reply, Script};
use super::{print, print_json};

/// Run a program by itself and print the value of its first thread and its steps.
///
/// Threads that it spawns run too; where and why they get stuck goes to standard error, once per place. There is no
/// game: a thread is stuck at `do`, unless --actions answers it.
#[derive(Debug, clap::Args)]
pub struct RunArgs {
    /// The program, in RCL if its name ends in `.rcl`, otherwise in CL. Its includes are relative to the working directory; the shipped
    /// library comes after that.
    file: String,
    /// Wait for the other threads too; otherwise the run ends with the first one.
    #[arg(long)]
    all: bool,
    /// Maximum number of clock cycles (a program of n steps takes n + 1).
    #[arg(long, value_name = "N", default_value_t = 10_000_000_000)]
    steps: u64,
    /// Set a limit of programs, by its name in matches: TEAM_WORDS, TEAM_THREADS, ARRAY_ELEMENTS, CALL_DEPTH
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = read_setting)]
    limits: Vec<(String, Value)>,
    /// A script that answers the program's actions, to try its logic without a match: lines such as `A_LOOK 3 = (1,
    /// 4)`, `* A_SCAN = 0` or `A_WAITMYTURN stop`; server/bots/README.md describes it. Every action is printed on
    /// standard error
    #[arg(long, value_name = "FILE")]
    actions: Option<PathBuf>,
    /// Seed of `rand`.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Print one JSON object: `value`, or `error` with `place` (`file`, `line`, `column`); `steps`, `cycles`, `threads`; `others`, what other threads
    /// were stuck with, with `threads`, how many; `waiting`, who waits for which lock, and `deadlock`; with --actions `actions`, each with `thread`, `action`,
    /// `answer` and `place`, `unused`, the lines of the script that answered nothing, and `stopped`.
    #[arg(long)]
    json: bool,
}

/// Number of cycles between two checks whether the program has ended.
const SLICE: u64 = 1 << 16;

/// Runs the program. Status 0 if its first thread ends with a value, 1 if it is stuck or does not end in time, or if
/// the program does not load.
///
/// # Errors
/// If a limit is invalid, the file can't be read, or standard output can't be written.
pub fn run(args: &RunArgs) -> anyhow::Result<ExitCode> {
    let limits = read_limits(args.limits.iter().cloned().collect::<Map<_, _>>())?;
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
    for warning in program.warnings() {
        tell!("{warning}");
    }
    let mut machine = Machine::new(limits, args.seed);
    let team = machine.add_team(&program);
    let root = machine.start(team);
    let language = Language::of(&args.file).unwrap_or(Language::Cl);
    let script = args.actions.as_deref().map(|file| Script::read(file, language)).transpose()?;
    let mut alone = NoGameWorld::new(root, args.all, program.sources().clone());
    (alone.script, alone.quiet) = (script, args.json);
    while machine.cycle() < args.steps && !machine.live().is_empty() && !alone.is_over() {
        let until = machine.cycle().saturating_add(SLICE).min(args.steps);
        machine.run(until, &mut alone);
        if machine.cycle() == until && machine.all_wait() {
            break;
        }
    }
    for (place, others) in alone.others.iter().filter(|(_, others)| others.threads > 1) {
        tell!("{} more threads ended at {place}", others.threads - 1);
    }
    report(args, &machine, &alone)
}

fn report(args: &RunArgs, machine: &Machine, alone: &NoGameWorld) -> anyhow::Result<ExitCode> {
    let waiting = if alone.is_over() { Vec::new() } else { machine.lock_waits() };
    let deadlock = waiting.iter().any(|wait| LockWait::circle(wait.pid, &waiting).is_some());
    let unused = alone.script.as_ref().map(Script::unused).unwrap_or_default();
    let mut object = json!({
        "threads": alone.threads,
        "others": alone.others.values().map(OtherThreads::to_json).collect::<Value>(),
        "waiting": waiting.iter().map(ToString::to_string).collect::<Value>(),
        "deadlock": deadlock,
    });
    if alone.script.is_some() {
        object["actions"] = Value::Array(alone.told.clone());
        object["unused"] = json!(unused);
        object["stopped"] = json!(alone.stopped.is_some());
    }
    let status = match &alone.end {
        None if alone.stopped.is_some() => ExitCode::SUCCESS,
        Some((_, End { cause: Cause::Value(value), .. })) => {
            object["value"] = datum(value);
            ExitCode::SUCCESS
        }
        Some((_, end)) => {
            object["error"] = json!(end.to_string());
            object["place"] = place(end).unwrap_or_default();
            ExitCode::from(1)
        }
        None => {
            object["error"] = json!(unfinished(machine, deadlock));
            ExitCode::from(1)
        }
    };
    if let Some((cycle, end)) = &alone.end {
        object["steps"] = json!(end.steps);
        object["cycles"] = json!(cycle);
    }
    if args.json {
        print_json(&object.to_string())?;
    }
    match &alone.end {
        None if let Some((cycle, action)) = &alone.stopped => {
            if !args.json {
                print(&format!("stopped at {action} in cycle {cycle}"))?;
            }
        }
        Some((_, End { cause: Cause::Value(value), steps })) if !args.json => {
            print(&format!("{value}\n{steps} steps"))?;
        }
        Some((_, End { cause: Cause::Value(_), .. })) => {}
        Some((_, end)) => tell!("{end}\n(after {} steps)", end.steps),
        None => tell!("{}: {}", args.file, unfinished(machine, deadlock)),
    }
    if args.all && alone.end.is_some() && !machine.live().is_empty() {
        let what = if deadlock { ": a deadlock" } else { "" };
        tell!(
            "{}: {} threads have not ended after {} cycles{what}",
            args.file,
            machine.live().len(),
            machine.cycle()
        );
    }
    for wait in &waiting {
        tell!("{wait}");
    }
    for line in unused.iter().filter(|_| !args.json) {
        tell!("{line}");
    }
    Ok(status)
}

/// Reason for which the first thread has not ended.
fn unfinished(machine: &Machine, deadlock: bool) -> String {
    match (machine.all_wait(), deadlock) {
        (true, true) => "no thread can go on, a deadlock".to_owned(),
        (true, false) => "no thread can go on".to_owned(),
        (false, true) => {
            format!(
                "the first thread has not ended after {} cycles, and there is a deadlock",
                machine.cycle()
            )
        }
        (false, false) => format!("the first thread has not ended after {} cycles", machine.cycle()),
    }
}

/// The place where a thread got stuck.
fn place(end: &End) -> Option<Value> {
    match &end.cause {
        Cause::Value(_) => None,
        Cause::Stuck { place, .. } | Cause::Limit { place, .. } => {
            Some(json!({ "file": place.file, "line": place.line, "column": place.column }))
        }
    }
}

/// A value as JSON: integers as numbers, arrays as arrays, functions and cells as null. A chain of pairs along the
/// right halves is one object: `pairs` lists its elements.
fn datum(value: &Datum) -> Value {
    match value {
        Datum::Int(value) => json!(value),
        Datum::Array(elements) => elements.iter().map(datum).collect(),
        Datum::Pair(parts) => json!({ "pairs": parts.iter().map(datum).collect::<Value>() }),
        Datum::Opaque => Value::Null,
    }
}

/// Threads other than the first that got stuck at the same place.
struct OtherThreads {
    /// The end of the first of these threads.
    end: End,
    threads: u64,
}

impl OtherThreads {
    fn to_json(&self) -> Value {
        json!({ "error": self.end.to_string(), "place": place(&self.end), "threads": self.threads })
    }
}

/// World without a game, in which at most a script answers actions.
struct NoGameWorld {
    script: Option<Script>,
    sources: Sources,
    /// Place of the action that is being performed.
    at: Span,
    /// Whether actions are collected for JSON instead of printed.
    quiet: bool,
    /// The actions as JSON.
    told: Vec<Value>,
    /// Cycle and action at which the script stopped the program.
    stopped: Option<(u64, String)>,
    root: Pid,
    /// Whether other threads are waited for after the first one has ended.
    all: bool,
    /// Cycle and end of the first thread.
    end: Option<(u64, End)>,
    threads: u64,
    /// Other stuck threads by their place.
    others: BTreeMap<String, OtherThreads>,
}

impl NoGameWorld {
    fn new(root: Pid, all: bool, sources: Sources) -> Self {
        Self {
            script: None,
            sources,
            at: Span::default(),
            quiet: false,
            told: Vec::new(),
            stopped: None,
            root,
            all,
            end: None,
            threads: 1,
            others: BTreeMap::new(),
        }
    }

    /// Whether later events are ignored.
    fn is_over(&self) -> bool {
        self.stopped.is_some() || self.end.is_some() && !self.all
    }
}

impl World for NoGameWorld {
    fn acts_at(&mut self, _: Pid, place: impl FnOnce() -> Span) {
        if self.script.is_some() {
            self.at = place();
        }
    }

    fn act(&mut self, cycle: u64, pid: Pid, request: &Datum) -> Answer {
        if self.is_over() {
            return Answer::Block;
        }
        let Some(script) = &mut self.script else {
            return Answer::Stuck(
                "`do` needs a game, and `run` runs a program by itself; --actions FILE answers for one"
                    .to_owned(),
            );
        };
        let action = script.words(request);
        let answer = match script.answer(&action) {
            Reply::Value(value) => value,
            Reply::Stop => {
                self.stopped = Some((cycle, action));
                return Answer::Block;
            }
            Reply::Nothing => return Answer::Stuck(format!("no line of {script} answers {action}")),
        };
        let place = self.sources.place(self.at);
        if self.quiet {
            self.told.push(json!({
                "thread": pid.0,
                "action": action,
                "answer": answer.to_string(),
                "place": { "file": place.file, "line": place.line, "column": place.column },
            }));
        } else {
            tell!("thread {pid}: {action} = {answer} ({place})");
        }
        Answer::Value(answer)
    }

    fn spawn(&mut self, _cycle: u64, _parent: Pid, _child: Pid) -> bool {
        let allowed = !self.is_over();
        self.threads += u64::from(allowed);
        allowed
    }

    fn ended(&mut self, cycle: u64, pid: Pid, end: &End) {
        if pid == self.root {
            self.end = Some((cycle, end.clone()));
            return;
        }
        let (Cause::Stuck { place, .. } | Cause::Limit { place, .. }) = &end.cause else { return };
        if self.is_over() {
            return;
        }
        if let Some(others) = self.others.get_mut(&place.to_string()) {
            others.threads += 1;
            return;
        }
        tell!("thread {pid}: {end}");
        self.others.insert(place.to_string(), OtherThreads { end: end.clone(), threads: 1 });
    }

    fn deadlocked(&mut self, cycle: u64, circle: &[LockWait]) {
        if !self.is_over() {
            let circle: Vec<String> = circle.iter().map(ToString::to_string).collect();
            tell!("a deadlock in cycle {cycle}: {}", circle.join("; "));
        }
    }
}
