//! Matches of λ-Shark between programs, from source text to commands.

use std::path::Path;

use grandstand_languages::{Limits as MachineLimits, Machine, MemoryFiles, Mode, NoWorld, Program, rcl};
use grandstand_matches::RunningMatch as _;
use grandstand_matches::machine::{self, LogEvent, Player, Settings};
use grandstand_matches::programs;
use grandstand_matches::{MatchSpec, StampedCommand};
use grandstand_players::program_files;
use grandstand_protocol::shark::{Command as Shark, Heading, Map, Team};
use grandstand_protocol::{Command, Game};
use grandstand_rules::shark::{ACTIONS, DIRECTIONS, Object, RESULTS, Rules, Termination, World, comes_first};

type ProgramMatch = machine::ProgramMatch<World>;
type Runner = machine::Runner<World>;

/// A robot that stays where it is and does nothing more.
const STAY: &str = "let wait = fn self => do [A_FACE, DIR_UP]; self self in wait wait";

/// Red begins at 1,1 and blue at 30,14; each is one step from its stand; between 5,1 and 7,1 there is a wall.
const MAP: [&str; 16] = [
    "................................",
    "Rr...*..........................",
    "................................",
    "................................",
    "................................",
    "................................",
    "...............i................",
    "................................",
    "................................",
    "................................",
    "................................",
    "................................",
    "................................",
    "................................",
    "..............................bB",
    "................................",
];

/// A program with this text, which may use the constants.
fn program(text: &str) -> Program {
    let constants = programs::shipped("shark/constants.rch").unwrap();
    let text = format!("#include shark/constants.rch\n{text}");
    let files = MemoryFiles::new().with("test.rcl", text).with("shark/constants.rch", constants);
    rcl::load("test.rcl", &files).unwrap_or_else(|error| panic!("{error}"))
}

fn rules(map: &[&str], length: u64) -> Rules {
    let map = Map::from_rows(map).unwrap();
    Rules { map, game_length: length, at_move: 50, at_face: 25, at_shoot: 50, ..Rules::default() }
}

fn setup(red: &str, blue: &str, rules: Rules) -> ProgramMatch {
    let settings = Settings { rules, ..Settings::default() };
    ProgramMatch { settings, seed: 1, players: [program(red).into(), program(blue).into()] }
}

fn play(setup: &ProgramMatch) -> (Runner, Vec<StampedCommand>) {
    let mut runner = Runner::new(setup).unwrap();
    while runner.ending().is_none() {
        runner.advance();
    }
    let commands = runner.drain_commands();
    (runner, commands)
}

fn lines(commands: &[StampedCommand]) -> Vec<String> {
    commands.iter().map(|stamped| stamped.command.to_line()).collect()
}

/// The texts that the robots of a team said.
fn said(commands: &[StampedCommand], team: Team) -> Vec<String> {
    let say = |stamped: &StampedCommand| match &stamped.command {
        Command::Shark(Shark::Say { team: by, text }) if *by == team => Some(text.to_string()),
        _ => None,
    };
    commands.iter().filter_map(say).collect()
}

#[test]
fn the_header_of_constants_has_the_worlds_numbers() {
    let objects = Object::ALL.iter().map(|object| (object.name(), object.code()));
    let all = ACTIONS.into_iter().chain(RESULTS).chain(DIRECTIONS).chain(objects);
    let (names, numbers): (Vec<&str>, Vec<i64>) = all.unzip();
    let mut machine = Machine::new(MachineLimits::default(), 0);
    let team = machine.add_team(&program(&format!("[{}]", names.join(", "))));
    machine.start(team);
    let mut world = NoWorld::default();
    machine.run(1_000, &mut world);
    let numbers = numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
    assert_eq!(world.ends[0].2.to_string(), format!("[{numbers}]"));
    // The file has nothing else.
    let text = programs::shipped("shark/constants.rch").unwrap();
    assert_eq!(text.lines().filter(|line| line.starts_with("let ")).count(), names.len());
}

#[test]
fn every_action_answers_a_program() {
    // A failed check divides by zero, which ends the thread and with it the match.
    let checks = r#"
        let check = fn ok => if ok then 0 else 1 / 0 in
        let hd = fn l => split l of fn h => fn t => h else 0 in
        let nth = (let nth = fn self => fn l => fn n => if n = 0 then hd l else
          self self (split l of fn h => fn t => t else 0) (n - 1) in nth nth) in
        let both = fn x => fn y => fn p => split p of fn a => fn b => (check (a = x); check (b = y)) else 1 / 0 in
        let me = do A_MYSTATS in
        check (nth me 0 = 1); check (nth me 1 = 1); check (nth me 2 = 3); check (nth me 3 = 0);
        check (nth me 4 = DIR_RIGHT);
        check (do (A_FACE, DIR_LEFT) = R_OK);
        check (nth (do A_MYSTATS) 4 = DIR_LEFT);
        check (do A_MOVE = R_FAIL);
        check (do [A_FACE, DIR_DOWN] = R_OK);
        check (do A_MOVE = R_OK);
        check (nth (do A_MYSTATS) 1 = 2);
        check (do A_SHOOT = R_OK);
        check (do [A_INSPECT, 0, 1] = O_MYFLAG); check (do (A_INSPECT, (31, 14)) = O_OPPFLAG);
        check (do [A_INSPECT, 5, 1] = O_WALL); check (do [A_INSPECT, ~1, 0] = O_WALL);
        check (do [A_INSPECT, 1, 2] = O_TEAMMATE); check (do [A_INSPECT, 30, 14] = O_OPPONENT);
        both 14 O_WALL (do [A_LOOK, DIR_DOWN]);
        both 0 1 (do (A_NEAREST, O_MYFLAG)); both 30 14 (do (A_NEAREST, O_OPPONENT));
        check (do (A_NEAREST, O_TEAMMATE) = R_FAIL);
        let flags = do A_FLAGPOS in
        check (nth flags 0 = 0); check (nth flags 1 = 1); check (nth flags 2 = 31); check (nth flags 3 = 14);
        let child = spawn (fn parent => (check (parent = 1); let wait = fn self => do [A_FACE, DIR_UP]; self self in wait wait)) in
        check (child = 3);
        let team = do A_TEAMSTATS in
        check (nth team 0 = 2); check (nth team 1 = 2); check (nth team 2 = 1); check (nth team 3 = 0);
        check (hd (nth team 5) = 3);
        check (do (A_TALK, "all is well") = R_OK);
    "#;
    let (mut runner, commands) = play(&setup(&format!("{checks} {STAY}"), STAY, rules(&MAP, 5_000)));
    let log: Vec<String> = runner.drain_log().iter().map(ToString::to_string).collect();
    assert_eq!(log.len(), 1, "{log:?}");
    assert!(log[0].ends_with(": red robot 1 at 1,2 says: all is well"), "{log:?}");
    assert_eq!(said(&commands, Team::Red), ["all is well"]);
}

#[test]
fn an_action_takes_effect_at_once_and_its_robot_waits() {
    let (_, commands) =
        play(&setup("do A_MOVE; do A_MOVE; do (A_FACE, DIR_UP); do A_MOVE; 0", STAY, rules(&MAP, 5_000)));
    let moves =
        |stamped: &&StampedCommand| stamped.command.to_line().starts_with("draw RED") && stamped.tick > 0;
    let ticks: Vec<u64> = commands.iter().filter(moves).map(|stamped| stamped.tick).collect();
    // 26 constants; then each action, its delay, and the step of its `;`.
    assert_eq!(ticks.iter().map(|tick| tick - ticks[0]).collect::<Vec<_>>(), [0, 52, 104, 131]);
}

#[test]
fn a_robot_that_dies_says_where_and_why() {
    let (mut runner, commands) = play(&setup("do A_MOVE;\ndo [A_FACE, 5]", STAY, rules(&MAP, 5_000)));
    let finish = *runner.world().finish().unwrap();
    // The points decide, and neither team has any.
    assert_eq!((finish.outcome.winner(), finish.termination), (None, Termination::Robots));
    let log = runner.drain_log();
    let text = log[0].to_string();
    assert!(
        text.starts_with(&format!("step {}: red robot 1 at 2,1 died: test.rcl:3:1: stuck: ", log[0].cycle)),
        "{text}"
    );
    assert!(
        text.ends_with("A_FACE takes a direction from 1 to 4, this is 5\n    do [A_FACE, 5]\n    ^^"),
        "{text}"
    );
    let markers: Vec<String> = lines(&commands)
        .into_iter()
        .filter(|line| line.starts_with("#gs marker") && line.contains("thread-end"))
        .collect();
    assert_eq!(markers.len(), 1);
    assert!(markers[0].contains("red robot 1 at 2,1: stuck at test.rcl:3:1"), "{markers:?}");
}

#[test]
fn a_robot_that_is_destroyed_stops_in_the_middle_of_a_step() {
    // Both stand face to face and shoot; red, which has the lower pid, is first in every step.
    let mut map = MAP.map(str::to_owned);
    map[1] = "Rr.b.*..........................".to_owned();
    map[14] = "...............................B".to_owned();
    let map: Vec<&str> = map.iter().map(String::as_str).collect();
    let fight =
        "let fight = fn self => fn n => do A_SHOOT; do (A_TALK, \"hit\"); self self n in fight fight 0";
    let (mut runner, commands) = play(&setup(fight, fight, rules(&map, 5_000)));
    let finish = *runner.world().finish().unwrap();
    assert_eq!(finish.termination, Termination::Robots);
    let mut log: Vec<String> = runner.drain_log().iter().map(ToString::to_string).collect();
    log.retain(|entry| !entry.ends_with(" says: hit"));
    assert_eq!(log, [format!("step {}: blue robot 2 at 3,1 was shot by red robot 1", finish.step)]);
    assert!(matches!(&runner.world().bots()[0].heading, Heading::Right));
    let shots = |line: &String| line.starts_with("shot ");
    assert_eq!(lines(&commands).iter().filter(|line| shots(line)).count(), 5, "three of red and two of blue");
    assert_eq!(said(&commands, Team::Blue).len(), 2);
}

#[test]
fn a_flag_is_taken_brought_home_and_drawn() {
    let mut map = MAP.map(str::to_owned);
    map[1] = "Rr.B.*..........................".to_owned();
    map[14] = "..............................b.".to_owned();
    let map: Vec<&str> = map.iter().map(String::as_str).collect();
    let carry = "
        let carry = fn self => fn n =>
          do (A_FACE, DIR_RIGHT); do A_MOVE; do A_MOVE; do (A_FACE, DIR_LEFT); do A_MOVE; do A_MOVE; self self n in
        carry carry 0";
    let (runner, commands) = play(&setup(carry, STAY, rules(&map, 100_000)));
    let ending = runner.ending().unwrap();
    assert_eq!((ending.winner, ending.termination, ending.score), (Some(0), "score", Some([10, 0])));
    let lines = lines(&commands);
    for line in ["names test test", "score 10 0", "stand blue empty", "stand blue full", "win red"] {
        assert!(lines.contains(&line.to_owned()), "{line}");
    }
    let result = ending.result();
    assert_eq!((result.winner.as_deref(), &result.detail["score"]["red"]), (Some("red"), &10.into()));
    assert_eq!(result.detail["steps"], ending.tick);
}

#[test]
fn a_loop_that_never_acts_is_no_reason_to_wait() {
    let restless = "let loop = fn self => self self in loop loop";
    let (runner, _) = play(&setup(restless, restless, rules(&MAP, 200_000)));
    assert_eq!(runner.world().finish().unwrap().termination, Termination::Length);
}

#[test]
fn running_ahead_changes_nothing() {
    let shipped = |name| program_files::load(Game::Shark, name, Path::new("/nowhere")).unwrap();
    let hunter = program(
        "let hunt = fn self => fn n =>
           spawn (self self);
           do (A_FACE, 1 + rand 4); (if rand 2 then do A_SHOOT else do A_MOVE);
           if rand 400 = 0 then 1 / 0 else self self n in
         hunt hunt 0",
    );
    let narrow: Vec<String> = (0..16)
        .map(|y| {
            (if y == 7 {
                "*R.r.i.b.B*"
            } else if y == 8 {
                "*.i.r.b.i.*"
            } else {
                "***********"
            })
            .to_owned()
                + &"*".repeat(21)
        })
        .collect();
    let narrow: Vec<&str> = narrow.iter().map(String::as_str).collect();
    // A team written in Rust acts between the threads of the other one.
    let native = Player::native::<World>("random").unwrap();
    let (random, hunter) = (Player::from(shipped("random")), Player::from(hunter));
    let pairs = [[random, hunter.clone()], [hunter.clone(), hunter.clone()], [native, hunter]];
    for (seed, players) in (0..9).zip(pairs.into_iter().cycle()) {
        let rules = Rules { item_delay: 500, ..rules(&narrow, 60_000) };
        let setup = ProgramMatch { settings: Settings { rules, ..Settings::default() }, seed, players };
        let ahead = Runner::new(&setup).unwrap();
        let mut lockstep = ahead.clone();
        lockstep.set_mode(Mode::Lockstep);
        let played = [ahead, lockstep].map(|mut runner| {
            while runner.ending().is_none() {
                runner.advance();
            }
            let log: Vec<String> = runner.drain_log().iter().map(ToString::to_string).collect();
            (lines(&runner.drain_commands()), log)
        });
        assert_eq!(played[0], played[1], "seed {seed}");
        assert!(played[0].1.iter().any(|entry| entry.contains(" was ")), "seed {seed}: {:?}", played[0].1);
    }
}

#[test]
fn limits_end_the_thread_that_goes_past_them() {
    let endless = "let f = fn self => fn n => 1 + self self n in f f 0";
    let mut setup = setup(endless, STAY, rules(&MAP, 5_000));
    setup.settings.limits.depth = 100;
    let (mut runner, _) = play(&setup);
    let log = runner.drain_log();
    assert!(matches!(&log[0].event, LogEvent::Ended(_)));
    assert!(log[0].to_string().contains("endless recursion?"), "{}", log[0]);
}

#[test]
fn names_are_words_of_the_dialect() {
    let mut setup = setup(STAY, STAY, rules(&MAP, 100));
    let named = |name: &str| rcl::parse(name, "0").unwrap();
    setup.players = [named("bots/my best team.rcl").into(), named(&format!("{}.rcl", "x".repeat(50))).into()];
    let (_, commands) = play(&setup);
    assert!(lines(&commands).contains(&format!("names my_best_team {}", "x".repeat(32))));
    assert_eq!(&*setup.header(None).teams[0].name, "my best team");
}

#[test]
fn the_first_team_has_the_lower_pid_whatever_plays_it() {
    let mut firsts = Vec::new();
    for seed in 0..12 {
        let first = comes_first(seed);
        for native in [false, true] {
            let player = || {
                if native { Player::native::<World>("random").unwrap() } else { program("do A_MOVE").into() }
            };
            let settings = Settings { rules: Rules::default(), ..Settings::default() };
            let runner =
                Runner::new(&ProgramMatch { settings, seed, players: [player(), player()] }).unwrap();
            let teams: Vec<Team> = runner.world().bots().iter().map(|bot| bot.team).collect();
            assert_eq!(teams, [first, first.opponent()], "seed {seed}");
        }
        firsts.push(first);
    }
    assert!(firsts.contains(&Team::Red) && firsts.contains(&Team::Blue));
}
