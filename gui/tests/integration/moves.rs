//! Tests of games with turns: list of moves, evaluation bar, notation.

use eframe::egui::accesskit::{Role, Toggled};
use eframe::egui::{Event, Key, Modifiers, OutputCommand, Shape, Vec2, pos2};
use egui_kittest::kittest::{NodeT, Queryable};
use grandstand_gui::Target;
use grandstand_testing::{Folder, recording};

use crate::support::{Window, line, painted, sample, shows, wait_for, window};

const LINES: &[(f64, &str)] = &[
    (0.0, "board 15"),
    (0.0, "turn black"),
    (0.5, "thought black 120 4 900 h8 i9"),
    (0.6, "move black h8"),
    (0.6, "turn white"),
    (1.1, "thought white ~80 4 900 i9"),
    (1.2, "move white i9"),
    (1.2, "turn black"),
    (1.7, "thought black 30000 9 900 j10"),
    (1.8, "move black j10"),
    (1.8, "turn white"),
    (3.2, "move white a1"),
];

/// A window with a match of Gomoku, at its start.
fn open(folder: &Folder, size: Vec2) -> Window {
    let path = folder.file("moves.replay", recording("gomoku", LINES));
    let mut app = window(Some(Target::File(path)), size);
    wait_for(&mut app, "Pause");
    app.key_press(Key::Space);
    app.key_press(Key::Home);
    app.key_press(Key::Num4);
    app.run_steps(20);
    app
}

/// Presses the key that copies the moves.
fn press_copy(app: &mut Window) {
    let modifiers = Modifiers::SHIFT;
    app.event(Event::Key { key: Key::C, physical_key: None, pressed: true, repeat: false, modifiers });
    app.step();
}

/// Current move in the list.
fn current(app: &Window) -> Option<String> {
    let items = app.query_all_by_role(Role::ListItem);
    let mut lit = items.filter(|item| item.accesskit_node().toggled() == Some(Toggled::True));
    lit.next().and_then(|item| item.accesskit_node().label())
}

#[test]
fn a_click_goes_to_a_move_and_the_current_one_is_lit() {
    let folder = Folder::new();
    for size in [Vec2::new(1440.0, 900.0), Vec2::new(800.0, 600.0), Vec2::new(390.0, 844.0)] {
        let mut app = open(&folder, size);
        assert_eq!(current(&app), None, "{size}");
        app.get_by_label_contains("Move 2, Blues: i9").click();
        app.run_steps(5);
        assert_eq!(line(&app), 8, "{size}: {app:?}");
        assert_eq!(
            current(&app).as_deref(),
            Some("Move 2, Blues: i9; Blues’s own evaluation: −80; Ahead in both evaluations: Reds"),
            "{size}"
        );
        app.key_press(Key::ArrowRight);
        app.run_steps(5);
        assert_eq!(
            current(&app).as_deref(),
            Some("Move 3, Reds: j10; Reds’s own evaluation: wins; Forced win seen by Reds"),
            "{size}"
        );
    }
}

#[test]
fn moves_of_both_sides_stand_side_by_side() {
    let folder = Folder::new();
    let app = open(&folder, Vec2::new(1440.0, 900.0));
    let at = |label: &str| app.get_by_label_contains(label).rect();
    let (first, second, third) = (at("Move 1,"), at("Move 2,"), at("Move 3,"));
    assert_eq!(first.top(), second.top());
    assert!(first.right() <= second.left() && third.top() >= first.bottom() && third.left() == first.left());
}

#[test]
fn the_notation_is_copied() {
    let folder = Folder::new();
    let mut app = open(&folder, Vec2::new(1440.0, 900.0));
    press_copy(&mut app);
    let copied = |app: &Window| {
        app.output().platform_output.commands.iter().any(
            |command| matches!(command, OutputCommand::CopyText(text) if text == "1. h8 2. i9 3. j10 4. a1"),
        )
    };
    assert!(copied(&app), "{:?}", app.output().platform_output.commands);
    app.get_by_label("Copy the moves").click();
    app.step();
    assert!(copied(&app), "{:?}", app.output().platform_output.commands);
}

#[test]
fn the_move_that_won_says_so_and_every_evaluation_says_whose_it_is() {
    let folder = Folder::new();
    let lines = [
        (0.0, "board 15"),
        (0.5, "thought black 29997 9 900 h8"),
        (0.6, "move black h8"),
        (1.1, "thought white ~80 4 900 i9"),
        (1.2, "move white i9"),
        (1.7, "thought black 29999 9 900 j10"),
        (1.8, "move black j10"),
        (1.8, "win black"),
    ];
    let text = recording("gomoku", &lines)
        .replace(r#""winner":"red","termination":"score""#, r#""winner":"black","termination":"five""#);
    assert!(text.contains("five"), "{text}");
    let path = folder.file("won.replay", text);
    let mut app = window(Some(Target::File(path)), Vec2::new(1440.0, 900.0));
    wait_for(&mut app, "Pause");
    app.key_press(Key::Num4);
    app.run_steps(20);
    assert!(shows(&app, "Move 1, Reds: h8; Reds’s own evaluation: wins in 2"), "{app:?}");
    assert!(shows(&app, "Move 3, Reds: j10; wins the match") && !shows(&app, "wins in 1"), "{app:?}");
    let tells = |app: &Window, words: &str| painted(app).iter().any(|(text, _)| text == words);
    assert!(tells(&app, "wins") && tells(&app, "evaluations: each player’s own"), "{:?}", painted(&app));
    // Before and after the last move the plot tells it too.
    app.key_press(Key::Num1);
    app.key_press(Key::End);
    app.run_steps(20);
    assert!(shows(&app, "Evaluation: Reds wins, Blues loses"), "{app:?}");
    app.key_press(Key::ArrowLeft);
    app.run_steps(20);
    let told: Vec<_> = app
        .query_all_by_label_contains("Evaluation: ")
        .filter_map(|node| node.accesskit_node().label())
        .collect();
    assert!(told.contains(&"Evaluation: Reds wins in 2, Blues −80".to_owned()), "{told:?}");
}

#[test]
fn a_move_without_an_evaluation_has_a_dash_where_its_player_tells_some() {
    let folder = Folder::new();
    let lines = [
        (0.0, "board 15"),
        (0.5, "thought black 120 9 900 h8"),
        (0.6, "move black h8"),
        (1.2, "move white i9"),
        (1.8, "move black j10"),
        (2.4, "move white a1"),
    ];
    let mut app = window(
        Some(Target::File(folder.file("a.replay", recording("gomoku", &lines)))),
        Vec2::new(1440.0, 900.0),
    );
    wait_for(&mut app, "Pause");
    app.key_press(Key::Num4);
    app.run_steps(20);
    let dashes = painted(&app).iter().filter(|(text, _)| text == "–").count();
    assert_eq!(dashes, 1, "white tells nothing: {:?}", painted(&app));
}

#[test]
fn the_bar_tells_the_latest_evaluation() {
    let folder = Folder::new();
    let mut app = open(&folder, Vec2::new(1440.0, 900.0));
    assert!(shows(&app, "Evaluation: nothing said"), "{app:?}");
    app.get_by_label_contains("Move 2, Blues").click();
    app.run_steps(5);
    assert!(shows(&app, "Evaluation: Blues −80"), "{app:?}");
    // The larger part has it in figures, as the team sees it that stands better.
    let bar = app.get_by_role(Role::Meter).rect();
    let drawn = app.output().shapes.iter().find_map(|clipped| match &clipped.shape {
        Shape::Text(text) if text.galley.text() == "+80" => Some(text.visual_bounding_rect()),
        _ => None,
    });
    let figure = drawn.filter(|figure| bar.expand(1.0).contains_rect(*figure)).expect("on the bar");
    assert!(figure.top() > bar.center().y, "in the part of Reds, {figure:?} of {bar:?}");
}

#[test]
fn the_evaluation_bar_is_as_high_as_the_board() {
    let folder = Folder::new();
    for size in [Vec2::new(390.0, 844.0), Vec2::new(800.0, 600.0), Vec2::new(1440.0, 900.0)] {
        let app = open(&folder, size);
        let place = app.get_by_label_contains("Gomoku board").rect();
        let bar = app.get_by_role(Role::Meter).rect();
        // The wood is square, in the middle of its place, and 6 points from the bar.
        let wood = 2.0 * (place.center().x - bar.right() - 6.0);
        assert!((bar.height() - wood).abs() < 1.5, "{size}: {bar} beside {wood}");
        assert!((bar.center().y - place.center().y).abs() < 1.0, "{size}: {bar} beside {place}");
    }
}

#[test]
fn in_spoiler_mode_there_are_the_moves_that_were_seen_and_no_evaluation() {
    let folder = Folder::new();
    let mut app = open(&folder, Vec2::new(1440.0, 900.0));
    app.key_press(Key::S);
    app.run_steps(60);
    assert!(shows(&app, "No move yet.") && !shows(&app, "Move 1,"), "{app:?}");
    for _ in 0..5 {
        app.key_press_modifiers(Modifiers::SHIFT, Key::ArrowRight);
        app.run_steps(20);
    }
    assert!(shows(&app, "Move 1, Reds: h8") && !shows(&app, "Move 2,"), "{app:?}");
    let bar = app.query_all_by_role(Role::Meter).count();
    assert!(bar == 0 && !shows(&app, "evaluation:"), "{app:?}");
    press_copy(&mut app);
    let copied = app
        .output()
        .platform_output
        .commands
        .iter()
        .any(|command| matches!(command, OutputCommand::CopyText(text) if text == "1. h8"));
    assert!(copied, "{:?}", app.output().platform_output.commands);
}

#[test]
fn in_spoiler_mode_a_recording_without_evaluations_has_no_chart_of_them() {
    let folder = Folder::new();
    for with in [true, false] {
        let lines: Vec<(f64, &str)> =
            LINES.iter().copied().filter(|(_, line)| with || !line.starts_with("thought")).collect();
        let path = folder.file(&format!("{with}.replay"), recording("gomoku", &lines));
        let mut app = window(None, Vec2::new(1440.0, 900.0));
        app.key_press(Key::S);
        app.run_steps(5);
        app = window(Some(Target::File(path)), Vec2::new(1440.0, 900.0));
        wait_for(&mut app, "Pause");
        app.key_press(Key::S);
        app.run_steps(20);
        assert_eq!(app.query_all_by_label_contains("Evaluation").next().is_some(), with, "{app:?}");
    }
}

#[test]
fn moves_have_a_tab_of_their_own_at_every_size() {
    let folder = Folder::new();
    for size in [Vec2::new(1440.0, 900.0), Vec2::new(1920.0, 1080.0), Vec2::new(800.0, 600.0)] {
        let mut app = open(&folder, size);
        // The card takes its room from the panel.
        app.key_press(Key::End);
        app.key_press(Key::Num4);
        app.run_steps(20);
        let tab = app.get_by_role_and_label(Role::Button, "Moves");
        assert_eq!(tab.accesskit_node().toggled(), Some(Toggled::True), "{size}: {app:?}");
        let lists = shows(&app, "Move 1, Reds: h8") && shows(&app, "Move 2,");
        let has_plots = painted(&app).iter().any(|(text, _)| text == "seconds a move");
        assert!(lists && !has_plots, "{size}: {app:?}");
    }
}

#[test]
fn plots_go_over_the_moves_and_no_lane_repeats_another() {
    let folder = Folder::new();
    let mut app = open(&folder, Vec2::new(1440.0, 900.0));
    app.key_press(Key::End);
    app.key_press(Key::Num1);
    app.run_steps(10);
    assert!(shows(&app, "Thinking time: ") && !shows(&app, "Activity: "), "{app:?}");
    let is_plot = |label: Option<String>| label.is_some_and(|label| label.starts_with("Evaluation: Reds"));
    let plot = {
        let mut figures = app.query_all_by_role(Role::Figure);
        let plot =
            figures.find(|figure| figure.rect().height() > 60.0 && is_plot(figure.accesskit_node().label()));
        plot.expect("the plot").rect()
    };
    // The second of the 24 moves that have room, however late it was made.
    let pitch = (plot.width() - 50.0) / 24.0;
    app.hover_at(pos2(plot.left() + 36.0 + 1.5 * pitch, plot.center().y));
    app.run_steps(3);
    let texts: Vec<String> = painted(&app).into_iter().map(|(text, _)| text).collect();
    let has = |wanted: &str| texts.iter().any(|text| text == wanted);
    assert!(has("Move 2") && has("+120") && has("−80"), "{texts:?}");
}

#[test]
fn a_game_without_turns_has_no_moves() {
    let folder = Folder::new();
    let app = crate::support::open_replay(&folder);
    assert!(!shows(&app, "Copy the moves") && app.query_by_label("Moves").is_none(), "{app:?}");
}

#[test]
fn a_key_of_a_tab_that_a_match_has_not_says_so() {
    let mut app = crate::support::sample("shark", Vec2::new(1280.0, 800.0));
    app.key_press(Key::Num4);
    app.run_steps(3);
    assert!(shows(&app, "This game has no list of moves"));
    let mut app = crate::support::sample("gomoku", Vec2::new(1280.0, 800.0));
    app.key_press(Key::Num5);
    app.run_steps(3);
    assert!(shows(&app, "This match has no programs to show"));
}

#[test]
fn a_move_that_brought_a_key_moment_says_which() {
    let mut app = sample("riskless", Vec2::new(1440.0, 900.0));
    app.key_press(Key::Home);
    app.key_press(Key::Num4);
    app.run_steps(10);
    let first = |app: &Window| {
        let moves = app.query_all_by_label_contains("Move 1, ");
        moves.filter_map(|item| item.accesskit_node().label()).next().expect("the first move")
    };
    assert!(first(&app).ends_with("; Lead taken by alphabeta:depth=2"), "{}", first(&app));
    // It is a spoiler before it was seen.
    app.key_press(Key::S);
    app.run_steps(10);
    assert!(!shows(&app, "Lead taken"), "{app:?}");
}
