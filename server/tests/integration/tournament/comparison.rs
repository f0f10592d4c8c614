//! Workers whose results are compared, and one that lies.

use std::thread;

use grandstand_replays::{Content, Limits, Reader, zst};
use grandstand_testing::until;
use rusqlite::Connection;
use serde_json::{Value, json};

use super::workers::{Hall, outcome};
use super::{Cup, league};

/// How a worker lies.
#[derive(Clone, Copy)]
enum Lie {
    /// The winner is another, with a true recording.
    Result,
    /// The recording is that of another game, with a true result and digest.
    Recording,
}

/// A game as the catalogue of a true run has it: a report, and the recording.
fn truth(cup: &Cup, number: u64) -> (Value, Vec<u8>) {
    let db = Connection::open(cup.0.join("cup.db")).unwrap();
    let columns = "winner, termination, reason, length, unit, digest FROM result WHERE game = ?1";
    let played = db
        .query_row(&format!("SELECT {columns}"), [number], |row| {
            let digest: String = row.get(5)?;
            Ok(json!({
                "fault": null, "winner": row.get::<_, Option<u8>>(0)?, "termination": row.get::<_, String>(1)?,
                "reason": row.get::<_, Option<String>>(2)?, "score": null,
                "length": [row.get::<_, u64>(3)?, row.get::<_, String>(4)?],
                "digest": u64::from_str_radix(&digest, 16).unwrap(),
                "started": "2026-01-01T00:00:00Z", "wall_ms": 1, "disturbed_ms": null, "inputs": null
            }))
        })
        .unwrap();
    (played, recording(cup, number))
}

fn recording(cup: &Cup, number: u64) -> Vec<u8> {
    let catalogue = grandstand::tournament::catalogue::Catalogue::read_only(&cup.0.join("cup.db")).unwrap();
    catalogue.recording(number).unwrap().unwrap()
}

/// The lines of a recording's commands.
fn commands(recording: &[u8]) -> Vec<String> {
    let mut text = Vec::new();
    std::io::Read::read_to_end(&mut zst::Text::new(recording, 1 << 27), &mut text).unwrap();
    let mut reader = Reader::new(Limits::default());
    reader.push(&text);
    reader.finish();
    let mut commands = Vec::new();
    while let Some(entry) = reader.next().unwrap() {
        if let Content::Command(line) = entry.content {
            commands.push(String::from_utf8(line.into_owned()).unwrap());
        }
    }
    commands
}

/// Takes part under the name `liar` until it is set aside; the number of games that it handed in.
fn lie(hall: &Hall, alone: &Cup, lie: Lie) -> usize {
    let session = hall.hello("liar");
    let mut games = 0;
    loop {
        let given = hall.post("next", &json!({ "session": session }));
        if given.status == 410 {
            let again = hall.post("hello", &super::workers::hello("liar"));
            assert_eq!(again.status, 403, "{}", again.body);
            let words = again.json()["error"].as_str().unwrap().to_owned();
            assert!(words.starts_with("worker liar is set aside: "), "{words}");
            return games;
        }
        let given = given.json();
        let Some(number) = given["job"]["job"]["number"].as_u64() else { continue };
        let (mut played, mut recording) = truth(alone, number);
        match lie {
            Lie::Result => played["winner"] = json!(played["winner"].as_u64().map_or(0, |winner| 1 - winner)),
            Lie::Recording => recording = self::recording(alone, (number + 2) % 60),
        }
        let (named, status) = hall.upload(&session, &recording);
        // It may be set aside meanwhile, which the answer to its report says too.
        assert!(matches!(status, 200 | 410), "{status}");
        played["recording"] = named;
        let job = &given["job"]["id"];
        let report = json!({ "session": session, "job": job, "ending": { "played": played } });
        let answer = hall.post("results", &report);
        assert!(matches!(answer.status, 200 | 409 | 410), "{}", answer.body);
        games += 1;
    }
}

/// Plays a tournament with two true workers and one that lies; its end is that of one machine.
fn is_found_out(hall: &Hall, alone: &Cup, how: Lie) {
    alone.told(&["run", "cup.toml", "--jobs", "1"]);
    let mut director = hall.director_with(&["--compare", "5"]);
    hall.ready();
    let games = thread::scope(|scope| {
        let (mut blue, mut green) = (hall.worker("blue"), hall.worker("green"));
        for name in ["blue", "green"] {
            until("two others take part", || {
                hall.log("director").contains(&format!("worker {name} takes part"))
            });
        }
        let liar = scope.spawn(|| lie(hall, alone, how));
        assert_eq!(director.wait().unwrap().code(), Some(0), "{}", hall.log("director"));
        for worker in [&mut blue, &mut green] {
            assert_eq!(worker.wait().unwrap().code(), Some(0));
        }
        liar.join().unwrap()
    });
    let log = hall.log("director");
    assert!(games >= 2, "{log}");
    assert!(log.contains("a third decides"), "{log}");
    assert!(log.contains("worker liar is set aside: ") && log.contains(" played again"), "{log}");
    assert_eq!(outcome(&hall.cup), outcome(alone), "{log}");
    let db = Connection::open(alone.0.join("cup.db")).unwrap();
    let numbers: Vec<u64> = db
        .prepare("SELECT number FROM game")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    for number in numbers {
        assert_eq!(
            commands(&recording(&hall.cup, number)),
            commands(&recording(alone, number)),
            "game {number}"
        );
    }
}

#[test]
fn a_worker_with_wrong_results_is_set_aside_and_its_games_are_played_again() {
    a_liar_is_set_aside(Hall::new);
}

/// A worker lies about the winners of a tournament.
pub(super) fn a_liar_is_set_aside(hall: impl Fn(&str) -> Hall) {
    // The rounds of a Swiss tournament depend on the results, so they are drawn again too.
    let file = league(10).replace("format = \"round-robin\"", "format = \"swiss\"\nrounds = 3");
    is_found_out(&hall(&file), &Cup::new(&file), Lie::Result);
}

#[test]
fn a_worker_with_wrong_recordings_is_set_aside_though_its_results_are_right() {
    is_found_out(&Hall::new(&league(10)), &Cup::new(&league(10)), Lie::Recording);
}

#[test]
fn true_workers_agree() {
    let hall = Hall::new(&league(4));
    let mut director = hall.director_with(&["--compare", "1"]);
    hall.ready();
    let mut workers = ["red", "blue"].map(|name| hall.worker(name));
    assert_eq!(director.wait().unwrap().code(), Some(0), "{}", hall.log("director"));
    for worker in &mut workers {
        assert_eq!(worker.wait().unwrap().code(), Some(0));
    }
    let log = hall.log("director");
    assert!(log.contains("every game is played by two workers, and compared"), "{log}");
    assert!(!log.contains("differs") && !log.contains("set aside"), "{log}");
    let alone = Cup::new(&league(4));
    alone.told(&["run", "cup.toml"]);
    assert_eq!(outcome(&hall.cup), outcome(&alone));
}

#[test]
fn one_worker_alone_is_not_compared_and_the_log_says_so() {
    let hall = Hall::new(&league(4));
    let mut director = hall.director_with(&["--compare", "2"]);
    let mut worker = hall.worker("red");
    assert_eq!(director.wait().unwrap().code(), Some(0), "{}", hall.log("director"));
    assert_eq!(worker.wait().unwrap().code(), Some(0));
    let log = hall.log("director");
    assert_eq!(log.matches("is not compared, since there is no worker besides red").count(), 1, "{log}");
}

#[test]
fn a_catalogue_of_version_1_is_read_as_it_is_and_goes_on() {
    let cup = Cup::new(&league(2));
    cup.told(&["run", "cup.toml"]);
    let games = cup.told(&["games", "cup.db"]);
    let db = Connection::open(cup.0.join("cup.db")).unwrap();
    db.execute_batch(
        "ALTER TABLE result DROP COLUMN worker; ALTER TABLE result DROP COLUMN speed; DROP TABLE set_aside;
         DELETE FROM result WHERE game = 11; DELETE FROM game WHERE number = 11; PRAGMA user_version = 1;",
    )
    .unwrap();
    drop(db);
    assert_eq!(cup.told(&["games", "cup.db"]).lines().count(), 12);
    cup.told(&["run", "cup.toml"]);
    assert_eq!(cup.told(&["games", "cup.db"]).lines().count(), games.lines().count());
}
