//! Tests of who comes to a live match while nothing is drawn for minutes, as when a player thinks. The server is fake.

use eframe::egui::Vec2;
use grandstand_protocol::{Command, Game, Message, Micros};
use grandstand_testing::{FakeServer, send, upgrade};
use serde_json::{Value, json};

use crate::support::{Window, painted, shows, wait_for, window};

/// A match of which the last line was drawn after three seconds, and which is at `now`. With `breaks`, the connection
/// ends after the lines, and there is no other.
fn open(now: Value, breaks: bool) -> Window {
    let server = FakeServer::new();
    let url = format!("{}?match=m1", server.url());
    let paths = server.run(move |number, _, stream| {
        if breaks && number > 0 {
            return;
        }
        let mut socket = upgrade(stream);
        let about = json!({ "id": "m1", "game": "gomoku", "title": "Open", "teams": [], "state": "live",
            "started": "", "seq": 3, "now": now, "spectators": 1, "result": null });
        send(&mut socket, &json!({ "type": "hello", "protocol": 1, "match": about }).to_string());
        let lines = ["board 15", "turn black", "clock black 300000 running"];
        let commands = lines.iter().map(|line| Command::parse(Game::Gomoku, line.as_bytes())).collect();
        let message = Message::Commands { seq: 1, t: Micros(3_000_000), commands };
        send(&mut socket, &message.to_json());
        if !breaks {
            std::mem::forget(socket);
        }
    });
    std::mem::forget(paths);
    let mut app = window(Some(url.parse().expect("a target")), Vec2::new(1280.0, 800.0));
    wait_for(&mut app, "Line 3 of 3");
    app
}

#[test]
fn who_comes_while_a_player_thinks_sees_the_clock_and_the_time_as_they_are() {
    let app = open(json!(123.5), false);
    // Two minutes are gone of five.
    assert!(shows(&app, "clock 2:59, running"), "{app:?}");
    let told: Vec<String> = painted(&app).into_iter().map(|(text, _)| text).collect();
    assert!(told.iter().any(|text| text.starts_with("2:03.") || text.starts_with("2:04.")), "{told:?}");
    // The picture is not late for that.
    assert!(told.iter().any(|text| text.starts_with("Live")), "{told:?}");
    assert!(!told.iter().any(|text| text.ends_with(" late")), "{told:?}");
}

#[test]
fn of_a_server_that_does_not_tell_the_time_the_last_line_does() {
    let app = open(Value::Null, false);
    assert!(shows(&app, "clock 5:00, running") || shows(&app, "clock 4:59, running"), "{app:?}");
}

#[test]
fn time_goes_on_while_the_connection_is_broken() {
    let mut app = open(json!(123.5), true);
    wait_for(&mut app, "clock 2:5");
    app.run_steps(120);
    assert!(shows(&app, "clock 2:57, running") || shows(&app, "clock 2:58, running"), "{app:?}");
}
