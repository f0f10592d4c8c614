//! Bad input on the text-line port: it affects its own connection at most, and no recorded data.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use grandstand_testing::PATIENCE;

use super::support::TestServer;

/// Waits until the server has closed a connection.
async fn closed(stream: &mut TcpStream) {
    let closed = async {
        let mut sink = [0; 64];
        while !matches!(stream.read(&mut sink).await, Ok(0) | Err(_)) {}
    };
    tokio::time::timeout(PATIENCE, closed).await.expect("the server closes the connection");
}

#[tokio::test]
async fn ten_megabytes_without_a_line_feed() {
    let server = TestServer::start();
    let mut other = server.draw("turns 1\n").await;
    server.newest(1).await;
    for opening in ["", "turns 5\n"] {
        let mut stream = server.draw(opening).await;
        // The server stops reading somewhere on the way.
        let _ = stream.write_all(&vec![b'x'; 10 << 20]).await;
        closed(&mut stream).await;
    }
    // The first connection never began a match, the second lost the rest of its own.
    let list = server.matches(|list| list.len() == 2 && list[0]["state"] != "live").await;
    assert_eq!((&list[0]["state"], &list[0]["seq"]), (&json!("interrupted"), &json!(1)));
    assert_eq!(server.metric("grandstand_line_connections_limited_total").await, 2.0);
    other.write_all(b"turns 2\n").await.unwrap();
    server.matches(|list| list[1]["seq"] == 2 && list[1]["state"] == "live").await;
}

#[tokio::test]
async fn strange_bytes_are_kept_as_they_came() {
    let server = TestServer::start();
    let mut stream = server.draw("").await;
    stream
        .write_all(
            b"\0\0\nbsay a\0b\nwsay \xff\xfe!\n\nset Z9 w1\nset B~2 w9\nturns -1\nbscore 99999999999\nhalf",
        )
        .await
        .unwrap();
    stream.shutdown().await.unwrap();
    let id = server.newest(8).await;
    let mut watcher = server.watch(&id, "?since=0").await;
    watcher.next().await;
    let commands = watcher.commands(0, 8).await;
    assert_eq!(
        commands[0],
        json!({"cmd": "unknown", "line": "\0\0", "problem": {
            "column": 1, "expected": "a command: bsay, wsay, bscore, wscore, turns or set", "found": "\\u{0}\\u{0}"
        }})
    );
    assert_eq!(commands[1], json!({"cmd": "say", "team": "black", "text": "a\0b"}));
    assert_eq!(
        commands[2],
        json!({"cmd": "unknown", "line": "wsay \u{fffd}\u{fffd}!", "base64": "d3NheSD//iE=", "problem": {
            "column": 6, "expected": "text in UTF-8", "found": "\u{fffd}"
        }})
    );
    let lines: Vec<_> = commands[3..].iter().map(|c| (c["cmd"].as_str(), c["line"].as_str())).collect();
    let unknown = |line| (Some("unknown"), Some(line));
    assert_eq!(lines, ["set Z9 w1", "set B~2 w9", "turns -1", "bscore 99999999999", "half"].map(unknown));
}

#[tokio::test]
async fn a_million_lines_at_once() {
    let server = TestServer::start();
    let mut stream = server.draw("").await;
    let block: String = (0..10_000).map(|n| format!("turns {n}\n")).collect();
    let began = Instant::now();
    for _ in 0..100 {
        stream.write_all(block.as_bytes()).await.unwrap();
    }
    stream.shutdown().await.unwrap();
    let deadline = Instant::now() + 6 * PATIENCE;
    loop {
        let list = server.json("/api/matches").await;
        if list[0]["seq"] == 1_000_000 && list[0]["state"] == "finished" {
            break;
        }
        assert!(Instant::now() < deadline, "{list}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    println!("a million lines took {:?}", began.elapsed());
    let id = server.newest(1_000_000).await;
    let tail = server.json(&format!("/api/matches/{id}/commands?from=999998")).await;
    let last =
        tail.as_array().unwrap().last().unwrap()["commands"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(last, json!({"cmd": "turns", "value": 9999}));
    // Distant snapshots; later ones start at checkpoints of the first read.
    for from in [900_001, 123_457, 900_002, 65_537, 999_999, 3] {
        let range = format!("/api/matches/{id}/commands?scene=1&from={from}&to={from}");
        let found = server.json(&range).await;
        assert_eq!(found[0]["seq"], from - 1);
        assert_eq!(found[0]["scene"]["turns"], (from - 2) % 10_000);
        assert_eq!(
            (&found[1]["seq"], &found[1]["commands"][0]["value"]),
            (&json!(from), &json!((from - 1) % 10_000))
        );
    }
}

#[tokio::test]
async fn a_stop_does_not_wait_for_lines_that_come_too_fast() {
    let server = TestServer::with(|config| config.lines.lines_per_second = 1);
    let _game = server.draw(&"turns 1\n".repeat(1_000)).await;
    server.newest(1_000).await;
    server.stop().await;
}

#[tokio::test]
async fn peers_that_never_send_or_fall_silent() {
    let server = TestServer::with(|config| {
        config.lines.first_line = Duration::from_millis(150);
        config.lines.idle = Duration::from_millis(300);
    });
    let mut silent = server.draw("").await;
    let mut blank = server.draw("\n\n \n").await;
    let mut idle = server.draw("turns 1\n").await;
    closed(&mut silent).await;
    closed(&mut blank).await;
    closed(&mut idle).await;
    let list = server.matches(|list| list.len() == 1 && list[0]["state"] != "live").await;
    assert_eq!(list[0]["state"], "interrupted");
    assert_eq!(server.metric("grandstand_line_connections_limited_total").await, 3.0);
}

#[tokio::test]
async fn more_connections_than_are_allowed() {
    grandstand::raise_open_files();
    let server = TestServer::with(|config| config.lines.connections = 500);
    let mut streams = Vec::new();
    for turn in 1..=2000u32 {
        let mut stream = TcpStream::connect(server.lines).await.unwrap();
        // A connection over the limit is closed, perhaps during the write.
        let _ = stream.write_all(format!("turns {turn}\n").as_bytes()).await;
        streams.push(stream);
    }
    let list = server.matches(|_| true).await;
    assert!(!list.is_empty());
    for stream in &mut streams[500..] {
        closed(stream).await;
    }
    assert_eq!(server.metric("grandstand_line_connections_refused_total").await, 1500.0);
    assert_eq!(server.metric("grandstand_matches_live").await, 500.0);
    // The connections within the limit continue.
    for stream in &mut streams[..500] {
        stream.write_all(b"turns 9\n").await.unwrap();
    }
    server.matches(|list| list.len() == 100 && list.iter().all(|m| m["seq"] == 2)).await;
    drop(streams);
    let deadline = Instant::now() + PATIENCE;
    while server.metric("grandstand_line_connections ").await > 0.0 {
        assert!(Instant::now() < deadline);
    }
}

#[tokio::test]
async fn a_request_of_http_is_hung_up_on_and_makes_no_match() {
    let server = TestServer::start();
    let forged = "turns 1\n#gs result {\"winner\":\"black\",\"termination\":\"score\"}\n";
    for first in ["POST / HTTP/1.1\r\n", "\r\n \nGET /a?b HTTP/1.0\n", "PROPFIND * HTTP/1.1\n"] {
        let mut page = server.draw(&format!("{first}Host: localhost:3126\r\n\r\n{forged}")).await;
        closed(&mut page).await;
    }
    let mut cut = server.draw("GET / HTTP/1.1").await;
    cut.shutdown().await.unwrap();
    closed(&mut cut).await;
    assert_eq!(server.metric("grandstand_line_connections_refused_total").await, 4.0);
    // Any other first line is an ordinary line, as is an HTTP request after the first line.
    let mut games = Vec::new();
    for first in
        ["bsay / HTTP/1.1", "POST /HTTP/1.1", "POST  / HTTP/1.1", "POST / HTTP/2", "turns 1\nPOST / HTTP/1.1"]
    {
        games.push(server.draw(&format!("{first}\nturns 2\n")).await);
    }
    let list = server.matches(|list| list.len() == games.len() && list.iter().all(|m| m["seq"] != 0)).await;
    assert!(list.iter().all(|m| m["state"] == "live" && m["result"].is_null()), "{list:?}");
}

#[tokio::test]
async fn who_is_read_slowly_does_not_keep_the_server_from_stopping() {
    let server = TestServer::with(|config| config.lines.lines_per_second = 1);
    let _game = server.draw(&"turns 1\n".repeat(200)).await;
    server.newest(200).await;
    server.stop().await;
}

#[tokio::test]
async fn what_follows_a_result_is_not_drawn() {
    let server = TestServer::start();
    let mut stream = server.draw("turns 1\n#gs result {\"termination\":\"draw\"}\nturns 2\n").await;
    let list = server.matches(|list| list.len() == 1 && list[0]["state"] == "finished").await;
    assert_eq!(list[0]["seq"], 1);
    // The connection is drained, not reset: a game server that continues to write gets no error at once.
    stream.write_all(b"turns 3\n").await.unwrap();
    stream.shutdown().await.unwrap();
    closed(&mut stream).await;
    assert_eq!(server.matches(|_| true).await.len(), 1);
}
