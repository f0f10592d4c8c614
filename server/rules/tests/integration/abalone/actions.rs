//! The ten actions of section 3.2.

use grandstand_protocol::Command;
use grandstand_protocol::abalone::{self, Facing, Team};
use grandstand_rules::Pid;
use grandstand_rules::abalone::Object::{Empty, OffBoard, OtherPiece, Piece};
use grandstand_rules::abalone::{ACTIONS, Action, Object, Reply, Rules, TeamStat, World};

use super::common;
use super::common::{hex, start};

const MIDDLE: &str = "
    I     . . . . .
    H    . . . . . .
    G   . . . . . . .
    F  . . . 6w . . . .
    E . . . . 1b3 2b . 7w .
    D  . . . . 8w . . .
    C   . . . . . . .
    B    . . . . . .
    A     3b . . . .";

fn objects(world: &mut World, pid: u32, action: Action) -> Vec<Object> {
    match world.act(1, Pid(pid), action) {
        Ok(Reply::Objects(objects)) => objects,
        other => panic!("{other:?}"),
    }
}

fn said(world: &mut World) -> Vec<(Team, String)> {
    let commands = world.drain_commands().into_iter();
    commands
        .filter_map(|command| match command {
            Command::Abalone(abalone::Command::Say { team, text }) => Some((team, text.to_string())),
            _ => None,
        })
        .collect()
}

#[test]
fn mystat_tells_position_and_direction() {
    let mut world = common::world(1, MIDDLE);
    let reply = world.act(1, Pid(1), Action::MyStat);
    assert_eq!(reply, Ok(Reply::Position { hex: hex("E0"), facing: Facing::UpLeft }));
}

#[test]
fn teamstat_tells_pieces_scores_and_spawns_left() {
    let mut world = start(Rules::default(), 1);
    world.spawn(1, Pid(1), Pid(3)).unwrap();
    world.spawn(1, Pid(2), Pid(4)).unwrap();
    world.ended(1, Pid(4)).unwrap();
    let black = TeamStat { pieces: 2, score: 1, spawns: 12 };
    let white = TeamStat { pieces: 1, score: 0, spawns: 13 };
    assert_eq!(world.act(2, Pid(1), Action::TeamStat), Ok(Reply::Teams { own: black, other: white }));
    assert_eq!(world.act(2, Pid(2), Action::TeamStat), Ok(Reply::Teams { own: white, other: black }));
    // After black's first turn black can't spawn, white still can.
    world.end_cycle(2_000);
    let black = TeamStat { spawns: 0, ..black };
    assert_eq!(world.act(2_001, Pid(2), Action::TeamStat), Ok(Reply::Teams { own: white, other: black }));
    world.end_cycle(4_000);
    let white = TeamStat { spawns: 0, ..white };
    assert_eq!(world.act(4_001, Pid(2), Action::TeamStat), Ok(Reply::Teams { own: white, other: black }));
}

#[test]
fn gamestat_tells_the_turn_and_the_time_to_the_teams_moves() {
    let mut world = start(Rules::default(), 1);
    let cases = [
        (1, 1, 1, 1_999, 3_999),
        (2_000, 1, 1, 0, 2_000),
        (2_001, 2, 2, 3_999, 1_999),
        (4_000, 2, 2, 2_000, 0),
        (4_001, 3, 3, 1_999, 3_999),
    ];
    for (cycle, turn, _, black, white) in cases {
        for (pid, cycles_to_move) in [(1, black), (2, white)] {
            assert_eq!(
                world.act(cycle, Pid(pid), Action::GameStat),
                Ok(Reply::Game { turn, cycles_to_move }),
                "cycle {cycle}, pid {pid}"
            );
        }
        world.end_cycle(cycle);
    }
}

#[test]
fn inspect_sees_every_hex_with_the_eyes_of_its_team() {
    let mut world = common::world(1, MIDDLE);
    let mut inspect =
        |pid: u32, row: i64, diagonal: i64| match world.act(1, Pid(pid), Action::Inspect { row, diagonal }) {
            Ok(Reply::Object(object)) => object,
            other => panic!("{other:?}"),
        };
    assert_eq!(inspect(1, 0, 0), Piece);
    assert_eq!(inspect(1, -4, -4), Piece);
    assert_eq!(inspect(1, 0, 3), OtherPiece);
    assert_eq!(inspect(7, 0, 3), Piece);
    assert_eq!(inspect(7, 0, 0), OtherPiece);
    assert_eq!(inspect(1, 4, 4), Empty);
    for (row, diagonal) in [(5, 0), (0, 5), (4, -1), (-4, 1), (i64::MAX, i64::MIN), (256, 256), (-1, 128)] {
        assert_eq!(inspect(1, row, diagonal), OffBoard, "({row}, {diagonal})");
    }
}

#[test]
fn look_sees_the_line_up_to_the_edge() {
    let mut world = common::world(1, MIDDLE);
    assert_eq!(
        objects(&mut world, 1, Action::Look(Facing::Right)),
        [Piece, Empty, OtherPiece, Empty, OffBoard]
    );
    assert_eq!(objects(&mut world, 7, Action::Look(Facing::Right)), [Empty, OffBoard]);
    assert_eq!(
        objects(&mut world, 1, Action::Look(Facing::UpLeft)),
        [OtherPiece, Empty, Empty, Empty, OffBoard]
    );
    assert_eq!(objects(&mut world, 3, Action::Look(Facing::DownLeft)), [OffBoard]);
    let far = [Empty, Empty, Empty, Piece, Empty, Empty, Empty, Empty, OffBoard];
    assert_eq!(objects(&mut world, 3, Action::Look(Facing::UpRight)), far);
    assert_eq!(objects(&mut world, 1, Action::Look(Facing::None)), []);
}

#[test]
fn scan_sees_the_six_neighbours_counterclockwise_from_the_right() {
    let mut world = common::world(1, MIDDLE);
    let around = [Piece, Empty, OtherPiece, Empty, Empty, OtherPiece];
    assert_eq!(objects(&mut world, 1, Action::Scan), around);
    let corner = [Empty, Empty, Empty, OffBoard, OffBoard, OffBoard];
    assert_eq!(objects(&mut world, 3, Action::Scan), corner);
}

#[test]
fn a_committed_move_shows_at_once_and_once() {
    let mut world = common::world(1, MIDDLE);
    world.drain_commands();
    let mut lines = |facing| {
        world.act(1, Pid(1), Action::CommitMove(facing)).unwrap();
        let commands = world.drain_commands();
        commands
            .iter()
            .map(|command| match command {
                Command::Abalone(abalone::Command::Set { hex, piece }) => {
                    format!("{hex} {}", piece.unwrap().facing.number())
                }
                other => panic!("{other:?}"),
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(lines(Facing::Left), ["E0 4"]);
    assert_eq!(lines(Facing::Left), [""; 0]);
    assert_eq!(lines(Facing::None), ["E0 0"]);
}

#[test]
fn talk_is_cleaned_and_limited_to_so_many_a_turn() {
    let mut world = start(Rules { talks_per_turn: 2, ..Rules::default() }, 1);
    let talk = |world: &mut World, cycle, pid, text: &str| {
        assert_eq!(world.act(cycle, Pid(pid), Action::Talk(text.to_owned())), Ok(Reply::Done));
    };
    talk(&mut world, 1, 1, "hi\nwscore 9");
    talk(&mut world, 1, 2, "");
    talk(&mut world, 2, 1, &"x".repeat(1_000));
    talk(&mut world, 3, 1, "too much");
    let heard = said(&mut world);
    assert_eq!(heard[0], (Team::Black, "hi wscore 9".to_owned()));
    assert_eq!(heard[1], (Team::White, String::new()));
    assert_eq!((heard[2].1.len(), heard.len()), (200, 3));
    assert_eq!((world.dropped_talks(Team::Black), world.dropped_talks(Team::White)), (1, 0));
    world.end_cycle(2_000);
    talk(&mut world, 2_001, 1, "again");
    assert_eq!(said(&mut world), [(Team::Black, "again".to_owned())]);
}

#[test]
fn actions_and_objects_have_fixed_numbers() {
    let numbers: Vec<i64> = ACTIONS.iter().map(|&(_, number)| number).collect();
    assert_eq!(numbers, (1..=10).collect::<Vec<_>>());
    let objects: Vec<(&str, i64)> = Object::ALL.iter().map(|object| (object.name(), object.code())).collect();
    assert_eq!(objects, [("T_EMPTY", 1), ("T_PIECE", 2), ("T_OPIECE", 3), ("T_OFFBOARD", 4)]);
}
