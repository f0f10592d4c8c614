//! Tests of boards on which the viewer moves: the meaning of clicks.

use std::cell::RefCell;
use std::rc::Rc;

use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use grandstand_protocol::{Command, Game, Micros, Scene, SeatRequest};

use super::{BoardInput, BoardOptions, Hidden, view};
use crate::theme;

/// A picture of the scene without time.
pub(super) fn still(scene: &Scene) -> BoardInput<'_> {
    let (sides, hidden) = (&[], Hidden::NONE);
    BoardInput {
        scene,
        sides,
        now: 0.0,
        secs: 0.0,
        playback_rate: 0.0,
        hidden,
        pixels: 1.0,
        zoom: 1.0,
        seen: None,
        rules: None,
        may_move: None,
        pending: None,
        cursor: None,
        pressed: false,
        marked: &[],
    }
}

/// A board of the scene that these lines draw, and the moves made on it.
fn board(
    game: Game,
    lines: &[&str],
    may_move: Option<usize>,
) -> (Harness<'static>, Rc<RefCell<Vec<SeatRequest>>>) {
    board_by(serde_json::Value::Null, game, lines, may_move)
}

/// The same by rules.
fn board_by(
    rules: serde_json::Value,
    game: Game,
    lines: &[&str],
    may_move: Option<usize>,
) -> (Harness<'static>, Rc<RefCell<Vec<SeatRequest>>>) {
    let mut scene = Scene::new(game);
    for (seq, line) in (1..).zip(lines) {
        scene.apply(seq, Micros(0), &Command::parse(game, line.as_bytes()));
    }
    let board = view(&scene).new_painter();
    let made = Rc::new(RefCell::new(Vec::new()));
    let moves = Rc::clone(&made);
    let mut has_fonts = false;
    let mut harness = Harness::new_ui(move |ui| {
        if !std::mem::replace(&mut has_fonts, true) {
            return theme::install(ui.ctx());
        }
        let picture = BoardInput { may_move, rules: Some(&rules), ..still(&scene) };
        let options = BoardOptions { numbers: true, ..BoardOptions::default() };
        let rect = ui.max_rect();
        moves.borrow_mut().extend(board.show(ui, rect, &picture, options));
    });
    harness.run();
    (harness, made)
}

/// Clicks on the node with this label.
fn click(harness: &mut Harness<'_>, label: &str) {
    let at = harness
        .get_all_by_role(Role::Image)
        .find(|node| node.accesskit_node().label().is_some_and(|text| text.starts_with(label)));
    let at = at.unwrap_or_else(|| panic!("{label} in {harness:?}")).rect().center();
    click_at(harness, at);
}

/// The white stone, and the free point beside it above the black one.
fn corner(harness: &Harness<'_>) -> (egui::Pos2, egui::Pos2) {
    let at = |label| harness.get_by_role_and_label(Role::Image, label).rect().center();
    let (h8, i9) = (at("h8: black stone, move 1"), at("i9: white stone, move 2"));
    (i9, egui::pos2(h8.x, i9.y))
}

fn click_at(harness: &mut Harness<'_>, at: egui::Pos2) {
    harness.drag_at(at);
    harness.step();
    harness.drop_at(at);
    harness.run();
}

/// A finger's part of a tap.
fn touch(phase: egui::TouchPhase, pos: egui::Pos2) -> egui::Event {
    let (device_id, id) = (egui::TouchDeviceId(0), egui::TouchId(0));
    egui::Event::Touch { device_id, id, phase, pos, force: None }
}

/// The pointer's part of a tap.
fn button(pressed: bool, pos: egui::Pos2) -> egui::Event {
    let (button, modifiers) = (egui::PointerButton::Primary, egui::Modifiers::NONE);
    egui::Event::PointerButton { pos, button, pressed, modifiers }
}

/// Taps, with the events of each frame.
fn tap_by<const N: usize>(harness: &mut Harness<'_>, frames: [Vec<egui::Event>; N]) {
    for events in frames {
        harness.input_mut().events.extend(events);
        harness.step();
    }
    harness.run();
}

/// Taps on a position with a finger that is lifted within the same frame, as on a slow page.
fn tap(harness: &mut Harness<'_>, at: egui::Pos2) {
    let down = [touch(egui::TouchPhase::Start, at), egui::Event::PointerMoved(at), button(true, at)];
    let up = [button(false, at), egui::Event::PointerGone, touch(egui::TouchPhase::End, at)];
    tap_by(harness, [down.into_iter().chain(up).collect()]);
}

/// Taps on a position as in a page, where the pointer is up a frame before the finger is said to be gone.
fn tap_slowly(harness: &mut Harness<'_>, at: egui::Pos2) {
    let down = vec![egui::Event::PointerMoved(at), button(true, at), touch(egui::TouchPhase::Start, at)];
    let gone = vec![egui::Event::PointerGone, touch(egui::TouchPhase::End, at)];
    tap_by(harness, [down, vec![button(false, at)], gone]);
}

fn texts(made: &RefCell<Vec<SeatRequest>>) -> Vec<String> {
    let text = |request: &SeatRequest| match request {
        SeatRequest::Move { text, .. } => text.to_string(),
        other => panic!("{other:?}"),
    };
    made.borrow().iter().map(text).collect()
}

/// Whether the board says this about a place.
fn hints(harness: &Harness<'_>, words: &str) -> bool {
    harness.output().shapes.iter().any(|clipped| match &clipped.shape {
        egui::Shape::Text(text) => text.galley.text() == words,
        _ => false,
    })
}

const STONES: &[&str] = &["board 15", "move black h8", "move white i9", "turn black"];

#[test]
fn a_place_that_the_rules_forbid_shows_no_stone_and_the_reason() {
    let rules = serde_json::json!({ "OPENING": "centre" });
    let (mut harness, made) = board_by(rules, Game::Gomoku, &["board 15", "turn black"], Some(0));
    let board = harness.get_by_role(Role::Figure).rect().center();
    let stones = |harness: &Harness<'_>| {
        let shapes = harness.output().shapes.iter();
        shapes.filter(|clipped| matches!(clipped.shape, egui::Shape::Mesh(_))).count()
    };
    let bare = stones(&harness);
    harness.hover_at(board + egui::vec2(120.0, 0.0));
    harness.run();
    assert!(hints(&harness, "Not the centre, h8"), "{harness:?}");
    assert_eq!(stones(&harness), bare, "a mark and no stone");
    // It is sent all the same, and the mark stays where it was.
    click_at(&mut harness, board + egui::vec2(120.0, 0.0));
    assert_eq!(made.borrow().len(), 1);
    harness.hover_at(board + egui::vec2(120.0, 0.0));
    harness.run();
    assert_eq!(stones(&harness), bare);
    harness.hover_at(board);
    harness.run();
    assert!(!hints(&harness, "Not the centre, h8"));
    assert!(stones(&harness) > bare, "a stone on the centre");
}

#[test]
fn the_pointer_that_rests_on_a_stone_just_played_is_told_nothing() {
    let scene = Rc::new(RefCell::new(Scene::new(Game::Gomoku)));
    let (drawn, mut seq) = (Rc::clone(&scene), 0);
    let mut draw = move |line: &str| {
        seq += 1;
        drawn.borrow_mut().apply(seq, Micros(0), &Command::parse(Game::Gomoku, line.as_bytes()));
    };
    STONES.iter().for_each(|line| draw(line));
    let board = view(&scene.borrow()).new_painter();
    let made = Rc::new(RefCell::new(Vec::new()));
    let (moves, shown) = (Rc::clone(&made), Rc::clone(&scene));
    let mut has_fonts = false;
    let mut harness = Harness::new_ui(move |ui| {
        if !std::mem::replace(&mut has_fonts, true) {
            return theme::install(ui.ctx());
        }
        let scene = shown.borrow();
        let (picture, rect) = (BoardInput { may_move: Some(0), ..still(&scene) }, ui.max_rect());
        moves.borrow_mut().extend(board.show(ui, rect, &picture, BoardOptions::default()));
    });
    harness.run();
    harness.run();
    let (i9, h9) = corner(&harness);
    click_at(&mut harness, h9);
    assert_eq!(texts(&made), ["h9"]);
    ["move black h9", "move white a1", "turn black"].iter().for_each(|line| draw(line));
    harness.run();
    assert!(!hints(&harness, "A black stone is here"));
    for (place, words) in [(i9, "A white stone is here"), (h9, "A black stone is here")] {
        harness.hover_at(place);
        harness.run();
        assert!(hints(&harness, words), "{words}");
    }
}

#[test]
fn a_click_on_a_stone_is_refused_with_the_reason() {
    let (mut harness, made) = board(Game::Gomoku, STONES, Some(0));
    harness.run();
    click(&mut harness, "h8: black stone");
    assert_eq!(texts(&made), ["h8"]);
    let (_, h9) = corner(&harness);
    click_at(&mut harness, h9);
    assert_eq!(texts(&made), ["h8", "h9"]);
}

#[test]
fn a_finger_aims_first_also_where_its_click_comes_before_its_end() {
    let (mut harness, made) = board(Game::Gomoku, STONES, Some(0));
    harness.run();
    let (_, h9) = corner(&harness);
    tap_slowly(&mut harness, h9);
    assert_eq!(texts(&made), [""; 0]);
    tap_slowly(&mut harness, h9);
    assert_eq!(texts(&made), ["h9"]);
}

#[test]
fn two_taps_of_no_length_put_a_stone_down() {
    let (mut harness, made) = board(Game::Gomoku, STONES, Some(0));
    harness.run();
    let (_, h9) = corner(&harness);
    tap(&mut harness, h9);
    assert_eq!(texts(&made), [""; 0], "the first tap shows where the stone would be");
    tap(&mut harness, h9);
    assert_eq!(texts(&made), ["h9"]);
}

#[test]
fn nobody_moves_who_may_not() {
    let (mut harness, made) = board(Game::Gomoku, STONES, None);
    harness.run();
    let h8 = harness.get_by_role_and_label(Role::Image, "h8: black stone, move 1").rect().center();
    let beside = h8 + egui::vec2(60.0, 0.0);
    harness.drag_at(beside);
    harness.step();
    harness.drop_at(beside);
    harness.run();
    assert_eq!(texts(&made), [""; 0]);
}

#[test]
fn taps_of_no_length_move_armies() {
    let lines = [
        "map 10 60 Small",
        "territory 0 100 100 North",
        "territory 1 500 500 Middle",
        "road 0 1",
        "set 0 maxie 4",
        "turn maxie",
    ];
    let (mut harness, made) = board(Game::Riskless, &lines, Some(0));
    harness.run();
    // The territory, its neighbour, and the neighbour again: the outcome is told before.
    for label in ["North", "Middle", "Middle"] {
        let node = harness.get_all_by_role(Role::Image);
        let mut node =
            node.filter(|node| node.accesskit_node().label().is_some_and(|text| text.starts_with(label)));
        let at = node.next().expect(label).rect().center();
        drop(node);
        tap(&mut harness, at);
    }
    assert_eq!(texts(&made), ["0-1"]);
}

#[test]
fn a_click_on_a_territory_and_one_on_its_neighbour_are_a_move() {
    let lines = [
        "map 10 60 Small",
        "territory 0 100 100 North",
        "territory 1 500 500 Middle",
        "territory 2 900 900 South",
        "road 0 1",
        "road 1 2",
        "set 0 maxie 4",
        "set 2 minnie 5",
        "turn maxie",
    ];
    let (mut harness, made) = board(Game::Riskless, &lines, Some(0));
    harness.run();
    // Somebody else's territory and nobody's; a target too far away, after which the choice stays; its end by a second press.
    for label in ["South", "Middle", "North", "South", "North"] {
        click(&mut harness, label);
    }
    assert_eq!(texts(&made), ["2-1", "1-0", "0-2"]);
    made.borrow_mut().clear();
    for label in ["North", "Middle"] {
        click(&mut harness, label);
    }
    assert_eq!(texts(&made), ["0-1"]);
}
