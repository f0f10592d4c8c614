//! Section 2.5: moving and turning.

use grandstand_rules::fortress::{Action, Direction, Hand, Rules};

use super::common::{AHEAD, LEFT, Match, RIGHT, first, map, play, play_on};

const FAR: &str = "9 blue soldier 25,12 west";

fn alone(unit: &str) -> Match {
    play(&format!("{unit}\n{FAR}"))
}

#[test]
fn a_unit_moves_ahead_or_to_either_side_and_keeps_its_facing() {
    for (facing, ahead, left) in [
        ("north", (0, 1), (-1, 0)),
        ("east", (1, 0), (0, 1)),
        ("south", (0, -1), (1, 0)),
        ("west", (-1, 0), (0, -1)),
    ] {
        let start = || alone(&format!("1 red pyro 3,5 {facing}"));
        for (action, (dx, dy)) in [(AHEAD, ahead), (LEFT, left), (RIGHT, (-left.0, -left.1))] {
            let mut game = start();
            game.succeeds(0, 1, action);
            assert_eq!(game.place(1), (3 + dx, 5 + dy), "{facing}");
            assert_eq!(game.facing(1).name(), facing);
            assert_eq!(game.lines.last().unwrap().1.split(' ').next(), Some("update"));
        }
    }
}

#[test]
fn a_move_delays_by_20_times_the_speed_and_a_turn_by_5_times() {
    for (class, after_move, after_turn) in [("medic", 380, 95), ("pyro", 340, 85), ("soldier", 400, 100)] {
        let mut game = alone(&format!("1 red {class} 0,5 east"));
        game.succeeds(7, 1, AHEAD);
        game.fails(7, 1, AHEAD);
        game.fails(7 + after_move - 1, 1, AHEAD);
        game.fails(7 + after_move - 1, 1, Action::Turn(Hand::Left));
        // The delay is over in the millisecond in which it ends.
        let turn = 7 + after_move;
        game.succeeds(turn, 1, Action::Turn(Hand::Left));
        game.fails(turn + after_turn - 1, 1, Action::Turn(Hand::Left));
        game.fails(turn + after_turn - 1, 1, RIGHT);
        game.succeeds(turn + after_turn, 1, RIGHT);
        assert_eq!((game.place(1), game.facing(1)), ((2, 5), Direction::North));
    }
}

#[test]
fn four_turns_to_one_hand_are_a_whole_turn() {
    for (hand, order) in
        [(Hand::Left, ["north", "west", "south", "east"]), (Hand::Right, ["south", "west", "north", "east"])]
    {
        let mut game = alone("1 red medic 0,5 east");
        for (turn, facing) in (0..).zip(order) {
            game.succeeds(turn * 95, 1, Action::Turn(hand));
            assert_eq!(game.facing(1).name(), facing);
        }
    }
}

#[test]
fn a_move_that_fails_delays_nothing() {
    let mut game = play("1 red pyro 25,0 east\n2 red medic 25,1 east\n9 blue soldier 0,12 west");
    game.fails(0, 1, AHEAD);
    game.fails(0, 1, LEFT);
    game.succeeds(0, 1, RIGHT);
}

#[test]
fn no_edge_of_the_board_can_be_crossed() {
    for (place, facing) in [("0,12", "north"), ("25,3", "east"), ("0,-12", "south"), ("-25,3", "west")] {
        alone(&format!("1 red pyro {place} {facing}")).fails(0, 1, AHEAD);
    }
}

#[test]
fn nobody_moves_onto_a_unit_of_either_team() {
    let mut game = play("1 red pyro 0,5 east\n2 red medic 1,5 east\n9 blue soldier 0,6 west");
    game.fails(0, 1, AHEAD);
    game.fails(0, 1, LEFT);
    game.succeeds(0, 2, AHEAD);
    game.succeeds(0, 1, AHEAD);
    game.succeeds(0, 9, Action::Turn(Hand::Left));
    game.succeeds(100, 9, AHEAD);
    assert_eq!((game.place(1), game.place(2), game.place(9)), ((1, 5), (2, 5), (0, 5)));
}

#[test]
fn only_ramps_join_high_and_low_ground() {
    // From the west: low, high, ramp, low, ramp, ramp, high.
    let ground =
        map(&[('h', (5, 5), (5, 5)), ('r', (6, 5), (6, 5)), ('r', (8, 5), (9, 5)), ('h', (10, 5), (10, 5))]);
    let try_step = |x: i64, facing: &str, works: bool| {
        let mut game = play_on(&ground, Rules::default(), &format!("1 red pyro {x},5 {facing}\n{FAR}"));
        if works { game.succeeds(0, 1, AHEAD) } else { game.fails(0, 1, AHEAD) }
    };
    for (x, works) in [(4, false), (5, true), (6, true), (7, true), (8, true), (9, true)] {
        try_step(x, "east", works);
        try_step(x + 1, "west", works);
    }
    for (x, works) in [(5, false), (6, true), (10, false)] {
        try_step(x, "north", works);
        try_step(x, "south", works);
    }
}

#[test]
fn moving_does_not_delay_abilities_nor_abilities_moving() {
    let mut game = alone("1 red soldier 0,5 east");
    game.succeeds(0, 1, AHEAD);
    game.succeeds(0, 1, first(3, 5));
    game.fails(1, 1, AHEAD);
    game.fails(1, 1, first(3, 5));
    game.succeeds(400, 1, first(3, 5));
    game.succeeds(400, 1, AHEAD);
}

#[test]
fn actions_of_one_millisecond_happen_as_they_arrive() {
    let units = "1 red pyro 0,5 east\n9 blue pyro 2,5 west";
    let mut game = play(units);
    game.succeeds(3, 9, AHEAD);
    game.fails(3, 1, AHEAD);
    let mut game = play(units);
    game.succeeds(3, 1, AHEAD);
    game.fails(3, 9, AHEAD);
}

#[test]
fn a_time_that_has_passed_is_taken_for_now() {
    let mut game = alone("1 red pyro 0,5 east");
    game.pass(1_000);
    game.succeeds(10, 1, AHEAD);
    game.fails(1_339, 1, AHEAD);
    game.succeeds(1_340, 1, AHEAD);
    assert_eq!(game.world.now(), 1_340);
}
