//! Rulings: they count, and are reported with their reasons.

use super::{Cup, league};

#[test]
fn rulings_change_the_table_and_are_told() {
    let cup = Cup::new(&league(2));
    cup.told(&["run", "cup.toml"]);
    let before = cup.told(&["standings", "cup.db"]);
    assert_eq!(cup.told(&["annul", "cup.db", "0", "--reason", "the lamp fell over"]), annulled(&cup));
    let told = cup.told(&["standings", "cup.db"]);
    assert!(told != before && told.contains("ruling on game 0: the lamp fell over"), "{told}");
    let game = cup.told(&["games", "cup.db"]);
    assert!(game.lines().nth(1).unwrap().contains("annulled"), "{game}");
    cup.told(&["award", "cup.db", "0", "draw", "--reason", "both agreed"]);
    assert!(cup.told(&["games", "cup.db"]).lines().nth(1).unwrap().contains("½-½"));
    let (status, _, err) = cup.run(&["award", "cup.db", "0", "nobody", "--reason", "x"]);
    assert_eq!(status, 2);
    assert!(err.contains("no player is called \"nobody\"; there are random, stupid"), "{err}");
    let (_, _, err) = cup.run(&["annul", "cup.db", "99", "--reason", "x"]);
    assert!(err.contains("no game with the number 99"), "{err}");
}

fn annulled(cup: &Cup) -> String {
    let json = cup.told(&["games", "cup.db", "--json"]);
    let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    let name = |side: usize| first["players"][side].as_str().unwrap().to_owned();
    format!("game 0, {} – {}, does not count: the lamp fell over\n", name(0), name(1))
}
