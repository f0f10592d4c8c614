//! Sections 2.10 and 2.13: spawning, its cost, and how a match begins.

use std::collections::BTreeSet;

use grandstand_protocol::shark::{Heading, Team};
use grandstand_rules::Pid;
use grandstand_rules::shark::{SetupError, SpawnError, World, comes_first, spawn_cost};

use super::game::{Game, place, rules};

#[test]
fn a_team_begins_with_three_credits_and_a_robot() {
    let mut places = BTreeSet::new();
    for seed in 0..100 {
        let world = World::new(rules(), seed, Pid(1), Pid(2)).unwrap();
        assert_eq!((world.credits(Team::Red), world.credits(Team::Blue)), (3, 3));
        let [red, blue] = world.bots() else { panic!("{:?}", world.bots()) };
        assert_eq!((red.pid, red.team, blue.pid, blue.team), (Pid(1), Team::Red, Pid(2), Team::Blue));
        for bot in world.bots() {
            assert!(world.field().spawns(bot.team).contains(&bot.place));
            assert_eq!((bot.health, bot.flag), (3, false));
            places.insert(bot.place);
        }
        assert!(world.is_home(Team::Red) && world.is_home(Team::Blue));
    }
    let field = World::new(rules(), 0, Pid(1), Pid(2)).unwrap().field().clone();
    let all: BTreeSet<_> = Team::ALL.iter().flat_map(|&team| field.spawns(team)).copied().collect();
    assert_eq!(places, all, "any of them");
}

#[test]
fn robots_appear_with_their_backs_to_their_own_side() {
    let world = World::new(rules(), 1, Pid(1), Pid(2)).unwrap();
    assert_eq!(
        world.bots().iter().map(|bot| bot.heading).collect::<Vec<_>>(),
        [Heading::Right, Heading::Left]
    );
}

#[test]
fn one_pid_can_not_be_both_teams() {
    assert_eq!(World::new(rules(), 1, Pid(1), Pid(1)).unwrap_err(), SetupError::SamePid(Pid(1)));
}

#[test]
fn a_new_robot_stands_on_an_empty_spawn_point_of_its_team() {
    let mut game = Game::new(
        "
        r . r
        b . 1
        1 blue up",
    );
    game.drawn();
    assert_eq!(game.world.spawn(1, Pid(1), Pid(7)), Ok(place(0, 1)));
    game.shows(
        "
        r . r
        7 . 1
        1 blue up
        7 blue left",
    );
    assert_eq!(game.drawn(), ["spawn 3 2", "draw BLUE_LEFT 0 1 7 3"]);
}

#[test]
fn which_of_the_empty_ones_is_left_to_chance() {
    let mut seen = BTreeSet::new();
    for seed in 0..60 {
        let mut world = World::new(rules(), seed, Pid(1), Pid(2)).unwrap();
        let place = world.spawn(1, Pid(1), Pid(3)).unwrap();
        assert!(world.field().spawns(Team::Red).contains(&place));
        seen.insert(place);
    }
    assert!(seen.len() > 2);
}

#[test]
fn spawns_cost_more_from_the_fifth_robot_on() {
    let costs: Vec<u32> = (1..=9).map(spawn_cost).collect();
    assert_eq!(costs, [1, 1, 1, 1, 1, 2, 3, 4, 5]);
    assert_eq!((spawn_cost(4), spawn_cost(7)), (1, 3), "the handout's examples");
}

#[test]
fn the_credits_are_paid_and_too_few_are_not_enough() {
    let mut rules = rules();
    rules.spawn_credits = 6;
    let mut game = Game::by(
        rules,
        "
        r r r r r r r r r 1
        1 red up",
    );
    let spawns: Vec<_> =
        (2..9).map(|pid| game.world.spawn(pid.into(), Pid(1), Pid(pid)).map(|_| ())).collect();
    // Four for the second to the fifth robot at one credit each, one for the sixth at one, two for the seventh: there is one.
    let poor = Err(SpawnError::NoCredits { cost: 2, credits: 1 });
    assert_eq!(spawns, [Ok(()), Ok(()), Ok(()), Ok(()), Ok(()), poor, poor]);
    assert_eq!(game.world.credits(Team::Red), 1, "a failed spawn costs nothing");
    assert_eq!(game.world.credits(Team::Blue), 6);
}

#[test]
fn a_spawn_fails_when_all_spawn_points_of_the_team_are_taken() {
    let mut game = Game::new(
        "
        r b b
        1 . .
        1 red up",
    );
    assert!(game.go(1));
    game.drawn();
    assert_eq!(game.world.spawn(5_002, Pid(1), Pid(2)), Err(SpawnError::NoRoom));
    assert_eq!(game.world.credits(Team::Red), 3);
    assert!(game.drawn().is_empty());
}

#[test]
fn a_spawn_takes_one_step() {
    let mut game = Game::new("1 .\n1 red up");
    game.world.spawn(5, Pid(1), Pid(2)).unwrap();
    assert!(matches!(game.world.spawn(5, Pid(1), Pid(3)), Err(SpawnError::Parent(_))));
    assert_eq!(game.world.spawn(6, Pid(1), Pid(2)), Err(SpawnError::NotNew(Pid(2))));
    assert_eq!(game.world.spawn(6, Pid(1), Pid(3)), Err(SpawnError::NoRoom), "the team has one spawn point");
    assert!(matches!(game.world.spawn(6, Pid(9), Pid(3)), Err(SpawnError::Parent(_))));
}

#[test]
fn either_team_comes_first_in_about_half_of_the_matches() {
    let red = (0..1_000).filter(|&seed| comes_first(seed) == Team::Red).count();
    assert!((450..=550).contains(&red), "{red}");
}
