//! Tests of long matches: the latest commands come first, earlier ones are fetched on demand, and none are lost.

use std::collections::BTreeMap;
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use eframe::egui::{Key, Modifiers, Vec2};
use egui_kittest::kittest::Queryable;
use grandstand_protocol::{Command, Game, Message, Micros, Scene};
use grandstand_testing::{FakeServer, hello, respond, send, upgrade};

use crate::support::{Window, shows, wait_for, window};

const SIZE: Vec2 = Vec2::new(1280.0, 800.0);

/// Line of a match with a command every twentieth of a second. Every tenth command begins a turn.
fn line(seq: u64) -> String {
    if seq.is_multiple_of(10) { format!("turns {}", seq / 10) } else { format!("set A0 b{}", seq % 7) }
}

fn command(seq: u64) -> Command {
    Command::parse(Game::Abalone, line(seq).as_bytes())
}

fn t(seq: u64) -> Micros {
    Micros(seq * 50_000)
}

fn scene(seq: u64) -> String {
    let mut scene = Scene::new(Game::Abalone);
    // Commands before the last few have no visible effect.
    for seq in seq.saturating_sub(30) + 1..=seq {
        scene.apply(seq, t(seq), &command(seq));
    }
    Message::Scene { seq, t: t(seq), scene }.to_json()
}

fn commands(from: u64, to: u64) -> impl Iterator<Item = String> {
    (from..=to).map(|seq| Message::Commands { seq, t: t(seq), commands: vec![command(seq)] }.to_json())
}

fn number(path: &str, name: &str) -> Option<u64> {
    let query = path.split_once('?')?.1;
    query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')?.parse().ok())
}

/// Serves a match of `length` commands in the given state. Returns the requested paths.
fn serve(server: FakeServer, length: u64, state: &'static str) -> Arc<Mutex<Vec<String>>> {
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let paths = Arc::clone(&asked);
    let told = server.run(move |_, path, stream| {
        paths.lock().expect("paths").push(path.to_owned());
        let path = path.to_owned();
        std::thread::spawn(move || answer(&path, stream, length, state));
    });
    // The server runs until the test ends.
    std::mem::forget(told);
    asked
}

fn answer(path: &str, stream: TcpStream, length: u64, state: &str) {
    let hello = hello(state).replace("\"seq\":3", &format!("\"seq\":{length}"));
    if !path.contains("/live") {
        let Some(from) = number(path, "from") else {
            let summary = hello.split_once("\"match\":").expect("a match").1;
            return respond(stream, "200 OK", summary.strip_suffix('}').expect("an object"));
        };
        let to = number(path, "to").expect("an end").min(length);
        let first = (number(path, "scene") == Some(1)).then(|| scene(from - 1));
        let all: Vec<String> = first.into_iter().chain(commands(from, to)).collect();
        return respond(stream, "200 OK", &format!("[{}]", all.join(",")));
    }
    let mut socket = upgrade(stream);
    send(&mut socket, &hello);
    match number(path, "since") {
        // No waiting for the client: it may close the connection at any time.
        Some(since) => {
            for text in commands(since + 1, length) {
                if socket.send(tungstenite::Message::text(text)).is_err() {
                    return;
                }
            }
        }
        None => send(&mut socket, &scene(length)),
    }
    if state == "finished" {
        send(&mut socket, &format!(r#"{{"type":"end","seq":{length},"t":{},"result":null}}"#, t(length)));
    }
    std::thread::sleep(Duration::from_secs(60));
}

fn open(url: &str) -> Window {
    window(Some(url.parse().expect("a target")), SIZE)
}

#[test]
fn the_present_comes_before_the_past() {
    let server = FakeServer::new();
    let url = format!("{}?match=m1", server.url());
    let asked = serve(server, 500_000, "live");
    let mut app = open(&url);
    wait_for(&mut app, "Line 500,000 of 500,000");
    // Commands are shown once they are fetched.
    app.key_press(Key::Space);
    app.run_steps(2);
    app.key_press(Key::Home);
    // The set-up is the first command.
    wait_for(&mut app, "Line 1 of 500,000");
    app.key_press(Key::ArrowRight);
    wait_for(&mut app, "Line 2 of 500,000");
    app.key_press_modifiers(Modifiers::SHIFT, Key::ArrowRight);
    wait_for(&mut app, "Line 10 of 500,000");
    // From the end back to commands that are not loaded.
    app.key_press(Key::L);
    wait_for(&mut app, "Line 500,000 of 500,000");
    app.key_press(Key::ArrowLeft);
    wait_for(&mut app, "Line 499,999 of 500,000");
    app.key_press_modifiers(Modifiers::SHIFT, Key::ArrowLeft);
    wait_for(&mut app, "Line 499,990 of 500,000");
    let asked = asked.lock().expect("paths").clone();
    assert_eq!(asked[..2], ["/api/matches/m1/live?since=0", "/api/matches/m1/live"].map(str::to_owned));
    let ranges: Vec<&String> = asked.iter().filter(|path| path.contains("commands?")).collect();
    assert!(ranges.iter().any(|path| path.contains("?from=1&to=2048")), "{ranges:?}");
    let commands: u64 =
        ranges.iter().map(|path| 1 + number(path, "to").unwrap() - number(path, "from").unwrap()).sum();
    assert!(commands < 400_000, "not all of it is fetched: {commands}");
}

#[test]
fn a_link_into_the_past_of_a_long_match_fetches_that_moment() {
    let server = FakeServer::new();
    let url = format!("{}?match=m1&seq=123456", server.url());
    let asked = serve(server, 500_000, "live");
    let mut app = open(&url);
    wait_for(&mut app, "Line 123,456 of 500,000");
    assert!(shows(&app, "Back to live") && !shows(&app, "Fetching"));
    let asked = asked.lock().expect("paths").clone();
    let first = asked.iter().find(|path| path.contains("commands?")).expect("a range");
    let (from, to) = (number(first, "from").unwrap(), number(first, "to").unwrap());
    assert!(first.contains("scene=1") && (from..=to).contains(&123_456), "{first}");
}

#[test]
fn a_click_on_the_timeline_shows_the_moment_of_that_time() {
    let server = FakeServer::new();
    let url = format!("{}?match=m1", server.url());
    let _asked = serve(server, 500_000, "finished");
    let mut app = open(&url);
    // A finished match plays from its start.
    wait_for(&mut app, "Pause");
    app.key_press(Key::Space);
    app.run_steps(3);
    let track = app.get_by_label("Timeline").rect();
    let at = track.left() + 16.0 + (track.width() - 32.0) * 0.25;
    app.hover_at(eframe::egui::pos2(at, track.center().y));
    app.drag_at(eframe::egui::pos2(at, track.center().y));
    app.drop_at(eframe::egui::pos2(at, track.center().y));
    app.run_steps(2);
    let began = std::time::Instant::now();
    while shows(&app, "Fetching") {
        assert!(began.elapsed() < Duration::from_secs(20), "it never comes");
        app.step();
    }
    // One pixel is 400 lines.
    assert!(shows(&app, "Line 124,") || shows(&app, "Line 125,"), "{app:?}");
}

#[test]
fn a_spectator_that_was_moved_on_fetches_what_it_missed() {
    let server = FakeServer::new();
    let url = format!("{}?match=m1", server.url());
    let fetched: Arc<Mutex<BTreeMap<u64, u64>>> = Arc::default();
    let ranges = Arc::clone(&fetched);
    let _paths = server.run(move |_, path, stream| {
        if path.contains("commands?") {
            let (from, to) = (number(path, "from").expect("from"), number(path, "to").expect("to"));
            ranges.lock().expect("ranges").insert(from, to);
            return answer(path, stream, 400, "live");
        }
        if !path.contains("/live") {
            return respond(stream, "404 Not Found", "no");
        }
        std::thread::spawn(move || {
            let mut socket = upgrade(stream);
            send(&mut socket, &hello("live"));
            commands(1, 100).for_each(|text| send(&mut socket, &text));
            // The spectator was too slow: the server skips commands and sends the current scene.
            send(&mut socket, &scene(300));
            commands(301, 400).for_each(|text| send(&mut socket, &text));
            std::thread::sleep(Duration::from_secs(60));
        });
    });
    let mut app = open(&url);
    wait_for(&mut app, "Line 400 of 400");
    let began = std::time::Instant::now();
    while fetched.lock().expect("ranges").is_empty() {
        assert!(began.elapsed() < Duration::from_secs(20), "nothing is fetched");
        app.step();
    }
    // No line is missing: steps go back over the gap.
    app.key_press(Key::Space);
    app.run_steps(2);
    for turn in (1..=39).rev() {
        app.key_press_modifiers(Modifiers::SHIFT, Key::ArrowLeft);
        wait_for(&mut app, &format!("Line {} of 400", turn * 10));
    }
    assert_eq!(*fetched.lock().expect("ranges"), BTreeMap::from([(101, 300)]), "once, and only that");
}

#[test]
fn a_server_that_has_forgotten_leaves_what_is_known() {
    let server = FakeServer::new();
    let url = format!("{}?match=m1", server.url());
    let _paths = server.run(move |_, path, stream| {
        if path.contains("commands?") {
            return respond(stream, "404 Not Found", r#"{"error":"this match has no recording"}"#);
        }
        let path = path.to_owned();
        std::thread::spawn(move || answer(&path, stream, 30_000, "live"));
    });
    let mut app = open(&url);
    wait_for(&mut app, "Line 30,000 of 30,000");
    app.run_steps(60);
    app.key_press(Key::ArrowLeft);
    wait_for(&mut app, "Line 0 of 30,000");
    app.key_press(Key::L);
    wait_for(&mut app, "Line 30,000 of 30,000");
    assert!(!shows(&app, "Fetching"));
}

#[test]
fn old_lines_are_fetched_for_a_search() {
    let server = FakeServer::new();
    let url = format!("{}?match=m1", server.url());
    let asked = serve(server, 60_000, "live");
    let mut app = open(&url);
    wait_for(&mut app, "Line 60,000 of 60,000");
    app.key_press(Key::Num3);
    app.key_press(Key::Slash);
    app.run_steps(3);
    // Every tenth line begins a turn.
    app.get_by_label("Filter lines").type_text("turns 7");
    app.run_steps(30);
    wait_for(&mut app, "Search ");
    let before = asked.lock().expect("paths").len();
    app.get_by_label_contains("Search ").click();
    app.run_steps(3);
    assert!(shows(&app, "fetching"), "{app:?}");
    let began = std::time::Instant::now();
    while shows(&app, "fetching") {
        assert!(began.elapsed() < Duration::from_secs(60), "{app:?}");
        app.step();
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(asked.lock().expect("paths").len() > before);
    assert!(!shows(&app, "Search "), "{app:?}");
    // Turns 7, 70 to 79 and 700 to 799.
    wait_for(&mut app, "111 of 60,000 lines");
}
