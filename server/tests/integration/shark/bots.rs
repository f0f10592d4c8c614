//! The shipped λ-Shark programs on the shipped maps: no thread gets stuck, and their promised strength holds on a few
//! seeds.
//!
//! The full check is `grandstand play shark shark stupidbot --map MAP --matches 100 --expect-wins 95`, and so on.

use std::path::Path;

use grandstand_languages::{Cause, MemoryFiles, Program, rcl};
use grandstand_matches::RunningMatch as _;
use grandstand_matches::StampedCommand;
use grandstand_matches::machine::{LogEntry, LogEvent, ProgramMatch, Runner, Settings};
use grandstand_matches::programs;
use grandstand_players::program_files;
use grandstand_protocol::shark::{Command as Shark, Map, Team};
use grandstand_protocol::{Command, Game};
use grandstand_rules::shark::{Finish, Rules, World, maps};

fn player(name: &str) -> Program {
    program_files::load(Game::Shark, name, Path::new(".")).unwrap()
}

/// A program with this text and the shipped library.
fn program(text: &str) -> Program {
    let files = ["shark/constants.rch", "shark/botlib.rch", "shark/ways.rch"]
        .into_iter()
        .fold(MemoryFiles::new(), |files, name| files.with(name, programs::shipped(name).unwrap()));
    rcl::load("test.rcl", &files.with("test.rcl", text)).unwrap_or_else(|error| panic!("{error}"))
}

/// A finished match.
struct Played {
    finish: Finish,
    score: [u32; 2],
    /// Number of robots left of each team.
    robots: [usize; 2],
    commands: Vec<StampedCommand>,
    log: Vec<LogEntry>,
}

impl Played {
    /// Number of robots whose programs ended with a value.
    fn left(&self) -> usize {
        let left = |entry: &&LogEntry| matches!(&entry.event, LogEvent::Ended(end) if matches!(end.cause, Cause::Value(_)));
        self.log.iter().filter(left).count()
    }

    /// The log entries of robots whose programs ended otherwise.
    fn faults(&self) -> Vec<String> {
        let fault = |entry: &&LogEntry| matches!(&entry.event, LogEvent::Ended(end) if !matches!(end.cause, Cause::Value(_)));
        self.log.iter().filter(fault).map(ToString::to_string).collect()
    }

    /// The texts that a team said.
    fn said(&self, team: Team) -> Vec<String> {
        let say = |stamped: &StampedCommand| match &stamped.command {
            Command::Shark(Shark::Say { team: by, text }) if *by == team => Some(text.to_string()),
            _ => None,
        };
        self.commands.iter().filter_map(say).collect()
    }
}

fn play(red: &Program, blue: &Program, rules: &Rules, seed: u64) -> Played {
    let settings = Settings { rules: rules.clone(), ..Settings::default() };
    let setup = ProgramMatch::<World> { settings, seed, players: [red.clone().into(), blue.clone().into()] };
    let mut runner = Runner::new(&setup).unwrap();
    while runner.ending().is_none() {
        runner.advance();
    }
    Played {
        finish: *runner.world().finish().unwrap(),
        score: Team::ALL.map(|team| runner.world().score(team)),
        robots: Team::ALL.map(|team| runner.world().bots().iter().filter(|bot| bot.team == team).count()),
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
    // On each map every program has another opponent.
    for (shift, (map, _)) in maps::SHIPPED.into_iter().enumerate() {
        for (seed, red) in (0..).zip(&players) {
            let blue = &players[(seed as usize + shift) % players.len()];
            let rules = Rules { game_length: 2_000_000, ..on(map) };
            assert_eq!(play(red, blue, &rules, seed).faults(), [""; 0], "{map}, seed {seed}");
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
fn the_stupidbot_beats_robots_that_move_at_random() {
    let (stupid, random) = (player("stupidbot"), player("random"));
    for (map, _) in maps::SHIPPED {
        for (team, red, blue) in [(Team::Red, &stupid, &random), (Team::Blue, &random, &stupid)] {
            let played = play(red, blue, &on(map), 7);
            assert_eq!(played.finish.outcome.winner(), Some(team), "{map}");
            assert!(played.score[team.index()] > 0, "{map}: {:?}", played.score);
        }
    }
}

#[test]
fn the_shark_beats_them_all_on_every_map() {
    let shark = player("shark");
    for other in [player("stupidbot"), player("random")] {
        for (map, _) in maps::SHIPPED {
            for (team, red, blue) in [(Team::Red, &shark, &other), (Team::Blue, &other, &shark)] {
                let played = play(red, blue, &on(map), 1);
                assert_eq!(played.finish.outcome.winner(), Some(team), "{map}: {:?}", played.finish);
            }
        }
    }
}

#[test]
fn the_shark_hunts_alone_once_its_scouts_know_the_ways() {
    let still = program("let stay = fn stay => do (2, 1); stay stay in stay stay");
    for (map, _) in maps::SHIPPED {
        let rules = Rules { game_length: 120_000, ..on(map) };
        let played = play(&player("shark"), &still, &rules, 1);
        assert_eq!((played.left(), played.robots), (2, [1, 1]), "{map}");
    }
}

/// Number of steps from a robot's place to the tile beside a stand and into it, computed independently.
fn steps_between(rows: &[String], from: (usize, usize), stand: char) -> usize {
    let mut seen = vec![from];
    let mut front = vec![from];
    for far in 0.. {
        let mut next = Vec::new();
        for (x, y) in front {
            let around = [(x, y.wrapping_sub(1)), (x, y + 1), (x.wrapping_sub(1), y), (x + 1, y)];
            for (x, y) in around {
                let Some(tile) = rows.get(y).and_then(|row| row.chars().nth(x)) else { continue };
                if tile == stand {
                    return far + 1;
                }
                if !"*RB".contains(tile) && !seen.contains(&(x, y)) {
                    seen.push((x, y));
                    next.push((x, y));
                }
            }
        }
        assert!(!next.is_empty(), "{stand} is out of reach");
        front = next;
    }
    unreachable!()
}

#[test]
fn the_ways_are_the_shortest() {
    let reckoner = program(
        "#include shark/ways.rch
        let chart = survey 0 in
        fill toHome (tileAt chart home);
        fill toPrize (tileAt chart prize);
        let me = tileAt chart (here 0) in
        let digits = fn n => [48 + n / 100, 48 + n / 10 mod 10, 48 + n mod 10] in
        talk (digits (!(toHome me) - 1));
        talk (digits (!(toPrize me) - 1));
        let spot = lref 0 in
        let go = fn go =>
          (if nth (do A_MYSTATS) 3 then wayStep chart toHome home spot else wayStep chart toPrize prize spot);
          go go in
        go go",
    );
    let still = program("let stay = fn stay => do (2, 1); stay stay in stay stay");
    for (map, _) in maps::SHIPPED {
        let rules = Rules { spawn_credits: 0, winning_score: 1, item_delay: 1_000_000_000, ..on(map) };
        let played = play(&reckoner, &still, &rules, 1);
        let start = played.commands.iter().find_map(|stamped| {
            let line = stamped.command.to_line();
            let mut words =
                line.strip_prefix("draw RED_RIGHT ")?.split(' ').map(|word| word.parse().unwrap());
            Some((words.next()?, words.next()?))
        });
        let rows: Vec<String> = rules.map.rows().collect();
        let steps = ['R', 'B'].map(|stand| format!("{:03}", steps_between(&rows, start.unwrap(), stand)));
        assert_eq!(played.said(Team::Red), steps, "{map}");
        assert_eq!(played.score, [1, 0], "{map}");
    }
}

/// Two rooms in a maze of walls; a robot that only ever moves closer would stay in a pocket for ever.
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
    for (team, red, blue) in [(Team::Red, &walker, &still), (Team::Blue, &still, &walker)] {
        for seed in 0..3 {
            let played = play(red, blue, &rules, seed);
            assert_eq!(played.faults(), [""; 0]);
            assert_eq!(played.finish.outcome.winner(), Some(team), "seed {seed}: {:?}", played.finish);
        }
    }
}

#[test]
fn the_library_does_the_actions() {
    // A failed check divides by zero, which ends the thread and with it the match.
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
    assert_eq!(played.said(Team::Red), ["all is well"]);
}

#[test]
fn the_programs_of_the_guide_play() {
    let guide = include_str!("../../../bots/README.md");
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
    // The first program captures flags by itself.
    let first = guide.split("```rcl\n").nth(1).unwrap().split("```").next().unwrap();
    assert!(play(&program(first), &still, &Rules::default(), 1).score[0] > 0);
}
