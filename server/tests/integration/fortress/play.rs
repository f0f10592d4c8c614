//! `grandstand play fortress` as a program, and matches of shipped teams in one process.

use std::process::Output;

use grandstand::games::from_header;
use grandstand_matches::games::fortress::spec::ShippedMatch;
use grandstand_matches::games::fortress::teams::ShippedTeam;
use grandstand_matches::{MatchSpec, RunningMatch};
use grandstand_protocol::fortress::Scene;
use grandstand_protocol::{self as protocol, Game, Micros};
use grandstand_rules::fortress::{ByTeam, Rules, maps};
use grandstand_testing::Folder;
use serde_json::Value;

use crate::program::grandstand;

fn play(arguments: &[&str]) -> Output {
    let mut command = grandstand();
    command.args(["play", "fortress"]).args(arguments).output().unwrap()
}

fn failure(arguments: &[&str]) -> String {
    let output = play(arguments);
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8(output.stderr).unwrap()
}

fn fixture(red: &str, blue: &str, map: &str, seed: u64) -> ShippedMatch {
    let team = |name| ShippedTeam::named(name).unwrap();
    let map = maps::by_name(map).unwrap();
    ShippedMatch { rules: Rules::default(), map, teams: ByTeam::new(team(red), team(blue)), seed }
}

/// All drawn commands, and the ending; at every moment the drawn scene must equal the world's.
fn run(fixture: &dyn MatchSpec) -> (Vec<String>, grandstand_matches::Ending) {
    let mut contest: Box<dyn RunningMatch> = fixture.start().unwrap();
    let (mut lines, mut scene) = (Vec::new(), Scene::default());
    loop {
        for stamped in contest.drain_commands() {
            if let protocol::Command::Fortress(command) = &stamped.command {
                scene.apply(0, Micros(0), command);
            }
            lines.push(format!("{} {}", stamped.tick, stamped.command.to_line()));
        }
        let protocol::Scene::Fortress(projected) = contest.scene() else { panic!("another game") };
        assert_eq!(scene.units(), projected.units());
        if let Some(ending) = contest.ending() {
            return (lines, ending);
        }
        contest.advance();
    }
}

#[test]
fn the_strong_team_wins_on_every_map_from_both_sides() {
    for (map, _) in maps::SHIPPED {
        for (red, blue, winner) in [("strong", "weak", 0), ("weak", "strong", 1)] {
            let (_, ending) = run(&fixture(red, blue, map, 7));
            assert_eq!(ending.winner, Some(winner), "{red} against {blue} on {map}");
        }
    }
}

#[test]
fn the_weak_team_is_no_straw_man() {
    // Without opposition it takes every point.
    let (lines, ending) = run(&fixture("weak", "weak", "meadow", 3));
    assert!(lines.iter().any(|line| line.contains("control ")));
    assert!(lines.iter().any(|line| line.contains("hit ")));
    assert!(ending.tick > 10_000);
}

#[test]
fn the_same_seed_gives_the_same_match_and_its_header_repeats_it() {
    let first = fixture("strong", "weak", "ridge", 11);
    let (lines, ending) = run(&first);
    assert_eq!(run(&first).0, lines);
    assert_ne!(run(&*first.variation(12, false)).0, lines);
    let header = first.header(None);
    let second = from_header(Game::Fortress, &header).unwrap();
    assert_eq!(second.header(None), header);
    assert_eq!(run(&*second), (lines, ending));
    // A real-time match can only be replayed from its inputs.
    let mut real = header.clone();
    real.rules.as_mut().unwrap()["CLOCK"] = "real".into();
    assert!(from_header(Game::Fortress, &real).is_err_and(|error| error.to_string().contains("inputs")));
}

#[test]
fn a_match_is_played_headless_and_recorded() {
    let folder = Folder::new();
    let file = folder.join("a.replay");
    let name = file.to_str().unwrap();
    let output = play(&["strong", "weak", "--seed", "5", "--map", "canyon", "--json", "--record", name]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&result["game"], &result["outcome"]), (&"fortress".into(), &"red".into()));
    assert_eq!(result["score"]["red"].as_u64().unwrap(), 5);
    let replay = folder.text("a.replay");
    assert!(replay.starts_with("{\"grandstand\":1,\"game\":\"fortress\""), "{replay:.100}");
    assert!(replay.contains("\"remove ") && replay.contains("\"control 4 red\""));
}

#[test]
fn many_matches_are_counted() {
    let output = play(&["strong", "weak", "--matches", "4", "--seed", "0", "--expect-wins", "4"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(String::from_utf8(output.stdout).unwrap().contains("as red"));
}

#[test]
fn a_setting_of_the_game_is_set_by_its_name() {
    let output = play(&["weak", "weak", "--set", "cTIME_LIMIT=1000", "--json"]);
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&result["millis"], &result["termination"]), (&1_000.into(), &"time".into()));
}

#[test]
fn a_program_that_fails_says_why_at_the_terminal() {
    let output = play(&[
        "team:sh -c 'echo no such module; exit 3'",
        "weak",
        "--port=0",
        "--speed=100",
        "--set=cTIME_LIMIT=1000",
    ]);
    assert!(output.status.success());
    let lost = "blue (weak) wins 2:2 because the other did not start, after 0 seconds";
    let result = String::from_utf8(output.stdout).unwrap();
    assert!(result.starts_with(lost) && result.contains("; red: it ended with exit status 3"), "{result}");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.contains("red's program: it ended with exit status 3; its last words: no such module"),
        "{told}"
    );
}

#[test]
fn a_terminal_obeys_no_program() {
    let clear = r#"team:sh -c "printf 'x\\033[2J\\033]0;mine\\007\\r\\302\\2332J'; exit 3""#;
    let output = play(&[clear, "weak", "--port=0", "--speed=100", "--set=cTIME_LIMIT=1000", "-v"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains(r"its last words: x\u{1b}[2J\u{1b}]0;mine\u{7}\u{d}\u{9b}2J"), "{told}");
    let obeyed = |c: char| c.is_control() && c != '\n';
    assert!(
        !told.contains(obeyed) && !String::from_utf8(output.stdout).unwrap().contains(obeyed),
        "{told:?}"
    );
}

#[test]
fn what_can_not_be_played_is_said() {
    assert!(failure(&["strong", "rambo"]).contains(
        "expected strong, weak, sparring-1, sparring-2, sparring-3, team:COMMAND, wait or wait:SECRET"
    ));
    assert!(
        failure(&["strong", "weak", "--map", "nowhere"])
            .contains("--map nowhere: there is no such file; the shipped maps are meadow, ")
    );
    assert!(failure(&["strong", "team:'x"]).contains("never closed"));
    assert!(failure(&["strong", "wait", "--pace", "1"]).contains("--speed"));
    assert!(failure(&["strong", "weak", "--speed", "0"]).contains("0.1 to 100"));
    assert!(failure(&["strong", "weak", "--speed", "1", "--team-limit", "x=1"]).contains("line-bytes"));
    assert!(failure(&["strong", "weak", "--speed", "1", "--program-limit", "x=1"]).contains("memory-mib"));
    assert!(failure(&["strong", "weak", "--set", "cTIME_LIMIT=0"]).contains("cTIME_LIMIT"));
    assert!(failure(&["strong", "weak", "--set", "cCOLOUR=1"]).contains("`cCOLOUR` is not a setting"));
    assert!(failure(&["strong", "weak", "--inputs", "x"]).contains("--inputs is for matches in real time"));
    assert!(
        failure(&["strong", "weak", "--set", "MAP=nowhere"])
            .contains("MAP is \"nowhere\"; expected one of meadow, ")
    );
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    assert!(failure(&["strong", "weak", "--speed", "1", "--port", &port]).contains("can't listen on"));
}
