//! Matches of programs, from source text to commands.

use std::path::Path;

use grandstand_languages::{Limits as MachineLimits, Machine, Mode, NoWorld, Program, cl};
use grandstand_matches::RunningMatch as _;
use grandstand_matches::machine::{self, LogEntry, LogEvent, Settings};
use grandstand_matches::programs;
use grandstand_matches::{MatchSpec, StampedCommand};
use grandstand_players::program_files;
use grandstand_protocol::abalone::{self, Facing, Scene, Team};
use grandstand_protocol::team::Outcome;
use grandstand_protocol::{Command, Game, Micros};
use grandstand_rules::abalone::{ACTIONS, Object, Rules, Termination, World};

type ProgramMatch = machine::ProgramMatch<World>;
type Runner = machine::Runner<World>;

/// Spawns all it can, and moves at random.
const RANDOM: &str = "
    let wander = rec wander in fn u => do (7, 1 + rand 6); do 9; wander u in
    let live = rec live in fn u => (rec grow in if spawn (live u) then grow else 0); wander u in
    live 0";
/// Looks around and talks, but stays.
const TALKER: &str = "
    rec loop in (
        let look = do (5, 1) in let all = (do 1, do 2, do 3, do 6, do (4, 0, 0), do (4, (1, 2)), look[0]) in
        do (10, \"looking\"); do 8; loop)";

fn program(text: &str) -> Program {
    cl::parse("test.cl", text).unwrap()
}

fn setup(black: &str, white: &str, seed: u64) -> ProgramMatch {
    let rules = Rules { game_length: 60_000, ..Rules::default() };
    let settings = Settings { rules, ..Settings::default() };
    ProgramMatch { settings, seed, players: [program(black).into(), program(white).into()] }
}

/// Plays a match to its end; at every turn the drawn scene must equal the world's.
fn play(setup: &ProgramMatch) -> (Runner, Vec<StampedCommand>) {
    let mut runner = Runner::new(setup).unwrap();
    let mut scene = Scene::default();
    let mut commands = Vec::new();
    loop {
        for stamped in runner.drain_commands() {
            if let Command::Abalone(command) = &stamped.command {
                scene.apply(0, Micros(0), command);
            }
            commands.push(stamped);
        }
        let projected = runner.world().scene();
        assert!(scene.pieces().eq(projected.pieces()));
        assert_eq!(Team::ALL.map(|team| scene.score(team)), Team::ALL.map(|team| projected.score(team)));
        assert_eq!(scene.turns(), projected.turns());
        if runner.world().finish().is_some() {
            return (runner, commands);
        }
        runner.advance();
    }
}

/// Plays the rest of a match without checks; returns its commands and its log.
fn rest(mut runner: Runner) -> (Vec<String>, Vec<String>) {
    while runner.world().finish().is_none() {
        runner.advance();
    }
    let log = runner.drain_log().iter().map(ToString::to_string).collect();
    (lines(&runner.drain_commands()), log)
}

fn has_left(entry: &LogEntry) -> bool {
    matches!(entry.event, LogEvent::Removed(_) | LogEvent::Ended(_))
}

fn lines(commands: &[StampedCommand]) -> Vec<String> {
    commands.iter().map(|stamped| stamped.command.to_line()).collect()
}

#[test]
fn a_match_of_random_teams_is_played_to_its_end() {
    let (runner, commands) = play(&setup(RANDOM, RANDOM, 1));
    let finish = runner.world().finish().unwrap();
    assert!(matches!(finish.termination, Termination::Length | Termination::Score), "{finish:?}");
    assert!(commands.len() > 500);
    assert!(commands.is_sorted_by_key(|stamped| stamped.tick));
    // First the board, then 28 pieces spawned in the first turns.
    assert_eq!(lines(&commands[..3]), ["bscore 0", "wscore 0", "turns 1"]);
    assert_eq!(commands[63].tick, 0);
    let spawned = runner.world().bots().len() as u32
        + runner.world().score(Team::Black)
        + runner.world().score(Team::White);
    assert_eq!(spawned, 28);
    let result = runner.ending().unwrap().result();
    assert_eq!(result.termination, finish.termination.name());
    assert_eq!(result.detail["turns"], finish.turns);
}

#[test]
fn the_same_seed_gives_the_same_commands_and_another_one_others() {
    let once = play(&setup(RANDOM, TALKER, 5)).1;
    assert_eq!(play(&setup(RANDOM, TALKER, 5)).1, once);
    assert_ne!(lines(&play(&setup(RANDOM, TALKER, 6)).1), lines(&once));
}

#[test]
fn running_ahead_changes_nothing() {
    let stuck_at_random = "
        let live = rec live in fn n => (do (7, rand 7); do 8; if rand 9 then live n else 1 / rand 3) in
        let grow = rec grow in fn n => if spawn (grow n) then grow n else live n in
        grow 0";
    let shipped = |name: &str| program_files::load(Game::Abalone, name, Path::new("/nowhere")).unwrap();
    let players =
        [program(RANDOM), program(TALKER), program(stuck_at_random), shipped("team"), shipped("simple_bot")];
    for (n, black) in players.iter().enumerate() {
        for (seed, white) in (100 * n as u64..).zip(&players) {
            let mut setup = setup("0", "0", seed);
            setup.players = [black.clone().into(), white.clone().into()];
            let ahead = Runner::new(&setup).unwrap();
            let mut lockstep = ahead.clone();
            lockstep.set_mode(Mode::Lockstep);
            assert_eq!(rest(ahead), rest(lockstep), "seed {seed}");
        }
    }
}

/// A recorded match must give the same commands in every later version: its header promises that. After an intended
/// change of the rules or the language, run the test with `BLESS=1` and note the change in the change log.
#[test]
fn a_match_is_the_same_in_every_version() {
    let mut setup = setup(RANDOM, RANDOM, 1);
    setup.settings.rules.game_length = 20_000;
    let (runner, commands) = play(&setup);
    let mut text: String = lines(&commands).iter().map(|line| format!("{line}\n")).collect();
    text += &format!("{:?}\n", runner.world().finish().unwrap());
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/random-random-1.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(golden.parent().unwrap()).unwrap();
        std::fs::write(&golden, &text).unwrap();
    }
    let expected = std::fs::read_to_string(&golden).unwrap();
    let differs = text.lines().zip(expected.lines()).position(|(ours, golden)| ours != golden);
    assert!(
        text == expected,
        "the match differs from {} in line {:?}",
        golden.display(),
        differs.map(|n| n + 1)
    );
}

#[test]
fn a_snapshot_plays_on_as_the_match_itself() {
    let mut runner = Runner::new(&setup(RANDOM, RANDOM, 9)).unwrap();
    for _ in 0..7 {
        runner.advance();
    }
    let mut copy = runner.clone();
    let play_on = |runner: &mut Runner| {
        for _ in 0..10 {
            runner.advance();
        }
        runner.drain_commands()
    };
    assert_eq!(play_on(&mut copy), play_on(&mut runner));
}

#[test]
fn every_action_answers_a_program() {
    // A failed check divides by zero, which ends the thread and with it the match.
    let checks = "
        let check = fn ok => if ok then 0 else 1 / 0 in
        let stat = do 1 in
        check (stat[0][0] = ~2); check (stat[0][1] = ~1); check (stat[1] = 0);
        do (7, 3);
        check ((do 1)[1] = 3);
        do (7, 0);
        check ((do 1)[1] = 0);
        let team = do 2 in
        check (team[0] = 1); check (team[1] = 0); check (team[2] = 13); check (team[3] = 1); check (team[5] = 13);
        let child = spawn (do 8; do 8; do 8; do 8; do 8; 0) in
        check (child = 3);
        check ((do 2)[0] = 2);
        let game = do 3 in
        check (game[0] = 1); check (game[1] < 2000);
        check (do (4, ~2, ~1) = 2); check (do (4, (2, 1)) = 3); check (do (4, 9, 9) = 4); check (do (4, 0, 0) = 1);
        let around = do 6 in
        check (around[0] + around[1] + around[2] + around[3] + around[4] + around[5] = 7);
        check ((do (5, 4))[3] = 4);
        check (do (10, \"all is well\") = 0);
        check (do 8 = 0);
        check ((do 3)[0] = 2);
        check (do 9 = 0);
        check ((do 3)[0] = 3);
        rec rest in (do 8; rest)";
    let (mut runner, commands) = play(&setup(checks, TALKER, 3));
    let mut log = runner.drain_log();
    assert!(log.iter().any(|entry| entry.event == LogEvent::Said("all is well".to_owned())));
    // Only the child ends, after five turns.
    log.retain(has_left);
    assert_eq!(log.len(), 1, "{}", log[0]);
    assert_eq!(log[0].pid.0, 3);
    assert!(log[0].when.starts_with("turn 6 cycle "), "{}", log[0].when);
    assert!(lines(&commands).contains(&"bsay all is well".to_owned()));
}

#[test]
fn a_bot_that_dies_says_where_and_why() {
    let stuck = "do 8;\nlet direction = 7 in\ndo (7, direction)";
    let (mut runner, commands) = play(&setup(stuck, TALKER, 3));
    let finish = runner.world().finish().unwrap();
    assert_eq!((finish.outcome, finish.termination), (Outcome::Win(Team::White), Termination::Pieces));
    let log: Vec<LogEntry> = runner.drain_log().into_iter().filter(has_left).collect();
    let text = log[0].to_string();
    assert!(text.starts_with("turn 2 cycle 20"), "{text}");
    assert!(
        text.contains("black bot 1 at C−1 died: test.cl:3:1: stuck: A_COMMITMOVE takes a direction from 0 to 6, this is 7\n    do (7, direction)\n    ^"),
        "{text}"
    );
    let marker = commands.iter().find(|stamped| matches!(stamped.command, Command::Marker(_))).unwrap();
    assert!(marker.command.to_line().contains("black bot 1 at C~1: stuck at test.cl:3:1"), "{marker:?}");
}

#[test]
fn limits_end_the_thread_that_goes_past_them() {
    let endless = "let f = rec f in fn n => 1 + f n in f 0";
    let mut setup = setup(endless, TALKER, 3);
    setup.settings.limits.depth = 100;
    let (mut runner, _) = play(&setup);
    let log: Vec<LogEntry> = runner.drain_log().into_iter().filter(has_left).collect();
    assert!(matches!(&log[0].event, LogEvent::Ended(_)));
    assert!(log[0].to_string().contains("endless recursion?"), "{}", log[0]);
}

#[test]
fn a_program_that_is_over_at_once_loses() {
    let (runner, _) = play(&setup(TALKER, "0", 3));
    let finish = runner.world().finish().unwrap();
    assert_eq!(
        (finish.outcome, finish.termination, finish.turns),
        (Outcome::Win(Team::Black), Termination::Pieces, 0)
    );
    assert_eq!(runner.world().score(Team::Black), 1);
}

#[test]
fn nobody_moves_and_the_match_is_a_draw() {
    let never = "rec loop in loop";
    let (runner, commands) = play(&setup(never, "do 9; rec loop in (do 9; loop)", 3));
    let finish = runner.world().finish().unwrap();
    assert_eq!((finish.outcome, finish.termination, finish.turns), (Outcome::Draw, Termination::Length, 30));
    assert_eq!(runner.ending().unwrap().winner, None);
    assert_eq!(commands.len(), 64 + 29, "the board, and the turns after the first");
}

#[test]
fn a_match_is_set_up_again_from_its_header() {
    let setup = setup(RANDOM, TALKER, 77);
    let header = setup.header(Some("2026-01-02T03:04:05Z"));
    let json = serde_json::to_string(&header).unwrap();
    let again = ProgramMatch::from_header(&serde_json::from_str(&json).unwrap()).unwrap();
    assert_eq!(again.settings, setup.settings);
    assert_eq!(play(&again).1, play(&setup).1);
    assert_eq!((&*header.title, &*header.teams[0].name), ("test – test", "test"));
    assert_eq!(header.programs[1].sha256.len(), 64);

    let mut damaged = header.clone();
    damaged.programs[1].source = Some("#file 10 a.cl\n1 +\n".to_owned());
    let error = ProgramMatch::from_header(&damaged).unwrap_err().to_string();
    assert_eq!(error, "the program of white: byte 0: expected `#file BYTES PATH` and that many bytes");
    damaged.seed = None;
    assert_eq!(
        ProgramMatch::from_header(&damaged).unwrap_err().to_string(),
        "the header does not tell the match's seed"
    );
}

#[test]
fn a_turn_that_is_long_is_played_in_parts() {
    let mut setup = setup("rec loop in (do (7, rand 7); loop)", TALKER, 1);
    setup.settings.rules.cycles_per_turn = 50_000;
    setup.settings.rules.game_length = 100_000;
    let mut runner = Runner::new(&setup).unwrap();
    let mut parts = Vec::new();
    while runner.world().finish().is_none() {
        runner.advance();
        parts.push(runner.drain_commands().last().unwrap().tick);
    }
    assert_eq!(parts.len(), 10, "{parts:?}");
    assert!(
        parts.iter().zip(1..).all(|(&last, part)| last > part * 10_000 - 20 && last <= part * 10_000),
        "{parts:?}"
    );
    assert_eq!(runner.world().finish().unwrap().turns, 2);
}

#[test]
fn the_header_of_constants_has_the_worlds_numbers() {
    let names = ACTIONS.iter().map(|&(name, number)| (name, number));
    let objects = Object::ALL.iter().map(|object| (object.name(), object.code()));
    let directions = ["R", "UR", "UL", "L", "DL", "DR"].into_iter().zip(Facing::DIRECTIONS);
    let directions = directions.map(|(name, facing)| (name, i64::from(facing.number())));
    let (names, numbers): (Vec<&str>, Vec<i64>) = names.chain(objects).chain(directions).unzip();
    let text = format!("{}\n({})", programs::shipped("abalone/constants.ch").unwrap(), names.join(", "));
    let mut machine = Machine::new(MachineLimits::default(), 0);
    let team = machine.add_team(&program(&text));
    machine.start(team);
    let mut world = NoWorld::default();
    machine.run(1_000, &mut world);
    let numbers = numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
    assert_eq!(world.ends[0].2.to_string(), format!("({numbers})"));
}

#[test]
fn the_shipped_players_play() {
    let shipped = |name: &str| program_files::load(Game::Abalone, name, Path::new("/nowhere")).unwrap();
    let mut setup = setup("0", "0", 4);
    setup.players = [shipped("random").into(), shipped("idle").into()];
    let (mut runner, commands) = play(&setup);
    assert_eq!(
        runner.drain_log().iter().filter(|entry| matches!(entry.event, LogEvent::Ended(_))).count(),
        0
    );
    assert_eq!(runner.world().pieces(Team::Black), 14);
    assert!(commands.len() > 500);
    assert_eq!(&*setup.header(None).title, "random – idle");
}

#[test]
fn talk_beyond_the_limit_is_dropped_and_counted() {
    let chatter = "rec loop in (do (10, \"bla\\nwscore 9\"); loop)";
    let (runner, commands) = play(&setup(chatter, TALKER, 3));
    let said = commands.iter().filter(|stamped| {
        matches!(&stamped.command, Command::Abalone(abalone::Command::Say { team: Team::Black, text }) if *text == "bla wscore 9")
    });
    assert_eq!(said.count(), 20 * 30);
    assert!(runner.world().dropped_talks(Team::Black) > 1_000);
}
