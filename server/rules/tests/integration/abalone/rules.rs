//! Spawning, turns, waiting, points and ends: sections 2.1, 2.5 to 2.8 and 2.12.

use std::collections::BTreeSet;

use grandstand_protocol::abalone::{Facing, Team};
use grandstand_protocol::team::Outcome;
use grandstand_rules::Pid;
use grandstand_rules::abalone::{
    ActError, Action, Bot, Finish, Reply, Rules, RulesError, Setup, SetupError, SpawnError, Termination,
    World,
};

use super::common;
use super::common::{hex, score, start};

const BLACK: Pid = Pid(1);
const WHITE: Pid = Pid(2);

fn spawn_ring(world: &mut World, parent: Pid, first_child: u32) -> Vec<Result<String, SpawnError>> {
    (first_child..first_child + 7)
        .map(|pid| world.spawn(1, parent, Pid(pid)).map(|hex| hex.to_string()))
        .collect()
}

fn finish(outcome: Outcome<Team>, termination: Termination, cycle: u64, turns: u32) -> Option<Finish> {
    Some(Finish { outcome, termination, cycle, turns })
}

#[test]
fn a_spawned_piece_takes_an_empty_hex_beside_its_parent() {
    let mut world = start(Rules::default(), 3);
    let spawned = spawn_ring(&mut world, BLACK, 3);
    let hexes: BTreeSet<String> = spawned.iter().take(6).map(|hex| hex.clone().unwrap()).collect();
    assert_eq!(hexes.into_iter().collect::<Vec<_>>(), ["B~1", "B~2", "C0", "C~2", "D0", "D~1"]);
    assert_eq!(spawned[6], Err(SpawnError::NoRoom));
    assert_eq!(world.pieces(Team::Black), 7);
    let child = world.bot_at(hex("C0")).unwrap();
    assert_eq!((child.team, child.commit), (Team::Black, Facing::None));
}

#[test]
fn the_seed_decides_where_pieces_appear() {
    let orders: BTreeSet<Vec<String>> = (0..20)
        .map(|seed| {
            let mut world = start(Rules::default(), seed);
            spawn_ring(&mut world, BLACK, 3).into_iter().filter_map(Result::ok).collect()
        })
        .collect();
    assert!(orders.len() > 15, "{} orders from 20 seeds", orders.len());
    let mut first = BTreeSet::new();
    for seed in 0..200 {
        first.insert(start(Rules::default(), seed).spawn(1, BLACK, Pid(3)).unwrap());
    }
    assert_eq!(first.len(), 6, "every neighbour is drawn by some seed");
    // A golden value: every later version must reproduce a recorded match.
    let mut world = start(Rules::default(), 42);
    let hexes: Vec<String> = spawn_ring(&mut world, BLACK, 3).into_iter().filter_map(Result::ok).collect();
    assert_eq!(hexes.join(" "), "D0 D~1 B~2 C0 C~2 B~1");
}

#[test]
fn a_team_spawns_until_the_end_of_its_own_first_turn() {
    let mut world = start(Rules::default(), 1);
    assert!(world.spawn(2_000, BLACK, Pid(3)).is_ok());
    world.end_cycle(2_000);
    assert_eq!(world.spawn(2_001, BLACK, Pid(4)), Err(SpawnError::TooLate));
    assert!(world.spawn(4_000, WHITE, Pid(4)).is_ok());
    world.end_cycle(4_000);
    assert_eq!(world.spawn(4_001, WHITE, Pid(5)), Err(SpawnError::TooLate));
}

#[test]
fn a_team_has_at_most_max_pieces_at_a_time() {
    let mut world = start(Rules { max_pieces: 3, ..Rules::default() }, 1);
    assert!(world.spawn(1, BLACK, Pid(3)).is_ok());
    assert!(world.spawn(1, Pid(3), Pid(4)).is_ok());
    assert_eq!(world.spawn(1, BLACK, Pid(5)), Err(SpawnError::TooMany));
    // A piece that is lost may be replaced, for a point.
    assert_eq!(world.ended(2, Pid(4)).unwrap().pid, Pid(4));
    assert!(world.spawn(3, BLACK, Pid(5)).is_ok());
    assert_eq!(score(&world), (0, 1));
}

#[test]
fn only_bots_spawn_and_only_new_threads() {
    let mut world = start(Rules::default(), 1);
    assert_eq!(world.spawn(1, Pid(9), Pid(10)), Err(SpawnError::NotABot));
    assert_eq!(world.spawn(1, BLACK, WHITE), Err(SpawnError::NotABot));
    assert_eq!(world.act(1, Pid(9), Action::Scan), Err(ActError::NoPiece(Pid(9))));
}

#[test]
fn black_moves_first_and_teams_take_turns() {
    let mut world = start(Rules::default(), 1);
    assert_eq!((world.turn(), world.next_event_cycle()), (1, 2_000));
    world.act(1, BLACK, Action::CommitMove(Facing::Right)).unwrap();
    world.act(1, WHITE, Action::CommitMove(Facing::Left)).unwrap();
    world.end_cycle(1_999);
    assert!(world.bot_at(hex("C~1")).is_some());
    world.end_cycle(2_000);
    assert_eq!((world.turn(), world.next_event_cycle()), (2, 4_000));
    assert_eq!(world.bot_at(hex("C0")).unwrap().commit, Facing::None);
    assert_eq!(world.bot_at(hex("G1")).unwrap().commit, Facing::Left);
    world.end_cycle(4_000);
    assert!(world.bot_at(hex("G0")).is_some());
    assert_eq!(world.turn(), 3);
}

#[test]
fn a_move_can_be_changed_and_taken_back_within_the_turn() {
    let mut world = start(Rules::default(), 1);
    for facing in [Facing::Right, Facing::UpLeft, Facing::None] {
        assert_eq!(world.act(1, BLACK, Action::CommitMove(facing)), Ok(Reply::Done));
        assert_eq!(world.act(1, BLACK, Action::MyStat), Ok(Reply::Position { hex: hex("C~1"), facing }));
    }
    world.end_cycle(2_000);
    assert!(world.bot_at(hex("C~1")).is_some());
}

#[test]
fn waiting_ends_with_the_next_turn_or_with_the_opponents() {
    let mut world = start(Rules::default(), 1);
    world.spawn(1, BLACK, Pid(3)).unwrap();
    world.spawn(1, WHITE, Pid(4)).unwrap();
    assert_eq!(world.act(1, BLACK, Action::WaitTurn), Ok(Reply::Wait));
    assert_eq!(world.act(1, Pid(3), Action::WaitMyTurn), Ok(Reply::Wait));
    assert_eq!(world.act(1, Pid(4), Action::WaitMyTurn), Ok(Reply::Wait));
    assert!(
        world.is_waiting(BLACK)
            && world.is_waiting(Pid(3))
            && world.is_waiting(Pid(4))
            && !world.is_waiting(WHITE)
    );
    // After black's moves those wake that waited for the next turn, and white's that waited for their own turn.
    assert_eq!(world.end_cycle(2_000).woken, [BLACK, Pid(4)]);
    assert!(world.is_waiting(Pid(3)) && !world.is_waiting(BLACK));
    assert_eq!(world.end_cycle(4_000).woken, [Pid(3)]);
    assert_eq!(world.end_cycle(6_000).woken, []);
}

#[test]
fn a_waiting_piece_that_is_pushed_off_is_not_woken() {
    let mut world = common::world(
        1,
        "I . . . . .
         H . . . . . .
         G . . . . . . .
         F . . . . . . . .
         E . . . . . 1b1 2b1 3w .
         D . . . . . . . .
         C . . . . . . .
         B . . . . . .
         A 4w . . . .",
    );
    world.act(1, Pid(3), Action::CommitMove(Facing::Left)).unwrap();
    world.end_cycle(4_000);
    world.act(4_001, BLACK, Action::CommitMove(Facing::Right)).unwrap();
    world.act(4_001, Pid(2), Action::CommitMove(Facing::Right)).unwrap();
    world.act(4_001, Pid(3), Action::WaitTurn).unwrap();
    world.act(4_001, Pid(4), Action::WaitTurn).unwrap();
    let end = world.end_cycle(6_000);
    assert_eq!(end.dead.iter().map(|bot| (bot.pid, bot.hex)).collect::<Vec<_>>(), [(Pid(3), hex("E4"))]);
    assert_eq!(end.woken, [Pid(4)]);
    assert_eq!(score(&world), (1, 0));
    // The machine may report a death that the world has reported to it; it has no second effect.
    assert_eq!(world.ended(6_001, Pid(3)), None);
    assert_eq!(score(&world), (1, 0));
}

#[test]
fn a_thread_that_ends_gives_the_other_team_a_point() {
    let mut world = start(Rules::default(), 1);
    world.spawn(1, BLACK, Pid(3)).unwrap();
    world.act(1, Pid(3), Action::WaitTurn).unwrap();
    assert_eq!(world.ended(2, Pid(3)).unwrap().team, Team::Black);
    assert_eq!(score(&world), (0, 1));
    assert_eq!(world.pieces(Team::Black), 1);
    assert_eq!(world.ended(2, Pid(3)), None);
    assert!(world.end_cycle(2_000).woken.is_empty());
}

#[test]
fn the_winning_score_ends_the_match_with_the_cycle() {
    let mut world = start(Rules { winning_score: 1, ..Rules::default() }, 1);
    world.spawn(1, BLACK, Pid(3)).unwrap();
    world.ended(5, Pid(3)).unwrap();
    assert_eq!(world.finish(), None, "the cycle is not over");
    // Actions in later cycles have no effect.
    assert_eq!(world.act(6, BLACK, Action::CommitMove(Facing::Left)), Err(ActError::Over));
    assert_eq!(world.finish().copied(), finish(Outcome::Win(Team::White), Termination::Score, 5, 0));
    assert_eq!(world.spawn(6, BLACK, Pid(4)), Err(SpawnError::NotABot));
    assert_eq!(world.ended(6, WHITE), None);
    assert_eq!(world.next_event_cycle(), 5);
    let commands = world.drain_commands().len();
    assert_eq!(world.end_cycle(1_000_000).woken, []);
    assert_eq!((commands > 0, world.drain_commands().len()), (true, 0));
}

#[test]
fn both_teams_may_reach_the_winning_score_in_one_cycle() {
    let one = Rules { winning_score: 1, ..Rules::default() };
    let mut world = start(one.clone(), 1);
    world.spawn(1, WHITE, Pid(3)).unwrap();
    world.spawn(1, BLACK, Pid(4)).unwrap();
    world.ended(5, Pid(3)).unwrap();
    world.ended(5, Pid(4)).unwrap();
    world.end_cycle(5);
    assert_eq!(world.finish().copied(), finish(Outcome::Draw, Termination::Score, 5, 0));

    // The same, with more pieces on one side.
    let mut world = start(one.clone(), 1);
    for pid in 3..6 {
        world.spawn(1, if pid == 3 { BLACK } else { WHITE }, Pid(pid)).unwrap();
    }
    world.ended(5, Pid(3)).unwrap();
    world.ended(5, Pid(4)).unwrap();
    world.end_cycle(5);
    assert_eq!(world.finish().copied(), finish(Outcome::Win(Team::White), Termination::Score, 5, 0));

    // The higher score counts first.
    let mut world = start(one, 1);
    for pid in 3..8 {
        world.spawn(1, WHITE, Pid(pid)).unwrap();
    }
    world.ended(5, BLACK).unwrap();
    world.ended(5, Pid(3)).unwrap();
    world.ended(5, Pid(4)).unwrap();
    world.end_cycle(6);
    assert_eq!(world.finish().copied(), finish(Outcome::Win(Team::Black), Termination::Score, 5, 0));
}

#[test]
fn a_team_without_pieces_ends_the_match() {
    let mut world = start(Rules::default(), 1);
    world.ended(3, WHITE).unwrap();
    world.end_cycle(2_000);
    assert_eq!(world.finish().copied(), finish(Outcome::Win(Team::Black), Termination::Pieces, 3, 0));

    // Points count even then: black has lost one piece more than white before white's last.
    let mut world = start(Rules::default(), 1);
    world.spawn(1, BLACK, Pid(3)).unwrap();
    world.spawn(1, BLACK, Pid(4)).unwrap();
    world.ended(2, Pid(3)).unwrap();
    world.ended(2, Pid(4)).unwrap();
    world.ended(3, WHITE).unwrap();
    world.end_cycle(3);
    assert_eq!(world.finish().copied(), finish(Outcome::Win(Team::White), Termination::Pieces, 3, 0));

    let mut world = start(Rules::default(), 1);
    world.ended(1, BLACK).unwrap();
    world.ended(1, WHITE).unwrap();
    world.end_cycle(1);
    assert_eq!(world.finish().copied(), finish(Outcome::Draw, Termination::Pieces, 1, 0));
}

#[test]
fn at_game_length_score_then_pieces_decide() {
    let rules = Rules { game_length: 5_000, ..Rules::default() };
    let mut world = start(rules.clone(), 1);
    assert_eq!(world.end_cycle(4_999), world.end_cycle(4_999));
    assert_eq!((world.finish(), world.turn(), world.next_event_cycle()), (None, 3, 5_000));
    world.end_cycle(u64::MAX);
    assert_eq!(world.finish().copied(), finish(Outcome::Draw, Termination::Length, 5_000, 2));

    let mut world = start(rules.clone(), 1);
    world.spawn(1, WHITE, Pid(3)).unwrap();
    world.end_cycle(5_000);
    assert_eq!(world.finish().copied(), finish(Outcome::Win(Team::White), Termination::Length, 5_000, 2));

    let mut world = start(rules, 1);
    for pid in 3..6 {
        world.spawn(1, WHITE, Pid(pid)).unwrap();
    }
    world.ended(2, Pid(3)).unwrap();
    world.end_cycle(5_000);
    assert_eq!(world.finish().copied(), finish(Outcome::Win(Team::Black), Termination::Length, 5_000, 2));
}

#[test]
fn the_last_turn_is_played_to_its_end() {
    let rules = Rules { game_length: 2_000, ..Rules::default() };
    let mut world = start(rules, 1);
    world.act(1, BLACK, Action::CommitMove(Facing::Right)).unwrap();
    world.act(1, WHITE, Action::WaitTurn).unwrap();
    assert!(world.end_cycle(2_000).woken.is_empty());
    assert!(world.bot_at(hex("C0")).is_some());
    assert_eq!((world.turn(), world.finish().unwrap().turns), (1, 1));
}

#[test]
fn a_turn_that_reaches_the_score_is_processed_whole() {
    let rules = Rules { winning_score: 1, ..Rules::default() };
    let mut world = common::world_by(
        rules,
        1,
        "I . . . . .
         H . . . . . .
         G . . . . . . .
         F . . . . . . . .
         E . . . . . . 1b1 2b1 3w
         D . . . . . . . .
         C 5b1 . . . . . .
         B . . . . . .
         A 4w . . . .",
    );
    world.end_cycle(2_000);
    assert!(world.bot_at(hex("C~3")).is_some());
    assert_eq!(world.finish().copied(), finish(Outcome::Win(Team::Black), Termination::Score, 2_000, 1));
}

#[test]
fn settings_out_of_range_are_named() {
    let cases = [
        (
            Rules { winning_score: 0, ..Rules::default() },
            "WINNING_SCORE is 0; expected a number from 1 to 1000",
        ),
        (Rules { max_pieces: 61, ..Rules::default() }, "MAX_PIECES is 61; expected a number from 1 to 60"),
        (
            Rules { cycles_per_turn: 0, ..Rules::default() },
            "CYCLES_PER_TURN is 0; expected a number from 1 to 10000000",
        ),
        (
            Rules { game_length: u64::MAX, ..Rules::default() },
            "GAME_LENGTH is 18446744073709551615; expected a number from 1 to 1000000000",
        ),
        (
            Rules { white_start: hex("C~1"), ..Rules::default() },
            "BLACK_START and WHITE_START are both C~1; expected two different hexes",
        ),
    ];
    for (rules, message) in cases {
        assert_eq!(rules.validate().unwrap_err().to_string(), message);
        let error = World::new(rules.clone(), 1, BLACK, WHITE).unwrap_err();
        assert!(matches!(
            &error,
            SetupError::Rules(RulesError::OutOfRange { .. } | RulesError::SameStart(_))
        ));
        assert_eq!(error.to_string(), message);
    }
    assert_eq!(Rules::default().validate(), Ok(()));
}

#[test]
fn settings_have_the_handouts_names_in_files() {
    let json = serde_json::to_value(Rules::default()).unwrap();
    assert_eq!(
        json,
        serde_json::json!({
            "WINNING_SCORE": 6, "MAX_PIECES": 14, "CYCLES_PER_TURN": 2000, "GAME_LENGTH": 1_000_000,
            "BLACK_START": "C-1", "WHITE_START": "G1", "TALKS_PER_TURN": 20
        })
    );
    assert_eq!(serde_json::from_value::<Rules>(json).unwrap(), Rules::default());
    let some: Rules = serde_json::from_str(r#"{"MAX_PIECES": 3, "BLACK_START": "A~4"}"#).unwrap();
    assert_eq!(some, Rules { max_pieces: 3, black_start: hex("A~4"), ..Rules::default() });
    let error = serde_json::from_str::<Rules>(r#"{"MAX_PEICES": 3}"#).unwrap_err().to_string();
    assert!(error.contains("MAX_PEICES") && error.contains("MAX_PIECES"), "{error}");
}

#[test]
fn a_setup_that_is_no_position_says_why() {
    let good = Setup::start(Rules::default(), 1, BLACK, WHITE);
    let bot = |pid, name| Bot { pid: Pid(pid), team: Team::Black, hex: hex(name), commit: Facing::None };
    let with = |bots: Vec<Bot>| Setup { bots, ..good.clone() };
    let reason = |setup: Setup| World::from_setup(&setup).unwrap_err().to_string();
    assert_eq!(reason(with(vec![bot(1, "E0"), bot(2, "E0")])), "the pieces of pids 1 and 2 are both on E0");
    assert_eq!(reason(with(vec![bot(1, "E0"), bot(1, "E1")])), "pid 1 has two pieces");
    let many: Vec<Bot> = (0..15)
        .map(|n| Bot {
            hex: grandstand_protocol::abalone::Hex::all().nth(n).unwrap(),
            ..bot(n as u32 + 1, "E0")
        })
        .collect();
    assert_eq!(reason(with(many)), "black has 15 pieces; expected at most MAX_PIECES");
    for turn in [0, 501, u32::MAX] {
        let error = reason(Setup { turn, ..good.clone() });
        assert!(error.starts_with(&format!("turn {turn} is not one of the match")), "{error}");
    }
    assert!(World::from_setup(&Setup { turn: 500, ..good }).is_ok());
}
