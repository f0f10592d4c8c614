//! Section 2.9: powerups.

use grandstand_protocol::shark::Team;
use grandstand_rules::Pid;
use grandstand_rules::shark::{Rules, World};

use super::game::{Game, rules};

#[test]
fn a_robot_that_moves_into_a_powerup_has_it_for_its_team() {
    let mut game = Game::new(
        "
        1 + .
        1 blue right",
    );
    game.drawn();
    assert!(game.go(1));
    game.shows(
        "
        . 1 .
        1 blue right",
    );
    assert_eq!((game.world.credits(Team::Red), game.world.credits(Team::Blue)), (3, 4));
    assert_eq!(game.drawn(), ["erase 0 0", "draw BLUE_RIGHT 1 0 1 3", "spawn 3 4"]);
    assert!(game.go(1));
    game.shows(
        "
        . i 1
        1 blue right",
    );
}

#[test]
fn powerups_appear_on_empty_drop_points_only() {
    let mut game = Game::by(
        Rules { item_delay: 1, ..rules() },
        "
        1 i i
        1 red right",
    );
    assert!(game.go(1));
    game.world.end_step(1);
    game.shows(
        "
        . 1 +
        1 red right",
    );
    // With every drop point taken, nothing appears.
    game.world.end_step(1_000);
    game.shows(
        "
        . 1 +
        1 red right",
    );
    // The robot takes the second; then there is one for each of the two that are free.
    assert!(game.go(1));
    assert_eq!(game.world.credits(Team::Red), 4);
    game.world.end_step(6_000);
    game.shows(
        "
        . + 1
        1 red right",
    );
}

#[test]
fn a_powerup_appears_about_every_item_delay_steps() {
    let rules = Rules { item_delay: 1_000, game_length: 1_000_000, ..rules() };
    let mut world = World::new(rules, 5, Pid(1), Pid(2)).unwrap();
    let (mut steps, mut places) = (Vec::new(), Vec::new());
    let mut seen = 0;
    while world.finish().is_none() {
        let step = world.next_event_step();
        world.end_step(step);
        if world.powerups().len() > seen {
            seen = world.powerups().len();
            steps.push(step);
            places = world.powerups().to_vec();
        }
    }
    places.sort_unstable();
    assert_eq!(places, world.field().drops(), "all are taken in the end, each by one");
    assert!(steps.len() >= 6 && steps[0] < 10_000, "{steps:?}");
}

#[test]
fn when_they_come_depends_on_the_seed_alone() {
    let arrivals = |seed, moving: bool| {
        let mut world = World::new(Rules { item_delay: 20_000, ..rules() }, seed, Pid(1), Pid(2)).unwrap();
        let mut seen = Vec::new();
        while seen.len() < 5 {
            if moving && world.step() % 7 == 1 {
                let _ = world.spawn(world.step(), Pid(1), Pid(seen.len() as u32 + 3));
            }
            let step = world.next_event_step();
            let before = world.powerups().len();
            world.end_step(step);
            if world.powerups().len() > before {
                seen.push((step, *world.powerups().last().unwrap()));
            }
        }
        seen
    };
    assert_eq!(arrivals(1, false), arrivals(1, true));
    assert_ne!(arrivals(1, false), arrivals(2, false));
}

#[test]
fn nothing_happens_between_two_events() {
    let mut world = World::new(Rules::default(), 3, Pid(1), Pid(2)).unwrap();
    world.drain_commands();
    let mut events = 0;
    // Long before all drop points are taken.
    while world.step() < 200_000 {
        let step = world.next_event_step();
        world.end_step(step - 1);
        assert!(world.drain_commands().is_empty(), "before step {step}");
        world.end_step(step);
        assert!(!world.drain_commands().is_empty(), "in step {step}");
        events += 1;
    }
    assert!((20..30).contains(&events), "{events} events");
}
