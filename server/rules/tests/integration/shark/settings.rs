//! Settings in a file, and invalid setups.

use grandstand_protocol::shark::{Map, Team};
use grandstand_rules::Pid;
use grandstand_rules::shark::{Bot, Rules, RulesError, Setup, SetupError, World, maps};

use super::game::{place, rules};

#[test]
fn the_defaults_are_the_handouts() {
    let rules = Rules::default();
    assert_eq!((rules.game_length, rules.winning_score), (10_000_000, 10));
    assert_eq!((rules.health, rules.melee_damage, rules.laser_damage), (3, 2, 1));
    assert_eq!((rules.spawn_credits, rules.item_delay), (3, 100_000));
    assert_eq!((rules.at_move, rules.at_face, rules.at_shoot), (5_000, 2_500, 5_000));
    assert_eq!(rules.validate(), Ok(()));
}

#[test]
fn they_are_read_by_the_handouts_names() {
    let read = |json: &str| serde_json::from_str::<Rules>(json);
    let rules = read(r#"{"ITEM_DELAY": 7, "AT_MOVE": 0, "MAP": "forts"}"#).unwrap();
    assert_eq!((rules.item_delay, rules.at_move, rules.at_face), (7, 0, 2_500));
    assert_eq!(Some(rules.map), maps::by_name("forts.map"));
    assert_eq!(read("{}").unwrap(), Rules::default());
    assert!(read(r#"{"ITEM_DEALY": 7}"#).unwrap_err().to_string().contains("unknown field `ITEM_DEALY`"));
    assert!(read(r#"{"HEALTH": 256}"#).is_err());
    let error = read(r#"{"MAP": "atlantis"}"#).unwrap_err().to_string();
    assert!(error.contains("`atlantis` is not a map; expected one of reef,"), "{error}");
    assert!(read(r#"{"MAP": ["...."]}"#).unwrap_err().to_string().contains("row 0 of a map is `....`"));
    assert!(read(r#"{"MAP": 7}"#).unwrap_err().to_string().contains("the name of a map or its sixteen rows"));
}

#[test]
fn what_is_written_is_read_again_the_map_as_its_rows() {
    let rules = Rules { map: maps::by_name("kelp").unwrap(), talk_limit: 0, ..Rules::default() };
    let json = serde_json::to_value(&rules).unwrap();
    assert_eq!(json["MAP"].as_array().map(Vec::len), Some(16));
    assert_eq!(serde_json::from_value::<Rules>(json).unwrap(), rules);
}

#[test]
fn a_setting_out_of_its_range_is_named() {
    let error = |rules: Rules| rules.validate().unwrap_err().to_string();
    assert_eq!(
        error(Rules { item_delay: 0, ..Rules::default() }),
        "ITEM_DELAY is 0; expected a number from 1 to 1000000000"
    );
    assert_eq!(
        error(Rules { health: 0, ..Rules::default() }),
        "HEALTH is 0; expected a number from 1 to 255"
    );
    assert_eq!(
        error(Rules { at_talk: 1_000_001, ..Rules::default() }),
        "AT_TALK is 1000001; expected a number from 0 to 1000000"
    );
    let empty = Map::new(|_| grandstand_protocol::shark::Ground::Empty);
    let error = error(Rules { map: empty, ..Rules::default() });
    assert!(
        error.starts_with("MAP: line 16, column 32: no spawn point of red; expected at least one `r`\n"),
        "{error}"
    );
}

#[test]
fn what_is_no_moment_of_a_match_is_refused() {
    let bot = |pid, x, y| {
        let (team, heading) = (Team::Red, grandstand_protocol::shark::Heading::Up);
        Bot { pid: Pid(pid), team, place: place(x, y), heading, health: 3, flag: false, ready: 1 }
    };
    let setup = |bots: &[Bot]| Setup {
        rules: rules(),
        seed: 1,
        step: 1,
        score: [0; 2],
        credits: [0; 2],
        bots: bots.to_vec(),
        powerups: vec![],
    };
    let error = |setup: &Setup| World::from_setup(setup).unwrap_err();
    let good = setup(&[bot(1, 0, 0), bot(2, 1, 0)]);
    assert!(World::from_setup(&good).is_ok());
    assert_eq!(error(&setup(&[bot(1, 0, 0), bot(1, 1, 0)])), SetupError::SamePid(Pid(1)));
    assert_eq!(error(&setup(&[bot(1, 0, 0), bot(2, 0, 0)])), SetupError::Taken(Pid(2), place(0, 0)));
    let stand = World::from_setup(&good).unwrap().flag(Team::Red);
    assert_eq!(error(&setup(&[bot(1, stand.x(), stand.y())])), SetupError::Taken(Pid(1), stand));
    let carriers = [1, 2].map(|pid| Bot { flag: true, ..bot(pid, pid as u8, 0) });
    assert_eq!(error(&setup(&carriers)), SetupError::SameFlag(Team::Blue));
    assert_eq!(error(&setup(&[Bot { health: 0, ..bot(1, 0, 0) }])), SetupError::NoHealth(Pid(1)));
    for step in [0, 10_000_001] {
        assert_eq!(error(&Setup { step, ..good.clone() }), SetupError::Step(step));
    }
    assert_eq!(
        error(&Setup { powerups: vec![place(5, 0)], ..good.clone() }),
        SetupError::Powerup(place(5, 0))
    );
    let drop = World::from_setup(&good).unwrap().field().drops()[0];
    assert_eq!(error(&Setup { powerups: vec![drop; 2], ..good.clone() }), SetupError::Powerup(drop));
    let wrong = Rules { winning_score: 0, ..rules() };
    assert!(matches!(error(&Setup { rules: wrong, ..good }), SetupError::Rules(RulesError::OutOfRange(_))));
}
