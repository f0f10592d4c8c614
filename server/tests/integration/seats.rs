//! `grandstand play` with a server of its own: whole matches that are played over HTTP, from taking a seat to the result, and
//! matches that are watched.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

/// A match that serves itself, and where it is.
struct Match {
    process: Child,
    address: String,
    id: String,
    directory: PathBuf,
}

impl Match {
    fn play(name: &str, arguments: &[&str]) -> Self {
        let directory = std::env::temp_dir().join(format!("grandstand-seats-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let mut process = Command::new(env!("CARGO_BIN_EXE_grandstand"))
            .arg("play")
            .args(arguments)
            .args(["--no-window", "--json"])
            .current_dir(&directory)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut told = String::new();
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let url = loop {
            let line = lines.next().unwrap_or_else(|| panic!("it ended without an address: {told}")).unwrap();
            if let Some(url) = line.strip_prefix("The match is at ") {
                break url.to_owned();
            }
            told += &(line + "\n");
        };
        // What else it says is read, so that it can go on saying it.
        std::thread::spawn(move || lines.for_each(drop));
        let (address, id) = url.strip_prefix("http://").unwrap().split_once("/?match=").unwrap();
        Self { process, address: address.to_owned(), id: id.to_owned(), directory }
    }

    fn request(&self, method: &str, path: &str, body: &str) -> (u16, Value) {
        let mut http = TcpStream::connect(&self.address).unwrap();
        write!(
            http,
            "{method} /api/matches/{}{path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.id,
            self.address,
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        http.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, serde_json::from_str(body).unwrap_or(Value::Null))
    }

    fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        loop {
            match self.request("POST", path, &body.to_string()) {
                // It is never the game server's fault that a test is fast.
                (429, _) => std::thread::sleep(Duration::from_millis(100)),
                answer => return answer,
            }
        }
    }

    fn summary(&self) -> Value {
        self.request("GET", "", "").1
    }

    /// The seats as soon as they are so; at every moment they are of different teams.
    fn seats(&self, are_so: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let seats = self.summary()["seats"].clone();
            assert_ne!(seats[0]["team"], seats[1]["team"]);
            if are_so(&seats) {
                return seats;
            }
            assert!(began.elapsed() < Duration::from_secs(20), "{seats}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Takes the seat; its token.
    fn sit(&self, team: &str) -> String {
        let (status, taken) = self.post("/seats", &json!({ "team": team, "name": "Ann" }));
        assert_eq!((status, &taken["team"]), (200, &json!(team)), "{taken}");
        taken["token"].as_str().unwrap().to_owned()
    }

    fn mv(&self, token: &str, ply: u32, mv: &str) -> (u16, String) {
        let (status, answer) = self.post("/moves", &json!({ "token": token, "ply": ply, "move": mv }));
        (status, answer["error"].as_str().unwrap_or_default().to_owned())
    }

    /// Moves when it is this player's turn.
    fn mv_in_turn(&self, token: &str, ply: u32, mv: &str) {
        let began = Instant::now();
        loop {
            match self.mv(token, ply, mv) {
                (200, _) => return,
                (409, _) if began.elapsed() < Duration::from_secs(20) => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                refused => panic!("{mv}: {refused:?}"),
            }
        }
    }

    /// What it prints at its end, which must be a good one.
    fn result(mut self) -> Value {
        let mut result = String::new();
        self.process.stdout.take().unwrap().read_to_string(&mut result).unwrap();
        assert!(self.process.wait().unwrap().success());
        let recorded = std::fs::read_dir(self.directory.join("grandstand-data")).unwrap().any(|file| {
            let name = file.unwrap().file_name();
            name.to_string_lossy().starts_with(&self.id)
        });
        assert!(recorded, "no recording of {}", self.id);
        serde_json::from_str(&result).unwrap()
    }
}

impl Drop for Match {
    fn drop(&mut self) {
        // It has ended already, where all went well.
        let _ = self.process.kill();
        let _ = std::fs::remove_dir_all(&self.directory);
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
        let watched = Match::play(game, arguments);
        let summary = watched.summary();
        assert_eq!((&summary["game"], &summary["state"]), (&json!(game), &json!("live")), "{summary}");
        let result = watched.result();
        assert!(result["termination"].is_string(), "{result}");
    }
}

#[test]
fn two_seats_play_to_five_in_a_row() {
    let game = Match::play("five", &["gomoku", "seat", "seat"]);
    let free = json!([{ "team": "black", "taken": false }, { "team": "white", "taken": false }]);
    assert_eq!(game.summary()["seats"], free);
    let black = game.sit("black");
    assert_eq!(game.post("/seats", &json!({ "team": "black" })).0, 409);
    // The match begins when both are there.
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
            // White's turn: what is wrong is told in the words of the rules, and the turn goes on.
            let deadline = Instant::now() + Duration::from_secs(10);
            while refused(3, "h8").contains("turn") && Instant::now() < deadline {}
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
    let game = Match::play("swap2", &["gomoku", "seat", "seat", "--opening", "swap2"]);
    let (first, second) = (game.sit("black"), game.sit("white"));
    let seats = game.seats(|seats| seats[0]["question"].is_object());
    assert_eq!(
        (&seats[0]["question"], seats[1].get("question")),
        (&json!({ "text": "place three stones, black, white and black", "places": 3 }), None)
    );
    game.mv_in_turn(&first, 0, "h8 i9 c3");
    let choices =
        json!([{ "move": "stay", "label": "Keep white" }, { "move": "swap", "label": "Take black" }]);
    let seats = game.seats(|seats| seats[1]["question"].is_object());
    let text = "keep white, take black, or place two more stones, white and black";
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
    // The token stays with the seat: who began as black has white's move now.
    game.mv_in_turn(&first, 5, "o1");
    game.mv_in_turn(&second, 6, "resign");
    let result = game.result();
    let expected = (&json!("white"), &json!("resigned"));
    assert_eq!((&result["outcome"], &result["termination"]), expected, "{result}");
}

#[test]
fn a_seat_plays_against_a_program_and_gives_up() {
    let game = Match::play("resign", &["gomoku", "stupid", "seat", "--time", "5m"]);
    assert_eq!(game.summary()["seats"], json!([{ "team": "white", "taken": false }]));
    let token = game.sit("white");
    game.mv_in_turn(&token, 1, "a1");
    assert_eq!(game.mv(&token, 1, "resign").0, 200);
    let result = game.result();
    let expected = (&json!("black"), &json!("resigned"));
    assert_eq!((&result["outcome"], &result["termination"]), expected, "{result}");
}

#[test]
fn a_seat_that_nobody_takes_and_one_that_is_left_lose_after_a_while() {
    let game = Match::play("absent", &["pente", "seat:wait=300ms", "stupid"]);
    let result = game.result();
    assert_eq!((&result["outcome"], &result["termination"]), (&json!("white"), &json!("left")), "{result}");

    let game = Match::play("left", &["gomoku", "seat:wait=2s", "stupid"]);
    let token = game.sit("black");
    game.mv_in_turn(&token, 0, "h8");
    assert_eq!(game.post("/leave", &json!({ "token": token })).0, 200);
    assert_eq!(game.mv(&token, 2, "h9").0, 403);
    // Somebody else may come, and plays on.
    let token = game.sit("black");
    game.mv_in_turn(&token, 2, "o15");
    assert_eq!(game.post("/leave", &json!({ "token": token })).0, 200);
    let result = game.result();
    assert_eq!((&result["outcome"], &result["termination"]), (&json!("white"), &json!("left")), "{result}");
}

#[test]
fn a_seat_that_does_not_move_loses_by_its_clock() {
    let game = Match::play("clock", &["gomoku", "seat", "stupid", "--time", "1s"]);
    game.sit("black");
    let result = game.result();
    assert_eq!((&result["outcome"], &result["termination"]), (&json!("white"), &json!("time")), "{result}");
}

#[test]
fn a_match_that_is_interrupted_ends_in_order() {
    let mut game = Match::play("interrupted", &["gomoku", "seat", "stupid"]);
    game.sit("black");
    kill_process(Pid::from_child(&game.process), Signal::INT).unwrap();
    assert!(game.process.wait().unwrap().success());
}

#[test]
fn a_seat_plays_one_match_at_a_time() {
    let output = Command::new(env!("CARGO_BIN_EXE_grandstand"))
        .args(["play", "gomoku", "seat", "stupid", "--matches", "2"])
        .output()
        .unwrap();
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && words.contains("one match at a time"), "{words}");
    let output = Command::new(env!("CARGO_BIN_EXE_grandstand"))
        .args(["play", "gomoku", "seat:chair=2", "stupid"])
        .output()
        .unwrap();
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.code() == Some(2) && words.contains("`chair` is unknown; expected wait\n"),
        "{words}"
    );
}
