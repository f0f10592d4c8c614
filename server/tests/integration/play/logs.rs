//! Log of a match while it is played: talk, deaths, locks.

use super::WorkFolder;
use crate::program::grandstand;

/// Plays a match that must succeed; returns its standard error.
fn errors(place: &WorkFolder, game: &str, arguments: &[&str]) -> String {
    let output = place.play_game(game, arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{errors}");
    errors
}

#[test]
fn what_became_of_the_bots_is_logged() {
    let place = WorkFolder::new();
    place.write("bad.cl", "do 8;\n  nowhere");
    place.write("idle.cl", "rec idle in (do 8; idle)");
    place.result(&["bad.cl", "idle.cl", "--log", "match.log", "--seed", "1"]);
    let log = String::from_utf8(place.read("match.log")).unwrap();
    assert_eq!(
        log,
        "turn 2 cycle 2002: black bot 1 at C−1 died: bad.cl:2:3: stuck: the name `nowhere` is not bound\n      nowhere\n      ^^^^^^^\n"
    );
    let verbose = place.play(&["bad.cl", "idle.cl", "--verbose", "--seed", "1"]);
    assert!(String::from_utf8(verbose.stderr).unwrap().contains(&log));
}

#[test]
fn what_bots_say_reaches_the_command_line() {
    let place = WorkFolder::new();
    place.write("quiet.cl", "rec rest in (do 8; rest)");
    place.write(
        "talker.cl",
        "do (10, \"hi\"); do (10, ~65); do (10, (3, 1114112)); do 8; do (10, \"\\t\u{202e}x\"); do 8; 1 / 0",
    );
    let said = [
        "turn 1 cycle 3: black bot 1 at C−1 says: hi\n",
        "turn 1 cycle 6: black bot 1 at C−1 says: ~65\n",
        "turn 1 cycle 10: black bot 1 at C−1 says: (3, 1114112)\n",
        "turn 2 cycle 2004: black bot 1 at C−1 says:  \\u{202e}x\n",
    ];
    let arguments = ["talker.cl", "quiet.cl", "--seed", "1"];
    let shown = |more: &[&str]| errors(&place, "abalone", &[&arguments, more].concat());
    assert_eq!(shown(&[]), "");
    assert_eq!(shown(&["--talk"]), said.concat());
    let verbose = shown(&["-v"]);
    assert!(verbose.starts_with(&said.concat()) && verbose.contains("died: talker.cl:1:"), "{verbose}");
    assert_eq!(shown(&["--log", "talk.log"]), "");
    assert_eq!(String::from_utf8(place.read("talk.log")).unwrap(), verbose);

    place.write("quiet.rcl", "let rest = fn self => do 8; self self in rest rest");
    place.write(
        "talker.rcl",
        "do (10, 65); do [10, 66]; do [10, \"A\"]; do (10, \"hi\"); do (10, (3, 4)); 1 / 0",
    );
    let talk = errors(
        &place,
        "shark",
        &["talker.rcl", "quiet.rcl", "--seed", "1", "--talk", "--set", "TALK_LIMIT=4"],
    );
    let lines: Vec<&str> = talk.lines().collect();
    let says = |line: &str| line.split_once(" says: ").unwrap().1.to_owned();
    assert_eq!(lines.iter().map(|line| says(line)).collect::<Vec<_>>(), ["65", "66", "A", "hi"]);
    assert!(lines[0].starts_with("step 1: red robot 1 at "), "{talk}");
    assert!(lines[3].starts_with("step 7: red robot 1 at "), "{talk}");

    let (status, error) = place.failure(&["a", "b", "--talk", "--matches", "2"]);
    assert_eq!(status, Some(2), "{error}");
    let output = place.play_game("gomoku", &["random", "random", "--talk"]);
    assert!(
        String::from_utf8(output.stderr).unwrap().contains("--talk is for Abalone, λ-Shark, not for Gomoku")
    );
}

#[test]
fn deadlocks_and_waits_for_locks_are_logged() {
    let place = WorkFolder::new();
    place.write("quiet.cl", "rec rest in (do 8; rest)");
    place.write(
        "locks.cl",
        "let a = gref 0 in let b = gref 0 in\nspawn (acquire a; do 8; acquire b; 0);\nacquire b; do 8; acquire a; 0",
    );
    let log = errors(
        &place,
        "abalone",
        &["locks.cl", "quiet.cl", "--seed", "1", "-v", "--set", "GAME_LENGTH=10000"],
    );
    let [one, two] = [
        "thread 1 waits at locks.cl:3:18 for the lock that thread 3 took at locks.cl:2:8",
        "thread 3 waits at locks.cl:2:25 for the lock that thread 1 took at locks.cl:3:1",
    ];
    let deadlock = log.split_once(" is in a deadlock:\n").unwrap_or_else(|| panic!("{log}"));
    assert!(deadlock.0.starts_with("turn 2 cycle 2002: black bot 3 at "), "{log}");
    assert!(deadlock.1.starts_with(&format!("    {two}\n    {one}\n")), "{log}");
    for wait in [one, two] {
        assert!(log.contains(&format!(" waits for a lock to the end: {wait}, since cycle 200")), "{log}");
    }
    assert!(log.contains("\nturn 5 cycle 10000: black bot 1 at C−1 waits for a lock"), "{log}");
}

#[test]
fn a_terminal_obeys_no_file() {
    let place = WorkFolder::new();
    place.write("evil.cl", "1 +\n\u{1b}[2J\u{202e}\u{9b}2J");
    place.write("evil.map", "\u{1b}]0;mine\u{7}\n");
    let (_, errors) = place.failure(&["evil.cl", "idle.cl"]);
    let run = |command: &str, file: &str| {
        let mut program = grandstand();
        let output = program.args([command, file]).current_dir(place.0.path()).output().unwrap();
        assert!(!output.status.success());
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    for told in [errors, run("run", "evil.cl"), run("check-map", "evil.map")] {
        assert!(told.contains(r"\u{1b}"), "{told:?}");
        assert!(!told.contains(['\u{1b}', '\u{9b}', '\u{202e}', '\u{7}']), "{told:?}");
    }
}
