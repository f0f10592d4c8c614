//! Sections 2.6, 2.11 and 2.12: health, melee, lasers, destruction.

use grandstand_protocol::shark::{Heading, Team};
use grandstand_rules::Pid;
use grandstand_rules::shark::{ActError, Action};

use super::game::Game;

#[test]
fn a_robot_begins_with_three_health_points() {
    let mut game = Game::new("1 .\n1 red right");
    let place = game.world.spawn(1, Pid(1), Pid(2)).unwrap();
    assert_eq!(game.world.bot_at(place).unwrap().health, 3);
}

#[test]
fn running_into_an_opponent_costs_it_two_health_points() {
    let mut game = Game::new(
        "
        1 2
        1 red right
        2 blue up",
    );
    game.drawn();
    assert!(!game.go(1));
    game.shows(
        "
        1 2
        1 red right
        2 blue up health 1",
    );
    assert_eq!(game.drawn(), ["draw BLUE_UP 1 0 2 1"]);
}

#[test]
fn the_attacker_does_not_move_even_if_the_defender_is_destroyed() {
    let mut game = Game::new(
        "
        1 2 3
        1 red right
        2 blue up health 2
        3 blue up",
    );
    assert!(!game.go(1));
    game.shows(
        "
        1 . 3
        1 red right
        3 blue up",
    );
    assert_eq!(game.killed(), [2]);
    assert!(game.go(1));
}

#[test]
fn running_into_a_team_mate_does_nothing() {
    let mut game = Game::new(
        "
        1 2
        1 red right
        2 red up",
    );
    game.drawn();
    assert!(!game.go(1));
    assert!(game.drawn().is_empty());
}

#[test]
fn a_laser_costs_the_first_robot_in_its_way_one_health_point() {
    let mut game = Game::new(
        "
        1 . . 2 3
        1 red right
        2 blue up
        3 blue up",
    );
    game.drawn();
    game.shoot(1);
    game.shows(
        "
        1 . . 2 3
        1 red right
        2 blue up health 2
        3 blue up",
    );
    assert_eq!(game.drawn(), ["shot 0 0 3 0", "draw BLUE_UP 3 0 2 2"]);
}

#[test]
fn a_laser_hits_team_mates_too() {
    let mut game = Game::new(
        "
        1 . 2
        1 red right
        2 red up health 1",
    );
    game.drawn();
    game.shoot(1);
    game.shows(
        "
        1 . .
        1 red right",
    );
    assert_eq!(game.killed(), [2]);
    assert_eq!(game.drawn(), ["shot 0 0 2 0", "erase 2 0"]);
}

#[test]
fn walls_powerups_and_stands_stop_a_laser_unharmed() {
    for (what, hit) in [("*", 2), ("+", 2), ("R", 2), ("B", 2), (".", 3), ("r", 3), ("i", 3)] {
        let mut game = Game::new(&format!(
            "
            1 . {what} 2
            1 red right
            2 blue up"
        ));
        game.drawn();
        game.shoot(1);
        let health = game.world.bot(Pid(2)).unwrap().health;
        assert_eq!(health, if hit == 3 { 2 } else { 3 }, "behind {what}");
        assert_eq!(game.drawn()[0], format!("shot 0 0 {hit} 0"));
        assert_eq!(game.world.powerups().len(), usize::from(what == "+"));
    }
}

#[test]
fn a_beam_that_hits_nothing_ends_at_the_edge_of_the_board() {
    let mut game = Game::new(
        "
        . 1 .
        1 red left",
    );
    game.drawn();
    game.shoot(1);
    assert_eq!(game.drawn(), ["shot 1 0 0 0"]);
    game.face(1, Heading::Up);
    game.drawn();
    game.shoot(1);
    assert_eq!(game.drawn(), ["shot 1 0 1 0"]);
}

#[test]
fn a_robot_without_health_is_destroyed_whatever_was_left() {
    let mut game = Game::new(
        "
        1 2
        1 red right
        2 blue up health 1",
    );
    game.go(1);
    assert_eq!(game.killed(), [2]);
    assert!(game.world.bot(Pid(2)).is_none());
}

#[test]
fn a_destroyed_robot_does_nothing_more_in_its_step() {
    let mut game = Game::new(
        "
        1 . 2
        1 red right
        2 blue left health 1",
    );
    game.world.act(1, Pid(1), Action::Shoot).unwrap();
    assert_eq!(game.world.act(1, Pid(2), Action::Shoot), Err(ActError::NoBot(Pid(2))));
    assert_eq!(game.killed(), [2]);
    assert_eq!(game.killed(), [0; 0], "each is told once");
}

#[test]
fn a_program_that_ends_takes_its_robot_off_the_board() {
    let mut game = Game::new(
        "
        1 2
        1 red right
        2 red up",
    );
    game.drawn();
    assert_eq!(game.world.ended(1, Pid(2)).map(|bot| bot.pid), Some(Pid(2)));
    assert_eq!(game.world.ended(1, Pid(2)), None);
    assert_eq!(game.drawn(), ["erase 1 0"]);
    assert_eq!(game.killed(), [0; 0], "nobody destroyed it");
    assert!(game.go(1));
    assert_eq!(game.world.count(Team::Red), 1);
}
