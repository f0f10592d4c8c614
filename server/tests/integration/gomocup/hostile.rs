//! Misbehaving engines: each loses by its actual fault, and leaves no process behind.
//!
//! They are written for `sh`, and one for `perl`, which is skipped if it is missing.

use std::fs;
use std::time::Duration;

use grandstand_players::gomocup::manager::{Event, Fault, Question};
use grandstand_players::gomocup::process::{Engine, Options, Waited};
use grandstand_rules::stones::Rule;
use grandstand_testing::open_to_all;
use grandstand_testing::process::is_running;
use tempfile::TempDir;

use super::pair::setup;
use super::process::{PATIENCE, options, until};

/// Time for a move in tests of the time limit.
const SHORT: Duration = Duration::from_secs(1);

/// A shell script that speaks the protocol, but runs `evil` when asked for a move, and `end` when asked to leave.
struct Script {
    directory: TempDir,
    options: Options,
}

impl Script {
    fn new(evil: &str, end: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let script = format!(
            "while read -r line; do case \"$line\" in\n\
             START*) echo OK;;\n\
             ABOUT*) echo 'name=\"Hostile\", version=\"1\"';;\n\
             BEGIN*|TURN*|DONE*)\n{evil}\n;;\n\
             END*)\n{end}\n;;\n\
             esac; done\n"
        );
        fs::write(directory.path().join("engine.sh"), script).unwrap();
        open_to_all(directory.path());
        Self { directory, options: options() }
    }

    fn start(&self) -> Engine {
        let file = self.directory.path().join("engine.sh");
        let command = ["sh".to_owned(), file.display().to_string()];
        Engine::start(&command, &self.options, setup(15, Rule::Freestyle), until(PATIENCE), 0).unwrap()
    }

    /// Starts it and asks for a first move.
    fn asked(&self, time: Duration) -> (Engine, Waited) {
        let mut engine = self.start();
        assert_eq!(engine.wait(&mut |_| {}), Waited::For(Event::Ready));
        engine.ask(Question::Move(Vec::new()), Some(time), until(time));
        let waited = engine.wait(&mut |_| {});
        (engine, waited)
    }
}

/// The fault by which an engine loses that runs `evil` on its turn. Its process must be gone then.
fn loses(evil: &str, time: Duration) -> Fault {
    let script = Script::new(evil, "exit 0");
    fault(&script, time)
}

fn fault(script: &Script, time: Duration) -> Fault {
    let (engine, waited) = script.asked(time);
    drop(engine);
    assert!(!is_running(&script.directory.path().join("engine.sh").display().to_string()));
    match waited {
        Waited::For(Event::Fault(fault)) => fault,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_engine_that_crashes() {
    let exits = loses("exit 3", PATIENCE);
    assert_eq!(exits.termination(), "crash");
    assert!(exits.to_string().contains("exit status 3"), "{exits}");
    let signal = loses("kill -SEGV $$", PATIENCE);
    assert!(signal.termination() == "crash" && signal.to_string().contains("SIGSEGV"), "{signal}");
    // In the middle of a move.
    assert_eq!(loses("printf 7,; exit 0", PATIENCE).termination(), "crash");
    // It keeps running, but can never answer.
    let closed = loses("exec >&-; sleep 31230001", PATIENCE);
    assert_eq!((closed.termination(), is_running("31230001")), ("crash", false));
}

#[test]
fn an_engine_that_hangs() {
    let fault = loses("sleep 31230002", SHORT);
    assert_eq!((fault.termination(), is_running("31230002")), ("time", false));
}

#[test]
fn an_engine_that_floods() {
    assert_eq!(loses("yes MESSAGE flood", PATIENCE).termination(), "flood");
    // A million empty lines, or one line without an end.
    assert_eq!(loses("yes ''", PATIENCE).termination(), "flood");
    assert_eq!(loses("cat /dev/zero", PATIENCE).termination(), "flood");
}

#[test]
fn an_engine_that_prints_rubbish() {
    let once = loses("echo I resign", SHORT);
    assert_eq!(once.termination(), "rubbish");
    assert!(once.to_string().contains("I resign"), "{once}");
    assert_eq!(loses("yes rubbish", PATIENCE).termination(), "rubbish");
    assert_eq!(loses("echo UNKNOWN", SHORT).termination(), "rubbish");
}

#[test]
fn an_engine_that_prints_half_a_line() {
    let fault = loses("printf 7,; sleep 31230003", SHORT);
    assert_eq!((fault.termination(), is_running("31230003")), ("rubbish", false));
    assert!(fault.to_string().contains("`7,`"), "{fault}");
}

#[test]
fn an_engine_that_moves_to_nowhere_is_heard_as_it_speaks() {
    // The referee checks legality, and knows the true cause.
    let (_engine, waited) = Script::new("echo 99,99", "exit 0").asked(PATIENCE);
    assert_eq!(waited, Waited::For(Event::Points(vec![(99, 99)])));
}

#[test]
fn an_engine_that_ignores_its_end() {
    let script = Script::new("echo 7,7", "trap '' TERM INT HUP; sleep 31230004");
    let (engine, waited) = script.asked(PATIENCE);
    assert_eq!(waited, Waited::For(Event::Points(vec![(7, 7)])));
    let last = engine.leave().unwrap();
    assert!(last.contains("did not leave"), "{last}");
    assert!(!is_running("31230004"));
    // An engine that leaves is not reported.
    assert_eq!(Script::new("echo 7,7", "exit 0").asked(PATIENCE).0.leave(), None);
}

#[test]
fn an_engine_that_forks() {
    let daemon = "setsid sh -c 'setsid sleep 31230005 & sleep 31230006' >/dev/null 2>&1 & exit 1";
    assert_eq!(loses(daemon, PATIENCE).termination(), "crash");
    let (engine, waited) =
        Script::new("setsid sleep 31230007 >/dev/null 2>&1 & echo 7,7", "sleep 31230008").asked(PATIENCE);
    assert_eq!(waited, Waited::For(Event::Points(vec![(7, 7)])));
    engine.leave();
    for number in 5..=8 {
        assert!(!is_running(&format!("3123000{number}")), "{number}");
    }
    let mut bomb = Script::new("while :; do sleep 31230009 & done", "exit 0");
    bomb.options.limits.processes = 24;
    let fault = fault(&bomb, PATIENCE);
    // The shell may give up first if its requests are refused.
    assert!(["processes", "crash"].contains(&fault.termination()), "{fault}");
    assert!(!is_running("31230009"));
}

#[test]
#[ignore = "needs perl"]
fn an_engine_that_is_a_fork_bomb() {
    let mut bomb = Script::new("perl -e 'fork while 1'", "exit 0");
    bomb.options.limits.processes = 24;
    assert_eq!(fault_of(&bomb), "processes");
}

#[test]
fn an_engine_that_oversteps_its_time() {
    assert_eq!(loses("sleep 2; echo 7,7", SHORT).termination(), "time");
    // Messages do not count as an answer.
    assert_eq!(
        loses("while :; do echo MESSAGE still thinking; sleep 0.05; done", SHORT).termination(),
        "time"
    );
}

#[test]
#[ignore = "needs perl"]
fn an_engine_that_oversteps_its_memory() {
    let evils = [
        "my @a; while (1) { push @a, \"x\" x 1000000 }",
        "my $x = \"x\" x 90000000; exit 1",
        "my $x = \"x\" x 3000000000; sleep 600",
    ];
    for evil in evils {
        let mut script = Script::new(&format!("perl -e '{evil}'; exit 1"), "exit 0");
        script.options.limits.memory_bytes = 64 << 20;
        assert_eq!(fault_of(&script), "memory", "{evil}");
    }
}

#[test]
fn an_engine_that_refuses_to_begin_is_not_asked_again() {
    let directory = tempfile::tempdir().unwrap();
    open_to_all(directory.path());
    let file = directory.path().join("engine.sh");
    for (script, termination) in [
        (
            "while read -r line; do case \"$line\" in START*) echo ERROR size; echo OK;; BEGIN*) echo 7,7;; esac; done",
            "startup",
        ),
        ("exit 0", "crash"),
        ("sleep 31230010", "startup"),
    ] {
        fs::write(&file, script).unwrap();
        let command = ["sh".to_owned(), file.display().to_string()];
        let patience = if termination == "startup" && script.starts_with("sleep") { SHORT } else { PATIENCE };
        let mut engine =
            Engine::start(&command, &options(), setup(15, Rule::Freestyle), until(patience), 0).unwrap();
        let waited = engine.wait(&mut |_| {});
        let Waited::For(Event::Fault(fault)) = waited else { panic!("{waited:?}") };
        assert_eq!(fault.termination(), termination, "{script}: {fault}");
    }
    let nothing = ["no-such-engine".to_owned()];
    let mut engine =
        Engine::start(&nothing, &options(), setup(15, Rule::Freestyle), until(PATIENCE), 0).unwrap();
    let waited = engine.wait(&mut |_| {});
    let Waited::For(Event::Fault(fault)) = waited else { panic!("{waited:?}") };
    assert!(fault.termination() == "startup" && fault.to_string().contains("no-such-engine"), "{fault}");
    assert!(!is_running("31230010"));
}

#[test]
fn a_wait_can_be_stopped() {
    let script = Script::new("sleep 31230011", "exit 0");
    let mut engine = script.start();
    assert_eq!(engine.wait(&mut |_| {}), Waited::For(Event::Ready));
    engine.ask(Question::Move(Vec::new()), None, None);
    let stopper = engine.stopper();
    let stops = std::thread::spawn(move || stopper.stop());
    assert_eq!(engine.wait(&mut |_| {}), Waited::Stopped);
    stops.join().unwrap();
    drop(engine);
    assert!(!is_running("31230011"));
}

fn fault_of(script: &Script) -> &'static str {
    fault(script, PATIENCE).termination()
}
