//! Tests of the timeline's moments: navigation, filter, stops, bookmarks, lanes, idle time.

use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Modifiers, Shape, Vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use grandstand_gui::Target;
use grandstand_testing::{Folder, recording};

use crate::support::{Window, line, live_match, painted, rewind, sample, shows, wait_for, window};

/// Match on a grid with all features of the timeline: points, wrong lines, markers of the server, a long turn, and idle
/// time.
const LINES: &[(f64, &str)] = &[
    (0.0, "size 4 3"),
    (0.5, "step 1"),
    (1.0, "score red 1"),
    (1.0, "step 2"),
    (1.5, r#"#gs marker {\"label\":\"First blood\",\"kind\":\"fight\",\"team\":\"red\"}"#),
    (1.5, "step 3"),
    (2.0, "jump"),
    (2.0, "step 4"),
    (2.5, "step 5"),
    (3.0, "score blue 1"),
    (3.0, "step 6"),
    (9.0, "step 7"),
    (9.5, r#"#gs marker {\"label\":\"Halftime\"}"#),
    (10.0, "score red 2"),
    (10.0, "step 8"),
];

/// All labels on the screen.
fn labels(app: &Window) -> String {
    let all = app.query_all_by(|node| node.label().is_some());
    all.filter_map(|node| node.accesskit_node().label()).collect::<Vec<_>>().join("\n")
}

fn press(app: &mut Window, key: Key) {
    app.key_press(key);
    app.run();
}

fn press_shift(app: &mut Window, key: Key) {
    app.key_press_modifiers(Modifiers::SHIFT, key);
    app.run();
}

/// The recording. The teams of a grid have the names of their colors.
fn whole() -> String {
    recording("grid", LINES).replace("Reds", "red").replace("Blues", "blue")
}

fn open(folder: &Folder, size: Vec2) -> Window {
    let path = folder.file("match.replay", whole());
    open_file(path, size)
}

/// A window with a recording, paused before its first command.
pub(crate) fn open_file(path: std::path::PathBuf, size: Vec2) -> Window {
    let mut app = window(Some(Target::File(path)), size);
    wait_for(&mut app, "Pause");
    app.key_press(Key::Space);
    rewind(&mut app);
    app.run();
    app
}

const SIZE: Vec2 = Vec2::new(1280.0, 800.0);

/// Lines at which the match stops when `go` is repeated.
fn stops(app: &mut Window, go: impl Fn(&mut Window)) -> Vec<u64> {
    let mut stops = Vec::new();
    loop {
        let before = line(app);
        go(app);
        if line(app) == before {
            return stops;
        }
        stops.push(line(app));
    }
}

#[test]
fn every_kind_of_moment_is_gone_to_and_events_alone_too() {
    let folder = Folder::new();
    let mut app = open(&folder, SIZE);
    let all = stops(&mut app, |app| press(app, Key::J));
    // Points with their turns, the server's markers, the wrong line, the long turn.
    assert_eq!(all, [4, 6, 7, 11, 12, 13, 15]);
    assert!(shows(&app, "No moment after this"));
    let back = stops(&mut app, |app| press_shift(app, Key::J));
    assert_eq!(back, [13, 12, 11, 7, 6, 4]);
    press(&mut app, Key::Home);
    assert_eq!(stops(&mut app, |app| press(app, Key::N)), [4, 11, 15]);
}

#[test]
fn the_list_of_moments_says_what_happened_and_leads_there() {
    let folder = Folder::new();
    let mut app = open(&folder, SIZE);
    press(&mut app, Key::Num2);
    // Only key moments by default.
    assert!(shows(&app, "Point for red") && !shows(&app, "A line that was not understood"));
    all_moments(&mut app);
    for text in [
        "All moments: 8",
        "0:01.0: Point for red",
        "0:01.5: First blood",
        "0:02.0: A line that was not understood",
        "0:03.0: Point for blue",
        "0:09.0: A turn of 6.0 s",
        "0:09.5: Halftime",
        "0:10.5: red wins by score",
    ] {
        assert!(shows(&app, text), "{text}\n{}", labels(&app));
    }
    app.get_by_label_contains("0:03.0: Point for blue").click();
    app.run();
    assert_eq!(line(&app), 11);
}

#[test]
fn the_moments_of_every_game_end_with_the_result() {
    for game in ["abalone", "shark", "fortress", "gomoku", "riskless"] {
        for size in [SIZE, Vec2::new(390.0, 844.0)] {
            let mut app = sample(game, size);
            press(&mut app, Key::Num2);
            press(&mut app, Key::End);
            wait_for(&mut app, "The match is over");
            app.run_steps(20);
            let rows: Vec<String> = app
                .query_all_by_role(Role::ListItem)
                .filter_map(|row| row.accesskit_node().label())
                .filter(|label| label.split(':').next().is_some_and(|first| first.parse::<u32>().is_ok()))
                .collect();
            let last = rows.last().map_or("", String::as_str);
            assert!(last.contains(" wins") || last.contains(": Draw"), "{game} {size}: {rows:?}");
        }
    }
}

#[test]
fn a_moment_names_who_acted_also_in_a_narrow_list() {
    // By the name, or where that leaves the turn no room by the colour.
    let names = [("alphabeta:depth=2", "Red"), ("random", "Blue")];
    for size in [Vec2::new(800.0, 600.0), Vec2::new(390.0, 844.0)] {
        let mut app = sample("riskless", size);
        press(&mut app, Key::Num2);
        all_moments(&mut app);
        app.run_steps(8);
        let rows = app.query_all_by_role(Role::ListItem).filter_map(|row| row.accesskit_node().label());
        let rows: Vec<String> = rows.filter(|label| label.contains(" by ")).collect();
        for (name, colour) in names {
            let acted = rows.iter().filter(|row| row.contains(&format!("by {name}"))).count();
            let told = painted(&app);
            let names = |text: &str| text.contains(name) || text.contains(colour);
            let told = told.iter().filter(|(text, cut)| !cut && names(text)).count();
            // The score has both names too.
            assert!(
                told > acted && (acted > 0 || name == "random"),
                "{size} {name}: {rows:?} {:?}",
                painted(&app)
            );
        }
    }
}

fn all_moments(app: &mut Window) {
    app.get_by_label_contains("All moments").click();
    app.run();
}

fn choose(app: &mut Window, label: &str) {
    app.get_by_label("Moments and lanes").click();
    app.run();
    app.get_by_label(label).click();
    app.run();
    app.key_press(Key::Escape);
    app.run();
}

#[test]
fn the_filter_decides_what_is_shown_and_gone_to() {
    let folder = Folder::new();
    let mut app = open(&folder, SIZE);
    press(&mut app, Key::Num2);
    choose(&mut app, "Points (3)");
    assert!(shows(&app, "All moments: 5") && !shows(&app, "Point for red"), "{}", labels(&app));
    assert_eq!(stops(&mut app, |app| press(app, Key::J)), [6, 7, 12, 13]);
    press(&mut app, Key::Home);
    press(&mut app, Key::N);
    assert_eq!(line(&app), 1, "no event is left");
    choose(&mut app, "Points (3)");
    choose(&mut app, "Only red");
    assert_eq!(stops(&mut app, |app| press(app, Key::J)), [4, 6, 15]);
}

#[test]
fn moments_are_reached_by_mouse_and_touch() {
    let folder = Folder::new();
    let mut app = open(&folder, SIZE);
    // The moments beside the plots have such buttons too.
    press(&mut app, Key::Num3);
    app.get_by_label("Moments and lanes").click();
    app.run();
    let lines = |app: &mut Window, label: &str, count: usize| -> Vec<u64> {
        let mut step = || {
            app.get_by_label(label).click();
            app.run();
            line(app)
        };
        (0..count).map(|_| step()).collect()
    };
    let points = lines(&mut app, "Next: Points", 4);
    assert_eq!(points[..3], [4, 11, 15], "{}", labels(&app));
    assert!(points[3] == 15 && shows(&app, "No moment after this"));
    assert_eq!(lines(&mut app, "Previous: Points", 2), [11, 4]);
    assert_eq!(lines(&mut app, "Next: any moment", 2), [6, 7]);
    assert_eq!(lines(&mut app, "Previous: any moment", 1), [6]);
    // On a phone the buttons are in the list of moments.
    let mut app = open(&folder, Vec2::new(390.0, 844.0));
    press(&mut app, Key::Num2);
    assert_eq!(lines(&mut app, "Next: any moment", 2), [4, 6]);
}

#[test]
fn the_picture_stops_at_every_moment() {
    let folder = Folder::new();
    let mut app = open(&folder, SIZE);
    press(&mut app, Key::G);
    assert!(shows(&app, "Stops at every moment"));
    for expected in [4, 6, 7] {
        app.key_press(Key::Space);
        app.run_steps(90);
        assert_eq!(line(&app), expected);
        assert!(shows(&app, "Play"), "it stands still");
    }
    // Seeking does not stop at moments.
    press(&mut app, Key::End);
    assert_eq!(line(&app), 15);
}

#[test]
fn bookmarks_are_set_named_gone_to_saved_and_read_back() {
    let folder = Folder::new();
    let mut app = open(&folder, SIZE);
    (0..5).for_each(|_| press(&mut app, Key::ArrowRight));
    press(&mut app, Key::A);
    assert!(shows(&app, "Bookmark 1 set"));
    press(&mut app, Key::Num2);
    assert!(shows(&app, "All moments: 9") && shows(&app, "0:01.5: Bookmark 1"), "{}", labels(&app));
    app.get_by_label("Moments and lanes").click();
    app.run();
    let field = app.get_by_label("Name of the bookmark at 0:01.5");
    field.focus();
    app.run();
    app.get_by_label("Name of the bookmark at 0:01.5").type_text(", a b");
    app.run();
    app.key_press(Key::Escape);
    app.run();
    assert!(shows(&app, "0:01.5: Bookmark 1, a b"), "{}", labels(&app));
    press(&mut app, Key::Home);
    press(&mut app, Key::J);
    press(&mut app, Key::J);
    assert_eq!(line(&app), 5, "the bookmark comes before what is whole later");
    app.get_by_label("Moments and lanes").click();
    app.run();
    app.get_by_label("Save with bookmarks…").click();
    app.run_steps(10);
    let saved = folder.join("match.marked.replay");
    wait_for(&mut app, "Saved: ");
    let mut again = open_file(saved.clone(), SIZE);
    press(&mut again, Key::Num2);
    assert!(shows(&again, "0:01.5: Bookmark 1, a b"), "{}", labels(&again));
    press(&mut again, Key::End);
    assert_eq!(line(&again), 16);
    // Bookmarks from a file can be renamed and removed; the next copy has no removed ones.
    assert_eq!(line(&again), 16);
    press(&mut again, Key::Home);
    (0..6).for_each(|_| press(&mut again, Key::ArrowRight));
    again.get_by_label("Moments and lanes").click();
    again.run();
    again.get_by_label("Remove bookmark Bookmark 1, a b").click();
    again.run();
    assert!(!shows(&again, "Remove bookmark") && !shows(&again, "0:01.5: Book"), "{}", labels(&again));
    again.get_by_label("Save with bookmarks…").click();
    again.run_steps(10);
    wait_for(&mut again, "Saved: ");
    // Files are not overwritten: this is a third file.
    let files =
        std::fs::read_dir(folder.path()).expect("the folder").map(|file| file.expect("a file").path());
    let known = ["match.replay", "match.marked.replay"];
    let third = files.into_iter().find(|path| !known.iter().any(|name| path.ends_with(name)));
    let bare = std::fs::read_to_string(third.expect("a third file")).expect("the copy");
    assert!(!bare.contains("Bookmark") && bare.lines().count() == whole().lines().count(), "{bare}");
    let original = std::fs::read_to_string(folder.join("match.replay")).expect("the recording");
    assert_eq!(original, whole(), "the recording is as it was");
    // Removes the bookmark again.
    press(&mut app, Key::Escape);
    assert_eq!(line(&app), 5);
    press(&mut app, Key::A);
    assert!(shows(&app, "Bookmark removed") && !shows(&app, "Bookmark 1, a b"), "{}", labels(&app));
}

#[test]
fn the_end_has_the_mark_of_the_result_whose_preview_tells_it() {
    let folder = Folder::new();
    let mut app = open(&folder, SIZE);
    press(&mut app, Key::Space);
    press(&mut app, Key::Home);
    let told =
        |app: &Window| painted(app).iter().filter(|(text, _)| text.contains("red wins by score")).count();
    // The list of moments has it, too.
    let elsewhere = told(&app);
    let track = app.get_by_label("Timeline").rect();
    for (part, expected) in [(0.5, 0), (1.0, 1)] {
        app.hover_at(eframe::egui::pos2(
            track.left() + 16.0 + (track.width() - 32.0) * part,
            track.center().y,
        ));
        app.run_steps(6);
        assert_eq!(told(&app), elsewhere + expected, "{part}: {:?}", painted(&app));
    }
}

#[test]
fn at_the_end_the_preview_tells_the_result_before_what_came_with_it() {
    let folder = Folder::new();
    let points: Vec<String> = (1..=6).map(|points| format!("bscore {points}")).collect();
    let mut lines = vec![(0.0, "set E0 b0"), (0.1, "turns 1")];
    lines.extend(points.iter().enumerate().map(|(n, line)| (600.0 + 0.02 * n as f64, line.as_str())));
    let mut app = open_file(folder.file("rush.replay", recording("abalone", &lines)), SIZE);
    press(&mut app, Key::Space);
    press(&mut app, Key::Home);
    let told = |app: &Window| painted(app).iter().filter(|(text, _)| text.contains("wins by score")).count();
    let elsewhere = told(&app);
    let track = app.get_by_label("Timeline").rect();
    app.hover_at(eframe::egui::pos2(track.right() - 16.0, track.center().y));
    app.run_steps(6);
    assert!(painted(&app).iter().any(|(text, _)| text.starts_with("and ")), "{:?}", painted(&app));
    assert_eq!(told(&app), elsewhere + 1, "{:?}", painted(&app));
}

#[test]
fn lanes_say_lead_thinking_and_activity_and_lead_to_their_time() {
    let folder = Folder::new();
    let mut app = open(&folder, SIZE);
    press(&mut app, Key::End);
    assert!(shows(&app, "Lead: red 2, blue 1"), "{}", labels(&app));
    assert!(shows(&app, "Thinking time: ") && shows(&app, "Activity: "));
    let lane = app.get_by_label_contains("Activity: ").rect();
    let at = eframe::egui::pos2(lane.left() + lane.width() * 0.5, lane.center().y);
    app.drag_at(at);
    app.drop_at(at);
    app.run();
    assert_eq!(line(&app), 11, "in the middle nothing happens for long");
    choose(&mut app, "Activity");
    assert!(!shows(&app, "Activity: "));
    // A phone has room for one lane, a low window for none.
    for (size, lanes) in [(Vec2::new(390.0, 844.0), 1), (Vec2::new(740.0, 360.0), 0)] {
        let app = open(&folder, size);
        let shown = ["Lead: ", "Thinking time: ", "Activity: "].iter().filter(|name| shows(&app, name));
        assert_eq!(shown.count(), lanes, "{size}");
    }
}

#[test]
fn where_nobody_takes_turns_or_all_of_them_take_the_same_time_there_is_no_lane_of_thinking() {
    for name in [
        "shark-shark-stupidbot.replay.zst",
        "fortress-strong-strong.replay.zst",
        "team-team.replay",
        "riskless-alphabeta-random.replay",
    ] {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../replays/samples/").to_owned() + name;
        let mut app = window(Some(Target::File(path.into())), SIZE);
        wait_for(&mut app, "Lead: ");
        press(&mut app, Key::End);
        assert!(!shows(&app, "Thinking time"), "{name}: {}", labels(&app));
    }
}

#[test]
fn idle_time_is_skipped_down_to_the_amount_that_is_chosen() {
    let folder = Folder::new();
    // From line 11 at 3 s to line 12 at 9 s.
    let frames = |presses: usize| {
        let mut app = open(&folder, SIZE);
        for _ in 0..presses {
            press_shift(&mut app, Key::I);
        }
        (0..11).for_each(|_| press(&mut app, Key::ArrowRight));
        app.key_press(Key::Space);
        let mut frames = 0;
        while line(&app) < 12 {
            app.step();
            frames += 1;
            assert!(frames < 1000);
        }
        frames
    };
    for (presses, frames_expected) in [(0, 360), (1, 120), (2, 48), (3, 18), (4, 360)] {
        let found = frames(presses);
        assert!((frames_expected..frames_expected + 8).contains(&found), "{presses}: {found} frames");
    }
    let mut app = open(&folder, SIZE);
    press_shift(&mut app, Key::I);
    assert!(shows(&app, "Idle time played: at most 2.0 s"));
    press(&mut app, Key::I);
    press(&mut app, Key::I);
    press_shift(&mut app, Key::I);
    assert!(shows(&app, "Idle time played: at most 0.8 s"), "the amount is kept while all is played");
}

#[test]
fn moments_of_a_live_match_come_as_it_goes_on_and_stop_it() {
    let (target, go_on) = live_match("", &[(1, 9), (10, 15)]);
    let mut app = window(Some(target), SIZE);
    wait_for(&mut app, "Line 9 of 9");
    app.key_press(Key::Num2);
    app.key_press(Key::G);
    app.run_steps(3);
    app.get_by_label_contains("All moments").click();
    app.run_steps(3);
    assert!(shows(&app, ": A line that was not understood"), "{}", labels(&app));
    assert!(shows(&app, "Live"), "what was there before does not stop it");
    go_on.send(()).expect("a server");
    wait_for(&mut app, "Point for Reds");
    wait_for(&mut app, "Back to live");
    assert!(shows(&app, "Play") && shows(&app, "2 black and 0 white pieces"), "{}", labels(&app));
}

#[test]
fn a_link_brings_its_bookmarks() {
    let (target, _server) = live_match("&seq=9&marks=4:set+up,9:a%5C,b", &[(1, 15)]);
    let mut app = window(Some(target), SIZE);
    wait_for(&mut app, "Line 9 of 15");
    app.key_press(Key::Num2);
    app.run_steps(3);
    assert!(shows(&app, ": set up") && shows(&app, ": a,b"), "{}", labels(&app));
    app.key_press_modifiers(Modifiers::SHIFT, Key::J);
    app.run_steps(3);
    app.key_press_modifiers(Modifiers::SHIFT, Key::J);
    app.run_steps(3);
    assert!(shows(&app, "Line 4 of 15"), "{}", labels(&app));
}

#[test]
fn idle_time_is_skipped_while_catching_up_with_a_live_match() {
    // Two seconds between lines 10 and 11; at most 0.3 s of them are played, or all.
    for (presses, expected) in [(3, 18), (0, 120)] {
        let (target, go_on) = live_match("", &[(1, 10), (11, 16)]);
        go_on.send(()).expect("a server");
        let mut app = window(Some(target), SIZE);
        wait_for(&mut app, "of 16");
        (0..presses).for_each(|_| app.key_press_modifiers(Modifiers::SHIFT, Key::I));
        app.run_steps(2);
        // From the start it plays on, as it did before.
        app.key_press(Key::Home);
        app.step();
        let mut frames = 0;
        while !shows(&app, "Line 16 of 16") {
            assert!(frames < 1000, "{}", labels(&app));
            app.step();
            frames += 1;
        }
        assert!((expected - 2..expected + 8).contains(&frames), "{presses}: {frames} frames");
        // The match is live again after catching up.
        app.run_steps(3);
        let live = app.get_by_role_and_label(eframe::egui::accesskit::Role::Button, "Live");
        assert!(live.accesskit_node().label().is_some() && !shows(&app, "Back to live"), "{}", labels(&app));
    }
}

#[test]
fn a_flood_of_moments_is_drawn_in_bounds() {
    let folder = Folder::new();
    let lines: Vec<(f64, String)> = (0..30_000)
        .map(|n| match n % 5 {
            0 => (f64::from(n) / 100.0, "jump".to_owned()),
            1 => (f64::from(n) / 100.0, format!("score red {n}")),
            2 => (f64::from(n) / 100.0, format!(r#"#gs marker {{\"label\":\"Mark {n}\"}}"#)),
            _ => (f64::from(n) / 100.0, format!("step {n}")),
        })
        .collect();
    let lines: Vec<(f64, &str)> = lines.iter().map(|(t, line)| (*t, line.as_str())).collect();
    let path = folder.file("flood.replay", recording("grid", &lines));
    let mut app = open_file(path, SIZE);
    app.run_steps(60);
    // The number of shapes does not grow with the number of moments.
    assert!(app.output().shapes.len() < 4000, "{} shapes", app.output().shapes.len());
}

#[test]
fn at_any_width_there_is_room_for_the_time() {
    let folder = Folder::new();
    for width in (360..=1000).step_by(40) {
        let app = open(&folder, Vec2::new(width as f32, 700.0));
        let room = app.get_by_label_contains("Line ").rect().width();
        assert!(room >= 50.0, "{width}: {room}");
    }
}

#[test]
fn the_names_of_lanes_stand_before_them() {
    let folder = Folder::new();
    for size in [Vec2::new(800.0, 600.0), Vec2::new(1280.0, 800.0)] {
        let mut app = open(&folder, size);
        app.run_steps(5);
        let lane = app.get_by_label_contains("Lead: red").rect();
        let shapes = app.output().shapes.iter();
        let mut names = shapes.filter_map(|clipped| match &clipped.shape {
            Shape::Text(shape) if shape.galley.text() == "Lead" => Some(shape.visual_bounding_rect()),
            _ => None,
        });
        let name = names.find(|name| lane.y_range().contains(name.center().y)).expect("its name");
        assert!(name.right() <= lane.left() && name.left() > 0.0, "{name:?} {lane:?}");
    }
}

#[test]
fn the_start_of_a_match_shows_its_set_up() {
    for (game, set_up, words) in [
        ("abalone", 64, "Abalone board"),
        ("fortress", 109, "5 red and 5 blue units"),
        ("gomoku", 3, "Gomoku board"),
        ("riskless", 121, "Riskless"),
        ("shark", 9, "1 red and 1 blue robots"),
    ] {
        let mut app = sample(game, Vec2::new(1280.0, 800.0));
        app.key_press(Key::End);
        app.run_steps(8);
        app.key_press(Key::Home);
        app.run_steps(8);
        // The line and the time are those of the picture.
        assert_eq!(line(&app), set_up, "{game}");
        assert!(shows(&app, words), "{game}: {app:?}");
        let button = app.get_all_by_label("To the start").next().expect("a button");
        assert!(button.accesskit_node().is_disabled(), "{game}");
        // Single commands lead to what was before.
        app.get_by_label("Previous command").click();
        app.run_steps(4);
        assert_eq!(line(&app), set_up - 1, "{game}");
    }
}
