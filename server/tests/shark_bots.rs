//! The shipped λ-Shark programs on the shipped maps: nobody gets stuck, and how strong they promise to be, on a handful of
//! seeds.
//!
//! The whole of it is `grandstand play shark stupidbot random --map MAP --matches 100 --expect-wins 95`, and so on.
#![allow(clippy::unwrap_used, reason = "all of it is test code")]

use std::path::Path;

use grandstand::arena::{Fate, LogEntry, MatchSetup, Runner, Settings, StampedCommand};
use grandstand::programs;
use grandstand_languages::{MemoryFiles, Program, rcl};
use grandstand_protocol::shark::{Command as Shark, Map, Squad};
use grandstand_protocol::{Command, Game};
use grandstand_rules::shark::{Finish, Rules, World, maps};

fn player(name: &str) -> Program {
    programs::load(Game::Shark, name, Path::new(".")).unwrap()
}

/// A program of this text, with the shipped library.
fn program(text: &str) -> Program {
    let files = ["shark/constants.rch", "shark/botlib.rch"]
        .into_iter()
        .fold(MemoryFiles::new(), |files, name| files.with(name, programs::shipped(name).unwrap()));
    rcl::load("test.rcl", &files.with("test.rcl", text)).unwrap_or_else(|error| panic!("{error}"))
}

/// A match that has been played.
struct Played {
    finish: Finish,
    score: [u32; 2],
    commands: Vec<StampedCommand>,
    log: Vec<LogEntry>,
}

impl Played {
    /// The robots whose programs ended, as the log shows them.
    fn faults(&self) -> Vec<String> {
        let faults = self.log.iter().filter(|entry| matches!(entry.fate, Fate::Ended(_)));
        faults.map(ToString::to_string).collect()
    }

    /// What a team said.
    fn said(&self, team: Squad) -> Vec<String> {
        let say = |stamped: &StampedCommand| match &stamped.command {
            Command::Shark(Shark::Say { team: by, text }) if *by == team => Some(text.to_string()),
            _ => None,
        };
        self.commands.iter().filter_map(say).collect()
    }
}

fn play(red: &Program, blue: &Program, rules: &Rules, seed: u64) -> Played {
    let settings = Settings { rules: rules.clone(), ..Settings::default() };
    let setup = MatchSetup::<World> { settings, seed, players: [red.clone().into(), blue.clone().into()] };
    let mut runner = Runner::new(&setup).unwrap();
    while runner.ending().is_none() {
        runner.advance();
    }
    Played {
        finish: *runner.world().finish().unwrap(),
        score: Squad::ALL.map(|team| runner.world().score(team)),
        commands: runner.drain_commands(),
        log: runner.drain_log(),
    }
}

fn on(map: &str) -> Rules {
    Rules { map: maps::by_name(map).unwrap(), ..Rules::default() }
}

#[test]
fn nobody_gets_stuck_on_any_map() {
    let players: Vec<Program> = programs::players(Game::Shark).map(player).collect();
    assert!(players.len() > 1);
    for (map, _) in maps::SHIPPED {
        for (seed, red) in (0..).zip(&players) {
            for blue in &players {
                let rules = Rules { game_length: 2_000_000, ..on(map) };
                assert_eq!(play(red, blue, &rules, seed).faults(), [""; 0], "{map}, seed {seed}");
            }
        }
    }
}

#[test]
fn nobody_gets_stuck_whatever_the_settings() {
    let crowded = Rules { spawn_credits: 60, ..Rules::default() };
    let lone = Rules { spawn_credits: 0, item_delay: 1_000_000_000, ..Rules::default() };
    let hasty = Rules { at_move: 0, at_face: 0, at_shoot: 0, item_delay: 500, ..Rules::default() };
    let fragile = Rules { health: 1, winning_score: 1, ..Rules::default() };
    let players: Vec<Program> = programs::players(Game::Shark).map(player).collect();
    for rules in [crowded, lone, hasty, fragile] {
        let rules = Rules { game_length: 300_000, ..rules };
        for pair in players.windows(2) {
            assert_eq!(play(&pair[0], &pair[1], &rules, 1).faults(), [""; 0], "{rules:?}");
        }
    }
}

#[test]
fn the_stupidbot_beats_robots_that_move_at_random_and_captures_flags() {
    let (stupid, random) = (player("stupidbot"), player("random"));
    for (map, _) in maps::SHIPPED {
        for (team, red, blue) in [(Squad::Red, &stupid, &random), (Squad::Blue, &random, &stupid)] {
            let played = play(red, blue, &on(map), 7);
            assert_eq!(played.finish.verdict.winner(), Some(team), "{map}");
            assert!(played.score[team.index()] > 0, "{map}: {:?}", played.score);
        }
    }
}

/// Two rooms in a maze of walls; a robot that only ever came nearer would stand in a pocket for ever.
const POCKETS: [&str; 16] = [
    "................................",
    ".r..********************....b...",
    ".R.........................*.B..",
    ".....*.*************.*****.*....",
    ".....*.............*.....*.*....",
    ".....*************.*.***.*.*....",
    ".................*.*.*.*.*.*....",
    "..******.*******.*...*.*...*....",
    "..*....*.*.....*.*****.*****....",
    "..*.**.*.*.***.*................",
    "..*..*...*.*...*****************",
    "..*..*****.*....................",
    "..*........*******************..",
    "..**********..i.................",
    "................................",
    "................................",
];

#[test]
fn a_robot_without_a_map_gets_out_of_every_pocket() {
    let walker = program(
        "#include shark/botlib.rch
        let flags = do A_FLAGPOS in
        let memory = lref 0 in
        let go = fn go =>
          stepToward memory (if nth (do A_MYSTATS) 3 then (hd flags, nth flags 1) else (nth flags 2, nth flags 3));
          go go in
        go go",
    );
    let still =
        program("#include shark/botlib.rch\nlet stay = fn stay => face DIR_UP; stay stay in stay stay");
    let rules = Rules {
        map: Map::from_rows(POCKETS).unwrap(),
        winning_score: 2,
        spawn_credits: 0,
        item_delay: 1_000_000_000,
        ..Rules::default()
    };
    for (team, red, blue) in [(Squad::Red, &walker, &still), (Squad::Blue, &still, &walker)] {
        for seed in 0..3 {
            let played = play(red, blue, &rules, seed);
            assert_eq!(played.faults(), [""; 0]);
            assert_eq!(played.finish.verdict.winner(), Some(team), "seed {seed}: {:?}", played.finish);
        }
    }
}

#[test]
fn the_library_does_the_actions() {
    // Each check that fails divides by zero, which ends the thread and with it the match.
    let checks = program(
        "#include shark/botlib.rch
        let check = fn ok => if ok then 0 else 1 / 0 in
        let place = here 0 in
        check (distance place (hd (mystats 0), nth (mystats 0) 1) = 0);
        check (facing 0 = DIR_RIGHT);
        check (face DIR_UP = R_OK); check (facing 0 = DIR_UP); check (turnTo DIR_RIGHT = R_OK);
        check (isRobot place); check (not (isFree place)); check (inspect ~1 0 = O_WALL);
        check (isFree (ahead place DIR_RIGHT)); check (not (isRobot (ahead place DIR_RIGHT)));
        check (move 0 = R_OK); check (distance place (here 0) = 1);
        check (stepIn DIR_LEFT = R_OK); check (distance place (here 0) = 0);
        check (shoot 0 = R_OK);
        check (tl (look DIR_UP) = O_WALL);
        check (distance (nearest O_MYFLAG) (hd (flagpos 0), nth (flagpos 0) 1) = 0);
        check (hd (teamstats 0) = 3);
        check (stepToward (lref 0) place = R_OK);
        talk \"all is well\";
        let stay = fn stay => shoot 0; stay stay in stay stay",
    );
    let rules = Rules { map: Map::from_rows(POCKETS).unwrap(), game_length: 100_000, ..Rules::default() };
    let played = play(&checks, &player("random"), &rules, 1);
    assert_eq!(played.faults(), [""; 0]);
    assert_eq!(played.said(Squad::Red), ["all is well"]);
}

#[test]
fn the_programs_of_the_guide_play() {
    let guide = include_str!("../bots/README.md");
    let texts: Vec<&str> =
        guide.split("```rcl\n").skip(1).map(|block| block.split("```").next().unwrap()).collect();
    assert_eq!(texts.len(), 2);
    let still =
        program("#include shark/botlib.rch\nlet stay = fn stay => face DIR_UP; stay stay in stay stay");
    for text in texts {
        let played = play(&program(text), &still, &Rules::default(), 1);
        assert_eq!(played.faults(), [""; 0], "{text}");
        let moves =
            played.commands.iter().filter(|stamped| stamped.command.to_line().starts_with("draw RED"));
        assert!(moves.count() > 10, "{text}");
    }
    // The first one captures flags by itself.
    let first = guide.split("```rcl\n").nth(1).unwrap().split("```").next().unwrap();
    assert!(play(&program(first), &still, &Rules::default(), 1).score[0] > 0);
}
