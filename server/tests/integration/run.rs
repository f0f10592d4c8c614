//! `grandstand run`: a program without a match.

use grandstand_testing::Folder;
use serde_json::{Value, json};

use crate::program::grandstand;

/// Result of running a program.
struct Ran {
    status: Option<i32>,
    output: String,
    errors: String,
}

impl Ran {
    fn json(&self) -> Value {
        serde_json::from_str(&self.output).unwrap()
    }
}

/// Runs a program.
fn run(text: &str, arguments: &[&str]) -> Ran {
    let folder = Folder::new();
    folder.file("a.cl", text);
    let mut command = grandstand();
    let output = command.args(["run", "a.cl"]).args(arguments).current_dir(folder.path()).output().unwrap();
    Ran {
        status: output.status.code(),
        output: String::from_utf8(output.stdout).unwrap(),
        errors: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn a_program_ends_with_the_value_of_its_first_thread() {
    let ran = run("let c = gref 0 in spawn (rec l in l); 5", &[]);
    assert_eq!((ran.status, &*ran.output, &*ran.errors), (Some(0), "5\n4 steps\n", ""));
}

#[test]
fn the_other_threads_are_waited_for_when_that_is_asked_for() {
    let text =
        "let later = rec later in fn n => if n = 0 then 1 / 0 else later (n - 1) in spawn (later 100); 5";
    let ran = run(text, &[]);
    assert_eq!((ran.status, &*ran.output, &*ran.errors), (Some(0), "5\n4 steps\n", ""));
    let ran = run(text, &["--all"]);
    assert_eq!((ran.status, &*ran.output), (Some(0), "5\n4 steps\n"));
    assert!(ran.errors.starts_with("thread 2: a.cl:1:50: stuck: division by zero\n"), "{}", ran.errors);
}

#[test]
fn threads_that_die_alike_are_told_once_with_their_number() {
    let bomb = "let f = rec f in fn n => (spawn (1 / n); if n < 0 then 0 else f n) in f 0";
    let ran = run(bomb, &["--steps", "50000"]);
    assert_eq!(ran.status, Some(1));
    assert_eq!(ran.errors.matches("division by zero").count(), 1, "{}", ran.errors);
    let more = ran.errors.lines().find(|line| line.ends_with(" more threads ended at a.cl:1:36")).unwrap();
    assert!(more.split(' ').next().unwrap().parse::<u64>().unwrap() > 1000, "{more}");
    assert!(ran.errors.len() < 1000, "{}", ran.errors);
    let json = run(bomb, &["--steps", "50000", "--json"]).json();
    assert_eq!(json["others"].as_array().unwrap().len(), 1);
    assert!(json["others"][0]["threads"].as_u64().unwrap() > 1000);
    assert_eq!(json["others"][0]["place"], json!({ "file": "a.cl", "line": 1, "column": 36 }));
}

#[test]
fn a_circle_of_locks_is_called_a_deadlock_with_its_places() {
    let text = "let a = gref 0 in let b = gref 0 in\nspawn (acquire a; 1; 1; 1; 1; acquire b; 0);\nacquire b; 1; 1; acquire a; 0";
    let ran = run(text, &[]);
    assert_eq!((ran.status, &*ran.output), (Some(1), ""));
    let [one, two] = [
        "thread 1 waits at a.cl:3:18 for the lock that thread 2 took at a.cl:2:8",
        "thread 2 waits at a.cl:2:31 for the lock that thread 1 took at a.cl:3:1",
    ];
    let end = format!("a.cl: no thread can go on, a deadlock\n{one}\n{two}\n");
    assert!(ran.errors.starts_with("a deadlock in cycle "), "{}", ran.errors);
    assert!(ran.errors.ends_with(&end), "{}", ran.errors);
    let json = run(text, &["--json"]).json();
    assert_eq!((&json["deadlock"], &json["waiting"]), (&json!(true), &json!([one, two])));
}

#[test]
fn who_waits_for_a_lock_is_told_when_a_program_does_not_end() {
    let ran = run("let c = gref 0 in\nspawn (acquire c; rec l in l);\n1; 1; acquire c", &["--steps", "1000"]);
    assert_eq!(ran.status, Some(1));
    assert_eq!(
        ran.errors,
        "a.cl: the first thread has not ended after 1000 cycles\n\
         thread 1 waits at a.cl:3:7 for the lock that thread 2 took at a.cl:2:8\n"
    );
}

#[test]
fn every_limit_can_be_set() {
    let deep = "let f = rec f in fn n => if n = 0 then 0 else 1 + f (n - 1) in f 100000";
    assert_eq!(run(deep, &[]).output, "100000\n600005 steps\n");
    for (text, setting, message) in [
        (deep, "CALL_DEPTH=1000", "more than 1000 calls are under way"),
        (
            "let l = rec l in fn n => if n = 0 then 0 else l (n - 1) in spawn (l 9); spawn (l 9); l 99",
            "TEAM_THREADS=2",
            "too many threads: its team may have 2",
        ),
        ("()[50 := 1]", "ARRAY_ELEMENTS=50", "the array would get more than 50 elements"),
        ("(rec f in fn l => f (1, l)) 0", "TEAM_WORDS=5000", "its team holds more than 5000 words"),
    ] {
        let ran = run(text, &["--set", setting]);
        assert_eq!(ran.status, Some(1), "{setting}");
        assert!(ran.errors.contains(message), "{setting}: {}", ran.errors);
    }
    let ran = run("1", &["--set", "GAME_LENGTH=5"]);
    assert_eq!(ran.status, Some(2));
    assert!(
        ran.errors.contains("`GAME_LENGTH` is not a setting; expected one of TEAM_WORDS"),
        "{}",
        ran.errors
    );
}

#[test]
fn a_slip_is_warned_of_and_the_program_runs() {
    let ran = run("let f = fn n => if n = 0 then 7 else f (n - 1) in f 0", &[]);
    assert_eq!((ran.status, &*ran.output), (Some(0), "7\n4 steps\n"));
    assert!(ran.errors.starts_with("a.cl:1:38: warning: nothing binds the name `f` here"), "{}", ran.errors);
}
