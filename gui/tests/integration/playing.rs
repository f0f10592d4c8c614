//! Tests of a recording: playing, seeking, stepping, and the side panels.

use eframe::egui::{Key, Modifiers, Pos2, Rect, Vec2};
use egui_kittest::kittest::Queryable;
use grandstand_gui::Target;
use grandstand_testing::{Folder, replay};

use crate::support::{Window, line, open_replay, shows, wait_for, window};

fn press(app: &mut Window, key: Key) {
    app.key_press(key);
    app.run();
}

fn press_shift(app: &mut Window, key: Key) {
    app.key_press_modifiers(Modifiers::SHIFT, key);
    app.run();
}

#[test]
fn a_recording_plays_to_its_end_and_says_who_won() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    assert_eq!(line(&app), 0);
    app.key_press(Key::Space);
    app.run_steps(60);
    assert!((6..=9).contains(&line(&app)), "after one second: line {}", line(&app));
    app.run_steps(240);
    assert_eq!(line(&app), 16);
    assert!(shows(&app, "Reds wins by score"));
    assert!(shows(&app, "Play"), "it has stopped");
    // At the end, playing starts from the beginning.
    app.key_press(Key::Space);
    app.run_steps(10);
    assert!(line(&app) < 9);
}

#[test]
fn steps_go_by_command_and_by_turn() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    press(&mut app, Key::ArrowRight);
    press(&mut app, Key::ArrowRight);
    assert_eq!(line(&app), 2);
    press(&mut app, Key::ArrowLeft);
    assert_eq!(line(&app), 1);
    press(&mut app, Key::ArrowLeft);
    assert_eq!(line(&app), 0);
    // A turn ends with the commands drawn together with its number.
    press_shift(&mut app, Key::ArrowRight);
    assert!(line(&app) == 4 && shows(&app, "Turn 1"));
    press_shift(&mut app, Key::ArrowRight);
    assert!(line(&app) == 9 && shows(&app, "Turn 2"));
    press_shift(&mut app, Key::ArrowLeft);
    assert_eq!(line(&app), 4);
    press(&mut app, Key::End);
    assert_eq!(line(&app), 16);
    // The start is the set-up.
    press(&mut app, Key::Home);
    assert!(line(&app) == 4 && shows(&app, "Turn 1"));
}

#[test]
fn the_next_loss_shows_the_board_without_the_piece() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    press(&mut app, Key::ArrowRight);
    press_shift(&mut app, Key::ArrowRight);
    assert!(shows(&app, "2 black and 1 white pieces"));
    press(&mut app, Key::N);
    assert!(shows(&app, "2 black and 0 white pieces"));
    assert!(shows(&app, "E4: black") && !shows(&app, "E2:"));
    assert!(shows(&app, "Reds: 1 point"));
    press(&mut app, Key::N);
    assert!(shows(&app, "No piece off the board after this"));
    press(&mut app, Key::End);
    press(&mut app, Key::P);
    assert!((14..=15).contains(&line(&app)));
}

#[test]
fn dragging_along_the_timeline_seeks() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    let track = app.get_by_label("Timeline").rect();
    // The match is 3.5 s long; the second turn begins at two sevenths of it.
    let at =
        |part: f32| eframe::egui::pos2(track.left() + 16.0 + (track.width() - 32.0) * part, track.center().y);
    app.drag_at(at(0.1));
    app.step();
    app.hover_at(at(0.31));
    app.run_steps(2);
    assert_eq!(line(&app), 9);
    app.hover_at(at(0.05));
    app.run_steps(2);
    assert_eq!(line(&app), 4);
    app.drop_at(at(0.05));
    app.run();
    assert_eq!(line(&app), 4);
}

#[test]
fn speed_and_idle_time_are_the_viewers_choice() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    press(&mut app, Key::CloseBracket);
    press(&mut app, Key::CloseBracket);
    assert!(shows(&app, "Speed 4×"));
    app.key_press(Key::Space);
    app.run_steps(30);
    assert!(line(&app) >= 14, "two seconds of the match in half a second: line {}", line(&app));
    press(&mut app, Key::Num0);
    assert!(shows(&app, "Speed 1×"));
    press(&mut app, Key::I);
    assert!(shows(&app, "Idle time is skipped"));
}

#[test]
fn the_chat_shows_what_was_said_until_now() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    assert!(shows(&app, "Nobody has said anything yet."));
    press(&mut app, Key::End);
    assert!(shows(&app, "Reds: Here we come") && shows(&app, "Blues: Well played"));
    app.get_by_label("Blues: Oh no").click();
    app.run();
    assert_eq!(line(&app), 10);
    assert!(!shows(&app, "Well played"));
}

#[test]
fn the_inspector_judges_every_line_and_goes_to_its_moment() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    press(&mut app, Key::Num3);
    assert!(shows(&app, "16 lines"));
    assert!(shows(&app, "1: turns 1, ok"));
    assert!(shows(&app, "6: sett E0 b1, column 1: expected"));
    app.get_by_label("Filter").click();
    app.run();
    app.get_by_label("Problems").click();
    app.run();
    press(&mut app, Key::Escape);
    assert!(shows(&app, "1 of 16 lines") && !shows(&app, "1: turns 1, ok"));
    let at = app.get_by_label_contains("6: sett E0 b1").rect().center();
    app.drag_at(at);
    app.drop_at(at);
    app.run();
    assert_eq!(line(&app), 6);
    app.get_by_label("Without: Problems").click();
    app.run();
    // While the filter has the focus, letters are no keys.
    press(&mut app, Key::Slash);
    app.get_by_label("Filter lines").type_text("wsay");
    app.run();
    assert!(shows(&app, "2 of 16 lines"));
    assert_eq!(line(&app), 6, "typing moved nothing");
}

#[test]
fn the_help_lists_every_key_that_the_game_has_a_use_for() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    press(&mut app, Key::Questionmark);
    for entry in grandstand_gui::actions::ACTIONS {
        // Abalone has no list of moves, and no units.
        let is_of_others = [
            "List of moves",
            "Copy the moves",
            "Find the move that lost",
            "Move numbers on or off",
            "Expected moves on or off",
            "Follow the unit under the pointer",
            "Board: zoom to the fight",
        ]
        .contains(&entry.name);
        let is_listed = !entry.keys.is_empty() && !is_of_others;
        assert_eq!(shows(&app, entry.name), is_listed, "{}", entry.name);
    }
    press(&mut app, Key::Escape);
    assert!(!shows(&app, "Playing and seeking"));
}

#[test]
fn a_damaged_recording_is_shown_up_to_the_damage() {
    let folder = Folder::new();
    let whole = replay();
    let cut = whole.find("\"wsay Oh no").expect("the line") + 4;
    let path = folder.file("cut.replay", &whole[..cut]);
    let mut app = window(Some(Target::File(path)), Vec2::new(1280.0, 800.0));
    wait_for(&mut app, "This recording is good up to here: line 11");
    press(&mut app, Key::End);
    assert_eq!(line(&app), 9);
}

#[test]
fn what_can_not_be_opened_says_why_and_what_to_do() {
    let folder = Folder::new();
    let cases = [
        (folder.join("none.replay"), "The file can't be read", "Check the name"),
        (folder.file("notes.replay", "hello\n"), "Not a replay", "grandstand convert"),
        (folder.file("empty.replay", ""), "The recording is empty", "Nothing was written"),
        (
            folder.file("newer.replay", "{\"grandstand\":9,\"game\":\"abalone\"}\n"),
            "Recorded by a newer version",
            "Update this program",
        ),
    ];
    for (path, title, advice) in cases {
        let mut app = window(Some(Target::File(path)), Vec2::new(800.0, 600.0));
        wait_for(&mut app, title);
        assert!(shows(&app, advice), "{advice}");
        app.get_by_label("Back to the list").click();
        app.run_steps(3);
        assert!(shows(&app, "Address or file"));
    }
}

/// Rectangle of a label in pixels of the window.
fn place(app: &Window, label: &str) -> Option<Rect> {
    let node = app.query_by_label(label)?;
    let zoom = app.ctx.zoom_factor();
    Some(Rect::from_min_max(
        (node.rect().min.to_vec2() * zoom).to_pos2(),
        (node.rect().max.to_vec2() * zoom).to_pos2(),
    ))
}

#[test]
fn the_window_is_usable_from_small_to_huge() {
    let folder = Folder::new();
    let path = folder.file("final.replay", replay());
    for (width, height) in [
        (480.0, 400.0),
        (800.0, 600.0),
        (1920.0, 1080.0),
        (3840.0, 2160.0),
        // Phones, upright and across.
        (390.0, 844.0),
        (360.0, 640.0),
        (568.0, 320.0),
        (740.0, 360.0),
        (915.0, 412.0),
    ] {
        let mut app = window(Some(Target::File(path.clone())), Vec2::new(width, height));
        wait_for(&mut app, "Pause");
        app.run_steps(3);
        let window = Rect::from_min_size(Pos2::ZERO, Vec2::new(width, height));
        let labels = ["Timeline", "Pause", "Next turn", "Skip idle time", "Speed 1×", "Side panel on or off"];
        let places: Vec<Rect> = labels.iter().map(|label| place(&app, label).expect(label)).collect();
        for (index, (label, rect)) in labels.iter().zip(&places).enumerate() {
            assert!(window.expand(1.0).contains_rect(*rect), "{label} at {rect} in {window}");
            for (other, second) in labels.iter().zip(&places).skip(index + 1) {
                assert!(!rect.shrink(1.0).intersects(*second), "{label} and {other} in {window}");
            }
        }
    }
}

#[test]
fn on_a_phone_the_panel_is_a_sheet_that_opens_and_closes() {
    let folder = Folder::new();
    let path = folder.file("final.replay", replay());
    let mut app = window(Some(Target::File(path)), Vec2::new(390.0, 844.0));
    wait_for(&mut app, "Pause");
    app.run_steps(3);
    let click = |app: &mut Window, label: &str| {
        app.get_by_label(label).click();
        app.run_steps(3);
    };
    // It stands below the board, where that leaves it room, and the card at the end takes its place; the board stays where it is.
    let board = |app: &Window| app.get_by_label_contains("Abalone board").rect();
    let sheet = place(&app, "Protocol").expect("the tabs");
    let before = board(&app);
    assert!(sheet.top() >= before.bottom() && before.width() > 360.0, "{sheet} below {before}");
    press(&mut app, Key::End);
    assert!(shows(&app, "The match is over") && !shows(&app, "Protocol"));
    assert_eq!(board(&app), before);
    press(&mut app, Key::Home);
    assert!(!shows(&app, "The match is over") && shows(&app, "Protocol"));
    assert_eq!(board(&app), before);
    click(&mut app, "Close the panel");
    assert!(!shows(&app, "Close the panel") && !shows(&app, "Protocol"));
    click(&mut app, "Side panel on or off");
    click(&mut app, "Talk");
    press(&mut app, Key::End);
    assert!(shows(&app, "Reds: Here we come") && shows(&app, "2 black and 0 white pieces"));
    // The sheet lies between the board and the timeline.
    let talk = place(&app, "Reds: Here we come").expect("the talk");
    assert!(talk.bottom() <= place(&app, "Timeline").expect("the timeline").top() + 1.0);
    assert!(talk.top() > 422.0 - 50.0, "{talk}");
    click(&mut app, "Close the panel");
    assert!(!shows(&app, "Reds: Here we come") && shows(&app, "Timeline"));
    // A key opens the sheet at the protocol. Escape closes it first, then leaves the match.
    press(&mut app, Key::Num3);
    assert!(shows(&app, "16 lines"));
    press(&mut app, Key::Escape);
    assert!(!shows(&app, "16 lines") && shows(&app, "Timeline"));
    assert!(shows(&app, "The match is over"));
    press(&mut app, Key::Escape);
    assert!(!shows(&app, "The match is over") && shows(&app, "Timeline"));
    press(&mut app, Key::Escape);
    assert!(!shows(&app, "Timeline"));
}
