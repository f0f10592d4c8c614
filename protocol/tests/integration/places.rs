//! Places that a command touches.

use grandstand_protocol::{Command, Game, Micros, Place, Scene};

fn places(game: Game, line: &str) -> Vec<String> {
    let command = Command::parse(game, line.as_bytes());
    assert!(!matches!(command, Command::Unknown(_)), "{line} is not understood");
    let places: Vec<Place> = command.places(game).collect();
    let names: Vec<String> = places.iter().map(Place::to_string).collect();
    for (place, name) in places.iter().zip(&names) {
        assert!(Place::parse(game, name).is_some(), "{name} of {line}");
        assert_eq!(Place::parse(game, name), Some(*place), "{line}");
    }
    names
}

#[test]
fn a_command_names_its_places_as_overlays_do() {
    for (game, line, names) in [
        (Game::Abalone, "set B~2 w4", &["B-2"][..]),
        (Game::Abalone, "bsay B-2", &[]),
        (Game::Abalone, "turns 3", &[]),
        (Game::Shark, "draw RED_LEFT 3 4", &["3,4"]),
        (Game::Shark, "erase 31 15", &["31,15"]),
        (Game::Shark, "shot 1 2 9 2", &["1,2", "9,2"]),
        (Game::Fortress, "elevation ~25 12 high", &["-25,12"]),
        (Game::Fortress, "spawn 1 red 0 ~3 north 60 soldier", &["0,-3"]),
        (Game::Fortress, "remove 1", &[]),
        (Game::Gomoku, "move black h8", &["h8"]),
        (Game::Pente, "set aa30 e", &["aa30"]),
        (Game::Gomoku, "five a1 e5", &["a1", "e5"]),
        (Game::Gomoku, "forbid c3 d4 e5", &["c3", "d4", "e5"]),
        (Game::Gomoku, "thought black 5 3 100 h8 h9", &["h8", "h9"]),
        (Game::Riskless, "move maxie 3 17", &["3", "17"]),
        (Game::Riskless, "set 255 empty", &["255"]),
        (Game::Riskless, "road 1 2", &["1", "2"]),
        (Game::Riskless, "battle 5 4 2", &["5"]),
        (Game::Riskless, "thought maxie 5 3 100 1-2 2-3", &["1", "2", "2", "3"]),
        (Game::Grid, "cell 63,0 x", &["63,0"]),
        (Game::Grid, "cell 3,4", &["3,4"]),
        (
            Game::Grid,
            r#"#gs overlay {"marks":[{"mark":"arrow","from":"1,1","to":"2,2"},{"mark":"dot","at":"3,3"}]}"#,
            &["1,1", "2,2", "3,3"],
        ),
        (Game::Abalone, r#"#gs marker {"label":"B-2"}"#, &[]),
    ] {
        assert_eq!(places(game, line), names, "{line}");
    }
}

#[test]
fn what_draws_the_whole_board_names_no_place_of_it() {
    let map = format!("map {}", vec!["................................"; 16].join(" "));
    for (game, line) in [
        (Game::Shark, &*map),
        (Game::Fortress, "init"),
        (Game::Gomoku, "board 15"),
        (Game::Riskless, "map 10 60 World"),
        (Game::Grid, "clear"),
        (Game::Grid, "size 3 4"),
    ] {
        assert!(Command::parse(game, line.as_bytes()).is_of_whole_board(), "{line}");
        assert_eq!(places(game, line), [""; 0], "{line}");
    }
    assert!(!Command::parse(Game::Abalone, b"set E0 b1").is_of_whole_board());
}

#[test]
fn a_unit_named_by_number_is_found_where_it_stands() {
    let mut scene = Scene::new(Game::Fortress);
    let mut touched = Vec::new();
    for (seq, line) in (1..).zip([
        "spawn 4 red 1 1 north 60 soldier",
        "spawn 5 blue 9 9 south 60 medic",
        "point 2 0 0 none",
        "update 4 1 2 north 60",
        "update 4 1 2 east 55",
        "hit 5 4 10",
        "axe 5 south",
        "control 2 red",
        "capture 2 blue 900",
        "point 2 3 3 red",
        "remove 4",
        "remove 4",
    ]) {
        let command = Command::parse(Game::Fortress, line.as_bytes());
        assert!(!matches!(command, Command::Unknown(_)), "{line} is not understood");
        let names: Vec<String> = scene.places(&command).map(|place| place.to_string()).collect();
        touched.push((names.join(" "), scene.movement(&command).is_some()));
        scene.apply(seq, Micros(0), &command);
    }
    let touched: Vec<(&str, bool)> = touched.iter().map(|(names, way)| (&**names, *way)).collect();
    assert_eq!(
        touched,
        [
            ("1,1", false),
            ("9,9", false),
            ("0,0", false),
            ("1,1 1,2", true),
            ("1,2", false),
            ("9,9 1,2", false),
            ("9,9", false),
            ("0,0", false),
            ("0,0", false),
            ("0,0 3,3", false),
            ("1,2", false),
            ("", false),
        ]
    );
}

#[test]
fn moves_shots_and_rows_lead_from_a_place_to_a_place() {
    let way = |game: Game, line: &str| {
        let way = Scene::new(game).movement(&Command::parse(game, line.as_bytes()));
        way.map(|ends| ends.map(|place| place.to_string()).join(" > "))
    };
    assert_eq!(way(Game::Riskless, "move maxie 3 17").as_deref(), Some("3 > 17"));
    assert_eq!(way(Game::Shark, "shot 1 2 9 2").as_deref(), Some("1,2 > 9,2"));
    assert_eq!(way(Game::Gomoku, "five a1 e5").as_deref(), Some("a1 > e5"));
    assert_eq!(way(Game::Gomoku, "move black h8"), None);
    assert_eq!(way(Game::Fortress, "update 4 1 2 north 60"), None);
}

#[test]
fn a_line_is_of_the_team_that_it_speaks_of() {
    for (game, line, team) in [
        (Game::Abalone, "set B~2 w4", Some("white")),
        (Game::Abalone, "set B~2 e", None),
        (Game::Abalone, "bsay Hello", Some("black")),
        (Game::Shark, "draw RED_LEFT 3 4", Some("red")),
        (Game::Shark, "draw WALL 3 4", None),
        (Game::Fortress, "capture 2 blue 900", Some("blue")),
        (Game::Gomoku, "move black h8", Some("black")),
        (Game::Gomoku, "clock white 900 running", Some("white")),
        (Game::Riskless, "set 3 minnie 4", Some("minnie")),
        (Game::Riskless, "win draw", None),
        (Game::Grid, "score ants 3", Some("ants")),
        (Game::Grid, r#"#gs overlay {"team":"ants","marks":[]}"#, Some("ants")),
        (Game::Grid, "scores ants 3", None),
    ] {
        assert_eq!(Command::parse(game, line.as_bytes()).team(), team, "{line}");
    }
    let mut scene = Scene::new(Game::Fortress);
    let spawn = Command::parse(Game::Fortress, b"spawn 4 red 1 1 north 60 soldier");
    scene.apply(1, Micros(0), &spawn);
    let removal = Command::parse(Game::Fortress, b"remove 4");
    assert_eq!((removal.team(), scene.team_of(&removal)), (None, Some("red")));
}
