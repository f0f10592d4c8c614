//! Map files: constraints and warnings.

use grandstand_rules::map::MAP_MAX_BYTES;
use grandstand_rules::riskless::{Map, maps};
use grandstand_rules::turn::Side;

/// A good map of four territories in a ring.
const GOOD: &str = r#"title = "Ring"
cap = 5
goal = 13
draw_plies = 50
territories = [
    { name = "A", x = 100, y = 100, maxie = 2 },
    { name = "B", x = 900, y = 100 },
    { name = "C", x = 900, y = 900, minnie = 3 },
    { name = "D", x = 100, y = 900 },
]
roads = [
    ["A", "B"],
    ["B", "C"],
    ["C", "D"],
    ["D", "A"],
]
"#;

/// The good map with one change.
fn changed(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    GOOD.replacen(from, to, 1)
}

fn faults(text: &str) -> String {
    Map::parse(text.as_bytes()).unwrap_err().to_string()
}

fn warnings(text: &str) -> String {
    Map::parse(text.as_bytes()).unwrap().warnings(text.as_bytes()).to_string()
}

#[test]
fn the_shipped_maps_are_good_and_nothing_is_odd_about_them() {
    for (name, text) in maps::SHIPPED {
        let map = Map::parse(text.as_bytes()).unwrap_or_else(|faults| panic!("{name}: {faults}"));
        assert_eq!(map.warnings(text.as_bytes()).to_string(), "", "{name}");
        assert_eq!(Map::parse(map.to_string().as_bytes()).unwrap(), map);
        assert_eq!(maps::by_name(&format!("{name}.toml")), Some(map));
    }
    assert_eq!(maps::by_name("mars"), None);
    let earth = maps::by_name("earth").unwrap();
    assert_eq!(
        (earth.territories().len(), earth.cap(), earth.goal(), earth.draw_plies()),
        (42, 20, 440, 400)
    );
}

#[test]
fn a_map_is_what_its_file_says() {
    let map = Map::parse(GOOD.as_bytes()).unwrap();
    assert_eq!((map.title(), map.cap(), map.goal(), map.draw_plies()), ("Ring", 5, 13, 50));
    assert_eq!(map.neighbours(0), [1, 3]);
    assert_eq!(map.roads(), [(0, 1), (1, 2), (2, 3), (3, 0)]);
    assert_eq!(map.territories()[2].start, Some((Side::Second, 3)));
    assert_eq!((map.territories()[1].x, map.territories()[1].y, map.name(1)), (900, 100, "B"));
    assert_eq!(warnings(GOOD), "");
}

#[test]
fn everything_wrong_is_told_with_its_place() {
    for (from, to, expected) in [
        (r#"["D", "A"]"#, r#"["D", "D"]"#, "line 15, column 5: this road leads from `D` to itself"),
        (
            r#"["D", "A"]"#,
            r#"["B", "A"]"#,
            "line 15, column 5: a second road between `B` and `A`, after the one in line 12; roads lead both ways",
        ),
        (r#"["D", "A"]"#, r#"["D", "Mars"]"#, "line 15, column 11: there is no territory `Mars`"),
        (r#"name = "D""#, r#"name = "a""#, "line 9, column 14: `a` is there twice: it is territory 0 too"),
        (r#"name = "D""#, r#"name = """#, "line 9, column 14: a territory has no name"),
        (r#"name = "D""#, r#"name = "7""#, "line 9, column 14: `7` can't be a name: it reads as a number"),
        (
            r#"title = "Ring""#,
            r#"title = "Ring\n""#,
            "line 1, column 9: the name of the map begins or ends with a blank, or has a control character in it",
        ),
        (
            "x = 100, y = 900",
            "x = 1001, y = 900",
            "line 9, column 23: x, in thousandths of the map's width, is 1001; expected a number from 0 to 1000",
        ),
        (
            "x = 100, y = 900",
            "x = 100, y = -1",
            "line 9, column 32: y, in thousandths of the map's height, is -1; expected a number from 0 to 1000",
        ),
        ("cap = 5", "cap = 0", "line 2, column 7: cap is 0; expected a number from 1 to 100"),
        ("goal = 13", "goal = 0", "line 3, column 8: goal is 0; expected a number from 1 to 6400"),
        ("goal = 13", "goal = 3", "line 3, column 8: a goal of 3 is reached before the first move"),
        (
            "draw_plies = 50",
            "draw_plies = 10001",
            "line 4, column 14: draw_plies is 10001; expected a number from 1 to 10000",
        ),
        (
            "maxie = 2",
            "maxie = 6",
            "line 6, column 45: maxie, the armies on `A` (cap 5), is 6; expected a number from 1 to 5",
        ),
        (
            "maxie = 2",
            "maxie = 0",
            "line 6, column 45: maxie, the armies on `A` (cap 5), is 0; expected a number from 1 to 5",
        ),
        (
            "maxie = 2",
            "maxie = 3",
            "line 5, column 15: Maxie starts with 3 armies and Minnie with 3; expected one more for Minnie",
        ),
        ("minnie = 3", "minnie = 3, maxie = 2", "line 8, column 46: `C` can't be both Maxie's and Minnie's"),
        (", minnie = 3", "", "line 5, column 15: Minnie has no territory to start from"),
        ("x = 100,", "", "line 6, column 5: missing field `x`"),
        ("cap = 5", "cap = 5\ncap = 6", "line 3, column 1: duplicate key"),
        ("cap = 5", "cap = \"5\"", "line 2, column 7: invalid type: string \"5\", expected i64"),
    ] {
        let told = faults(&changed(from, to));
        assert!(told.starts_with(expected), "{to}\nexpected {expected}\n     got {told}");
    }
}

#[test]
fn a_gap_cuts_off_every_territory_behind_it() {
    let text = changed(r#"    ["B", "C"],"#, "").replace(r#"    ["D", "A"],"#, "");
    assert_eq!(
        faults(&text),
        "line 8, column 14: no roads lead from `A` to `C`\nline 9, column 14: no roads lead from `A` to `D`"
    );
}

#[test]
fn all_faults_are_told_at_once() {
    let text = changed(r#"["D", "A"]"#, r#"["X", "Y"]"#).replace("x = 900, y = 900", "x = 9000, y = 900");
    let faults = Map::parse(text.as_bytes()).unwrap_err();
    assert_eq!(faults.iter().map(|fault| fault.line).collect::<Vec<_>>(), [8, 15, 15]);
}

#[test]
fn what_is_no_text_no_toml_or_too_much_of_it_is_refused() {
    assert_eq!(
        Map::parse(b"title = \"\xff\"").unwrap_err().to_string(),
        "line 1, column 10: this byte is not UTF-8"
    );
    assert!(faults("title = \"x\"\ncap = ").starts_with("line 2, column "));
    assert!(faults("").contains("missing field `title`"));
    assert!(faults(&" ".repeat(MAP_MAX_BYTES + 1)).starts_with("line 1, column 1: the file has more than"));
    assert!(faults(&changed("territories", "provinces")).contains("unknown field `provinces`"));
    assert!(Map::parse("[".repeat(60_000).as_bytes()).is_err());
    let many: String = (0..65).map(|n| format!("{{ name = \"t{n}\", x = {n}, y = 0 }},")).collect();
    let text =
        format!("title = \"x\"\ncap = 1\ngoal = 1\ndraw_plies = 1\nterritories = [{many}]\nroads = []");
    assert_eq!(faults(&text), "line 5, column 15: 65 territories; expected 2 to 64");
}

#[test]
fn goals_that_cannot_work_are_odd() {
    let goal = |goal: u32| warnings(&changed("goal = 13", &format!("goal = {goal}")));
    assert_eq!(
        goal(16),
        "line 3, column 8: a goal of 16 takes 4 full territories of 4: nobody reaches it before the opponent has none, \
         and most matches will last until ply 50"
    );
    assert_eq!(
        goal(10),
        "line 3, column 8: both can pass a goal of 10 at once, which is a draw: 4 territories can hold 20 armies"
    );
    assert!(goal(5).ends_with("Minnie reaches a goal of 5 without taking a territory"));
    assert_eq!(
        warnings(&changed("draw_plies = 50", "draw_plies = 2")),
        "line 4, column 14: nobody can have 13 armies by ply 2: nearly every match is a draw"
    );
    assert_eq!(
        warnings(&changed("x = 900, y = 900", "x = 900, y = 110")),
        "line 8, column 5: `C` is so close to `B` that one hides the other"
    );
    let three = changed(r#""D", x = 100, y = 900"#, r#""D", x = 100, y = 900, minnie = 1"#)
        .replace("minnie = 3", "minnie = 2");
    assert_eq!(warnings(&three), "line 5, column 15: Maxie starts on 1 territories and Minnie on 2");
}
