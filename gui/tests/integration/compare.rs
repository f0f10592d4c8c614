//! Tests of the comparison of two matches, through the accessibility tree.

use std::time::{Duration, Instant};

use eframe::egui::accesskit::{Role, Toggled};
use eframe::egui::epaint::ColorMode;
use eframe::egui::{Color32, Event, Key, Modifiers, OutputCommand, Rect, Shape, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use grandstand_gui::{App, Comparison, Target};
use grandstand_replays::diff::Lock;
use grandstand_testing::{Folder, PATIENCE, recording, replay};

use crate::support::{Window, painted, rewind, shows, wait_for, window};

/// The short match, and a copy with another word in command 10 and another hex in command 12.
fn pair(folder: &Folder, size: Vec2) -> Window {
    let first = folder.file("a.replay", replay().replace("Final", "First"));
    let second =
        replay().replace("Final", "Second").replace("Oh no", "Oh yes").replace("set E4 b0", "set E1 b0");
    let second = folder.file("b.replay", &second);
    compare(Target::File(first), Target::File(second), size)
}

/// A comparison line by line.
fn compare(first: Target, second: Target, size: Vec2) -> Window {
    aligned(first, second, Some(Lock::Command), size)
}

fn aligned(first: Target, second: Target, lock: Option<Lock>, size: Vec2) -> Window {
    let comparison = Comparison { pair: [first, second], lock, with_seq: None };
    let mut app = window(Some(Target::Compare(Box::new(comparison))), size);
    wait_for(&mut app, "Align by");
    app
}

#[test]
fn the_first_place_where_two_matches_differ_is_found_and_shown() {
    let folder = Folder::new();
    for size in [vec2(1280.0, 800.0), vec2(800.0, 600.0), vec2(390.0, 844.0)] {
        let mut app = pair(&folder, size);
        wait_for(&mut app, "First different line: line 10");
        wait_for(&mut app, "First difference: turn 2, line 12");
        app.key_press(Key::Space);
        app.run_steps(2);
        app.get_by_label("First different line: line 10").click();
        app.run_steps(4);
        assert!(shows(&app, "10  wsay Oh no") && shows(&app, "10  wsay Oh yes"));
        assert!(shows(&app, "Line 10 of 16"));
        // Both boards are shown after this command.
        assert_eq!(app.query_all_by_label("Abalone board: 2 black and 1 white pieces").count(), 2);

        app.get_by_label("First difference: turn 2, line 12").click();
        app.run_steps(4);
        // In little room the lines give way to the boards and to the plot of both.
        let has_lines = shows(&app, "12  set E4 b0") && shows(&app, "12  set E1 b0");
        let has_plot = size.x < 1000.0 && shows(&app, " of both. ");
        assert!(has_lines || has_plot || size.x < 480.0, "{size}");
        let boards =
            ["Abalone board: 3 black and 0 white pieces", "Abalone board: 3 black and 1 white pieces"];
        let shown: Vec<String> = app
            .query_all_by_label_contains("Abalone board")
            .filter_map(|node| node.accesskit_node().label())
            .collect();
        assert_eq!(shown, boards, "{size}");
        assert!(app.query_all_by_label_contains("E4: ").count() >= 2);
    }
}

#[test]
fn both_boards_are_of_one_size_however_long_the_names_are() {
    let folder = Folder::new();
    let short = Target::File(folder.file("a.replay", replay()));
    let long = replay().replace("Blues", "a_player_with_a_long_name");
    let long = Target::File(folder.file("b.replay", &long));
    for width in (800..=1900).step_by(100) {
        let mut app = compare(short.clone(), long.clone(), vec2(width as f32, 800.0));
        let began = Instant::now();
        while app.query_all_by_label_contains("Abalone board").count() < 2 {
            assert!(began.elapsed() < PATIENCE, "two boards never appeared:\n{app:?}");
            app.step();
            std::thread::sleep(Duration::from_millis(5));
        }
        let boards = app.query_all_by_label_contains("Abalone board");
        let sizes: Vec<Vec2> = boards.map(|node| node.rect().size()).collect();
        assert!(sizes.len() == 2 && (sizes[0] - sizes[1]).length() < 1.0, "{width}: {sizes:?}");
    }
}

#[test]
fn buttons_for_fingers_lie_apart() {
    let folder = Folder::new();
    let mut app = pair(&folder, vec2(390.0, 844.0));
    wait_for(&mut app, "First difference: turn 2, line 12");
    app.run_steps(4);
    let rects = ["Align by Line", "Align by Turn", "First difference: turn 2, line 12", "Next difference"]
        .map(|label| app.get_by_label(label).rect());
    for (index, rect) in rects.iter().enumerate() {
        assert!(rect.height() >= 43.5, "{rects:?}");
        assert!(rects[..index].iter().all(|other| !other.expand(1.0).intersects(*rect)), "{rects:?}");
    }
}

#[test]
fn on_a_phone_the_titles_can_be_told_apart() {
    let folder = Folder::new();
    let names = ["search:nodes=400 – search:nodes=200", "search:nodes=400 – alphabeta:depth=2"];
    let [first, second] =
        [0, 1].map(|side| folder.file(&format!("{side}.replay"), replay().replace("Final", names[side])));
    let mut app = compare(Target::File(first), Target::File(second), vec2(390.0, 844.0));
    app.run_steps(4);
    let texts = crate::support::painted(&app);
    for end in ["search:nodes=200", "alphabeta:depth=2"] {
        assert!(texts.iter().any(|(text, cut)| text.ends_with(end) && !cut), "{texts:?}");
    }
}

#[test]
fn on_a_phone_names_are_whole_and_boards_take_what_the_captions_leave() {
    let folder = Folder::new();
    let file = |name: &str, place: &str| {
        let header = recording("gomoku", &[(0.1, "board 15"), (0.2, place)]);
        let header = header.replace("Reds", "search:nodes=20000").replace("Blues", "search:nodes=6000");
        Target::File(folder.file(name, &header))
    };
    let mut app =
        compare(file("a.replay", "move black h8"), file("b.replay", "move black h9"), vec2(390.0, 844.0));
    app.run_steps(20);
    let texts = painted(&app);
    let cut: Vec<_> = texts.iter().filter(|(text, cut)| *cut || text.starts_with('…')).collect();
    assert!(cut.is_empty(), "{cut:?}");
    let boards: Vec<Rect> = app
        .query_all_by_label_contains("Gomoku board")
        .map(|node| node.rect())
        .filter(|board| board.height() > 100.0)
        .collect();
    assert_eq!(boards.len(), 2);
    for board in &boards {
        assert!(board.height() > 210.0, "{boards:?}");
    }
    // Wide boards leave room for the plot of both.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../replays/samples/fortress-strong-strong.replay.zst");
    let sample = || Target::File(path.into());
    let mut app = compare(sample(), sample(), vec2(390.0, 844.0));
    app.run_steps(20);
    wait_for(&mut app, " of both. ");
    let boards = app.query_all_by_label_contains("Steam Fortress board").map(|node| node.rect().width());
    assert!(boards.filter(|width| *width > 280.0).count() == 2, "{app:?}");
}

#[test]
fn the_card_of_a_place_stands_in_the_corner_of_its_board_that_is_farthest_from_it() {
    let folder = Folder::new();
    let mut app = stones(&folder);
    app.run_steps(20);
    let boards: Vec<Rect> = app.query_all_by_label_contains("Gomoku board").map(|node| node.rect()).collect();
    for board in boards {
        for way in [vec2(-0.3, -0.3), vec2(0.3, -0.3), vec2(-0.1, 0.2), vec2(0.2, 0.1)] {
            let at = board.center() + way * board.size();
            app.hover_at(at);
            app.run_steps(60);
            let cards = app.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
                Shape::Text(text) if text.galley.text().contains(": ") => Some(text.visual_bounding_rect()),
                _ => None,
            });
            let cards: Vec<Rect> = cards.filter(|card| board.contains_rect(*card)).collect();
            assert_eq!(cards.len(), 1, "{at}");
            let to = cards[0].center() - board.center();
            assert!(to.x * way.x < 0.0 && to.y * way.y < 0.0, "{at}: {} on {board}", cards[0]);
        }
    }
}

#[test]
fn on_a_phone_both_players_of_a_title_are_cut_alike() {
    let folder = Folder::new();
    let names = ["search:nodes=20000 – search:nodes=30000", "stupid – stupid"];
    let [first, second] =
        [0, 1].map(|side| folder.file(&format!("{side}.replay"), replay().replace("Final", names[side])));
    let mut app = compare(Target::File(first), Target::File(second), vec2(390.0, 844.0));
    let title = ("search…=20000 – search…=30000".to_owned(), false);
    let began = Instant::now();
    while !painted(&app).contains(&title) {
        assert!(began.elapsed() < PATIENCE, "{:?}", painted(&app));
        app.run_steps(1);
    }
}

#[test]
fn event_keys_go_from_difference_to_difference() {
    let folder = Folder::new();
    let mut app = pair(&folder, vec2(1280.0, 800.0));
    wait_for(&mut app, "First difference: turn 2, line 12");
    app.key_press(Key::Space);
    app.key_press(Key::Home);
    app.run_steps(3);
    app.key_press(Key::N);
    app.run_steps(3);
    assert!(shows(&app, "Line 12 of 16"));
    app.key_press(Key::N);
    app.run_steps(3);
    // The boards may differ until the end, which is no further difference.
    assert!(shows(&app, "No later difference"));
    // Before this command both boards are equal.
    app.key_press(Key::ArrowLeft);
    app.run_steps(3);
    assert_eq!(app.query_all_by_label("Abalone board: 2 black and 1 white pieces").count(), 2);
    app.key_press(Key::Q);
    app.run_steps(3);
    assert!(!shows(&app, "Align by") && shows(&app, "Line 11 of 16"));
}

#[test]
fn by_turn_and_by_time_the_moments_belong_together() {
    let folder = Folder::new();
    let first = folder.file("a.replay", replay());
    // One more line in the first turn; all later lines one second later.
    let second = replay().replacen("[0.300000,\"x\"", "[1.000000,\"c\",\"bsay Hm\"]\n[0.300000,\"x\"", 1);
    let second = folder.file("b.replay", &second);
    let mut app = compare(Target::File(first), Target::File(second), vec2(1280.0, 800.0));
    wait_for(&mut app, "First different line: line 6");
    app.key_press(Key::Space);
    app.get_by_label("Align by Turn").click();
    app.run_steps(20);
    // The boards are equal after every turn.
    wait_for(&mut app, "Every board is the same");
    app.get_by_label("Align by Time").click();
    app.run_steps(20);
    wait_for(&mut app, "First difference: ");
    assert!(!shows(&app, "Every board is the same"));
}

#[test]
fn two_games_are_not_compared_and_the_longer_leads() {
    let folder = Folder::new();
    let abalone = Target::File(folder.file("a.replay", replay()));
    let grid = folder.file("g.replay", recording("grid", &[(0.0, "size 4 4"), (1.0, "cell 1 1 red")]));
    let mut app = window(Some(Target::from([abalone.clone(), Target::File(grid)])), vec2(1280.0, 800.0));
    wait_for(&mut app, "These are matches of two games");
    app.get_by_label("Watch the first alone").click();
    app.run_steps(3);
    assert!(!shows(&app, "two games"));

    // The second match is longer: its end is reachable, and it stays second.
    let cut = replay().lines().take(10).collect::<Vec<_>>().join("\n");
    let short = Target::File(folder.file("s.replay", &cut));
    let mut app = compare(short, abalone, vec2(1280.0, 800.0));
    wait_for(&mut app, "of 16");
    wait_for(&mut app, "First different line: line 10");
    app.key_press(Key::End);
    app.run_steps(5);
    assert!(shows(&app, "Line 16 of 16") && shows(&app, "no line here"));
}

#[test]
fn boards_of_two_matches_look_alike_and_the_timeline_says_whose_it_is() {
    let folder = Folder::new();
    let file = |name: &str, lines: &[(f64, &str)]| {
        Target::File(folder.file(&format!("{name}.replay"), recording("gomoku", lines)))
    };
    // One is over while the other goes on, and its names are long.
    let short = file(
        "short",
        &[
            (0.0, "board 15"),
            (0.0, "names a-long-name-of-black a-long-name-of-white"),
            (0.2, "move black h8"),
        ],
    );
    let long: Vec<(f64, String)> =
        (0..15).map(|n| (f64::from(n), format!("move black {}1", char::from(b'a' + n as u8)))).collect();
    let mut lines = vec![(0.0, "board 15")];
    lines.extend(long.iter().map(|(secs, line)| (*secs, line.as_str())));
    let mut app = compare(short, file("long", &lines), vec2(1440.0, 900.0));
    app.key_press(Key::End);
    app.run_steps(30);
    let boards: Vec<_> = app.query_all_by_label_contains("Gomoku board").map(|board| board.rect()).collect();
    assert_eq!(boards.len(), 2);
    // As large and as high, but for what is lost in adding up.
    let apart = (boards[0].top() - boards[1].top()).abs() + (boards[0].size() - boards[1].size()).length();
    assert!(apart < 0.01, "{boards:?}");
    let texts: Vec<String> = painted(&app).into_iter().map(|(text, _)| text).collect();
    // Beside the results stand the moments of both.
    let says = |wanted: &str| texts.iter().any(|text| text == wanted);
    assert!(says("Move 1") && says("Move 15"), "{texts:?}");
    assert!(shows(&app, "Timeline: long"), "{texts:?}");
}

#[test]
fn a_difference_has_a_mark_that_is_no_team_s() {
    let folder = Folder::new();
    let mut app = pair(&folder, vec2(1280.0, 800.0));
    wait_for(&mut app, "First different line: line 10");
    app.key_press(Key::Space);
    app.get_by_label("First different line: line 10").click();
    app.run_steps(5);
    let line = app.get_by_label("10  wsay Oh no").rect();
    let fills = app.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
        Shape::Rect(shape) if line.expand(1.0).contains_rect(shape.rect) => Some(shape.fill),
        _ => None,
    });
    let fills: Vec<Color32> = fills.collect();
    assert!(fills.len() >= 2, "{fills:?}");
    // Greys: no team has one.
    for fill in fills {
        let [r, g, b, _] = fill.to_array().map(i32::from);
        assert!((r - g).abs() < 16 && (g - b).abs() < 16, "{fill:?}");
    }
}

/// The marks of differences, with their places among all shapes: the only shapes of a layer that are several in one.
fn marks(app: &Window) -> Vec<(usize, Rect)> {
    let shapes = app.output().shapes.iter().enumerate();
    let is_ring = |shape: &Shape| match shape {
        Shape::LineSegment { .. } => true,
        Shape::Path(path) => path.closed && path.fill == Color32::TRANSPARENT,
        Shape::Rect(rect) => rect.fill == Color32::TRANSPARENT,
        _ => false,
    };
    let marks = shapes.filter_map(|(index, clipped)| match &clipped.shape {
        Shape::Vec(all) if !all.is_empty() && all.iter().all(is_ring) => {
            Some((index, clipped.shape.visual_bounding_rect()))
        }
        _ => None,
    });
    marks.collect()
}

#[test]
fn marks_of_lands_that_differ_lie_below_numbers_and_names() {
    let folder = Folder::new();
    let file = |name: &str, armies: &str| {
        let lines = ["map 10 60 Small", "territory 0 200 200 North", "territory 1 500 800 South", "road 0 1"];
        let mut lines: Vec<(f64, &str)> = lines.into_iter().map(|line| (0.0, line)).collect();
        lines.extend([(0.0, "set 0 maxie 4"), (0.1, armies)]);
        Target::File(folder.file(name, recording("riskless", &lines)))
    };
    for size in [vec2(1440.0, 900.0), vec2(390.0, 844.0)] {
        let (first, second) = (file("a.replay", "set 1 minnie 5"), file("b.replay", "set 1 minnie 6"));
        let mut app = compare(first, second, size);
        app.run_steps(20);
        app.key_press(Key::End);
        app.run_steps(40);
        assert!(shows(&app, "1 place differs"), "{app:?}");
        let marks = marks(&app);
        assert_eq!(marks.len(), 2, "{size}: {marks:?}");
        let shapes: Vec<&Shape> = app.output().shapes.iter().map(|clipped| &clipped.shape).collect();
        for ((mark, area), number) in marks.into_iter().zip(["5", "6"]) {
            let is_number = |shape: &Shape| match shape {
                Shape::Text(text) => {
                    text.galley.text() == number && area.contains_rect(text.visual_bounding_rect())
                }
                _ => false,
            };
            let at = shapes.iter().rposition(|shape| is_number(shape));
            assert!(at.is_some_and(|at| mark < at), "{size}: {mark} {at:?}");
            // It is around the sign, as on other boards.
            assert!(area.width() < 90.0, "{size}: {area}");
        }
    }
}

#[test]
fn marks_of_units_that_differ_lie_below_all_units() {
    let folder = Folder::new();
    let file = |name: &str, health: u32| {
        let units = (0..10).map(|n| {
            let (team, x) = if n % 2 == 0 { ("red", n / 2) } else { ("blue", n / 2 - 6) };
            (0.0, format!("spawn {} {team} {x} 0 east {health} soldier", n + 1))
        });
        let lines: Vec<(f64, String)> = units.collect();
        let lines: Vec<(f64, &str)> = lines.iter().map(|(secs, line)| (*secs, line.as_str())).collect();
        Target::File(folder.file(name, recording("fortress", &lines)))
    };
    for size in [vec2(1440.0, 900.0), vec2(390.0, 844.0)] {
        let mut app = compare(file("a.replay", 900), file("b.replay", 400), size);
        app.run_steps(20);
        app.key_press(Key::End);
        app.run_steps(40);
        assert!(shows(&app, "places differ"), "{app:?}");
        let marks = marks(&app);
        assert_eq!(marks.len(), 2, "{size}: {marks:?}");
        let units = app.query_all_by_label_contains("soldier");
        let units = units.filter(|node| node.accesskit_node().role() == Role::Image);
        let units: Vec<Rect> = units.map(|node| node.rect()).collect();
        assert!(units.len() >= 20, "{size}: {units:?}");
        // The plates of all units on a board are painted after its marks.
        let shapes: Vec<(usize, Rect)> = (app.output().shapes.iter().enumerate())
            .map(|(index, clipped)| (index, clipped.shape.visual_bounding_rect()))
            .collect();
        for unit in &units {
            let mark = marks.iter().find(|(_, area)| area.expand(9.0).contains(unit.center()));
            let (mark, _) = *mark.unwrap_or_else(|| panic!("{size}: {unit} in {marks:?}"));
            let is_over = |(index, area): &(usize, Rect)| {
                *index > mark && area.contains(unit.center()) && area.width() < 3.0 * unit.width().max(12.0)
            };
            assert!(shapes.iter().any(is_over), "{size}: {unit}");
        }
    }
}

#[test]
fn the_place_under_the_pointer_is_told_on_either_board() {
    let folder = Folder::new();
    let mut app = pair(&folder, vec2(1280.0, 800.0));
    app.key_press(Key::End);
    app.run_steps(20);
    let pieces: Vec<Rect> = app
        .query_all_by_role(Role::Image)
        .filter(|node| node.accesskit_node().label().is_some_and(|label| label.starts_with("E3: ")))
        .map(|node| node.rect())
        .collect();
    assert_eq!(pieces.len(), 2, "{app:?}");
    for piece in pieces {
        app.hover_at(piece.center());
        app.run_steps(60);
        let told = painted(&app).into_iter().filter(|(text, _)| text.contains("E3: ")).count();
        assert_eq!(told, 1, "{:?}", painted(&app));
        // The place is outlined on both boards.
        let accent = grandstand_board::theme::Palette::of(&app.ctx).accent;
        let outlines = app.output().shapes.iter().filter(|clipped| match &clipped.shape {
            Shape::Path(path) => path.closed && path.stroke.color == ColorMode::Solid(accent),
            _ => false,
        });
        assert_eq!(outlines.count(), 2);
    }
}

#[test]
fn a_place_that_differs_is_told_for_both_boards() {
    let folder = Folder::new();
    let mut app = pair(&folder, vec2(1280.0, 800.0));
    wait_for(&mut app, "First difference: turn 2, line 12");
    app.key_press(Key::Space);
    app.get_by_label("First difference: turn 2, line 12").click();
    app.run_steps(60);
    let piece = app.query_all_by_label_contains("E4: ").next().expect("a piece").rect();
    app.hover_at(piece.center());
    app.run_steps(60);
    let texts = painted(&app);
    let is_told =
        |(text, _): &(String, bool)| text.starts_with("E4: ") && text.ends_with(" – on the other: white");
    assert!(texts.iter().any(is_told), "{texts:?}");
}

#[test]
fn two_moments_of_one_match_have_their_own_lines_and_cursors() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../replays/samples/team-team.replay");
    let target = || Target::File(path.into());
    let comparison =
        Comparison { pair: [target(), target()], lock: Some(Lock::Command), with_seq: Some(900) };
    let mut app: Window = Harness::builder().with_size(vec2(1280.0, 800.0)).build_eframe(move |cc| {
        let mut app = App::new(cc, Some(Target::Compare(Box::new(comparison))));
        app.want(300);
        app
    });
    wait_for(&mut app, "between two moments");
    wait_for(&mut app, "Every board is the same");
    app.run_steps(5);
    assert!(!shows(&app, "no line here"), "{app:?}");
    assert!(shows(&app, "300  ") && shows(&app, "900  "), "{app:?}");
}

#[test]
fn the_plot_tells_both_matches_at_the_pointer() {
    for size in [vec2(1280.0, 800.0), vec2(800.0, 600.0)] {
        let sample = |name: &str| {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../replays/samples/").to_owned() + name;
            Target::File(path.into())
        };
        let mut app = compare(sample("team-team.replay"), sample("simple_bot-team.replay.zst"), size);
        // In little room the lines give way to it.
        wait_for(&mut app, " of both. ");
        app.key_press(Key::Space);
        app.run_steps(8);
        let plot = app.query_all_by_label_contains(" of both. ").next().expect("a plot").rect();
        app.hover_at(plot.center());
        app.run_steps(4);
        let texts = painted(&app);
        assert!(
            texts.iter().any(|(text, _)| text.starts_with("Line 8") || text.starts_with("Line 9")),
            "{size}: {texts:?}"
        );
    }
}

#[test]
fn two_of_the_list_are_chosen_to_be_compared() {
    let folder = Folder::new();
    let file = folder.file("a.replay", replay());
    let mut app = window(Some(Target::File(file)), vec2(1280.0, 800.0));
    wait_for(&mut app, "Pause");
    app.key_press(Key::Q);
    app.run_steps(4);
    assert!(shows(&app, "Choose two matches or recordings to compare"));
    // The match watched last is already selected.
    assert!(app.query_by_role_and_label(Role::Button, "Wall of 1 board").is_some());
}

#[test]
fn the_lines_beside_each_other_are_those_of_the_moment_shown() {
    let folder = Folder::new();
    // High enough for lines below boards that are as wide as they can be.
    let mut app = pair(&folder, vec2(1280.0, 1200.0));
    wait_for(&mut app, "First difference: turn 2, line 12");
    app.key_press(Key::Space);
    app.key_press(Key::Home);
    app.run_steps(3);
    // Four lines are the set-up.
    (0..5).for_each(|_| app.key_press(Key::ArrowRight));
    app.run_steps(3);
    let lines = |app: &Window, text: &str| app.query_all_by_label(text).count();
    assert_eq!((lines(&app, "9  turns 2"), lines(&app, "7  set E2 b1")), (2, 2));
    assert!(!shows(&app, "wsay Oh") && shows(&app, "Same board here"));
    app.key_press(Key::N);
    app.run_steps(3);
    assert!(shows(&app, "12  set E4 b0") && shows(&app, "12  set E1 b0"));
    assert!(shows(&app, "2 places differ since turn 2"), "{app:?}");
    // The timeline's buttons have names for differences.
    assert!(shows(&app, "Next difference") && !shows(&app, "Next loss"));
}

#[test]
fn two_files_of_the_same_title_are_told_apart() {
    let folder = Folder::new();
    let first = Target::File(folder.file("monday.replay", replay()));
    let second = Target::File(folder.file("tuesday.replay", replay()));
    let mut app = compare(first, second, vec2(800.0, 600.0));
    wait_for(&mut app, "Every line is the same");
    app.run_steps(3);
    // The players of both have the same names: each board says whose match it is.
    let texts = painted(&app);
    for name in ["monday", "tuesday"] {
        assert!(texts.iter().any(|(text, _)| text == name), "{name}: {texts:?}");
    }
    assert!(shows(&app, "Final · monday") && shows(&app, "Final · tuesday"), "{app:?}");
}

#[test]
fn where_no_board_differs_the_keys_go_from_line_to_line() {
    let folder = Folder::new();
    let first = Target::File(folder.file("a.replay", replay()));
    let second = Target::File(folder.file("b.replay", replay().replace("Oh no", "Oh yes")));
    let mut app = compare(first, second, vec2(1280.0, 800.0));
    wait_for(&mut app, "Every board is the same");
    app.key_press(Key::Space);
    app.key_press(Key::Home);
    app.run_steps(3);
    app.key_press(Key::N);
    app.run_steps(3);
    assert!(shows(&app, "Line 10 of 16") && shows(&app, "10  wsay Oh yes"), "{app:?}");
}

fn told_no_spoilers(app: &Window) -> bool {
    let nodes = app.root().children_recursive();
    nodes.into_iter().any(|node| node.accesskit_node().value().is_some_and(|value| value == "No spoilers"))
}

#[test]
fn of_one_that_can_not_be_opened_nothing_is_waited_for() {
    let folder = Folder::new();
    let first = Target::File(folder.file("a.replay", replay()));
    let second = Target::File(folder.join("nowhere.replay"));
    let mut app = window(Some(Target::from([first, second])), vec2(1280.0, 800.0));
    wait_for(&mut app, "The second can't be opened: there is nothing to compare.");
    assert!(!shows(&app, "Read ") && !shows(&app, "No different board yet"), "{app:?}");
    app.get_by_label("Watch the first alone").click();
    app.run_steps(4);
    assert!(shows(&app, "Line ") && !shows(&app, "can't be opened"), "{app:?}");
}

#[test]
fn matches_of_one_title_are_told_apart_and_boards_differ_at_a_turn() {
    let folder = Folder::new();
    let first = Target::File(folder.file("a.replay", replay()));
    let second = Target::File(folder.file("b.replay", replay().replace("set E4 b0", "set E1 b0")));
    let mut app = compare(first, second, vec2(1280.0, 800.0));
    wait_for(&mut app, "First difference: turn 2, line 12");
    app.run_steps(4);
    let texts: Vec<String> = painted(&app).into_iter().map(|(text, _)| text).collect();
    for text in ["Final · a", "Final · b", "First difference", "turn 2", "line 12"] {
        assert!(texts.iter().any(|shown| shown == text), "{text}: {texts:?}");
    }
}

#[test]
fn spoiler_mode_compares_only_what_was_seen() {
    let folder = Folder::new();
    let first = Target::File(folder.file("a.replay", replay()));
    let second = replay().replace("Oh no", "Oh yes").replace("set E4 b0", "set E1 b0");
    let second = Target::File(folder.file("b.replay", &second));
    let mut app = window(None, vec2(1280.0, 800.0));
    app.key_press(Key::S);
    app.run_steps(2);
    let ctx = app.ctx.clone();
    let comparison = Comparison { pair: [first, second], lock: Some(Lock::Command), with_seq: None };
    app.state_mut().open(&ctx, Target::Compare(Box::new(comparison)));
    wait_for(&mut app, "Align by");
    wait_for(&mut app, "Pause");
    app.key_press(Key::Space);
    app.key_press(Key::Home);
    app.run_steps(60);
    assert!(shows(&app, "Every board that was seen is the same") && !shows(&app, "of 16"), "{app:?}");
    app.key_press(Key::N);
    app.run_steps(3);
    assert!(shows(&app, "No other difference was seen"));
    for _ in 0..8 {
        app.key_press(Key::ArrowRight);
        app.run_steps(2);
    }
    assert!(shows(&app, "First different line: line 10"), "{app:?}");
    // The end of the turn was not seen, so that it has no number yet.
    assert!(shows(&app, "First difference: ") && shows(&app, "line 12"), "{app:?}");
    // The other match is at the same moment.
    assert!(shows(&app, "Abalone board: 3 black and 0 white pieces"), "{app:?}");
    assert!(shows(&app, "Abalone board: 3 black and 1 white pieces"));
    assert!(!shows(&app, "Read ") && told_no_spoilers(&app), "{app:?}");
    assert!(!shows(&app, "Well played") && !shows(&app, "of 16") && !shows(&app, "set E2 e"));
}

fn press_copy(app: &mut Window) {
    let (key, modifiers) = (Key::L, Modifiers::COMMAND);
    app.event(Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers });
}

#[test]
fn a_link_leads_to_both_moments() {
    let folder = Folder::new();
    let mut app = pair(&folder, vec2(1280.0, 800.0));
    wait_for(&mut app, "First difference: turn 2, line 12");
    app.key_press(Key::Space);
    app.get_by_label("First difference: turn 2, line 12").click();
    app.run_steps(4);
    press_copy(&mut app);
    app.step();
    let copied = app.output().platform_output.commands.iter().find_map(|command| match command {
        OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    app.run_steps(2);
    let path = |name: &str| folder.join(name).display().to_string();
    let expected =
        format!("grandstand watch '{}' '{}' --seq 12 --lock command", path("a.replay"), path("b.replay"));
    assert_eq!(copied, Some(expected));
    assert!(shows(&app, "A file has no address; copied the command"), "{app:?}");

    // Moments of two recordings; the second recording is longer and leads.
    let cut = replay().lines().take(10).collect::<Vec<_>>().join("\n");
    let targets = [folder.file("short.replay", &cut), folder.file("c.replay", replay())].map(Target::File);
    let comparison = Comparison { pair: targets, lock: Some(Lock::Turn), with_seq: Some(14) };
    let mut app: Window = Harness::builder().with_size(vec2(1280.0, 800.0)).build_eframe(move |cc| {
        let mut app = App::new(cc, Some(Target::Compare(Box::new(comparison))));
        app.want(7);
        app
    });
    wait_for(&mut app, "Line 14 of 16");
    wait_for(&mut app, "First different line: line 10");
    app.run_steps(5);
    assert!(shows(&app, "Line 14 of 16"), "{app:?}");
    press_copy(&mut app);
    app.run_steps(3);
    assert!(shows(&app, "--seq 7 --with-seq 14 --lock turn"), "{app:?}");
}

/// Whether a criterion is the chosen one.
fn is_aligned_by(app: &Window, name: &str) -> bool {
    let label = format!("Align by {name}");
    let button = app.get_by_role_and_label(Role::RadioButton, &label);
    button.accesskit_node().toggled() == Some(Toggled::True)
}

#[test]
fn games_with_turns_are_aligned_by_turns_and_others_by_time() {
    let folder = Folder::new();
    let file = |name: &str, game: &str, lines: &[(f64, &str)]| {
        Target::File(folder.file(&format!("{name}.replay"), recording(game, lines)))
    };
    let quick = [(0.0, "board 15"), (0.1, "move black h8"), (0.2, "move white h9"), (0.3, "move black j8")];
    let slow = [(0.0, "board 15"), (3.0, "move black h8"), (7.0, "move white h9"), (9.0, "move black j7")];
    let mut app =
        aligned(file("quick", "gomoku", &quick), file("slow", "gomoku", &slow), None, vec2(1280.0, 800.0));
    wait_for(&mut app, "First difference: ");
    assert!(is_aligned_by(&app, "Move"), "{app:?}");
    // The third move differs, however long the players thought.
    assert!(shows(&app, "First difference: move 3"), "{app:?}");

    let grid = [(0.0, "size 4 4"), (1.0, "cell 1,1 X red")];
    let mut app = aligned(file("a", "grid", &grid), file("b", "grid", &grid), None, vec2(1280.0, 800.0));
    wait_for(&mut app, "Every board is the same");
    assert!(is_aligned_by(&app, "Time"), "{app:?}");
}

/// Two recordings of Gomoku that differ from the first move on. The first two moves have the same time.
fn stones(folder: &Folder) -> Window {
    let file = |name: &str, first: &str| {
        let lines = [(0.0, "board 15"), (0.5, first), (0.5, "move white a1"), (9.0, "move black c3")];
        Target::File(folder.file(name, recording("gomoku", &lines)))
    };
    let (first, second) = (file("a.replay", "move black h8"), file("b.replay", "move black h9"));
    compare(first, second, vec2(1280.0, 800.0))
}

#[test]
fn a_difference_is_named_by_the_turn_of_its_command() {
    let folder = Folder::new();
    let mut app = stones(&folder);
    app.key_press(Key::Space);
    wait_for(&mut app, "First difference: move 1, line 2");
    app.get_by_label("First difference: move 1, line 2").click();
    wait_for(&mut app, "2 places differ since move 1");
}

#[test]
fn places_are_marked_when_their_pieces_have_arrived() {
    let folder = Folder::new();
    let mut app = stones(&folder);
    app.key_press(Key::Space);
    rewind(&mut app);
    app.key_press_modifiers(Modifiers::SHIFT, Key::ArrowRight);
    app.run_steps(20);
    assert!(shows(&app, "Same board here"), "{app:?}");
    app.key_press_modifiers(Modifiers::SHIFT, Key::ArrowRight);
    app.run_steps(3);
    assert!(shows(&app, "Same board here"), "{app:?}");
    app.run_steps(30);
    assert!(shows(&app, "2 places differ"), "{app:?}");
}

#[test]
fn scores_of_both_are_in_one_plot_that_leads_to_its_moments() {
    let sample = |name: &str| {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../replays/samples/").to_owned() + name;
        Target::File(path.into())
    };
    let pair = [sample("team-team.replay"), sample("simple_bot-team.replay.zst")];
    let [first, second] = pair;
    let mut app = compare(first, second, vec2(1280.0, 800.0));
    wait_for(&mut app, " of both. ");
    app.key_press(Key::Space);
    app.run_steps(8);
    let plot = app.query_all_by_label_contains(" of both. ").next().expect("a plot").rect();
    let boards = app.query_all_by_label_contains("Abalone board");
    assert!(boards.into_iter().all(|board| board.rect().bottom() <= plot.top()), "{plot}");
    rewind(&mut app);
    assert!(!shows(&app, "Line 9"), "{app:?}");
    app.drag_at(plot.center());
    app.step();
    app.drop_at(plot.center());
    app.run_steps(4);
    // The longer match has 1,919 lines.
    assert!(shows(&app, "Line 9"), "{app:?}");
}

#[test]
fn a_notice_covers_no_board() {
    let folder = Folder::new();
    for size in [vec2(1280.0, 800.0), vec2(800.0, 600.0)] {
        let mut app = pair(&folder, size);
        wait_for(&mut app, "First difference: turn 2, line 12");
        app.key_press(Key::Space);
        app.key_press(Key::End);
        app.run_steps(4);
        app.key_press(Key::N);
        app.run_steps(4);
        let notice = app.query_all_by_label_contains("No later difference").next();
        let notice = notice.expect("a notice").rect();
        let boards = app.query_all_by_label_contains("Abalone board");
        assert!(boards.into_iter().all(|board| !board.rect().intersects(notice)), "{size}: {notice}");
    }
    for size in [vec2(1440.0, 900.0), vec2(800.0, 600.0), vec2(390.0, 844.0)] {
        let mut app = window(Some(Target::File(folder.file("one.replay", replay()))), size);
        wait_for(&mut app, "Line ");
        app.key_press(Key::Home);
        app.run_steps(4);
        app.key_press(Key::N);
        app.run_steps(4);
        let notice = app.get_by_label_contains("Point for Reds").rect();
        let board = app.get_by_label_contains("Abalone board").rect();
        assert!(
            !board.intersects(notice) && app.ctx.content_rect().contains_rect(notice),
            "{size}: {notice}"
        );
    }
}

#[test]
fn the_legend_names_who_said_an_evaluation_where_the_other_said_none() {
    let folder = Folder::new();
    let of = |name: &str, moves: [&str; 2]| {
        let lines =
            [(0.0, "board 15"), (1.0, moves[0]), (2.0, "thought white 389 4 900 h9"), (2.0, moves[1])];
        Target::File(folder.file(name, recording("gomoku", &lines)))
    };
    let (one, other) = (["move black h8", "move white h9"], ["move black h8", "move white i9"]);
    let mut app = compare(of("one.replay", one), of("two.replay", other), vec2(1280.0, 800.0));
    app.key_press(Key::End);
    let told = |app: &Window| {
        let told: Vec<String> = painted(app).into_iter().map(|(text, _)| text).collect();
        assert!(!told.iter().any(|text| text.contains("–: ") || text.contains(": –")), "{told:?}");
        told.iter().any(|text| text.contains("+389"))
    };
    let began = Instant::now();
    while !told(&app) {
        assert!(began.elapsed() < PATIENCE, "{:?}", painted(&app));
        app.run_steps(1);
    }
}

/// A match of Gomoku in which both players tell what they think.
fn told(folder: &Folder, name: &str, scores: [i32; 4]) -> Target {
    let mut lines = vec![(0.0, "board 15".to_owned())];
    for (n, score) in (0_u32..).zip(scores) {
        let (t, team) = (f64::from(n + 1), ["black", "white"][n as usize % 2]);
        let score = if score < 0 { format!("~{}", -score) } else { score.to_string() };
        lines.push((t, format!("thought {team} {score} 4 900 h{}", n + 3)));
        lines.push((t, format!("move {team} h{}", n + 3)));
    }
    let lines: Vec<(f64, &str)> = lines.iter().map(|(t, line)| (*t, &**line)).collect();
    Target::File(folder.file(&format!("{name}.replay"), recording("gomoku", &lines)))
}

#[test]
fn where_names_have_no_room_the_places_of_the_boards_tell_the_lines_apart() {
    let folder = Folder::new();
    let name = |letter: char| format!("{letter}_game_of_the_night_before_the_deadline_of_the_first_round");
    let pair = [('a', [50, -60, 70, -80]), ('b', [-20, 30, -40, 60])];
    let [first, second] = pair.map(|(letter, scores)| told(&folder, &name(letter), scores));
    let mut app = compare(first, second, vec2(390.0, 844.0));
    wait_for(&mut app, "Evaluation of both. ");
    app.key_press(Key::End);
    app.run_steps(20);
    for place in ["Left: ", "Right: "] {
        let texts = painted(&app);
        assert!(texts.iter().any(|(text, cut)| text.starts_with(place) && !cut), "{place}: {texts:?}");
    }
}

#[test]
fn evaluations_of_both_are_in_one_plot_where_there_are_no_scores() {
    let folder = Folder::new();
    let pair = [told(&folder, "one", [50, -60, 70, -80]), told(&folder, "two", [-20, 30, -40, 29_997])];
    let [first, second] = pair;
    let mut app = compare(first, second, vec2(1280.0, 800.0));
    wait_for(&mut app, "Evaluation of both. ");
    app.key_press(Key::End);
    app.run_steps(20);
    // Each from its player's own point of view.
    let plot = app.query_all_by_label_contains("Evaluation of both. ").next().expect("a plot");
    let told = plot.accesskit_node().label().unwrap_or_default();
    assert!(told.contains("Reds +70, Blues −80") && told.contains("Reds −40, Blues wins in 2"), "{told}");
    // The badges of both players stand where each is ahead.
    let plot = plot.rect();
    let shapes = app.output().shapes.iter().map(|clipped| clipped.shape.visual_bounding_rect());
    let badges: Vec<Rect> =
        shapes.filter(|shape| plot.contains_rect(*shape) && shape.right() <= plot.left() + 16.0).collect();
    let middle = plot.center().y;
    let is_above = |badge: &Rect| badge.bottom() < middle;
    assert!(badges.iter().any(is_above) && badges.iter().any(|badge| badge.top() > middle), "{badges:?}");
}

#[test]
fn a_match_that_is_called_by_its_players_names_them_once_beside_its_line() {
    let sample = |name: &str| {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../replays/samples/").to_owned() + name;
        Target::File(path.into())
    };
    let mut app =
        compare(sample("team-team.replay"), sample("simple_bot-team.replay.zst"), vec2(1440.0, 900.0));
    wait_for(&mut app, " of both. ");
    let told = painted(&app);
    let of_second = told.iter().filter(|(text, _)| text.starts_with("simple_bot") && text.contains(": "));
    let of_second: Vec<_> = of_second.collect();
    let is_once = of_second.iter().all(|(text, _)| text.matches("simple_bot").count() == 1);
    assert!(!of_second.is_empty() && is_once, "{told:?}");
}

#[test]
fn a_moment_is_told_once_for_each_board() {
    let folder = Folder::new();
    let file = |name: &str, moves: usize| {
        let places = ["h8", "a1", "c3", "d5", "e7"];
        let teams = ["black", "white"].into_iter().cycle();
        let moves = teams.zip(places).take(moves).map(|(team, at)| format!("move {team} {at}"));
        let lines: Vec<String> = std::iter::once("board 15".to_owned()).chain(moves).collect();
        let lines: Vec<(f64, &str)> =
            (0_u32..).map(f64::from).zip(lines.iter().map(|line| &**line)).collect();
        Target::File(folder.file(name, recording("gomoku", &lines)))
    };
    for size in [vec2(800.0, 600.0), vec2(390.0, 844.0)] {
        let mut app = compare(file("long.replay", 5), file("short.replay", 3), size);
        app.run_steps(20);
        app.key_press(Key::Space);
        app.key_press(Key::End);
        app.run_steps(4);
        // The shorter one is over, and the longer one is not.
        app.key_press(Key::ArrowLeft);
        app.run_steps(30);
        let told = painted(&app);
        let moments = told.iter().filter(|(text, _)| text.contains("Move 4"));
        assert_eq!(moments.count(), 1, "{size}: {told:?}");
    }
}

#[test]
fn the_first_difference_is_lit_only_while_it_is_shown() {
    let folder = Folder::new();
    let mut app = stones(&folder);
    app.key_press(Key::Space);
    let name = "First difference: move 1, line 2";
    wait_for(&mut app, name);
    let is_lit = |app: &Window| app.get_by_label(name).accesskit_node().toggled() == Some(Toggled::True);
    rewind(&mut app);
    app.run_steps(4);
    assert!(!is_lit(&app), "{app:?}");
    app.get_by_label(name).click();
    app.run_steps(30);
    assert!(is_lit(&app), "{app:?}");
    app.key_press(Key::End);
    app.run_steps(30);
    assert!(!is_lit(&app), "{app:?}");
}

#[test]
fn how_many_places_differ_is_told_in_as_many_words_as_fit() {
    let folder = Folder::new();
    for width in [390.0, 660.0, 700.0, 760.0, 800.0] {
        let lines = |first: &'static str| [(0.0, "board 15"), (0.5, first), (9.0, "move white a1")];
        let file = |name: &str, first| Target::File(folder.file(name, recording("gomoku", &lines(first))));
        let pair = [file("a.replay", "move black h8"), file("b.replay", "move black h9")];
        let [first, second] = pair;
        let mut app = compare(first, second, vec2(width, 844.0));
        app.key_press(Key::End);
        // The places are counted beside the window's work.
        let is_told =
            |(text, cut): &(String, bool)| text.starts_with("2 ") && text.contains("differ") && !cut;
        let began = Instant::now();
        while !painted(&app).iter().any(is_told) {
            assert!(began.elapsed() < PATIENCE, "{width}: {:?}", painted(&app));
            app.run_steps(1);
        }
    }
}

#[test]
fn whose_the_timeline_is_is_told_in_every_window() {
    let folder = Folder::new();
    for (size, place) in [
        (vec2(1440.0, 900.0), "Timeline: two"),
        (vec2(800.0, 600.0), "Timeline: "),
        (vec2(390.0, 844.0), "Timeline: "),
    ] {
        let first = told(&folder, "one", [50, -60, 70, -80]);
        // The longer one leads.
        let lines = [(0.0, "board 15"), (1.0, "move black h8"), (90.0, "move white a1")];
        let second = Target::File(folder.file("two.replay", recording("gomoku", &lines)));
        let mut app = aligned(first, second, Some(Lock::Time), size);
        app.run_steps(20);
        assert!(painted(&app).iter().any(|(text, cut)| text.starts_with(place) && !cut), "{size}: {app:?}");
    }
}
