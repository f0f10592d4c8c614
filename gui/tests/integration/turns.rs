//! Tests of Gomoku, Pente and Riskless: boards, clocks, plots, words and moments.

use std::path::Path;

use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Rect, Shape, Vec2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use grandstand_gui::Target;
use grandstand_testing::{Folder, recording};

use crate::support::{Window, painted, sample, shows, wait_for, window};

/// Black captures a pair, thinks long and wins.
const PENTE: &[(f64, &str)] = &[
    (0.0, "board 19"),
    (0.0, "names ada a_person"),
    (0.0, "turn black"),
    (0.0, "clock black 60000 running"),
    (0.0, "clock white 30000 stopped"),
    (1.0, "thought black 120 12 1000000 j10 k11"),
    (2.0, "clock black 58000 stopped"),
    (2.0, "move black j10"),
    (2.0, "turn white"),
    (2.0, "clock white 30000 running"),
    (12.0, "clock white 20000 stopped"),
    (12.0, "move white k10"),
    (12.0, "turn black"),
    (12.0, "clock black 58000 running"),
    (13.0, "move black m10"),
    (13.0, "set k10 e"),
    (13.0, "captures black 1"),
    (13.0, "turn white"),
    (14.0, "five j10 n14"),
    (14.0, "win black"),
];

/// A march, and a battle that the attacker wins.
const RISKLESS: &[(f64, &str)] = &[
    (0.0, "map 10 60 Small Earth"),
    (0.0, "territory 0 50 100 Alaska"),
    (0.0, "territory 1 940 120 Kamchatka"),
    (0.0, "territory 2 500 800 Congo"),
    (0.0, "road 0 1"),
    (0.0, "road 1 2"),
    (0.0, "set 0 maxie 4"),
    (0.0, "set 2 minnie 5"),
    (0.0, "turn maxie"),
    (1.0, "thought maxie 3 4 900 0-1 2-1"),
    (2.0, "move maxie 0 1"),
    (2.0, "set 0 maxie 1"),
    (2.0, "set 1 maxie 5"),
    (2.0, "set 2 minnie 6"),
    (2.0, "turn minnie"),
    (3.0, "move minnie 2 1"),
    (3.0, "battle 1 6 5"),
    (3.0, "set 1 minnie 2"),
    (3.0, "set 2 minnie 1"),
    (3.0, "turn maxie"),
    (4.0, "win minnie"),
];

/// A window with a match, paused at its start.
fn open(folder: &Folder, game: &str, lines: &[(f64, &str)]) -> Window {
    let path = folder.file("match.replay", recording(game, lines));
    let mut app = window(Some(Target::File(path)), Vec2::new(1280.0, 800.0));
    wait_for(&mut app, "Pause");
    app.key_press(Key::Space);
    app.key_press(Key::Home);
    app.run();
    app
}

fn press(app: &mut Window, key: Key) {
    app.key_press(key);
    app.run();
}

fn next_move(app: &mut Window) {
    app.key_press(Key::ArrowRight);
    app.run();
}

#[test]
fn a_board_of_stones_says_what_stands_where() {
    let folder = Folder::new();
    let mut app = open(&folder, "pente", PENTE);
    next_move(&mut app);
    assert!(shows(&app, "Pente board, 19 by 19: 1 black and 0 white stones, last black j10"), "{app:?}");
    assert!(shows(&app, "j10: black stone, move 1") && shows(&app, "Move 1 a person to move"));
    next_move(&mut app);
    next_move(&mut app);
    assert!(!shows(&app, "k10: white stone"), "it was captured");
    assert!(shows(&app, "ada: 1 captured pair,"));
    assert!(!shows(&app, "1 captured pair, 1 captured pair"), "it is told once");
}

#[test]
fn clocks_stand_where_the_picture_does() {
    let folder = Folder::new();
    let mut app = open(&folder, "pente", PENTE);
    next_move(&mut app);
    assert!(shows(&app, "clock 0:58,") && shows(&app, "clock 0:30, running"), "{app:?}");
    assert!(shows(&app, "evaluation +120, depth 12, 1,000,000 positions"));
    // To ten seconds after the start, eight seconds after the clock started.
    app.key_press(Key::Space);
    app.run_steps(60 * 8);
    app.key_press(Key::Space);
    app.run();
    assert!(shows(&app, "clock 0:22, running") || shows(&app, "clock 0:21, running"), "{app:?}");
    assert!(shows(&app, "clock 0:58,"), "the other one stands still");
    press(&mut app, Key::End);
    assert!(!shows(&app, "running"), "the match is over");
}

#[test]
fn the_next_moment_of_a_game_of_stones_is_a_capture_or_a_row() {
    let folder = Folder::new();
    let mut app = open(&folder, "pente", PENTE);
    press(&mut app, Key::N);
    assert!(shows(&app, "Captured pairs over the moves: ada 1, a person 0"));
    assert!(shows(&app, "Thinking time: ada 1.0 s"), "{app:?}");
    press(&mut app, Key::N);
    assert!(shows(&app, "a row from j10 to n14"));
    press(&mut app, Key::N);
    assert!(shows(&app, "No capture, row, forced win or long thought after this"));
    press(&mut app, Key::End);
    for line in ["Black j10.", "Black captures: 1 pair in all.", "Black has a row from j10 to n14."] {
        assert!(shows(&app, line), "{line}\n{app:?}");
    }
}

#[test]
fn in_gomoku_nothing_is_counted() {
    let folder = Folder::new();
    let lines: Vec<(f64, &str)> =
        PENTE.iter().copied().filter(|(_, line)| !line.contains("captures")).collect();
    let mut app = open(&folder, "gomoku", &lines);
    press(&mut app, Key::End);
    assert!(shows(&app, "Gomoku board, 19 by 19"));
    assert!(!shows(&app, "points") && !shows(&app, "captured"), "{app:?}");
}

#[test]
fn a_stone_moves_and_lies_still_with_the_match() {
    let folder = Folder::new();
    let mut app = open(&folder, "pente", PENTE);
    app.key_press(Key::Space);
    app.run_steps(125);
    assert!(app.ctx.has_requested_repaint());
    app.key_press(Key::Space);
    app.run_steps(3);
    app.run_ok().expect("nothing moves while the match stands still");
}

#[test]
fn a_small_window_says_who_moves_and_what_was_thought() {
    let folder = Folder::new();
    let lines = [
        "map 10 60 Small",
        "territory 1 100 100 North",
        "territory 2 900 900 South",
        "road 1 2",
        "names a_long_name_of_one a_long_name_of_two",
        "set 1 maxie 6",
        "set 2 minnie 4",
        "thought maxie 3 4 900 1-2",
        "turn minnie",
    ];
    let mut lines: Vec<(f64, &str)> = lines.iter().map(|line| (0.0, *line)).collect();
    lines.push((99.0, "turn maxie"));
    let path = folder.file("small.replay", recording("riskless", &lines));
    let mut app = window(Some(Target::File(path)), Vec2::new(800.0, 600.0));
    wait_for(&mut app, "Line 9 of 10");
    app.run_steps(10);
    let texts = painted(&app);
    let has = |wanted: &str| texts.iter().any(|(text, is_cut)| text.starts_with(wanted) && !is_cut);
    assert!(has("Blue to move") && has("+3"), "{texts:?}");
}

#[test]
fn the_map_says_who_holds_what() {
    let folder = Folder::new();
    let mut app = open(&folder, "riskless", RISKLESS);
    next_move(&mut app);
    let summary = "Riskless map: red 6 armies on 2 territories, blue 6 armies on 1 territory, last red Alaska to Kamchatka";
    assert!(shows(&app, summary), "{app:?}");
    assert!(shows(&app, "Alaska (no. 0): red, 1 army; roads to Kamchatka"));
    assert!(shows(&app, "Reds: 6 armies, evaluation +3, depth 4, 900 positions, 2 territories"));
    press(&mut app, Key::N);
    assert!(shows(&app, "Kamchatka (no. 1): blue, 2 armies"));
    assert!(shows(&app, "Armies over the moves: Reds 1, Blues 3"));
    press(&mut app, Key::N);
    assert!(shows(&app, "No battle or long thought after this"));
    press(&mut app, Key::End);
    for line in [
        "The map is set up: Small Earth.",
        "Red: Alaska to Kamchatka.",
        "Battle at Kamchatka, 6 against 5: Blue takes it.",
    ] {
        assert!(shows(&app, line), "{line}\n{app:?}");
    }
}

#[test]
fn boards_of_any_size_fit_into_small_and_huge_windows() {
    let folder = Folder::new();
    let sized = |size: u16| {
        let board = format!("board {size}");
        let lines =
            [(0.0, board.as_str()), (0.0, "move black c3"), (0.5, "move white d4"), (1.0, "say black hm")];
        recording("gomoku", &lines)
    };
    let matches = [5, 15, 255, 999].map(|size| (format!("gomoku-{size}"), sized(size)));
    let riskless = ("riskless".to_owned(), recording("riskless", RISKLESS));
    for (name, text) in matches.into_iter().chain([riskless]) {
        let path = folder.file(&format!("{name}.replay"), &text);
        for size in [Vec2::new(480.0, 400.0), Vec2::new(800.0, 600.0), Vec2::new(3840.0, 2160.0)] {
            let mut app = window(Some(Target::File(path.clone())), size);
            wait_for(&mut app, if name == "riskless" { "Riskless map" } else { "Gomoku board" });
            app.key_press(Key::D);
            app.run_steps(30);
            assert!(app.query_by_label("Timeline").is_some(), "{name} in {size}");
        }
    }
}

/// A row of the moments.
const ROW: &str = "0:22.8: white pushes black off at B−4; Turn 76; team (white) leads 6 : 5";

#[test]
fn a_row_of_the_moments_tells_the_place_the_turn_and_the_score() {
    for size in [Vec2::new(800.0, 600.0), Vec2::new(390.0, 844.0), Vec2::new(1920.0, 1080.0)] {
        let mut app = sample("abalone", size);
        app.key_press(Key::End);
        app.run_steps(4);
        app.key_press(Key::Num2);
        app.run_steps(30);
        // The list has scrolled to it, above the card of the result.
        let row = app.get_by_role_and_label(Role::ListItem, ROW).rect();
        let card = app.output().shapes.iter().find_map(|clipped| match &clipped.shape {
            Shape::Text(text) if text.galley.text().starts_with("team (white) wins by score") => {
                Some(text.pos.y)
            }
            _ => None,
        });
        // On a phone the result is in the line of the score.
        assert!(card.is_some() || size.x < 480.0, "{size}");
        let end = card.unwrap_or(size.y);
        assert!(row.bottom() <= end, "{size}: {row} {end}");
        let texts = painted(&app);
        for words in ["White pushes black off at B−4", "Turn 76  ·  team (white) leads 6 : 5"] {
            let ends = |text: &str| text.ends_with(words);
            assert!(texts.iter().any(|(text, cut)| ends(text) && !cut), "{size}, {words}: {texts:?}");
        }
    }
}

#[test]
fn where_names_are_long_a_row_of_the_moments_has_the_colour_the_turn_and_the_score() {
    let folder = Folder::new();
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../replays/samples/riskless-alphabeta-random.replay");
    let text = std::fs::read_to_string(path).expect("the sample");
    let long = "names the_tournament_winner_of_last_winter the_tournament_winner_of_last_summer";
    let text = text.replace("names alphabeta:depth=2 random", long);
    let file = Target::File(folder.file("long.replay", &text));
    let mut app = window(Some(file), Vec2::new(800.0, 600.0));
    wait_for(&mut app, "Pause");
    app.key_press(Key::End);
    app.run_steps(4);
    app.key_press(Key::Num2);
    app.run_steps(30);
    let texts = painted(&app);
    for words in ["Move 1  ·  Red leads 12 : 11", "Move 41  ·  Red leads 328 : 0", "Move 41  ·  328 : 0"] {
        assert!(texts.iter().any(|(text, cut)| text == words && !cut), "{words}: {texts:?}");
    }
    // The result has the size of the other rows, and the last evaluation goes with the match.
    let at_row = |words: &str| {
        let mut found = app.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
            Shape::Text(text) if text.galley.text() == words => Some(text.galley.rows[0].size.y),
            _ => None,
        });
        found.next().unwrap_or_else(|| panic!("{words}: {texts:?}"))
    };
    assert_eq!(at_row("…winter wins by conquest"), at_row("Egypt taken"));
    assert!(!texts.iter().any(|(text, _)| text.starts_with("winning")), "{texts:?}");
}

#[test]
fn labels_of_the_timeline_say_in_little_room_what_it_was() {
    let mut app = sample("abalone", Vec2::new(1440.0, 900.0));
    app.key_press(Key::End);
    app.run_steps(4);
    let texts = painted(&app);
    assert!(!texts.iter().any(|(text, cut)| *cut && text.starts_with("white pushes")), "{texts:?}");
    // `… H−1` said nothing.
    assert!(texts.iter().all(|(text, cut)| !cut && !text.contains("… ")), "{texts:?}");
    assert!(texts.iter().any(|(text, _)| text == "Push off"), "{texts:?}");
}

#[test]
fn all_plots_of_a_match_by_turns_have_one_axis() {
    let mut app = sample("riskless", Vec2::new(1440.0, 1600.0));
    app.key_press(Key::Num1);
    app.run_steps(10);
    let plot = |app: &Window, title: &str| {
        let figures = app.query_all_by_role(Role::Figure);
        let mut rects = figures.filter(|figure| {
            figure.accesskit_node().label().is_some_and(|label| label.starts_with(title))
                && figure.rect().height() > 60.0
        });
        rects.next().unwrap_or_else(|| panic!("{title}: {app:?}")).rect()
    };
    let mut told = Vec::new();
    for title in ["Evaluation", "Armies over the moves: ", "Territories over the moves: "] {
        let rect = plot(&app, title);
        app.hover_at(eframe::egui::pos2(rect.left() + rect.width() * 0.6, rect.center().y));
        app.run_steps(3);
        let is_pointed = |text: &String| text.starts_with("Move ") && !text.contains('·');
        let below = painted(&app).into_iter().map(|(text, _)| text).find(is_pointed);
        told.push(below);
    }
    assert!(told[0].is_some() && told.iter().all(|text| *text == told[0]), "{told:?}");
}

#[test]
fn numbers_beside_a_plot_stand_within_it() {
    let folder = Folder::new();
    let lines = [
        (0.0, "board 15"),
        (0.5, "thought black 5000 2 9 h8"),
        (1.0, "move black h8"),
        (1.5, "thought white -5000 2 9 h9"),
        (2.0, "move white h9"),
        (2.5, "thought black 5500 2 9 i8"),
        (3.0, "move black i8"),
    ];
    let path = folder.file("far.replay", recording("gomoku", &lines));
    let mut app = window(Some(Target::File(path)), Vec2::new(1440.0, 900.0));
    wait_for(&mut app, "Pause");
    app.key_press(Key::Num1);
    app.key_press(Key::End);
    app.run_steps(20);
    let figures = app.query_all_by_role(Role::Figure);
    let is_it = |node: &egui_kittest::Node<'_>| {
        node.accesskit_node().label().is_some_and(|label| label.starts_with("Evaluation: "))
    };
    let lane = 60.0;
    let plots = figures.into_iter().filter(is_it).map(|node| node.rect());
    let plot = plots.into_iter().find(|rect| rect.height() > lane).expect("the plot");
    let numbers: Vec<(String, Rect)> = app
        .output()
        .shapes
        .iter()
        .filter_map(|clipped| match &clipped.shape {
            Shape::Text(text) => Some((text.galley.text().to_owned(), text.visual_bounding_rect())),
            _ => None,
        })
        .filter(|(text, rect)| {
            text.starts_with(['−', '+']) && plot.expand2(vec2(30.0, 0.0)).contains_rect(*rect)
        })
        .collect();
    let seen = numbers.iter().any(|(text, _)| text.starts_with('−'));
    assert!(seen, "{plot}: {numbers:?} of {:?}", painted(&app));
    assert!(numbers.iter().all(|(_, rect)| rect.left() >= plot.left() + 2.0), "{plot}: {numbers:?}");
}
