//! Sections 2.8, 2.9 and 2.10.2 to 2.10.4: effects of abilities on units.

use grandstand_rules::fortress::{Action, Hand, Rules};

use super::common::{AHEAD, LEFT, RIGHT, first, map, play, play_on, second};

#[test]
fn the_table_of_abilities() {
    // Class, ability, damage to an enemy or health for a friend, range, cooldown.
    for (class, action, change, range, cooldown) in [
        ("medic", first as fn(i64, i64) -> Action, 125, 3, 0),
        ("medic", second, -50, 5, 0),
        ("soldier", first, -100, 7, 0),
        ("soldier", second, -400, 8, 10_000),
    ] {
        let (team, health) = if change > 0 { ("red", 500) } else { ("blue", 1_000) };
        let game = |distance: i64| {
            let other = if team == "red" { "9 blue pyro 25,12 west" } else { "" };
            play(&format!(
                "1 red {class} -10,5 north\n2 {team} pyro {},5 west {health}\n{other}",
                distance - 10
            ))
        };
        let mut near = game(range);
        near.succeeds(10, 1, action(range - 10, 5));
        assert_eq!(near.health(2), health + change, "{class}, {change}");
        // A target beyond the range is a valid aim. (A rocket's burst reaches one square farther.)
        let past = if cooldown > 0 { range + 2 } else { range + 1 };
        let mut far = game(past);
        far.succeeds(10, 1, action(past - 10, 5));
        assert_eq!(far.health(2), health, "{class}, {change}: the range is {range}");
        // The delay of 400 holds for both abilities, the cooldown for this one.
        for other in [first, second] {
            near.fails(409, 1, other(-5, 5));
        }
        near.succeeds(410, 1, if cooldown == 0 { action(-5, 5) } else { first(-5, 5) });
        if cooldown > 0 {
            near.fails(10_009, 1, action(range - 10, 5));
            near.succeeds(10_010, 1, action(range - 10, 5));
            assert_eq!(near.health(2), health + 2 * change);
        }
    }
    for (action, damage) in [(first as fn(i64, i64) -> Action, 125), (second, 250)] {
        let mut game = play("1 red pyro 0,5 east\n9 blue medic 1,5 west");
        game.succeeds(10, 1, action(0, 0));
        assert_eq!(game.health(9), 1_000 - damage);
        game.fails(409, 1, first(0, 0));
        game.fails(409, 1, second(0, 0));
        game.succeeds(410, 1, action(0, 0));
        assert_eq!(game.health(9), 1_000 - 2 * damage);
    }
}

#[test]
fn what_fails_delays_nothing() {
    let mut game = play("1 red soldier 0,5 east\n9 blue medic 1,5 west");
    for (x, y) in [(0, 5), (26, 0), (0, -13), (i64::MAX, i64::MIN)] {
        game.fails(0, 1, first(x, y));
        game.fails(0, 1, second(x, y));
    }
    game.succeeds(0, 1, first(1, 5));
}

#[test]
fn the_cone_and_the_axe_take_no_notice_of_the_position() {
    for (x, y) in [(0, 5), (99, 99), (i64::MIN, i64::MAX)] {
        let mut game = play("1 red pyro 0,5 east\n9 blue medic 1,5 west");
        game.succeeds(0, 1, first(x, y));
        game.succeeds(400, 1, second(x, y));
        assert_eq!(game.health(9), 625);
    }
}

#[test]
fn an_ability_that_meets_nobody_succeeds_and_delays() {
    for class in ["medic", "pyro", "soldier"] {
        let mut game = play(&format!("1 red {class} 0,5 east\n9 blue medic 25,5 west"));
        game.succeeds(0, 1, first(1, 5));
        game.fails(399, 1, first(1, 5));
    }
}

#[test]
fn only_rockets_hurt_friends_and_only_the_medigun_helps_them() {
    for (class, action, change) in [
        ("medic", first as fn(i64, i64) -> Action, 125),
        ("medic", second, 0),
        ("pyro", first, 0),
        ("pyro", second, 0),
        ("soldier", first, 0),
        ("soldier", second, -400),
    ] {
        let units = format!("1 red {class} 0,5 east\n2 red pyro 1,6 west 500\n9 blue pyro 25,5 west");
        let mut game = play(&units);
        game.succeeds(0, 1, action(1, 6));
        assert_eq!(game.health(2) - 500, change, "{class}");
    }
}

#[test]
fn the_medigun_heals_up_to_the_spawn_health() {
    let mut game = play("1 red medic 0,5 east\n2 red pyro 0,6 east 950\n9 blue pyro 1,5 west 500");
    game.succeeds(0, 1, first(1, 5));
    assert_eq!(game.health(9), 500);
    game.succeeds(400, 1, first(0, 6));
    assert_eq!(game.health(2), 1_000);
    assert_eq!(
        game.lines_from(game.lines.len() - 3),
        ["shot 1 medigun 0 6 0 6", "hit 1 2 ~50", "update 2 0 6 east 1000"]
    );
    // A friend in full health: no health changes, so nothing is drawn.
    game.succeeds(800, 1, first(0, 6));
    assert_eq!(game.lines.last().unwrap().1, "shot 1 medigun 0 6 0 6");
}

#[test]
fn a_rocket_bursts_over_friends_enemies_and_the_shooter() {
    let mut game = play(
        "1 red soldier 0,5 east\n2 red pyro 1,6 west\n3 red pyro 2,7 west\n9 blue pyro 1,5 west\n10 blue pyro 2,4 west",
    );
    game.succeeds(0, 1, second(1, 5));
    let health: Vec<i32> = [1, 2, 3, 9, 10].map(|unit| game.health(unit)).into();
    assert_eq!(
        health,
        [800, 800, 1_000, 600, 800],
        "the shooter, a friend, one too far, the target, another enemy"
    );
}

#[test]
fn a_rocket_that_hits_nobody_bursts_where_it_stops() {
    // The rocket bursts at its target, or at the end of its range if the target is farther away.
    let units = "1 red soldier 0,5 east\n9 blue pyro 9,6 west\n10 blue pyro 6,6 west";
    let mut game = play(units);
    game.succeeds(0, 1, second(5, 5));
    assert_eq!((game.health(9), game.health(10)), (1_000, 800));
    let mut game = play(units);
    game.succeeds(0, 1, second(25, 5));
    assert_eq!((game.health(9), game.health(10)), (800, 1_000));
    assert!(game.lines.iter().any(|(_, line)| line == "shot 1 rocket 8 5 25 5"));
}

#[test]
fn the_elevation_of_the_squares_does_not_matter_to_a_burst() {
    let ground = map(&[('h', (6, 5), (6, 7)), ('r', (5, 6), (5, 6))]);
    let units = "1 red soldier 2,5 east\n9 blue pyro 6,5 west\n10 blue pyro 5,6 west\n11 blue pyro 5,4 west";
    let mut game = play_on(&ground, Rules::default(), units);
    game.succeeds(0, 1, second(5, 5));
    assert_eq!((game.health(9), game.health(10), game.health(11)), (800, 800, 800));
}

#[test]
fn a_rocket_against_a_wall_hurts_by_its_burst_alone() {
    let ground = map(&[('h', (4, 3), (4, 7))]);
    let mut game = play_on(
        &ground,
        Rules::default(),
        "1 red soldier 3,5 east\n9 blue pyro 7,5 west\n10 blue pyro 4,4 west",
    );
    game.succeeds(0, 1, second(7, 5));
    assert_eq!((game.health(1), game.health(9), game.health(10)), (800, 1_000, 800));
    assert!(
        game.lines.iter().any(|(_, line)| line == "shot 1 rocket 3 5 7 5"),
        "it stops on the shooter's own square"
    );
}

/// Diagram of the 9 by 9 squares around a pyro at (0, 5), with those that the action reaches; the pyro is `P`.
fn reach(facing: &str, action: Action) -> String {
    let mut rows = String::new();
    for y in (1..=9).rev() {
        for x in -4..=4 {
            if (x, y) == (0, 5) {
                rows.push('P');
                continue;
            }
            let mut game = play(&format!("1 red pyro 0,5 {facing}\n9 blue medic {x},{y} west"));
            game.succeeds(0, 1, action.clone());
            rows.push(if game.health(9) < 1_000 { '*' } else { '.' });
        }
        rows.push('\n');
    }
    rows
}

#[test]
fn the_cone_is_a_quarter_circle_before_the_pyro() {
    let north = "\
.........
....*....
..*****..
...***...
....P....
.........
.........
.........
.........
";
    assert_eq!(reach("north", first(0, 0)), north);
    let rows: Vec<Vec<char>> = north.lines().map(|row| row.chars().collect()).collect();
    let turned = |turn: fn(usize, usize) -> (usize, usize)| {
        let row = |y| (0..9).map(|x| turn(x, y)).map(|(x, y)| rows[y][x]).chain(['\n']).collect::<String>();
        (0..9).map(row).collect::<String>()
    };
    assert_eq!(reach("south", first(0, 0)), turned(|x, y| (x, 8 - y)));
    assert_eq!(reach("east", first(0, 0)), turned(|x, y| (y, 8 - x)));
    assert_eq!(reach("west", first(0, 0)), turned(|x, y| (y, x)));
}

#[test]
fn the_axe_strikes_the_three_squares_before_the_pyro() {
    let struck = |facing: &str| {
        let rows = reach(facing, second(0, 0));
        rows.lines().skip(3).take(3).map(|row| row[3..6].to_owned()).collect::<Vec<_>>().join("/")
    };
    assert_eq!(struck("north"), "***/.P./...");
    assert_eq!(struck("east"), "..*/.P*/..*");
    assert_eq!(struck("south"), ".../.P./***");
    assert_eq!(struck("west"), "*../*P./*..");
    assert_eq!(reach("north", second(0, 0)).matches('*').count(), 3);
}

#[test]
fn steam_reaches_its_elevation_and_ramps() {
    // Before the pyro, to the north: low ground, a ramp and high ground side by side.
    for (under, reached) in
        [('l', [true, true, false]), ('r', [true, true, true]), ('h', [false, true, true])]
    {
        let ground = map(&[
            (under, (5, 5), (5, 5)),
            ('l', (4, 6), (4, 6)),
            ('r', (5, 6), (5, 6)),
            ('h', (6, 6), (6, 6)),
        ]);
        for action in [first, second] {
            let units =
                "1 red pyro 5,5 north\n9 blue pyro 4,6 west\n10 blue pyro 5,6 west\n11 blue pyro 6,6 west";
            let mut game = play_on(&ground, Rules::default(), units);
            game.succeeds(0, 1, action(0, 0));
            assert_eq!([9, 10, 11].map(|unit| game.health(unit) < 1_000), reached, "from {under}");
        }
    }
}

#[test]
fn one_cone_harms_every_enemy_in_it() {
    let mut game = play(
        "1 red pyro 0,5 north\n9 blue pyro 0,6 west\n10 blue pyro 0,7 west\n11 blue pyro 1,6 west\n2 red medic -1,6 east",
    );
    game.succeeds(0, 1, first(0, 0));
    assert_eq!([9, 10, 11, 2].map(|unit| game.health(unit)), [875, 875, 875, 1_000]);
    assert_eq!(
        game.lines_from(game.lines.len() - 7),
        [
            "cone 1 north",
            "hit 1 9 125",
            "hit 1 10 125",
            "hit 1 11 125",
            "update 9 0 6 west 875",
            "update 10 0 7 west 875",
            "update 11 1 6 west 875"
        ]
    );
}

#[test]
fn a_unit_dies_when_no_health_is_left_and_not_before() {
    let units = |health: i32| {
        format!("1 red soldier 0,5 east\n9 blue pyro 3,5 west {health}\n10 blue medic 25,5 west")
    };
    let mut game = play(&units(101));
    game.succeeds(0, 1, first(3, 5));
    assert_eq!(game.health(9), 1);
    let mut game = play(&units(100));
    game.succeeds(0, 1, first(3, 5));
    assert_eq!(game.health(9), 0);
    assert_eq!(game.world.unit_at(super::common::at(3, 5)), None);
    let lines = game.lines_from(game.lines.len() - 3);
    assert_eq!(lines, ["shot 1 rifle 3 5 3 5", "hit 1 9 100", "remove 9"]);
    // A unit loses at most its remaining health.
    let mut game = play(&units(30));
    game.succeeds(0, 1, first(3, 5));
    assert!(game.lines.iter().any(|(_, line)| line == "hit 1 9 30"));
}

#[test]
fn a_rocket_may_destroy_its_shooter() {
    let mut game = play("1 red soldier 0,5 east 200\n9 blue pyro 1,5 west 400");
    game.succeeds(0, 1, second(1, 5));
    assert_eq!((game.health(1), game.health(9)), (0, 0));
    game.fails(5_000, 1, AHEAD);
}

#[test]
fn a_destroyed_unit_can_not_move_turn_or_use_abilities() {
    let mut game = play("1 red soldier 0,5 east\n8 blue pyro 1,5 west\n9 blue pyro 3,5 west 100");
    game.succeeds(0, 8, LEFT);
    game.succeeds(0, 1, first(3, 5));
    for action in [AHEAD, LEFT, RIGHT, Action::Turn(Hand::Left), first(0, 5), second(0, 5)] {
        game.fails(1_000, 9, action);
    }
}

#[test]
fn settings_change_the_table() {
    let rules =
        Rules { rifle_damage: 7, rifle_range: 2, rifle_delay: 50, rifle_cooldown: 1_000, ..Rules::default() };
    let mut game = play_on(&map(&[]), rules, "1 red soldier 0,5 east\n9 blue pyro 2,5 west");
    game.succeeds(0, 1, first(2, 5));
    assert_eq!(game.health(9), 993);
    game.fails(999, 1, first(2, 5));
    game.succeeds(999, 1, second(25, 5));
    game.fails(1_048, 1, first(2, 5));
}
