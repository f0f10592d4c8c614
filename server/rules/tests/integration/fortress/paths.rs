//! Section 2.10.1: the four cases of obstacles in a projectile's path.

use grandstand_rules::fortress::Rules;

use super::common::{Match, first, map, play, play_on, second};

/// A soldier at (3, 5) fires east; the squares from (3, 5) on are as the letters say, with a blue pyro on each square in `units`.
fn range_of(letters: &str, units: &[i64]) -> Match {
    let raised: Vec<_> = letters.chars().zip(3..).map(|(letter, x)| (letter, (x, 5), (x, 5))).collect();
    let mut lines = "1 red soldier 3,5 east\n2 blue medic 25,-12 east".to_owned();
    for (id, x) in (10..).zip(units) {
        lines += &format!("\n{id} blue pyro {x},5 west");
    }
    play_on(&map(&raised), Rules { units_per_team: 5, ..Rules::default() }, &lines)
}

/// The square in which the shot at (x, 5) stopped, and the units that it hit.
fn fire(letters: &str, units: &[i64], x: i64) -> (i64, Vec<u32>) {
    let mut game = range_of(letters, units);
    game.succeeds(0, 1, first(x, 5));
    let shot = game.lines.iter().find_map(|(_, line)| line.strip_prefix("shot 1 rifle ")).unwrap();
    let stop = shot.split(' ').next().unwrap().parse().unwrap();
    let ids = (10..).take(units.len());
    (stop, ids.filter(|&id| game.health(id) < 1_000).collect())
}

#[test]
fn a_low_shot_hits_the_first_unit() {
    assert_eq!(fire("llllllll", &[5, 7], 7), (5, vec![10]));
    assert_eq!(fire("llllllll", &[7], 7), (7, vec![10]));
    assert_eq!(fire("llllllll", &[], 7), (7, vec![]));
    assert_eq!(
        fire("lllhllll", &[6, 8], 8),
        (5, vec![]),
        "on the square before, and who stands on the high ground is safe"
    );
    assert_eq!(fire("lllhllll", &[5, 8], 8), (5, vec![10]), "but not who stands before it");
    assert_eq!(fire("lllrllll", &[8], 8), (5, vec![]), "a ramp is high ground");
    assert_eq!(fire("lhllllll", &[8], 8), (3, vec![]), "on the shooter's own square");
}

#[test]
fn a_shot_up_has_a_shorter_range() {
    assert_eq!(fire("llllllhh", &[5, 9], 9), (9, vec![11]), "it flies over low ground");
    assert_eq!(fire("llhlllhh", &[5, 9], 9), (5, vec![10]));
    assert_eq!(fire("llrlllhh", &[5, 9], 9), (5, vec![10]), "a ramp is high ground");
    assert_eq!(fire("lllllllh", &[10], 10), (9, vec![]), "7 squares away, with a range of 6");
    assert_eq!(fire("lllllllr", &[10], 10), (9, vec![]), "a ramp is high ground");
    assert_eq!(fire("lllllllh", &[9], 10), (9, vec![]), "and flies over who stands where its range ends");
}

#[test]
fn a_shot_down_has_a_longer_range() {
    assert_eq!(fire("hllllllll", &[5, 11], 11), (11, vec![11]), "8 squares away, with a range of 8");
    assert_eq!(fire("rllllllll", &[11], 11), (11, vec![10]), "a ramp is high ground");
    assert_eq!(fire("hlhllllll", &[5, 11], 11), (5, vec![10]));
    assert_eq!(fire("hlhllllll", &[4, 11], 11), (11, vec![11]));
    assert_eq!(fire("hlllllllll", &[12], 12), (11, vec![]));
}

#[test]
fn from_high_to_high_units_on_high_ground_are_in_the_way() {
    assert_eq!(fire("hllllllh", &[5, 10], 10), (10, vec![11]));
    assert_eq!(fire("hlhllllh", &[5, 10], 10), (5, vec![10]));
    assert_eq!(fire("rlrllllr", &[5, 10], 10), (5, vec![10]), "ramps are high ground");
    assert_eq!(fire("hlllllllh", &[11], 11), (10, vec![]), "8 squares away, with a range of 7");
}

#[test]
fn friends_and_foes_stop_a_shot_alike() {
    let mut game = play("1 red soldier 0,5 east\n2 red pyro 2,5 east\n9 blue pyro 4,5 west");
    game.succeeds(0, 1, first(4, 5));
    assert_eq!((game.health(2), game.health(9)), (1_000, 1_000));
    let mut game = play("1 red medic 0,5 east\n2 red pyro 2,5 east 500\n9 blue pyro 1,5 west");
    game.succeeds(0, 1, first(2, 5));
    assert_eq!((game.health(2), game.health(9)), (500, 1_000));
    // A rocket hurts the friend that it hits.
    let mut game = play("1 red soldier 0,5 east\n2 red pyro 3,5 east\n9 blue pyro 6,5 west");
    game.succeeds(0, 1, second(6, 5));
    assert_eq!((game.health(2), game.health(9)), (600, 1_000));
}

#[test]
fn the_range_is_measured_as_the_crow_flies() {
    // A range of 7 from (0, 5): up to the last square of the line within it.
    for (x, y, stop) in
        [(7, 5, "7 5"), (4, 10, "4 10"), (5, 10, "4 9"), (6, 9, "5 8"), (8, 12, "5 9"), (8, 5, "7 5")]
    {
        let mut game = play("1 red soldier 0,5 east\n9 blue pyro 25,5 west");
        game.succeeds(0, 1, first(x, y));
        assert_eq!(game.lines.last().unwrap().1, format!("shot 1 rifle {stop} {x} {y}"));
    }
}

#[test]
fn a_shot_in_the_mirrored_match_is_the_mirrored_shot() {
    let ground = map(&[('h', (5, 3), (6, 6)), ('r', (4, 8), (8, 8)), ('h', (2, -4), (9, -3))]);
    for x in -9..=9_i64 {
        for y in -9..=9_i64 {
            let stop = |side: i64| {
                let units = format!(
                    "1 red soldier {},1 east\n9 blue pyro {},-1 west\n8 blue pyro {},6 west",
                    4 * side,
                    6 * side,
                    7 * side
                );
                let mut game = play_on(&ground, Rules::default(), &units);
                if (x, y) == (4, 1) {
                    return None;
                }
                game.succeeds(0, 1, first(x * side, y));
                let shot =
                    game.lines.iter().find_map(|(_, line)| line.strip_prefix("shot 1 rifle ")).unwrap();
                let numbers: Vec<i64> =
                    shot.split(' ').map(|n| n.replace('~', "-").parse().unwrap()).collect();
                Some((numbers[0] * side, numbers[1], game.health(9), game.health(8)))
            };
            assert_eq!(stop(1), stop(-1), "at {x},{y}");
        }
    }
}
