//! Tests of the wall, through the accessibility tree.

use std::net::TcpStream;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use eframe::egui::accesskit::Role;
use eframe::egui::epaint::ColorMode;
use eframe::egui::{
    Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, Rect, Shape, TouchPhase, Vec2, pos2, vec2,
};
use egui_kittest::kittest::{NodeT, Queryable};
use grandstand_board::theme::Palette;
use grandstand_gui::Target;
use grandstand_testing::{FakeServer, Folder, commands, recording, replay, respond, send, summary, upgrade};

use crate::support::{Window, painted, shows, wait_for, window};

/// Ids and states of the server's matches, which a test may change.
type List = Arc<Mutex<Vec<(&'static str, &'static str)>>>;

/// Server with a list of matches. Each is live until its name is in `end`.
fn server(list: &List, end: &Arc<Mutex<Vec<String>>>) -> String {
    let server = FakeServer::new();
    let url = server.url();
    let (list, end) = (Arc::clone(list), Arc::clone(end));
    let paths = server.run(move |_, path, stream| {
        if path == "/api/matches" {
            let list = list.lock().expect("the list");
            let matches: Vec<String> = list.iter().map(|(id, state)| summary(id, state, id)).collect();
            return respond(stream, "200 OK", &format!("[{}]", matches.join(",")));
        }
        let path = path.to_owned();
        let end = Arc::clone(&end);
        std::thread::spawn(move || live(&path, stream, &end));
    });
    // The receiver of the paths must stay, or the server stops.
    std::mem::forget(paths);
    url
}

fn live(path: &str, stream: TcpStream, end: &Mutex<Vec<String>>) {
    let id = path.split('/').nth(3).unwrap_or_default().to_owned();
    let mut socket = upgrade(stream);
    send(&mut socket, &format!(r#"{{"type":"hello","protocol":1,"match":{}}}"#, summary(&id, "live", &id)));
    if path.contains("since=0") {
        send(&mut socket, &commands(1, 10));
    } else {
        let scene = r#"{"type":"scene","seq":10,"t":1.5,"scene":{"game":"abalone","hexes":{},"score":{"black":4,"white":1},"turns":2,"talk":[]}}"#;
        send(&mut socket, scene);
    }
    let over = || end.lock().expect("the list").contains(&id);
    for _ in 0..4000 {
        if over() {
            let end = r#"{"type":"end","seq":10,"t":9.0,"result":{"winner":"black","termination":"score"}}"#;
            return send(&mut socket, end);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Labels of the tiles, row by row.
fn tiles(app: &Window) -> Vec<String> {
    let mut found: Vec<(f32, f32, String)> =
        app.query_all_by_role(Role::Button)
            .filter_map(|node| {
                let label = node.accesskit_node().label()?;
                let place = node.rect();
                (label.contains(", live") || label.contains("wins") || label.contains("Match over"))
                    .then_some((place.top(), place.left(), label))
            })
            .collect();
    found.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
    found.into_iter().map(|(_, _, label)| label).collect()
}

fn wait_for_tiles(app: &mut Window, wanted: &[&str]) {
    for _ in 0..4000 {
        let tiles = tiles(app);
        if tiles.len() == wanted.len() && tiles.iter().zip(wanted).all(|(tile, part)| tile.contains(part)) {
            return;
        }
        app.step();
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("expected {wanted:?}, found {:?}", tiles(app));
}

#[test]
fn a_wall_shows_live_matches_newest_first() {
    let list: List = Arc::new(Mutex::new(vec![("m2", "live"), ("m1", "live"), ("m0", "finished")]));
    let end = Arc::new(Mutex::new(Vec::new()));
    let url = server(&list, &end);
    let mut app = window(Some(format!("{url}?wall").parse().expect("a wall")), vec2(1280.0, 800.0));
    wait_for_tiles(&mut app, &["m2: Reds 4, Blues 1. Turn 2, live", "m1: Reds 4, Blues 1. Turn 2, live"]);
    assert!(shows(&app, "Wall, 2 boards"));

    list.lock().expect("the list").insert(0, ("m3", "live"));
    app.key_press(Key::R);
    wait_for_tiles(&mut app, &["m3", "m2", "m1"]);

    end.lock().expect("the list").push("m2".to_owned());
    wait_for_tiles(&mut app, &["m3", "m2: Reds 4, Blues 1. Reds wins by score", "m1"]);
}

#[test]
fn a_wall_whose_boards_would_be_too_small_scrolls_and_keys_bring_boards_into_view() {
    for (size, count, columns) in [(vec2(390.0, 844.0), 9, 2), (vec2(800.0, 600.0), 16, 4)] {
        let folder = Folder::new();
        let targets = (0..count).map(|number| {
            let game =
                replay().replace("Final", &format!("Match {number}")).replace("Blues", "search:nodes=900");
            Target::File(folder.file(&format!("m{number}.replay"), &game))
        });
        let mut app = window(Some(Target::Wall(targets.collect())), size);
        wait_for(&mut app, &format!("Match {}: ", count - 1));
        app.run_steps(20);
        let tile =
            |app: &Window, number: usize| app.get_by_label_contains(&format!("Match {number}: ")).rect();
        let view = app.ctx.content_rect();
        let is_first_row = |number: &usize| tile(&app, *number).top() == tile(&app, 0).top();
        assert_eq!((0..count).filter(is_first_row).count(), columns, "{size}");
        let last = count - 1;
        assert!(tile(&app, last).bottom() > view.bottom(), "{size}: {}", tile(&app, last));
        let cut: Vec<_> =
            painted(&app).into_iter().filter(|(text, cut)| *cut || text.starts_with('…')).collect();
        assert!(cut.is_empty(), "{size}: {cut:?}");
        // Arrows lead from board to board.
        app.key_press(Key::ArrowDown);
        app.run_steps(4);
        app.key_press(Key::End);
        app.run_steps(12);
        assert!(view.contains_rect(tile(&app, last)), "{size}: {}", tile(&app, last));
        assert!(tile(&app, 0).bottom() < view.top() + 44.0, "{size}");
        app.key_press(Key::Home);
        app.run_steps(12);
        assert!(view.contains_rect(tile(&app, 0)), "{size}");
        // So does the wheel.
        app.hover_at(view.center());
        app.event(Event::MouseWheel {
            unit: MouseWheelUnit::Point,
            delta: vec2(0.0, -2000.0),
            phase: TouchPhase::Move,
            source: MouseWheelSource::Wheel,
            modifiers: Modifiers::NONE,
        });
        app.run_steps(40);
        assert!(view.contains_rect(tile(&app, last)), "{size}: {}", tile(&app, last));
        // For a room all boards are seen at once.
        app.key_press_modifiers(Modifiers::SHIFT, Key::F);
        app.run_steps(12);
        for number in 0..count {
            assert!(view.expand(1.0).contains_rect(tile(&app, number)), "{size}: {}", tile(&app, number));
        }
    }
}

#[test]
fn a_tile_enlarges_its_board_and_escape_leads_back() {
    let list: List = Arc::new(Mutex::new(vec![("m2", "live"), ("m1", "live")]));
    let url = server(&list, &Arc::default());
    let mut app = window(Some(url.parse().expect("a server")), vec2(1280.0, 800.0));
    wait_for(&mut app, "m2, Live");
    app.key_press(Key::W);
    wait_for_tiles(&mut app, &["m2", "m1"]);

    app.get_by_label_contains("m1: Reds").focus();
    app.step();
    app.key_press(Key::Enter);
    // The whole match is loaded, not only the wall's part.
    wait_for(&mut app, "Line 10 of 10");
    assert!(tiles(&app).is_empty());
    app.key_press(Key::Escape);
    wait_for_tiles(&mut app, &["m2", "m1"]);
    app.key_press(Key::Escape);
    wait_for(&mut app, "Live now");
}

#[test]
fn recordings_on_a_wall_are_pinned_and_taken_off() {
    let folder = Folder::new();
    let files: Vec<Target> = ["a", "b", "c"]
        .iter()
        .map(|name| {
            let text = replay().replace("Final", name);
            Target::File(folder.file(&format!("{name}.replay"), &text))
        })
        .collect();
    let mut app = window(Some(Target::Wall(files)), vec2(1280.0, 800.0));
    for _ in 0..400 {
        app.step();
        std::thread::sleep(Duration::from_millis(2));
    }
    wait_for_tiles(&mut app, &["a: Reds 1, Blues 0. Reds wins by score", "b: Reds 1", "c: Reds 1"]);

    // Nothing joins and leaves: none is pinned, until the viewer pins one, which comes first.
    assert!(!shows(&app, "Unpin"));
    app.query_all_by_label("Pin in front").nth(2).expect("a pin").click();
    app.run_steps(3);
    wait_for_tiles(&mut app, &["c", "a", "b"]);
    assert_eq!(app.query_all_by_label("Unpin").count(), 1);
    app.query_all_by_label("Remove from the wall").nth(1).expect("a button").click();
    app.run_steps(3);
    wait_for_tiles(&mut app, &["c", "b"]);

    // The opened match continues at the tile's moment.
    app.get_by_label_contains("c: Reds").click();
    wait_for(&mut app, "Line 16 of 16");
}

#[test]
fn a_recording_on_the_wall_is_played_again() {
    let folder = Folder::new();
    let file = Target::File(folder.file("a.replay", replay()));
    let mut app = window(Some(Target::Wall(vec![file])), vec2(800.0, 600.0));
    wait_for(&mut app, "Final: Reds 1, Blues 0. Reds wins by score");
    wait_for(&mut app, "Final: Reds 0, Blues 0. Turn 1");
}

#[test]
fn space_pauses_the_recordings_of_a_wall_and_plays_them_on() {
    let folder = Folder::new();
    let file = Target::File(folder.file("a.replay", replay()));
    let mut app = window(Some(Target::Wall(vec![file])), vec2(1280.0, 800.0));
    let begun = "Final: Reds 0, Blues 0. Turn 1";
    let over = "Final: Reds 1, Blues 0. Reds wins by score";
    wait_for(&mut app, over);
    wait_for(&mut app, begun);
    app.key_press(Key::Space);
    app.run_steps(400);
    assert!(shows(&app, begun) && shows(&app, "Pause"), "{app:?}");
    app.key_press(Key::Space);
    wait_for(&mut app, over);
    // At the end too: it does not begin again.
    app.get_by_label("Pause").click();
    app.run_steps(400);
    assert!(shows(&app, over), "{app:?}");
}

#[test]
fn a_tile_is_dragged_to_another_place() {
    let list: List = Arc::new(Mutex::new(vec![("m3", "live"), ("m2", "live"), ("m1", "live")]));
    let url = server(&list, &Arc::default());
    let mut app = window(Some(format!("{url}?wall").parse().expect("a wall")), vec2(1280.0, 800.0));
    wait_for_tiles(&mut app, &["m3", "m2", "m1"]);
    let place = |app: &Window, label: &str| app.get_by_label_contains(label).rect().center();
    let (from, to) = (place(&app, "m1: Reds"), place(&app, "m3: Reds"));
    app.drag_at(from);
    app.step();
    for part in 1..=4 {
        app.hover_at(from + (to - from) * (part as f32 / 4.0));
        app.step();
    }
    app.drop_at(to);
    app.run_steps(3);
    wait_for_tiles(&mut app, &["m1", "m3", "m2"]);
}

#[test]
fn a_tile_with_the_focus_is_moved_by_keys() {
    let list: List = Arc::new(Mutex::new(vec![("m3", "live"), ("m2", "live"), ("m1", "live")]));
    let url = server(&list, &Arc::default());
    let mut app = window(Some(format!("{url}?wall").parse().expect("a wall")), vec2(1280.0, 800.0));
    wait_for_tiles(&mut app, &["m3", "m2", "m1"]);
    app.get_by_label_contains("m1: Reds").focus();
    app.run_steps(2);
    app.key_press(Key::Comma);
    app.run_steps(3);
    assert!(shows(&app, "Place 2 of 3"));
    wait_for_tiles(&mut app, &["m3", "m1", "m2"]);
    // The tile keeps the focus.
    app.key_press(Key::Comma);
    app.run_steps(3);
    wait_for_tiles(&mut app, &["m1", "m3", "m2"]);
    app.key_press(Key::Period);
    app.run_steps(3);
    wait_for_tiles(&mut app, &["m3", "m1", "m2"]);
}

#[test]
fn a_card_says_what_the_tile_does_not_show_at_the_edge_of_the_board() {
    let folder = Folder::new();
    let file =
        |name: &str| Target::File(folder.file(&format!("{name}.replay"), replay().replace("Final", name)));
    let mut app = window(Some(Target::Wall(vec![file("a"), file("b")])), vec2(1280.0, 800.0));
    wait_for(&mut app, "a: Reds 1, Blues 0. Reds wins");
    wait_for(&mut app, "b: Reds 1, Blues 0. Reds wins");
    let piece = app
        .query_all_by_role(Role::Image)
        .find(|node| node.accesskit_node().label().is_some_and(|label| label.starts_with("E4: black")));
    let at = piece.expect("a piece").rect().center();
    let cards = |app: &Window| app.query_all_by_label_contains("Reds 1, Blues 0. Reds wins").count();
    let before = cards(&app);
    app.hover_at(at);
    app.run_steps(60);
    assert_eq!(cards(&app), before, "{app:?}");
    let words = |role| {
        let nodes = app.query_all_by_role(role);
        nodes.filter(|node| format!("{node:?}").contains("E4: black")).count()
    };
    assert!(words(Role::Label) > 0, "{app:?}");
    let board = app.query_all_by_label_contains("Abalone board").map(|node| node.rect());
    let board = board.into_iter().find(|rect| rect.contains(at)).expect("the board");
    let card = app.output().shapes.iter().find_map(|clipped| match &clipped.shape {
        Shape::Text(text) if text.galley.text().contains("E4: black") => Some(text.visual_bounding_rect()),
        _ => None,
    });
    let card = card.expect("the card's text");
    assert!(board.contains_rect(card) && (card.center().y - board.center().y).abs() > board.height() * 0.35);
}

#[test]
fn the_ending_hides_nothing_of_the_board() {
    let folder = Folder::new();
    let lines: Vec<(f64, &str)> = vec![(0.0, "board 15"), (0.1, "move black h8"), (0.2, "move white a1")];
    let file = Target::File(folder.file("g.replay", recording("gomoku", &lines)));
    for size in [vec2(1280.0, 800.0), vec2(800.0, 600.0), vec2(390.0, 844.0)] {
        let mut app = window(Some(Target::Wall(vec![file.clone()])), size);
        wait_for(&mut app, "Final: Reds, Blues. ");
        wait_for(&mut app, "wins by score");
        app.run_steps(3);
        // The words are not on the board.
        let board = app.get_by_label_contains("Gomoku board").rect();
        let words = app.output().shapes.iter().find_map(|clipped| match &clipped.shape {
            Shape::Text(shape) if shape.galley.text().contains("wins by score") => {
                Some(shape.visual_bounding_rect())
            }
            _ => None,
        });
        let words = words.expect("the words");
        assert!(!words.shrink(1.0).intersects(board), "{size}: {board} and {words}");
        let zero = app.output().shapes.iter().any(|clipped| match &clipped.shape {
            Shape::Text(shape) => shape.galley.text() == "0",
            _ => false,
        });
        assert!(!zero, "{size}");
    }
}

#[test]
fn nothing_lies_over_the_cup_of_a_winner() {
    let folder = Folder::new();
    // Names that leave little more than the room of the result.
    let names = (14..17).map(|letters| "m".repeat(letters / 2) + &"i".repeat(letters - letters / 2));
    let sizes = [vec2(800.0, 600.0), vec2(390.0, 844.0)];
    let mut seen = 0;
    for (name, size) in names.flat_map(|name| sizes.map(|size| (name.clone(), size))) {
        let file = Target::File(folder.file("a.replay", replay().replace("Reds", &name)));
        let mut app = window(Some(Target::Wall(vec![file; 16])), size);
        wait_for(&mut app, "wins by score");
        app.run_steps(3);
        let shapes: Vec<&Shape> = app.output().shapes.iter().map(|clipped| &clipped.shape).collect();
        // A bowl, two handles, the stem and the foot, one after the other.
        let points = |shape: &Shape| match shape {
            Shape::Path(path) if !path.closed => path.points.len(),
            Shape::LineSegment { .. } => 2,
            _ => 0,
        };
        let cups = shapes.windows(5).filter(|five| {
            let counts: Vec<usize> = five.iter().map(|shape| points(shape)).collect();
            counts == [6, 4, 4, 2, 2]
        });
        let cups: Vec<Rect> = cups
            .map(|five| {
                five.iter().map(|shape| shape.visual_bounding_rect()).fold(Rect::NOTHING, Rect::union)
            })
            .collect();
        seen += cups.len();
        let texts = shapes.iter().filter_map(|shape| match shape {
            Shape::Text(text) => Some((text.galley.text(), text.visual_bounding_rect())),
            _ => None,
        });
        let over: Vec<_> =
            texts.filter(|(_, text)| cups.iter().any(|cup| cup.shrink(1.0).intersects(*text))).collect();
        assert!(over.is_empty(), "{name} at {size}: {over:?} over {cups:?}");
    }
    assert!(seen > 0);
}

#[test]
fn a_small_board_has_most_of_its_tile() {
    let folder = Folder::new();
    let lines: Vec<(f64, &str)> = vec![(0.0, "board 15"), (0.1, "move black h8"), (9.0, "move white a1")];
    let file = Target::File(folder.file("g.replay", recording("gomoku", &lines)));
    for (size, part) in [(vec2(800.0, 600.0), 0.68), (vec2(1500.0, 700.0), 0.7)] {
        let mut app = window(Some(Target::Wall(vec![file.clone(); 9])), size);
        wait_for(&mut app, "Final: Reds, Blues. ");
        app.run_steps(20);
        let tile = app.query_all_by_label_contains("Final: Reds, Blues. ").next().expect("a tile").rect();
        let board = app.query_all_by_label_contains("Gomoku board").next().expect("a board").rect();
        let (high, wide) = (board.height() / tile.height(), board.width() / tile.width());
        assert!(high > part || wide > 0.95, "{size}: {board} in {tile}");
    }
}

#[test]
fn a_map_in_a_small_tile_says_by_its_land_alone_who_holds_it() {
    let name = "riskless-alphabeta-random.replay";
    let map = Target::File(Path::new(env!("CARGO_MANIFEST_DIR")).join("../replays/samples").join(name));
    for (count, is_named) in [(2, true), (12, false)] {
        let mut app = window(Some(Target::Wall(vec![map.clone(); count])), vec2(800.0, 600.0));
        wait_for(&mut app, "alphabeta:depth=2 ");
        app.run_steps(40);
        let has_names = painted(&app).iter().any(|(text, _)| text == "Peru" || text == "Alaska");
        assert_eq!(has_names, is_named, "{count}");
    }
}

/// The boards of a wall and their places, by the names of the places without what stands on them.
fn boards(app: &Window) -> Vec<(String, Rect)> {
    let nodes = app.root().children_recursive();
    let boards = nodes.filter(|node| matches!(node.accesskit_node().role(), Role::Figure | Role::Image));
    let named = boards.map(|node| {
        let label = node.accesskit_node().label().unwrap_or_default();
        (label.split([':', '.']).next().unwrap_or_default().to_owned(), node.rect())
    });
    named.collect()
}

/// Asserts that boards are where they were. Pieces come and go, places stay.
fn assert_same(before: &[(String, Rect)], app: &Window, when: &str) {
    let now = boards(app);
    let figures = |boards: &[(String, Rect)]| -> Vec<Rect> {
        boards.iter().filter(|(_, rect)| rect.width() > 60.0).map(|(_, rect)| *rect).collect()
    };
    assert_eq!(figures(&now), figures(before), "{when}");
    for (name, rect) in before {
        let same = now.iter().any(|(other, at)| other == name && at == rect);
        let gone = now.iter().all(|(other, _)| other != name);
        assert!(same || gone, "{when}: {name} was at {rect}");
    }
}

#[test]
fn no_board_of_a_wall_moves_or_shrinks_when_matches_end() {
    let folder = Folder::new();
    let stones = |end: f64| -> Target {
        let lines = [(0.0, "board 15"), (0.1, "move black h8"), (end, "move white a1")];
        Target::File(folder.file(&format!("g{end}.replay"), recording("gomoku", &lines)))
    };
    let hexes = Target::File(folder.file("a.replay", replay()));
    let samples = ["fortress-strong-strong.replay.zst", "riskless-alphabeta-random.replay"].map(|name| {
        Target::File(Path::new(env!("CARGO_MANIFEST_DIR")).join("../replays/samples").join(name))
    });
    for size in [vec2(1440.0, 900.0), vec2(800.0, 600.0), vec2(390.0, 844.0)] {
        let files = [stones(2.0), hexes.clone(), stones(3.0)].into_iter().chain(samples.clone()).collect();
        let mut app = window(Some(Target::Wall(files)), size);
        wait_for(&mut app, "Final: Reds 0, Blues 0");
        wait_for(&mut app, "points");
        app.run_steps(20);
        let before = boards(&app);
        assert!(before.len() > 5, "{size}: {before:?}");
        let mut ends = 0;
        for _ in 0..300 {
            app.step();
            assert_same(&before, &app, &format!("{size}"));
            ends = ends.max(app.query_all_by_label_contains("wins by score").count());
        }
        assert!(ends >= 3, "{size}: {ends}");
    }
}

#[test]
fn no_board_of_a_wall_moves_or_shrinks_when_a_live_match_ends() {
    let (list, end): (List, Arc<Mutex<Vec<String>>>) = Default::default();
    *list.lock().expect("the list") = vec![("m1", "live"), ("m2", "live"), ("m3", "live")];
    let url = server(&list, &end);
    for size in [vec2(1280.0, 800.0), vec2(390.0, 844.0)] {
        let target = Target::Wall(vec![url.parse().expect("a server")]);
        end.lock().expect("the list").clear();
        let mut app = window(Some(target), size);
        wait_for_tiles(&mut app, &["m3", "m2", "m1"]);
        app.run_steps(40);
        let before = boards(&app);
        assert!(before.len() >= 3, "{size}: {before:?}");
        end.lock().expect("the list").push("m2".to_owned());
        let began = std::time::Instant::now();
        while !shows(&app, "wins by score") {
            assert!(began.elapsed() < grandstand_testing::PATIENCE, "{app:?}");
            app.step();
            assert_same(&before, &app, &format!("{size}"));
            std::thread::sleep(Duration::from_millis(2));
        }
        for _ in 0..60 {
            app.step();
            assert_same(&before, &app, &format!("{size}, after the end"));
        }
    }
}

#[test]
fn each_tile_names_its_game_at_the_same_place() {
    let folder = Folder::new();
    let stones: &[(f64, &str)] =
        &[(0.0, "board 15"), (0.0, "names black-with-a-name white"), (9.0, "move black h8")];
    let stones = Target::File(folder.file("g.replay", recording("gomoku", stones)));
    let hexes = Target::File(folder.file("a.replay", replay()));
    for (size, count) in [(vec2(1440.0, 900.0), 7), (vec2(1440.0, 900.0), 12), (vec2(1920.0, 1080.0), 7)] {
        let files = (0..count).map(|n| if n % 2 == 0 { stones.clone() } else { hexes.clone() }).collect();
        let mut app = window(Some(Target::Wall(files)), size);
        wait_for(&mut app, "Final: Reds 0, Blues 0");
        app.run_steps(20);
        let tops = app.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
            Shape::Text(text)
                if ["Gomoku", "Abalone"].iter().any(|game| text.galley.text().contains(game)) =>
            {
                Some((text.pos.y * 10.0).round() as i32)
            }
            _ => None,
        });
        let mut tops: Vec<i32> = tops.collect();
        assert_eq!(tops.len(), count, "{size}: {:?}", painted(&app));
        tops.dedup();
        assert!(tops.len() <= 4, "{size}: rows of tiles have their captions at one height: {tops:?}");
    }
}

#[test]
fn without_live_matches_the_wall_says_what_it_waits_for() {
    let list: List = Arc::default();
    let url = server(&list, &Arc::default());
    let mut app = window(Some(format!("{url}?wall").parse().expect("a wall")), Vec2::new(390.0, 844.0));
    wait_for(&mut app, "No match is live");
    list.lock().expect("the list").push(("m1", "live"));
    app.key_press(Key::R);
    wait_for_tiles(&mut app, &["m1"]);
}

/// Height of capital letters of the interface's font, as a part of the font size.
const CAPITALS: f32 = 0.727;

#[test]
fn a_projector_shows_boards_alone() {
    let folder = Folder::new();
    let files: Vec<Target> = (0..16)
        .map(|n| {
            let text = replay().replace("Final", &format!("g{n}"));
            Target::File(folder.file(&format!("{n}.replay"), &text))
        })
        .collect();
    let mut app = window(Some(Target::Wall(files)), vec2(1920.0, 1080.0));
    wait_for(&mut app, "Wall, 16 boards");
    app.key_press_modifiers(Modifiers::SHIFT, Key::F);
    for _ in 0..240 {
        app.step();
    }
    assert!(!shows(&app, "Wall, 16 boards"), "the bar is hidden");
    // Painted texts: names and scores of all boards.
    let sizes = |text: &str| {
        let shapes = app.output().shapes.iter();
        let found = shapes.filter_map(|clipped| match &clipped.shape {
            // The words of a result may have a smaller font.
            Shape::Text(shape)
                if shape.galley.text().contains(text) && !shape.galley.text().contains("wins") =>
            {
                Some(shape.galley.job.sections[0].format.font_id.size)
            }
            _ => None,
        });
        found.collect::<Vec<f32>>()
    };
    for word in ["Reds", "Blues"] {
        let sizes = sizes(word);
        assert!(sizes.len() >= 16, "{word}: {}", sizes.len());
        for size in sizes {
            let size = size * app.ctx.pixels_per_point();
            assert!(size * CAPITALS >= 1080.0 / 40.0 - 0.6, "{word} is {size} high");
        }
    }
    app.hover_at(pos2(700.0, 500.0));
    app.run_steps(2);
    app.run_steps(240);
    assert!(!shows(&app, "Wall, 16 boards"));
    // A small movement suffices.
    app.hover_at(pos2(702.0, 500.0));
    app.run_steps(2);
    assert!(shows(&app, "Wall, 16 boards"));

    // A single board shows its timeline when the mouse moves; Escape goes back.
    app.query_all_by_label_contains("g3: Reds").next().expect("a tile").click();
    app.run_steps(4);
    assert!(shows(&app, "Timeline"));
    app.run_steps(240);
    assert!(!shows(&app, "Timeline"));
    app.key_press(Key::Escape);
    app.run_steps(3);
    assert!(shows(&app, "g4: Reds"));
    app.key_press(Key::Escape);
    app.run_steps(3);
    assert!(shows(&app, "Wall, 16 boards"), "the mode is over, the wall is still there");
}

#[test]
fn the_words_of_a_board_are_whole_and_lie_beside_each_other() {
    let folder = Folder::new();
    let files: Vec<Target> = (0..16)
        .map(|n| {
            // Names of a program against itself, and a longer name.
            let other = if n % 2 == 0 { "team" } else { "stupidbot" };
            let text = replay().replace("Reds", "team").replace("Blues", other);
            Target::File(folder.file(&format!("{n}.replay"), &text))
        })
        .collect();
    for size in [vec2(800.0, 600.0), vec2(1280.0, 800.0), vec2(1920.0, 1080.0)] {
        let mut app = window(Some(Target::Wall(files.clone())), size);
        wait_for(&mut app, "Wall, 16 boards");
        app.run_steps(200);
        for projector in [false, true] {
            if projector {
                app.key_press_modifiers(Modifiers::SHIFT, Key::F);
                app.run_steps(240);
            }
            let shapes = app.output().shapes.iter();
            let words = shapes.filter_map(|clipped| match &clipped.shape {
                Shape::Text(shape) => Some((shape.galley.clone(), shape.visual_bounding_rect().shrink(1.5))),
                _ => None,
            });
            let is_words = |text: &str| {
                let moment = text.contains("Turn ") || text.ends_with("0:03") || text.contains("wins");
                // A name may be in two lines.
                moment || ["team", "Over"].contains(&text) || text.starts_with("stup")
            };
            let words: Vec<_> = words.filter(|(galley, _)| is_words(galley.text())).collect();
            // A small projector has room for badges, scores and clocks; a small window shows three rows of four.
            let least = match projector {
                _ if size.x > 1000.0 => 48,
                true => 16,
                false => 36,
            };
            assert!(words.len() >= least, "{size} {projector}: {} of {:?}", words.len(), painted(&app));
            for (index, (galley, rect)) in words.iter().enumerate() {
                assert!(!galley.elided, "{size} {projector}: {} is cut", galley.text());
                let over = words[..index].iter().find(|(_, other)| other.intersects(*rect));
                let over = over.map(|(other, _)| other.text());
                assert_eq!(over, None, "{size} {projector}: {} lies over it", galley.text());
            }
        }
    }
}

#[test]
fn names_give_way_to_the_buttons_of_a_tile() {
    let folder = Folder::new();
    let file =
        Target::File(folder.file("a.replay", replay().replace("Reds", "alphabeta").replace("Final", "a")));
    for (count, size) in [(2, vec2(1280.0, 800.0)), (6, vec2(390.0, 844.0)), (9, vec2(800.0, 600.0))] {
        let mut app = window(Some(Target::Wall(vec![file.clone(); count])), size);
        wait_for(&mut app, "a: alphabeta 1");
        let button = |app: &Window, name: &str| {
            app.query_all_by_label(name).next().expect("a button").rect().shrink(1.0)
        };
        let first = button(&app, "Remove from the wall");
        app.hover_at(first.center() + vec2(-30.0, 90.0));
        app.run_steps(8);
        for name in ["Remove from the wall", "Pin in front"] {
            let place = button(&app, name);
            let over = app.output().shapes.iter().find_map(|clipped| match &clipped.shape {
                Shape::Text(text) if text.visual_bounding_rect().shrink(1.5).intersects(place) => {
                    Some(text.galley.text().to_owned())
                }
                _ => None,
            });
            assert_eq!(over, None, "{count} at {size}: {name}");
        }
    }
}

#[test]
fn a_long_name_has_lines_of_its_own() {
    let folder = Folder::new();
    let text = replay().replace("Reds", "jamboree-reference").replace("Blues", "StupidbotOf2013");
    let file = Target::File(folder.file("long.replay", &text));
    let mut halved = 0;
    for (count, width) in [(1, 1500.0), (1, 1920.0), (2, 1920.0), (4, 1920.0), (6, 1920.0), (9, 1920.0)] {
        let mut app = window(Some(Target::Wall(vec![file.clone(); count])), vec2(width, 1080.0));
        wait_for(&mut app, "Wall, ");
        app.key_press_modifiers(Modifiers::SHIFT, Key::F);
        app.run_steps(240);
        let painted = painted(&app);
        let cut: Vec<_> = painted.iter().filter(|(_, cut)| *cut).collect();
        assert!(cut.is_empty(), "{count}: {cut:?}");
        let times = |word: &str| painted.iter().filter(|(text, _)| text == word).count();
        for (name, first, second) in
            [("jamboree-reference", "jamboree-", "reference"), ("StupidbotOf2013", "Stupidbot", "Of2013")]
        {
            assert_eq!(times(first), times(second), "{name}, {count}");
            assert_eq!(times(name) + times(first), count, "{name}, {count}: {painted:?}");
            halved += times(first);
        }
    }
    assert!(halved > 0, "beside a board they are in two lines");
}

#[test]
fn boards_are_chosen_in_the_list_and_shown_one_after_the_other() {
    let list: List = Arc::new(Mutex::new(vec![("m3", "live"), ("m2", "live"), ("m1", "live")]));
    let url = server(&list, &Arc::default());
    let mut app = window(Some(url.parse().expect("a server")), vec2(1280.0, 800.0));
    wait_for(&mut app, "m3, Live");
    app.get_by_label("Select…").click();
    app.run_steps(3);
    for name in ["m1, Live", "m3, Live"] {
        app.get_by_label_contains(name).click();
        app.run_steps(3);
    }
    app.get_by_label("Wall of 2 boards").click();
    wait_for_tiles(&mut app, &["m1", "m3"]);

    app.get_by_label("Rotate").click();
    app.run_steps(3);
    let first = tiles(&app);
    assert_eq!(first.len(), 1);
    app.run_steps(20 * 60);
    assert_eq!(tiles(&app).len(), 1);
    assert_ne!(tiles(&app), first);
}

#[test]
fn the_key_of_the_wall_shows_what_is_selected_or_the_whole_folder() {
    let folder = Folder::new();
    for name in ["one", "two", "three"] {
        folder.file(&format!("{name}.replay"), replay().replace("Final", name));
    }
    let open = || {
        let mut app = window(Some(Target::Folder(folder.path().to_owned())), vec2(1280.0, 800.0));
        for row in ["one, Finished", "two, Finished", "three, Finished"] {
            wait_for(&mut app, row);
        }
        app
    };
    let mut app = open();
    app.key_press(Key::W);
    wait_for(&mut app, "Wall, 3 boards");
    let mut app = open();
    app.get_by_label("Select…").click();
    app.run_steps(3);
    for name in ["one, Finished", "three, Finished"] {
        app.get_by_label_contains(name).click();
        app.run_steps(3);
    }
    app.key_press(Key::W);
    wait_for(&mut app, "Wall, 2 boards");
}

#[test]
fn a_wall_leads_back_to_its_own_list() {
    let list: List = Arc::new(Mutex::new(vec![("m2", "live"), ("m1", "live")]));
    let url = server(&list, &Arc::default());
    let mut app = window(Some(format!("{url}?wall").parse().expect("a wall")), vec2(1280.0, 800.0));
    wait_for_tiles(&mut app, &["m2", "m1"]);
    app.key_press(Key::Escape);
    wait_for(&mut app, "m2, Live");

    // The folder of the files, and not the server that was shown before.
    let folder = Folder::new();
    let file =
        |name: &str| Target::File(folder.file(&format!("{name}.replay"), replay().replace("Final", name)));
    let files = vec![file("one"), file("two")];
    let mut app = window(Some(Target::Wall(files)), vec2(1280.0, 800.0));
    wait_for(&mut app, "one: Reds");
    app.key_press(Key::Escape);
    wait_for(&mut app, "two, Finished");
    assert!(!shows(&app, "Live now"), "{app:?}");
}

#[test]
fn in_the_last_line_of_a_tile_the_result_stands_where_the_clock_was() {
    let folder = Folder::new();
    let file = Target::File(folder.file("a.replay", replay()));
    for (count, size) in [(6, vec2(390.0, 844.0)), (6, vec2(500.0, 1000.0))] {
        let mut app = window(Some(Target::Wall(vec![file.clone(); count])), size);
        let right = |app: &Window, part: &str| {
            let texts = app.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
                Shape::Text(text) if text.galley.text().contains(part) => Some(text.visual_bounding_rect()),
                _ => None,
            });
            let mut rects: Vec<Rect> = texts.collect();
            rects.sort_by(|a, b| (a.top(), a.left()).partial_cmp(&(b.top(), b.left())).expect("numbers"));
            rects.first().map(|rect| rect.right_center())
        };
        wait_for(&mut app, "Turn 1");
        app.run_steps(3);
        let (clock, game) =
            (right(&app, "Turn 1").expect("a moment"), right(&app, "Abalone").expect("a game"));
        assert!((clock.y - game.y).abs() < 4.0 && clock.x > game.x, "{size}: {clock} beside {game}");
        wait_for(&mut app, "Reds wins by score");
        app.run_steps(3);
        let result = right(&app, "wins").expect("a result");
        assert!((result - clock).length() < 5.0, "{size}: {result} in the place of {clock}");
        // A phone has room for the game's sign only.
        let named = right(&app, "Abalone").map(|at| at.y.round());
        assert!(named.map_or(size.x < 400.0, |at| at == game.y.round()), "{size}: {named:?}");
    }
}

#[test]
fn long_names_that_begin_alike_stay_apart_in_small_tiles() {
    let folder = Folder::new();
    let text =
        replay().replace("Reds", "search:threads=1,depth=12").replace("Blues", "search:threads=1,depth=14");
    let file = Target::File(folder.file("a.replay", &text));
    let mut app = window(Some(Target::Wall(vec![file; 20])), vec2(800.0, 600.0));
    wait_for(&mut app, "search:threads=1,depth=12");
    app.run_steps(20);
    let painted = painted(&app);
    let names: Vec<_> = painted.iter().filter(|(text, _)| text.contains("threads")).collect();
    assert!(!names.is_empty() && names.iter().all(|(text, cut)| text.starts_with('…') || !cut), "{names:?}");
}

#[test]
fn the_bar_says_what_a_control_under_the_pointer_does() {
    let folder = Folder::new();
    let file = Target::File(folder.file("a.replay", replay()));
    let mut app = window(Some(Target::Wall(vec![file; 2])), vec2(1280.0, 800.0));
    wait_for(&mut app, "Final: Reds");
    for (label, hint) in
        [("Rotate", "Shows one board at a time"), ("Remove from the wall", "Remove from the wall")]
    {
        let control = app.query_all_by_label(label).next().expect("a control").rect();
        app.hover_at(control.center());
        app.run_steps(60);
        let texts = app.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
            Shape::Text(text) if text.galley.text() == hint => Some(text.visual_bounding_rect()),
            _ => None,
        });
        let texts: Vec<Rect> = texts.collect();
        assert!(texts.len() == 1 && texts[0].bottom() < 44.0, "{label}: {texts:?}");
    }
}

#[test]
fn no_hint_in_the_bar_is_cut() {
    let folder = Folder::new();
    let file = Target::File(folder.file("a.replay", replay()));
    for width in [400.0, 500.0, 600.0, 700.0, 800.0, 900.0] {
        let mut app = window(Some(Target::Wall(vec![file.clone(); 2])), vec2(width, 600.0));
        wait_for(&mut app, "Final: Reds");
        for label in ["Most worth watching", "By hand"] {
            let Some(control) = app.query_by_label(label) else { continue };
            let at = control.rect().center();
            app.hover_at(at);
            app.run_steps(20);
            let cut = painted(&app).into_iter().find(|(text, cut)| *cut && text.starts_with(['D', 'F']));
            assert_eq!(cut, None, "{width}");
        }
    }
}

#[test]
fn the_name_of_the_map_stays_at_the_end() {
    let folder = Folder::new();
    let lines = ["map 10 60 Earth", "territory 0 100 100 North", "territory 1 500 500 South", "road 0 1"];
    let mut lines: Vec<(f64, &str)> = lines.into_iter().map(|line| (0.0, line)).collect();
    lines.extend([(0.0, "set 0 maxie 4"), (1.5, "set 1 minnie 5")]);
    let text = recording("riskless", &lines).replace("\"score\"", "\"army_goal\"");
    let text = text.replace("\"red\"}]\n", "\"maxie\"}]\n");
    let file = Target::File(folder.file("a.replay", &text));
    for (count, size) in [(6, vec2(1440.0, 900.0)), (4, vec2(800.0, 600.0)), (6, vec2(960.0, 700.0))] {
        let mut app = window(Some(Target::Wall(vec![file.clone(); count])), size);
        wait_for(&mut app, "Reds");
        app.run_steps(3);
        let names_map = |app: &Window| painted(app).iter().any(|(text, _)| text.contains("Earth"));
        let named = names_map(&app);
        assert!(named || size.x < 1440.0, "{size}: {:?}", painted(&app));
        wait_for(&mut app, "wins");
        app.run_steps(3);
        assert_eq!(names_map(&app), named, "{size}: {:?}", painted(&app));
    }
}

#[test]
fn the_bar_of_a_projected_wall_covers_no_names() {
    let folder = Folder::new();
    let file = Target::File(folder.file("a.replay", replay()));
    let mut app = window(Some(Target::Wall(vec![file; 4])), vec2(1440.0, 900.0));
    wait_for(&mut app, "Final: Reds");
    app.key_press_modifiers(Modifiers::SHIFT, Key::F);
    app.run_steps(5);
    let bar = app.get_by_label("End projector mode").rect();
    let height = app.ctx.content_rect().height();
    assert!(bar.top() > height - 60.0, "{bar} of {height}");
    app.get_by_label("End projector mode").click();
    app.run_steps(3);
    assert!(!shows(&app, "End projector mode"));
}

#[test]
fn a_card_gives_way_to_a_dialog() {
    let folder = Folder::new();
    let file = Target::File(folder.file("a.replay", replay()));
    let mut app = window(Some(Target::Wall(vec![file; 2])), vec2(1280.0, 800.0));
    wait_for(&mut app, "Final: Reds 1, Blues 0. Reds wins");
    let piece = app
        .query_all_by_role(Role::Image)
        .find(|node| node.accesskit_node().label().is_some_and(|label| label.starts_with("E4: black")));
    let at = piece.expect("a piece").rect().center();
    let texts = |app: &Window| painted(app).iter().filter(|(text, _)| text.contains("E4: black")).count();
    app.hover_at(at);
    app.run_steps(60);
    let with_card = texts(&app);
    app.key_press(Key::Questionmark);
    app.run_steps(10);
    assert!(shows(&app, "Keyboard") && texts(&app) < with_card, "{with_card}: {:?}", painted(&app));
    app.hover_at(at + vec2(6.0, 4.0));
    app.run_steps(60);
    assert!(texts(&app) < with_card, "{:?}", painted(&app));
}

#[test]
fn a_recording_that_is_enlarged_has_its_programs() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../replays/samples/team-simple_bot.replay");
    let mut app = window(Some(Target::Wall(vec![Target::File(path)])), vec2(1280.0, 800.0));
    wait_for(&mut app, "Wall, 1 board");
    wait_for(&mut app, ", simple_bot ");
    app.run_steps(3);
    app.get_by_label_contains(", simple_bot ").focus();
    app.step();
    app.key_press(Key::Enter);
    wait_for(&mut app, "Program");
    app.key_press(Key::Num5);
    wait_for(&mut app, "Gutter of line ");
}

#[test]
fn a_wall_without_a_live_match_leads_to_the_played_ones() {
    let list: List = Arc::new(Mutex::new(vec![("m0", "finished")]));
    let url = server(&list, &Arc::default());
    let mut app = window(Some(format!("{url}?wall").parse().expect("a wall")), vec2(1280.0, 800.0));
    wait_for(&mut app, "No match is live");
    app.get_by_label("Played matches").click();
    wait_for(&mut app, "m0, Finished");
}

#[test]
fn a_match_that_is_enlarged_is_watched_once() {
    let server = FakeServer::new();
    let url = format!("{}?wall", server.url());
    let open = Arc::new(Mutex::new(0));
    let count = Arc::clone(&open);
    let paths = server.run(move |_, path, stream| {
        if path == "/api/matches" {
            return respond(stream, "200 OK", &format!("[{}]", summary("m1", "live", "m1")));
        }
        let (whole, count) = (path.contains("since=0"), Arc::clone(&count));
        std::thread::spawn(move || {
            *count.lock().expect("a number") += 1;
            let mut socket = upgrade(stream);
            send(&mut socket, &format!(r#"{{"type":"hello","protocol":1,"match":{}}}"#, summary("m1", "live", "m1")));
            if whole {
                send(&mut socket, &commands(1, 10));
            } else {
                let scene = r#"{"type":"scene","seq":10,"t":1.5,"scene":{"game":"abalone","hexes":{},"score":{"black":4,"white":1},"turns":2,"talk":[]}}"#;
                send(&mut socket, scene);
            }
            while socket.read().is_ok() {}
            *count.lock().expect("a number") -= 1;
        });
    });
    std::mem::forget(paths);
    let mut app = window(Some(url.parse().expect("a wall")), vec2(1280.0, 800.0));
    let wait_for_one = |app: &mut Window| {
        for _ in 0..2000 {
            app.step();
            std::thread::sleep(Duration::from_millis(5));
            if *open.lock().expect("a number") == 1 {
                return;
            }
        }
        panic!("{} connections", open.lock().expect("a number"));
    };
    wait_for_tiles(&mut app, &["m1"]);
    wait_for_one(&mut app);
    app.get_by_label_contains("m1: Reds").focus();
    app.step();
    app.key_press(Key::Enter);
    wait_for(&mut app, "Line 10 of 10");
    wait_for_one(&mut app);
    // The wall shows its picture at once, and joins the match again.
    app.key_press(Key::Escape);
    app.step();
    wait_for_tiles(&mut app, &["m1: Reds 4, Blues 1. Turn 2, live"]);
    wait_for_one(&mut app);
}

/// The tile with the focus, which has a ring.
fn led_to(app: &Window) -> Option<String> {
    let node = app.root().children_recursive().find(|node| node.accesskit_node().is_focused())?;
    let place = node.rect();
    let has_ring = app.output().shapes.iter().any(|clipped| match &clipped.shape {
        Shape::Rect(shape) => shape.stroke.width == 2.0 && shape.rect.contains(place.center()),
        _ => false,
    });
    assert!(has_ring, "no ring around {place}");
    Some(node.accesskit_node().label()?.split(':').next().unwrap_or_default().to_owned())
}

#[test]
fn arrows_lead_from_board_to_board_and_delete_takes_one_off_until_it_is_undone() {
    let list: List =
        Arc::new(Mutex::new(vec![("m4", "live"), ("m3", "live"), ("m2", "live"), ("m1", "live")]));
    let url = server(&list, &Arc::default());
    for size in [vec2(1440.0, 900.0), vec2(800.0, 600.0)] {
        let mut app = window(Some(format!("{url}?wall").parse().expect("a wall")), size);
        wait_for_tiles(&mut app, &["m4", "m3", "m2", "m1"]);
        let columns = {
            let top = app.get_by_label_contains("m4: Reds").rect().top();
            let is_beside =
                |id: &&&str| app.get_by_label_contains(&format!("{id}: Reds")).rect().top() == top;
            ["m4", "m3", "m2", "m1"].iter().filter(is_beside).count()
        };
        let press = |app: &mut Window, key: Key| {
            app.key_press(key);
            app.run_steps(4);
            led_to(app)
        };
        // From a button above the boards the first one is entered.
        app.get_by_label("Rotate").focus();
        app.run_steps(2);
        assert_eq!(press(&mut app, Key::ArrowDown).as_deref(), Some("m4"), "{size}");
        assert_eq!(press(&mut app, Key::ArrowRight).as_deref(), Some("m3"), "{size}");
        assert_eq!(press(&mut app, Key::ArrowLeft).as_deref(), Some("m4"), "{size}");
        let below = ["m4", "m3", "m2", "m1"].get(columns).copied();
        let below = below.unwrap_or("m4");
        assert_eq!(press(&mut app, Key::ArrowDown).as_deref(), Some(below), "{size}: {columns} columns");
        assert_eq!(press(&mut app, Key::End).as_deref(), Some("m1"), "{size}");
        assert_eq!(press(&mut app, Key::Home).as_deref(), Some("m4"), "{size}");
        // A tile's button belongs to its tile.
        app.query_all_by_label("Remove from the wall").next().expect("a button").focus();
        app.run_steps(2);
        assert_eq!(press(&mut app, Key::ArrowRight).as_deref(), Some("m3"), "{size}");
        app.key_press(Key::Delete);
        app.run_steps(4);
        wait_for_tiles(&mut app, &["m4", "m2", "m1"]);
        assert!(shows(&app, "Removed from the wall"));
        assert_eq!(led_to(&app).as_deref(), Some("m2"), "{size}");
        app.get_by_label("Undo").click();
        app.run_steps(4);
        wait_for_tiles(&mut app, &["m4", "m3", "m2", "m1"]);
        assert!(!shows(&app, "Removed from the wall"));
        assert_eq!(led_to(&app).as_deref(), Some("m3"), "{size}");
        app.key_press(Key::Delete);
        app.run_steps(4);
        app.key_press_modifiers(Modifiers::COMMAND, Key::Z);
        app.run_steps(4);
        wait_for_tiles(&mut app, &["m4", "m3", "m2", "m1"]);
        app.key_press(Key::Enter);
        wait_for(&mut app, "Line 10 of 10");
    }
}

#[test]
fn back_on_the_wall_the_board_that_was_opened_has_the_focus() {
    let list: List =
        Arc::new(Mutex::new(vec![("m4", "live"), ("m3", "live"), ("m2", "live"), ("m1", "live")]));
    let url = server(&list, &Arc::default());
    for size in [vec2(1440.0, 900.0), vec2(800.0, 600.0), vec2(390.0, 844.0)] {
        for clicks in [false, true] {
            let mut app = window(Some(format!("{url}?wall").parse().expect("a wall")), size);
            wait_for_tiles(&mut app, &["m4", "m3", "m2", "m1"]);
            let tile = app.get_by_label_contains("m3: Reds");
            let at = tile.rect().center();
            if clicks {
                app.hover_at(at);
                app.step();
                app.drag_at(at);
                app.step();
                app.drop_at(at);
            } else {
                tile.focus();
                app.step();
                app.key_press(Key::Enter);
            }
            wait_for(&mut app, "Line 10 of 10");
            app.key_press(Key::Escape);
            wait_for_tiles(&mut app, &["m4", "m3", "m2", "m1"]);
            app.run_steps(4);
            assert_eq!(led_to(&app).as_deref(), Some("m3"), "{size}, {clicks}");
            app.key_press(Key::ArrowRight);
            app.run_steps(4);
            assert_eq!(led_to(&app).as_deref(), Some("m2"), "{size}, {clicks}");
        }
    }
}

#[test]
fn the_sign_of_a_pinned_board_is_a_pin_and_covers_nothing() {
    let folder = Folder::new();
    let file = Target::File(folder.file("a.replay", replay()));
    for size in [vec2(1440.0, 900.0), vec2(800.0, 600.0), vec2(390.0, 844.0)] {
        for count in [2, 4, 6, 12] {
            let mut app = window(Some(Target::Wall(vec![file.clone(); count])), size);
            wait_for(&mut app, "Final: Reds");
            app.run_steps(20);
            app.query_all_by_label("Pin in front").next().expect("a pin").click();
            app.run_steps(4);
            // Away from the tile, which has buttons under the pointer.
            app.hover_at(pos2(2.0, 2.0));
            app.run_steps(4);
            let accent = Palette::of(&app.ctx).accent;
            let tile = app.query_all_by_label_contains("Final: Reds").next().expect("a tile").rect();
            let corner =
                Rect::from_min_max(tile.right_top() + vec2(-40.0, 0.0), tile.right_top() + vec2(0.0, 40.0));
            let is_pin = |shape: &Shape| match shape {
                Shape::LineSegment { stroke, .. } => stroke.color == accent,
                Shape::Path(path) => path.stroke.color == ColorMode::Solid(accent),
                _ => false,
            };
            let inside = |shape: &Shape| corner.contains_rect(shape.visual_bounding_rect());
            let shapes: Vec<Shape> =
                app.output().shapes.iter().map(|clipped| clipped.shape.clone()).collect();
            let pin = shapes.iter().filter(|shape| is_pin(shape) && inside(shape));
            let pin = pin.map(Shape::visual_bounding_rect).fold(Rect::NOTHING, Rect::union);
            assert!(pin.height() > 9.0, "{size}, {count} boards: {pin}");
            for shape in &shapes {
                let place = match shape {
                    Shape::Text(text) => text.visual_bounding_rect(),
                    shape => shape.visual_bounding_rect(),
                };
                // Not what the pin lies on: the tile and the screen.
                let is_small = place.width() < tile.width() / 2.0 && place.is_positive();
                assert!(
                    is_pin(shape) || !is_small || !place.intersects(pin),
                    "{size}, {count}: {shape:?} and {pin}"
                );
            }
            let cut: Vec<_> = painted(&app).into_iter().filter(|(_, cut)| *cut).collect();
            assert!(cut.is_empty(), "{size}, {count}: {cut:?}");
        }
    }
}

#[test]
fn recordings_with_the_same_captions_are_told_apart_by_their_files() {
    let folder = Folder::new();
    let other = replay().replace("Blues", "Greens");
    let files = [("one.replay", replay()), ("two.replay", replay()), ("three.replay", other)];
    let targets = files.map(|(name, text)| Target::File(folder.file(name, text)));
    let mut app = window(Some(Target::Wall(targets.into())), vec2(1280.0, 800.0));
    wait_for(&mut app, "Wall, 3 boards");
    app.run_steps(8);
    for name in ["one", "two"] {
        assert!(shows(&app, &format!(" · {name}")), "{app:?}");
    }
    assert!(!shows(&app, " · three"), "its players tell it apart: {app:?}");
}

#[test]
fn a_map_is_named_once_where_its_file_is_named_after_it() {
    let folder = Folder::new();
    let lines =
        [(0.0, "map 8 40 Islands"), (0.0, "territory 0 10 10 Heron"), (0.0, "territory 1 20 10 Gull")];
    let targets = ["islands1", "islands2"]
        .map(|name| Target::File(folder.file(&format!("{name}.replay"), recording("riskless", &lines))));
    let mut app = window(Some(Target::Wall(targets.into())), vec2(1280.0, 800.0));
    wait_for(&mut app, "Wall, 2 boards");
    app.run_steps(8);
    assert!(shows(&app, "Riskless · islands1") && !shows(&app, "Islands · islands1"), "{app:?}");
}

#[test]
fn a_tile_tells_how_much_of_a_recording_was_played_unless_that_is_hidden() {
    let folder = Folder::new();
    let file = Target::File(folder.file("one.replay", replay()));
    let mut app = window(Some(Target::Wall(vec![file])), vec2(1280.0, 800.0));
    wait_for(&mut app, "Wall, 1 board");
    app.run_steps(8);
    let lines = |app: &Window| {
        let shapes = app.output().shapes.iter().map(|clipped| &clipped.shape);
        let is_line = |shape: &&Shape| match shape {
            Shape::Rect(rect) => (rect.rect.height() - 2.5).abs() < 0.1 && rect.rect.bottom() > 700.0,
            _ => false,
        };
        shapes.filter(is_line).count()
    };
    // The recording is read beside the window's work.
    let began = std::time::Instant::now();
    while lines(&app) != 2 {
        assert!(
            began.elapsed() < grandstand_testing::PATIENCE,
            "what was played, and the rest: {}",
            lines(&app)
        );
        app.run_steps(1);
    }
    app.key_press(Key::S);
    app.run_steps(8);
    assert_eq!(lines(&app), 0);
}
