//! Tests of the window of a phone, upright and on its side.

use eframe::egui::accesskit::{Action, Role};
use eframe::egui::{Key, Modifiers, Rect, Shape, Vec2};
use egui_kittest::Node;
use egui_kittest::kittest::{By, NodeT, Queryable};
use grandstand_gui::Target;
use grandstand_testing::{Folder, recording, replay};

use crate::support::{Window, other_click, painted, sample, shows, wait_for, window};

const UPRIGHT: Vec2 = Vec2::new(390.0, 844.0);
const ON_ITS_SIDE: Vec2 = Vec2::new(844.0, 390.0);
/// What a finger needs, in points; half a point is for rounding.
const FINGER: f32 = 43.5;

/// Whether a finger presses it. Texts are pressed too where they stand in a line of others; the board, the timeline and
/// the plots are pressed at a place.
fn is_pressed(node: &Node<'_>) -> bool {
    let node = node.accesskit_node();
    let roles = [
        Role::Button,
        Role::CheckBox,
        Role::ComboBox,
        Role::TextInput,
        Role::MenuItem,
        Role::MenuItemCheckBox,
        Role::DisclosureTriangle,
        Role::ListItem,
        Role::ListBoxOption,
        Role::RadioButton,
        Role::Slider,
        Role::Tab,
    ];
    // What stands above the timeline stands in the list of moments too.
    let is_flag = node.label().is_some_and(|label| label.starts_with("Go to: "));
    roles.contains(&node.role()) && node.data().supports_action(Action::Click) && !is_flag
}

/// Names and sizes of what is too small for a finger.
fn too_small(app: &Window) -> Vec<String> {
    let all = app.query_all(By::new().recursive(true)).filter(is_pressed);
    let small = all.filter(|node| node.rect().width().min(node.rect().height()) < FINGER);
    let told = small.filter_map(|node| {
        let name = node.accesskit_node().label().unwrap_or_default();
        // A program is text, whose lines are as high as its letters, once it has come.
        let is_line = name.starts_with("Gutter of line");
        let told = format!("{:?} {name:?}: {:?}", node.accesskit_node().role(), node.rect().size());
        (!is_line).then_some(told)
    });
    told.collect()
}

#[test]
fn what_is_pressed_is_large_enough_for_a_finger() {
    let folder = Folder::new();
    for number in 0..6 {
        folder.file(&format!("{number}.replay"), replay().replacen("Final", &format!("Match {number}"), 1));
    }
    std::fs::create_dir(folder.join("more")).expect("a folder");
    let mut found = Vec::new();
    let mut look = |place: &str, size: Vec2, app: &Window| {
        found.extend(too_small(app).into_iter().map(|what| format!("{place} {size}: {what}")));
    };
    for size in [UPRIGHT, ON_ITS_SIDE] {
        let mut app = window(Some(Target::Folder(folder.path().to_owned())), size);
        wait_for(&mut app, "Match 5, Finished");
        look("list", size, &app);
        for game in ["abalone", "gomoku", "fortress", "shark", "riskless"] {
            let mut app = sample(game, size);
            look(game, size, &app);
            for (tab, key) in
                [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6].into_iter().enumerate()
            {
                app.key_press(key);
                app.run_steps(4);
                look(&format!("{game}, tab {}", tab + 1), size, &app);
            }
        }
        let mut app = sample("abalone", size);
        for (place, key, modifiers) in [
            ("menu", None, Modifiers::NONE),
            ("share", Some(Key::L), Modifiers::SHIFT),
            ("export", Some(Key::E), Modifiers::NONE),
            ("keys", Some(Key::H), Modifiers::NONE),
            ("palette", Some(Key::K), Modifiers::COMMAND),
            ("end", Some(Key::End), Modifiers::NONE),
        ] {
            match key {
                Some(key) => app.key_press_modifiers(modifiers, key),
                None => app.get_by_label("Menu").click(),
            }
            app.run_steps(6);
            look(place, size, &app);
            if place != "end" {
                app.key_press(Key::Escape);
                app.run_steps(4);
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn nothing_is_said_of_dropping_files_on_a_phone() {
    let folder = Folder::new();
    folder.file("final.replay", replay());
    for (size, expected) in [(UPRIGHT, false), (Vec2::new(800.0, 600.0), true)] {
        let mut app = window(Some(Target::Folder(folder.path().to_owned())), size);
        wait_for(&mut app, "Final, Finished");
        app.run_steps(2);
        let texts = painted(&app);
        assert_eq!(texts.iter().any(|(text, _)| text.starts_with("Drop a ")), expected, "{size}: {texts:?}");
    }
}

#[test]
fn the_title_names_the_game_where_the_names_stand_beside_the_score() {
    for (game, words) in [
        ("abalone", "Robot Abalone"),
        ("riskless", "Riskless · earth"),
        ("fortress", "Steam Fortress · meadow"),
    ] {
        let app = sample(game, UPRIGHT);
        let texts = painted(&app);
        let told: Vec<_> = texts.iter().filter(|(text, _)| text == words).collect();
        assert!(matches!(told[..], [(_, false)]), "{texts:?}");
    }
    // A title leaves the room for it.
    let folder = Folder::new();
    for title in ["Final", "The final of the championship of all the institute's courses"] {
        let file = folder.file("titled.replay", replay().replacen("Final", title, 1));
        let mut app = window(Some(Target::File(file)), UPRIGHT);
        wait_for(&mut app, "Pause");
        app.run_steps(4);
        let texts = painted(&app);
        assert!(texts.contains(&("Robot Abalone".to_owned(), false)), "{texts:?}");
    }
}

#[test]
fn a_row_on_a_phone_names_the_game_and_the_date() {
    let folder = Folder::new();
    let teams = replay().find(r#","teams""#).expect("teams");
    let started = r#","started":"2026-04-11T12:05:00Z","event":"Spring cup""#;
    folder.file("final.replay", format!("{}{started}{}", &replay()[..teams], &replay()[teams..]));
    let mut app = window(Some(Target::Folder(folder.path().to_owned())), UPRIGHT);
    wait_for(&mut app, "Final, Finished");
    app.run_steps(2);
    let texts = painted(&app);
    assert!(texts.contains(&("Robot Abalone".to_owned(), false)), "{texts:?}");
    assert!(texts.iter().any(|(text, cut)| text.starts_with("2026-04-11 12:05") && !cut), "{texts:?}");
}

#[test]
fn a_row_of_the_list_tells_who_won_the_turn_the_score_and_the_length() {
    let folder = Folder::new();
    folder.file("final.replay", replay());
    for size in [UPRIGHT, ON_ITS_SIDE] {
        let mut app = window(Some(Target::Folder(folder.path().to_owned())), size);
        wait_for(&mut app, "Final, Finished");
        app.run_steps(2);
        let texts = painted(&app);
        let facts = texts.iter().find(|(text, cut)| text.contains("Turn 3  ·  0:0") && !cut);
        assert!(texts.contains(&("1 : 0".to_owned(), false)), "{size}: {texts:?}");
        assert!(facts.is_some_and(|(text, _)| text.contains("wins")), "{size}: {texts:?}");
    }
    // Where not all has room, the turn is left out before who won.
    let folder = Folder::new();
    folder.file("long.replay", replay().replace("Reds", "Reds of the long name"));
    let mut app = window(Some(Target::Folder(folder.path().to_owned())), UPRIGHT);
    wait_for(&mut app, "Final, Finished");
    app.run_steps(2);
    let texts = painted(&app);
    let facts = texts.iter().find(|(text, _)| text.starts_with("Reds of the long name wins"));
    assert!(facts.is_some_and(|(text, cut)| text.ends_with("0:03") && !cut), "{texts:?}");
    assert!(texts.contains(&("1 : 0".to_owned(), false)), "{texts:?}");
}

#[test]
fn the_filter_of_a_list_takes_no_room_until_it_is_wanted() {
    let folder = Folder::new();
    for number in 0..6 {
        let name = format!("Match {number}");
        folder.file(&format!("{number}.replay"), replay().replacen("Final", &name, 1));
    }
    let mut app = window(Some(Target::Folder(folder.path().to_owned())), UPRIGHT);
    wait_for(&mut app, "Match 5, Finished");
    app.run_steps(2);
    let top = |app: &Window| app.get_by_label_contains("Match 5, Finished").rect().top();
    let folded = top(&app);
    assert!(folded < 290.0, "the first row is at {folded}");
    assert_eq!(app.get_by_label("Filter").rect().top(), app.get_by_label("Select…").rect().top());
    app.get_by_label("Filter").click();
    app.run_steps(4);
    assert!(top(&app) > folded + 80.0);
    app.get_by_label("Filter by players, event, title or file").focus();
    app.run_steps(2);
    app.get_by_label("Filter by players, event, title or file").type_text("match 5");
    app.run_steps(4);
    assert!(app.query_by_label_contains("Match 4, Finished").is_none(), "{app:?}");
    // What is hidden by a filter that is folded is not forgotten.
    app.get_by_label("Filter").click();
    app.run_steps(4);
    assert_eq!(top(&app), folded);
    assert!(app.query_by_label("Filtered").is_some(), "{app:?}");
}

#[test]
fn a_heading_counts_nothing_where_there_is_nothing() {
    let folder = Folder::new();
    std::fs::create_dir(folder.join("empty")).expect("a folder");
    let mut app = window(Some(Target::Folder(folder.path().to_owned())), UPRIGHT);
    wait_for(&mut app, "empty");
    assert!(painted(&app).iter().all(|(text, _)| text != "0"), "{:?}", painted(&app));
}

#[test]
fn the_time_stands_with_that_of_the_end() {
    let app = {
        let mut app = sample("abalone", UPRIGHT);
        app.run_steps(10);
        app
    };
    let told = painted(&app);
    assert!(told.iter().any(|(text, cut)| text.trim_start().starts_with("/ 0:") && !cut), "{told:?}");
}

#[test]
fn a_wide_board_stands_on_an_upright_phone_and_lies_elsewhere() {
    for (game, figure) in [("fortress", "Steam Fortress board"), ("shark", "λ-Shark board")] {
        for (size, stands) in [(UPRIGHT, true), (ON_ITS_SIDE, false), (Vec2::new(800.0, 600.0), false)] {
            let mut app = sample(game, size);
            app.key_press(Key::Home);
            app.run_steps(8);
            let board = app.query_all_by_label_contains(figure).next().expect("a board").rect();
            let pieces = app.query_all(By::new().recursive(true));
            let pieces =
                pieces.filter(|node| node.accesskit_node().role() == Role::Image).map(|node| node.rect());
            let pieces: Vec<_> =
                pieces.filter(|rect| rect.width() < 60.0 && board.contains_rect(*rect)).collect();
            assert!(pieces.len() >= 4, "{game}: {pieces:?}");
            let all = pieces.iter().fold(eframe::egui::Rect::NOTHING, |all, rect| all.union(*rect));
            assert_eq!(all.height() > 1.5 * all.width(), stands, "{game} {size}: {all}");
            if stands {
                assert!(all.height() > 0.55 * board.height(), "{game}: {all} in {board}");
            }
        }
    }
}

#[test]
fn names_of_a_wall_are_whole_on_a_phone() {
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../replays/samples");
    let names = [
        "simple_bot-simple_bot.replay",
        "shark-stupidbot-stupidbot.replay.zst",
        "riskless-alphabeta-random.replay",
        "team-team.replay",
        "gomoku-stupid-stupid.replay",
        "fortress-strong-strong.replay.zst",
        "pente-stupid-stupid.replay",
        "shark-random-random.replay.zst",
    ];
    let targets = names.iter().map(|name| Target::File(samples.join(name))).collect();
    let mut app = window(Some(Target::Wall(targets)), UPRIGHT);
    wait_for(&mut app, "alphabeta:depth=2 ");
    app.run_steps(40);
    let texts = painted(&app);
    let cut: Vec<_> = texts.iter().filter(|(_, cut)| *cut).collect();
    assert!(cut.is_empty(), "{cut:?}");
    let shapes = app.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
        Shape::Text(text) if !text.galley.text().is_empty() => {
            Some((text.galley.text().to_owned(), text.visual_bounding_rect()))
        }
        _ => None,
    });
    let shapes: Vec<_> = shapes.filter(|(text, _)| text.chars().any(char::is_alphabetic)).collect();
    for (index, (text, rect)) in shapes.iter().enumerate() {
        let over = shapes[..index].iter().find(|(_, other)| other.intersect(*rect).is_positive());
        assert_eq!(over, None, "{text} at {rect}");
    }
    for name in ["simple_bot", "stupidbot", "alphabeta:depth=2", "strong"] {
        assert!(texts.iter().any(|(text, _)| text == name), "{name}: {texts:?}");
    }
}

#[test]
fn a_name_that_would_be_cut_beside_the_score_stands_below_it() {
    let app = sample("riskless", Vec2::new(800.0, 600.0));
    let texts = app.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
        Shape::Text(text) => Some((text.galley.text().to_owned(), text.galley.elided, text.pos)),
        _ => None,
    });
    // Between the title and the map.
    let texts: Vec<_> = texts.filter(|(_, _, at)| (44.0..112.0).contains(&at.y) && at.x < 470.0).collect();
    for name in ["alphabeta:depth=2", "random"] {
        assert!(texts.iter().any(|(text, cut, _)| text == name && !cut), "{texts:?}");
    }
}

#[test]
fn a_phone_says_in_words_who_is_to_move() {
    for game in ["abalone", "gomoku", "riskless"] {
        let mut app = sample(game, UPRIGHT);
        app.key_press(Key::Home);
        app.run_steps(6);
        app.key_press(Key::ArrowRight);
        app.run_steps(6);
        let texts = painted(&app);
        assert!(texts.iter().any(|(text, cut)| text.ends_with(" to move") && !cut), "{game}: {texts:?}");
    }
}

#[test]
fn a_cause_that_would_be_cut_behind_the_winner_stands_below() {
    let mut app = sample("shark", Vec2::new(800.0, 600.0));
    for key in [eframe::egui::Key::End, eframe::egui::Key::ArrowLeft, eframe::egui::Key::ArrowRight] {
        app.key_press(key);
        app.run_steps(4);
    }
    let texts = painted(&app);
    let whole = |wanted: &str| texts.iter().any(|(text, cut)| text == wanted && !cut);
    assert!(whole("shark wins") && whole("last robots standing"), "{texts:?}");
}

#[test]
fn a_picture_while_scrubbing_stands_as_the_board_does() {
    for (size, stands) in [(UPRIGHT, true), (Vec2::new(800.0, 600.0), false)] {
        let mut app = sample("shark", size);
        let before = grounds(&app);
        let timeline = app.get_by_label("Timeline").rect();
        app.hover_at(timeline.center());
        app.run_steps(8);
        let new: Vec<_> = grounds(&app).into_iter().filter(|rect| !before.contains(rect)).collect();
        let shape = |rect: &Rect| rect.height() > 1.4 * rect.width() && rect.height() > 120.0;
        assert_eq!(new.iter().any(shape), stands, "{size}: {new:?}");
        let lies = |rect: &Rect| rect.width() > 1.4 * rect.height() && rect.height() > 80.0;
        assert_eq!(new.iter().any(lies), !stands, "{size}: {new:?}");
    }
}

/// Filled rectangles.
fn grounds(app: &Window) -> Vec<Rect> {
    let shapes = app.output().shapes.iter();
    let rects = shapes.filter_map(|clipped| match &clipped.shape {
        Shape::Rect(shape) if shape.fill.a() > 0 => Some(shape.rect),
        _ => None,
    });
    rects.collect()
}

#[test]
fn a_single_tile_of_a_wall_stands_on_a_phone() {
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../replays/samples");
    for (size, stands) in [(UPRIGHT, true), (Vec2::new(800.0, 600.0), false)] {
        let target = Target::File(samples.join("shark-shark-stupidbot.replay.zst"));
        let mut app = window(Some(Target::Wall(vec![target])), size);
        wait_for(&mut app, "λ-Shark board");
        app.run_steps(20);
        let board = app.query_all_by_label_contains("λ-Shark board").next().expect("a board").rect();
        assert_eq!(board.height() > 1.3 * board.width(), stands, "{size}: {board}");
    }
}

#[test]
fn long_names_in_the_list_have_a_line_each_and_leave_no_room_unused() {
    let folder = Folder::new();
    let (one, other) = ("The Terriers of the Institute", "The quick brown foxes of the city");
    let text = replay().replacen("Final", "", 1).replace("Reds", one).replace("Blues", other);
    folder.file("long.replay", text);
    for size in [UPRIGHT, Vec2::new(800.0, 600.0)] {
        let mut app = window(Some(Target::Folder(folder.path().to_owned())), size);
        wait_for(&mut app, one);
        app.run_steps(2);
        let texts = painted(&app);
        for name in [one, other] {
            assert!(texts.iter().any(|(text, cut)| text == name && !cut), "{size}, {name}: {texts:?}");
        }
    }
}

#[test]
fn folders_stand_before_the_recordings_of_a_folder() {
    let folder = Folder::new();
    folder.file("final.replay", replay());
    std::fs::create_dir(folder.join("older ones")).expect("a folder");
    let mut app = window(Some(Target::Folder(folder.path().to_owned())), Vec2::new(800.0, 600.0));
    wait_for(&mut app, "Final, Finished");
    let top = |app: &Window, label: &str| app.get_by_label_contains(label).rect().top();
    assert!(top(&app, "older ones") < top(&app, "Final, Finished"), "{app:?}");
}

#[test]
fn a_row_tells_the_event_and_is_found_by_it() {
    let folder = Folder::new();
    for number in 0..6 {
        let text = replay().replacen("Final", &format!("Match {number}"), 1);
        let event = if number == 2 { r#","event":"Spring cup","round":"3""# } else { "" };
        let teams = text.find(r#","teams""#).expect("teams");
        folder.file(&format!("{number}.replay"), format!("{}{event}{}", &text[..teams], &text[teams..]));
    }
    let mut app = window(Some(Target::Folder(folder.path().to_owned())), Vec2::new(1280.0, 800.0));
    wait_for(&mut app, "Spring cup · round 3");
    app.get_by_label("Filter by players, event, title or file").focus();
    app.run_steps(2);
    app.get_by_label("Filter by players, event, title or file").type_text("spring");
    app.run_steps(4);
    assert!(app.query_by_label_contains("Match 2, Finished").is_some(), "{app:?}");
    assert!(app.query_by_label_contains("Match 4, Finished").is_none(), "{app:?}");
    app.get_by_label("Clear").click();
    app.run_steps(4);
    assert!(app.query_by_label_contains("Match 4, Finished").is_some(), "{app:?}");
    assert!(app.query_by_label("Clear").is_none(), "{app:?}");
}

#[test]
fn a_long_event_gives_way_to_the_start_of_the_match() {
    let folder = Folder::new();
    let teams = replay().find(r#","teams""#).expect("teams");
    let event =
        format!(r#","started":"2026-04-11T12:05:00Z","event":"{}""#, "The championship of all ".repeat(7));
    folder.file("long.replay", format!("{}{event}{}", &replay()[..teams], &replay()[teams..]));
    let mut app = window(Some(Target::Folder(folder.path().to_owned())), Vec2::new(800.0, 600.0));
    wait_for(&mut app, "Final, Finished");
    app.run_steps(2);
    let texts = painted(&app);
    let starts = |text: &str| text.contains("wins") && text.ends_with("12:05");
    assert!(texts.iter().any(|(text, cut)| starts(text) && !cut), "{texts:?}");
}

#[test]
fn the_card_at_the_end_has_its_buttons_and_cuts_nothing() {
    for game in ["gomoku", "abalone", "fortress", "riskless"] {
        for size in [UPRIGHT, Vec2::new(412.0, 915.0)] {
            let mut app = sample(game, size);
            app.key_press(Key::Num1);
            app.key_press(Key::End);
            wait_for(&mut app, "The match is over");
            app.run_steps(8);
            // The line of the score is the card, and the sheet has whole plots.
            let figures = app.query_all_by_role(Role::Figure).map(|node| node.rect());
            let tabs = app.get_by_label("Moments").rect();
            let end = size.y - 130.0;
            let plots = figures.filter(|rect| rect.top() > tabs.bottom() && rect.bottom() < end).count();
            assert!(plots >= 1, "{game} {size}");
            app.get_by_label("Unfold this card").click();
            app.run_steps(8);
            let card = app.get_by_label_contains("The match is over").rect();
            let row = app.get_by_label("Watch again").rect();
            let others =
                ["Next match", "Share…"].into_iter().filter_map(|name| app.query_by_label_contains(name));
            let others: Vec<Rect> = others.map(|button| button.rect()).collect();
            assert!(!others.is_empty() && card.contains_rect(row), "{game} {size}: {card}");
            for button in others {
                assert!(card.contains_rect(button), "{game} {size}: {button} in {card}");
                assert_eq!(button.top(), row.top(), "{game} {size}");
            }
            assert!(tabs.bottom() <= card.top(), "{game} {size}: {card}");
            // Closed, the sheet leaves the card its place below the board's buttons.
            app.key_press(Key::B);
            app.run_steps(8);
            let card = app.get_by_label_contains("The match is over").rect();
            for name in ["Board: zoom in", "Board: fit"] {
                let button = app.get_by_label(name).rect();
                assert!(!button.intersects(card), "{game} {size}: {name} at {button}, {card}");
            }
        }
    }
}

#[test]
fn a_small_map_has_the_numbers_of_the_last_battle() {
    let folder = Folder::new();
    let lines = [
        "map 10 60 Small",
        "territory 0 200 200 North",
        "territory 1 500 800 South",
        "road 0 1",
        "set 0 maxie 14",
        "set 1 minnie 6",
        "move maxie 0 1",
        "battle 1 14 6",
        "set 1 maxie 8",
    ];
    let lines: Vec<(f64, &str)> = lines.into_iter().map(|line| (0.0, line)).collect();
    let file = Target::File(folder.file("a.replay", recording("riskless", &lines)));
    for size in [Vec2::new(390.0, 844.0), Vec2::new(800.0, 600.0)] {
        let mut app = window(Some(file.clone()), size);
        wait_for(&mut app, "14");
        app.key_press(Key::End);
        app.run_steps(60);
        let texts = painted(&app);
        for number in ["14", "−", "6"] {
            assert!(texts.iter().any(|(text, _)| text == number), "{size} {number}: {texts:?}");
        }
    }
}

fn board(app: &Window) -> Rect {
    let figures = app.query_all_by_role(Role::Figure).map(|node| node.rect());
    figures.max_by(|a, b| a.area().total_cmp(&b.area())).expect("a board")
}

#[test]
fn a_panel_that_stands_below_the_board_from_the_start_shows_the_card_of_a_pinned_place() {
    for game in ["gomoku", "riskless", "abalone"] {
        let mut app = sample(game, UPRIGHT);
        app.run_steps(8);
        let before = board(&app);
        other_click(&mut app, before.center());
        app.run_steps(8);
        assert!(shows(&app, "Lines at ") && shows(&app, "Close the panel"), "{game}");
        let lines = app.get_by_label_contains("Lines at ").rect();
        let end = app.get_by_label("Timeline").rect().top();
        assert!(lines.top() >= before.bottom() && lines.bottom() <= end, "{game}: {lines} below {before}");
        // The card at the end takes the place of the panel, above a row with the pins.
        for key in [Key::End, Key::Home] {
            app.key_press(key);
            app.run_steps(12);
            assert_eq!(shows(&app, "The match is over"), key == Key::End, "{game}");
            assert_eq!(board(&app), before, "{game}");
        }
        // Without its pin the panel goes back to its tab.
        other_click(&mut app, before.center());
        app.run_steps(8);
        assert!(!shows(&app, "Lines at ") && !shows(&app, "Filter lines"), "{game}");
    }
}

#[test]
fn pins_of_a_closed_sheet_stand_in_a_row_below_the_board_and_the_card_at_the_end() {
    for game in ["gomoku", "fortress", "riskless", "abalone"] {
        let mut app = sample(game, UPRIGHT);
        if let Some(close) = app.query_by_label("Close the panel") {
            close.click();
            app.run_steps(4);
        }
        for step in [Vec2::new(-0.2, 0.1), Vec2::new(0.1, 0.15), Vec2::new(0.15, -0.15)] {
            let at = board(&app);
            other_click(&mut app, at.center() + step * at.width().min(at.height()));
        }
        for end in [false, true] {
            if end {
                app.key_press(Key::End);
            }
            app.run_steps(12);
            let pins: Vec<Rect> =
                app.query_all_by_label_contains("Pinned ").map(|node| node.rect()).collect();
            // Places on a map are large.
            assert!(pins.len() == 3 || game == "riskless" && pins.len() == 2, "{game}: {pins:?}");
            let card = app.query_all_by_label_contains("The match is over").map(|node| node.rect());
            let above = card.map(|card| card.bottom()).fold(board(&app).bottom(), f32::max);
            assert!(!end || shows(&app, "The match is over"), "{game}");
            let screen = app.ctx.content_rect();
            for (index, pin) in pins.iter().enumerate() {
                assert!(pin.top() >= above - 1.0 && screen.contains_rect(*pin), "{game}: {pin} {above}");
                assert!(pins[..index].iter().all(|other| other.right() < pin.left()), "{game}: {pins:?}");
                assert!((pin.center().y - pins[0].center().y).abs() < 1.0, "{game}: {pins:?}");
            }
            let cut: Vec<_> = painted(&app).into_iter().filter(|(_, cut)| *cut).collect();
            assert_eq!(cut, [], "{game}");
        }
        // A chip opens the sheet, with the whole card in it.
        let unfold = |node: &Node<'_>| {
            node.accesskit_node().label().is_some_and(|label| !label.ends_with("this card"))
        };
        app.query_all_by_label_contains("Unfold ").find(unfold).expect("a chip").click();
        app.run_steps(8);
        assert!(shows(&app, "Lines at ") && shows(&app, "Close the panel"), "{game}");
    }
}
