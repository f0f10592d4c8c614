//! Sections 2.4 and 2.8: taking flags, carrying them, and points.

use grandstand_protocol::shark::{Heading, Team};
use grandstand_rules::Pid;

use super::game::{Game, place};

#[test]
fn a_robot_at_the_other_stand_takes_the_flag_and_stays() {
    let mut game = Game::new(
        "
        . 1 B
        1 red right",
    );
    game.drawn();
    assert!(!game.go(1));
    game.shows(
        "
        . 1 B
        1 red right flag",
    );
    assert!(!game.world.is_home(Team::Blue));
    assert_eq!(game.drawn(), ["draw RED_RIGHT_FLAG 1 0 1 3", "stand blue empty"]);
}

#[test]
fn an_empty_stand_gives_nothing() {
    let mut game = Game::new(
        "
        2 B 1
        1 red left
        2 red right",
    );
    assert!(!game.go(1));
    game.drawn();
    assert!(!game.go(2));
    assert!(game.drawn().is_empty());
    game.shows(
        "
        2 B 1
        1 red left flag
        2 red right",
    );
}

#[test]
fn the_flag_goes_with_its_carrier() {
    let mut game = Game::new(
        "
        . . 1 B
        1 red right",
    );
    game.go(1);
    game.face(1, Heading::Left);
    assert!(game.go(1));
    game.shows(
        "
        . 1 . B
        1 red left flag",
    );
    assert_eq!(game.world.flag(Team::Blue), place(1, 0));
    assert_eq!(game.world.flag(Team::Red), place(2, 15));
}

#[test]
fn a_flag_brought_home_is_a_point() {
    let mut game = Game::new(
        "
        R 1 . B
        1 red left flag",
    );
    game.drawn();
    assert!(!game.go(1));
    game.shows(
        "
        R 1 . B
        1 red left",
    );
    assert_eq!((game.world.score(Team::Red), game.world.score(Team::Blue)), (1, 0));
    assert!(game.world.is_home(Team::Blue));
    assert_eq!(game.drawn(), ["draw RED_LEFT 1 0 1 3", "stand blue full", "score 1 0"]);
}

#[test]
fn a_team_scores_whether_or_not_its_own_flag_is_at_its_stand() {
    let mut game = Game::new(
        "
        R 1 2 B
        1 red left flag
        2 blue right flag",
    );
    assert!(!game.world.is_home(Team::Red));
    assert!(!game.go(1));
    assert_eq!(game.world.score(Team::Red), 1);
    assert!(!game.go(2));
    assert_eq!(game.world.score(Team::Blue), 1);
    assert!(game.world.is_home(Team::Red) && game.world.is_home(Team::Blue));
}

#[test]
fn the_own_stand_gives_nothing_to_who_carries_nothing() {
    let mut game = Game::new(
        "
        R 1
        1 red left",
    );
    game.drawn();
    assert!(!game.go(1));
    assert!(game.drawn().is_empty());
    assert!(game.world.is_home(Team::Red));
}

#[test]
fn a_carrier_that_is_destroyed_loses_the_flag_to_its_stand() {
    let mut game = Game::new(
        "
        1 2 . R
        1 red right
        2 blue left health 2 flag",
    );
    game.drawn();
    game.go(1);
    game.shows(
        "
        1 . . R
        1 red right",
    );
    assert!(game.world.is_home(Team::Red));
    assert_eq!(game.drawn(), ["erase 1 0", "stand red full"]);
}

#[test]
fn a_carrier_whose_program_ends_loses_the_flag_to_its_stand() {
    let mut game = Game::new(
        "
        1 2 . R
        1 red right
        2 blue left flag",
    );
    assert!(game.world.ended(4, Pid(2)).is_some_and(|bot| bot.flag));
    assert!(game.world.is_home(Team::Red));
}

#[test]
fn a_flag_is_taken_once_more_after_a_point() {
    let mut game = Game::new(
        "
        R 1 B
        1 red right",
    );
    for points in 1..=3 {
        game.face(1, Heading::Right);
        game.go(1);
        assert!(!game.world.is_home(Team::Blue));
        game.face(1, Heading::Left);
        game.go(1);
        assert_eq!(game.world.score(Team::Red), points);
    }
}
