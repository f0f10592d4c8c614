//! Places on boards of all games: what is drawn at a position is found at it.

use egui::{Pos2, Rect, Vec2, pos2};
use grandstand_protocol::{Command, Game, Micros, Place, Scene};

use super::input_tests::still;
use super::{BoardInput, BoardOptions, view};

/// A board of each game, with places on it, and one that a board of this size doesn't have.
fn boards() -> [(Scene, Vec<&'static str>, Option<&'static str>); 7] {
    let draw = |game: Game, lines: &[&str]| {
        let mut scene = Scene::new(game);
        for (seq, line) in (1..).zip(lines) {
            scene.apply(seq, Micros(0), &Command::parse(game, line.as_bytes()));
        }
        scene
    };
    let world = ["map 10 60 Small", "territory 3 100 100 North", "territory 7 900 900 South", "road 3 7"];
    [
        (draw(Game::Abalone, &[]), vec!["A-4", "E0", "I4", "B-2"], None),
        (draw(Game::Shark, &[]), vec!["0,0", "31,15", "7,9"], None),
        (draw(Game::Fortress, &[]), vec!["-25,12", "25,-12", "0,0", "3,-7"], None),
        (draw(Game::Gomoku, &["board 19"]), vec!["a1", "s19", "k10", "c4"], Some("t20")),
        (draw(Game::Pente, &["board 255"]), vec!["a1", "iu255"], Some("iv1")),
        (draw(Game::Riskless, &world), vec!["3", "7"], Some("4")),
        (draw(Game::Grid, &["size 9 5"]), vec!["0,0", "8,4", "3,2"], Some("9,0")),
    ]
}

#[test]
fn what_is_drawn_somewhere_is_what_is_pointed_at_there() {
    let rects = [(880.0, 600.0), (370.0, 500.0), (1500.0, 900.0), (240.0, 180.0)];
    for (scene, names, absent) in boards() {
        let board = view(&scene).new_painter();
        let parse = |name: &str| Place::parse(scene.game(), name).expect("a place");
        for (width, height) in rects {
            let rect = Rect::from_min_size(pos2(13.0, 27.0), Vec2::new(width, height));
            for (coordinates, pixels) in [(true, 1.0), (false, 1.0), (true, 1.75)] {
                let picture = BoardInput { pixels, ..still(&scene) };
                let options = BoardOptions { coordinates, ..BoardOptions::default() };
                for name in &names {
                    let area = board.area_of(rect, &picture, options, parse(name));
                    let area = area.unwrap_or_else(|| panic!("{name} of {} is drawn", scene.game()));
                    assert!(rect.contains(area.center()), "{name} of {}", scene.game());
                    let at = board.place_at(rect, &picture, options, area.center());
                    assert_eq!(at.map(|place| place.to_string()).as_deref(), Some(*name));
                }
                if let Some(name) = absent {
                    assert_eq!(board.area_of(rect, &picture, options, parse(name)), None, "{name}");
                }
                assert_eq!(board.place_at(rect, &picture, options, Pos2::ZERO), None);
                let other = if scene.game() == Game::Abalone { Place::Territory(1) } else { parse_hex() };
                assert_eq!(board.area_of(rect, &picture, options, other), None);
            }
        }
    }
}

/// A place of another game.
fn parse_hex() -> Place {
    Place::parse(Game::Abalone, "E0").expect("a place")
}
