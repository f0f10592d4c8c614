//! Settings by their names, and settings that are refused.

use grandstand_protocol::Game;
use grandstand_rules::stones::{Opening, Position, Rule, Rules};
use grandstand_rules::turn::{Position as _, Side};
use serde_json::json;

use super::common::points;

fn read(value: serde_json::Value) -> Result<Rules, String> {
    serde_json::from_value(value).map_err(|error| error.to_string())
}

fn refusal(rules: &Rules) -> String {
    Position::new(rules).unwrap_err().to_string()
}

#[test]
fn what_is_left_out_has_its_default() {
    assert_eq!(read(json!({})).unwrap(), Rules::gomoku());
    assert_eq!(read(json!({"RULE": "pente"})).unwrap(), Rules::pente());
    assert_eq!((Rules::gomoku().size, Rules::pente().size), (15, 19));
    let rules =
        read(json!({"SIZE": 9, "RULE": "exactly5", "OPENING": "balanced", "START": "e5 f6 d4"})).unwrap();
    assert_eq!((rules.size, rules.rule, rules.opening), (9, Rule::Exactly5, Opening::Balanced));
    assert_eq!(rules.start, points("e5 f6 d4"));
    assert_eq!(read(serde_json::to_value(&rules).unwrap()).unwrap(), rules);
    for rule in Rule::ALL {
        assert_eq!(read(json!({"RULE": rule.name()})).unwrap().rule, rule);
        assert_eq!(rule.game(), if rule == Rule::Pente { Game::Pente } else { Game::Gomoku });
    }
}

#[test]
fn unknown_names_and_values_are_refused() {
    assert!(read(json!({"SIZES": 9})).unwrap_err().contains("unknown field `SIZES`"));
    assert!(read(json!({"RULE": "caro"})).unwrap_err().contains("unknown variant `caro`"));
    assert!(read(json!({"SIZE": -3})).unwrap_err().contains("-3"));
    assert!(read(json!({"START": "h8 8h"})).unwrap_err().contains("`8h` is not a point"));
}

#[test]
fn sizes_are_odd_and_from_5_to_999() {
    for size in [0, 1, 3, 4, 6, 14, 998, 1000, 1001, u32::MAX] {
        let expected = format!("SIZE is {size}; expected an odd number from 5 to 999");
        assert_eq!(refusal(&Rules { size, ..Rules::default() }), expected);
    }
    for size in [5, 7, 15, 19, 21, 999] {
        assert_eq!(Position::new(&Rules { size, ..Rules::default() }).unwrap().size().get(), size as u16);
    }
}

#[test]
fn a_start_is_played_before_the_players_begin() {
    let start = |start: &str, rules: Rules| Rules { start: points(start), ..rules };
    let balanced = Rules { opening: Opening::Balanced, ..Rules::default() };
    let position = Position::new(&start("h8 i9 g7", balanced.clone())).unwrap();
    assert_eq!((position.ply(), position.to_move()), (3, Side::Second));
    assert_eq!(
        refusal(&balanced),
        "OPENING is balanced and START has no stones; expected those of one of the openings"
    );
    let swap2 = Rules { opening: Opening::Swap2, ..Rules::default() };
    assert!(Position::new(&swap2).is_ok());
    assert_eq!(refusal(&start("h8", swap2)), "OPENING is swap2 and START has stones; the players place them");
    // The stones of a start obey the rules.
    assert_eq!(
        refusal(&start("h9", Rules::default())),
        "stone 1 of START: h9 is not the centre; black's first stone goes to h8"
    );
    assert_eq!(refusal(&start("h8 i9 h8", balanced.clone())), "stone 3 of START: h8 has a black stone");
    assert_eq!(
        refusal(&start("a1 z1", balanced.clone())),
        "stone 2 of START: z1 is off the board, which has 15 columns and rows"
    );
    let won = "a1 a9 b1 b9 c1 c9 d1 d9 e1";
    assert_eq!(
        refusal(&start(won, balanced.clone())),
        "START has stones after the end of the game: stone 9, e1"
    );
    assert_eq!(
        refusal(&start(&format!("{won} o15"), balanced)),
        "START has stones after the end of the game: stone 10, o15"
    );
}
