//! Games with clocks, and games that not every machine can play, at workers; workers and a director that stand still.

use std::thread::sleep;
use std::time::Duration;

use grandstand_testing::process::signal;
use grandstand_testing::until;
use rusqlite::Connection;
use rustix::process::Signal;
use serde_json::json;

use super::workers::{Hall, hello, outcome};
use super::{Cup, league};

/// Games with clocks go to any worker, as slow and busy as this machine may be.
const ANY: [&str; 4] = ["--min-speed", "0", "--max-load", "100"];

pub(super) fn with_clocks(games: u32) -> String {
    format!(
        "name = \"Clocks\"\ngame = \"gomoku\"\nseed = 7\nplayers = [\"search\", \"random\"]\n\
         [settings]\nSIZE = 9\n[clock]\nmove_time = \"20ms\"\n[[stage]]\nformat = \"round-robin\"\ngames = {games}\n"
    )
}

/// Names of the workers of each pair's games, whether a speed is known of each, and the number of games.
fn pairs_of(cup: &Cup) -> Vec<(String, String, bool, usize)> {
    let db = Connection::open(cup.0.join("cup.db")).unwrap();
    let workers = "SELECT min(worker), max(worker), min(speed) > 0, count(*) FROM result JOIN game ON number = game \
                   GROUP BY encounter, pair";
    let mut query = db.prepare(workers).unwrap();
    query
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect()
}

#[test]
fn both_games_of_a_pair_with_clocks_are_played_by_one_worker_though_one_is_killed() {
    pairs_are_of_one_worker(&Hall::new(&with_clocks(16)));
}

/// A worker of a tournament with 8 pairs is killed.
pub(super) fn pairs_are_of_one_worker(hall: &Hall) {
    let mut director = hall.director_with(&ANY);
    let red = hall.worker("red");
    let mut blue = hall.worker("blue");
    until("games count", || hall.counted() >= 2);
    drop(red);
    assert_eq!(director.wait().unwrap().code(), Some(0), "{}", hall.log("director"));
    assert_eq!(blue.wait().unwrap().code(), Some(0));
    let pairs = pairs_of(&hall.cup);
    assert_eq!(pairs.len(), 8);
    for (first, second, measured, games) in pairs {
        assert_eq!((first, measured, games), (second, true, 2), "{}", hall.log("director"));
    }
    let games = hall.cup.told(&["games", "cup.db", "--json"]);
    assert!(games.lines().all(|line| line.contains("\"worker\":\"")), "{games}");
}

/// One pair, whose games take some seconds.
pub(super) fn one_long_pair() -> String {
    with_clocks(2).replace("\"random\"", "\"search:nodes=2000000\"").replace("20ms", "100ms")
}

#[test]
fn a_game_whose_result_a_killed_director_had_not_stored_is_not_played_again() {
    what_was_not_stored_is_handed_in_again(&Hall::new(&one_long_pair()));
}

/// The director is killed when it has the first game of a pair, and has not stored it.
pub(super) fn what_was_not_stored_is_handed_in_again(hall: &Hall) {
    let director = hall.director_with(&ANY);
    let mut red = hall.worker("red");
    // The first game of a pair is stored with the second.
    for (what, queued) in [("the first game is played", 1), ("the second game is played", 0)] {
        until(what, || {
            let told = hall.metrics();
            told.contains(&format!("work_queued {queued}\n")) && told.contains("work_playing 1\n")
        });
    }
    drop(director);
    let killed = jiff::Timestamp::now();
    let mut director = hall.director_with(&ANY);
    assert_eq!(director.wait().unwrap().code(), Some(0), "{}", hall.log("director"));
    assert_eq!(red.wait().unwrap().code(), Some(0), "{}", hall.log("red"));
    let db = Connection::open(hall.cup.0.join("cup.db")).unwrap();
    let started = db.query_row("SELECT max(started) FROM result", [], |row| row.get::<_, String>(0)).unwrap();
    assert!(started.parse::<jiff::Timestamp>().unwrap() <= killed, "{started}: {}", hall.log("director"));
}

#[test]
fn a_director_that_is_killed_leaves_pairs_whole() {
    killed_it_leaves_pairs_whole(&Hall::new(&with_clocks(40)));
}

/// The director of 20 pairs is killed again and again, at any moment: the catalogue never has one game of a pair alone, and
/// both are of one worker.
pub(super) fn killed_it_leaves_pairs_whole(hall: &Hall) {
    let whole = |least: usize| {
        let pairs = pairs_of(&hall.cup);
        for (first, second, _, games) in &pairs {
            assert_eq!((first, games), (second, &2), "{}", hall.log("director"));
        }
        pairs.len() >= least
    };
    let mut director = hall.director_with(&ANY);
    hall.ready();
    let mut workers = ["red", "blue"].map(|name| hall.worker(name));
    for round in 0..6_u64 {
        // Pairs are stored all the time; each round kills a little later after one was.
        until("more pairs count", || whole(2 * round as usize + 1));
        sleep(Duration::from_millis(7 * round));
        drop(director);
        whole(0);
        director = hall.director_with(&ANY);
    }
    assert_eq!(director.wait().unwrap().code(), Some(0), "{}", hall.log("director"));
    for worker in &mut workers {
        assert_eq!(worker.wait().unwrap().code(), Some(0));
    }
    assert!(whole(20));
}

#[test]
fn a_slow_or_busy_worker_gets_no_games_with_clocks_and_the_log_says_why() {
    let hall = Hall::new(&with_clocks(2));
    let _director = hall.director_with(&[]);
    hall.ready();
    let take_part = |name: &str, speed: u32| {
        let mut hello = hello(name);
        hello["speed"] = speed.into();
        hall.post("hello", &hello).json()
    };
    let (red, blue) = (take_part("red", 200), take_part("blue", 100));
    assert_eq!(red["clocks"], true, "{red}");
    let next = |welcome: &serde_json::Value, load: u8| {
        hall.post("next", &json!({ "session": welcome["session"], "load": load })).json()
    };
    assert_eq!(next(&blue, 0), "nothing");
    assert_eq!(next(&red, 80), "nothing");
    let given = next(&red, 10);
    assert_eq!(given["job"]["job"]["number"], 0, "{given}");
    for text in [
        "worker blue gets no games with clocks: it has 50 % of the speed of red, less than 75 % (--min-speed)",
        "worker red gets no games with clocks: other programs use 80 % of its cores, more than 25 % (--max-load)",
        "worker red gets games with clocks again",
    ] {
        until("the log says so", || hall.log("director").contains(text));
    }
}

#[test]
fn a_player_is_played_where_its_needs_are_met() {
    let file = league(2)
        .replace(
            ", \"search:nodes=60\"]",
            "]\n[[player]]\nplay = \"search:nodes=60\"\nneeds = [\"gpu\", \"memory=1\"]",
        )
        .replace("[settings]\nSIZE = 9\nOPENING = \"balanced\"\n", "")
        + "[settings]\nSIZE = 9\n";
    let hall = Hall::new(&file);
    let told = hall.cup.told(&["check", "cup.toml", "--measure", "0"]);
    assert!(told.contains("search:nodes=60 needs a worker with gpu, memory=1"), "{told}");
    let mut director = hall.director();
    let _plain = hall.worker("plain");
    let waits = "waits, since no worker has what its players need: plain lacks gpu";
    until("the log says so", || hall.log("director").contains(waits));
    let mut able = hall.worker_with("able", &["--label", "gpu"]);
    assert_eq!(director.wait().unwrap().code(), Some(0), "{}", hall.log("director"));
    assert_eq!(able.wait().unwrap().code(), Some(0));
    let db = Connection::open(hall.cup.0.join("cup.db")).unwrap();
    let elsewhere = "SELECT count(*) FROM outcome JOIN result ON number = game \
                     WHERE 'search:nodes=60' IN (first, second) AND worker <> 'able'";
    assert_eq!(db.query_row(elsewhere, [], |row| row.get::<_, u64>(0)).unwrap(), 0);

    let cup = Cup::new(&file.replace("gpu", "A GPU"));
    let (status, _, err) = cup.run(&["check", "cup.toml", "--measure", "0"]);
    assert_eq!(status, 2);
    assert!(err.contains("cup.toml:5:1: `needs`: \"A GPU\" is no label"), "{err}");
}

/// A worker stands still until it is lost and for `secs` more, and then takes part again.
fn worker_stands_still(secs: u64) {
    let file = league(12);
    let alone = Cup::new(&file);
    alone.told(&["run", "cup.toml"]);
    let hall = Hall::new(&file);
    let mut director = hall.director();
    let mut red = hall.worker("red");
    until("games count", || hall.counted() >= 2);
    signal(Signal::STOP, red.id());
    until("it is lost", || hall.log("director").contains("worker red is lost"));
    sleep(Duration::from_secs(secs));
    signal(Signal::CONT, red.id());
    until("it is back", || hall.log("director").matches("worker red takes part").count() == 2);
    assert_eq!(director.wait().unwrap().code(), Some(0), "{}", hall.log("director"));
    assert_eq!(red.wait().unwrap().code(), Some(0), "{}", hall.log("red"));
    assert_eq!(outcome(&hall.cup), outcome(&alone));
}

#[test]
fn a_worker_that_stands_still_takes_part_again() {
    worker_stands_still(0);
}

#[test]
#[ignore = "takes half a minute"]
fn a_worker_that_stands_still_for_half_a_minute_takes_part_again() {
    worker_stands_still(24);
}

/// The director stands still for longer than a lease: nobody is lost, and nothing is played twice.
fn director_stands_still(secs: u64) {
    let file = league(12);
    let alone = Cup::new(&file);
    alone.told(&["run", "cup.toml"]);
    let hall = Hall::new(&file);
    let mut director = hall.director();
    let mut workers = ["red", "blue"].map(|name| hall.worker(name));
    until("games count", || hall.counted() >= 2);
    signal(Signal::STOP, director.id());
    sleep(Duration::from_secs(secs));
    signal(Signal::CONT, director.id());
    assert_eq!(director.wait().unwrap().code(), Some(0), "{}", hall.log("director"));
    for worker in &mut workers {
        assert_eq!(worker.wait().unwrap().code(), Some(0));
    }
    assert!(!hall.log("director").contains("is lost"), "{}", hall.log("director"));
    assert_eq!(outcome(&hall.cup), outcome(&alone));
}

#[test]
fn a_director_that_stands_still_loses_nobody() {
    director_stands_still(8);
}

#[test]
#[ignore = "takes half a minute"]
fn a_director_that_stands_still_for_half_a_minute_loses_nobody() {
    director_stands_still(30);
}
