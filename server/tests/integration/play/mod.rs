//! `grandstand play` as a program: its arguments, its output, and the lines to GUIs and bridges.

mod guis;
mod logs;
mod peers;
mod profile;
mod traces;

use std::fs;
use std::io::{self, Read};
use std::net::TcpListener;
use std::process::Output;
use std::thread::{self, JoinHandle};

use grandstand_matches::RunningMatch as _;
use grandstand_matches::machine::{ProgramMatch, Runner};
use grandstand_protocol::abalone::Team;
use grandstand_protocol::{Game, Scene};
use grandstand_replays::{Content, Reader};
use grandstand_rules::abalone::World;
use grandstand_testing::Folder;

use crate::program::grandstand;

const RANDOM: &str = "
    let wander = rec wander in fn u => do (7, 1 + rand 6); do 9; wander u in
    let live = rec live in fn u => (rec grow in if spawn (live u) then grow else 0); wander u in
    live 0";
const IDLE: &str = "rec idle in (do (10, \"zzz\"); do 8; idle)";
const SHORT: [&str; 2] = ["--game-length", "20000"];

/// A temporary directory with two programs.
struct WorkFolder(Folder);

impl WorkFolder {
    fn new() -> Self {
        let place = Self(Folder::new());
        place.write("random.cl", RANDOM);
        place.write("idle.cl", IDLE);
        place
    }

    fn write(&self, name: &str, text: &str) {
        self.0.file(name, text);
    }

    fn read(&self, name: &str) -> Vec<u8> {
        self.0.read(name)
    }

    fn play(&self, arguments: &[&str]) -> Output {
        self.play_game("abalone", arguments)
    }

    fn play_game(&self, game: &str, arguments: &[&str]) -> Output {
        let mut command = grandstand();
        command.args(["play", game]).args(arguments).current_dir(self.0.path()).output().unwrap()
    }

    /// Plays a match that must succeed; returns its standard output.
    fn result(&self, arguments: &[&str]) -> String {
        let output = self.play(arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs a match that must fail; returns its exit status and its standard error.
    fn failure(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let output = self.play(arguments);
        assert!(!output.status.success());
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    }
}

/// A listener that reads everything.
fn reader() -> (String, JoinHandle<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let thread = thread::spawn(move || {
        let mut bytes = Vec::new();
        listener.accept().unwrap().0.read_to_end(&mut bytes).unwrap();
        bytes
    });
    (address, thread)
}

fn text(thread: JoinHandle<Vec<u8>>) -> String {
    String::from_utf8(thread.join().unwrap()).unwrap()
}

#[test]
fn the_result_is_one_json_object() {
    let place = WorkFolder::new();
    let text = place.result(&["random.cl", "idle.cl", "--seed", "7", "--json"]);
    let result: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (text.matches('\n').count(), &result["seed"], &result["game"]),
        (1, &7.into(), &"abalone".into())
    );
    assert!(["black", "white", "draw"].contains(&result["outcome"].as_str().unwrap()));
    assert!(["score", "pieces", "length"].contains(&result["termination"].as_str().unwrap()));
    assert!(result["score"]["black"].is_u64() && result["pieces"]["white"].is_u64());
    assert_eq!(result["turns"].as_u64().unwrap(), result["cycles"].as_u64().unwrap() / 2_000);
    assert!(result["wall_secs"].as_f64().unwrap() > 0.0);
    assert_eq!(result["players"]["white"], "idle.cl");
}

#[test]
fn a_recording_holds_the_match_and_all_that_runs_it_again() {
    let place = WorkFolder::new();
    let (gui, gui_bytes) = reader();
    let arguments = ["random.cl", "random.cl", "--seed", "11", "--pace", "0"];
    place.result(&[&arguments[..], &SHORT, &["--record", "match.replay", "--gui", &gui]].concat());

    let file = place.read("match.replay");
    let mut reader = Reader::new(grandstand_replays::Limits::default());
    reader.push(&file);
    reader.finish();
    let (mut lines, mut scene, mut last, mut result) = (String::new(), Scene::new(Game::Abalone), 0, None);
    while let Some(entry) = reader.next().unwrap() {
        assert!(entry.t.0 >= last);
        last = entry.t.0;
        match entry.content {
            Content::Command(line) => {
                let command = grandstand_protocol::Command::parse(Game::Abalone, &line);
                scene.apply(0, entry.t, &command);
                if !command.to_line().starts_with("#gs") {
                    lines += &(command.to_line() + "\n");
                }
            }
            Content::Result(ended) => result = Some(ended),
            _ => {}
        }
    }
    assert_eq!(lines, text(gui_bytes), "recorded and drawn are the same");
    assert_eq!(last, 10 * 300_000, "ten turns at a watchable pace, however fast they were played");
    assert_eq!(result.unwrap().termination, "length");

    let header = reader.header().unwrap();
    let mut again = Runner::new(&ProgramMatch::<World>::from_header(&header.about).unwrap()).unwrap();
    let mut replayed = String::new();
    loop {
        for stamped in again.drain_commands() {
            let line = stamped.command.to_line();
            replayed += &if line.starts_with("#gs") { String::new() } else { line + "\n" };
        }
        if again.ending().is_some() {
            break;
        }
        again.advance();
    }
    assert_eq!(replayed, lines);
    let Scene::Abalone(scene) = scene else { panic!("another game") };
    assert!(scene.pieces().eq(again.world().scene().pieces()));
    assert_eq!(scene.score(Team::Black), again.world().scene().score(Team::Black));
}

#[test]
fn a_compressed_recording_is_the_same_and_alone() {
    let place = WorkFolder::new();
    for name in ["match.replay", "match.replay.zst"] {
        place.result(&[&["random.cl", "idle.cl", "--seed", "2", "--record", name][..], &SHORT].concat());
        if name.ends_with("zst") {
            assert!(!place.0.join("match.replay").exists());
            let packed = place.read(name);
            let mut plain = Vec::new();
            ruzstd::decoding::StreamingDecoder::new(packed.as_slice())
                .unwrap()
                .read_to_end(&mut plain)
                .unwrap();
            let body = |bytes: &[u8]| bytes.iter().position(|&b| b == b'\n').map(|at| bytes[at..].to_vec());
            assert_eq!(body(&plain), body(&place.read("kept")));
        } else {
            fs::rename(place.0.join(name), place.0.join("kept")).unwrap();
        }
    }
}

#[test]
fn many_matches_are_counted_for_both_colours() {
    let place = WorkFolder::new();
    place.write("over.cl", "0");
    let many = ["--matches", "10", "--seed", "1"];
    let text = place.result(&[&["idle.cl", "over.cl", "--json"][..], &many].concat());
    let tally: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&tally["matches"], &tally["wins"][0]["count"]), (&10.into(), &10.into()));
    assert_eq!(tally["wins_with_first_as"], serde_json::json!({"black": [5, 0], "white": [5, 0]}));
    assert_eq!(tally["terminations"], serde_json::json!({"pieces": 10}));

    // The counts do not depend on the number of concurrent matches.
    let counts = |jobs| {
        let arguments = [&["random.cl", "random.cl", "--jobs", jobs][..], &many, &SHORT].concat();
        let text = place.result(&arguments);
        text.lines().take(4).map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(counts("1"), counts("3"));

    assert!(
        place
            .result(&[&["idle.cl", "over.cl", "--expect-wins", "10"][..], &many].concat())
            .contains("100.0 %")
    );
    let (status, errors) =
        place.failure(&[&["over.cl", "idle.cl", "--expect-wins", "1"][..], &many].concat());
    assert_eq!(status, Some(1));
    assert!(errors.contains("over.cl won 0 matches, 1 were expected"), "{errors}");
}

#[test]
fn settings_come_from_a_file_and_from_flags() {
    let place = WorkFolder::new();
    place.write("short.toml", "GAME_LENGTH = 8_000 # cycles\nCYCLES_PER_TURN = 1_000\n");
    let result = |more: &[&str]| -> serde_json::Value {
        let arguments = [&["idle.cl", "idle.cl", "--json", "--rules", "short.toml"][..], more].concat();
        serde_json::from_str(&place.result(&arguments)).unwrap()
    };
    assert_eq!((&result(&[])["cycles"], &result(&[])["turns"]), (&8_000.into(), &8.into()));
    assert_eq!(result(&["--cycles-per-turn", "4000", "--black-start", "A-4"])["turns"], 2);
    // Any setting by its name; a dedicated option has priority.
    let set = ["--set", "CYCLES_PER_TURN=2_000", "--set", "WHITE_START=A~4"];
    assert_eq!(result(&set)["turns"], 4);
    assert_eq!(result(&[&set[..], &["--cycles-per-turn", "4000"]].concat())["turns"], 2);
}

#[test]
fn wrong_arguments_and_programs_say_what_is_wrong() {
    let place = WorkFolder::new();
    place.write("syntax.cl", "let x = in 1");
    place.write("include.cl", "#include ../outside.ch\n1");
    place.write("bad.toml", "MAX_PIECES = 100");
    place.write("worse.toml", "MAX_PIECES 3");
    let cases: [(&[&str], &str); 17] = [
        (&["nowhere.cl", "idle.cl"], "nowhere.cl: there is no such file"),
        (&["syntax.cl", "idle.cl"], "syntax.cl:1:9: expected"),
        (&["include.cl", "idle.cl"], "the path must not contain `..`"),
        (&["idle.cl", "nobody"], "`nobody` is not a player of Abalone; expected FILE.cl or one of: "),
        (&["idle.cl"], "<PLAYER>"),
        (&["idle.cl", "idle.cl", "--gui", "localhost"], "expected HOST:PORT"),
        (&["idle.cl", "idle.cl", "--bridge", "localhost:port"], "expected HOST:PORT"),
        (&["idle.cl", "idle.cl", "--pace=-1"], "expected seconds, from 0 to 3600"),
        (&["idle.cl", "idle.cl", "--rules", "none.toml"], "can't read the rules in none.toml"),
        (&["idle.cl", "idle.cl", "--rules", "bad.toml"], "MAX_PIECES is 100; expected a number from 1 to 60"),
        (&["idle.cl", "idle.cl", "--rules", "worse.toml"], "line 1, column 12"),
        (&["idle.cl", "idle.cl", "--winning-score", "0"], "WINNING_SCORE is 0"),
        (&["idle.cl", "idle.cl", "--white-start", "A4"], "A4"),
        (&["idle.cl", "idle.cl", "--set", "MAX_PIECES"], "expected NAME=VALUE"),
        (
            &["idle.cl", "idle.cl", "--set", "MAX_PIECE=3"],
            "`MAX_PIECE` is not a setting; expected one of ARRAY_ELEMENTS, ",
        ),
        (&["idle.cl", "idle.cl", "--set", "BLACK_START=Z9"], "BLACK_START is \"Z9\"; expected a position"),
        (
            &["idle.cl", "idle.cl", "--record", "no/such/directory.replay"],
            "can't record to no/such/directory.replay",
        ),
    ];
    for (arguments, expected) in cases {
        let (status, errors) = place.failure(arguments);
        assert!(errors.contains(expected), "{arguments:?}: {errors}");
        assert_eq!(status, Some(2), "{arguments:?}");
    }
    let output = grandstand().args(["play", "grid", "a.cl", "b.cl"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no rules are known for the game grid"));
}

#[test]
fn options_of_other_games_are_refused() {
    let place = WorkFolder::new();
    for (game, players, arguments, of) in [
        (
            "fortress",
            "weak",
            &["--size", "19", "--rule", "renju"][..],
            "--size is for Gomoku, Pente, not for Steam Fortress",
        ),
        (
            "fortress",
            "weak",
            &["--time", "5m"],
            "--time is for Gomoku, Pente, Riskless, not for Steam Fortress",
        ),
        ("fortress", "weak", &["--max-pieces", "3"], "--max-pieces is for Abalone, not for Steam Fortress"),
        ("riskless", "random", &["--tournament"], "--tournament is for Gomoku, Pente, not for Riskless"),
        (
            "riskless",
            "random",
            &["--sandbox", "on"],
            "--sandbox is for Steam Fortress, Gomoku, Pente, not for Riskless",
        ),
        ("gomoku", "random", &["--port", "3110"], "--port is for Steam Fortress, not for Gomoku"),
        (
            "abalone",
            "random",
            &["--inputs", "x"],
            "--inputs is for Steam Fortress, Gomoku, Pente, Riskless, not for Abalone",
        ),
        (
            "shark",
            "random",
            &["--move-time", "1s"],
            "--move-time is for Gomoku, Pente, Riskless, not for λ-Shark",
        ),
    ] {
        let output = place.play_game(game, &[&[players, players], arguments].concat());
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && told.contains(of), "{game} {arguments:?}: {told}");
    }
}

#[test]
fn shark_is_played_in_the_same_way() {
    let place = WorkFolder::new();
    let run = |arguments: &[&str]| {
        let output = place.play_game("shark", arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    place.write("wall.rcl", "do 1; 1 / 0");
    let fast = ["random", "wall.rcl", "--seed", "3", "--pace", "0", "--set", "GAME_LENGTH=300_000"];
    let ((gui, gui_bytes), (bridge, bridge_bytes)) = (reader(), reader());
    let peers = ["--gui", &gui, "--bridge", &bridge, "--record", "m.replay", "--log", "m.log", "--json"];
    let result: serde_json::Value = serde_json::from_str(&run(&[&fast[..], &peers].concat())).unwrap();
    assert_eq!((&result["game"], &result["termination"]), (&"shark".into(), &"robots".into()));
    assert_eq!(result["robots"], serde_json::json!({"red": 4, "blue": 0}));
    assert_eq!(result["players"], serde_json::json!({"red": "random", "blue": "wall.rcl"}));
    let (gui, bridge) = (text(gui_bytes), text(bridge_bytes));
    assert!(gui.starts_with("map ") && gui.ends_with("win draw\n") && !gui.contains("#gs"), "{gui}");
    assert!(bridge.starts_with("#gs game shark\n#gs match {"));
    assert!(bridge.contains("\"kind\":\"thread-end\""), "{bridge}");
    // Without the additions to the handout: the robot's number, its health, and stands.
    assert!(bridge.contains("\ndraw RED_RIGHT "), "{bridge}");
    let plain = bridge.lines().filter_map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "#gs" | "stand" => None,
            "draw" => Some(words[..4].join(" ") + "\n"),
            _ => Some(line.to_owned() + "\n"),
        }
    });
    assert_eq!(plain.collect::<String>(), gui);
    let log = String::from_utf8(place.read("m.log")).unwrap();
    assert!(
        log.ends_with(" died: wall.rcl:1:9: stuck: division by zero\n    do 1; 1 / 0\n            ^\n"),
        "{log}"
    );
    let replay = grandstand_replays::Replay::open(&place.read("m.replay"), Default::default()).unwrap();
    assert_eq!((replay.header().game, replay.damage()), (Game::Shark, None));

    let many = ["random", "wall.rcl", "--matches", "4", "--seed", "1", "--map", "lanes", "--json"];
    let tally: serde_json::Value = serde_json::from_str(&run(&many)).unwrap();
    assert_eq!((&tally["draws"]["count"], &tally["terminations"]["robots"]), (&4.into(), &4.into()));
    assert!(tally["steps"].is_u64() && tally["wins_with_first_as"]["red"].is_array());

    place.write("cut.map", &"*".repeat(32));
    for (arguments, expected) in [
        (
            &["random", "random.cl"][..],
            "`random.cl` is not a player of λ-Shark; expected FILE.rcl or one of: ",
        ),
        (&["random", "random", "--winning-score", "3"], "--winning-score is for Abalone, not for λ-Shark, "),
        (&["random", "random", "--set", "AT_MOVES=1"], "`AT_MOVES` is not a setting; expected one of "),
        (
            &["random", "random", "--map", "nowhere"],
            "--map nowhere: there is no such file; the shipped maps are reef, ",
        ),
        (&["random", "random", "--map", "cut.map"], "the map in cut.map can't be played on:\nline "),
    ] {
        let output = place.play_game("shark", arguments);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(errors.contains(expected), "{arguments:?}: {errors}");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
    let output = place.play(&["idle.cl", "idle.cl", "--map", "reef"]);
    assert!(
        String::from_utf8_lossy(&output.stderr)
            .contains("--map is for λ-Shark, Steam Fortress and Riskless; Abalone has no maps")
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_recording_and_not_the_match() -> io::Result<()> {
    let place = WorkFolder::new();
    std::os::unix::fs::symlink("/dev/full", place.0.join("full.replay"))?;
    // Writing the header fails, so that no match begins.
    let (status, errors) = place.failure(&["idle.cl", "idle.cl", "--record", "full.replay"]);
    assert_eq!(status, Some(2));
    assert!(errors.contains("can't record to full.replay"), "{errors}");
    // Writing the log fails later: the match is played, and the status reports it.
    std::os::unix::fs::symlink("/dev/full", place.0.join("full.log"))?;
    place.write("over.cl", "0");
    let output = place.play(&["over.cl", "idle.cl", "--log", "full.log"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stdout).contains("white (idle.cl) wins 1:0"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the log is not complete"));
    Ok(())
}
