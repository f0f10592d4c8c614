//! `grandstand explain` and `grandstand rerun`: causes of a loss, and its replay with a new version.

use std::process::Output;

use grandstand_testing::Folder;
use serde_json::Value;

use crate::program::grandstand;

const QUIET: &str = "rec rest in (do 8; rest)";

/// A team whose bots wait for a lock that one of them never releases.
const BAD: &str = "let plan = gref 0 in
let live = rec live in fn n =>
  (if n = 2 then (acquire plan; 0) else 0);
  plan := n;
  do (7, n mod 6);
  do 9;
  live (n + 1)
in
let grow = rec grow in fn x => if spawn (grow x) then grow x else live x in
grow 0";

fn run(folder: &Folder, arguments: &[&str]) -> Output {
    grandstand().args(arguments).current_dir(folder.path()).output().unwrap()
}

fn told(folder: &Folder, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn refused(folder: &Folder, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(!output.status.success());
    String::from_utf8(output.stderr).unwrap()
}

/// A folder with the programs, and a subfolder with recordings of matches that `bad.cl` lost.
fn folder() -> Folder {
    let folder = Folder::new();
    std::fs::write(folder.path().join("bad.cl"), BAD).unwrap();
    std::fs::write(folder.path().join("quiet.cl"), QUIET).unwrap();
    std::fs::create_dir(folder.path().join("night")).unwrap();
    for (seed, players) in [("1", ["bad.cl", "sparring-4"]), ("2", ["sparring-4", "bad.cl"])] {
        let file = format!("night/{seed}.replay");
        told(&folder, &["play", "abalone", players[0], players[1], "--seed", seed, "--record", &file]);
    }
    folder
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_lost_match_is_explained_with_the_line_of_the_fault() {
    let folder = folder();
    let text = told(&folder, &["explain", "night/1.replay"]);
    assert!(text.starts_with("black (bad) lost 0–"), "{text}");
    assert!(text.contains("It turned at turn ") && text.contains("for the lock that bot "), "{text}");
    assert!(text.contains("stuck at bad.cl:3, waiting for the lock"), "{text}");

    let report = json(&told(&folder, &["explain", "night/1.replay", "--json"]));
    let black = &report["sides"][0];
    assert_eq!(report["winner"], "white");
    assert_eq!(black["costs"][0]["kind"], "lock");
    assert_eq!((&black["costs"][0]["file"], &black["costs"][0]["line"]), (&"bad.cl".into(), &3.into()));
    let loss = black["lost"].as_array().unwrap().last().unwrap();
    let bot = loss["bot"].to_string();

    let view = json(&told(&folder, &["explain", "night/1.replay", "--bot", &bot, "--death", "--json"]));
    assert_eq!(view["cycle"].as_u64().unwrap() + 1, loss["cycle"].as_u64().unwrap());
    assert!(view["fate"].as_str().unwrap().contains("was pushed off"));
    let text = told(&folder, &["explain", "night/1.replay", "--bot", &bot, "--turn", "9"]);
    assert!(
        text.starts_with("turn 9, cycle 17999: black bot ")
            && text.contains("the cells of its team:\n  plan ="),
        "{text}"
    );
    let error = refused(&folder, &["explain", "night/1.replay", "--bot", "999"]);
    assert!(error.contains("no bot has the number 999: black has 1"), "{error}");
}

#[test]
fn an_expression_is_printed_afterwards() {
    let folder = folder();
    let text = told(&folder, &["explain", "night/1.replay", "--print", "bad.cl:4: (n, !plan)"]);
    assert!(text.lines().next().unwrap().ends_with("(n, !plan)"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("bad.cl:4 was reached "), "{text}");
    let all = json(&told(&folder, &["explain", "night/1.replay", "--json", "--print", "bad.cl:4: n"]));
    assert_eq!(all["count"].as_u64().unwrap() as usize, all["values"].as_array().unwrap().len());
    assert_eq!(all["values"][0]["value"]["value"], 0);
    let error = refused(&folder, &["explain", "night/1.replay", "--print", "bad.cl:99: n"]);
    assert!(error.contains("nothing is done on line 99 of bad.cl"), "{error}");
}

#[test]
fn the_losses_of_a_night_are_grouped_and_played_again() {
    let folder = folder();
    let text = told(&folder, &["explain", "night", "--version", "bad.cl"]);
    assert!(text.starts_with("bad.cl lost 2 of 2 matches\n"), "{text}");
    assert!(text.contains("bots waited at bad.cl:3 for the lock taken at bad.cl:3"), "{text}");
    assert!(refused(&folder, &["explain", "night"]).contains("`--version FILE` names the program"));

    let again = json(&told(&folder, &["rerun", "--losses", "night", "bad.cl", "--json"]));
    assert_eq!((&again["lost"], &again["won"]), (&2.into(), &0.into()));
    let shipped = told(&folder, &["bots", "show", "abalone/team.cl"]);
    std::fs::write(folder.path().join("better.cl"), shipped).unwrap();
    let text = told(&folder, &["rerun", "--losses", "night", "better.cl", "--version", "bad.cl"]);
    assert!(text.ends_with("2 lost: 2 now won.\n"), "{text}");

    // A loss of another version than the one in the file is not counted.
    std::fs::write(folder.path().join("bad.cl"), format!("{BAD} (* better *)")).unwrap();
    let text = told(&folder, &["explain", "night", "--version", "bad.cl"]);
    assert!(text.starts_with("bad.cl lost 0 of 0 matches (2 recordings of another version"), "{text}");
}

#[test]
fn of_a_night_only_matches_with_a_result_count() {
    let folder = folder();
    let file = std::fs::read_to_string(folder.path().join("night/1.replay")).unwrap();
    let half = &file[..file.len() / 2];
    std::fs::write(folder.path().join("night/cut.replay"), half).unwrap();
    let text = told(&folder, &["explain", "night", "--version", "bad.cl"]);
    let begin = "bad.cl lost 2 of 2 matches (1 recordings without a result are left out)\n";
    assert!(text.starts_with(begin), "{text}");

    // Against itself it loses on one side, whichever that is.
    std::fs::create_dir(folder.path().join("own")).unwrap();
    for seed in ["1", "2", "3"] {
        let file = format!("own/{seed}.replay");
        told(&folder, &["play", "abalone", "sparring-4", "sparring-4", "--seed", seed, "--record", &file]);
    }
    let report = json(&told(&folder, &["explain", "own", "--version", "sparring-4.cl", "--json"]));
    assert_eq!((&report["matches"], &report["unfinished"]), (&3.into(), &0.into()));
    assert_eq!(report["lost"], 3, "{report}");
}

#[test]
fn a_recording_that_can_t_be_played_again_is_refused_in_words() {
    let folder = folder();
    let file = std::fs::read_to_string(folder.path().join("night/1.replay")).unwrap();
    let broken = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).unwrap();
        run(&folder, &["explain", name])
    };
    let changed = broken("changed.replay", &file.replacen("n + 1", "n + 2", 1));
    let error = String::from_utf8(changed.stderr).unwrap();
    assert!(error.contains("black's program bad.cl in the recording is not the one that played"), "{error}");

    let cut = broken("cut.replay", &file[..file.len() / 2]);
    let text = String::from_utf8(cut.stdout).unwrap();
    assert!(cut.status.success() && text.starts_with("Note: the recording was cut in cycle "), "{text}");

    let other = broken("other.replay", &file.replacen("\"seed\":1", "\"seed\":5", 1));
    let text = String::from_utf8(other.stdout).unwrap();
    assert_eq!(other.status.code(), Some(1), "{text}");
    assert!(text.starts_with("Note: the match parts from its recording in cycle "), "{text}");
}

#[test]
fn a_recording_with_one_program_is_explained_for_its_author() {
    let folder = folder();
    let record = |name: &str, more: &[&str]| {
        let played = ["play", "abalone", "bad.cl", "sparring-4", "--seed", "1", "--record", name];
        told(&folder, &[&played[..], more].concat());
        std::fs::read_to_string(folder.path().join(name)).unwrap()
    };
    let (with, without) = (record("with.replay", &[]), record("without.replay", &["--no-asked"]));
    let is_asked = |line: &&str| line.contains(",\"q\",");
    assert!(with.lines().filter(is_asked).count() > 5 && without.lines().filter(is_asked).count() == 0);
    let rest =
        |text: &str| text.lines().skip(1).filter(|line| !is_asked(line)).collect::<Vec<_>>().join("\n");
    assert_eq!(rest(&with), rest(&without));

    told(&folder, &["convert", "--only-program", "black", "with.replay", "mine.replay.zst"]);
    let explained = |name: &str, more: &[&str]| told(&folder, &[&["explain", name][..], more].concat());
    let (whole, mine) = (explained("with.replay", &["--json"]), explained("mine.replay.zst", &["--json"]));
    let (whole, mine) = (json(&whole), json(&mine));
    assert_eq!(mine["sides"][0]["costs"], whole["sides"][0]["costs"]);
    assert_eq!(
        (&mine["winner"], &mine["score"], &mine["turned"]),
        (&whole["winner"], &whole["score"], &whole["turned"])
    );
    let text = explained("mine.replay.zst", &[]);
    assert!(text.contains("stuck at bad.cl:3, waiting for the lock"), "{text}");
    // Of the other side only what the board shows is told.
    assert!(mine["sides"][1]["costs"].as_array().unwrap().is_empty(), "{mine}");
    assert!(!text.contains(" of 0 ") && !text.contains(" at :0"), "{text}");
    let print = ["--print", "bad.cl:4: (n, !plan)"];
    assert_eq!(explained("mine.replay.zst", &print), explained("with.replay", &print));

    told(&folder, &["convert", "--only-program", "black", "without.replay", "bare.replay"]);
    let error = refused(&folder, &["explain", "bare.replay"]);
    assert!(error.contains("has no source of white's program"), "{error}");
    let error = refused(&folder, &["convert", "--only-program", "red", "with.replay", "x.replay"]);
    assert!(error.contains("there are those of black, white"), "{error}");
}

/// Whether a text names a place as the wire does: `D~4`.
fn names_as_the_wire(text: &str) -> bool {
    text.as_bytes()
        .windows(3)
        .any(|part| part[0].is_ascii_uppercase() && part[1] == b'~' && part[2].is_ascii_digit())
}

#[test]
fn what_people_read_names_places_as_the_board_does() {
    let folder = Folder::new();
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../replays/samples/team-simple_bot.replay");
    let whole = told(&folder, &["explain", sample]);
    assert!(whole.contains("D−4–E−3 UR: a piece of its own team is behind the enemy, on G−1"), "{whole}");
    let bot = told(&folder, &["explain", sample, "--bot", "7", "--turn", "1"]);
    assert!(bot.starts_with("turn 1, cycle 1999: white bot 7 at "), "{bot}");
    let trace = "trace.jsonl";
    let played = run(&folder, &["play", "abalone", "team", "simple_bot", "--verbose", "--trace", trace]);
    let log = String::from_utf8(played.stderr).unwrap();
    assert!(log.contains("−"), "{log}");
    for text in [&whole, &bot, &log] {
        assert!(!names_as_the_wire(text), "{text}");
    }
    // A trace is for programs: its moves name places as the wire does.
    let trace = std::fs::read_to_string(folder.path().join(trace)).unwrap();
    let moves = || trace.lines().map(json).filter_map(|line| Some(line["move"].as_str()?.to_owned()));
    assert!(moves().count() > 0 && moves().any(|path| names_as_the_wire(&path)));
    assert!(moves().all(|path| !path.contains('−')));
}
