//! Causes of failed moves: the costliest mistakes of the loser, the log with every action, the trace.

use std::collections::BTreeSet;

use serde_json::Value;

use super::WorkFolder;

const QUIET: &str = "rec rest in (do 8; rest)";

/// A team that makes each mistake: bots that wait for a lock for ever, walk into each other, die.
const BAD: &str = "let lock = gref 0 in
let live = rec live in fn n =>
  (if n = 3 then (acquire lock; 0) else 0);
  do (7, 1);
  do 9;
  (if n = 2 then (if rand 4 = 0 then nowhere else 0) else 0);
  live (n + 1)
in
let grow = rec grow in fn x => if spawn (grow x) then grow x else live x in
grow 0";

fn place() -> WorkFolder {
    let place = WorkFolder::new();
    place.write("bad.cl", BAD);
    place.write("quiet.cl", QUIET);
    place
}

#[test]
fn a_match_ends_with_what_cost_the_loser_most() {
    let place = place();
    let told = place.result(&["bad.cl", "quiet.cl", "--seed", "1"]);
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines[0].starts_with("white (quiet.cl) wins"), "{told}");
    assert_eq!(lines[1], "what cost black (bad.cl) most, in moves of one bot:");
    assert_eq!(lines.len(), 5, "{told}");
    let line = |words: &str| {
        let found =
            lines.iter().find(|line| line.contains(words)).unwrap_or_else(|| panic!("{words}: {told}"));
        found.trim_start().split_once("  ").unwrap().0.parse::<f64>().unwrap()
    };
    let stuck = line("bots stuck at bad.cl:3, waiting for the lock that bot ");
    let died = line("died at bad.cl:6: the name `nowhere` is not bound");
    let failed = line("a move failed that was committed at bad.cl:4 (own-piece), the first: ");
    assert!(stuck > 1.0 && died > 10.0 && failed >= 1.0, "{told}");
    // The same match prints the same, except for its duration.
    let costs = |told: &str| told.split_once('\n').unwrap().1.to_owned();
    assert_eq!(costs(&place.result(&["bad.cl", "quiet.cl", "--seed", "1"])), costs(&told));
    // The JSON has its documented fields only.
    let json = place.result(&["bad.cl", "quiet.cl", "--seed", "1", "--json"]);
    assert_eq!(json.lines().count(), 1);
}

#[test]
fn a_late_move_is_told_with_how_late_it_is() {
    let place = place();
    let late = "let wait = rec wait in fn n => if n = 0 then 0 else wait (n - 1) in
let live = rec live in fn u => wait 700; do (7, 1); do 9; live u in live 0";
    place.write("late.cl", late);
    let arguments = ["late.cl", "quiet.cl", "--seed", "1", "--game-length", "30000"];
    let told = place.result(&[&arguments[..], &["--log", "late.log"]].concat());
    assert!(told.contains("a move was committed at late.cl:2 after the end of the turn: "), "{told}");
    let log = String::from_utf8(place.read("late.log")).unwrap();
    let line = log.lines().find(|line| line.contains("committed its move")).unwrap();
    assert!(line.contains(" cycles after the end of the turn (late.cl:2:42)"), "{line}");
    assert!(log.contains("had no move: it was still computing when the turn ended\n"), "{log}");
}

#[test]
fn every_action_is_told_with_its_answer_in_the_same_match() {
    let place = place();
    let arguments = ["bad.cl", "quiet.cl", "--seed", "1", "--record"];
    place.result(&[&arguments[..], &["plain.replay"]].concat());
    let traced =
        [&arguments[..], &["traced.replay", "--trace", "trace.ndjson", "--log", "some.log", "-v"]].concat();
    let output = place.play(&traced);
    assert!(output.status.success());
    let commands = |file: &str| {
        let text = String::from_utf8(place.read(file)).unwrap();
        text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(commands("plain.replay"), commands("traced.replay"));
    // `-v` reports the bots only, `-vv` all their actions.
    let once = String::from_utf8(output.stderr).unwrap();
    assert!(!once.contains("could not move") && once.contains(" died: bad.cl:6:"), "{once}");
    let twice = place.play(&["bad.cl", "quiet.cl", "--seed", "1", "-vv", "--log", "all.log"]);
    let twice = String::from_utf8(twice.stderr).unwrap();
    assert_eq!(String::from_utf8(place.read("all.log")).unwrap(), twice);
    let some = String::from_utf8(place.read("some.log")).unwrap();
    assert!(some.contains(" could not move: ") && !some.contains(" = 0 (bad.cl:4:3)"), "{some}");
    assert!(
        twice.contains("A_COMMITMOVE 1 = 0 (bad.cl:4:3)\n")
            && twice.contains("A_WAITMYTURN waits (bad.cl:5:3)\n")
    );

    let trace = String::from_utf8(place.read("trace.ndjson")).unwrap();
    let lines: Vec<Value> = trace.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // One entry per log line, plus the first and the last.
    let for_people = twice.lines().filter(|line| line.starts_with("turn ")).count();
    assert_eq!(lines.len(), for_people + 2);
    assert_eq!((&lines[0]["event"], &lines[0]["players"]["white"]), (&"match".into(), &"quiet.cl".into()));
    assert_eq!(lines[lines.len() - 1]["winner"], "white");
    let failed = lines.iter().find(|line| line["rule"] == "off-board").unwrap();
    assert_eq!(failed["event"], "move");
    let reason = failed["reason"].as_str().unwrap();
    assert!(reason.ends_with(" R: the board ends there") && failed["bots"].is_array(), "{failed}");
}

#[test]
fn the_document_of_traces_has_every_field_event_and_rule() {
    let place = place();
    let document = include_str!("../../../TRACE.md");
    place.write(
        "talker.rcl",
        "let go = fn go => do 1; do (10, \"hi\"); spawn (go); do (6, 5); go go in go go",
    );
    for (game, arguments) in [
        ("abalone", &["bad.cl", "quiet.cl", "--seed", "1"][..]),
        ("shark", &["talker.rcl", "stupidbot", "--seed", "1", "--set", "GAME_LENGTH=100000"]),
        ("fortress", &["strong", "weak", "--seed", "1", "--set", "cTIME_LIMIT=2000"]),
        ("gomoku", &["stupid", "random", "--seed", "1"]),
        ("riskless", &["random", "random", "--seed", "1", "--map", "islands"]),
    ] {
        let output = place.play_game(game, &[arguments, &["--trace", "trace.ndjson"]].concat());
        assert!(output.status.success(), "{game}: {}", String::from_utf8_lossy(&output.stderr));
        let trace = String::from_utf8(place.read("trace.ndjson")).unwrap();
        let mut words = BTreeSet::new();
        let mut actions = 0;
        for line in trace.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            words.extend(line.as_object().unwrap().keys().cloned());
            words.extend(
                ["event", "rule"].iter().filter_map(|field| line[*field].as_str().map(str::to_owned)),
            );
            actions += usize::from(line["event"] == "action");
        }
        assert!(actions > 5, "{game}: {actions}");
        for word in words {
            assert!(document.contains(&format!("`{word}`")), "{game}: {word}");
        }
    }
}
