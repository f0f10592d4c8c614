//! A first bot: `grandstand new`, `grandstand bots`, and `run --actions`.

use std::process::Output;

use grandstand_testing::Folder;
use serde_json::{Value, json};

use crate::program::grandstand;

fn run(folder: &Folder, arguments: &[&str]) -> Output {
    grandstand().args(arguments).current_dir(folder.path()).output().unwrap()
}

/// Runs a command that must succeed; returns its standard output.
fn told(folder: &Folder, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a command that must fail; returns its status and standard error.
fn refused(folder: &Folder, arguments: &[&str]) -> (Option<i32>, String) {
    let output = run(folder, arguments);
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

fn text(folder: &Folder, file: &str) -> String {
    String::from_utf8(folder.read(file)).unwrap()
}

#[test]
fn a_new_bot_of_every_language_plays_and_beats_random() {
    let folder = Folder::new();
    for (game, file, language) in [("abalone", "mine.cl", "cl"), ("shark", "mine.rcl", "rcl")] {
        let said = told(&folder, &["new", game, "mine", "--language", language]);
        assert_eq!(said, format!("wrote {file}; try it:\n  grandstand play {game} {file} random -v\n"));
        let written = text(&folder, file);
        assert!(written.starts_with("(* mine: a team of ") && !written.contains('@'), "{written}");
        let matches = ["play", game, file, "random", "--matches", "10", "--seed", "0", "--expect-wins", "8"];
        told(&folder, &matches);
        // No bot is lost by an error of its program.
        let output = run(&folder, &["play", game, file, "random", "--seed", "1", "-v"]);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!errors.contains(&format!("{file}:")), "{errors}");
    }
}

#[test]
fn a_file_that_is_there_is_written_over_when_that_is_forced() {
    let folder = Folder::new();
    folder.file("mine.cl", "my work");
    let (status, error) = refused(&folder, &["new", "abalone", "mine.cl"]);
    assert_eq!(
        (status, &*error),
        (Some(2), "grandstand: mine.cl is there already; --force writes over it\n")
    );
    assert_eq!(text(&folder, "mine.cl"), "my work");
    told(&folder, &["new", "abalone", "mine", "--force"]);
    assert!(text(&folder, "mine.cl").contains("A_COMMITMOVE"));
    folder.file("team.cl", "my work");
    let (status, error) = refused(&folder, &["bots", "copy", "team", "."]);
    assert!(status == Some(2) && error.contains("team.cl is there already"), "{error}");
    assert_eq!(text(&folder, "team.cl"), "my work");
    told(&folder, &["bots", "copy", "team", ".", "--force"]);
    assert_eq!(text(&folder, "team.cl"), include_str!("../../bots/abalone/team.cl"));
}

#[test]
fn what_no_bot_can_be_is_said() {
    let folder = Folder::new();
    let error = |arguments: &[&str]| refused(&folder, arguments).1;
    assert!(error(&["new", "riskless", "mine"]).contains("bots of Riskless are not written as programs"));
    assert!(
        error(&["new", "abalone", "mine", "--language", "python"])
            .contains("bots of Abalone are written in cl")
    );
    assert!(error(&["new", "gomoku", "mi\"ne"]).contains("is no name for a bot"));
    assert!(error(&["bots", "show", "nobody"]).contains("there is no shipped program `nobody`"));
    assert!(error(&["new", "abalone", "no/such/folder/mine"]).contains("can't write no/such/folder/mine.cl"));
}

/// Plays a new Python bot of a game; returns the result.
fn python(game: &str, player: &str, opponent: &[&str]) -> String {
    let folder = Folder::new();
    told(&folder, &["new", game, "mine"]);
    assert!(!text(&folder, "mine.py").contains("@NAME@"));
    told(&folder, &[&["play", game, player], opponent, &["--sandbox", "off", "--seed", "1"]].concat())
}

#[test]
#[ignore = "needs python3"]
fn a_new_engine_in_python_plays_gomoku_and_pente() {
    for game in ["gomoku", "pente"] {
        let result = python(game, "engine:python3 mine.py", &["random", "--move-time", "5s"]);
        assert!(result.starts_with("black (engine:python3 mine.py) wins"), "{game}: {result}");
    }
}

#[test]
#[ignore = "needs python3"]
fn a_new_team_in_python_plays_fortress() {
    let options = ["weak", "--speed", "20", "--port", "0", "--set", "cTIME_LIMIT=40000"];
    let result = python("fortress", "team:python3 mine.py", &options);
    assert!(
        result.contains("on time, after") || result.contains("with all control points, after"),
        "{result}"
    );
}

#[test]
fn shipped_programs_come_from_the_binary_alone() {
    let folder = Folder::new();
    let list = told(&folder, &["bots", "list"]);
    for file in ["abalone/simple_bot.cl", "abalone/arrays.ch", "shark/botlib.rch", "fortress/weak_team.py"] {
        let line =
            list.lines().find(|line| line.starts_with(file)).unwrap_or_else(|| panic!("{file}: {list}"));
        assert!(line.len() > file.len() + 20, "{line}");
    }
    let shown = told(&folder, &["bots", "show", "simple_bot"]);
    assert_eq!(shown, include_str!("../../bots/abalone/simple_bot.cl"));
    assert_eq!(
        told(&folder, &["bots", "show", "shark/constants.rch"]),
        include_str!("../../bots/shark/constants.rch")
    );
    assert_eq!(told(&folder, &["bots", "copy", "stupidbot", "."]), "wrote ./stupidbot.rcl\n");
    told(&folder, &["play", "shark", "stupidbot.rcl", "random", "--seed", "1"]);
}

#[test]
fn a_script_answers_actions_without_a_match() {
    let folder = Folder::new();
    told(&folder, &["new", "abalone", "mine"]);
    folder.file(
        "one.actions",
        "# an enemy ahead, a friend behind\nA_SCAN = (T_EMPTY, T_OPIECE, T_EMPTY, T_EMPTY, T_PIECE, T_EMPTY)\n\
         A_MYSTAT = ((0, ~1), 0)\n* A_LOOK = (T_EMPTY, T_OFFBOARD)\nA_COMMITMOVE 2 = 0\nA_TALK = 0\nA_WAITMYTURN stop\n",
    );
    // The program spawns others until it can't; without a game nothing refuses that, so one bot is tried.
    let bot = text(&folder, "mine.cl").replace("\ngrow 0\n", "\nlive 0\n");
    folder.file("one.cl", &bot);
    let output = run(&folder, &["run", "one.cl", "--actions", "one.actions"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("stopped at A_WAITMYTURN in cycle "));
    let told = String::from_utf8(output.stderr).unwrap();
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines[0].starts_with("thread 1: A_SCAN = (1, 3, 1, 1, 2, 1) (one.cl:"), "{told}");
    assert!(lines.iter().any(|line| line.starts_with("thread 1: A_COMMITMOVE 2 = 0 (one.cl:")), "{told}");
    assert_eq!(lines[lines.len() - 1], "one.actions:6: `A_TALK` was never asked for");

    let output = run(&folder, &["run", "one.cl", "--actions", "one.actions", "--json"]);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&json["stopped"], &json["actions"][0]["action"]), (&json!(true), &json!("A_SCAN")));
    assert_eq!(json["unused"], json!(["one.actions:6: `A_TALK` was never asked for"]));
    assert!(output.stderr.is_empty());
}

#[test]
fn an_action_without_an_answer_is_an_error_with_its_place() {
    let folder = Folder::new();
    folder.file("a.rcl", "let x = do 7 in\n  do (2, 4); x");
    folder.file("a.actions", "A_MYSTATS = [1, 2, 3, 0, DIR_UP]");
    let (status, error) = refused(&folder, &["run", "a.rcl", "--actions", "a.actions"]);
    assert_eq!(status, Some(1));
    assert!(error.contains("thread 1: A_MYSTATS = [1, 2, 3, 0, 1] (a.rcl:1:9)\n"), "{error}");
    assert!(error.contains("a.rcl:2:3: stuck: no line of a.actions answers A_FACE 4\n"), "{error}");
    folder.file("a.actions", "A_MYSTATS == 3");
    let (status, error) = refused(&folder, &["run", "a.rcl", "--actions", "a.actions"]);
    assert!(status == Some(2) && error.contains("a.actions:1: "), "{error}");
}
