//! Engines in whole matches: `grandstand play` with `engine:COMMAND`.

use std::fs;

use grandstand_matches::turns::answer::Forfeit;
use grandstand_players::gomocup::manager::Fault;
use grandstand_players::sandbox::Ending;
use serde_json::Value;
use tempfile::TempDir;

use crate::program::grandstand;

/// Plays a match; returns its `--json` output and its log.
fn play(arguments: &[&str]) -> (Value, String) {
    let mut command = grandstand();
    let output = command.arg("play").args(arguments).args(["--json", "-v"]).output().unwrap();
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    let json = serde_json::from_slice(&output.stdout);
    (json.unwrap_or_else(|error| panic!("{error}: {log}")), log)
}

/// A shell script of an engine that answers every request with `answer`.
fn script(answer: &str) -> (TempDir, String) {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let text = format!(
        "while read -r line; do case \"$line\" in START*|PENTESTART*|RESTART*) echo OK;; \
         BEGIN*|TURN*|DONE*) {answer};; END*) exit;; esac; done\n"
    );
    let file = directory.path().join("engine.sh");
    fs::write(&file, text).unwrap();
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let command = format!("engine:sh {}", file.display());
    (directory, command)
}

#[test]
fn a_brain_plays_whole_matches_on_both_sides() {
    let brain = "engine:grandstand brain --threads 1";
    for (game, players, setting) in [
        ("gomoku", [brain, "stupid"], "--rule=freestyle"),
        ("gomoku", ["random", brain], "--rule=renju"),
        ("pente", [brain, "random"], "--opening=centre"),
    ] {
        let size = if game == "pente" { "--size=19" } else { "--size=9" };
        let (json, log) = play(&[game, players[0], players[1], size, setting, "--time=5s", "--seed=3"]);
        let termination = json["termination"].as_str().unwrap();
        let by_rule = ["five", "full-board", "captures", "pairs"];
        assert!(by_rule.contains(&termination), "{game} {players:?}: {json}\n{log}");
        assert!(log.contains("Grandstand"), "its name: {log}");
    }
}

#[test]
fn a_brain_settles_an_opening_with_another() {
    let brain = "engine:grandstand brain --threads 1";
    let (json, log) = play(&["gomoku", brain, brain, "--size=9", "--opening=swap2", "--time=5s", "--seed=1"]);
    let termination = json["termination"].as_str().unwrap();
    assert!(["five", "full-board"].contains(&termination), "{json}\n{log}");
}

#[test]
fn engines_that_cheat_lose_by_that() {
    for (answer, termination, says) in [
        ("echo 99,99", "illegal", "99,99"),
        ("echo 7,7", "illegal", ""),
        ("exit 3", "crash", "exit status 3"),
        ("sleep 31230020", "time", ""),
        ("echo hello", "rubbish", "hello"),
        ("printf 8,; sleep 31230021", "rubbish", "8,"),
        ("yes MESSAGE; sleep 31230022", "flood", "bytes"),
    ] {
        let (_directory, engine) = script(answer);
        // The fault itself ends the wait, except for faults of time.
        let time =
            if ["time", "rubbish"].contains(&termination) { "--move-time=1s" } else { "--move-time=60s" };
        let (json, log) = play(&["gomoku", "stupid", &engine, time, "--seed=3"]);
        assert_eq!(json["termination"], termination, "{answer}: {json}\n{log}");
        assert_eq!(json["outcome"], "black", "{answer}");
        assert!(log.contains(says), "{answer}: {log}");
    }
}

#[test]
fn an_engine_without_pente_is_not_asked_to_play_it() {
    let (_directory, engine) = script("echo 9,9");
    let gomoku_only = engine.clone();
    let file = gomoku_only.rsplit(' ').next().unwrap();
    let text = fs::read_to_string(file)
        .unwrap()
        .replace("|PENTESTART*", "")
        .replace("END*)", "PENTESTART*) echo UNKNOWN;; END*)");
    fs::write(file, text).unwrap();
    let (json, log) = play(&["pente", &engine, "random", "--move-time=500ms", "--seed=3"]);
    assert!(json["termination"] == "startup" && log.contains("PENTESTART 19"), "{json}\n{log}");
}

#[test]
fn an_engine_is_run_as_it_is_asked_for() {
    let hidden = tempfile::tempdir().unwrap();
    fs::write(hidden.path().join("words"), "open sesame\n").unwrap();
    let (directory, engine) = script(&format!("cat {}/words; echo 99,99", hidden.path().display()));
    let file = directory.path().join("engine.sh");
    let text = fs::read_to_string(&file).unwrap().replace("do case", "do echo \"$line\" >&2; case");
    // The content of the file goes to standard error, like the commands.
    fs::write(&file, text.replace("/words;", "/words >&2;")).unwrap();
    let logs = tempfile::tempdir().unwrap();
    let said = |options: &[&str]| {
        let log = format!("--logs={}", logs.path().display());
        let arguments =
            [&["gomoku", "stupid", &engine, "--seed=3", "--move-time=20s", &log], options].concat();
        let (json, log) = play(&arguments);
        assert_eq!(json["termination"], "illegal", "{json}\n{log}");
        (fs::read_to_string(logs.path().join("white.log")).unwrap(), log)
    };
    let (usual, log) = said(&[]);
    assert!(usual.contains("INFO max_memory 367001600"), "{usual}");
    assert!(!usual.contains("open sesame") || log.contains("not enforced"), "{usual}\n{log}");
    let (roomy, _) = said(&["--program-limit=memory-mib=500"]);
    assert!(roomy.contains("INFO max_memory 524288000"), "{roomy}");
    let readable = format!("--program-read={}", hidden.path().display());
    for option in [&*readable, "--sandbox=off", "--no-sandbox"] {
        let (read, _) = said(&[option]);
        assert!(read.contains("open sesame"), "{option}: {read}");
    }
    for (option, why) in
        [("--program-limit=legs=2", "there is no limit `legs`"), ("--matches=2", "cannot be used with")]
    {
        let mut command = grandstand();
        let output =
            command.args(["play", "gomoku", "stupid", &engine, "--logs=x", option]).output().unwrap();
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && words.contains(why), "{words}");
    }
}

#[test]
fn an_engine_that_can_begin_anew_plays_all_matches() {
    let (directory, engine) = script("echo 99,99");
    let (file, starts) = (directory.path().join("engine.sh"), directory.path().join("starts"));
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("echo started >> {}\n{text}", starts.display())).unwrap();
    let mut command = grandstand();
    let arguments =
        ["play", "gomoku", "stupid", &engine, "--matches=3", "--jobs=1", "--sandbox=off", "--json"];
    let output = command.args(arguments).output().unwrap();
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    // Each match is lost by the engine's own behaviour, none by the end of the previous one.
    assert_eq!(json["terminations"], serde_json::json!({ "illegal": 3 }), "{json}");
    assert_eq!(fs::read_to_string(starts).unwrap(), "started\n");
}

#[test]
fn every_fault_is_a_termination_that_matches_know() {
    let said = String::new;
    for fault in [
        Fault::Refused { command: said(), answer: said() },
        Fault::NotReady,
        Fault::Silent,
        Fault::NoAnswer { said: said() },
        Fault::Senseless { said: said() },
        Fault::Flood { limit: 1 },
        Fault::Ended(Ending::Exited { status: 0 }),
        Fault::Ended(Ending::Lost),
        Fault::Closed,
    ] {
        assert!(Forfeit::ALL.contains(&fault.termination()), "{fault:?}");
    }
}
