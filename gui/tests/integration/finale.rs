//! Tests of the result card.

use eframe::egui::accesskit::Role;
use eframe::egui::{Event, Key, Modifiers, OutputCommand, PointerButton, Rect, Shape, Vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use grandstand_gui::Target;
use grandstand_testing::{
    FakeServer, Folder, commands, hello, recording, replay, respond, send, summary, upgrade,
};

use crate::support::{Window, open_replay, painted, sample, shows, wait_for, window};

const CARD: &str = "The match is over. Reds wins by score";

/// Plays the short match to its end.
fn play(app: &mut Window) {
    app.key_press(Key::Space);
    app.run_steps(4 * 60);
}

#[test]
fn a_match_ends_with_who_won_and_what_decided_it() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    assert!(!shows(&app, "The match is over"));
    play(&mut app);
    assert!(shows(&app, &format!("{CARD}. 1 : 0, 0:03, Turn 3.")), "{app:?}");
    // The outcome is shown once: the line above the board omits it while the card is open.
    let outcome = app.query_all_by_label("Reds wins by score").count();
    assert_eq!((outcome, shows(&app, "Turn 3 The end")), (1, true), "{app:?}");
    // A click goes to the decisive moment; the card closes when the match leaves its end.
    app.get_by_label("Reds took the lead in turn 3 (0:02) and kept it.").click();
    app.run_steps(30);
    assert!(shows(&app, "Line 15 of 16") && !shows(&app, "The match is over"), "{app:?}");
    play(&mut app);
    assert!(shows(&app, CARD), "{app:?}");
    app.get_by_label("Watch again").click();
    app.run_steps(20);
    assert!(!shows(&app, "The match is over") && shows(&app, "Pause"), "{app:?}");
    assert!(shows(&app, "Line 4 of 16") || shows(&app, "Line 5 of 16"), "{app:?}");
}

#[test]
fn the_focus_stays_where_it_is_when_the_card_comes() {
    let folder = Folder::new();
    for name in ["Match", "Moments", "Protocol", "Skip idle time"] {
        let mut app = open_replay(&folder);
        app.key_press(Key::Space);
        app.run_steps(4);
        app.get_by_role_and_label(Role::Button, name).focus();
        app.run_steps(4 * 60);
        assert!(shows(&app, CARD), "{app:?}");
        assert!(app.get_by_role_and_label(Role::Button, name).is_focused(), "{name}: {app:?}");
    }
}

#[test]
fn the_card_leaves_its_room_below_the_protocol() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    play(&mut app);
    app.key_press(Key::Num3);
    app.run_steps(20);
    let card = app.get_by_label_contains(CARD).rect();
    let last = app.get_by_label_contains("16: wsay Well played").rect();
    assert!(last.bottom() < card.top(), "{last:?} {card:?}");
}

#[test]
fn no_plot_moves_when_the_card_comes_and_none_covers_it() {
    for game in ["riskless", "abalone", "fortress"] {
        for size in [Vec2::new(1920.0, 1080.0), Vec2::new(1600.0, 900.0), Vec2::new(1440.0, 900.0)] {
            let mut app = sample(game, size);
            app.run_steps(20);
            let plots = |app: &Window| -> Vec<Rect> {
                let figures = app.query_all_by_role(Role::Figure);
                let plots = figures.filter(|node| {
                    let label = node.accesskit_node().label().unwrap_or_default();
                    label.contains(" over time: ")
                });
                plots.map(|node| node.rect()).collect()
            };
            let before = plots(&app);
            app.key_press(Key::End);
            app.run_steps(30);
            let card = app.get_by_label_contains("The match is over").rect();
            assert_eq!(plots(&app), before, "{game} {size}");
            // Where the panel has no room, the plots are scrolled, and cut above the card.
            let scrolled = before.iter().any(|plot| plot.bottom() > size.y);
            let covers = |plot: &&Rect| !scrolled && plot.intersects(card.shrink(1.0));
            assert_eq!(before.iter().find(covers), None, "{game} {size}: {card}");
        }
    }
}

#[test]
fn a_phone_says_who_won_and_why() {
    let folder = Folder::new();
    let text = replay().replace("Reds", "team").replace("Blues", "team");
    let path = folder.file("final.replay", &text);
    let mut app = window(Some(Target::File(path)), Vec2::new(360.0, 740.0));
    wait_for(&mut app, "Pause");
    app.key_press(Key::End);
    // On a busy machine, reading the match takes some more frames.
    wait_for(&mut app, "Close this card");
    app.run_steps(3);
    app.get_by_label("Close this card").click();
    app.run_steps(10);
    let painted = painted(&app);
    for words in ["team (black) wins", "by score"] {
        assert!(painted.contains(&(words.to_owned(), false)), "{words}: {painted:?}");
    }
    assert!(shows(&app, "team (black) wins by score"), "{app:?}");
}

#[test]
fn on_a_phone_the_words_at_the_end_stand_clear_of_long_names() {
    let text = replay().replace("Reds", "search:nodes=2000").replace("Blues", "search:nodes=2000");
    let folder = Folder::new();
    let path = folder.file("final.replay", &text);
    let mut app = window(Some(Target::File(path)), Vec2::new(390.0, 844.0));
    wait_for(&mut app, "Pause");
    app.key_press(Key::End);
    wait_for(&mut app, "Close this card");
    app.run_steps(10);
    let head = app.output().shapes.iter().filter_map(|shape| match &shape.shape {
        Shape::Text(text) if text.pos.y < 140.0 => {
            Some((text.galley.text().to_owned(), text.visual_bounding_rect()))
        }
        _ => None,
    });
    let texts: Vec<(String, Rect)> = head.collect();
    assert!(texts.iter().filter(|(text, _)| text.starts_with("search")).count() >= 2, "{texts:?}");
    for (index, (one, place)) in texts.iter().enumerate() {
        for (other, at) in &texts[index + 1..] {
            assert!(!place.shrink(1.5).intersects(at.shrink(1.5)), "{one} {place} and {other} {at}");
        }
    }
}

#[test]
fn above_an_open_sheet_the_card_is_small() {
    let folder = Folder::new();
    let path = folder.file("final.replay", replay());
    let mut app = window(Some(Target::File(path)), Vec2::new(480.0, 700.0));
    wait_for(&mut app, "Pause");
    app.key_press(Key::End);
    app.key_press(Key::Num2);
    app.run_steps(30);
    // The line of the score is the card: it takes no room from the list.
    assert!(shows(&app, CARD) && !shows(&app, "Watch again"), "{app:?}");
    let card = app.get_by_label_contains(CARD).rect();
    let board = app.get_by_label_contains("Abalone board").rect();
    assert!(board.height() > 100.0 && card.bottom() <= board.top(), "{card} {board}");
    assert!(app.get_by_label("Unfold this card").rect().height() >= 30.0);
    app.get_by_label("Unfold this card").click();
    app.run_steps(8);
    let whole = app.get_by_label_contains(CARD).rect();
    assert!(whole.height() > 76.0 && whole.top() > board.bottom(), "{whole} {board}");
    assert!(whole.contains_rect(app.get_by_label("Watch again").rect()), "{whole}");
    app.get_by_label("Fold this card").click();
    app.run_steps(8);
    assert_eq!(app.get_by_label_contains(CARD).rect(), card);
    app.key_press(Key::B);
    app.run_steps(30);
    assert!(shows(&app, CARD) && shows(&app, "Watch again"), "{app:?}");
}

#[test]
fn a_closed_card_stays_closed() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    for way in 0..2 {
        play(&mut app);
        assert!(shows(&app, CARD), "{app:?}");
        if way == 0 {
            app.get_by_label("Close this card").click();
        } else {
            app.key_press(Key::Escape);
        }
        app.run_steps(60);
        assert!(!shows(&app, "The match is over") && shows(&app, "Reds wins by score"), "{app:?}");
    }
}

#[test]
fn stepping_to_the_end_opens_no_card() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    app.key_press(Key::End);
    app.run_steps(10);
    assert!(shows(&app, CARD), "{app:?}");
    app.key_press(Key::ArrowLeft);
    app.run_steps(10);
    app.key_press(Key::ArrowRight);
    app.run_steps(10);
    assert!(shows(&app, "Line 16 of 16") && !shows(&app, "The match is over"), "{app:?}");
}

#[test]
fn in_spoiler_mode_only_who_watched_it_is_told() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    app.key_press(Key::S);
    app.run_steps(10);
    app.key_press(Key::End);
    app.run_steps(10);
    assert!(!shows(&app, "The match is over") && !shows(&app, "wins"), "{app:?}");
    app.key_press(Key::Space);
    // To 1.9 s, before the point; then to the end.
    app.run_steps(114);
    assert!(!shows(&app, "The match is over") && !shows(&app, "wins"), "{app:?}");
    app.run_steps(3 * 60);
    assert!(shows(&app, CARD), "{app:?}");
}

#[test]
fn a_link_is_copied_and_a_picture_exported_from_the_card() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    play(&mut app);
    app.get_by_label("Share…").click();
    app.run_steps(3);
    // A file has no address, so there is no code for another page either.
    assert!(!shows(&app, "Embed code"));
    app.get_by_label("Copy").click();
    app.step();
    let copied = app.output().platform_output.commands.iter().any(|command| {
        matches!(command, OutputCommand::CopyText(text) if text.contains("final.replay") && text.contains("16"))
    });
    assert!(copied, "{:?}", app.output().platform_output.commands);
    app.get_by_label("Copy picture").click();
    app.step();
    let is_picture = |command: &OutputCommand| matches!(command, OutputCommand::CopyImage(image) if image.size == [1280, 720]);
    assert!(app.output().platform_output.commands.iter().any(is_picture));
    app.run_steps(3);
    assert!(shows(&app, "Picture copied"));
    app.key_press(Key::Escape);
    app.run_steps(3);
    assert!(!shows(&app, "Copy picture"));
    app.get_by_label("Export…").click();
    app.run_steps(5);
    assert!(shows(&app, "Size"), "{app:?}");
}

#[test]
fn of_files_the_next_later_one_in_the_folder_follows() {
    let folder = Folder::new();
    let first = folder.file("a.replay", replay());
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    let second = folder.file("b.replay", replay().replace("Final", "Second"));
    std::fs::File::options().write(true).open(&second).expect("a file").set_modified(later).expect("a time");
    let mut app = window(Some(Target::File(first)), Vec2::new(1280.0, 800.0));
    wait_for(&mut app, "The match is over");
    app.run_steps(3);
    app.get_by_label("Next match: b.replay").click();
    wait_for(&mut app, "Pause");
    assert!(!shows(&app, "The match is over"));
    wait_for(&mut app, "The match is over");
    assert!(!shows(&app, "Next match"), "{app:?}");
}

#[test]
fn of_a_server_a_live_match_follows() {
    let server = FakeServer::new();
    let url = format!("{}?match=m1", server.url());
    let _paths = server.run(|_, path, stream| match path {
        "/api/matches" => {
            let list = [summary("m1", "finished", "Final"), summary("m2", "live", "Another")];
            respond(stream, "200 OK", &format!("[{}]", list.join(",")));
        }
        path if path.contains("m2") => {
            let mut socket = upgrade(stream);
            send(&mut socket, &hello("live").replace("Final", "Another"));
            send(&mut socket, &commands(1, 4));
            std::mem::forget(socket);
        }
        _ => {
            let mut socket = upgrade(stream);
            send(&mut socket, &hello("live"));
            send(&mut socket, &commands(1, 16));
            let end = r#"{"type":"end","seq":16,"t":3.5,"result":{"winner":"white","termination":"left"}}"#;
            send(&mut socket, end);
            std::mem::forget(socket);
        }
    });
    let mut app = window(Some(url.parse().expect("a target")), Vec2::new(1280.0, 800.0));
    wait_for(&mut app, "The match is over. Blues wins because the other left");
    wait_for(&mut app, "Next match: Another");
    app.run_steps(3);
    app.get_by_label("Next match: Another").click();
    wait_for(&mut app, "Line 4 of 4");
}

#[test]
fn a_match_without_a_result_says_so() {
    let folder = Folder::new();
    // A stopped match has no result line; the board may name the winner.
    let without = |text: &str| text[..text.rfind("[0.5,\"r\"").expect("a result")].to_owned();
    let cut = without(&replay());
    let board_says = without(&recording("shark", &[(0.0, "time 1"), (0.5, "win red")]));
    for (text, words) in [(&cut, "The recording ends without a result."), (&board_says, "Reds wins.")] {
        let path = folder.file("cut.replay", text);
        let mut app = window(Some(Target::File(path)), Vec2::new(1280.0, 800.0));
        wait_for(&mut app, &format!("The match is over. {words}"));
        // Without a result there is no decisive moment.
        assert!(!shows(&app, "took the lead"), "{app:?}");
    }
}

#[test]
fn the_end_changes_neither_the_board_nor_the_tabs() {
    let folder = Folder::new();
    let sizes = [(390.0, 844.0), (844.0, 390.0), (800.0, 600.0), (1440.0, 900.0), (1920.0, 1080.0)];
    for (size, panel) in
        sizes.into_iter().flat_map(|(w, h)| [(Vec2::new(w, h), true), (Vec2::new(w, h), false)])
    {
        let path = folder.file("final.replay", replay());
        let mut app = window(Some(Target::File(path)), size);
        wait_for(&mut app, "Pause");
        if !panel {
            app.key_press(Key::B);
            app.run_steps(3);
        }
        let board = |app: &Window| app.get_by_label_contains("Abalone board").rect();
        let tabs = |app: &Window| ["Match", "Plots", "Talk"].map(|tab| shows(app, tab));
        let before = (board(&app), tabs(&app));
        wait_for(&mut app, "The match is over");
        app.run_steps(5);
        // On a phone the card stands in the place of the panel until it is closed.
        let gives_way = panel && size.x < 480.0;
        let beside_card = if gives_way { (before.0, [false; 3]) } else { before };
        assert_eq!((board(&app), tabs(&app)), beside_card, "{size}");
        if let Some(unfold) = app.query_by_label("Unfold this card").filter(|_| !shows(&app, "Watch again")) {
            unfold.click();
            app.run_steps(6);
            assert_eq!((board(&app), tabs(&app)), beside_card, "{size}");
        }
        let card = app.get_by_label_contains("The match is over").rect();
        let again = app.get_by_label("Watch again").rect();
        assert!(card.contains_rect(again), "{size}: {again} {card}");
        if size.x.min(size.y) < 400.0 {
            assert!(again.height() >= 40.0, "{size}: {again}");
        }
        if gives_way {
            app.get_by_label("Close this card").click();
            app.run_steps(5);
            assert_eq!((board(&app), tabs(&app)), before, "{size}");
        }
    }
}

#[test]
fn beside_a_board_with_room_the_card_covers_nothing_of_it() {
    let folder = Folder::new();
    let path = folder.file("final.replay", replay());
    let mut app = window(Some(Target::File(path)), Vec2::new(1100.0, 600.0));
    wait_for(&mut app, "Pause");
    app.key_press(Key::B);
    app.run_steps(3);
    wait_for(&mut app, "The match is over");
    app.run_steps(10);
    let board = app.get_by_label_contains("Abalone board").rect();
    let card = app.get_by_label_contains("The match is over").rect();
    // The board is in the middle of its place.
    let left = board.center().x - board.height().min(board.width()) * 0.5;
    assert!(card.right() <= left, "{card} {board}");
}

#[test]
fn on_a_phone_the_ways_on_are_one_row() {
    let folder = Folder::new();
    folder.file("zz-next.replay", replay());
    let path = folder.file("a.replay", replay());
    let mut app = window(Some(Target::File(path)), Vec2::new(390.0, 844.0));
    wait_for(&mut app, CARD);
    app.run_steps(4);
    let card = app.get_by_label_contains(CARD).rect();
    assert!(card.height() <= 150.0, "{card}");
}

#[test]
fn in_a_small_window_the_ways_on_take_two_rows() {
    let folder = Folder::new();
    folder.file("zz-next-with-a-long-name-that-needs-much-room.replay", replay());
    let path = folder.file("a.replay", replay());
    let mut app = window(Some(Target::File(path)), Vec2::new(800.0, 600.0));
    wait_for(&mut app, CARD);
    app.run_steps(4);
    app.get_by_label("Unfold this card").click();
    app.run_steps(8);
    let top = |label: &str| app.get_by_label(label).rect().top();
    let mut rows = ["Watch again", "Share…", "Export…"].map(top).to_vec();
    rows.dedup();
    assert!(rows.len() <= 2, "{rows:?}");
}

#[test]
fn over_a_board_the_card_is_one_row_until_it_is_unfolded() {
    for (game, width, height) in [
        ("fortress", 800.0, 600.0),
        ("riskless", 800.0, 600.0),
        ("fortress", 1440.0, 900.0),
        ("fortress", 390.0, 844.0),
        ("shark", 390.0, 844.0),
    ] {
        let mut app = sample(game, Vec2::new(width, height));
        if width > 400.0 {
            app.key_press(Key::B);
        }
        app.key_press(Key::End);
        wait_for(&mut app, "The match is over");
        app.run_steps(8);
        let card = |app: &Window| app.get_by_label_contains("The match is over").rect();
        let row = card(&app);
        // A row, or a column of buttons in a margin.
        assert!(row.size().min_elem() < 76.0, "{game} {width}: {row}");
        // In the margin of a phone words stand below its signs.
        let texts = painted(&app);
        let says = |words: &str| texts.iter().any(|(text, cut)| text == words && !cut);
        assert!(width > 400.0 || says("Next") && says("Again"), "{game} {width}: {texts:?}");
        for name in ["Watch again", "Next match", "Share…"] {
            let button = app.query_all_by_label_contains(name).next().expect(name).rect();
            assert!(row.contains_rect(button), "{game} {width}: {name} at {button} in {row}");
        }
        for name in ["Board: zoom in", "Board: fit"] {
            let button = app.get_by_label(name).rect();
            assert!(!button.intersects(row), "{game} {width}: {name} at {button}, {row}");
        }
        app.get_by_label("Unfold this card").click();
        app.run_steps(8);
        assert!(
            card(&app).size().min_elem() > row.size().min_elem() + 30.0,
            "{game} {width}: {}",
            card(&app)
        );
        app.get_by_label("Fold this card").click();
        app.run_steps(8);
        assert_eq!(card(&app), row, "{game} {width}");
        app.get_by_label("Close this card").click();
        app.run_steps(8);
        assert!(!shows(&app, "The match is over"), "{game} {width}");
    }
}

#[test]
fn an_unfolded_card_hides_nothing_that_stands_on_the_board() {
    for (game, width, height) in
        [("riskless", 800.0, 600.0), ("fortress", 1440.0, 900.0), ("gomoku", 800.0, 600.0)]
    {
        let mut app = sample(game, Vec2::new(width, height));
        app.key_press(Key::B);
        app.key_press(Key::End);
        wait_for(&mut app, "The match is over");
        app.run_steps(8);
        let board = app.query_all_by_label_contains(" board").next().expect("a board").rect();
        let texts = app.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
            Shape::Text(text) => Some(text.visual_bounding_rect().intersect(clipped.clip_rect)),
            _ => None,
        });
        let row = app.get_by_label_contains("The match is over").rect();
        let on_board = |rect: &Rect| board.contains_rect(*rect) && !row.intersects(*rect);
        let texts: Vec<Rect> = texts.filter(on_board).collect();
        // Beside a board with room all of it is shown at once.
        if let Some(unfold) = app.query_by_label("Unfold this card") {
            unfold.click();
            app.run_steps(12);
        } else {
            assert_eq!(game, "gomoku");
        }
        let card = app.get_by_label_contains("The match is over").rect();
        assert!(!texts.is_empty() && card.bottom() <= height && card.height() > 76.0, "{game}: {card}");
        let hidden = texts.iter().find(|text| text.shrink(1.0).intersects(card.shrink(1.0)));
        assert_eq!(hidden, None, "{game}: {card}");
        let now = app.query_all_by_label_contains(" board").next().expect("a board").rect();
        assert_eq!(now, board, "{game}");
        let again = app.get_by_label("Watch again").rect();
        assert!(card.contains_rect(again), "{game}: {again} {card}");
        // The buttons of the timeline are free, and its own are whole.
        let play = app.get_by_label("Play").rect();
        assert!(!card.intersects(play), "{game}: {card} {play}");
        assert!(again.height() >= 29.0, "{game}: {again}");
    }
}

#[test]
fn beside_or_over_a_board_the_card_hides_no_name_of_a_place() {
    for (game, width, height) in [
        ("abalone", 800.0, 600.0),
        ("gomoku", 800.0, 600.0),
        ("shark", 800.0, 600.0),
        ("fortress", 800.0, 600.0),
        ("riskless", 800.0, 600.0),
        ("shark", 1440.0, 900.0),
        ("fortress", 1440.0, 900.0),
        ("shark", 390.0, 844.0),
        ("fortress", 390.0, 844.0),
    ] {
        let mut app = sample(game, Vec2::new(width, height));
        if width > 400.0 {
            app.key_press(Key::B);
        }
        app.key_press(Key::End);
        wait_for(&mut app, "The match is over");
        app.run_steps(12);
        let card = app.get_by_label_contains("The match is over").rect();
        // The outcome is in the card or in the line of the score.
        let texts = painted(&app);
        assert!(texts.iter().any(|(text, _)| text.contains("wins")), "{game} {width}: {texts:?}");
        app.get_by_label("Close this card").click();
        app.run_steps(12);
        for clipped in &app.output().shapes {
            if let Shape::Text(text) = &clipped.shape
                && !text.galley.text().trim().is_empty()
            {
                let rect = text.visual_bounding_rect().intersect(clipped.clip_rect);
                let hidden = rect.is_positive() && rect.shrink(1.0).intersects(card.shrink(1.0));
                assert!(!hidden, "{game} {width}: {} at {rect} below {card}", text.galley.text());
            }
        }
    }
}

#[test]
fn no_score_in_a_narrow_card_is_broken() {
    for width in [350.0, 360.0, 370.0, 380.0, 390.0, 400.0, 412.0, 424.0] {
        let mut app = sample("riskless", Vec2::new(width, 844.0));
        app.key_press(Key::Num3);
        app.key_press(Key::End);
        wait_for(&mut app, "The match is over");
        app.run_steps(12);
        app.get_by_label("Unfold this card").click();
        app.run_steps(12);
        let card = app.get_by_label_contains("The match is over").rect();
        let texts = app.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
            Shape::Text(text) if card.contains_rect(text.visual_bounding_rect()) => Some(&text.galley),
            _ => None,
        });
        let rows: Vec<String> = texts.flat_map(|galley| galley.rows.iter().map(|row| row.text())).collect();
        let scores: Vec<&String> = rows.iter().filter(|row| row.contains(':')).collect();
        assert!(!scores.is_empty(), "{width}: {rows:?}");
        for row in scores {
            let row = row.trim();
            assert!(!row.starts_with(':') && !row.ends_with(':'), "{width}: {rows:?}");
        }
    }
}

/// Number of whole rows of a list between the tabs and the lower edge of the panel or the card.
fn whole_rows(app: &Window, window: f32) -> usize {
    let tabs = app.get_by_label("Moments").rect();
    let card = app.get_by_label_contains("The match is over").rect();
    let end = if card.top() > tabs.bottom() { card.top() } else { window };
    let rows = app.query_all_by_role(Role::ListItem);
    let rows = rows.filter(|node| node.accesskit_node().data().bounds().is_some()).map(|node| node.rect());
    let mut tops: Vec<f32> =
        rows.filter(|row| row.top() >= tabs.bottom() && row.bottom() <= end).map(|row| row.top()).collect();
    tops.dedup();
    tops.len()
}

#[test]
fn the_card_at_the_end_leaves_the_lists_of_a_small_window_their_rows_with_pins_and_without() {
    for (size, with_pins) in [
        (Vec2::new(390.0, 844.0), false),
        (Vec2::new(390.0, 844.0), true),
        (Vec2::new(800.0, 600.0), false),
        (Vec2::new(800.0, 600.0), true),
    ] {
        let mut app = sample("riskless", size);
        app.key_press(Key::Num2);
        app.run_steps(8);
        app.get_by_label_contains("All moments").click();
        app.key_press(Key::End);
        wait_for(&mut app, "The match is over");
        app.run_steps(12);
        if with_pins {
            let place = app.get_all_by_role(Role::Image).next().expect("a territory").rect().center();
            for pressed in [true, false] {
                let button = PointerButton::Secondary;
                app.event(Event::PointerMoved(place));
                app.event(Event::PointerButton { pos: place, button, pressed, modifiers: Modifiers::NONE });
                app.run_steps(2);
            }
            app.key_press(Key::Num2);
            app.run_steps(12);
            assert!(shows(&app, "Pinned "), "{size}");
        }
        let least = if with_pins && size.x < 480.0 { 4 } else { 5 };
        assert!(whole_rows(&app, size.y) >= least, "{size} {with_pins}: {}", whole_rows(&app, size.y));
        assert!(shows(&app, "Unfold this card"), "{size}");
        // The moves have as many.
        app.key_press(Key::Num4);
        app.run_steps(12);
        assert!(whole_rows(&app, size.y) >= least, "{size} {with_pins}: {}", whole_rows(&app, size.y));
    }
}

#[test]
fn a_card_in_the_line_of_the_score_unfolds_to_its_buttons() {
    let mut app = sample("gomoku", Vec2::new(390.0, 844.0));
    app.key_press(Key::Num4);
    app.key_press(Key::End);
    wait_for(&mut app, "The match is over");
    app.run_steps(20);
    // Both players' names are whole, or cut so that they differ.
    let cut: Vec<_> =
        painted(&app).into_iter().filter(|(text, cut)| *cut && text.contains("nodes")).collect();
    assert!(cut.is_empty(), "{cut:?}");
    app.get_by_label("Unfold this card").click();
    app.run_steps(12);
    let card = app.get_by_label_contains("The match is over").rect();
    for name in ["Watch again", "Next match"] {
        let button = app.query_all_by_label_contains(name).next().expect(name).rect();
        assert!(card.contains_rect(button), "{name} at {button} in {card}");
    }
}

#[test]
fn two_players_of_one_name_without_room_are_told_by_their_colours_once() {
    let mut app = sample("fortress", Vec2::new(800.0, 600.0));
    app.key_press(Key::End);
    app.run_steps(10);
    assert!(shows(&app, "The match is over. strong (red) wins"), "{app:?}");
    if let Some(fold) = app.query_by_label("Fold this card") {
        fold.click();
        app.run_steps(8);
    }
    let told: Vec<String> =
        painted(&app).into_iter().map(|(text, _)| text).filter(|text| text.contains(" wins")).collect();
    let names = ["Red wins with all control points", "strong (red) wins with all control points"];
    assert!(told.iter().any(|text| names.iter().any(|name| text.starts_with(name))), "{told:?}");
    assert!(!told.iter().any(|text| text.starts_with("Red (red)")), "{told:?}");
}
