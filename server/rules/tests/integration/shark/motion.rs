//! Sections 2.1, 2.2 and 2.7: the board, time, moving and turning.

use grandstand_protocol::shark::Heading;
use grandstand_rules::Pid;
use grandstand_rules::shark::{ActError, Action, Answer, Rules};

use super::game::{Game, rules};

#[test]
fn a_robot_moves_into_the_empty_tile_ahead() {
    let mut game = Game::new(
        "
        . . . .
        . 1 . .
        1 red right",
    );
    assert!(game.go(1));
    game.shows(
        "
        . . . .
        . . 1 .
        1 red right",
    );
}

#[test]
fn up_is_towards_row_0_and_right_towards_column_31() {
    let mut game = Game::new(
        "
        . . . .
        . 1 . .
        . . . .
        1 red right",
    );
    for heading in [Heading::Up, Heading::Right, Heading::Down, Heading::Down, Heading::Left, Heading::Left] {
        game.face(1, heading);
        assert!(game.go(1));
    }
    game.shows(
        "
        . . . .
        . . . .
        1 . . .
        1 red left",
    );
}

#[test]
fn spawn_points_and_drop_points_are_empty_tiles() {
    let mut game = Game::new(
        "
        1 r b i
        1 blue right",
    );
    assert!((0..3).all(|_| game.go(1)));
    game.shows(
        "
        . r b 1
        1 blue right",
    );
}

#[test]
fn walls_and_the_edge_of_the_board_stop_it() {
    let mut game = Game::new(
        "
        1 * .
        1 red right",
    );
    for heading in [Heading::Right, Heading::Up, Heading::Left] {
        game.face(1, heading);
        assert!(!game.go(1));
    }
    game.shows(
        "
        1 * .
        1 red left",
    );
}

#[test]
fn the_board_does_not_wrap() {
    let mut game = Game::new(
        "
        .
        .
        .
        .
        .
        .
        1
        1 red left",
    );
    assert!(!game.go(1));
}

#[test]
fn the_act_is_immediate_and_the_robot_then_waits() {
    let mut game = Game::new(
        "
        1 . .
        2 . .
        1 red right
        2 blue right",
    );
    assert_eq!(game.world.act(7, Pid(1), Action::Move).unwrap().delay, 5_000);
    // The other robot sees it in the same step.
    let seen = game.world.act(7, Pid(2), Action::Inspect { x: 1, y: 0 }).unwrap();
    assert_eq!(seen.answer, Answer::Object(grandstand_rules::shark::Object::Opponent));
    for step in [7, 8, 5_007] {
        assert_eq!(game.world.act(step, Pid(1), Action::MyStats), Err(ActError::Waits(Pid(1), 5_008)));
        assert!(game.world.spawn(step, Pid(1), Pid(9)).is_err());
    }
    assert!(game.world.act(5_008, Pid(1), Action::Move).is_ok());
    game.shows(
        "
        . . 1
        2 . .
        1 red right
        2 blue right",
    );
}

#[test]
fn a_move_that_fails_takes_as_long() {
    let mut game = Game::new(
        "
        1 *
        1 red right",
    );
    assert!(!game.go(1));
    assert_eq!(game.world.bot(Pid(1)).unwrap().ready, 5_002);
}

#[test]
fn turning_takes_its_time_even_to_where_the_robot_faces() {
    let mut game = Game::new(
        "
        1 .
        1 red right",
    );
    game.drawn();
    game.face(1, Heading::Right);
    assert!(game.drawn().is_empty());
    game.face(1, Heading::Down);
    assert_eq!(game.drawn(), ["draw RED_DOWN 0 0 1 3"]);
    assert_eq!(game.world.bot(Pid(1)).unwrap().ready, 1 + 2 * 2_501);
}

#[test]
fn every_delay_is_a_setting() {
    let rules =
        Rules { at_move: 1, at_face: 2, at_shoot: 3, at_inspect: 4, at_look: 5, at_nearest: 6, ..rules() };
    let rules = Rules { at_mystats: 7, at_teamstats: 8, at_flagpos: 9, at_talk: 10, ..rules };
    let mut game = Game::by(
        rules,
        "
        1 .
        1 red right",
    );
    let actions = [
        Action::Move,
        Action::Face(Heading::Up),
        Action::Shoot,
        Action::Inspect { x: 0, y: 0 },
        Action::Look(Heading::Up),
        Action::Nearest(grandstand_rules::shark::Object::Wall),
        Action::MyStats,
        Action::TeamStats,
        Action::FlagPos,
        Action::Talk("hi".to_owned()),
    ];
    for (action, delay) in actions.into_iter().zip(1..) {
        let before = game.world.bot(Pid(1)).unwrap().ready;
        assert_eq!(game.act(1, action).delay, delay);
        assert_eq!(game.world.bot(Pid(1)).unwrap().ready, before + 1 + delay);
    }
}

#[test]
fn what_only_looks_takes_one_step() {
    let mut game = Game::new(
        "
        1 .
        1 red right",
    );
    for action in [Action::MyStats, Action::FlagPos, Action::Talk(String::new())] {
        assert_eq!(game.act(1, action).delay, 0);
    }
    assert_eq!(game.world.bot(Pid(1)).unwrap().ready, 4);
    // But a step has room for one action only.
    game.world.act(4, Pid(1), Action::MyStats).unwrap();
    assert_eq!(game.world.act(4, Pid(1), Action::MyStats), Err(ActError::Waits(Pid(1), 5)));
}

#[test]
fn who_has_no_robot_does_nothing() {
    let mut game = Game::new("1 .\n1 red right");
    assert_eq!(game.world.act(1, Pid(7), Action::Move), Err(ActError::NoBot(Pid(7))));
}
