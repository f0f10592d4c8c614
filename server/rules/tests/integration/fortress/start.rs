//! Sections 2.1, 2.3 and 2.4: the start of a match, and invalid positions.

use grandstand_rules::fortress::{ByTeam, Direction, Rules, Setup, Team, Unit, UnitClass, UnitId, World};

use super::common::{at, map, watch};

const CLASSES: [UnitClass; 5] =
    [UnitClass::Medic, UnitClass::Pyro, UnitClass::Soldier, UnitClass::Soldier, UnitClass::Medic];

fn teams(count: u32) -> ByTeam<Team, Vec<(UnitId, UnitClass)>> {
    let team = |from: u32| (0..count).map(|n| (UnitId(from + n), CLASSES[n as usize % 5])).collect();
    ByTeam::new(team(1), team(11))
}

#[test]
fn units_start_around_their_control_point() {
    let setup = Setup::start(Rules::default(), map(&[]), &teams(5));
    let mut game = watch(World::from_setup(&setup).unwrap());
    assert_eq!(
        [1, 2, 3, 4, 5].map(|unit| game.place(unit)),
        [(-10, 0), (-9, 0), (-10, 1), (-10, -1), (-11, 0)]
    );
    assert_eq!(
        [11, 12, 13, 14, 15].map(|unit| game.place(unit)),
        [(10, 0), (9, 0), (10, 1), (10, -1), (11, 0)]
    );
    for unit in game.world.units() {
        let facing = if unit.team == Team::Red { Direction::East } else { Direction::West };
        assert_eq!((unit.facing, unit.health), (facing, 1_000));
    }
    assert_eq!(game.owners(), "rr-bb");
    assert_eq!(game.world.next_event(), Some(1_000), "the first report of the time");
    game.pass(1_000);
}

#[test]
fn the_first_picture_has_board_points_units_and_time() {
    let setup =
        Setup::start(Rules::default(), map(&[('h', (3, 4), (3, 4)), ('r', (3, 5), (3, 5))]), &teams(1));
    let game = watch(World::from_setup(&setup).unwrap());
    assert_eq!(
        game.lines_from(0),
        [
            "init",
            "elevation ~3 5 ramp",
            "elevation 3 5 ramp",
            "elevation ~3 4 high",
            "elevation 3 4 high",
            "point 0 ~20 0 red",
            "point 1 ~10 0 red",
            "point 2 0 0 none",
            "point 3 10 0 blue",
            "point 4 20 0 blue",
            "spawn 1 red ~10 0 east 1000 medic",
            "spawn 11 blue 10 0 west 1000 medic",
            "time 300000"
        ]
    );
    assert!(game.lines.iter().all(|(millis, _)| *millis == 0));
}

#[test]
fn what_is_no_position_is_refused_and_says_why() {
    let setup = || Setup::start(Rules::default(), map(&[]), &teams(3));
    let error = |setup: &Setup| World::from_setup(setup).unwrap_err().to_string();
    let mut wrong = setup();
    wrong.rules.time_limit = 0;
    assert_eq!(error(&wrong), "cTIME_LIMIT is 0; expected a number from 1 to 3600000");
    assert_eq!(
        error(&Setup::start(Rules::default(), map(&[]), &teams(6))),
        "red has 6 units; expected 1 to 5 (cUNITS_PER_TEAM)"
    );
    assert_eq!(
        error(&Setup::start(Rules { units_per_team: 2, ..Rules::default() }, map(&[]), &teams(3))),
        "red has 3 units; expected 1 to 2 (cUNITS_PER_TEAM)"
    );
    let none = ByTeam::new(teams(1)[Team::Red].clone(), Vec::new());
    assert_eq!(
        error(&Setup::start(Rules::default(), map(&[]), &none)),
        "blue has 0 units; expected 1 to 5 (cUNITS_PER_TEAM)"
    );
    let mut wrong = setup();
    wrong.units[1].id = UnitId(11);
    assert_eq!(error(&wrong), "the units 11 and 11 have the same id or the same square");
    let mut wrong = setup();
    wrong.units[1].at = at(10, 1);
    assert_eq!(error(&wrong), "the units 2 and 13 have the same id or the same square");
    for health in [0, -5, 1_001] {
        let mut wrong = setup();
        wrong.units[0].health = health;
        assert_eq!(error(&wrong), format!("unit 1 has a health of {health}; expected 1 to 1000"));
    }
    let mut wrong = setup();
    wrong.owners = [Some(Team::Blue); 5];
    assert_eq!(error(&wrong), "blue controls every point; expected a match that is not over");
}

#[test]
fn a_capture_may_go_on_from_the_first_millisecond() {
    let mut setup = Setup::start(Rules::default(), map(&[]), &teams(1));
    let unit = Unit::new(UnitId(2), Team::Red, UnitClass::Pyro, at(0, 0), Direction::East, 1_000);
    setup.units.push(unit);
    let game = watch(World::from_setup(&setup).unwrap());
    assert_eq!(game.lines.last().unwrap().1, "capture 2 red 5000");
}

#[test]
fn the_defaults_are_the_numbers_of_the_handout() {
    let rules = serde_json::to_value(Rules::default()).unwrap();
    let expected = serde_json::json!({
        "cPOINT_CAPTURE_RADIUS": 1, "cPOINT_CAPTURE_TIME": 5000, "cTIME_LIMIT": 300_000, "cUNITS_PER_TEAM": 5,
        "cMOVE_DELAY_SCALE": 20, "cTURN_DELAY_SCALE": 5,
        "cSPEED_MEDIC": 19, "cSPEED_PYRO": 17, "cSPEED_SOLDIER": 20,
        "cHEALTH_MEDIC": 1000, "cHEALTH_PYRO": 1000, "cHEALTH_SOLDIER": 1000,
        "cRESPAWN_TIME": 10_000, "cLOW_RANGE_BONUS": -1, "cHIGH_RANGE_BONUS": 1,
        "cMEDIGUN_DELAY": 400, "cMEDIGUN_COOLDOWN": 0, "cMEDIGUN_DAMAGE": -125, "cMEDIGUN_RANGE": 3,
        "cPISTOL_DELAY": 400, "cPISTOL_COOLDOWN": 0, "cPISTOL_DAMAGE": 50, "cPISTOL_RANGE": 5,
        "cTHROWER_DELAY": 400, "cTHROWER_COOLDOWN": 0, "cTHROWER_DAMAGE": 125, "cTHROWER_RANGE": 3,
        "cAXE_DELAY": 400, "cAXE_COOLDOWN": 0, "cAXE_DAMAGE": 250,
        "cRIFLE_DELAY": 400, "cRIFLE_COOLDOWN": 0, "cRIFLE_DAMAGE": 100, "cRIFLE_RANGE": 7,
        "cROCKET_DELAY": 400, "cROCKET_COOLDOWN": 10_000, "cROCKET_DAMAGE": 200, "cROCKET_RANGE": 8,
        "cROCKET_BURST_DAMAGE": 200, "cROCKET_BURST_RADIUS": 1, "cTALKS_PER_SECOND": 5
    });
    assert_eq!(rules, expected);
    let back: Rules = serde_json::from_value(serde_json::json!({ "cTIME_LIMIT": 1_000 })).unwrap();
    assert_eq!(back, Rules { time_limit: 1_000, ..Rules::default() });
    let error =
        serde_json::from_value::<Rules>(serde_json::json!({ "cTIMELIMIT": 1 })).unwrap_err().to_string();
    assert!(error.starts_with("unknown field `cTIMELIMIT`"), "{error}");
}
