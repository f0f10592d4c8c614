//! The shipped teams against each other: their promised strength holds on a few seeds.
//!
//! The full check is `grandstand play abalone team simple_bot --matches 100 --expect-wins 95`, and so on.

use std::path::Path;

use grandstand_languages::{MemoryFiles, Program, cl};
use grandstand_matches::RunningMatch as _;
use grandstand_matches::StampedCommand;
use grandstand_matches::machine::{LogEntry, LogEvent, ProgramMatch, Runner, Settings};
use grandstand_matches::programs;
use grandstand_players::program_files;
use grandstand_protocol::abalone::{self, Team};
use grandstand_protocol::{Command, Game};
use grandstand_rules::abalone::{Finish, Rules, Termination, World};

fn player(name: &str) -> Program {
    program_files::load(Game::Abalone, name, Path::new(".")).unwrap()
}

/// A finished match.
struct Played {
    finish: Finish,
    commands: Vec<StampedCommand>,
    log: Vec<LogEntry>,
}

impl Played {
    /// The log entries of bots whose programs ended.
    fn faults(&self) -> Vec<String> {
        let faults = self.log.iter().filter(|entry| matches!(entry.event, LogEvent::Ended(_)));
        faults.map(ToString::to_string).collect()
    }
}

fn play(black: &Program, white: &Program, rules: &Rules, seed: u64) -> Played {
    let settings = Settings { rules: rules.clone(), ..Settings::default() };
    let setup =
        ProgramMatch::<World> { settings, seed, players: [black.clone().into(), white.clone().into()] };
    let mut runner = Runner::new(&setup).unwrap();
    while runner.ending().is_none() {
        runner.advance();
    }
    Played {
        finish: *runner.world().finish().unwrap(),
        commands: runner.drain_commands(),
        log: runner.drain_log(),
    }
}

/// Plays `seeds` with both colours: `stronger` wins every match, by points or because `weaker` has no pieces left, and
/// no bot of either ends.
fn beats(stronger: &str, weaker: &str, seeds: std::ops::Range<u64>) {
    let (strong, weak) = (player(stronger), player(weaker));
    for seed in seeds {
        for (team, black, white) in [(Team::Black, &strong, &weak), (Team::White, &weak, &strong)] {
            let played = play(black, white, &Rules::default(), seed);
            let played_by = format!("{stronger} as {team} against {weaker}, seed {seed}");
            assert_eq!(played.faults(), [""; 0], "{played_by}");
            assert_eq!(played.finish.outcome.winner(), Some(team), "{played_by}");
            assert_ne!(played.finish.termination, Termination::Length, "{played_by}");
        }
    }
}

#[test]
fn the_team_beats_the_simple_bot() {
    beats("team", "simple_bot", 0..3);
}

#[test]
fn the_simple_bot_beats_bots_that_move_at_random() {
    beats("simple_bot", "random", 0..3);
}

#[test]
fn the_simple_bot_beats_a_team_that_does_nothing() {
    beats("simple_bot", "idle", 0..3);
}

#[test]
fn two_teams_play_until_one_has_the_points() {
    let team = player("team");
    for seed in 0..2 {
        let played = play(&team, &team, &Rules::default(), seed);
        assert_eq!(played.faults(), [""; 0]);
        assert_eq!(played.finish.termination, Termination::Score);
    }
}

#[test]
fn the_team_has_made_its_plan_long_before_its_turn_is_over() {
    let team = player("team");
    let rules = Rules::default();
    let played = play(&team, &team, &rules, 0);
    // The first turns are for spawning.
    let later = played.commands.iter().filter(|stamped| stamped.tick > 2 * rules.cycles_per_turn);
    let is_set = |command: &Command| matches!(command, Command::Abalone(abalone::Command::Set { .. }));
    let commits =
        later.filter(|stamped| is_set(&stamped.command) && stamped.tick % rules.cycles_per_turn != 0);
    let latest = commits.map(|stamped| stamped.tick % rules.cycles_per_turn).max().unwrap();
    assert!(latest < rules.cycles_per_turn * 3 / 4, "a bot committed its move in cycle {latest} of a turn");
}

#[test]
fn no_bot_ends_whatever_the_rules() {
    let teams = ["team", "simple_bot", "random", "idle"].map(player);
    let lone = Rules { max_pieces: 1, ..Rules::default() };
    let crowded = Rules { max_pieces: 60, ..Rules::default() };
    let hasty = Rules { cycles_per_turn: 150, ..Rules::default() };
    for rules in [lone, crowded, hasty] {
        let rules = Rules { game_length: 20 * rules.cycles_per_turn, winning_score: 1000, ..rules };
        for (index, black) in teams.iter().enumerate() {
            let white = &teams[(index + 1) % teams.len()];
            assert_eq!(play(black, white, &rules, 1).faults(), [""; 0], "{rules:?}");
        }
    }
}

/// A program with this text and the shipped library.
fn program(text: &str) -> Program {
    let library = programs::shipped("abalone/constants.ch").unwrap();
    let files = MemoryFiles::new().with("test.cl", text).with("abalone/constants.ch", library);
    cl::load("test.cl", &files).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_team_waits_in_vain_for_nobody() {
    // A few of its bots die on their way to the barrier.
    let text = programs::shipped("abalone/team.cl").unwrap();
    let mortal = text.replace("  meet turn;\n", "  (if rand 12 = 0 then 1 / 0 else 0);\n  meet turn;\n");
    assert_ne!(mortal, text);
    let rules = Rules { winning_score: 1_000, game_length: 40_000, ..Rules::default() };
    let played = play(&program(&mortal), &player("random"), &rules, 1);
    let deaths = played.faults();
    assert!(deaths.len() >= 5, "{deaths:?}");
    assert!(deaths.iter().all(|death| death.contains("division by zero")), "{deaths:?}");
    // Yet in each of their turns the other bots commit moves.
    for turn in (1..played.finish.turns).step_by(2) {
        let cycles = u64::from(turn - 1) * rules.cycles_per_turn + 1..u64::from(turn) * rules.cycles_per_turn;
        let mut lines = played.commands.iter().filter(|stamped| cycles.contains(&stamped.tick));
        let commits = |line: &str| line.starts_with("set ") && line.contains(" b") && !line.ends_with('0');
        assert!(lines.any(|stamped| commits(&stamped.command.to_line())), "nobody moves in turn {turn}");
    }
}

#[test]
fn the_programs_of_the_guide_play() {
    let guide = include_str!("../../bots/README.md");
    let blocks = guide.split("```cl\n").skip(1);
    let texts: Vec<&str> = blocks.map(|block| block.split("```").next().unwrap()).collect();
    assert_eq!(texts.len(), 3);
    let rules = Rules { game_length: 20_000, ..Rules::default() };
    for text in texts {
        let played = play(&program(text), &player("random"), &rules, 1);
        assert_eq!(played.faults(), [""; 0], "{text}");
        let moves =
            played.commands.iter().filter(|stamped| stamped.command.to_line().ends_with(" e")).count();
        assert!(moves > 10, "{text}");
    }
}
