//! `grandstand grade`: reproducible points by a rubric, as text, CSV and Gradescope results.

use std::path::Path;
use std::process::Output;

use grandstand_testing::Folder;
use serde_json::Value;

use crate::program::grandstand;

const RUBRIC: &str = "
game = \"abalone\"
seed = 11
settings = { GAME_LENGTH = 60000 }
[[test]]
beats = \"idle\"
score = 0.6
games = 8
points = 20
[[test]]
name = \"the simple bot\"
beats = \"simple_bot\"
score = 0.6
games = 8
points = 40
partial = true
";

fn grade(folder: &Folder, arguments: &[&str]) -> Output {
    grandstand().arg("grade").args(arguments).current_dir(folder.path()).output().unwrap()
}

fn told(folder: &Folder, arguments: &[&str]) -> String {
    let output = grade(folder, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn refused(folder: &Folder, arguments: &[&str]) -> String {
    let output = grade(folder, arguments);
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn the_same_bot_has_the_same_grade_byte_for_byte() {
    let folder = Folder::new();
    folder.file("rubric.toml", RUBRIC);
    let mut grades = Vec::new();
    for jobs in ["1", "3"] {
        let files = ["--csv", "grade.csv", "--gradescope", "results.json", "--jobs", jobs];
        let text = told(&folder, &[&["random", "--rubric", "rubric.toml"][..], &files].concat());
        grades.push((text, folder.read("grade.csv"), folder.read("results.json")));
    }
    assert_eq!(grades[0], grades[1]);
    let (text, csv, results) = grades.remove(0);
    let results: Value = serde_json::from_slice(&results).unwrap();
    let points = results["score"].as_f64().unwrap();
    assert!(text.starts_with(&format!("random: {points} of 60 points\n")), "{text}");
    assert!(text.contains("beats idle") && text.contains("the simple bot"), "{text}");
    // Random movers lose to the simple bot, and the report names the causes.
    let simple = &results["tests"][1];
    assert_eq!(
        (&simple["name"], &simple["max_score"], &simple["status"]),
        (&"the simple bot".into(), &40.0.into(), &"failed".into())
    );
    let output = simple["output"].as_str().unwrap();
    assert!(output.contains("\nthe first match that it lost, as "), "{output}");
    assert!(output.contains("a move failed that was committed at random.cl:"), "{output}");
    let csv = String::from_utf8(csv).unwrap();
    assert_eq!(csv.lines().count(), 3);
    assert!(
        csv.starts_with("bot,test,points,of,won,drawn,lost,share,wanted\n\"random\",\"beats idle\","),
        "{csv}"
    );
}

#[test]
fn a_better_bot_has_more_points() {
    let folder = Folder::new();
    folder.file("rubric.toml", RUBRIC);
    let points = |bot: &str| {
        told(&folder, &[bot, "--rubric", "rubric.toml", "--gradescope", "results.json"]);
        let results: Value = serde_json::from_slice(&folder.read("results.json")).unwrap();
        results["score"].as_f64().unwrap()
    };
    assert_eq!(points("team"), 60.0);
    assert!(points("idle") < 40.0);
}

#[test]
fn all_maps_and_both_sides_are_played() {
    let folder = Folder::new();
    let rubric = "game = \"shark\"\nsettings = { GAME_LENGTH = 100000 }\n[[test]]\nbeats = \"rust:random\"\nscore = 0.1\npoints = 5\n";
    folder.file("rubric.toml", format!("{rubric}games = 4\n"));
    let error = refused(&folder, &["stupidbot", "--rubric", "rubric.toml"]);
    assert!(
        error.contains("the test `beats rust:random`: 4 games are too few for both sides of 5 maps"),
        "{error}"
    );
    folder.file("rubric.toml", format!("{rubric}games = 10\n"));
    assert!(told(&folder, &["stupidbot", "--rubric", "rubric.toml"]).contains(" of 10: "));
    folder.file("rubric.toml", format!("{rubric}games = 2\nmaps = [\"reef\"]\n"));
    assert!(told(&folder, &["stupidbot", "--rubric", "rubric.toml"]).contains(" of 2: "));
    folder.file("rubric.toml", format!("{rubric}games = 2\nmaps = [\"atlantis\"]\n"));
    let error = refused(&folder, &["stupidbot", "--rubric", "rubric.toml"]);
    assert!(error.contains("there is no map `atlantis`; expected some of: "), "{error}");
}

#[test]
fn a_bot_that_does_not_load_has_no_points_and_is_told_why() {
    let folder = Folder::new();
    folder.file("rubric.toml", RUBRIC);
    folder.file("broken.cl", "let x = 1");
    let text = told(&folder, &["broken.cl", "--rubric", "rubric.toml"]);
    assert!(text.starts_with("broken.cl: 0 of 60 points\n"), "{text}");
    assert!(text.contains("no match was played: the program does not load\n    broken.cl:1:"), "{text}");
}

#[test]
fn a_rubric_that_is_wrong_is_refused_before_anything_is_played() {
    let folder = Folder::new();
    let error = |rubric: &str| {
        folder.file("rubric.toml", rubric);
        refused(&folder, &["idle", "--rubric", "rubric.toml"])
    };
    let unknown = error(&RUBRIC.replace("seed = 11", "sed = 11"));
    assert!(unknown.contains("the rubric rubric.toml: TOML parse error at line 3, column 1"), "{unknown}");
    assert!(unknown.contains("unknown field `sed`"), "{unknown}");
    let nobody = error(&RUBRIC.replace("\"idle\"", "\"nobody\""));
    assert!(nobody.contains("the test `beats nobody`: `nobody` is not a player of Abalone"), "{nobody}");
    let setting = error(&RUBRIC.replace("GAME_LENGTH", "GAME_LENTGH"));
    assert!(setting.contains("`GAME_LENTGH` is not a setting"), "{setting}");
    assert!(refused(&folder, &["idle", "--rubric", "none.toml"]).contains("can't read the rubric none.toml"));
    folder.file("rubric.toml", RUBRIC);
    assert!(refused(&folder, &["none.cl", "--rubric", "rubric.toml"]).contains("none.cl"));
}

/// Runs the sample autograder on a submission in a temporary root; returns its results.
#[cfg(unix)]
fn autograded(files: &[(&str, &str)]) -> Value {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/grading/gradescope");
    let folder = Folder::new();
    for directory in ["source", "submission", "results"] {
        std::fs::create_dir(folder.path().join(directory)).unwrap();
    }
    let rubric = std::fs::read_to_string(samples.join("rubric.toml")).unwrap();
    // The sample's own rubric, with fewer matches.
    folder.file(
        "source/rubric.toml",
        rubric.replace("games = 200", "games = 4").replace("games = 40", "games = 4"),
    );
    for (name, text) in files {
        folder.file(&format!("submission/{name}"), text);
    }
    let status = std::process::Command::new("bash")
        .arg(samples.join("run_autograder"))
        .env("AUTOGRADER_ROOT", folder.path())
        .env("GRANDSTAND", crate::program::GRANDSTAND)
        .status()
        .unwrap();
    assert!(status.success());
    serde_json::from_slice(&folder.read("results/results.json")).unwrap()
}

#[cfg(unix)]
#[test]
fn the_sample_autograder_writes_results_whatever_is_handed_in() {
    let team = include_str!("../../bots/abalone/team.cl");
    let good = autograded(&[("team.cl", team)]);
    let tests = good["tests"].as_array().unwrap();
    assert_eq!(tests.len(), 3);
    assert!(good["score"].as_f64().unwrap() >= 40.0, "{good}");
    let broken = autograded(&[("team.cl", "let")]);
    assert_eq!(broken["score"], 0.0);
    assert!(broken["tests"][0]["output"].as_str().unwrap().contains("team.cl:1:"), "{broken}");
    let nothing = autograded(&[("readme.txt", "hello")]);
    assert_eq!(nothing["score"], 0);
    assert!(nothing["output"].as_str().unwrap().contains("team.cl or team.rcl"), "{nothing}");
}
