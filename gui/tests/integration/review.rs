//! Tests of reviews by the engine, through the accessibility tree.

use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Modifiers, Rect, Shape, Vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use grandstand_gui::Target;
use grandstand_testing::{Folder, recording};

use crate::support::{Window, painted, shows, wait_for, window};

/// Both sides have a win by fours; black, to move, plays elsewhere.
const MOVES: &str = "e8 e3 f8 f3 g8 g3 h9 h4 h10 h5 d3 d8 a1 h3 i3 h6 h7 h2";

/// A window with the match at its start, and the list of its moves.
fn open(folder: &Folder) -> Window {
    let mut app = open_at(folder, Vec2::new(1440.0, 900.0));
    app.key_press(Key::Num4);
    app.run_steps(20);
    app
}

/// A window of this size with the match at its start.
fn open_at(folder: &Folder, size: Vec2) -> Window {
    open_of(folder, size, |text| text)
}

/// A recording with the winner, of these names.
fn of(names: [&str; 2]) -> impl Fn(String) -> String {
    let names = names.map(str::to_owned);
    move |text| {
        text.replace(r#""color":"red""#, r#""color":"black""#)
            .replace(r#""color":"blue""#, r#""color":"white""#)
            .replace(r#""name":"Reds""#, &format!(r#""name":"{}""#, names[0]))
            .replace(r#""name":"Blues""#, &format!(r#""name":"{}""#, names[1]))
            .replace(r#""winner":"red""#, r#""winner":"white""#)
    }
}

/// The same with a recording that is changed so.
fn open_of(folder: &Folder, size: Vec2, changed: impl Fn(String) -> String) -> Window {
    let mut lines = vec![(0.0, "board 15".to_owned())];
    for (number, point) in MOVES.split(' ').enumerate() {
        let team = ["black", "white"][number % 2];
        lines.push((number as f64, format!("move {team} {point}")));
    }
    lines.push((18.0, "five h2 h6".to_owned()));
    lines.push((18.0, "win white".to_owned()));
    let lines: Vec<(f64, &str)> = lines.iter().map(|(t, line)| (*t, &**line)).collect();
    let path = folder.file("lost.replay", changed(recording("gomoku", &lines)));
    let mut app = window(Some(Target::File(path)), size);
    wait_for(&mut app, "Pause");
    app.key_press(Key::Space);
    app.key_press(Key::Home);
    app.run_steps(20);
    app
}

fn wait_until(app: &mut Window, what: &str, is_so: impl Fn(&Window) -> bool) {
    let began = std::time::Instant::now();
    while !is_so(app) {
        assert!(began.elapsed() < grandstand_testing::PATIENCE, "{what} never came: {:?}", painted(app));
        app.step();
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[test]
fn the_move_that_lost_is_found_on_demand_and_marked_in_the_list_of_moves() {
    let folder = Folder::new();
    let mut app = open(&folder);
    assert!(app.query_by_role(Role::Meter).is_none(), "nobody said what they think");
    app.get_by_label("Find the move that lost").click();
    app.run_steps(2);
    // The recording has no winner: told is what gave up most.
    let verdict = "Most was given up by move 7 h9: black had an open four at d8";
    wait_until(&mut app, "the move that lost", |app| shows(app, verdict));
    assert!(
        shows(&app, "a1; the engine’s evaluation: loses in 3; ?? black had a win by fours from h8"),
        "{:?}",
        painted(&app)
    );
    assert!(
        shows(&app, "Better: d8 h8 c8; black’s chance 100\u{a0}%\u{a0}→\u{a0}0\u{a0}%"),
        "the engine's line, and the chances: {:?}",
        painted(&app)
    );
    // The moments have it too, not only the tip.
    app.key_press(Key::Num2);
    app.run_steps(10);
    let whole =
        |app: &Window, begin: &str| painted(app).iter().any(|(text, cut)| text.starts_with(begin) && !cut);
    let row = |(text, cut): &(String, bool)| {
        !cut && text.starts_with("Reds  ·  Move 13  ·  ") && text.ends_with("100 % → 0 %; better: h8")
    };
    assert!(whole(&app, "a1 ??") && painted(&app).iter().any(row), "{:?}", painted(&app));
    // At the move itself the board has it.
    assert!(!whole(&app, "better: h8"), "not at the start: {:?}", painted(&app));
    app.get_by_label_contains("a1 ??").click();
    app.run_steps(10);
    assert!(whole(&app, "better: h8"), "{:?}", painted(&app));
}

#[test]
fn on_a_phone_the_card_at_the_end_begins_a_review_and_has_its_progress_and_its_finding() {
    let folder = Folder::new();
    let mut app = open_at(&folder, Vec2::new(390.0, 844.0));
    app.key_press(Key::End);
    wait_for(&mut app, "The match is over");
    app.run_steps(8);
    // Read by eyes: whole, within the card and the window, clear of the board.
    let in_card = |app: &Window, label: &str| {
        let card = app.get_by_label_contains("The match is over").rect();
        let shown = app.query_all_by_label_contains(label).next().expect(label).rect();
        let board = app.get_by_label_contains("Gomoku board").rect();
        let stone = board.top() + board.height().min(board.width());
        assert!(card.contains_rect(shown) && card.bottom() <= 844.0, "{label} at {shown} in {card}");
        assert!(card.top() >= stone, "{label}: {card} over {board}");
    };
    in_card(&app, "Find the move that lost");
    in_card(&app, "Share…");
    app.get_by_label("Find the move that lost").click();
    wait_until(&mut app, "the move that lost", |app| {
        if shows(app, "Stop the search") {
            in_card(app, "Stop the search");
        }
        shows(app, "Most was given up by")
    });
    app.run_steps(8);
    in_card(&app, "Most was given up by move 7 h9");
    in_card(&app, "Better: d8 h8 c8");
    in_card(&app, "Watch again");
}

#[test]
fn on_a_phone_a_review_leaves_the_timeline_in_view_and_is_told_on_the_card() {
    let folder = Folder::new();
    let height = 844.0;
    let mut app = open_of(&folder, Vec2::new(390.0, height), of(["Ravens", "Doves"]));
    app.key_press(Key::End);
    wait_for(&mut app, "The match is over");
    app.run_steps(8);
    app.key_press_modifiers(Modifiers::SHIFT, Key::E);
    wait_until(&mut app, "the move that lost", |app| shows(app, VERDICT));
    app.run_steps(12);
    let card = |app: &Window| app.get_by_label_contains("The match is over").rect();
    let clock = |app: &Window| {
        let mut texts = app.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
            Shape::Text(text) if text.galley.text().trim_start().starts_with("/ ") => {
                Some(text.visual_bounding_rect())
            }
            _ => None,
        });
        texts.next_back().expect("the time of the end")
    };
    assert!(card(&app).bottom() <= clock(&app).top() - 16.0, "{height}: {} {}", card(&app), clock(&app));
    assert!(shows(&app, "Watch again"), "{height}");
    let link = app.get_by_role_and_label(Role::Link, VERDICT).rect();
    assert!(card(&app).contains_rect(link), "{height}: {link} {}", card(&app));
}

#[test]
fn in_a_small_panel_the_card_has_two_lines_of_what_was_found_and_the_moves_keep_their_rows() {
    let folder = Folder::new();
    for (size, rows) in [(Vec2::new(800.0, 600.0), 10), (Vec2::new(390.0, 844.0), 4)] {
        let mut app = open_of(&folder, size, of(["Ravens", "Doves"]));
        app.key_press(Key::Num4);
        app.key_press(Key::End);
        wait_for(&mut app, "The match is over");
        app.run_steps(8);
        app.get_by_label("Find the move that lost").click();
        let verdict = "Move 13 a1 lost: black had a win by fours from h8";
        wait_until(&mut app, "the move that lost", |app| shows(app, verdict));
        app.run_steps(8);
        let card = |app: &Window| app.get_by_label_contains("The match is over").rect();
        let link = |app: &Window| app.get_by_role_and_label(Role::Link, VERDICT).rect();
        let in_view = |app: &Window| {
            let is_move = |row: &egui_kittest::Node<'_>| {
                row.accesskit_node().label().is_some_and(|label| label.starts_with("Move "))
            };
            let list = app.query_all_by_role(Role::ListItem).filter(is_move);
            list.filter(|row| row.rect().bottom() <= link(app).top()).count()
        };
        // On a phone the line of the score is the card, and these lines stand alone below the list.
        let folded_into = if size.x < 480.0 { app.get_by_label("Review").rect() } else { card(&app) };
        assert!(folded_into.contains_rect(link(&app)), "{size}: {:?}", painted(&app));
        assert!(in_view(&app) >= rows, "{size}: {} rows above {}", in_view(&app), card(&app));
        assert!(!shows(&app, "Better: "), "{size}");
        let folded = card(&app).height();
        app.get_by_label("Unfold this card").click();
        app.run_steps(8);
        assert!(
            shows(&app, "Better: h8 i8") && shows(&app, "black’s chance 100\u{a0}%\u{a0}→\u{a0}0\u{a0}%"),
            "{:?}",
            painted(&app)
        );
        assert!(card(&app).height() > folded && card(&app).bottom() <= size.y, "{size}");
        app.get_by_label("Fold this card").click();
        app.run_steps(8);
        assert!((card(&app).height() - folded).abs() < 1.0, "{size}");
    }
}

/// What the engine says of the match: the better move stands in the line below.
const VERDICT: &str = "Move 13 a1 lost: black had a win by fours from h8: h8 i8 h7.";

#[test]
fn the_card_and_the_review_name_one_move_once_and_say_whose_chance_it_was() {
    let folder = Folder::new();
    let mut app = open_of(&folder, Vec2::new(1440.0, 900.0), of(["Ravens", "Doves"]));
    app.key_press(Key::Num1);
    app.key_press(Key::End);
    wait_for(&mut app, "The match is over");
    app.get_by_label("Find the move that lost").click();
    wait_until(&mut app, "the move that lost", |app| shows(app, VERDICT));
    app.run_steps(8);
    let texts = painted(&app);
    let count = |part: &str| texts.iter().filter(|(text, _)| text.contains(part)).count();
    assert_eq!((count("better was"), count("Better: h8"), count("It turned at")), (0, 1, 0), "{texts:?}");
    let chances: Vec<_> = texts.iter().filter(|(text, _)| text.contains(" % → ")).collect();
    assert!(chances.iter().all(|(text, _)| text.contains("’s chance ")), "{chances:?}");
}

#[test]
fn the_title_of_the_card_takes_two_rows_at_most_whatever_the_names_are() {
    let folder = Folder::new();
    let long = "the-very-long-name-of-an-engine-2.1-with-all-options";
    for size in [Vec2::new(800.0, 600.0), Vec2::new(390.0, 844.0)] {
        for long in [long, "stupidbot-classic-2024-fast"] {
            let mut app = open_of(&folder, size, of(["Ravens", long]));
            app.key_press(Key::Num4);
            app.key_press(Key::End);
            wait_for(&mut app, "The match is over");
            app.run_steps(8);
            let unfold = app.query_by_label("Unfold this card").map(|button| button.click());
            app.run_steps(8);
            assert!(unfold.is_some() || shows(&app, "Fold this card"), "{size}: {:?}", painted(&app));
            let title = |app: &Window| -> (String, usize, bool) {
                let card = app.get_by_label_contains("The match is over").rect();
                let texts = app.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
                    Shape::Text(text) if card.contains(text.pos) => Some(&text.galley),
                    _ => None,
                });
                let mut titles = texts.filter(|galley| galley.text().contains("wins"));
                let galley = titles.next().expect("the title");
                (galley.text().to_owned(), galley.rows.len(), galley.elided)
            };
            let (text, rows, cut) = title(&app);
            assert!(rows <= 2 && !cut, "{size}: {text} in {rows}");
            app.get_by_label("Fold this card").click();
            app.run_steps(8);
            let (text, rows, cut) = title(&app);
            assert!(rows <= 3 && !cut, "{size}: {text} in {rows}");
        }
    }
}

#[test]
fn names_that_begin_alike_are_cut_so_that_the_winner_is_told() {
    let folder = Folder::new();
    let mut app = open_of(&folder, Vec2::new(800.0, 600.0), of(["search:nodes=400", "search:nodes=200"]));
    app.key_press(Key::End);
    wait_for(&mut app, "The match is over");
    app.run_steps(8);
    let says = |app: &Window| painted(app).iter().any(|(text, _)| text.contains("nodes=200 wins"));
    assert!(says(&app), "{:?}", painted(&app));
    app.get_by_label("Unfold this card").click();
    app.run_steps(8);
    assert!(says(&app), "{:?}", painted(&app));
}

#[test]
fn a_review_that_is_stopped_can_be_asked_for_again() {
    let folder = Folder::new();
    let mut app = open(&folder);
    app.get_by_label("Find the move that lost").click();
    wait_until(&mut app, "the search", |app| shows(app, "Stop the search"));
    app.get_by_label("Stop the search").click();
    let ended = |app: &Window| {
        shows(app, "Search for the move that lost again") || shows(app, "Most was given up by")
    };
    wait_until(&mut app, "the end of the search", ended);
    if shows(&app, "Search for the move that lost again") {
        app.get_by_label("Search for the move that lost again").click();
        wait_until(&mut app, "the move that lost", |app| shows(app, "Most was given up by"));
    }
}

/// What decided the match, as the card at its end says it.
fn decided(app: &Window) -> Vec<String> {
    painted(app).into_iter().map(|(text, _)| text).filter(|text| text.starts_with("It turned at ")).collect()
}

/// A recording of the match whose players said their evaluations.
fn with_thoughts(folder: &Folder) -> std::path::PathBuf {
    let mut lines = vec![(0.0, "board 15".to_owned())];
    for (number, point) in MOVES.split(' ').enumerate() {
        let team = ["black", "white"][number % 2];
        // Black sees late that it loses.
        let score = if number % 2 == 0 && number > 11 { -30_000 } else { 40 };
        lines.push((number as f64, format!("thought {team} {score} 2 9 {point}")));
        lines.push((number as f64 + 0.1, format!("move {team} {point}")));
    }
    lines.push((18.0, "five h2 h6".to_owned()));
    lines.push((18.0, "win white".to_owned()));
    let lines: Vec<(f64, &str)> = lines.iter().map(|(t, line)| (*t, &**line)).collect();
    let text = recording("gomoku", &lines)
        .replace(r#""color":"red""#, r#""color":"black""#)
        .replace(r#""color":"blue""#, r#""color":"white""#)
        .replace(r#""winner":"red""#, r#""winner":"white""#);
    folder.file("lost.replay", text)
}

#[test]
fn once_a_review_is_over_a_small_panel_is_not_cut_by_the_words_above_its_plot() {
    let folder = Folder::new();
    let mut app = window(Some(Target::File(with_thoughts(&folder))), Vec2::new(800.0, 600.0));
    wait_for(&mut app, "Pause");
    app.key_press(Key::Num1);
    app.key_press(Key::End);
    wait_for(&mut app, "The match is over");
    app.run_steps(20);
    app.key_press_modifiers(Modifiers::SHIFT, Key::E);
    wait_until(&mut app, "the move that lost", |app| shows(app, "the engine’s; a win is at the edge"));
    app.run_steps(20);
    let headings = app.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
        Shape::Text(text) if text.galley.text() == "Evaluation" => {
            Some((clipped.clip_rect.left(), text.visual_bounding_rect().left()))
        }
        _ => None,
    });
    let headings: Vec<_> = headings.collect();
    assert!(!headings.is_empty() && headings.iter().all(|(clip, text)| clip <= text), "{headings:?}");
}

#[test]
fn while_a_review_goes_on_the_card_at_the_end_tells_what_it_told_and_covers_no_move() {
    let folder = Folder::new();
    let path = with_thoughts(&folder);
    for height in [900.0, 1080.0] {
        let mut app = window(Some(Target::File(path.clone())), Vec2::new(1440.0, height));
        wait_for(&mut app, "Pause");
        app.key_press(Key::Num1);
        app.key_press(Key::End);
        wait_for(&mut app, "The match is over");
        app.run_steps(20);
        let before = decided(&app);
        assert!(!before.is_empty(), "{:?}", painted(&app));
        app.get_by_label("Find the move that lost").click();
        let is_over =
            |app: &Window| shows(app, "Search for the move that lost again") || shows(app, "Better: ");
        let began = std::time::Instant::now();
        let mut seen = 0;
        loop {
            app.step();
            app.step();
            if is_over(&app) {
                break;
            }
            assert!(began.elapsed() < grandstand_testing::PATIENCE, "{:?}", painted(&app));
            if shows(&app, "Stop the search") {
                seen += 1;
                assert_eq!(decided(&app), before);
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        assert!(seen > 0);
        app.run_steps(8);
        assert_ne!(decided(&app), before, "the review tells more");
        let card = app.get_by_label_contains("The match is over").rect();
        assert_eq!(over(&app, card), None, "{height}");
    }
}

/// A text of the panel that is painted on the card and is none of it: one that crosses its edge.
fn over(app: &Window, card: Rect) -> Option<String> {
    let texts = app.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
        Shape::Text(text) => {
            Some((text.galley.text(), text.visual_bounding_rect().intersect(clipped.clip_rect)))
        }
        _ => None,
    });
    let mut crossing = texts.filter(|(_, rect)| {
        rect.is_positive() && rect.intersects(card.shrink(1.0)) && !card.contains_rect(*rect)
    });
    crossing.next().map(|(text, rect)| format!("{text} at {rect} over {card}"))
}
