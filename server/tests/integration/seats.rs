//! `grandstand play` with a server of its own: whole matches played over HTTP, from taking a seat to the result, and
//! matches that are watched.
#![cfg(unix)]

use std::time::Duration;

use grandstand_testing::process::signal;
use grandstand_testing::{Hosted, http, until, until_some};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::program::grandstand;

/// A match that serves itself.
struct Match(Hosted);

impl Match {
    fn play(arguments: &[&str]) -> Self {
        let mut command = grandstand();
        command.arg("play").args(arguments).args(["--no-window", "--json"]);
        Self(Hosted::launch(&mut command, "The match is at "))
    }

    fn path(&self, path: &str) -> String {
        format!("/api/matches/{}{path}", self.0.id)
    }

    fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        loop {
            let answer = http::post(&self.0.address, &self.path(path), &body.to_string());
            if answer.status != 429 {
                return (answer.status, answer.json());
            }
            // A fast test must not exceed the rate limit.
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    fn summary(&self) -> Value {
        http::get(&self.0.address, &self.path("")).json()
    }

    /// Waits until the seats match a condition; at every moment they have different teams.
    fn seats(&self, are_so: impl Fn(&Value) -> bool) -> Value {
        until_some("seats", || {
            let seats = self.summary()["seats"].clone();
            // Before the header is there, there are none.
            assert!(seats.is_null() || seats[0]["team"] != seats[1]["team"], "{seats}");
            are_so(&seats).then_some(seats)
        })
    }

    /// Takes the seat; returns its token.
    fn sit(&self, team: &str) -> String {
        let (status, taken) = self.post("/seats", &json!({ "team": team, "name": "Ann" }));
        assert_eq!((status, &taken["team"]), (200, &json!(team)), "{taken}");
        taken["token"].as_str().unwrap().to_owned()
    }

    fn mv(&self, token: &str, ply: u32, mv: &str) -> (u16, String) {
        let (status, answer) = self.post("/moves", &json!({ "token": token, "ply": ply, "move": mv }));
        (status, answer["error"].as_str().unwrap_or_default().to_owned())
    }

    /// Moves as soon as it is this player's turn.
    fn mv_in_turn(&self, token: &str, ply: u32, mv: &str) {
        until(mv, || match self.mv(token, ply, mv) {
            (200, _) => true,
            (409, _) => false,
            refused => panic!("{mv}: {refused:?}"),
        });
    }

    /// The result that it prints at its end, which must be successful.
    fn result(mut self) -> Value {
        let result = self.0.output();
        assert!(self.0.is_recorded(), "no recording of {}", self.0.id);
        serde_json::from_str(&result).unwrap()
    }
}

#[test]
fn matches_of_any_game_are_served_to_be_watched() {
    let matches: [(&str, &[&str]); 3] = [
        (
            "abalone",
            &["abalone", "random", "team", "--set", "GAME_LENGTH=20000", "--watch", "--pace", "0.05"],
        ),
        ("shark", &["shark", "random", "random", "--set", "GAME_LENGTH=50000", "--watch"]),
        ("fortress", &["fortress", "weak", "weak", "--set", "cTIME_LIMIT=2000", "--watch"]),
    ];
    for (game, arguments) in matches {
        let watched = Match::play(arguments);
        let summary = watched.summary();
        assert_eq!((&summary["game"], &summary["state"]), (&json!(game), &json!("live")), "{summary}");
        let result = watched.result();
        assert!(result["termination"].is_string(), "{result}");
    }
}

#[test]
fn two_seats_play_to_five_in_a_row() {
    let game = Match::play(&["gomoku", "seat", "seat"]);
    let free = json!([{ "team": "black", "taken": false }, { "team": "white", "taken": false }]);
    assert_eq!(game.seats(Value::is_array), free);
    let black = game.sit("black");
    assert_eq!(game.post("/seats", &json!({ "team": "black" })).0, 409);
    // The match begins when both players are there.
    assert_eq!(game.mv(&black, 0, "h8"), (409, "the match has not begun: white is not there yet".into()));
    let white = game.sit("white");
    game.mv_in_turn(&black, 0, "h8");
    let (status, words) = game.mv(&black, 1, "h9");
    assert!(status == 409 && words.contains("turn"), "{words}");
    let refused = |ply, mv: &str| {
        let (status, words) = game.mv(&white, ply, mv);
        assert_eq!(status, 409, "{mv}: {words}");
        words
    };
    game.mv_in_turn(&white, 1, "a1");
    for (ply, (own, other)) in (2..).step_by(2).zip([("h9", "b1"), ("h10", "c1"), ("h11", "d1")]) {
        game.mv_in_turn(&black, ply, own);
        if ply == 2 {
            // White's turn: an illegal move is refused with the rules' message, and the turn continues.
            until("it is this player's turn", || !refused(3, "h8").contains("turn"));
            assert!(refused(3, "h8").contains("h8"), "{}", refused(3, "h8"));
            assert!(refused(3, "z99").contains("z99"), "{}", refused(3, "z99"));
            assert!(refused(3, "pass").contains("pass"));
            assert!(refused(2, "b1").contains("picture with 2 moves"), "{}", refused(2, "b1"));
        }
        game.mv_in_turn(&white, ply + 1, other);
    }
    game.mv_in_turn(&black, 8, "h12");
    let result = game.result();
    assert_eq!((&result["outcome"], &result["termination"]), (&json!("black"), &json!("five")), "{result}");
}

#[test]
fn an_opening_asks_the_seats_and_swaps_both_at_once() {
    let game = Match::play(&["gomoku", "seat", "seat", "--opening", "swap2"]);
    let (first, second) = (game.sit("black"), game.sit("white"));
    let seats = game.seats(|seats| seats[0]["question"].is_object());
    assert_eq!(
        (&seats[0]["question"], seats[1].get("question")),
        (&json!({ "text": "place three stones: black, white, black", "places": 3 }), None)
    );
    game.mv_in_turn(&first, 0, "h8 i9 c3");
    let choices =
        json!([{ "move": "stay", "label": "Keep white" }, { "move": "swap", "label": "Take black" }]);
    let seats = game.seats(|seats| seats[1]["question"].is_object());
    let text = "keep white, take black, or place two more";
    assert_eq!(seats[1]["question"], json!({ "text": text, "places": 2, "choices": choices }));
    assert_eq!(seats[0].get("question"), None);
    game.mv_in_turn(&second, 3, "d4 e5");
    let seats = game.seats(|seats| seats[0]["question"].is_object());
    let choices =
        json!([{ "move": "stay", "label": "Keep black" }, { "move": "swap", "label": "Take white" }]);
    assert_eq!(seats[0]["question"], json!({ "text": "keep black or take white", "choices": choices }));
    game.mv_in_turn(&first, 5, "swap");
    let seats = game.seats(|seats| seats[0]["team"] == "white");
    let seat = |team: &str| json!({ "team": team, "taken": true, "name": "Ann" });
    assert_eq!(seats, json!([seat("white"), seat("black")]));
    // The token stays with the seat: the player who began as black moves for white now.
    game.mv_in_turn(&first, 5, "o1");
    game.mv_in_turn(&second, 6, "resign");
    let result = game.result();
    let expected = (&json!("white"), &json!("resigned"));
    assert_eq!((&result["outcome"], &result["termination"]), expected, "{result}");
}

#[test]
fn a_seat_plays_against_a_program_and_gives_up() {
    let game = Match::play(&["gomoku", "stupid", "seat", "--time", "5m"]);
    assert_eq!(game.summary()["seats"], json!([{ "team": "white", "taken": false }]));
    let token = game.sit("white");
    game.mv_in_turn(&token, 1, "a1");
    assert_eq!(game.mv(&token, 1, "resign").0, 200);
    let result = game.result();
    let expected = (&json!("black"), &json!("resigned"));
    assert_eq!((&result["outcome"], &result["termination"]), expected, "{result}");
}

#[test]
fn seats_untaken_or_left_lose_after_a_while() {
    let game = Match::play(&["pente", "seat:wait=300ms", "stupid"]);
    let result = game.result();
    assert_eq!((&result["outcome"], &result["termination"]), (&json!("white"), &json!("left")), "{result}");

    let game = Match::play(&["gomoku", "seat:wait=2s", "stupid"]);
    let token = game.sit("black");
    game.mv_in_turn(&token, 0, "h8");
    assert_eq!(game.post("/leave", &json!({ "token": token })).0, 200);
    assert_eq!(game.mv(&token, 2, "h9").0, 403);
    // Another player may take the seat, and plays on.
    let token = game.sit("black");
    game.mv_in_turn(&token, 2, "o15");
    assert_eq!(game.post("/leave", &json!({ "token": token })).0, 200);
    let result = game.result();
    assert_eq!((&result["outcome"], &result["termination"]), (&json!("white"), &json!("left")), "{result}");
}

#[test]
fn a_seat_that_does_not_move_loses_by_its_clock() {
    let game = Match::play(&["gomoku", "seat", "stupid", "--time", "1s"]);
    game.sit("black");
    let result = game.result();
    assert_eq!((&result["outcome"], &result["termination"]), (&json!("white"), &json!("time")), "{result}");
}

#[test]
fn a_match_that_is_interrupted_ends_in_order() {
    let mut game = Match::play(&["gomoku", "seat", "stupid"]);
    game.sit("black");
    signal(Signal::INT, game.0.child.id());
    assert!(game.0.child.wait().unwrap().success());
}

#[test]
fn a_second_match_in_the_same_folder_has_ports_and_a_directory_of_its_own() {
    let first = Match::play(&["gomoku", "seat", "stupid"]);
    let mut command = grandstand();
    command.args(["play", "gomoku", "stupid", "seat", "--no-window", "--json"]);
    let second = Match(Hosted::launch_in(first.0.folder.clone(), &mut command, "The match is at "));
    assert_ne!(first.0.address, second.0.address);
    first.sit("black");
    second.sit("white");
    until("both are recorded", || {
        first.0.is_recorded_in("grandstand-data") && second.0.is_recorded_in("grandstand-data-2")
    });
}

/// The live match after the one with this id, in full.
fn next_match(game: &Match, before: &str) -> Value {
    let address = &game.0.address;
    let id = until_some("the next match", || {
        let list = http::get(address, "/api/matches").json();
        let newest =
            list.as_array()?.iter().find(|summary| summary["state"] == "live" && summary["id"] != before)?;
        Some(newest["id"].as_str()?.to_owned())
    });
    // Its header comes a little after its connection.
    until_some("its seats", || {
        let summary = http::get(address, &format!("/api/matches/{id}")).json();
        summary["seats"].is_array().then_some(summary)
    })
}

#[test]
fn rematches_that_nobody_could_be_offered_are_refused() {
    for (arguments, words) in [
        (&["seat", "stupid", "--record", "x.replay"][..], "cannot be used with '--record"),
        (&["seat", "stupid", "--json"], "cannot be used with '--json"),
        (&["stupid", "stupid"], "--rematches needs a player seat"),
        (&["seat", "stupid", "--bridge", "127.0.0.1:1"], "--rematches needs a player seat"),
    ] {
        let output = grandstand().args(["play", "gomoku", "--rematches"]).args(arguments).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && told.contains(words), "{arguments:?}: {told}");
    }
}

#[test]
fn who_has_a_seat_plays_a_rematch_and_matches_with_other_settings() {
    let mut command = grandstand();
    command.args(["play", "gomoku", "seat", "stupid", "--no-window", "--rematches"]);
    let mut game = Match(Hosted::launch(&mut command, "The match is at "));
    let first = game.0.id.clone();
    let offered = |summary: &Value, name: &str| {
        let settings = summary["setup"].as_array().expect("settings to choose from").clone();
        settings.into_iter().find(|setting| setting["name"] == name).expect("the setting")["value"].clone()
    };
    assert_eq!(offered(&game.summary(), "SIZE"), "15");
    let token = game.sit("black");
    game.mv_in_turn(&token, 0, "h8");
    until("it is given up", || game.mv(&token, 1, "resign").0 == 200);

    // A rematch waits, with swapped colours.
    let rematch = next_match(&game, &first);
    assert_eq!(rematch["seats"][0]["team"], "white");
    assert_eq!(offered(&rematch, "SIDE"), "white");
    let second = rematch["id"].as_str().unwrap().to_owned();
    game.0.id.clone_from(&second);
    let nobody = json!({ "token": "00", "settings": { "SIZE": "19" } });
    assert_eq!(game.post("/new", &nobody).0, 403);
    let token = game.sit("white");
    let ask = |settings: Value| game.post("/new", &json!({ "token": token, "settings": settings }));
    let (status, refused) = ask(json!({ "SIZE": "999" }));
    assert_eq!((status, &refused["error"]), (409, &json!("`999` is not offered for Board")));
    assert_eq!(ask(json!({ "SIZE": "19", "TIME": "none", "SIDE": "black" })).0, 200);

    // Another match takes its place, and nothing is told of how the one before ended.
    let third = next_match(&game, &second);
    assert_eq!((&third["rules"]["SIZE"], &third["rules"]["TIME"]), (&json!(19), &json!("none")));
    assert_eq!(third["seats"], json!([{ "team": "black", "taken": false }]));
    until("it is over", || game.summary()["state"] == "finished");
    assert_eq!(game.summary()["result"], Value::Null);
    signal(Signal::INT, game.0.child.id());
    assert!(game.0.child.wait().unwrap().success());
}

#[test]
fn a_seat_plays_one_match_at_a_time() {
    let output = grandstand().args(["play", "gomoku", "seat", "stupid", "--matches", "2"]).output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && words.contains("one match at a time"), "{words}");
    let output = grandstand().args(["play", "gomoku", "seat:chair=2", "stupid"]).output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.code() == Some(2) && words.contains("`chair` is unknown; expected wait\n"),
        "{words}"
    );
}
