//! Spoiler mode: nothing tells what the viewer has not seen.

mod support;

use std::time::Duration;

use eframe::egui::{Key, vec2};
use egui_kittest::kittest::NodeT;
use grandstand_gui::Target;

use support::{FakeServer, Folder, Window, replay, respond, shows, wait_for, window};

/// Everything that the accessibility tree and the picture say.
fn told(app: &Window) -> Vec<String> {
    let nodes = app.root().children_recursive();
    let mut words: Vec<String> =
        nodes.filter_map(|node| node.accesskit_node().label().or(node.accesskit_node().value())).collect();
    words.extend(app.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
        eframe::egui::Shape::Text(text) => Some(text.galley.text().to_owned()),
        _ => None,
    }));
    words
}

/// What nobody may say before the end was seen: the result, the lines, the length, and what is said and done later.
const SECRETS: &[&str] = &["wins", "of 16", "16 lines", "0:03", "3.5", "Well played", "Oh no", "set E4 b0"];

#[test]
fn no_part_of_the_screen_tells_what_comes_until_it_was_seen() {
    let folder = Folder::new("spoilers");
    let path = folder.file("final.replay", &replay());
    for size in [vec2(1280.0, 800.0), vec2(1920.0, 1080.0), vec2(390.0, 844.0)] {
        let mut app = window(None, size);
        app.key_press(Key::S);
        app.run_steps(2);
        let ctx = app.ctx.clone();
        app.state_mut().open(&ctx, Target::File(path.clone()));
        wait_for(&mut app, "Pause");
        app.key_press(Key::Space);
        app.key_press(Key::Home);
        app.run_steps(200);
        for panel in [Key::Num1, Key::Num2] {
            app.key_press(panel);
            app.run_steps(10);
            for words in told(&app) {
                assert!(!SECRETS.iter().any(|secret| words.contains(secret)), "told at {size}: {words}");
            }
        }
        // The end key leads to what was seen, and no further.
        app.key_press(Key::End);
        app.run_steps(4);
        assert!(!shows(&app, "Line 16"));
        // Line by line it becomes known.
        for _ in 0..16 {
            app.key_press(Key::ArrowRight);
            app.run_steps(2);
        }
        app.run_steps(10);
        assert!(shows(&app, "Line 16 of 16"), "{:?}", told(&app));
    }
}

#[test]
fn the_mode_can_begin_and_end_in_the_middle_of_a_match() {
    let folder = Folder::new("spoilers-middle");
    let path = folder.file("final.replay", &replay());
    let mut app = window(Some(Target::File(path)), vec2(1280.0, 800.0));
    wait_for(&mut app, "Pause");
    app.key_press(Key::Space);
    app.key_press(Key::Home);
    app.run_steps(60);
    assert!(told(&app).iter().any(|words| words.contains("of 16")));
    app.key_press(Key::S);
    app.run_steps(200);
    let hidden =
        |app: &Window| !told(app).iter().any(|words| words.contains("of 16") || words.contains("wins"));
    assert!(hidden(&app), "{:?}", told(&app));
    app.key_press(Key::S);
    app.run_steps(10);
    assert!(!hidden(&app));
}

#[test]
fn the_list_tells_no_results_and_no_lengths() {
    let server = FakeServer::new();
    let url = server.url();
    let list = r#"[{"id":"m1","game":"abalone","title":"Final","teams":[],"state":"interrupted","started":"2026-04-11T12:05:00Z","seq":3345,"spectators":0,"result":{"winner":"black","termination":"score"}}]"#;
    let paths = server.run(move |_, _, stream| respond(stream, "200 OK", list));
    let mut app = window(Some(url.parse().expect("a server")), vec2(1280.0, 800.0));
    wait_for(&mut app, "Final, Interrupted");
    assert!(told(&app).iter().any(|words| words.contains("3,345")));
    app.key_press(Key::S);
    app.run_steps(5);
    std::thread::sleep(Duration::from_millis(5));
    for words in told(&app) {
        assert!(!["wins", "3,345", "Interrupted"].iter().any(|secret| words.contains(secret)), "{words}");
    }
    assert!(shows(&app, "Final, Finished"));
    drop(paths);
}
