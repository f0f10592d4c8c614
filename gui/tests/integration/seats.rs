//! Tests of playing in the window: taking a seat, moves, refused moves, resigning, leaving. The server is fake.

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

#[test]
fn a_press_beside_the_buttons_of_a_card_is_none_on_the_board() {
    let (mut app, _asked) = open();
    let play = app.get_by_label("Play black").rect();
    for beside in [Vec2::new(60.0, -20.0), Vec2::new(-7.0, 4.0)] {
        let at = play.left_top() + beside;
        press(&mut app, at);
        assert!(!shows(&app, "Unpin"), "{app:?}");
    }
    // The board beside the card is pressed as always.
    press(&mut app, play.left_top() - Vec2::new(60.0, 0.0));
    assert!(shows(&app, "Unpin"));
}

#[test]
fn arrow_keys_lead_over_the_board_and_enter_plays() {
    let (mut app, asked) = open();
    app.key_press(Key::Enter);
    wait_for(&mut app, "Your move: click a point");
    next(&asked);
    // The first one shows the cursor in the middle.
    for key in [Key::ArrowRight, Key::ArrowUp, Key::ArrowLeft, Key::ArrowDown, Key::ArrowRight] {
        app.key_press(key);
        app.run_steps(2);
        assert!(shows(&app, "You play black: your move.") && !shows(&app, "Speed 2"), "{key:?}");
    }
    app.key_press(Key::Enter);
    wait_for(&mut app, "You play black: Ann to move.");
    assert_eq!(next(&asked).1["move"], "h8");
    // Nor do they leave the present while the other one thinks.
    app.key_press(Key::ArrowLeft);
    app.run_steps(2);
    assert!(shows(&app, "You play black: Ann to move."));
}

#[test]
fn where_a_key_leads_to_the_board_the_arrow_keys_go_on() {
    let (mut app, asked) = open();
    app.key_press(Key::Enter);
    wait_for(&mut app, "Your move: click a point");
    next(&asked);
    app.key_press(Key::Y);
    app.run_steps(3);
    assert!(shows(&app, "Go to a place with the arrow keys; Enter plays there"));
    for key in [Key::ArrowRight, Key::ArrowLeft, Key::Enter] {
        app.key_press(key);
        app.run_steps(2);
    }
    assert_eq!(next(&asked).1["move"], "h8");
}

#[test]
fn who_plays_sees_the_clock_as_it_is_at_an_earlier_position_too() {
    let (mut app, asked) = open();
    app.key_press(Key::Enter);
    wait_for(&mut app, "Your move");
    next(&asked);
    app.key_press(Key::Home);
    app.run_steps(3);
    app.key_press(Key::Space);
    app.run_steps(150);
    assert!(shows(&app, "you see an earlier position"));
    assert!(shows(&app, "clock 4:5") && !shows(&app, "clock 5:00"), "{app:?}");
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
fn a_finger_is_told_to_press_again() {
    let (mut app, asked) = open_sized(&[Listed::Free], PHONE);
    app.run_steps(6);
    let sit = app.get_by_label("Play black").rect().center();
    tap(&mut app, sit);
    wait_for(&mut app, "Your move: tap a point");
    next(&asked);
    let board = app.get_by_label_contains("Gomoku board").rect();
    tap(&mut app, board.center());
    assert!(shows(&app, "Tap h8 again to play"), "{app:?}");
    assert!(asked.try_recv().is_err());
    tap(&mut app, board.center());
    wait_for(&mut app, "Ann to move");
    assert_eq!(next(&asked).1["move"], "h8");
}

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
fn a_press_on_the_card_at_the_end_is_none_on_the_board() {
    for size in [PHONE, Vec2::new(500.0, 700.0)] {
        let (mut app, asked) = open_sized(&[Listed::Free], size);
        app.run_steps(6);
        play_and_resign(&mut app, &asked);
        app.run_steps(10);
        let beside = app.get_by_label("Rematch").rect().left_center() - Vec2::new(4.0, 0.0);
        press(&mut app, beside);
        assert!(!shows(&app, "Pinned") && !shows(&app, "Unpin"), "{size}: {app:?}");
        assert!(shows(&app, "Rematch"));
    }
}

/// A match of Riskless in which the viewer has the seat of red and is to move.
fn open_riskless(size: Vec2) -> Window {
    let server = FakeServer::new();
    let url = format!("{}?match=m1", server.url());
    let live: Mutex<Option<WebSocket<TcpStream>>> = Mutex::new(None);
    let seats = |taken: bool| json!([{ "team": "maxie", "taken": taken }, { "team": "minnie", "taken": true, "name": "Ann" }]);
    let paths = server.run(move |_, path, stream| {
        let mut live = live.lock().unwrap_or_else(PoisonError::into_inner);
        if path.contains("/live") {
            let mut socket = upgrade(stream);
            let mut hello: Value = serde_json::from_str(&hello(false)).expect("JSON");
            let about = &mut hello["match"];
            (about["game"], about["seats"]) = ("riskless".into(), seats(false));
            about["teams"] =
                json!([{ "name": "person", "color": "red" }, { "name": "Ann", "color": "blue" }]);
            send(&mut socket, &hello.to_string());
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
            let commands = lines.iter().map(|line| Command::parse(Game::Riskless, line.as_bytes())).collect();
            send(&mut socket, &Message::Commands { seq: 1, t: Micros(1_000_000), commands }.to_json());
            *live = Some(socket);
        } else if path.ends_with("seats") {
            answer(stream, "200 OK", r#"{"seat":0,"team":"maxie","token":"00ff"}"#);
            if let Some(socket) = live.as_mut() {
                send(socket, &json!({ "type": "seats", "seats": seats(true) }).to_string());
            }
        }
    });
    std::mem::forget(paths);
    let mut app = window(Some(url.parse().expect("a target")), size);
    wait_for(&mut app, "Play red");
    app.run_steps(4);
    click(&mut app, "Play red");
    wait_for(&mut app, "Your move");
    app.run_steps(6);
    app
}

#[test]
fn the_frame_of_ones_turn_is_around_all_of_the_map_and_its_totals() {
    for size in [Vec2::new(1440.0, 900.0), PHONE, Vec2::new(800.0, 600.0), Vec2::new(844.0, 390.0)] {
        let app = open_riskless(size);
        let accent = |stroke: Stroke| stroke.width == 2.0 && stroke.color != Color32::TRANSPARENT;
        let shapes = &app.output().shapes;
        let framed = shapes.iter().enumerate().filter_map(|(index, clipped)| match &clipped.shape {
            Shape::Rect(rect) if accent(rect.stroke) && rect.fill == Color32::TRANSPARENT => {
                Some((index, rect.rect, clipped.clip_rect))
            }
            _ => None,
        });
        let framed: Vec<_> = framed.filter(|(_, rect, _)| rect.width() > 200.0).collect();
        let [(index, frame, clip)] = framed[..] else { panic!("{size}: {framed:?}") };
        assert!(clip.contains_rect(frame), "{size}: {frame} is cut by {clip}");
        let totals = shapes.iter().enumerate().filter_map(|(at, clipped)| match &clipped.shape {
            Shape::Text(text) if text.galley.text().contains(" of 60") => {
                Some((at, text.visual_bounding_rect()))
            }
            _ => None,
        });
        let totals: Vec<_> = totals.collect();
        assert_eq!(totals.len(), 2, "{size}");
        for (at, total) in totals {
            assert!(frame.shrink(2.0).contains_rect(total), "{size}: {frame} cuts {total}");
            assert!(index > at, "{size}: the map is painted over the frame");
        }
        for place in ["North", "Middle", "South"] {
            let place = app.get_all_by_role(Role::Image).find(|node| {
                let label = node.accesskit_node().label();
                label.is_some_and(|label| label.starts_with(place))
            });
            let place = place.expect("a territory").rect();
            assert!(frame.contains_rect(place), "{size}: {frame} {place}");
        }
    }
}

#[test]
fn what_a_player_is_told_is_whole_on_a_phone() {
    let mut app = open_riskless(PHONE);
    let told =
        |app: &Window| painted(app).into_iter().filter(|(text, _)| text.contains("our ")).collect::<Vec<_>>();
    assert_eq!(told(&app), [("Your move: tap a territory of yours".to_owned(), false)]);
    assert!(painted(&app).contains(&("You play red".to_owned(), false)), "{:?}", painted(&app));
    let place = |app: &Window, name: &str| {
        let place = app
            .get_all_by_role(Role::Image)
            .find(|node| node.accesskit_node().label().is_some_and(|label| label.starts_with(name)));
        place.expect("a territory").rect().center()
    };
    let (north, middle) = (place(&app, "North"), place(&app, "Middle"));
    tap(&mut app, north);
    assert!(shows(&app, "North: tap its target"), "{app:?}");
    tap(&mut app, middle);
    assert!(shows(&app, "Tap Middle again to play"), "{app:?}");
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
fn before_the_first_move_the_board_calls_to_take_a_seat() {
    let (app, _asked) = open();
    let board = app.get_by_label_contains("Gomoku board").rect();
    for label in ["Play black", "Your name, optional"] {
        assert!(board.contains_rect(app.get_by_label(label).rect()), "{label}: {app:?}");
    }
    assert!(app.get_by_label("Play black").rect().center().distance(board.center()) < 150.0);
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
    app.get_by_label("Your move").type_text("h8");
    app.run_steps(2);
    click(&mut app, "Play");
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
fn a_viewer_moves_by_pointing_at_the_board_only_in_the_present() {
    let (mut app, asked) = open();
    click(&mut app, "Play black");
    wait_for(&mut app, "You play black: your move.");
    next(&asked);
    app.key_press(Key::Home);
    app.run_steps(3);
    assert!(shows(&app, "You play black: you see an earlier position."));
    click(&mut app, "Back to live");
    assert!(!shows(&app, "Back to live"));
    wait_for(&mut app, "You play black: your move.");
    let board = app.get_by_label_contains("Gomoku board").rect();
    assert!(board.height() > 400.0, "the seats leave room for the board: {board:?}");
    app.hover_at(board.center());
    app.run_steps(2);
    app.drag_at(board.center());
    app.run_steps(1);
    // `drop_at` would remove the pointer.
    app.event(Event::PointerButton {
        pos: board.center(),
        button: PointerButton::Primary,
        pressed: false,
        modifiers: Modifiers::NONE,
    });
    wait_for(&mut app, "You play black: Ann to move.");
    assert_eq!(next(&asked).1, json!({ "token": "00ff", "ply": 0, "move": "h8" }));
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

/// Match with an opening in which the viewer, in the first seat, answers questions.
fn serve_opening(server: FakeServer) -> Receiver<Value> {
    let (sender, asked) = channel();
    let live: Mutex<Option<WebSocket<TcpStream>>> = Mutex::new(None);
    let seats = |teams: [&str; 2], question: Value| {
        let mut seats = json!([{ "team": teams[0], "taken": true }, { "team": teams[1], "taken": true }]);
        if question.is_object() {
            seats[0]["question"] = question;
        }
        json!({ "type": "seats", "seats": seats }).to_string()
    };
    let paths = server.run(move |_, path, stream| {
        let mut live = live.lock().unwrap_or_else(PoisonError::into_inner);
        if path.contains("/live") {
            let mut socket = upgrade(stream);
            send(&mut socket, &hello(false));
            send(&mut socket, &lines(1, &["board 15", "names Ann_A Bo", "turn black"]));
            *live = Some(socket);
            return;
        }
        let Some(socket) = live.as_mut() else { return };
        if path.ends_with("seats") {
            answer(stream, "200 OK", r#"{"seat":0,"team":"black","token":"00ff"}"#);
            let question = json!({ "text": "place three stones", "places": 3 });
            return send(socket, &seats(["black", "white"], question));
        }
        let body = answer(stream, "200 OK", OK);
        let text = body["move"].as_str().expect("a move");
        let stones: Vec<&str> = text.split(' ').collect();
        if let [first, second, third] = stones[..] {
            let moves = [("black", first), ("white", second), ("black", third)];
            let moves = moves.map(|(team, at)| format!("move {team} {at}"));
            send(socket, &lines(4, &[&moves[0], &moves[1], &moves[2], "turn white"]));
            let choices =
                json!([{ "move": "stay", "label": "Keep black" }, { "move": "swap", "label": "Take white" }]);
            let question = json!({ "text": "keep black or take white", "choices": choices });
            send(socket, &seats(["black", "white"], question));
        } else {
            send(socket, &lines(8, &["names Bo Ann_A"]));
            send(socket, &seats(["white", "black"], Value::Null));
        }
        let _ = sender.send(body);
    });
    std::mem::forget(paths);
    asked
}

#[test]
fn an_opening_is_answered_by_pointing_and_by_buttons() {
    let server = FakeServer::new();
    let url = format!("{}?match=m1", server.url());
    let asked = serve_opening(server);
    let mut app = window(Some(url.parse().expect("a target")), Vec2::new(1280.0, 800.0));
    wait_for(&mut app, "Play black");
    // Names on the board take precedence over those of the header.
    assert!(shows(&app, "Ann A") && shows(&app, "Bo"));
    click(&mut app, "Play black");
    wait_for(&mut app, "You play black: place three stones.");
    let board = app.get_by_label_contains("Gomoku board").rect();
    let point = |app: &mut Window, x: f32| {
        let at = board.center() + Vec2::new(x, 0.0);
        app.hover_at(at);
        app.run_steps(2);
        app.drag_at(at);
        app.run_steps(1);
        let modifiers = Modifiers::NONE;
        app.event(Event::PointerButton {
            pos: at,
            button: PointerButton::Primary,
            pressed: false,
            modifiers,
        });
        app.run_steps(3);
    };
    // One stone is taken back, three stay.
    point(&mut app, 0.0);
    assert!(shows(&app, "You play black: place three stones (1 of 3)."), "{app:?}");
    point(&mut app, 0.0);
    assert!(shows(&app, "You play black: place three stones."));
    for x in [-120.0, 0.0, 120.0] {
        point(&mut app, x);
    }
    let body = asked.recv_timeout(Duration::from_secs(20)).expect("a request");
    let stones: Vec<&str> = body["move"].as_str().expect("a move").split(' ').collect();
    assert_eq!((stones.len(), stones[1]), (3, "h8"), "{body}");
    assert!(stones.iter().all(|stone| stone.ends_with('8')), "{body}");
    assert_eq!((&body["ply"], &body["token"]), (&json!(0), &json!("00ff")));

    // White is to move, but the question goes to black: clicks on the board have no effect, the buttons answer.
    wait_for(&mut app, "You play black: keep black or take white.");
    point(&mut app, 60.0);
    click(&mut app, "Take white");
    let body = asked.recv_timeout(Duration::from_secs(20)).expect("a request");
    assert_eq!(body, json!({ "token": "00ff", "ply": 3, "move": "swap" }));
    wait_for(&mut app, "You play white: your move.");
    assert!(!shows(&app, "Take white"));
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
