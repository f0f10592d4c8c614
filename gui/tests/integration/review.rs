//! Tests of reviews by the engine, through the accessibility tree.

use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Vec2};
use egui_kittest::kittest::Queryable;
use grandstand_gui::Target;
use grandstand_testing::{Folder, recording};

use crate::support::{Window, painted, shows, wait_for, window};

/// Both sides have a win by fours; black, to move, plays elsewhere.
const MOVES: &str = "e8 e3 f8 f3 g8 g3 h9 h4 h10 h5 d3 d8 a1 h3 i3 h6 h7 h2";

/// A window with the match at its start, and the list of its moves.
fn open(folder: &Folder) -> Window {
    let mut lines = vec![(0.0, "board 15".to_owned())];
    for (number, point) in MOVES.split(' ').enumerate() {
        let team = ["black", "white"][number % 2];
        lines.push((number as f64, format!("move {team} {point}")));
    }
    lines.push((18.0, "five h2 h6".to_owned()));
    lines.push((18.0, "win white".to_owned()));
    let lines: Vec<(f64, &str)> = lines.iter().map(|(t, line)| (*t, &**line)).collect();
    let path = folder.file("lost.replay", recording("gomoku", &lines));
    let mut app = window(Some(Target::File(path)), Vec2::new(1440.0, 900.0));
    wait_for(&mut app, "Pause");
    app.key_press(Key::Space);
    app.key_press(Key::Home);
    app.key_press(Key::Num4);
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
        shows(&app, "a1; evaluation wins in 3; ?? black had a win by fours from h8"),
        "{:?}",
        painted(&app)
    );
    assert!(
        shows(&app, "Better: d8 h8 c8; chance 100 % → 0 %"),
        "the engine's line, and the chances: {:?}",
        painted(&app)
    );
    // The moments have it too, not only the tip.
    app.key_press(Key::Num2);
    app.run_steps(10);
    let whole = |begin: &str| painted(&app).iter().any(|(text, cut)| text.starts_with(begin) && !cut);
    assert!(whole("a1 ??") && whole("Move 13  ·  better: h8"), "{:?}", painted(&app));
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
