//! Tests of messages for empty, unstarted, damaged and unknown matches.

use eframe::egui::{Key, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use grandstand_gui::{App, Target};
use grandstand_testing::{FakeServer, Folder, hello, replay, respond, send, upgrade};

use crate::support::{painted, shows, wait_for, window};

const SIZES: [Vec2; 3] = [Vec2::new(390.0, 844.0), Vec2::new(800.0, 600.0), Vec2::new(1920.0, 1080.0)];

#[test]
fn a_file_that_cannot_be_shown_says_why_and_what_to_do() {
    let folder = Folder::new();
    let header = |text: &str| replay().replacen(r#""grandstand":1,"game":"abalone""#, text, 1);
    let cases = [
        ("", "The recording is empty", "Nothing was written into it"),
        ("some notes\nof mine\n", "Not a replay", "grandstand convert"),
        (&header(r#""grandstand":9,"game":"abalone""#), "Recorded by a newer version", "Update this program"),
        (
            &header(r#""grandstand":1,"game":"chess""#),
            "This recording can't be shown",
            "a game that this version does not know",
        ),
        (&replay()[..40], "The recording is damaged", "copy or download it once more"),
    ];
    for (index, (content, title, advice)) in cases.into_iter().enumerate() {
        let path = folder.file(&format!("{index}.replay"), content);
        let mut app = window(Some(Target::File(path)), SIZES[index % 3]);
        wait_for(&mut app, title);
        assert!(shows(&app, advice), "{app:?}");
        app.get_by_label("Back to the list").click();
        app.run_steps(5);
        assert!(shows(&app, "Recordings on this machine"), "{app:?}");
    }
}

#[test]
fn a_recording_that_breaks_off_is_shown_as_far_as_it_is_good() {
    let folder = Folder::new();
    for size in SIZES {
        let whole = replay();
        let cut = whole.find("bscore").expect("a point");
        let path = folder.file("cut.replay", &whole[..cut]);
        let mut app = window(Some(Target::File(path)), size);
        wait_for(&mut app, "This recording is good up to here");
        wait_for(&mut app, "The match is over. The recording ends without a result");
        app.key_press(Key::Escape);
        app.run_steps(5);
        assert!(shows(&app, "No result"), "{app:?}");
    }
}

#[test]
fn a_recording_without_a_line_says_that_there_is_nothing_in_it() {
    let folder = Folder::new();
    let header = replay().lines().next().expect("a header").to_owned();
    let path = folder.file("bare.replay", format!("{header}\n"));
    let mut app = window(Some(Target::File(path)), SIZES[0]);
    wait_for(&mut app, "This match is empty");
}

#[test]
fn a_live_match_that_has_not_begun_is_waited_for() {
    let server = FakeServer::new();
    let url = format!("{}?match=m1", server.url());
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let wait = std::sync::Mutex::new(wait);
    let _paths = server.run(move |_, _, stream| {
        let mut socket = upgrade(stream);
        send(&mut socket, &hello("live").replace("\"seq\":3", "\"seq\":0"));
        let _ = wait.lock().expect("a word").recv();
        send(&mut socket, &grandstand_testing::commands(1, 4));
        std::mem::forget(socket);
    });
    let mut app = window(Some(url.parse().expect("a target")), SIZES[0]);
    wait_for(&mut app, "The match has not begun: waiting for its first line.");
    go.send(()).expect("told");
    wait_for(&mut app, "Line 4");
    assert!(!shows(&app, "has not begun"), "{app:?}");
}

#[test]
fn a_server_without_matches_tells_how_to_see_one() {
    let server = FakeServer::new();
    let url = server.url();
    let _paths = server.run(|_, _, stream| respond(stream, "200 OK", "[]"));
    let mut app = window(Some(url.parse().expect("a server")), SIZES[0]);
    wait_for(&mut app, "No matches yet");
    assert!(shows(&app, "grandstand play abalone team simple_bot --gui 127.0.0.1:3126"), "{app:?}");
}

#[test]
fn the_way_to_see_a_match_has_the_port_that_the_server_says() {
    let server = FakeServer::new();
    let url = server.url();
    let _paths = server.run(|_, _, stream| respond(stream, "200 OK\r\nGrandstand-Feed: 4711", "[]"));
    let mut app = window(Some(url.parse().expect("a server")), SIZES[0]);
    wait_for(&mut app, "--gui 127.0.0.1:4711");
}

#[test]
fn a_comparison_of_which_one_is_missing_says_which_and_why() {
    let folder = Folder::new();
    let there = Target::File(folder.file("there.replay", replay()));
    let missing = Target::File(folder.join("missing.replay"));
    for pair in [[there.clone(), missing.clone()], [missing, there]] {
        let mut app = window(Some(pair.into()), SIZES[1]);
        wait_for(&mut app, "The file can't be read");
    }
}

#[test]
fn a_server_that_says_nothing_is_waited_for_with_a_way_back() {
    let server = FakeServer::new();
    let url = format!("{}?match=m1", server.url());
    let kept = std::sync::Mutex::new(Vec::new());
    let _paths = server.run(move |_, _, stream| kept.lock().expect("the streams").push(stream));
    let target = Some(url.parse().expect("a target"));
    // The spinner requests frames forever.
    let builder = Harness::builder().with_size(SIZES[1]).with_step_dt(1.0 / 20.0).with_max_steps(4);
    let mut app = builder.build_eframe(move |cc| App::new(cc, target));
    assert!(shows(&app, "Opening http") && !shows(&app, "No answer"), "{app:?}");
    assert!(app.query_by_label("Side panel on or off").is_none(), "there is no panel yet");
    wait_for(&mut app, "No answer for");
    app.get_by_label("Back to the list").click();
    app.run_steps(5);
    assert!(shows(&app, "Recordings on this machine"), "{app:?}");
}

#[test]
fn on_a_phone_the_help_tells_the_gestures_first() {
    for (size, is_touched) in [(vec2(390.0, 844.0), true), (vec2(1280.0, 800.0), false)] {
        let mut app = window(None, size);
        app.run_steps(3);
        app.key_press(Key::H);
        app.run_steps(10);
        assert_eq!(shows(&app, "Two fingers on the board"), is_touched, "{size}");
        assert_eq!(shows(&app, "Gestures and shortcuts"), is_touched, "{size}");
    }
}

#[test]
fn the_help_names_every_key_in_full() {
    for size in SIZES {
        let mut app = window(None, size);
        app.run_steps(3);
        app.key_press(Key::H);
        app.run_steps(10);
        let texts = painted(&app);
        let mut seen = 0;
        for entry in grandstand_gui::actions::ACTIONS {
            for (_, cut) in texts.iter().filter(|(text, _)| text == entry.name) {
                seen += 1;
                assert!(!cut, "{size}: {} is cut", entry.name);
            }
        }
        assert!(seen > 10, "{size}: {seen}");
    }
}
