//! `grandstand play gomoku` and `pente` as a program: people at a terminal, many matches, and invalid arguments.

use std::process::Output;

use grandstand_testing::process::run_with;
use serde_json::Value;

use crate::program::grandstand;

/// Output of a match in which a person types `input`.
fn typed(arguments: &[&str], input: &str) -> Output {
    run_with(grandstand().args(arguments), input)
}

fn play(arguments: &[&str]) -> Output {
    typed(&[&["play"], arguments].concat(), "")
}

fn failure(arguments: &[&str]) -> String {
    let output = play(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn what_can_not_be_played_is_refused_with_the_reason() {
    let gomoku = |more: &[&str]| failure(&[&["gomoku", "random", "stupid"], more].concat());
    for size in ["6", "3", "1001", "0"] {
        let expected = format!("SIZE is {size}; expected an odd number from 5 to 999");
        assert!(gomoku(&["--size", size]).contains(&expected), "{size}");
    }
    assert!(gomoku(&["--time", "0"]).contains("the time of a side is zero; expected at least 1 ms"));
    assert!(gomoku(&["--time", "soon"]).contains("`soon` is not a time control; expected `none`, `5m`"));
    assert!(
        gomoku(&["--move-time", "0s"]).contains("`--move-time` is 0s; expected a time such as 1s or 500ms")
    );
    assert!(
        gomoku(&["--time", "none", "--increment", "2s"]).contains("an increment without a time for the game")
    );
    assert!(gomoku(&["--set", "TIME=5"]).contains("TIME is 5; expected a text such as \"5m\""));
    assert!(
        gomoku(&["--rule", "chess"])
            .contains("RULE is \"chess\"; expected one of freestyle, exactly5, renju")
    );
    assert!(
        gomoku(&["--rule", "pente"])
            .contains("RULE is \"pente\"; expected one of freestyle, exactly5, renju")
    );
    assert!(gomoku(&["--tournament"]).contains("TOURNAMENT is a rule of Pente"));
    assert!(
        gomoku(&["--opening", "wild"])
            .contains("--opening wild: expected centre, free, swap2, balanced or a file")
    );
    assert!(gomoku(&["--opening", "balanced", "--size", "5"]).contains("none of the openings fits"));
    assert!(gomoku(&["--set", "LIVES=3"]).contains(
        "`LIVES` is not a setting; expected one of OPENING, RULE, SIZE, START, TIME, TOURNAMENT\n"
    ));
    assert!(
        gomoku(&["--map", "earth"])
            .contains("--map is for λ-Shark, Steam Fortress and Riskless; Gomoku has no maps")
    );
    assert!(gomoku(&["--winning-score", "3"]).contains("--winning-score is for Abalone, not for Gomoku, "));
    assert!(gomoku(&["--time", "1m", "--pace", "1"]).contains("--pace is for matches without clocks"));
    assert!(
        failure(&["pente", "random", "random", "--rule", "renju"])
            .contains("RULE is \"renju\"; expected one of pente")
    );

    for wrong in ["big", "-5", "6", "70000000000"] {
        let told = gomoku(&["--set", &format!("SIZE={wrong}")]);
        assert!(
            told.ends_with("; expected an odd number from 5 to 999\n") && told.matches("SIZE").count() == 1,
            "{told}"
        );
    }
    assert!(gomoku(&["--set", "TOURNAMENT=1"]).contains("TOURNAMENT is 1; expected true or false\n"));
    assert!(
        failure(&["riskless", "random", "random", "--set", "MAP=3"])
            .contains("MAP is 3; expected the name of a map or the lines of one\n")
    );

    let players = |first: &str| failure(&["gomoku", first, "random"]);
    assert!(players("foo").contains("`foo` is not a player of Gomoku; expected one of: person, "));
    assert!(players("stupid:fast").contains("`stupid:fast`: it has no options"));
    assert!(
        players("search:speed=9")
            .contains("`search:speed=9`: `speed` is unknown; expected time, nodes, depth, threads, memory\n")
    );
    assert!(players("search:depth=0").contains("`depth` is 0; expected a number from 1 to 100"));
    assert!(
        failure(&["gomoku", "person", "random", "--matches", "3"])
            .contains("a person plays one match at a time")
    );
}

#[test]
fn a_file_of_openings_is_read_or_its_faults_are_told() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("openings.txt");
    let with = |text: &str| {
        std::fs::write(&file, text).unwrap();
        let file = file.to_str().unwrap();
        play(&["gomoku", "random", "random", "--seed", "3", "--opening", file, "--json", "--verbose"])
    };
    assert_eq!(with("h8 i9 g7\n").status.code(), Some(0));
    let broken = with("h8 i9 g7\nh8 h8 i9\n");
    let said = String::from_utf8(broken.stderr).unwrap();
    assert!(broken.status.code() == Some(2) && said.contains("line 2"), "{said}");
}

#[test]
fn a_person_types_moves_and_is_told_why_one_is_refused() {
    let lines = "help\nz99\ni8\nh8\nh8\nboard\nmoves\nsay good luck\nresign\n";
    let output = typed(&["play", "gomoku", "person", "stupid", "--seed", "1"], lines);
    let (said, result) =
        (String::from_utf8(output.stderr).unwrap(), String::from_utf8(output.stdout).unwrap());
    assert!(result.starts_with("white (stupid) wins by resignation, after 2 moves; seed 1"), "{result}");
    for expected in [
        "You play black; time: 5m.",
        "A move is a column and a row, such as h8.",
        "z99 is off the board, which has 15 columns and rows",
        "i8 is not the centre; black's first stone goes to h8",
        "h8 has a black stone",
        "move 2: white played",
        "X is black, O is white",
        "white has won: you gave up.",
        "`quit` leaves the match",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    assert!(!said.contains("this move"), "there is no limit for a move: {said}");
    // Both started with five minutes; a loaded machine may have used some at the start.
    let (_, clocks) = said.split_once("clocks: black ").expect("the clocks");
    let (black, rest) = clocks.split_once(", white ").expect("both clocks");
    for clock in [black, rest.lines().next().unwrap_or_default()] {
        let (minutes, seconds) = clock.trim().split_once(':').expect("minutes and seconds");
        let left = minutes.parse::<u32>().unwrap() * 60 + seconds.parse::<u32>().unwrap();
        assert!((240..=300).contains(&left) && seconds.len() == 2, "{clock}: {said}");
    }
    let output = typed(&["play", "gomoku", "person", "stupid", "--move-time", "60s", "--json"], "h8\nquit\n");
    let (said, result) = (String::from_utf8(output.stderr).unwrap(), output.stdout);
    let result: Value = serde_json::from_slice(&result).unwrap();
    assert_eq!((&result["termination"], &result["reason"]), (&"left".into(), &"it quit".into()));
    assert!(said.contains("this move ") && said.contains("white has won: you left."), "{said}");
    // A person whose input ends has left.
    let output = typed(&["play", "gomoku", "stupid", "person", "--seed", "1", "--json"], "");
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&result["outcome"], &result["termination"]), (&"black".into(), &"left".into()));
}

#[test]
fn two_people_at_one_keyboard_take_turns_in_an_opening_too() {
    let lines = "stay\nhelp\nh8 h8 i9\nh8 i9 g7\nhelp\nswap\na1\n\nresign\n";
    let arguments = ["play", "gomoku", "person", "person", "--opening", "swap2", "--time", "1m", "--json"];
    let output = typed(&arguments, lines);
    let (said, result) = (String::from_utf8(output.stderr).unwrap(), output.stdout);
    let result: Value = serde_json::from_slice(&result).unwrap();
    // After the swap the second player has black; it resigns after white's first move.
    assert_eq!(
        (&result["outcome"], &result["termination"], &result["moves"]),
        (&"white".into(), &"resigned".into(), &4.into())
    );
    assert_eq!(result["swapped"], true);
    for expected in [
        "Three stones are placed in one line",
        "`stay` keeps white, `swap` takes black and leaves white to the other player",
        "You have won: black gave up.",
        "white has won: you gave up.",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    assert!(said.contains("three stones come first") && said.contains("h8 has a black stone"), "{said}");
}

#[test]
fn stupid_beats_random_and_our_search_beats_stupid() {
    let many = |game: &str, first: &str, second: &str, matches: &str| -> Value {
        let output = play(&[game, first, second, "--matches", matches, "--seed", "7", "--json"]);
        assert_eq!(output.status.code(), Some(0));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let result = many("gomoku", "stupid", "random", "40");
    assert!(result["wins"][0]["count"].as_u64() >= Some(38), "{result}");
    for game in ["gomoku", "pente"] {
        let result = many(game, "search:nodes=3000", "stupid", "4");
        assert_eq!(result["wins"][0]["count"], 4, "{result}");
    }
}

#[test]
fn inputs_become_the_recording_that_the_match_has() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let (inputs, recorded, converted) = (path("a.inputs"), path("a.replay"), path("b.replay"));
    let arguments =
        ["play", "pente", "person", "stupid", "--time", "1m+1s", "--inputs", &inputs, "--record", &recorded];
    let output = typed(&arguments, "j10\nsay hm\na1\na3\nresign\n");
    assert_eq!(output.status.code(), Some(0));
    let output = typed(&["convert", &inputs, &converted], "");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = |file: &str| -> Vec<String> {
        std::fs::read_to_string(file).unwrap().lines().skip(1).map(str::to_owned).collect()
    };
    assert!(lines(&recorded).len() > 10);
    assert_eq!(lines(&converted), lines(&recorded));
    let text = std::fs::read_to_string(&inputs).unwrap();
    let of_now = "\"rules\":1}";
    assert!(text.contains(of_now), "{text:.300}");
    let convert = |text: &str| {
        std::fs::write(&inputs, text).unwrap();
        let output = typed(&["convert", &inputs, &converted], "");
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(!convert(&text).contains("drawn by"));
    let told = convert(&text.replace(of_now, "\"rules\":1000}"));
    assert!(told.contains("with version 1000 of the rules, and this is Grandstand "), "{told}");
    std::fs::write(&inputs, "{\"grandstand-inputs\":9,\"game\":\"pente\"}\n").unwrap();
    let output = typed(&["convert", &inputs, &converted], "");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.code() == Some(2) && said.contains("line 1: expected inputs of version 1"),
        "{said}"
    );
}
