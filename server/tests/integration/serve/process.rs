//! The binary as a process: killed, stopped, and started under conditions in which it can't run.

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use tokio_tungstenite::tungstenite::{self, Message};

use grandstand_testing::process::signal;
use grandstand_testing::{Folder, Serve};
use rustix::process::Signal;

use crate::program::{grandstand, serve};

#[test]
fn after_a_kill_every_replay_is_whole_and_listed_as_interrupted() {
    let data = Folder::new();
    let server = serve(data.path());
    let mut games = Vec::new();
    for turn in 1..=5 {
        games.push(server.draw(&format!(
            "#gs match {{\"title\":\"Game {turn}\"}}\n{}",
            "set B~2 w4\n".repeat(turn * 100)
        )));
        server.matches(|list| list.len() == turn && list[0]["seq"] == turn * 100);
    }
    // Drawn commands reach the file within a few milliseconds.
    std::thread::sleep(Duration::from_millis(200));
    server.stop(Signal::KILL);
    // As if the last write had been cut within a line.
    let cut = std::fs::read_dir(data.path())
        .unwrap()
        .map(|e| e.unwrap().path())
        .find(|p| p.extension().is_some_and(|e| e == "replay"))
        .unwrap();
    std::fs::OpenOptions::new().append(true).open(cut).unwrap().write_all(b"[0.25,\"c\",\"set B~").unwrap();

    let server = serve(data.path());
    let list = server.matches(|list| list.len() == 5);
    for (index, summary) in list.iter().enumerate() {
        let turn = 5 - index;
        assert_eq!(summary["state"], "interrupted");
        assert_eq!(summary["seq"], turn * 100);
        assert_eq!(summary["title"], format!("Game {turn}"));
        let replay = server.get(&format!("/api/matches/{}/replay", summary["id"].as_str().unwrap()));
        assert_eq!(replay.matches("set B~2 w4").count(), turn * 100);
    }
    let stopped = server.stop(Signal::TERM);
    assert_eq!(stopped.status.code(), Some(0));
}

/// A suspended machine as the server sees it: the clock jumps, and no data arrived from anybody.
#[test]
fn a_server_that_slept_longer_than_its_patience_closes_nobody() {
    let data = Folder::new();
    let mut command = grandstand();
    command.args(["serve", "--legacy", "127.0.0.1:0", "--http", "127.0.0.1:0"]);
    command.arg("--data").arg(data.path());
    let limits = ["stall-secs=1", "ping-secs=1", "idle-secs=2"];
    command.args(limits.iter().flat_map(|limit| ["--limit", limit]));
    let server = Serve::launch(&mut command);
    let mut game = server.draw("turns 1\n");
    let list = server.matches(|list| list.first().is_some_and(|m| m["seq"] == 1));
    let url = format!("ws://{}/api/matches/{}/live", server.http, list[0]["id"].as_str().unwrap());
    let (mut socket, _) = tungstenite::client(url, TcpStream::connect(server.http).unwrap()).unwrap();
    let mut receive = move |what: &str| loop {
        match socket.read().unwrap() {
            Message::Text(text) if text.contains(what) => return,
            Message::Close(frame) => panic!("{frame:?}"),
            // The read answers pings.
            _ => {}
        }
    };
    receive("\"scene\"");
    let watching = std::thread::spawn(move || receive("\"value\":2"));
    signal(Signal::STOP, server.child.id());
    std::thread::sleep(Duration::from_secs(4));
    signal(Signal::CONT, server.child.id());
    // Time for the server's check of silent spectators.
    std::thread::sleep(Duration::from_secs(3));
    game.write_all(b"turns 2\n").unwrap();
    watching.join().unwrap();
}

#[test]
fn a_stop_ends_matches_and_says_so_in_json() {
    let data = Folder::new();
    for signal in [Signal::TERM, Signal::INT] {
        let server = serve(data.path());
        let _game = server.draw("turns 1\nturns 2\n");
        server.matches(|list| list.first().is_some_and(|m| m["seq"] == 2));
        let stopped = server.stop(signal);
        assert_eq!(stopped.status.code(), Some(0), "{signal:?}");
        let log = String::from_utf8(stopped.stderr).unwrap();
        let over = log
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap())
            .find(|l| l["fields"]["message"] == "a match is over");
        assert_eq!(over.unwrap()["fields"]["end"], "the server stops");
    }
    let server = serve(data.path());
    let list = server.matches(|list| list.len() == 2);
    assert!(list.iter().all(|m| m["state"] == "interrupted" && m["seq"] == 2));
}

#[test]
fn unknown_lines_are_logged_and_then_counted() {
    let data = Folder::new();
    let server = serve(data.path());
    let game = server.draw(&format!("turns 1\njump \u{1b}[31mup\n{}", "set B~2\n".repeat(149)));
    server.matches(|list| list.first().is_some_and(|m| m["seq"] == 151));
    drop(game);
    server.matches(|list| list[0]["state"] != "live");
    let log = String::from_utf8(server.stop(Signal::TERM).stderr).unwrap();
    let said: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |message: &str| -> Vec<&Value> {
        said.iter().map(|line| &line["fields"]).filter(|fields| fields["message"] == message).collect()
    };
    let told = of("a line is not understood");
    assert_eq!(told.len(), 10);
    assert_eq!((&told[0]["line"], &told[0]["text"]), (&2.into(), &"jump  [31mup".into()));
    assert_eq!(
        told[0]["problem"],
        "column 1: expected a command: bsay, wsay, bscore, wscore, turns or set, found `jump`"
    );
    assert!(told[9]["problem"].as_str().unwrap().starts_with("column 8: expected "));
    let counts: Vec<&Value> =
        of("so many lines were not understood by now").iter().map(|f| &f["lines"]).collect();
    assert_eq!(counts, [&100]);
    assert_eq!(of("a match is over")[0]["unknown"], 150);
}

#[test]
fn open_connections_do_not_keep_the_server_from_stopping() {
    let data = Folder::new();
    let server = serve(data.path());
    // A game server that does not hang up after its result; one that continues; incomplete requests, and answered ones.
    let over = server.draw("turns 1\n#gs result {\"termination\":\"draw\"}\n");
    server.matches(|list| list.len() == 1 && list[0]["state"] == "finished");
    let game = server.draw("turns 1\n");
    let list = server.matches(|list| list.len() == 2);
    let id = list[0]["id"].as_str().unwrap();
    let mut open = vec![over, game];
    for request in [
        "",
        "GET / HTTP",
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
        &format!(
            "POST /api/matches/{id}/seats HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"
        ),
        &format!(
            "GET /api/matches/{id}/live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        ),
    ] {
        let mut stream = TcpStream::connect(server.http).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        open.push(stream);
    }
    // They have been accepted and read.
    assert_eq!(server.get("/healthz"), "ok\n");
    assert_eq!(server.stop(Signal::TERM).status.code(), Some(0));
    drop(open);
}

#[test]
fn a_stop_does_not_wait_for_reads_that_are_pending() {
    let data = Folder::new();
    let (header, lines) = ("{\"grandstand\":1,\"game\":\"abalone\"}\n", 900_000);
    let end = format!("[0,\"e\",{{\"state\":\"finished\",\"seq\":{lines}}}]\n");
    let text = [header, &"[0,\"c\",\"turns 1\"]\n".repeat(lines), &end].concat();
    std::fs::write(data.path().join("long.replay"), text).unwrap();
    let server = serve(data.path());
    let before = server.metric("grandstand_http_requests_total", |_| true);
    let path = format!("/api/matches/long/commands?from={lines}&scene=1");
    let pending: Vec<TcpStream> = (0..60).map(|_| server.ask(&path)).collect();
    server.metric("grandstand_http_requests_total", |now| now >= before + 60.0);
    // Time for the maximum number of concurrent reads to start.
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(server.stop(Signal::TERM).status.code(), Some(0));
    drop(pending);
}

fn fails(arguments: &[&str]) -> String {
    let output = grandstand().arg("serve").args(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn what_it_can_not_start_with_is_said_and_exits_with_2() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let data = Folder::new();
    let directory = data.path().to_str().unwrap();
    for port in ["--legacy", "--http"] {
        let other = if port == "--http" { "--legacy" } else { "--http" };
        let said = fails(&[port, &address, other, "127.0.0.1:0", "--data", directory]);
        assert!(said.contains(&format!("{address} is in use by another program")), "{said}");
    }
    let free = ["--legacy", "127.0.0.1:0", "--http", "127.0.0.1:0"];
    let with = |more: &[&str]| fails(&[&free[..], more].concat());
    assert!(with(&["--http", "nonsense", "--data", directory]).contains("`nonsense` is not an address"));
    assert!(with(&["--limit", "stall-secs=soon"]).contains("not a value of stall-secs"));
    let file = data.path().join("file");
    std::fs::write(&file, "x").unwrap();
    assert!(with(&["--data", file.to_str().unwrap()]).contains("the data directory"));
    let running = serve(data.path());
    assert!(with(&["--data", directory]).contains("is in use by another grandstand"));
    drop(running);
}

/// A directory in which nobody, not even root, can create a file.
#[cfg(target_os = "linux")]
#[test]
fn an_unwritable_directory_costs_the_recording_alone() {
    let server = serve(Path::new("/proc/self"));
    let mut game = server.draw("turns 1\n");
    server.matches(|list| list.first().is_some_and(|m| m["seq"] == 1));
    game.write_all(b"turns 2\n#gs result {\"termination\":\"draw\"}\n").unwrap();
    let list = server.matches(|list| list[0]["state"] == "finished");
    let id = list[0]["id"].as_str().unwrap();
    // The match stays in memory.
    let commands = server.get(&format!("/api/matches/{id}/commands"));
    assert!(commands.contains("\"value\":2}"), "{commands}");
    assert!(server.get(&format!("/api/matches/{id}/replay")).contains("this match has no recording"));
    let log = String::from_utf8(server.stop(Signal::TERM).stderr).unwrap();
    assert!(log.contains("nothing will be recorded"));
    assert_eq!(log.matches("can't record: the match goes on without").count(), 1, "{log}");
}
