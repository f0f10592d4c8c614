//! Section 3.4: queries and talk.

use grandstand_rules::fortress::{
    Action, ActionResult, Direction, Elevation, PointStatus, Rules, Sighting, Team, UnitClass, UnitId,
};

use super::common::{AHEAD, Match, at, first, map, play, play_on, play_with, pos};

const UNITS: &str = "1 red soldier 0,0 east\n2 red medic 3,4 north 700\n9 blue pyro -5,1 west";

fn sighting(class: UnitClass, health: i32, x: i64, y: i64, ally: bool) -> Sighting {
    Sighting { class, health, at: at(x, y), ally }
}

fn scan(game: &mut Match, unit: u32, range: i64) -> Vec<Sighting> {
    match game.act(0, unit, Action::Scan(range)) {
        ActionResult::ScanData { units: seen } => seen,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_scan_tells_who_stands_near_the_nearest_first() {
    let mut game = play(UNITS);
    let own = sighting(UnitClass::Soldier, 1_000, 0, 0, true);
    let medic = sighting(UnitClass::Medic, 700, 3, 4, true);
    let pyro = sighting(UnitClass::Pyro, 1_000, -5, 1, false);
    assert_eq!(scan(&mut game, 1, 0), [own], "the unit itself is one of them");
    assert_eq!(scan(&mut game, 1, 4), [own]);
    assert_eq!(scan(&mut game, 1, 5), [own, medic]);
    assert_eq!(scan(&mut game, 1, 6), [own, medic, pyro]);
    assert_eq!(scan(&mut game, 1, i64::MAX), [own, medic, pyro]);
    let seen: Vec<bool> = scan(&mut game, 9, 100).iter().map(|seen| seen.ally).collect();
    assert_eq!(seen, [true, false, false], "friends are friends of who asks");
    game.fails(0, 1, Action::Scan(-1));
    game.fails(0, 1, Action::Scan(i64::MIN));
}

#[test]
fn units_at_the_same_distance_are_told_by_their_ids() {
    let mut game =
        play("5 red soldier 0,5 east\n3 red medic 1,5 north\n2 red medic 0,6 north\n9 blue pyro -1,5 west");
    let places: Vec<_> = scan(&mut game, 5, 1).iter().map(|seen| (seen.at.x(), seen.at.y())).collect();
    assert_eq!(places, [(0, 5), (0, 6), (1, 5), (-1, 5)]);
}

#[test]
fn an_inspection_tells_elevation_unit_and_control_point() {
    let ground = map(&[('h', (3, 4), (3, 4)), ('r', (3, 5), (3, 5))]);
    let mut game = play_on(&ground, Rules::default(), UNITS);
    let mut inspect = |unit: u32, x: i64, y: i64| match game.act(0, unit, Action::Inspect(pos(x, y))) {
        ActionResult::InspectData { elevation, unit, point } => (elevation, unit, point),
        other => panic!("{other:?}"),
    };
    let medic = |ally| Some(sighting(UnitClass::Medic, 700, 3, 4, ally));
    assert_eq!(inspect(1, 3, 4), (Elevation::High, medic(true), None));
    assert_eq!(inspect(9, 3, 4), (Elevation::High, medic(false), None));
    assert_eq!(inspect(1, 3, 5), (Elevation::Ramp, None, None));
    let point = |x, point, ours| Some(PointStatus { at: at(x, 0), point, ours });
    assert_eq!(inspect(1, -10, 0), (Elevation::Low, None, point(-10, 1, Some(true))));
    assert_eq!(inspect(9, -10, 0), (Elevation::Low, None, point(-10, 1, Some(false))));
    assert_eq!(inspect(9, 0, 0).2, point(0, 2, None));
    for (x, y) in [(26, 0), (0, 13), (-26, 0), (0, -13), (i64::MAX, i64::MIN)] {
        game.fails(0, 1, Action::Inspect(pos(x, y)));
    }
}

#[test]
fn a_unit_knows_itself() {
    let mut game = play(UNITS);
    let data = |x, y, health, facing| ActionResult::MyData { at: at(x, y), health, facing };
    assert_eq!(game.act(0, 2, Action::MyStatus), data(3, 4, 700, Direction::North));
    game.succeeds(0, 2, AHEAD);
    assert_eq!(game.act(0, 2, Action::MyStatus), data(3, 5, 700, Direction::North));
}

#[test]
fn the_state_of_the_game_is_told_from_each_teams_side() {
    let mut game = play_with(&map(&[]), Rules::default(), UNITS, "rr-bb");
    for (unit, own, other) in [(1, Some(true), Some(false)), (9, Some(false), Some(true))] {
        let points = (0..5).map(|point| PointStatus {
            at: at(i64::from(point) * 10 - 20, 0),
            point,
            ours: [own, own, None, other, other][usize::from(point)],
        });
        let expected = ActionResult::GameData { remaining: 300_000 - 1_234, points: points.collect() };
        assert_eq!(game.act(1_234, unit, Action::GameStatus), expected);
    }
}

#[test]
fn asking_takes_no_time_and_changes_nothing() {
    let mut game = play(UNITS);
    game.succeeds(0, 1, AHEAD);
    game.succeeds(0, 1, first(9, 9));
    let lines = game.lines.len();
    for action in [Action::Scan(9), Action::Inspect(pos(0, 0)), Action::MyStatus, Action::GameStatus] {
        for _ in 0..3 {
            game.act(0, 1, action.clone());
        }
    }
    assert_eq!(game.lines.len(), lines);
    game.succeeds(400, 1, AHEAD);
}

#[test]
fn a_destroyed_unit_sees_nothing_around_it_but_may_ask_and_talk() {
    let mut game = play("1 red soldier 0,5 east\n9 blue pyro 3,5 south 100");
    game.succeeds(0, 1, first(3, 5));
    let fallen = ActionResult::MyData { at: at(3, 5), health: 0, facing: Direction::South };
    assert_eq!(game.act(10, 9, Action::MyStatus), fallen);
    game.fails(10, 9, Action::Scan(100));
    assert!(matches!(game.act(10, 9, Action::GameStatus), ActionResult::GameData { .. }));
    assert!(matches!(
        game.act(10, 9, Action::Inspect(pos(0, 5))),
        ActionResult::InspectData { unit: Some(_), .. }
    ));
    game.succeeds(10, 9, Action::Talk("ouch".into()));
    assert_eq!(
        game.act(10, 1, Action::Scan(100)),
        ActionResult::ScanData { units: vec![sighting(UnitClass::Soldier, 1_000, 0, 5, true)] }
    );
}

#[test]
fn too_much_talk_is_dropped_and_counted() {
    let mut game = play(UNITS);
    game.succeeds(999, 1, Action::Talk("one\r\ncontrol 2 red".into()));
    assert_eq!(game.lines.last().unwrap().1, "say red one  control 2 red");
    for n in 2..=7 {
        game.succeeds(999, 1, Action::Talk(format!("{n}")));
    }
    assert_eq!(game.lines.last().unwrap().1, "say red 5");
    game.succeeds(999, 2, Action::Talk("another unit".into()));
    game.succeeds(1_000, 1, Action::Talk("another second".into()));
    assert_eq!(game.lines.last().unwrap().1, "say red another second");
    assert_eq!((game.world.dropped_talks(Team::Red), game.world.dropped_talks(Team::Blue)), (2, 0));
    game.succeeds(1_000, 9, Action::Talk("x".repeat(1_000)));
    assert_eq!(game.lines.last().unwrap().1.len(), "say blue ".len() + 200);
}

#[test]
fn an_id_that_no_unit_has_fails() {
    let mut game = play(UNITS);
    for action in [AHEAD, Action::MyStatus, Action::Talk("hi".into()), Action::Respawn(UnitClass::Pyro)] {
        game.fails(0, 3, action);
    }
    assert_eq!(game.world.unit(UnitId(3)), None);
}
