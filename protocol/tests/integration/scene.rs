//! A scene is what the commands so far have drawn.

use std::collections::BTreeSet;

use grandstand_protocol::abalone::{Facing, Hex, Piece, Team};
use grandstand_protocol::{Command, Game, Micros, Scene};

pub(super) fn draw(game: Game, lines: &str) -> Scene {
    let mut scene = Scene::new(game);
    for (line, seq) in lines.lines().zip(1..) {
        scene.apply(seq, Micros(seq * 500_000), &Command::parse(game, line.as_bytes()));
    }
    scene
}

pub(super) fn json(scene: &Scene) -> String {
    serde_json::to_string(scene).expect("a scene is written")
}

#[test]
fn the_board_has_61_hexes_in_rows_of_5_to_9() {
    assert_eq!(Hex::all().len(), 61);
    let lengths: Vec<usize> = (-4..=4).map(|row| Hex::all().filter(|hex| hex.row() == row).count()).collect();
    assert_eq!(lengths, [5, 6, 7, 8, 9, 8, 7, 6, 5]);
    for row in i8::MIN..=i8::MAX {
        for diagonal in i8::MIN..=i8::MAX {
            let (r, d) = (i32::from(row), i32::from(diagonal));
            let on_board = r.abs() <= 4 && d.abs() <= 4 && (r - d).abs() <= 4;
            let hex = Hex::from_rd(row, diagonal);
            assert_eq!(hex.is_some(), on_board, "({row}, {diagonal})");
            if let Some(hex) = hex {
                assert_eq!((hex.row(), hex.diagonal()), (row, diagonal));
                assert_eq!(Hex::all().nth(hex.index()), Some(hex));
                assert_eq!(hex.to_string().parse::<Hex>(), Ok(hex));
                assert_eq!(hex.name().parse::<Hex>(), Ok(hex));
                assert_eq!(hex.name(), hex.to_string().replace('~', "-"));
            }
        }
    }
}

#[test]
fn the_pieces_of_figure_1_stand_where_the_handout_says() {
    for (name, row, diagonal) in [("G0", 2, 0), ("C-3", -2, -3), ("H~4", 3, -4), ("H4", 3, 4)] {
        assert_eq!(name.parse::<Hex>().ok(), Hex::from_rd(row, diagonal), "{name}");
    }
    // The handout explains its letters with A2; row A ends at A0.
    let error = "A2".parse::<Hex>().expect_err("A2 is off the board");
    assert_eq!(error.to_string(), "`A2` is not a hex: expected a diagonal from ~4 to 0 on row A");
}

#[test]
fn six_directions_lead_to_the_neighbours_and_back() {
    let centre = Hex::from_rd(0, 0).expect("the centre");
    let around: BTreeSet<Hex> = Facing::DIRECTIONS.iter().filter_map(|&way| centre.neighbour(way)).collect();
    assert_eq!(around.len(), 6);
    assert_eq!(centre.neighbour(Facing::UpLeft), Hex::from_rd(1, 0));
    assert_eq!(centre.neighbour(Facing::DownRight), Hex::from_rd(-1, 0));
    assert_eq!(centre.neighbour(Facing::Right), Hex::from_rd(0, 1));
    assert_eq!(centre.neighbour(Facing::Left), Hex::from_rd(0, -1));
    assert_eq!(centre.neighbour(Facing::UpRight), Hex::from_rd(1, 1));
    assert_eq!(centre.neighbour(Facing::DownLeft), Hex::from_rd(-1, -1));
    assert_eq!(centre.neighbour(Facing::None), None);
    for hex in Hex::all() {
        for way in Facing::DIRECTIONS {
            if let Some(next) = hex.neighbour(way) {
                assert_eq!(next.neighbour(way.opposite()), Some(hex));
            }
        }
    }
    let corner: Hex = "A-4".parse().expect("a corner");
    assert_eq!(Facing::DIRECTIONS.iter().filter_map(|&way| corner.neighbour(way)).count(), 3);
    for (facing, number) in Facing::ALL.into_iter().zip(0..) {
        assert_eq!((facing.number(), Facing::from_number(number)), (number, Some(facing)));
    }
    assert_eq!(Facing::from_number(7), None);
}

#[test]
fn a_scene_is_empty_before_the_first_command() {
    assert_eq!(
        json(&Scene::new(Game::Abalone)),
        r#"{"game":"abalone","hexes":{},"score":{"black":0,"white":0},"turns":0,"talk":[]}"#
    );
}

#[test]
fn commands_draw_and_an_unknown_line_does_not() {
    let lines = "set B~2 w4\nset C0 b1\nset C0 e\nset C0 b2\nwscore 3\nturns 12\nbsay hi\ndraw C0\nset C0 x";
    let scene = draw(Game::Abalone, lines);
    assert_eq!(
        json(&scene),
        concat!(
            r#"{"game":"abalone","hexes":{"B-2":{"team":"white","facing":"left"},"C0":{"team":"black","facing":"up-right"}},"#,
            r#""score":{"black":0,"white":3},"turns":12,"talk":[{"seq":7,"t":3.5,"team":"black","text":"hi"}]}"#
        )
    );
    let Scene::Abalone(scene) = scene else { panic!("another game") };
    let b2: Hex = "B~2".parse().expect("a hex");
    assert_eq!(scene.get(b2), Some(Piece { team: Team::White, facing: Facing::Left }));
    assert_eq!(scene.pieces().count(), 2);
    assert_eq!((scene.score(Team::Black), scene.score(Team::White), scene.turns()), (0, 3, 12));
}

#[test]
fn a_command_of_another_game_draws_nothing() {
    let mut scene = Scene::new(Game::Abalone);
    scene.apply(1, Micros(0), &Command::parse(Game::Grid, b"cell 0,0 x"));
    assert_eq!(scene, Scene::new(Game::Abalone));
}

#[test]
fn the_last_200_lines_of_talk_are_kept_and_long_ones_cut() {
    let mut lines: String = (1..=250).map(|n| format!("bsay {n}\n")).collect();
    lines.push_str(&format!("wsay {}", "é".repeat(300)));
    let Scene::Abalone(scene) = draw(Game::Abalone, &lines) else { panic!("another game") };
    assert_eq!(scene.talk().len(), 200);
    let texts: Vec<&str> = scene.talk().iter().map(|line| &*line.text).collect();
    assert_eq!((texts[0], texts[198]), ("52", "250"));
    assert_eq!(texts[199], "é".repeat(200));
}

#[test]
fn a_clone_does_not_follow() {
    let mut scene = draw(Game::Abalone, "bsay one\nset A0 w1");
    let keyframe = scene.clone();
    scene.apply(3, Micros(3), &Command::parse(Game::Abalone, b"bsay two"));
    scene.apply(4, Micros(4), &Command::parse(Game::Abalone, b"set A0 e"));
    assert_eq!(keyframe, draw(Game::Abalone, "bsay one\nset A0 w1"));
    assert_ne!(keyframe, scene);
}

#[test]
fn a_new_overlay_replaces_its_authors_old_one() {
    let dot = |team: &str, by: &str, at: &str| {
        format!(r#"#gs overlay {{"team":"{team}","by":"{by}","marks":[{{"mark":"dot","at":"{at}"}}]}}"#)
            + "\n"
    };
    let lines = dot("black", "1", "A0")
        + &dot("black", "2", "B0")
        + &dot("white", "1", "C0")
        + &dot("black", "1", "D0");
    let scene = draw(Game::Abalone, &lines);
    let by: Vec<String> =
        scene.overlays().iter().map(|o| format!("{} {} {:?}", o.team, o.by, o.marks().len())).collect();
    assert_eq!(by, ["black 2 1", "white 1 1", "black 1 1"]);
    assert!(
        json(&scene).contains(r#""overlays":[{"team":"black","by":"2","marks":[{"mark":"dot","at":"B0"}]}"#)
    );

    let cleared = [("black", "1"), ("black", "2"), ("white", "1")]
        .map(|(team, by)| format!(r#"#gs overlay {{"team":"{team}","by":"{by}","marks":[]}}"#));
    let scene = draw(Game::Abalone, &(lines + &cleared.join("\n")));
    assert!(scene.overlays().is_empty());
    assert!(!json(&scene).contains("overlays"), "the member is left out when there are none");
}

#[test]
fn overlays_are_limited_in_number_and_size() {
    let dot =
        |by: usize| format!(r#"#gs overlay {{"by":"{by}","marks":[{{"mark":"dot","at":"A0"}}]}}"#) + "\n";
    let scene = draw(Game::Abalone, &(0..40).map(dot).collect::<String>());
    assert_eq!(scene.overlays().iter().len(), 32);
    assert_eq!(scene.overlays().iter().next().map(|overlay| &*overlay.by), Some("8"));

    let marks = |count| vec![r#"{"mark":"dot","at":"A0"}"#; count].join(",");
    let line = |count| format!(r#"#gs overlay {{"marks":[{}]}}"#, marks(count));
    assert!(matches!(Command::parse(Game::Abalone, line(64).as_bytes()), Command::Overlay(_)));
    let Command::Unknown(unknown) = Command::parse(Game::Abalone, line(65).as_bytes()) else {
        panic!("65 marks are too many")
    };
    assert!(
        unknown.problem().to_string().contains("at most 64 marks, this one has 65"),
        "{}",
        unknown.problem()
    );
}
