//! `FORTRESS-PROTOCOL.md` against the code: its examples are parsed and written, its session is played.

use grandstand_matches::games::fortress::message::{Request, Response};
use grandstand_matches::games::fortress::referee::{Conditions, Input, Output, Referee, Seat, Stamped};
use grandstand_rules::fortress::{ByTeam, Rules, maps};
use serde_json::Value;

const TEXT: &str = include_str!("../../../FORTRESS-PROTOCOL.md");

/// The lines of the code block with this language tag.
fn block(kind: &str) -> Vec<&'static str> {
    let after = TEXT.split_once(&format!("```{kind}\n")).unwrap().1;
    after.split_once("```").unwrap().0.lines().collect()
}

fn json(line: &str) -> Value {
    serde_json::from_str(line).unwrap()
}

#[test]
fn every_example_of_a_request_is_one_and_is_written_so() {
    let mut types = Vec::new();
    for line in block("requests") {
        let line = line.strip_prefix("→ ").unwrap();
        let request = Request::parse(line).unwrap();
        assert_eq!(json(&request.to_line()), json(line));
        types.push(json(line)["type"].as_str().unwrap().to_owned());
    }
    for name in [
        "GameRequest",
        "Move",
        "Turn",
        "PrimaryAbility",
        "SecondaryAbility",
        "Scan",
        "Inspect",
        "MyStatus",
        "GameStatus",
        "Respawn",
        "Talk",
    ] {
        assert!(types.iter().any(|found| found == name), "{name} has no example");
    }
}

#[test]
fn every_example_of_a_response_is_one_and_is_written_so() {
    let mut types = Vec::new();
    for line in block("responses") {
        let line = line.strip_prefix("← ").unwrap();
        let response = Response::parse(line).unwrap();
        assert_eq!(json(&response.to_line()), json(line));
        types.push(json(line)["type"].as_str().unwrap().to_owned());
    }
    for name in [
        "Units",
        "GameStart",
        "GameEnd",
        "Success",
        "Failed",
        "ScanData",
        "InspectData",
        "MyData",
        "GameData",
        "Error",
    ] {
        assert!(types.iter().any(|found| found == name), "{name} has no example");
    }
}

/// The match of the session, on the first shipped map.
struct Session {
    referee: Referee,
    now: u64,
    /// Outputs for the observed connection that were not compared yet.
    out: Vec<(u32, String)>,
}

impl Session {
    fn new() -> Self {
        let map = maps::by_name("meadow").unwrap();
        let seat = |secret: &str| Seat { secret: secret.to_owned(), open: false };
        let seats = ByTeam::new(seat("f3a1"), seat("77aa"));
        let referee = Referee::new(Conditions::new(Rules::default(), map, seats)).unwrap();
        Self { referee, now: 0, out: Vec::new() }
    }

    fn apply(&mut self, connection: u32, input: Input) {
        self.referee.apply(&Stamped { millis: self.now, connection, input });
        for output in self.referee.drain_outputs() {
            if let Output::Send { connection, line } = output {
                self.out.push((connection, line));
            }
        }
    }

    fn send(&mut self, connection: u32, line: &str) {
        self.apply(connection, Input::Line(line.to_owned()));
    }

    /// Joins the units that are not in the session.
    fn others(&mut self) {
        self.apply(100, Input::Open);
        self.send(100, r#"{"type":"GameRequest","secret":"77aa"}"#);
        for id in (1..=10).filter(|id| *id != 2) {
            let secret = if id <= 5 { "f3a1" } else { "77aa" };
            self.apply(100 + id, Input::Open);
            let line = format!(r#"{{"type":"Respawn","id":{id},"secret":"{secret}","class":"soldier"}}"#);
            self.send(100 + id, &line);
        }
    }
}

#[test]
fn the_session_goes_as_it_is_written() {
    let mut session = Session::new();
    let mut connection = 0;
    let mut written = Vec::new();
    for line in block("session") {
        if let Some(request) = line.strip_prefix("→ ") {
            session.send(connection, request);
        } else if let Some(expected) = line.strip_prefix("← ") {
            written.push((connection, expected));
            continue;
        } else if line.contains("connection") {
            connection += 1;
            session.apply(connection, Input::Open);
        } else if line == "the others come" {
            session.others();
        } else if line == "the time limit passes" {
            session.now = 300_000;
            session.apply(0, Input::Tick);
        } else {
            let millis: u64 = line.strip_suffix(" ms later").unwrap().parse().unwrap();
            session.now += millis;
            session.apply(0, Input::Tick);
        }
    }
    session.out.retain(|(connection, _)| *connection == 1 || *connection == 2);
    // The team's own connection receives the beginning and the end too, and nothing else.
    let team: Vec<String> =
        session.out.iter().filter(|(c, _)| *c == 1).map(|(_, line)| line.clone()).collect();
    assert_eq!(team.len(), 3);
    let expected: Vec<&str> = written.iter().filter(|(c, _)| *c == 2).map(|(_, line)| *line).collect();
    let found: Vec<String> =
        session.out.iter().filter(|(c, _)| *c == 2).map(|(_, line)| line.clone()).collect();
    let same = expected.len() == found.len() && expected.iter().zip(&found).all(|(a, b)| json(a) == json(b));
    assert!(same, "the session is:\n{}", found.join("\n"));
    let (mut units, mut shown) = (json(&team[0]), json(written[0].1));
    for field in ["map", "rules"] {
        assert!(!units[field].is_null());
        units[field] = Value::Null;
        shown[field] = Value::Null;
    }
    assert_eq!(units, shown);
}
