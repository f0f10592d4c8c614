//! Conformance of all kinds of matches: of programs, of processes, by rules or by the clock. A game joins with its
//! lines in [`fixtures`]. (The requirements of its rules alone are in the conformance suite of the rules; the replay of
//! real-time matches by their inputs is tested with Steam Fortress.)

use std::path::Path;

use grandstand::games;
use grandstand_matches::games::fortress::spec::ShippedMatch;
use grandstand_matches::games::fortress::teams::ShippedTeam;
use grandstand_matches::games::riskless::Riskless;
use grandstand_matches::games::stones::Stones;
use grandstand_matches::machine::{self, ProgramMatch, Settings};
use grandstand_matches::turns::settings::read_settings;
use grandstand_matches::{Ending, HeaderError, MatchSpec, StampedCommand};
use grandstand_players::program_files;
use grandstand_players::turns::spec::TurnMatch;
use grandstand_protocol::{Command, Game, MatchHeader, Micros, Scene};
use grandstand_replays::{Header, Limits, Replay, Writer};
use grandstand_rules::fortress::ByTeam;
use grandstand_rules::{abalone, fortress, shark};
use serde_json::{Value, json};

/// Short matches of every game that has rules here.
fn fixtures() -> Vec<Box<dyn MatchSpec>> {
    let shipped = |game, name| program_files::load(game, name, Path::new("/nowhere")).unwrap();
    let mut fixtures: Vec<Box<dyn MatchSpec>> = Vec::new();
    for (seed, players) in (1..).zip([["random", "random"], ["team", "simple_bot"]]) {
        let rules = abalone::Rules { game_length: 60_000, ..abalone::Rules::default() };
        let settings = Settings { rules, ..Settings::default() };
        let players = players.map(|name| shipped(Game::Abalone, name).into());
        fixtures.push(Box::new(ProgramMatch::<abalone::World> { settings, seed, players }));
    }
    for (seed, (map, _)) in (1..).zip(shark::maps::SHIPPED) {
        let rules = shark::Rules {
            map: shark::maps::by_name(map).unwrap(),
            game_length: 1_000_000,
            ..shark::Rules::default()
        };
        let settings = Settings { rules, ..Settings::default() };
        // Programs, teams written in Rust, and one against the other.
        let program = || machine::Player::from(shipped(Game::Shark, "random"));
        let native = || machine::Player::native::<shark::World>("random").unwrap();
        let players = match seed % 3 {
            0 => [program(), native()],
            1 => [program(), program()],
            _ => [native(), native()],
        };
        fixtures.push(Box::new(ProgramMatch::<shark::World> { settings, seed, players }));
    }
    for (seed, (map, _)) in (1..).zip(fortress::maps::SHIPPED).take(3) {
        let rules = fortress::Rules { time_limit: 30_000, ..fortress::Rules::default() };
        let map = fortress::maps::by_name(map).unwrap();
        let teams = ByTeam::new(ShippedTeam::Strong, ShippedTeam::Weak);
        fixtures.push(Box::new(ShippedMatch { rules, map, teams, seed }));
    }
    for (seed, (game, players, settings)) in (1..).zip([
        (Game::Gomoku, ["random", "random"], json!({"SIZE": 9})),
        (Game::Gomoku, ["random", "stupid"], json!({"OPENING": "swap2", "RULE": "exactly5"})),
        (Game::Gomoku, ["stupid", "search:depth=2"], json!({"OPENING": "balanced", "SIZE": 11})),
        (Game::Gomoku, ["random", "random"], json!({"RULE": "renju", "SIZE": 7})),
        (Game::Pente, ["stupid", "random"], json!({"TOURNAMENT": true})),
        (Game::Pente, ["search:nodes=500", "stupid"], json!({"OPENING": "free", "SIZE": 13})),
    ]) {
        let settings = read_settings::<Stones>(game, object(settings)).unwrap();
        fixtures.push(Box::new(TurnMatch::new(settings, players, seed).unwrap()));
    }
    for (seed, (players, settings)) in (1..).zip([
        (["minimax", "alphabeta:depth=3"], json!({"MAP": "trees", "OPENING_PLIES": 3})),
        (["random", "random"], json!({"MAP": "trees"})),
        (["jamboree:depth=3,prune=0.25", "search:depth=3"], json!({"MAP": "islands", "OPENING_PLIES": 4})),
        (["search:nodes=300", "random"], json!({"MAP": "islands", "START": "1-0 Salt_Flats-Windward"})),
    ]) {
        let settings = read_settings::<Riskless>(Game::Riskless, object(settings)).unwrap();
        fixtures.push(Box::new(TurnMatch::new(settings, players, seed).unwrap()));
    }
    fixtures
}

fn object(value: Value) -> serde_json::Map<String, Value> {
    value.as_object().unwrap().clone()
}

/// A match that was played to its end.
#[derive(Debug, PartialEq)]
struct Played {
    commands: Vec<StampedCommand>,
    log: Vec<String>,
    ending: Ending,
}

/// Plays a match; at every moment the drawn scene must equal the match's own.
fn play(fixture: &dyn MatchSpec) -> Played {
    let mut contest = fixture.start().unwrap();
    let tempo = fixture.tempo();
    let (mut scene, mut commands, mut log) = (Scene::new(fixture.game()), Vec::new(), Vec::new());
    loop {
        for stamped in contest.drain_commands() {
            let t = Micros(tempo.watchable.as_micros() as u64 * stamped.tick / tempo.ticks);
            scene.apply(commands.len() as u64 + 1, t, &stamped.command);
            commands.push(stamped);
        }
        assert_eq!(lasting(&scene), lasting(&contest.scene()));
        log.extend(contest.drain_log_lines().into_iter().map(|line| line.text));
        assert!(!contest.progress().contains('\n'));
        if let Some(ending) = contest.ending() {
            // A finished match does not change any more.
            contest.advance();
            assert!(contest.drain_commands().is_empty() && contest.drain_log_lines().is_empty());
            assert_eq!(contest.ending(), Some(ending.clone()));
            return Played { commands, log, ending };
        }
        contest.advance();
    }
}

/// The parts of a scene that last longer than a moment.
fn lasting(scene: &Scene) -> serde_json::Value {
    let mut value = serde_json::to_value(scene).unwrap();
    for passing in ["talk", "overlays", "shots", "effects", "thoughts"] {
        value.as_object_mut().unwrap().remove(passing);
    }
    value
}

#[test]
fn every_game_with_rules_is_here() {
    let fixtures = fixtures();
    for game in Game::ALL {
        let has_rules = games::from_header(game, &MatchHeader::default())
            .is_err_and(|error| !matches!(error, HeaderError::Rules(_)));
        assert_eq!(fixtures.iter().any(|fixture| fixture.game() == game), has_rules, "{game}");
    }
}

#[test]
fn a_match_is_the_same_each_time_and_from_its_header() {
    for fixture in fixtures() {
        let played = play(&*fixture);
        assert!(played.commands.len() > 20, "{} commands of {}", played.commands.len(), fixture.game());
        assert!(played.commands.is_sorted_by_key(|stamped| stamped.tick));
        assert!(played.ending.tick >= played.commands.last().unwrap().tick);
        assert_eq!(play(&*fixture), played);

        let header = fixture.header(Some("2026-01-02T03:04:05Z"));
        let json = serde_json::to_string(&header).unwrap();
        let again = games::from_header(fixture.game(), &serde_json::from_str(&json).unwrap()).unwrap();
        assert_eq!(again.header(Some("2026-01-02T03:04:05Z")), header);
        assert_eq!(play(&*again), played);
        let sides = fixture.sides();
        assert_eq!((again.sides(), again.tempo(), again.seed()), (sides, fixture.tempo(), fixture.seed()));
        let teams: Vec<_> = header.teams.iter().map(|team| team.color).collect();
        assert_eq!(teams, sides.map(|side| side.color));
    }
}

#[test]
fn another_seed_or_the_other_side_is_another_match() {
    for fixture in fixtures() {
        let played = play(&*fixture);
        let same = fixture.variation(fixture.seed(), false);
        assert_eq!(play(&*same), played);
        let other = fixture.variation(fixture.seed() + 1, false);
        assert_ne!(play(&*other).commands, played.commands);
        let swapped = fixture.variation(fixture.seed(), true).header(None);
        let mut teams: Vec<_> = swapped.teams.iter().map(|team| team.name.clone()).collect();
        teams.reverse();
        let header = fixture.header(None);
        assert_eq!(teams, header.teams.iter().map(|team| team.name.clone()).collect::<Vec<_>>());
    }
}

#[test]
fn a_recorded_match_is_read_as_it_was_drawn() {
    for fixture in fixtures() {
        let Played { commands, ending, .. } = play(&*fixture);
        let header = Header::new(fixture.game(), fixture.header(None));
        let mut writer = Writer::new(Vec::new(), &header).unwrap();
        for stamped in &commands {
            let game = fixture.game();
            let line = stamped.command.to_line();
            assert_eq!(Command::parse(game, line.as_bytes()), stamped.command, "{line}");
            writer.command(Micros(stamped.tick), &stamped.command).unwrap();
        }
        let result = ending.result();
        writer.result(Micros(ending.tick), &result).unwrap();
        let replay = Replay::open(&writer.into_inner(), Limits::default()).unwrap();
        assert_eq!((replay.damage(), replay.result()), (None, Some(&result)));
        assert_eq!(replay.header(), &header);
        let log = replay.log();
        for (seq, stamped) in (1..).zip(&commands) {
            let recorded = (log.time_of(seq), log.command(seq));
            assert_eq!(recorded, (Micros(stamped.tick), Some(stamped.command.clone())));
        }
    }
}
