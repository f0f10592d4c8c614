//! Tests of the board inspector: lines of a place, places of a line, pins, distances, overlays, coordinates.

use eframe::egui::accesskit::Role;
use eframe::egui::{CornerRadius, Event, Key, Modifiers, OutputCommand, Pos2, Rect, Shape, Vec2};
use egui_kittest::kittest::{By, NodeT, Queryable};
use grandstand_gui::Target;
use grandstand_testing::{Folder, recording};

use crate::support::{Window, open_replay, other_click, painted, sample, shows, wait_for, window};

/// Middle of a hex with a given piece.
fn hex(app: &Window, label: &str) -> Pos2 {
    app.get_by_role_and_label(Role::Image, label).rect().center()
}

fn press(app: &mut Window, key: Key) {
    app.key_press(key);
    app.run();
}

fn click(app: &mut Window, at: Pos2) {
    app.drag_at(at);
    app.step();
    app.drop_at(at);
    app.run();
}

fn button(app: &mut Window, label: &str) {
    app.get_by_role_and_label(Role::Button, label).click();
    app.run();
}

/// The short match at its end.
fn at_the_end(folder: &Folder) -> Window {
    let mut app = open_replay(folder);
    press(&mut app, Key::End);
    app
}

/// A recording of another game at its end.
fn open(folder: &Folder, game: &str, lines: &[&str], size: Vec2) -> Window {
    let lines: Vec<(f64, String)> = lines.iter().map(|line| (0.1, line.replace('"', "\\\""))).collect();
    let lines: Vec<(f64, &str)> = lines.iter().map(|(secs, line)| (*secs, line.as_str())).collect();
    let path = folder.file(&format!("{game}.replay"), recording(game, &lines));
    let mut app = window(Some(Target::File(path)), size);
    wait_for(&mut app, "Line");
    press(&mut app, Key::End);
    app
}

/// Text copied in the last frame.
fn copied(app: &Window) -> Option<String> {
    let commands = &app.output().platform_output.commands;
    commands.iter().find_map(|command| match command {
        OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    })
}

#[test]
fn a_click_pins_a_place_and_shows_its_lines() {
    let folder = Folder::new();
    let mut app = at_the_end(&folder);
    press(&mut app, Key::Num3);
    let e4 = hex(&app, "E4: black");
    click(&mut app, e4);
    assert!(shows(&app, "Pinned E4: black"), "{app:?}");
    assert!(shows(&app, "since turn 2, line\u{a0}12"));
    assert!(shows(&app, "Without: at E4") && shows(&app, "2 of 16 lines"));
    assert!(shows(&app, "4: set E4 w0, ok") && shows(&app, "12: set E4 b0, ok"));
    assert!(!shows(&app, "13: set E3 b0, ok"));
    // The card follows the match, here back to a white piece on E4.
    press(&mut app, Key::Home);
    assert!(shows(&app, "Pinned E4: white"));
    press(&mut app, Key::ArrowLeft);
    assert!(shows(&app, "Pinned E4: empty") && shows(&app, "unchanged since the start"));
    for _ in 0..2 {
        press(&mut app, Key::ArrowRight);
    }
    assert!(shows(&app, "Pinned E4: white") && shows(&app, "since turn 1, line\u{a0}4"));
    // The result card, which took room from the board, is closed.
    let e4 = hex(&app, "E4: white");
    click(&mut app, e4);
    assert!(!shows(&app, "Pinned E4") && !shows(&app, "Without: at") && shows(&app, "16 lines"));
}

#[test]
fn a_double_click_shows_the_whole_board_and_pins_nothing() {
    let folder = Folder::new();
    let mut app = at_the_end(&folder);
    let (e4, e3) = (hex(&app, "E4: black"), hex(&app, "E3: black"));
    app.event(Event::PointerMoved(e4));
    app.step();
    app.event(Event::Zoom(3.0));
    app.run();
    assert!((hex(&app, "E3: black") - e3).length() > 10.0, "it is enlarged");
    // E4 is now at the former place of E3.
    for _ in 0..2 {
        app.drag_at(e3);
        app.step();
        app.drop_at(e3);
        app.step();
    }
    app.run();
    assert!((hex(&app, "E3: black") - e3).length() < 1.0, "all of it is seen");
    assert!(!shows(&app, "Pinned"), "{app:?}");
    click(&mut app, e3);
    assert!(shows(&app, "Pinned E3"));
}

#[test]
fn three_places_stay_pinned_and_go_one_by_one_or_together() {
    let folder = Folder::new();
    let mut app = at_the_end(&folder);
    let (e3, e4) = (hex(&app, "E3: black"), hex(&app, "E4: black"));
    let step = e4 - e3;
    for n in [0.0, 1.0, -1.0, -2.0] {
        click(&mut app, e3 + step * n);
    }
    let pinned = |app: &Window| app.query_all_by_label_contains("Pinned ").count();
    assert_eq!(pinned(&app), 3);
    assert!(!shows(&app, "Pinned E3") && shows(&app, "Pinned E1: empty"), "the oldest went");
    button(&mut app, "Unpin E1");
    assert_eq!(pinned(&app), 2);
    press(&mut app, Key::Escape);
    assert_eq!(pinned(&app), 0);
    assert!(shows(&app, "Pause") || shows(&app, "Play"), "Escape took the pins and left the match");
}

#[test]
fn a_line_of_a_card_leads_to_its_moment() {
    let folder = Folder::new();
    let mut app = at_the_end(&folder);
    let e4 = hex(&app, "E4: black");
    app.hover_at(e4);
    app.run();
    press(&mut app, Key::Y);
    assert!(shows(&app, "Pinned E4: black"), "pinned by its key");
    app.get_by_label_contains("Turn 1  White").click();
    app.run();
    assert!(shows(&app, "Pinned E4: white"));
    button(&mut app, "Lines at E4");
    assert!(shows(&app, "2 of 16 lines"));
    app.hover_at(Pos2::new(2.0, 2.0));
    app.run();
    press(&mut app, Key::Y);
    assert!(shows(&app, "Point at a place on the board to pin it"));
}

#[test]
fn the_other_button_pins_too() {
    let folder = Folder::new();
    let mut app = at_the_end(&folder);
    let e4 = hex(&app, "E4: black");
    other_click(&mut app, e4);
    assert!(shows(&app, "Pinned E4: black"));
}

#[test]
fn filters_of_lines_work_together() {
    let folder = Folder::new();
    let mut app = at_the_end(&folder);
    press(&mut app, Key::Num3);
    button(&mut app, "Filter");
    assert!(shows(&app, "set  (8)") && shows(&app, "turns  (3)") && !shows(&app, "sett  ("), "{app:?}");
    app.get_by_label("set  (8)").click();
    app.run();
    assert!(shows(&app, "8 of 16 lines"));
    app.get_by_role_and_label(Role::RadioButton, "Blues").click();
    app.run();
    assert!(shows(&app, "1 of 16 lines") && shows(&app, "4: set E4 w0, ok"));
    press(&mut app, Key::Escape);
    button(&mut app, "Without: set");
    assert!(shows(&app, "3 of 16 lines"), "what white said too");
    button(&mut app, "Without: Blues");
    button(&mut app, "Filter");
    app.get_by_role_and_label(Role::RadioButton, "Understood").click();
    app.run();
    assert!(shows(&app, "15 of 16 lines"));
}

#[test]
fn a_filter_keeps_the_shown_line_in_view() {
    let folder = Folder::new();
    // Long list, which the filter shortens.
    let lines: Vec<String> =
        (0..400).map(|n| format!("{} {n}", if n % 3 == 0 { "turns" } else { "bscore" })).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let mut app = open(&folder, "abalone", &lines, Vec2::new(1280.0, 800.0));
    press(&mut app, Key::Num3);
    let in_view = |app: &Window| {
        let list = app.query_all_by_role(Role::ListItem);
        list.filter_map(|node| node.accesskit_node().label()).any(|label| label.starts_with("400: "))
    };
    assert!(in_view(&app), "{app:?}");
    press(&mut app, Key::Slash);
    app.get_by_label("Filter lines").type_text("turns");
    app.run_steps(30);
    assert!(in_view(&app), "{app:?}");
    app.set_size(Vec2::new(800.0, 600.0));
    app.run_steps(10);
    assert!(in_view(&app), "{app:?}");
}

#[test]
fn a_line_is_copied_by_its_key_and_lines_by_the_menu() {
    let folder = Folder::new();
    let mut app = at_the_end(&folder);
    press(&mut app, Key::Num3);
    app.event(Event::Copy);
    app.step();
    assert_eq!(copied(&app).as_deref(), Some("wsay Well played"));
    app.run();
    assert!(shows(&app, "Copied line 16"));
    press(&mut app, Key::Slash);
    app.get_by_label("Filter lines").type_text("turns");
    app.run();
    button(&mut app, "Copy");
    app.get_by_label("These 3 lines as text").click();
    let text = (0..20).find_map(|_| {
        app.step();
        copied(&app)
    });
    assert_eq!(text.as_deref(), Some("turns 1\nturns 2\nturns 3\n"));
    app.run();
    assert!(shows(&app, "Copied 3 lines"));
    app.get_by_label("Copy JSON").click();
    let text = (0..20).find_map(|_| {
        app.step();
        copied(&app)
    });
    let text = text.expect("a JSON");
    assert!(text.contains(r#""line":"wsay Well played""#) && text.contains(r#""cmd":"say""#), "{text}");
}

#[test]
fn what_is_known_of_a_line_is_all_there() {
    let folder = Folder::new();
    let mut app = at_the_end(&folder);
    press(&mut app, Key::Num3);
    assert!(shows(&app, "Line 16 · 0:03.0") && shows(&app, "Understood"));
    assert!(shows(&app, "\"cmd\": \"say\""), "the JSON: {app:?}");
    for _ in 0..10 {
        press(&mut app, Key::ArrowLeft);
    }
    assert!(shows(&app, "Line 6 ·") && shows(&app, "Column 1: expected") && shows(&app, "Found sett"));
}

#[test]
fn distances_are_measured_by_two_clicks_and_by_a_drag() {
    let folder = Folder::new();
    let mut app = at_the_end(&folder);
    let (e3, e4) = (hex(&app, "E3: black"), hex(&app, "E4: black"));
    press(&mut app, Key::U);
    assert!(shows(&app, "Measuring: click two places"));
    click(&mut app, e4);
    click(&mut app, e4 + (e3 - e4) * 3.0);
    assert!(shows(&app, "E4 to E1: 3 hexes in a line"), "{app:?}");
    assert!(!shows(&app, "Pinned"));
    app.drag_at(e3);
    app.step();
    app.hover_at(e3 + (e4 - e3) * 0.5);
    app.step();
    app.hover_at(e4);
    app.run_steps(2);
    app.drop_at(e4);
    app.run();
    assert!(shows(&app, "E3 to E4: 1 hex in a line"));
    press(&mut app, Key::Escape);
    assert!(!shows(&app, "E3 to E4"));
}

#[test]
fn escape_empties_the_filter_before_it_takes_the_pins() {
    let folder = Folder::new();
    let mut app = at_the_end(&folder);
    let e3 = hex(&app, "E3: black");
    click(&mut app, e3);
    press(&mut app, Key::Num3);
    press(&mut app, Key::Slash);
    app.get_by_label("Filter lines").type_text("turns");
    app.run_steps(5);
    assert!(shows(&app, "0 of 16 lines"), "the pin filters too");
    press(&mut app, Key::Escape);
    assert!(shows(&app, "3 of 16 lines") && shows(&app, "Pinned E3"));
    press(&mut app, Key::Escape);
    assert!(!shows(&app, "Pinned E3"));
}

#[test]
fn what_bots_draw_is_switched_by_team_and_by_bot() {
    let folder = Folder::new();
    let dot = r#"#gs overlay {"team":"black","by":"7","marks":[{"mark":"dot","at":"h8"}]}"#;
    let arrow = r#"#gs overlay {"team":"white","by":"","marks":[{"mark":"arrow","from":"a1","to":"c3"}]}"#;
    let lines = ["board 15", "move black h8", dot, arrow];
    let mut app = open(&folder, "gomoku", &lines, Vec2::new(1280.0, 800.0));
    button(&mut app, "Overlays");
    let boxes = |app: &Window| -> Vec<String> {
        let nodes = app.query_all_by_role(Role::CheckBox);
        let state = |node: &egui_kittest::Node<'_>| format!("{:?}", node.accesskit_node().toggled());
        nodes
            .map(|node| format!("{} {}", node.accesskit_node().label().unwrap_or_default(), state(&node)))
            .collect()
    };
    assert_eq!(
        boxes(&app),
        ["Overlays Some(True)", "Reds Some(True)", "Reds 7 Some(True)", "Blues Some(True)"]
    );
    app.get_by_role_and_label(Role::CheckBox, "Reds 7").click();
    app.run();
    assert!(boxes(&app).contains(&"Reds 7 Some(False)".to_owned()));
    app.get_by_role_and_label(Role::CheckBox, "Blues").click();
    app.run();
    assert!(boxes(&app).contains(&"Blues Some(False)".to_owned()));
    // What has popped up takes the letters until it is closed.
    press(&mut app, Key::X);
    assert!(!shows(&app, "Bot drawings hidden"), "{app:?}");
    press(&mut app, Key::Escape);
    press(&mut app, Key::X);
    assert!(shows(&app, "Bot drawings hidden") && shows(&app, "Overlays off"));
}

#[test]
fn names_stand_at_the_edges_on_every_place_or_nowhere() {
    let folder = Folder::new();
    let mut app = open(&folder, "gomoku", &["board 15"], Vec2::new(1280.0, 800.0));
    press(&mut app, Key::C);
    assert!(shows(&app, "Coordinates: on every place"));
    assert!(!shows(&app, "Enlarge the board"));
    press(&mut app, Key::C);
    assert!(shows(&app, "Coordinates: off"));
    press(&mut app, Key::C);
    assert!(shows(&app, "Coordinates: at the edges"));
    let mut app = open(&folder, "pente", &["board 99"], Vec2::new(800.0, 600.0));
    assert!(!shows(&app, "Enlarge the board"));
    press(&mut app, Key::C);
    assert!(shows(&app, "Enlarge the board to read names"));
}

#[test]
fn on_a_phone_the_cards_are_part_of_the_sheet() {
    let folder = Folder::new();
    let mut app = open(&folder, "gomoku", &["board 15", "move black h8"], Vec2::new(390.0, 844.0));
    let h8 = app.get_by_role_and_label(Role::Image, "h8: black stone, move 1").rect().center();
    click(&mut app, h8);
    // While the sheet is closed the folded card is on the screen.
    let folded = app.get_by_label_contains("Pinned h8: black stone").rect();
    assert!(!folded.contains(h8) && shows(&app, "Unfold h8"), "{folded}");
    // A sign behind its words says that it unfolds.
    let button = app.get_by_label("Unfold h8").rect();
    let is_sign = |shape: &Shape| match shape {
        Shape::Path(path) => {
            let place = path.visual_bounding_rect();
            path.points.len() == 3 && button.contains_rect(place) && place.left() > button.center().x
        }
        _ => false,
    };
    assert!(app.output().shapes.iter().any(|clipped| is_sign(&clipped.shape)), "{button}");
    press(&mut app, Key::B);
    let card = app.get_by_label_contains("Pinned h8: black stone").rect();
    assert!(shows(&app, "Without: at h8"));
    let board = app.get_by_role_and_label(Role::Image, "h8: black stone, move 1").rect();
    assert!(card.top() > board.bottom(), "{card} lies below {board}");
}

#[test]
fn arrows_go_from_place_to_place_and_enter_pins() {
    let folder = Folder::new();
    let mut app = at_the_end(&folder);
    // Key Y focuses the board, as Tab does.
    press(&mut app, Key::Y);
    // The focus starts in the middle of the board, with its card.
    let told = |app: &Window| app.query_all_by_label_contains("E4: black").count();
    let at = |app: &Window| {
        let node = app.query_all_by_role(Role::Application).next().expect("the board");
        node.accesskit_node().label().unwrap_or_default()
    };
    assert!(at(&app).starts_with("E0:"), "{}", at(&app));
    (0..4).for_each(|_| press(&mut app, Key::ArrowRight));
    assert_eq!(at(&app), "E4: black");
    assert!(told(&app) >= 3, "the place, what has the focus and the state: {app:?}");
    assert!(shows(&app, "since turn 2, line\u{a0}12"), "its card: {app:?}");
    assert!(shows(&app, "Line 16 of 16"), "the arrows are for the board");
    // Arrows do not leave the board.
    press(&mut app, Key::ArrowRight);
    assert_eq!(at(&app), "E4: black");
    app.key_press(Key::Enter);
    app.run();
    assert!(shows(&app, "Pinned E4: black"), "{app:?}");
    press(&mut app, Key::ArrowLeft);
    assert_eq!(at(&app), "E3: black");
    press(&mut app, Key::ArrowUp);
    assert!(at(&app).starts_with("F"), "{}", at(&app));
    // Escape leaves the board but not the match; afterwards the arrows step through the match.
    press(&mut app, Key::Escape);
    assert_eq!(at(&app), "Places of the board");
    assert!(shows(&app, "Pinned E4"));
    press(&mut app, Key::ArrowLeft);
    assert!(shows(&app, "Line 15 of 16"));
}

#[test]
fn the_arrows_reach_the_places_of_every_game() {
    let folder = Folder::new();
    let size = Vec2::new(1280.0, 800.0);
    let territories = [
        "map 200 100 World",
        "territory 1 20 50 West",
        "territory 2 100 50 Middle",
        "territory 3 180 50 East",
        "road 1 2",
        "road 2 3",
    ];
    for (game, lines) in [
        ("gomoku", &["board 15", "move black h8"][..]),
        ("pente", &["board 19"]),
        ("shark", &["draw RED_RIGHT 12 7 17 3"]),
        ("fortress", &["init", "spawn 1 red ~1 0 east 1000 soldier"]),
        ("riskless", &territories),
        ("grid", &["size 4 4", "cell 1,1 @"]),
    ] {
        let mut app = open(&folder, game, lines, size);
        app.get_by_role_and_label(Role::Application, "Places of the board").focus();
        app.run_steps(3);
        let at = |app: &Window| {
            let node = app.query_all_by_role(Role::Application).next().expect("the board");
            node.accesskit_node().label().unwrap_or_default()
        };
        let first = at(&app);
        assert!(first != "Places of the board", "{game}");
        press(&mut app, Key::ArrowRight);
        let second = at(&app);
        assert_ne!(second, first, "{game}");
        press(&mut app, Key::ArrowLeft);
        assert_eq!(at(&app), first, "{game}");
    }
}

#[test]
fn no_card_of_a_territory_covers_the_totals() {
    let mut app = sample("riskless", Vec2::new(800.0, 600.0));
    app.key_press(Key::End);
    app.run_steps(8);
    let places =
        app.query_all(By::new().recursive(true)).filter(|node| node.accesskit_node().role() == Role::Image);
    let places: Vec<Pos2> =
        places.map(|node| node.rect()).filter(|rect| rect.width() < 60.0).map(|rect| rect.center()).collect();
    assert!(places.len() > 30, "{places:?}");
    let mut cards = 0;
    for at in places {
        app.hover_at(at);
        app.run_steps(4);
        let shapes = &app.output().shapes;
        let total = |shape: &Shape| match shape {
            Shape::Text(text) if text.galley.text().ends_with(" of 440") => Some(text.visual_bounding_rect()),
            _ => None,
        };
        let totals: Vec<_> = shapes.iter().filter_map(|clipped| total(&clipped.shape)).collect();
        assert_eq!(totals.len(), 2, "{at}");
        let frames = shapes.iter().filter_map(|clipped| match &clipped.shape {
            Shape::Rect(frame)
                if frame.rect.height() > 30.0 && frame.rect.width() < 400.0 && frame.fill.a() > 200 =>
            {
                Some(frame.rect)
            }
            _ => None,
        });
        let frames: Vec<_> = frames.collect();
        cards += usize::from(!frames.is_empty());
        for total in totals {
            let over = frames.iter().find(|frame| frame.intersect(total).is_positive());
            assert_eq!(over, None, "over {total}, with the pointer at {at}");
        }
    }
    assert!(cards > 30);
}

/// Frames of the cards on the board.
fn cards(app: &Window) -> Vec<Rect> {
    let frames = app.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
        Shape::Rect(frame)
            if frame.rect.height() > 24.0
                && (120.0..300.0).contains(&frame.rect.width())
                && frame.fill.a() > 200
                && frame.stroke.width > 0.0 =>
        {
            Some(frame.rect)
        }
        _ => None,
    });
    frames.collect()
}

#[test]
fn cards_of_pinned_territories_hide_no_sign_and_no_name() {
    let mut app = sample("riskless", Vec2::new(1440.0, 900.0));
    app.key_press(Key::End);
    app.run_steps(8);
    let sign = |app: &Window, name: &str| {
        let mut nodes = app.query_all_by_role(Role::Image);
        let of_name = |node: &egui_kittest::Node<'_>| {
            node.accesskit_node().label().is_some_and(|label| label.starts_with(name))
        };
        nodes.find(of_name).unwrap_or_else(|| panic!("no {name}")).rect().center()
    };
    for name in ["Siberia", "Libya"] {
        let at = sign(&app, name);
        other_click(&mut app, at);
        app.run_steps(8);
    }
    app.hover_at(Pos2::new(700.0, 20.0));
    app.run_steps(8);
    assert_eq!(app.query_all_by_label_contains("Pinned ").count(), 2);
    let cards = cards(&app);
    let signs: Vec<Rect> = app
        .query_all_by_role(Role::Image)
        .map(|node| node.rect())
        .filter(|rect| rect.width() < 60.0 && rect.left() > 0.0)
        .collect();
    assert!(signs.len() > 30, "{signs:?}");
    let on_board = |card: &&Rect| signs.iter().any(|sign| (sign.center() - card.center()).length() < 500.0);
    let cards: Vec<&Rect> = cards.iter().filter(on_board).collect();
    assert!(cards.len() >= 2, "{cards:?}");
    for card in &cards {
        assert!(!signs.iter().any(|sign| sign.intersects(**card)), "{card} over a sign");
    }
    assert!(!cards[0].intersects(*cards[1]), "{cards:?}");
}

/// Areas of the cards of pins on the board.
fn pin_cards(app: &Window) -> Vec<Rect> {
    let frames = app.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
        Shape::Rect(frame)
            if (80.0..300.0).contains(&frame.rect.width())
                && (24.0..320.0).contains(&frame.rect.height())
                && frame.corner_radius == CornerRadius::same(8)
                && frame.fill.a() > 200
                && frame.stroke.width > 0.0 =>
        {
            Some(frame.rect)
        }
        _ => None,
    });
    frames.collect()
}

/// Pieces and other things on the board, by their nodes.
fn things(app: &Window, board: Rect) -> Vec<Rect> {
    let images = app.query_all(By::new().recursive(true));
    let images = images.filter(|node| node.accesskit_node().role() == Role::Image);
    images.map(|node| node.rect()).filter(|rect| rect.width() < 60.0 && board.contains_rect(*rect)).collect()
}

#[test]
fn cards_of_pins_lie_beside_the_board_or_hide_nothing_of_it() {
    for (game, figure, width, height) in [
        ("fortress", "Steam Fortress board", 800.0, 600.0),
        ("fortress", "Steam Fortress board", 1920.0, 1080.0),
        ("shark", "λ-Shark board", 1920.0, 1080.0),
        ("shark", "λ-Shark board", 800.0, 600.0),
        ("gomoku", "Gomoku board", 1440.0, 900.0),
    ] {
        let mut app = sample(game, Vec2::new(width, height));
        app.key_press(Key::B);
        if game == "gomoku" {
            app.key_press(Key::End);
            app.run_steps(8);
            app.get_by_label("Close this card").click();
        }
        app.run_steps(8);
        let board = app.query_all_by_label_contains(figure).next().expect(figure).rect();
        let middle = board.center();
        // Three places of the left half.
        let unit = board.width() * 0.06;
        for step in [Vec2::new(-1.6, 1.1), Vec2::new(-1.0, -1.2), Vec2::new(-2.8, 0.2)] {
            other_click(&mut app, middle + step * unit);
        }
        app.hover_at(Pos2::new(4.0, height - 4.0));
        app.run_steps(12);
        assert_eq!(app.query_all_by_label_contains("Pinned ").count(), 3, "{game} {width}");
        let cards = pin_cards(&app);
        assert_eq!(cards.len(), 3, "{game} {width}: {cards:?}");
        let things = things(&app, board);
        assert!(!things.is_empty(), "{game}");
        for (index, card) in cards.iter().enumerate() {
            let over = things.iter().find(|thing| thing.shrink(2.0).intersects(*card));
            assert_eq!(over, None, "{game} {width}: {card}");
            assert!(!cards[..index].iter().any(|other| other.intersects(*card)), "{game}: {cards:?}");
        }
        if width > 1900.0 {
            assert!(cards.iter().all(|card| card.right() < middle.x - 5.0 * unit), "{game}: {cards:?}");
        }
    }
}

#[test]
fn a_line_leads_from_a_card_to_its_place_only_under_the_pointer() {
    let folder = Folder::new();
    let mut app = at_the_end(&folder);
    let is_line = |shape: &Shape| match shape {
        Shape::LineSegment { stroke, points } => {
            stroke.width == 2.0 && (points[1] - points[0]).x.abs() > 20.0 && points[0].y < 600.0
        }
        _ => false,
    };
    let lines = |app: &Window| app.output().shapes.iter().filter(|clipped| is_line(&clipped.shape)).count();
    app.key_press(Key::B);
    app.run();
    let e4 = hex(&app, "E4: black");
    let e1 = e4 + (hex(&app, "E3: black") - e4) * 3.0;
    click(&mut app, e1);
    app.hover_at(Pos2::new(2.0, 2.0));
    app.run();
    let without = lines(&app);
    app.hover_at(e1);
    app.run();
    assert_eq!(lines(&app), without + 1, "at its place");
    let unpin = app.get_by_role_and_label(Role::Button, "Unpin E1").rect().center();
    app.hover_at(unpin + Vec2::new(-30.0, 20.0));
    app.run();
    assert_eq!(lines(&app), without + 1, "at its card");
}

#[test]
fn a_folded_card_tells_the_state_and_a_press_unfolds_it() {
    let mut app = sample("fortress", Vec2::new(800.0, 600.0));
    app.key_press(Key::B);
    app.run_steps(4);
    let board = app.query_all_by_label_contains("Steam Fortress board").next().expect("a board").rect();
    other_click(&mut app, board.center() + Vec2::new(-200.0, -30.0));
    app.hover_at(Pos2::new(4.0, 596.0));
    app.run_steps(12);
    let texts: Vec<String> =
        crate::support::painted(&app).into_iter().filter(|(_, cut)| !cut).map(|(text, _)| text).collect();
    assert!(texts.iter().any(|text| text.ends_with(" ground") && text.contains(',')), "{texts:?}");
    let folded = pin_cards(&app);
    app.query_all_by_label_contains("Unfold −").next().expect("a folded card").click();
    app.run_steps(12);
    let unfolded = pin_cards(&app);
    assert!(unfolded[0].height() > folded[0].height() + 30.0, "{folded:?} {unfolded:?}");
    app.query_all_by_label_contains("Fold −").next().expect("an unfolded card").click();
    app.hover_at(Pos2::new(4.0, 596.0));
    app.run_steps(12);
    assert_eq!(pin_cards(&app).len(), 1);
    assert!(pin_cards(&app)[0].height() < 34.0);
}

#[test]
fn an_unfolded_card_hides_no_control_point_and_has_its_head_in_one_row() {
    for (width, height) in [(1440.0, 900.0), (390.0, 844.0)] {
        let mut app = sample("fortress", Vec2::new(width, height));
        app.run_steps(4);
        let board = app.query_all_by_label_contains("Steam Fortress board").next().expect("a board").rect();
        let unit = board.width() / 50.0;
        other_click(&mut app, board.center() + Vec2::new(5.0, 0.0) * unit);
        app.hover_at(Pos2::new(4.0, height - 4.0));
        app.run_steps(12);
        app.query_all_by_label_contains("Unfold ").next().expect("a folded card").click();
        app.hover_at(Pos2::new(4.0, height - 4.0));
        app.run_steps(12);
        let unpin = app.get_by_label_contains("Unpin ").rect();
        let title = app.query_all_by_label_contains("Pinned ").next().expect("a title").rect();
        assert!((title.center().y - unpin.center().y).abs() < 3.0, "{width}: {title} {unpin}");
        let card = Rect::from_min_max(title.min, app.get_by_label_contains("Lines at ").rect().max);
        let points = app.query_all_by_label_contains("control point ").map(|node| node.rect());
        let over: Vec<Rect> = points.filter(|point| width > 1000.0 && point.intersects(card)).collect();
        assert!(over.is_empty(), "{width}: {over:?} {card}");
    }
}

#[test]
fn frames_of_territories_lie_below_names_and_signs() {
    let mut app = sample("riskless", Vec2::new(1440.0, 900.0));
    app.key_press(Key::End);
    app.run_steps(8);
    let siberia = {
        let mut nodes = app.query_all_by_role(Role::Image);
        let found = nodes
            .find(|node| node.accesskit_node().label().is_some_and(|label| label.starts_with("Siberia")));
        found.expect("Siberia").rect().center()
    };
    other_click(&mut app, siberia);
    app.run_steps(8);
    let is_path = |shape: &Shape| matches!(shape, Shape::Path(path) if path.closed && path.points.len() > 20 && path.fill.a() == 0);
    let is_frame = |shape: &Shape| match shape {
        Shape::Vec(all) => all.iter().any(is_path),
        shape => is_path(shape),
    };
    let shapes = &app.output().shapes;
    let frames: Vec<usize> =
        shapes.iter().enumerate().filter(|(_, clipped)| is_frame(&clipped.shape)).map(|(at, _)| at).collect();
    let is_name = |shape: &Shape| matches!(shape, Shape::Text(text) if text.galley.text() == "Siberia" && text.pos.y > 120.0);
    let last = shapes.iter().position(|clipped| is_name(&clipped.shape)).expect("the name on the map");
    assert!(!frames.is_empty() && frames.iter().all(|at| *at < last), "{frames:?}, names at {last}");
}

#[test]
fn in_the_panel_cards_stand_in_the_order_of_their_numbers_and_the_newest_is_in_view() {
    for (width, height) in [(800.0, 600.0), (390.0, 844.0)] {
        let mut app = sample("fortress", Vec2::new(width, height));
        app.key_press(Key::Num3);
        app.run_steps(8);
        for number in 1..4 {
            let point = format!("control point {number},");
            let at = app.query_all_by_label_contains(&point).next().expect("a point").rect().center();
            other_click(&mut app, at);
        }
        app.run_steps(12);
        let numbered = |app: &Window| {
            let named = |node: &egui_kittest::Node<'_>| node.accesskit_node().label().unwrap_or_default();
            let nodes = app.query_all_by_label_contains("Unpin ");
            nodes.map(|node| (named(&node), node.rect())).collect::<Vec<_>>()
        };
        // In a low panel the cards are folded in one row above the lines until then.
        let before = numbered(&app);
        assert_eq!(before.len(), 3, "{width} {before:?}");
        assert!(before.is_sorted_by(|a, b| a.1.left() < b.1.left() && a.1.top() == b.1.top()), "{before:?}");
        let newest = before[2].0.replace("Unpin ", "Unfold ");
        app.get_by_label(&newest).click();
        app.run_steps(12);
        let after = numbered(&app);
        assert!(after.is_sorted_by(|a, b| a.1.top() < b.1.top()), "{after:?}");
        assert!(before.iter().zip(&after).all(|(a, b)| a.0 == b.0), "{before:?} {after:?}");
        let filter = app.get_by_label("Filter lines").rect();
        let lines = app.get_by_label(&newest.replace("Unfold ", "Lines at ")).rect();
        assert!(lines.bottom() <= filter.top(), "{width}: {lines}, {filter}");
        let tabs = app.get_by_label("Moments").rect();
        assert!(lines.top() > tabs.bottom() && lines.bottom() < height - 100.0, "{width}: {lines}");
    }
}

#[test]
fn a_pin_keeps_its_number_when_another_one_goes() {
    let mut app = sample("gomoku", Vec2::new(1440.0, 900.0));
    let board = app.get_by_label_contains("Gomoku board").rect();
    let middle = board.center();
    let steps = [-0.2, 0.0, 0.2].map(|part| Vec2::new(part * board.height(), 0.1 * board.height()));
    for step in steps {
        other_click(&mut app, middle + step);
    }
    app.run_steps(8);
    let numbers = |app: &Window| {
        let texts = crate::support::painted(app).into_iter().map(|(text, _)| text);
        texts.filter(|text| ["1", "2", "3"].contains(&&**text)).collect::<Vec<_>>()
    };
    let has = |numbers: &[String], number: &str| numbers.iter().filter(|text| *text == number).count();
    let all = numbers(&app);
    other_click(&mut app, middle + steps[0]);
    app.run_steps(8);
    let rest = numbers(&app);
    // Its badge on the board and that of its card are gone; the others have theirs.
    for (number, gone) in [("1", 2), ("2", 0), ("3", 0)] {
        assert_eq!(has(&all, number) - has(&rest, number), gone, "{number}: {all:?} {rest:?}");
    }
    other_click(&mut app, middle + steps[0]);
    app.run_steps(8);
    assert_eq!(numbers(&app).len(), all.len());
}

/// A Steam Fortress match: a unit beside control point 2, and one alone.
const UNITS: [&str; 5] = [
    "init",
    "point 2 0 0 red",
    "spawn 6 red 1 1 east 1000 soldier",
    "spawn 9 blue 8 5 west 1000 soldier",
    "update 6 1 1 east 700",
];

#[test]
fn words_on_a_place_begin_with_what_stands_there_and_end_with_the_ground() {
    let folder = Folder::new();
    let mut app = open(&folder, "fortress", &UNITS, Vec2::new(800.0, 600.0));
    if shows(&app, "Filter lines") || shows(&app, "Control points") {
        press(&mut app, Key::B);
    }
    let texts = |app: &Window| -> Vec<String> {
        crate::support::painted(app).into_iter().map(|(text, _)| text.replace('\n', " ")).collect()
    };
    let told = |app: &Window, begins: &str| {
        let texts = texts(app);
        assert!(
            texts.iter().any(|text| text.starts_with(begins) && text.ends_with("low ground")),
            "{texts:?}"
        );
    };
    let unit = app.get_by_label_contains("1,1: red soldier 6").rect();
    app.hover_at(unit.center());
    app.run_steps(40);
    told(&app, "1,1: red soldier 6, health 700 of 1,000");
    // Beside the unit, on the lower left square of the control point.
    app.hover_at(unit.center() + Vec2::new(-2.0, 2.0) * unit.width());
    app.run_steps(40);
    told(&app, "−1,−1: within reach of control point 2, red's");
}

#[test]
fn cards_of_pins_are_on_the_screen_whatever_the_panel_shows() {
    for game in ["abalone", "fortress", "gomoku", "shark"] {
        for (width, height) in [(800.0, 600.0), (390.0, 844.0)] {
            let mut app = sample(game, Vec2::new(width, height));
            if width > 600.0 {
                press(&mut app, Key::B);
            }
            app.run_steps(4);
            let figures = ["Steam Fortress board", "λ-Shark board", "Gomoku board", "Abalone board"];
            let board = figures.iter().find_map(|figure| app.query_all_by_label_contains(figure).next());
            let board = board.expect("a board").rect();
            for step in [Vec2::new(-0.2, 0.1), Vec2::new(0.1, 0.15), Vec2::new(0.15, -0.15)] {
                let unit = board.width().min(board.height());
                other_click(&mut app, board.center() + step * unit);
            }
            let count = |app: &Window| app.query_all_by_label_contains("Unpin ").count();
            app.run_steps(8);
            assert_eq!(count(&app), 3, "{game} {width}, closed");
            for key in [Key::B, Key::Num1, Key::Num2, Key::Num3, Key::Num6] {
                press(&mut app, key);
                app.run_steps(8);
                assert_eq!(count(&app), 3, "{game} {width} {key:?}");
                let board = figures.iter().find_map(|figure| app.query_all_by_label_contains(figure).next());
                let things = things(&app, board.expect("a board").rect());
                let cards = pin_cards(&app);
                // The search for room is as fine as half the distance of its samples.
                let over =
                    things.iter().find(|thing| cards.iter().any(|card| card.intersects(thing.shrink(3.1))));
                assert_eq!(over, None, "{game} {width} {key:?}: {cards:?}");
            }
        }
    }
}

#[test]
fn cards_of_pins_without_room_in_the_panel_are_counted_and_come_one_after_the_other() {
    let mut app = sample("abalone", Vec2::new(900.0, 760.0));
    let board = app.query_all_by_label_contains("Abalone board").next().expect("a board").rect();
    for step in [Vec2::new(-0.2, 0.1), Vec2::new(0.1, 0.15), Vec2::new(0.15, -0.15)] {
        other_click(&mut app, board.center() + step * board.width().min(board.height()));
    }
    // The tab stays as it was; whole cards are above the protocol.
    assert!(!shows(&app, "Without: at "), "{app:?}");
    press(&mut app, Key::Num3);
    app.run_steps(8);
    let next = |app: &Window| {
        let label = |node: &egui_kittest::Node<'_>| node.accesskit_node().label();
        app.query_all_by_label_contains("Show the card of ").find_map(|node| label(&node))
    };
    let is_told = |app: &Window| painted(app).iter().any(|(text, _)| text == "+2");
    assert!(is_told(&app), "{:?}", painted(&app));
    let mut shown = Vec::new();
    for _ in 0..3 {
        let label = next(&app).expect("another card");
        app.get_by_label(&label).click();
        app.run_steps(4);
        let place = label.trim_start_matches("Show the card of ").to_owned();
        let card = app.get_by_label_contains(&format!("Pinned {place}")).rect();
        assert!(app.ctx.content_rect().contains_rect(card) && is_told(&app), "{place}: {card}");
        shown.push(place);
    }
    shown.dedup();
    assert_eq!(shown.len(), 3, "{shown:?}");
    // Above another tab they are folded, beside each other, and lead to the whole cards.
    press(&mut app, Key::Num1);
    app.run_steps(4);
    assert_eq!(next(&app), None);
    app.get_by_label(&format!("Unfold {}", shown[0])).click();
    app.run_steps(4);
    assert!(is_told(&app), "{app:?}");
}

/// A Steam Fortress match with two units of one kind on a control point, and a third one beside it.
const ON_ONE_SQUARE: [&str; 6] = [
    "init",
    "point 2 0 0 red",
    "spawn 1 red 0 0 east 1000 soldier",
    "spawn 2 red 0 0 west 1000 soldier",
    "spawn 6 blue 0 1 west 1000 soldier",
    "update 2 0 0 west 400",
];

#[test]
fn units_on_one_square_are_told_apart_and_each_is_followed_by_pointer_card_and_keys() {
    for (width, height) in [(1440.0, 900.0), (800.0, 600.0), (390.0, 844.0)] {
        let folder = Folder::new();
        let mut app = open(&folder, "fortress", &ON_ONE_SQUARE, Vec2::new(width, height));
        let is_open = |app: &Window| shows(app, "Filter lines") || shows(app, "Control points");
        if is_open(&app) {
            press(&mut app, Key::B);
        }
        let follow = |app: &mut Window| {
            app.key_press_modifiers(Modifiers::SHIFT, Key::U);
            app.run_steps(30);
        };
        let unit = |app: &Window, id: u32| {
            let label = format!("0,0: red soldier {id}, facing");
            app.get_by_label_contains(&label).rect().center()
        };
        let texts = |app: &Window| -> Vec<String> {
            crate::support::painted(app).into_iter().map(|(text, _)| text.replace('\n', " ")).collect()
        };
        let (first, second) = (unit(&app, 1), unit(&app, 2));
        assert!(first.distance(second) > 18.0, "{width}: {first} {second}");
        for id in ["1", "2", "6"] {
            assert!(texts(&app).iter().any(|text| text == id), "{width}: the number of {id}");
        }
        for (id, other, health) in [(1, 2, "1,000"), (2, 1, "400")] {
            let at = unit(&app, id);
            app.hover_at(at);
            app.run_steps(30);
            let begins = format!("0,0: red soldier {id}, health {health} of 1,000");
            let told = |text: &String| {
                text.starts_with(&begins) && text.ends_with(&format!("beside red soldier {other}"))
            };
            assert!(texts(&app).iter().any(told), "{width}: {:?}", texts(&app));
            follow(&mut app);
            assert!(shows(&app, &format!("Following red soldier {id}:")), "{width}, {id}");
            let at = unit(&app, id);
            app.hover_at(at);
            app.run_steps(2);
            follow(&mut app);
            assert!(!shows(&app, "Following red soldier"), "{width}, {id}");
        }
        // By keys: one after the other. The cursor begins at the pin.
        let at = unit(&app, 2);
        other_click(&mut app, at);
        app.hover_at(Pos2::new(2.0, 2.0));
        app.get_by_role_and_label(Role::Application, "Places of the board").focus();
        app.run_steps(3);
        assert!(shows(
            &app,
            "0,0: red soldier 1, health 1,000 of 1,000 and red soldier 2, health 400 of 1,000"
        ));
        for id in [1, 2] {
            follow(&mut app);
            assert!(shows(&app, &format!("Following red soldier {id}:")), "{width}, {id}");
        }
        follow(&mut app);
        assert!(!shows(&app, "Following red soldier"), "{width}");
        press(&mut app, Key::Escape);
        // By the buttons of the card.
        app.run_steps(8);
        if !shows(&app, "Follow red soldier 2") {
            app.get_by_label("Unfold 0,0").click();
            app.run_steps(8);
        }
        for id in [1, 2] {
            button(&mut app, &format!("Follow red soldier {id}"));
            app.run_steps(30);
            assert!(shows(&app, &format!("Following red soldier {id}:")), "{width}, {id}");
        }
    }
}

#[test]
fn folded_cards_on_an_upright_board_cover_no_control_point_and_no_unit() {
    let mut app = sample("fortress", Vec2::new(390.0, 844.0));
    let board = |app: &Window| {
        app.query_all_by_label_contains("Steam Fortress board").next().expect("a board").rect()
    };
    let point = |app: &Window, number: u32| {
        let label = format!("control point {number},");
        // Chips say of which point a place is within reach.
        app.get(By::new().role(Role::Image).label_contains(&label)).rect()
    };
    // Places around one end, around the other, and around both.
    for around in [[0, 0, 0], [4, 4, 4], [0, 4, 2]] {
        for (number, step) in around.into_iter().zip([0.0, -2.0, 2.0]) {
            let at = point(&app, number);
            other_click(&mut app, at.center() + Vec2::new(step, 1.0) * at.width());
        }
        app.hover_at(Pos2::new(4.0, 840.0));
        app.run_steps(12);
        assert_eq!(app.query_all_by_label_contains("Pinned ").count(), 3, "{around:?}");
        let cards = pin_cards(&app);
        assert_eq!(cards.len(), 3, "{around:?}: {cards:?}");
        let mut things = things(&app, board(&app));
        // Signs of the control points are as large as their nine squares.
        things.extend((0..5).map(|number| point(&app, number)).map(|sign| sign.expand(sign.width())));
        for card in &cards {
            let over = things.iter().find(|thing| thing.shrink(2.0).intersects(*card));
            assert_eq!(over, None, "{around:?}: {card} of {cards:?}, {things:?}");
        }
        press(&mut app, Key::Escape);
    }
}
