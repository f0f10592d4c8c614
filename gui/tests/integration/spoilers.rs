//! Tests of spoiler mode: nothing reveals what the viewer has not seen.

use std::path::Path;
use std::time::Duration;

use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Modifiers, OutputCommand, Vec2, pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use grandstand_gui::Target;
use grandstand_replays::{Limits, Replay};
use grandstand_testing::{FakeServer, Folder, recording, replay, respond};

use crate::support::{Window, line, live_match, shows, wait_for, window};

/// A window in spoiler mode with this target.
fn spoiler_free(target: Target, size: Vec2) -> Window {
    let mut app = window(None, size);
    app.key_press(Key::S);
    app.run_steps(2);
    let ctx = app.ctx.clone();
    app.state_mut().open(&ctx, target);
    app
}

/// All texts of the accessibility tree and the picture.
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

/// Texts that must not appear before the end: the result, numbers of lines, the length, and later lines.
const SECRETS: &[&str] = &["wins", "of 16", "16 lines", "0:03", "3.5", "Well played", "Oh no", "set E4 b0"];

#[test]
fn no_part_of_the_screen_tells_what_comes_until_it_was_seen() {
    let folder = Folder::new();
    let path = folder.file("final.replay", replay());
    for size in [vec2(1280.0, 800.0), vec2(1920.0, 1080.0), vec2(390.0, 844.0)] {
        let mut app = spoiler_free(Target::File(path.clone()), size);
        wait_for(&mut app, "Pause");
        app.key_press(Key::Space);
        app.key_press(Key::Home);
        app.run_steps(200);
        for panel in [Key::Num1, Key::Num3, Key::Num2] {
            app.key_press(panel);
            app.run_steps(10);
            for words in told(&app) {
                assert!(!SECRETS.iter().any(|secret| words.contains(secret)), "told at {size}: {words}");
            }
        }
        // The End key goes to the last seen moment only.
        app.key_press(Key::End);
        app.run_steps(4);
        assert!(!shows(&app, "Line 16"));
        // Steps reveal one line after the other.
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
    let folder = Folder::new();
    let path = folder.file("final.replay", replay());
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
fn moments_do_not_tell_who_foresaw_the_end() {
    let folder = Folder::new();
    let lines = [
        (0.0, "board 15"),
        (0.1, "thought black 29987 9 900 h8"),
        (0.2, "move black h8"),
        (0.3, "thought white -29988 9 900 i9"),
        (0.4, "move white i9"),
    ];
    let path = folder.file("foreseen.replay", recording("gomoku", &lines));
    let mut app = spoiler_free(Target::File(path), vec2(1280.0, 800.0));
    wait_for(&mut app, "Watch again");
    app.key_press(Key::Num2);
    app.run_steps(10);
    let foreseen = |app: &Window| told(app).into_iter().filter(|words| words.contains(" seen by")).count();
    assert_eq!(foreseen(&app), 0, "{:?}", told(&app));
    app.key_press(Key::S);
    app.run_steps(10);
    assert!(foreseen(&app) > 0, "{:?}", told(&app));
}

#[test]
fn the_protocol_panel_keeps_up_with_the_picture() {
    let folder = Folder::new();
    let lines: Vec<(f64, String)> = (0..400).map(|n| (f64::from(n) * 0.05, format!("bscore {n}"))).collect();
    let lines: Vec<(f64, &str)> = lines.iter().map(|(secs, line)| (*secs, line.as_str())).collect();
    let path = folder.file("long.replay", recording("abalone", &lines));
    let mut app = spoiler_free(Target::File(path), vec2(1280.0, 800.0));
    wait_for(&mut app, "Pause");
    app.key_press(Key::Home);
    app.key_press(Key::Num3);
    let in_list = |app: &Window| {
        let shown = line(app);
        app.query_all_by_label_contains(&format!("{shown}: bscore")).count() == 1
    };
    for _ in 0..120 {
        app.step();
        assert!(
            !shows(&app, "This line is missing") && (line(&app) == 0 || in_list(&app)),
            "{:?}",
            told(&app)
        );
    }
    for key in [Key::Space, Key::PageDown, Key::PageDown, Key::S] {
        app.key_press(key);
        app.run_steps(5);
        assert!(!shows(&app, "This line is missing") && in_list(&app), "{:?}", told(&app));
    }
}

#[test]
fn the_list_tells_no_results_and_no_lengths() {
    let server = FakeServer::new();
    let url = server.url();
    let list = r#"[{"id":"m1","game":"abalone","title":"Final","teams":[],"state":"interrupted","started":"2026-04-11T12:05:00Z","seq":3345,"spectators":0,"result":{"winner":"black","termination":"score"}}]"#;
    let paths = server.run(move |_, _, stream| respond(stream, "200 OK", list));
    let mut app = window(Some(url.parse().expect("a server")), vec2(1280.0, 800.0));
    wait_for(&mut app, "Final, Interrupted");
    assert!(told(&app).iter().any(|words| words.contains("wins")));
    app.key_press(Key::S);
    app.run_steps(5);
    std::thread::sleep(Duration::from_millis(5));
    for words in told(&app) {
        assert!(!["wins", "3,345", "Interrupted"].iter().any(|secret| words.contains(secret)), "{words}");
    }
    assert!(shows(&app, "Final, Finished"));
    drop(paths);
}

/// Unseen lines of a recording, and its length.
fn secrets(replay: &Replay, seen: u64) -> Vec<String> {
    let log = replay.log();
    let mut secrets = vec![format!("of {}", thousands(log.last_seq()))];
    secrets.push(format!("{} lines", thousands(log.last_seq())));
    let before: Vec<&[u8]> = (1..=seen).filter_map(|seq| log.line(seq)).collect();
    let later = (seen + 1..=log.last_seq()).filter_map(|seq| log.line(seq));
    // An unseen line may be the beginning of a seen one: `… 100` of `… 1000`.
    let begins = |line: &[u8]| before.iter().any(|seen| seen.starts_with(line));
    let told = later.filter(|line| line.len() > 12 && !begins(line));
    secrets.extend(told.map(|line| String::from_utf8_lossy(line).into_owned()));
    secrets
}

fn thousands(number: u64) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", number / 1000, number % 1000),
    }
}

#[test]
fn of_no_game_is_anything_told_that_was_not_seen() {
    for name in [
        "team-simple_bot.replay",
        "shark-shark-stupidbot.replay.zst",
        "fortress-strong-strong.replay.zst",
        "gomoku-stupid-stupid.replay",
        "pente-stupid-stupid.replay",
        "riskless-alphabeta-random.replay",
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../replays/samples").join(name);
        let file = std::fs::read(&path).expect("a sample");
        let replay = Replay::open(&file, Limits::default()).expect("a replay");
        let mut app = spoiler_free(Target::File(path), vec2(1920.0, 1080.0));
        wait_for(&mut app, "Pause");
        app.key_press(Key::Space);
        app.key_press(Key::Home);
        app.run_steps(20);
        // To a moment inside the match.
        app.key_press_modifiers(Modifiers::SHIFT, Key::ArrowRight);
        app.key_press_modifiers(Modifiers::SHIFT, Key::ArrowRight);
        app.run_steps(30);
        let at = told(&app).iter().find_map(|words| {
            words.strip_prefix("Line ").and_then(|number| number.replace(',', "").parse().ok())
        });
        let seen: u64 = at.expect("a line");
        assert!(seen > 0 && seen < replay.log().last_seq(), "{name}: {seen}");
        let secrets = secrets(&replay, seen);
        let is_kept = |app: &Window| {
            for words in told(app) {
                let secret = secrets.iter().find(|secret| words.contains(&**secret));
                assert_eq!(secret, None, "{name} at line {seen}: {words}");
                assert!(!words.contains("wins"), "{name}: {words}");
            }
        };
        for panel in [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6] {
            app.key_press(panel);
            app.run_steps(5);
            is_kept(&app);
        }
        // What the pointer finds along the timeline and in the panel: pictures, values, tooltips.
        app.key_press(Key::Num1);
        for n in 0..40 {
            let across = n as f32 * 48.0 + 12.0;
            for at in [pos2(across, 985.0), pos2(across, 1020.0), pos2(1720.0, across * 0.5)] {
                app.hover_at(at);
                app.run_steps(2);
                is_kept(&app);
            }
        }
        assert!(told(&app).iter().any(|words| words == "No spoilers"));
    }
}

#[test]
fn what_comes_while_the_picture_stands_is_not_told() {
    let (target, go_on) = live_match("", &[(1, 9), (10, 16)]);
    let mut app = spoiler_free(target, vec2(1280.0, 800.0));
    wait_for(&mut app, "Line 9");
    app.key_press(Key::Space);
    wait_for(&mut app, "Back to live");
    go_on.send(()).expect("a server");
    // Waits for the commands to arrive.
    std::thread::sleep(Duration::from_millis(300));
    app.run_steps(60);
    for panel in [Key::Num1, Key::Num3, Key::Num2] {
        app.key_press(panel);
        app.run_steps(5);
        for words in told(&app) {
            assert!(!["Oh no", "Well played", "E4 b0", "of 16"].iter().any(|s| words.contains(s)), "{words}");
        }
    }
    app.key_press(Key::L);
    wait_for(&mut app, "Line 16 of 16");
}

#[test]
fn bookmarks_of_a_link_are_known_when_the_match_has_come_so_far() {
    let (target, _server) = live_match("&seq=4&marks=4:set+up,14:the+push", &[(1, 16)]);
    let mut app = spoiler_free(target, vec2(1280.0, 800.0));
    wait_for(&mut app, "Line 4");
    app.key_press(Key::Num2);
    app.run_steps(5);
    let push = |app: &Window| told(app).iter().any(|words| words.contains("the push"));
    assert!(shows(&app, ": set up") && !push(&app), "{:?}", told(&app));
    app.get_by_label("Moments and lanes").click();
    app.run_steps(3);
    assert!(!push(&app) && shows(&app, "Remove bookmark set up"));
    app.key_press(Key::Escape);
    app.key_press(Key::J);
    app.run_steps(3);
    assert!(!shows(&app, "Line 14"), "{:?}", told(&app));
    for _ in 0..10 {
        app.key_press(Key::ArrowRight);
        app.run_steps(2);
    }
    assert!(push(&app), "{:?}", told(&app));
}

#[test]
fn the_score_above_the_board_and_its_plot_agree_at_every_command() {
    // Lines 424 to 439 have one time; the point comes with line 426, and more of the turn follows.
    for hides in [false, true] {
        let mut app = crate::support::sample("abalone", vec2(1440.0, 900.0));
        if hides {
            app.key_press(Key::S);
            app.run_steps(2);
        }
        for (seq, score) in [(425, 3), (426, 4), (430, 4)] {
            app.state_mut().want(seq);
            app.run_steps(30);
            assert_eq!(crate::support::line(&app), seq);
            let words = format!("Score over time: team (black) {score}, team (white) 3");
            assert!(shows(&app, &words), "line {seq}, spoiler mode {hides}: {:?}", told(&app));
        }
    }
}

#[test]
fn neither_the_palette_nor_an_export_goes_beyond_what_was_seen() {
    let folder = Folder::new();
    let path = folder.file("final.replay", replay());
    let mut app = spoiler_free(Target::File(path), vec2(1280.0, 800.0));
    wait_for(&mut app, "Pause");
    app.key_press(Key::Space);
    app.key_press(Key::Home);
    app.run_steps(3);
    // One command after the set-up.
    app.key_press(Key::ArrowRight);
    app.run_steps(2);
    app.key_press_modifiers(Modifiers::COMMAND, Key::K);
    app.run_steps(3);
    app.event(eframe::egui::Event::Text("14".to_owned()));
    app.run_steps(3);
    app.key_press(Key::Enter);
    app.run_steps(3);
    assert!(told(&app).contains(&"Line 5".to_owned()), "{:?}", told(&app));

    app.key_press(Key::E);
    app.run_steps(3);
    let field = "Moment";
    app.get_by_role_and_label(Role::TextInput, field).focus();
    app.run_steps(2);
    app.key_press_modifiers(Modifiers::COMMAND, Key::A);
    app.get_by_role_and_label(Role::TextInput, field).type_text("14");
    app.run_steps(2);
    app.get_by_label("Export").click();
    app.run_steps(10);
    assert!(!shows(&app, "Saved: "), "{:?}", told(&app));
    for words in told(&app) {
        assert!(!SECRETS.iter().any(|secret| words.contains(secret)), "{words}");
    }
}

/// Everything that a page makes its address and its title of, the window's title, and the texts of links and of code that
/// can be copied.
fn addresses(app: &mut Window) -> Vec<String> {
    let mut told = vec![format!("{:?}", app.state().status())];
    app.key_press_modifiers(Modifiers::COMMAND, Key::L);
    app.step();
    app.step();
    told.extend(copied(app));
    // The texts of the dialog.
    app.key_press_modifiers(Modifiers::SHIFT, Key::L);
    app.run_steps(3);
    told.extend(self::told(app));
    for button in ["Copy", "Copy picture"] {
        let count = app.query_all_by_label(button).count();
        for n in 0..count {
            app.query_all_by_label(button).nth(n).expect("a button").click();
            app.step();
            app.step();
            told.extend(copied(app));
        }
    }
    app.key_press(Key::Escape);
    app.run_steps(3);
    let titles = app.output().viewport_output.values().flat_map(|viewport| &viewport.commands);
    told.extend(titles.map(|command| format!("{command:?}")));
    told
}

/// Texts that were copied in the last frame.
fn copied(app: &Window) -> Vec<String> {
    let commands = app.output().platform_output.commands.iter();
    let texts = commands.filter_map(|command| match command {
        OutputCommand::CopyText(text) => Some(text.clone()),
        OutputCommand::OpenUrl(url) => Some(url.url.clone()),
        _ => None,
    });
    texts.collect()
}

#[test]
fn neither_titles_nor_addresses_nor_links_tell_what_lies_ahead() {
    let folder = Folder::new();
    let path = folder.file("final.replay", replay());
    let (live, _server) = live_match("", &[(1, 16)]);
    for target in [Target::File(path), live] {
        let is_file = matches!(target, Target::File(_));
        let mut app = spoiler_free(target, vec2(1280.0, 800.0));
        wait_for(&mut app, "Pause");
        app.key_press(Key::Space);
        app.key_press(Key::Home);
        app.run_steps(60);
        app.key_press(Key::ArrowRight);
        app.run_steps(2);
        let texts = addresses(&mut app);
        assert!(texts.iter().any(|text| text.contains("seq: 5")), "{texts:?}");
        // The number of the last line and the length of a live match so far tell nothing of its end.
        let secrets = SECRETS.iter().copied().chain(["end: 16", "duration: 3", "seq=16", "--at 16"]);
        let secrets = secrets.filter(|secret| {
            is_file || !["end: 16", "duration: 3", "of 16", "16 lines", "0:03"].contains(secret)
        });
        for secret in secrets {
            let text = texts.iter().find(|text| text.contains(secret));
            assert_eq!(text, None, "{secret}");
        }
        // Without the mode the same places tell it.
        app.key_press(Key::S);
        app.run_steps(60);
        let texts = addresses(&mut app);
        assert!(texts.iter().any(|text| text.contains("end: 16")), "{texts:?}");
    }
}

#[test]
fn a_wall_begins_recordings_at_their_start() {
    let folder = Folder::new();
    let file =
        |name: &str| Target::File(folder.file(&format!("{name}.replay"), replay().replace("Final", name)));
    let mut app = spoiler_free(Target::Wall(vec![file("a"), file("b")]), vec2(1280.0, 800.0));
    wait_for(&mut app, "a: Reds");
    app.run_steps(5);
    assert!(!told(&app).iter().any(|words| words.contains("wins") || words.contains("3.5")));
    for _ in 0..400 {
        app.step();
    }
    assert!(shows(&app, "a: Reds 1, Blues 0. Reds wins by score"), "{:?}", told(&app));
}
