//! Tests of live matches: following, pausing, returning, and broken connections, with a fake server.

use std::net::Shutdown;
use std::sync::mpsc::channel;
use std::time::Duration;

use eframe::egui::{Key, Vec2};
use egui_kittest::kittest::Queryable;
use grandstand_protocol::{Command, Game, Message, Micros};
use grandstand_testing::{FakeServer, commands, hello, respond, send, summary, upgrade};

use crate::support;
use crate::support::{live_match, shows, wait_for, window};

const SIZE: Vec2 = Vec2::new(1280.0, 800.0);

fn open(url: &str) -> support::Window {
    window(Some(url.parse().expect("a target")), SIZE)
}

/// Keeps a connection open until the test ends.
fn hold<T>(socket: T) {
    std::mem::forget(socket);
}

#[test]
fn a_live_match_is_followed_paused_and_returned_to() {
    let (target, go_on) = live_match("", &[(1, 9), (10, 15)]);
    let mut app = window(Some(target), SIZE);
    wait_for(&mut app, "Line 9 of 9");
    assert!(shows(&app, "Live") && shows(&app, "Pause"));
    app.key_press(Key::Space);
    app.run_steps(3);
    go_on.send(()).expect("a server");
    // The match goes on while the picture is paused and shows its distance.
    wait_for(&mut app, "Line 9 of 15");
    assert!(shows(&app, "Back to live") && shows(&app, "2 black and 1 white pieces"));
    app.key_press(Key::ArrowLeft);
    app.run_steps(3);
    assert!(shows(&app, "Line 8 of 15"));
    app.key_press(Key::L);
    app.run_steps(30);
    assert!(shows(&app, "Line 15 of 15") && shows(&app, "2 black and 0 white pieces"));
}

#[test]
fn the_board_stays_where_it_is_when_the_first_evaluation_comes() {
    let server = FakeServer::new();
    let url = format!("{}?match=m1", server.url());
    let (go_on, gate) = channel();
    let _paths = server.run(move |_, _, stream| {
        let mut socket = upgrade(stream);
        send(&mut socket, &hello("live").replace(r#""game":"abalone""#, r#""game":"gomoku""#));
        let parts: [&[&str]; 2] = [
            &["board 15", "turn black"],
            &["thought black 5 2 9 h8", "move black h8", "turn white", "move white h9"],
        ];
        let mut seq = 1;
        for lines in parts {
            let commands = lines.iter().map(|line| Command::parse(Game::Gomoku, line.as_bytes())).collect();
            send(&mut socket, &Message::Commands { seq, t: Micros(seq * 1_000_000), commands }.to_json());
            seq += lines.len() as u64;
            if gate.recv().is_err() {
                break;
            }
        }
        hold(socket);
    });
    let mut app = open(&url);
    wait_for(&mut app, "Line 2 of 2");
    let layout = |app: &support::Window| {
        let board = app.get_by_label_contains("Gomoku board").rect();
        (board, ["Match", "Plots", "Talk"].map(|tab| shows(app, tab)))
    };
    let before = layout(&app);
    go_on.send(()).expect("a server");
    wait_for(&mut app, "Line 6 of 6");
    app.run_steps(5);
    assert_eq!(layout(&app), before);
}

#[test]
fn players_that_never_evaluate_have_no_chart_of_it_from_the_first_frame() {
    let server = FakeServer::new();
    let url = format!("{}?match=m1", server.url());
    let _paths = server.run(move |_, _, stream| {
        let mut socket = upgrade(stream);
        let hello = hello("live").replace(r#""game":"abalone""#, r#""game":"gomoku""#);
        send(&mut socket, &hello.replace("Reds", "random").replace("Blues", "stupid"));
        let lines = ["board 15", "turn black", "names random stupid", "move black h8"];
        let commands = lines.iter().map(|line| Command::parse(Game::Gomoku, line.as_bytes())).collect();
        send(&mut socket, &Message::Commands { seq: 1, t: Micros(0), commands }.to_json());
        hold(socket);
    });
    let mut app = open(&url);
    wait_for(&mut app, "Line 4 of 4");
    app.run_steps(5);
    assert!(shows(&app, "Thinking time") && !shows(&app, "Evaluation"), "{app:?}");
}

#[test]
fn the_rules_of_a_live_match_are_known() {
    let server = FakeServer::new();
    let url = format!("{}?match=m1", server.url());
    let _paths = server.run(|_, _, stream| {
        let mut socket = upgrade(stream);
        // Units respawn after ten minutes here instead of ten seconds.
        let rules = r#""game":"fortress","rules":{"cRESPAWN_TIME":599000}"#;
        send(&mut socket, &hello("live").replace(r#""game":"abalone""#, rules));
        let lines = ["spawn 1 red ~2 0 east 1000 soldier", "remove 1"];
        let commands = lines.map(|line| Command::parse(Game::Fortress, line.as_bytes())).into();
        send(&mut socket, &Message::Commands { seq: 1, t: Micros(1_000_000), commands }.to_json());
        hold(socket);
    });
    let mut app = open(&url);
    wait_for(&mut app, "soldier 1 back in 59");
}

#[test]
fn a_broken_connection_is_resumed_without_losing_a_command() {
    let server = FakeServer::new();
    let url = format!("{}?match=m1", server.url());
    let paths = server.run(|number, _, stream| {
        let handle = stream.try_clone().expect("a handle");
        let mut socket = upgrade(stream);
        send(&mut socket, &hello("live"));
        match number {
            0 => {
                send(&mut socket, &commands(1, 5));
                std::thread::sleep(Duration::from_millis(300));
                handle.shutdown(Shutdown::Both).expect("closed");
            }
            // Repeated commands have no effect.
            _ => {
                send(&mut socket, &commands(4, 16));
                send(
                    &mut socket,
                    r#"{"type":"end","seq":16,"t":3.5,"result":{"winner":"black","termination":"score"}}"#,
                );
                hold(socket);
            }
        }
    });
    let mut app = open(&url);
    wait_for(&mut app, "Line 5 of 5");
    wait_for(&mut app, "Connection lost");
    wait_for(&mut app, "Reds wins by score");
    assert!(shows(&app, "Line 16 of 16") && shows(&app, "Finished"));
    let paths: Vec<String> = paths.try_iter().filter(|path| path.contains("since")).collect();
    assert_eq!(paths, ["/api/matches/m1/live?since=0", "/api/matches/m1/live?since=5"]);
}

#[test]
fn a_server_that_is_not_there_is_tried_again_until_it_is() {
    let (address, url) = {
        let server = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = server.local_addr().expect("an address");
        (address, format!("http://{address}/?match=m1"))
    };
    let mut app = open(&url);
    wait_for(&mut app, "No server there");
    assert!(shows(&app, "grandstand serve"), "it says what to do");
    let listener = std::net::TcpListener::bind(address).expect("the same port");
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut socket = upgrade(stream);
            send(&mut socket, &hello("live"));
            send(&mut socket, &commands(1, 3));
            hold(socket);
        }
    });
    app.key_press(Key::R);
    wait_for(&mut app, "Line 3 of 3");
}

#[test]
fn unknown_matches_and_other_servers_are_explained() {
    type Serve = fn(std::net::TcpStream);
    let cases: [(&str, Serve); 4] = [
        ("No such match", |stream| respond(stream, "404 Not Found", "no")),
        ("Not a Grandstand server", |stream| respond(stream, "200 OK", "<html>")),
        ("Another version", |stream| {
            let mut socket = upgrade(stream);
            send(&mut socket, &hello("live").replace("\"protocol\":1", "\"protocol\":7"));
            hold(socket);
        }),
        ("The server refused", |stream| {
            let mut socket = upgrade(stream);
            send(&mut socket, r#"{"type":"error","message":"too many spectators"}"#);
            hold(socket);
        }),
    ];
    for (title, serve) in cases {
        let server = FakeServer::new();
        let url = format!("{}?match=m1", server.url());
        let _paths = server.run(move |_, _, stream| serve(stream));
        let mut app = open(&url);
        wait_for(&mut app, title);
    }
}

#[test]
fn a_link_to_a_moment_opens_there() {
    let server = FakeServer::new();
    let url = format!("{}?match=m1&seq=9", server.url());
    let _paths = server.run(|_, _, stream| {
        let mut socket = upgrade(stream);
        send(&mut socket, &hello("live"));
        send(&mut socket, &commands(1, 6));
        send(&mut socket, &commands(7, 15));
        hold(socket);
    });
    let mut app = open(&url);
    wait_for(&mut app, "Line 9 of 15");
    assert!(shows(&app, "Play") && shows(&app, "Back to live"));
}

#[test]
fn the_list_shows_live_matches_first_and_opens_one() {
    let server = FakeServer::new();
    let url = server.url();
    let _paths = server.run(|_, path, stream| {
        if path == "/api/matches" {
            let list = [summary("m2", "finished", "Old"), summary("m1", "live", "Final")];
            respond(stream, "200 OK", &format!("[{}]", list.join(",")));
        } else if path.starts_with("/api/tournament") || path.contains("/commands") {
            respond(stream, "404 Not Found", "{}");
        } else {
            let mut socket = upgrade(stream);
            send(&mut socket, &hello("live"));
            send(&mut socket, &commands(1, 4));
            hold(socket);
        }
    });
    let mut app = open(&url);
    wait_for(&mut app, "Final, Live");
    let (live, old) = (
        app.get_by_label_contains("Final, Live, Robot Abalone").rect(),
        app.get_by_label_contains("Old, Finished").rect(),
    );
    assert!(live.bottom() < old.top());
    app.get_by_label_contains("Final, Live, Robot Abalone").click();
    wait_for(&mut app, "Line 4 of 4");
    app.key_press(Key::M);
    wait_for(&mut app, "Old, Finished");
}

#[test]
fn an_empty_list_and_a_missing_server_say_what_to_do() {
    let server = FakeServer::new();
    let url = server.url();
    let _paths = server.run(|_, _, stream| respond(stream, "200 OK", "[]"));
    wait_for(&mut open(&url), "No matches yet");

    let server = FakeServer::new();
    let url = server.url();
    drop(server);
    let mut app = open(&url);
    wait_for(&mut app, "No server there");
    assert!(shows(&app, "Try again"));
}

#[test]
fn what_is_typed_into_the_field_is_opened_or_explained() {
    let folder = grandstand_testing::Folder::new();
    let path = folder.file("final.replay", grandstand_testing::replay());
    let mut app = window(None, SIZE);
    app.step();
    app.key_press(Key::O);
    app.run_steps(3);
    let field = app.get_by_label("Address or file");
    field.set_text_value_accesskit("ftp://somewhere");
    app.run_steps(3);
    app.get_by_label("Open").click();
    app.run_steps(3);
    assert!(shows(&app, "expected http://"));
    app.get_by_label("Address or file").set_text_value_accesskit(&path.display().to_string());
    app.run_steps(3);
    app.get_by_label("Open").click();
    wait_for(&mut app, "Pause");
    assert!(shows(&app, "Final"));
}

#[test]
fn programs_of_a_live_match_are_said_to_come_at_its_end() {
    let server = FakeServer::new();
    let url = format!("{}?match=m1", server.url());
    let _paths = server.run(move |_, _, stream| {
        let mut socket = upgrade(stream);
        let by = r#""by":{"grandstand":"0.1.0","rules":1,"language":1},"state":"live""#;
        send(&mut socket, &hello("live").replace(r#""state":"live""#, by));
        send(&mut socket, &commands(1, 9));
        hold(socket);
    });
    let mut app = open(&url);
    wait_for(&mut app, "Line 9 of 9");
    app.key_press(Key::Num5);
    app.run_steps(3);
    assert!(shows(&app, "The programs come when the match is over."));
}

#[test]
fn a_match_that_is_over_is_never_called_live_while_it_arrives() {
    let server = FakeServer::new();
    let url = format!("{}?match=m1&seq=5", server.url());
    let (go_on, gate) = channel();
    let paths = server.run(move |_, _, stream| {
        let mut socket = upgrade(stream);
        send(&mut socket, &hello("finished"));
        send(&mut socket, &commands(1, 9));
        if gate.recv().is_err() {
            return;
        }
        send(&mut socket, &commands(10, 15));
        let end = serde_json::json!({ "type": "end", "seq": 15, "t": 9, "result": null });
        send(&mut socket, &end.to_string());
        hold(socket);
    });
    hold(paths);
    let mut app = open(&url);
    wait_for(&mut app, "Line 5 of 9");
    assert!(shows(&app, "Loading…"), "{app:?}");
    for never in ["Live", "live", "watching", "behind"] {
        assert!(!shows(&app, never), "{never}: {app:?}");
    }
    go_on.send(()).expect("a server");
    wait_for(&mut app, "Finished");
    assert!(!shows(&app, "Loading…"));
}
