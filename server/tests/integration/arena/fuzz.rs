//! Fuzz bodies on stable Rust with seeded inputs. The fuzzer in `/fuzz` runs the same functions.

use std::path::Path;

use grandstand_languages::cl;
use grandstand_matches::MatchSpec;
use grandstand_matches::fuzz;
use grandstand_matches::machine::{ProgramMatch, Settings};
use grandstand_players::program_files;
use grandstand_protocol::Game;
use grandstand_rules::SplitMix64;
use grandstand_rules::abalone::World;

/// Splices, repeats, truncates and corrupts pieces of the examples.
fn mutate(random: &mut SplitMix64, examples: &[&str], joint: &str, noise: &[u8]) -> Vec<u8> {
    let mut below = |end: usize| random.below(end as u64) as usize;
    let mut data = Vec::new();
    for _ in 0..1 + below(6) {
        data.extend_from_slice(examples[below(examples.len())].as_bytes());
        data.extend_from_slice(joint.as_bytes());
    }
    for _ in 0..below(4) {
        let at = below(data.len());
        match below(4) {
            0 => data[at] = noise[below(noise.len())],
            1 => data.truncate(at + 1),
            2 => data.insert(at, noise[below(noise.len())]),
            _ => drop(data.remove(at)),
        }
        if data.is_empty() {
            data.push(b'1');
        }
    }
    data
}

fn drive(cases: usize, examples: &[&str], joint: &str, noise: &[u8], body: fn(&[u8])) {
    let mut random = SplitMix64::new(2008);
    body(b"");
    for _ in 0..cases {
        body(&mutate(&mut random, examples, joint, noise));
    }
}

#[test]
fn rules() {
    let examples = [
        "MAX_PIECES = 3",
        "GAME_LENGTH = 1_000",
        "WHITE_START = \"G~1\"",
        "BLACK_START = \"A-4\"",
        "TEAM_WORDS = 70",
        "CALL_DEPTH = 18446744073709551615",
        "{\"MAX_PIECES\": 3, \"WINNING_SCORE\": 2}",
        "# comment",
        "x = [1, {a = 2}]",
        "MAX_PIECES=",
        "WHITE_START=G~1",
    ];
    drive(20_000, &examples, "\n", b"\n =_0-~\"[{\xff", fuzz::rules);
}

#[test]
fn header() {
    let shipped = |name| program_files::load(Game::Abalone, name, Path::new(".")).unwrap();
    let players = [shipped("idle").into(), shipped("random").into()];
    let setup = ProgramMatch::<World> { settings: Settings::default(), seed: 7, players };
    let whole = serde_json::to_string(&setup.header(Some("2026-01-02T03:04:05Z"))).unwrap();
    grandstand::fuzz::header(whole.as_bytes());
    let mut random = SplitMix64::new(1);
    for _ in 0..2_000 {
        grandstand::fuzz::header(&mutate(&mut random, &[&whole], "", b"{}[]\",:0 9n\\"));
        // One corrupted place of the header, so that it often stays valid JSON.
        let mut data = whole.clone().into_bytes();
        let at = random.below(data.len() as u64) as usize;
        data[at] = b"019 #n"[random.below(6) as usize];
        grandstand::fuzz::header(&data);
    }
}

#[test]
fn program() {
    let examples = [
        "let x = 1 + rand 6 in",
        "(rec grow in if spawn (do 8; grow) then grow else 0);",
        "do (7, x);",
        "do (10, \"hello\");",
        "do (10, ());",
        "do (4, (9, x));",
        "(do (5, 1))[x];",
        "do 1;",
        "do 2;",
        "do 9;",
        "do 8;",
        "rec loop in (do (7, rand 7); loop);",
        "rec loop in loop;",
        "let f = rec f in fn n => 1 + f n in f 0;",
        "(rec f in fn a => f (a[rand 100 := a])) ();",
        "let cell = gref 0 in",
        "acquire cell;",
        "release cell;",
        "spawn (acquire cell; do 8);",
        "spawn (1 / 0);",
        "do (7, (1, 2));",
        "1;",
    ];
    let whole = |data: &[u8]| [data, b"0"].concat();
    drive(1_500, &examples, "\n", b"()[];01x\" \n:=~+", |data| fuzz::program(&[data, b"0"].concat()));
    // Most inputs must be valid programs, or nothing is tested.
    let mut random = SplitMix64::new(2008);
    let programs = (0..200).filter(|_| {
        let text = whole(&mutate(&mut random, &examples, "\n", b"1"));
        cl::parse("fuzz.cl", &String::from_utf8_lossy(&text)).is_ok()
    });
    assert!(programs.count() > 60);
}
