//! Tests of playing in the window: taking a seat, moves, refused moves, resigning, leaving. The server is fake.

mod on_board;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use eframe::egui::accesskit::Role;
use eframe::egui::{
    Color32, Event, Key, Modifiers, PointerButton, Pos2, Shape, Stroke, TouchDeviceId, TouchId, TouchPhase,
    Vec2,
};
use egui_kittest::kittest::{NodeT, Queryable};
use grandstand_protocol::{Command, Game, Message, Micros};
use grandstand_testing::{FakeServer, respond, send, upgrade};
use serde_json::{Value, json};
use tungstenite::WebSocket;

use crate::support::{Window, painted, shows, wait_for, window};

/// Answer to an accepted move.
const OK: &str = r#"{"ok":true}"#;

fn hello(taken: bool) -> String {
    let seats =
        json!([{ "team": "black", "taken": taken }, { "team": "white", "taken": true, "name": "Ann" }]);
    json!({ "type": "hello", "protocol": 1, "match": {
        "id": "m1", "game": "gomoku", "title": "Open", "seats": seats, "state": "live", "started": "", "seq": 0,
        "spectators": 1, "result": null,
        "teams": [{ "name": "You", "color": "black" }, { "name": "Ann", "color": "white" }] } })
    .to_string()
}

fn seats(taken: bool) -> String {
    json!({ "type": "seats", "seats": [
        { "team": "black", "taken": taken }, { "team": "white", "taken": true, "name": "Ann" }] })
    .to_string()
}

fn lines(seq: u64, lines: &[&str]) -> String {
    let commands = lines.iter().map(|line| Command::parse(Game::Gomoku, line.as_bytes())).collect();
    Message::Commands { seq, t: Micros(seq * 1_000_000), commands }.to_json()
}

/// Reads a request, answers it, and returns its body.
fn answer(mut stream: TcpStream, status: &str, answer: &str) -> Value {
    let (mut request, mut bytes) = (Vec::new(), [0; 1024]);
    let body = loop {
        let count = stream.read(&mut bytes).expect("a request");
        request.extend_from_slice(&bytes[..count]);
        let text = String::from_utf8_lossy(&request);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let head = head.to_ascii_lowercase();
            assert!(head.contains("content-type: application/json"), "{head}");
            let (_, length) = head.split_once("content-length: ").expect("a length");
            if length.lines().next().and_then(|n| n.parse().ok()) == Some(body.len()) {
                break serde_json::from_str(body).expect("JSON");
            }
        }
    };
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", answer.len());
    stream.write_all((head + answer).as_bytes()).expect("sent");
    body
}

/// A `hello` with settings to choose from for another match.
fn offering(hello: &str) -> String {
    let mut hello: Value = serde_json::from_str(hello).expect("JSON");
    hello["match"]["setup"] = json!([
        { "name": "SIZE", "label": "Board", "value": "15",
          "values": [{ "value": "15", "label": "15×15" }, { "value": "19", "label": "19×19" }] }
    ]);
    hello.to_string()
}

/// An answer of the list of matches.
#[derive(Debug, Clone, Copy)]
enum Listed {
    /// The next match has a free seat.
    Free,
    /// Its seat is taken.
    Taken,
    /// The request fails.
    Failed,
}

/// Match whose game server accepts the move `h8`, refuses any other, and ends when a player resigns. The list is answered
/// by one of `answers` after the other, and by the last one from then on.
fn serve(server: FakeServer, answers: &'static [Listed]) -> Receiver<(String, Value)> {
    let (sender, asked) = channel();
    let lists = AtomicUsize::new(0);
    let live: Mutex<Option<WebSocket<TcpStream>>> = Mutex::new(None);
    let paths = server.run(move |_, path, stream| {
        let mut live = live.lock().unwrap_or_else(PoisonError::into_inner);
        if path.contains("/live") {
            let mut socket = upgrade(stream);
            send(&mut socket, &offering(&hello(false)));
            send(&mut socket, &lines(1, &["board 15", "turn black", "clock black 300000 running"]));
            *live = Some(socket);
            return;
        }
        if path.ends_with("/api/matches") {
            let number = lists.fetch_add(1, Ordering::Relaxed);
            let answer = answers[number.min(answers.len() - 1)];
            if let Listed::Failed = answer {
                return respond(stream, "500 Internal Server Error", "");
            }
            // The list has the next match, which the same host begins with the sides swapped, and others.
            let listed = |id: &str, teams: [&str; 2], taken: bool| {
                let mut listed: Value = serde_json::from_str(&hello(taken)).expect("JSON");
                let listed = &mut listed["match"];
                (listed["id"], listed["teams"][0]["name"], listed["teams"][1]["name"]) =
                    (id.into(), teams[0].into(), teams[1].into());
                listed.take()
            };
            let list = json!([
                listed("m5", ["You", "Stranger"], false),
                listed("m4", ["Ann", "You"], true),
                listed("m2", ["Ann", "You"], matches!(answer, Listed::Taken)),
            ]);
            return respond(stream, "200 OK", &list.to_string());
        }
        let Some(socket) = live.as_mut() else { return };
        let body = match path.rsplit('/').next() {
            Some("seats") => {
                let body = answer(stream, "200 OK", r#"{"seat":0,"team":"black","token":"00ff"}"#);
                send(socket, &seats(true));
                body
            }
            Some("new") => answer(stream, "409 Conflict", r#"{"error":"not now"}"#),
            Some("leave") => {
                let body = answer(stream, "200 OK", OK);
                send(socket, &seats(false));
                body
            }
            _ => {
                // The body decides on the answer, so it is peeked before.
                let mut peeked = [0; 2048];
                let mut count = 0;
                while !peeked[..count].ends_with(b"}") {
                    count = stream.peek(&mut peeked).expect("a request");
                }
                let text = String::from_utf8_lossy(&peeked[..count]).into_owned();
                if text.contains("\"h8\"") {
                    let body = answer(stream, "200 OK", OK);
                    send(socket, &lines(4, &["move black h8", "turn white"]));
                    body
                } else if text.contains("resign") {
                    let body = answer(stream, "200 OK", OK);
                    let end = json!({ "type": "end", "seq": 5, "t": 9, "result": { "winner": "white", "termination": "resigned" } });
                    send(socket, &end.to_string());
                    body
                } else {
                    answer(stream, "409 Conflict", r#"{"error":"the first stone goes to the centre, h8"}"#)
                }
            }
        };
        let _ = sender.send((path.to_owned(), body));
    });
    // The receiver of the paths must stay, or the server stops.
    std::mem::forget(paths);
    asked
}

fn open() -> (Window, Receiver<(String, Value)>) {
    open_with(&[Listed::Free])
}

fn open_with(answers: &'static [Listed]) -> (Window, Receiver<(String, Value)>) {
    open_sized(answers, Vec2::new(1280.0, 800.0))
}

fn open_sized(answers: &'static [Listed], size: Vec2) -> (Window, Receiver<(String, Value)>) {
    let server = FakeServer::new();
    let url = format!("{}?match=m1", server.url());
    let asked = serve(server, answers);
    let mut app = window(Some(url.parse().expect("a target")), size);
    wait_for(&mut app, "Play black");
    (app, asked)
}

/// Next request: path and body.
fn next(asked: &Receiver<(String, Value)>) -> (String, Value) {
    asked.recv_timeout(Duration::from_secs(20)).expect("a request")
}

fn click(app: &mut Window, label: &str) {
    app.get_by_label(label).click();
    app.run_steps(4);
}

/// Types a move, and plays it.
fn type_move(app: &mut Window, text: &str) {
    app.get_by_label("Your move").focus();
    app.run_steps(2);
    app.get_by_label("Your move").type_text(text);
    app.run_steps(2);
    click(app, "Play");
}

#[test]
fn nothing_moves_when_one_sits_down_nor_at_the_end() {
    for (width, height) in
        [(1280.0, 800.0), (1920.0, 1080.0), (800.0, 600.0), (500.0, 700.0), (390.0, 844.0), (844.0, 390.0)]
    {
        let (mut app, asked) = open();
        app.set_size(Vec2::new(width, height));
        app.run_steps(4);
        let places = |app: &Window| {
            let board = app.get_by_label_contains("Gomoku board").rect();
            let tabs = ["Match", "Moments", "Protocol", "Moves", "Talk"];
            let tabs = tabs.map(|tab| app.query_by_role_and_label(Role::Button, tab).map(|tab| tab.rect()));
            (board, tabs)
        };
        let evaluates = |app: &Window| app.query_all_by_label_contains("Evaluation").next().is_some();
        let before = places(&app);
        assert!(!evaluates(&app), "{width}");
        click(&mut app, "Play black");
        wait_for(&mut app, "You play black");
        next(&asked);
        app.run_steps(4);
        assert_eq!(places(&app), before, "{width}: sat down");
        let button = app.get_by_label("Resign").rect();
        click(&mut app, "Resign");
        app.run_steps(4);
        assert_eq!(places(&app), before, "{width}: asked");
        let yes = app.get_by_label("Yes, resign").rect();
        assert!(!yes.intersects(button), "{width}: a double click resigns");
        let no = app.get_by_label("No, play on").rect();
        assert!(no.left() < yes.left() || no.top() < yes.top(), "{width}: {no} {yes}");
        click(&mut app, "Yes, resign");
        next(&asked);
        wait_for(&mut app, "Rematch");
        app.run_steps(10);
        assert_eq!(places(&app), before, "{width}: over");
        assert!(!evaluates(&app), "{width}");
    }
}

#[test]
fn one_resigns_by_keys() {
    let (mut app, asked) = open();
    click(&mut app, "Play black");
    next(&asked);
    wait_for(&mut app, "Resign");
    for name in ["Resign", "Yes, resign"] {
        for presses in 0.. {
            app.key_press(Key::Tab);
            app.run_steps(3);
            if app.query_by_label(name).is_some_and(|button| button.is_focused()) {
                break;
            }
            assert!(presses < 60, "Tab does not lead to {name}");
        }
        app.key_press(Key::Enter);
        app.run_steps(3);
        if name == "Resign" {
            // Whoever presses Enter twice does not resign.
            assert!(app.get_by_label("No, play on").is_focused());
        }
    }
    assert!(next(&asked).1.to_string().contains("resign"));
}

#[test]
fn enter_takes_the_seat_that_the_board_calls_to() {
    let (mut app, asked) = open();
    app.key_press(Key::Enter);
    wait_for(&mut app, "You play black");
    assert_eq!(next(&asked).1, json!({ "team": "black" }));
    // With a name too.
    let (mut app, asked) = open();
    app.get_by_label("Your name, optional").focus();
    app.run_steps(2);
    app.get_by_label("Your name, optional").type_text("Zoe");
    app.run_steps(2);
    app.key_press(Key::Enter);
    wait_for(&mut app, "You play black");
    assert_eq!(next(&asked).1, json!({ "team": "black", "name": "Zoe" }));
}

/// Presses and releases the pointer.
fn press(app: &mut Window, at: Pos2) {
    app.hover_at(at);
    app.run_steps(2);
    for pressed in [true, false] {
        let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
        app.event(Event::PointerButton { pos: at, button, pressed, modifiers });
        app.run_steps(2);
    }
}

/// Taps with a finger that is lifted within the same frame, as on a slow page.
fn tap(app: &mut Window, pos: Pos2) {
    let touch = |phase| {
        let (device_id, id) = (TouchDeviceId(0), TouchId(0));
        Event::Touch { device_id, id, phase, pos, force: None }
    };
    let button = |pressed| {
        let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
        Event::PointerButton { pos, button, pressed, modifiers }
    };
    let (start, end) = (touch(TouchPhase::Start), touch(TouchPhase::End));
    let events = [start, Event::PointerMoved(pos), button(true), button(false), Event::PointerGone, end];
    events.into_iter().for_each(|event| app.event(event));
    app.run_steps(4);
}

const PHONE: Vec2 = Vec2::new(390.0, 844.0);

#[test]
fn one_tap_asks_for_a_rematch_and_says_so() {
    let (mut app, asked) = open_sized(&[Listed::Free], PHONE);
    app.run_steps(6);
    play_and_resign(&mut app, &asked);
    app.run_steps(10);
    let rematch = app.get_by_label("Rematch").rect().center();
    tap(&mut app, rematch);
    assert!(shows(&app, "Asking for the rematch"), "{app:?}");
    wait_for(&mut app, "You play black");
    assert!(next(&asked).0.ends_with("/m2/seats"));
}

#[test]
fn who_plays_is_called_to_move() {
    let (mut app, asked) = open();
    assert!(!shows(&app, "Your move: click a point"));
    click(&mut app, "Play black");
    wait_for(&mut app, "Your move: click a point");
    assert_eq!(next(&asked).0, "/api/matches/m1/seats");
}

#[test]
fn before_the_first_move_a_call_to_take_a_seat_stands_above_the_board() {
    for size in [Vec2::new(1440.0, 900.0), Vec2::new(1280.0, 800.0), Vec2::new(800.0, 600.0)] {
        let (mut app, _asked) = open_sized(&[Listed::Free], size);
        app.run_steps(6);
        let board = app.get_by_label_contains("Gomoku board").rect();
        for label in ["Play black", "Your name, optional"] {
            let part = app.get_by_label(label).rect();
            assert!(part.bottom() <= board.top() && part.top() > board.top() - 50.0, "{size}: {label}");
        }
        assert!(shows(&app, "Play against"), "{size}");
    }
}

#[test]
fn a_refusal_leaves_the_board_where_it_is() {
    for size in [Vec2::new(800.0, 600.0), Vec2::new(390.0, 844.0), Vec2::new(1440.0, 900.0)] {
        let (mut app, asked) = open();
        app.set_size(size);
        app.run_steps(4);
        click(&mut app, "Play black");
        wait_for(&mut app, "Your move: ");
        next(&asked);
        app.run_steps(4);
        let board = |app: &Window| app.get_by_label_contains("Gomoku board").rect();
        let before = board(&app);
        type_move(&mut app, "a1");
        wait_for(&mut app, "The first stone goes to the centre, h8.");
        app.run_steps(4);
        assert_eq!(board(&app), before, "{size}");
        let is_whole = app.output().shapes.iter().any(|clipped| match &clipped.shape {
            Shape::Text(text) => {
                text.galley.text().starts_with("The first stone goes") && !text.galley.elided
            }
            _ => false,
        });
        assert!(is_whole, "{size}");
    }
}

#[test]
fn a_person_has_a_name_and_plays_a_rematch_in_the_same_window() {
    let (mut app, asked) = open();
    app.get_by_label("Your name, optional").focus();
    app.run_steps(2);
    app.get_by_label("Your name, optional").type_text("Zoe");
    app.run_steps(4);
    click(&mut app, "Play black");
    assert_eq!(next(&asked).1, json!({ "team": "black", "name": "Zoe" }));
    wait_for(&mut app, "You play black");
    click(&mut app, "Resign");
    click(&mut app, "Yes, resign");
    assert_eq!(next(&asked).1["move"], "resign");
    wait_for(&mut app, "Rematch");
    // The card needs some frames to find its size.
    app.run_steps(10);
    click(&mut app, "Rematch");
    wait_for(&mut app, "You play black");
    let (path, body) = next(&asked);
    assert_eq!((path.as_str(), body), ("/api/matches/m2/seats", json!({ "team": "black", "name": "Zoe" })));
}

/// Plays a match and resigns, until a rematch is offered.
fn play_and_resign(app: &mut Window, asked: &Receiver<(String, Value)>) {
    click(app, "Play black");
    next(asked);
    wait_for(app, "You play black");
    click(app, "Resign");
    click(app, "Yes, resign");
    next(asked);
    wait_for(app, "Rematch");
}

#[test]
fn a_rematch_is_found_after_requests_that_failed() {
    let (mut app, asked) = open_with(&[Listed::Failed, Listed::Failed, Listed::Free]);
    play_and_resign(&mut app, &asked);
}

#[test]
fn a_rematch_is_offered_as_long_as_its_seat_is_free() {
    let (mut app, asked) = open_with(&[Listed::Free, Listed::Taken]);
    play_and_resign(&mut app, &asked);
    let began = std::time::Instant::now();
    while shows(&app, "Rematch") {
        assert!(began.elapsed() < grandstand_testing::PATIENCE, "{app:?}");
        app.step();
        std::thread::sleep(Duration::from_millis(5));
    }
    // "Play again" would promise a game.
    assert!(shows(&app, "Watch again") && !shows(&app, "Play again"), "{app:?}");
}

#[test]
fn a_viewer_takes_a_seat_moves_by_typing_and_gives_up() {
    let (mut app, asked) = open();
    assert!(shows(&app, "Ann is played by Ann") || shows(&app, "White is played by Ann"));
    assert!(!shows(&app, "Your move") && !shows(&app, "Resign"));
    click(&mut app, "Play black");
    wait_for(&mut app, "You play black: your move.");
    let (path, body) = next(&asked);
    assert_eq!((path.as_str(), &body), ("/api/matches/m1/seats", &json!({ "team": "black" })));

    // A move against the rules: the reason is shown, and the viewer may move again.
    type_move(&mut app, "a1");
    wait_for(&mut app, "The first stone goes to the centre, h8.");
    let (_, body) = next(&asked);
    assert_eq!(body, json!({ "token": "00ff", "ply": 0, "move": "a1" }));
    assert!(shows(&app, "You play black: your move."));

    app.get_by_label("Your move").focus();
    app.run_steps(2);
    app.key_press_modifiers(Modifiers::COMMAND, Key::A);
    app.get_by_label("Your move").type_text("a2");
    app.run_steps(2);
    app.key_press(Key::Enter);
    app.run_steps(4);
    assert_eq!(next(&asked).1["move"], "a2");
    wait_for(&mut app, "You play black: your move.");
    app.run_steps(4);
    // What was refused by keys is selected, and typed over at once.
    app.event(Event::Text("h8".to_owned()));
    app.run_steps(2);
    app.key_press(Key::Enter);
    app.run_steps(2);
    wait_for(&mut app, "You play black: Ann to move.");
    assert_eq!(next(&asked).1["move"], "h8");
    assert!(!shows(&app, "first stone"));

    // Resigning needs a confirmation.
    click(&mut app, "Resign");
    click(&mut app, "No, play on");
    assert!(asked.try_recv().is_err());
    click(&mut app, "Resign");
    click(&mut app, "Yes, resign");
    wait_for(&mut app, "Finished");
    assert_eq!(next(&asked).1, json!({ "token": "00ff", "ply": 1, "move": "resign" }));
    assert!(!shows(&app, "You play"));
}

#[test]
fn the_call_to_take_a_seat_is_as_high_as_what_it_holds() {
    for size in [Vec2::new(390.0, 844.0), Vec2::new(800.0, 600.0), Vec2::new(1280.0, 800.0)] {
        let (mut app, _asked) = open_sized(&[Listed::Free], size);
        app.run_steps(6);
        let play = app.get_by_label("Play black").rect();
        let call = app.output().shapes.iter().find_map(|clipped| match &clipped.shape {
            Shape::Rect(shape) if shape.stroke.width == 2.0 && shape.rect.contains_rect(play) => {
                Some(shape.rect)
            }
            _ => None,
        });
        let call = call.unwrap_or_else(|| panic!("no call on the board at {size}"));
        let last = app.query_by_label("New game…").map_or(play, |button| button.rect());
        assert!(call.contains_rect(last) && call.bottom() - last.bottom() < 20.0, "{size}: {call} {last}");
    }
}

#[test]
fn after_a_match_another_one_with_other_settings_is_asked_for_from_its_seat() {
    let (mut app, asked) = open();
    play_and_resign(&mut app, &asked);
    // The card needs some frames to find its size, and so does the dialog.
    app.run_steps(10);
    click(&mut app, "New game…");
    app.run_steps(6);
    click(&mut app, "19×19");
    click(&mut app, "Start");
    // The seat of the match that follows, and from there the settings.
    wait_for(&mut app, "Not now.");
    let (seat, new) = (next(&asked), next(&asked));
    assert!(seat.0.ends_with("/m2/seats"), "{seat:?}");
    assert!(new.0.ends_with("/m2/new"), "{new:?}");
    assert_eq!(new.1, json!({ "token": "00ff", "settings": { "SIZE": "19" } }));
}

#[test]
fn a_seat_is_kept_while_the_program_runs_and_can_be_left() {
    let server = FakeServer::new();
    let url = format!("{}?match=m1", server.url());
    let asked = serve(server, &[Listed::Free]);
    let target = || Some(url.parse().expect("a target"));
    let mut app = window(target(), Vec2::new(900.0, 700.0));
    wait_for(&mut app, "Play black");
    click(&mut app, "Play black");
    wait_for(&mut app, "You play black");
    click(&mut app, "Leave the seat");
    wait_for(&mut app, "Play black");
    assert_eq!(next(&asked).0, "/api/matches/m1/seats");
    assert_eq!(next(&asked).1, json!({ "token": "00ff" }));
}
