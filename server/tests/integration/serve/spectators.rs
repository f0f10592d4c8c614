//! Misbehaviour on the HTTP port: of websockets and of other connections.

use std::time::{Duration, Instant};

use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

use grandstand_testing::PATIENCE;

use super::support::{TestServer, Watcher, take_commands};

const KEY: &str = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

/// A server with one live match of one command, and a spectator that has received its greeting.
async fn watched(change: impl FnOnce(&mut grandstand::Config)) -> (TestServer, TcpStream, String, Watcher) {
    let server = TestServer::with(change);
    let game = server.draw("turns 1\n").await;
    let id = server.newest(1).await;
    let mut watcher = server.watch(&id, "").await;
    watcher.next().await;
    watcher.next().await;
    (server, game, id, watcher)
}

async fn close_code(watcher: &mut Watcher) -> u16 {
    let (_, close) = watcher.rest().await;
    close.expect("a close frame").code.into()
}

#[tokio::test]
async fn what_a_spectator_says_is_read_and_ignored() {
    let (server, mut game, _, mut watcher) = watched(|_| {}).await;
    watcher.send(Message::text("hello there")).await;
    watcher.send(Message::binary(vec![1, 2, 3])).await;
    watcher.send(Message::Ping(b"are you there".to_vec().into())).await;
    let answer = tokio::time::timeout(PATIENCE, watcher.socket.next()).await.unwrap().unwrap().unwrap();
    assert_eq!(answer, Message::Pong(b"are you there".to_vec().into()));
    game.write_all(b"turns 2\n").await.unwrap();
    assert_eq!(watcher.commands(1, 2).await, [json!({"cmd": "turns", "value": 2})]);
    assert_eq!(server.metric("grandstand_inbound_messages_total").await, 3.0);
    // A close in order is answered.
    watcher.send(Message::Close(None)).await;
    assert!(watcher.rest().await.0.is_empty());
    let deadline = Instant::now() + PATIENCE;
    while server.metric("grandstand_websockets_closed_total{reason=\"by_peer\"}").await < 1.0 {
        assert!(Instant::now() < deadline);
    }
    assert_eq!(server.metric("grandstand_spectators ").await, 0.0);
}

#[tokio::test]
async fn what_a_spectator_may_not_do() {
    let (_server, _game, _, mut watcher) = watched(|_| {}).await;
    watcher.send(Message::binary(vec![0; 5000])).await;
    assert_eq!(close_code(&mut watcher).await, 1009);

    let (_server, _game, _, mut watcher) = watched(|config| config.spectators.inbound_messages = 10).await;
    for _ in 0..11 {
        watcher.send(Message::text("again")).await;
    }
    assert_eq!(close_code(&mut watcher).await, 1008);

    let (_server, _game, _, mut watcher) = watched(|_| {}).await;
    watcher.socket.get_mut().write_all(b"\x81\x02hi").await.unwrap();
    assert_eq!(close_code(&mut watcher).await, 1002, "a frame without a mask");

    let (_server, _game, _, mut watcher) = watched(|_| {}).await;
    watcher.socket.get_mut().write_all(b"\x81\x82\0\0\0\0\xff\xff").await.unwrap();
    assert_eq!(close_code(&mut watcher).await, 1007, "text that is not UTF-8");
}

#[tokio::test]
async fn no_pong() {
    let (server, _game, id, mut watcher) = watched(|config| {
        config.spectators.ping = Duration::from_secs(1);
        config.spectators.idle = Duration::from_secs(3);
    })
    .await;
    // A spectator that answers pings, as clients do when they read.
    let mut answering = server.watch(&id, "").await;
    let answers = tokio::spawn(async move { answering.rest().await });
    let mut raw = Vec::new();
    let silent = watcher.socket.get_mut();
    tokio::time::timeout(PATIENCE, silent.read_to_end(&mut raw)).await.unwrap().unwrap();
    assert!(raw.starts_with(b"\x89\x00\x88"), "a ping, then a close: {raw:02x?}");
    assert_eq!(&raw[4..6], 1008u16.to_be_bytes());
    assert!(String::from_utf8_lossy(&raw).ends_with("no answer to a ping"));
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(!answers.is_finished());
    answers.abort();
}

/// Lines that quickly fill any socket's buffers.
fn flood(count: usize) -> String {
    format!("bsay {}\n", "z".repeat(1000)).repeat(count)
}

#[tokio::test]
async fn a_spectator_that_stops_reading_harms_nobody() {
    let (server, mut game, id, watcher) = watched(|config| {
        config.spectators.stall = Duration::from_secs(2);
        config.spectators.send_buffer_bytes = 16 * 1024;
    })
    .await;
    let mut other = server.watch(&id, "?since=0").await;
    other.next().await;
    let mut seq = other.commands(0, 1).await.len() as u64;
    let began = Instant::now();
    // The reading spectator gets all of it while the stalled one is blocked, and until that one is closed.
    while server.metric("grandstand_websockets_closed_total{reason=\"stalled\"}").await < 1.0 {
        game.write_all(flood(500).as_bytes()).await.unwrap();
        other.commands(seq, seq + 500).await;
        seq += 500;
        assert!(began.elapsed() < PATIENCE);
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    drop(watcher);
}

#[tokio::test]
async fn a_spectator_that_reads_too_slowly_goes_on_with_a_scene() {
    let (server, mut game, _, mut watcher) = watched(|config| {
        config.spectators.send_buffer_bytes = 16 * 1024;
        config.spectators.lag_bytes = 100_000;
    })
    .await;
    let began = Instant::now();
    let mut sent = 1;
    while server.metric("grandstand_blocked_writes_total").await < 1.0 || sent < 30_000 {
        game.write_all(flood(1000).as_bytes()).await.unwrap();
        sent += 1000;
        assert!(began.elapsed() < PATIENCE);
    }
    game.write_all(b"turns 77\n").await.unwrap();
    server.newest(sent + 1).await;
    // It reads what was sent before, then a scene that leaves a gap, and then it is live again.
    let mut next = 2;
    let scene = loop {
        let message = watcher.next().await;
        if message["type"] == "scene" {
            break message;
        }
        next = take_commands(&message, next, &mut Vec::new());
    };
    let at = scene["seq"].as_u64().unwrap();
    assert!(at > next, "{at} follows {next}");
    assert_eq!(scene["scene"]["turns"], 1);
    game.write_all(b"turns 78\n").await.unwrap();
    let (mut next, mut rest) = (at + 1, Vec::new());
    while next < sent + 3 {
        let message = watcher.next().await;
        match message["type"].as_str() {
            // It may have fallen behind again while it was reading.
            Some("scene") => next = message["seq"].as_u64().unwrap() + 1,
            _ => next = take_commands(&message, next, &mut rest),
        }
    }
    assert_eq!(rest.last().unwrap(), &json!({"cmd": "turns", "value": 78}));
    assert!(server.metric("grandstand_resyncs_total").await >= 1.0);
}

#[tokio::test]
async fn what_is_not_http_is_told_so_at_once() {
    let server = TestServer::start();
    for text in ["set B~2 w4\nbsay hello\n", "\0\x01\x02\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n"] {
        let (status, _, _) = server.request(text).await;
        assert_eq!(status, 400, "{text:?}");
    }
    let long = format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n", "x".repeat(100_000));
    assert_eq!(server.request(&long).await.0, 431);
}

#[tokio::test]
async fn heads_that_come_drop_by_drop() {
    let server = TestServer::with(|config| config.spectators.head = Duration::from_millis(300));
    let mut slow = TcpStream::connect(server.http).await.unwrap();
    let mut silent = TcpStream::connect(server.http).await.unwrap();
    let drip = async {
        for byte in b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: yes".iter().cycle() {
            if slow.write_all(&[*byte]).await.is_err() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    // The slow sender stops only when the server has closed.
    tokio::time::timeout(PATIENCE, drip).await.unwrap();
    let mut answer = String::new();
    tokio::time::timeout(PATIENCE, silent.read_to_string(&mut answer)).await.unwrap().unwrap();
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(answer.contains("{\"error\":"));
}

#[tokio::test]
async fn a_websocket_after_other_requests_on_the_same_connection() {
    let server = TestServer::start();
    let mut game = server.draw("turns 1\n").await;
    let id = server.newest(1).await;
    let mut stream = TcpStream::connect(server.http).await.unwrap();
    let host = server.http;
    stream.write_all(format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes()).await.unwrap();
    let mut answer = vec![0; 1000];
    let n = stream.read(&mut answer).await.unwrap();
    assert!(answer[..n].starts_with(b"HTTP/1.1 200"));
    let request = format!("GET /api/matches/{id}/live?since=0 HTTP/1.1\r\nHost: {host}\r\n{KEY}");
    stream.write_all(request.as_bytes()).await.unwrap();
    game.write_all(b"turns 2\n").await.unwrap();
    let mut read = String::new();
    while !read.contains("\"value\":2}") {
        let n = tokio::time::timeout(PATIENCE, stream.read(&mut answer)).await.unwrap().unwrap();
        assert!(n > 0, "{read}");
        read.push_str(&String::from_utf8_lossy(&answer[..n]));
    }
    assert!(read.starts_with("HTTP/1.1 101 "));
    assert!(read.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
    assert_eq!(server.metric("grandstand_spectators ").await, 1.0);
}

#[tokio::test]
async fn handshakes_that_are_wrong() {
    let server = TestServer::start();
    let _game = server.draw("turns 1\n").await;
    let id = server.newest(1).await;
    let request = |headers: &str| {
        format!(
            "GET /api/matches/{id}/live HTTP/1.1\r\nHost: localhost\r\nConnection: close, Upgrade\r\n{headers}\r\n"
        )
    };
    for (headers, status) in [
        (
            "Upgrade: websocket\r\nSec-WebSocket-Version: 8\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
            426,
        ),
        ("Upgrade: h2c\r\n", 426),
        ("Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n", 400),
        ("Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short\r\n", 400),
    ] {
        let (got, _, body) = server.request(&request(headers)).await;
        assert_eq!(got, status, "{headers}");
        assert!(serde_json::from_str::<Value>(&body).unwrap()["error"].is_string());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_thousand_spectators_of_one_match() {
    grandstand::raise_open_files();
    let server = TestServer::start();
    let mut game = server.draw("turns 1\n").await;
    let id = server.newest(1).await;
    let mut watchers = Vec::new();
    for _ in 0..2000 {
        watchers.push(server.watch(&id, "?since=0").await);
    }
    for turn in 2..=5 {
        game.write_all(format!("turns {turn}\n").as_bytes()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(server.json(&format!("/api/matches/{id}")).await["spectators"], 2000);
    game.write_all(b"#gs result {\"winner\":\"black\",\"termination\":\"score\"}\n").await.unwrap();
    for mut watcher in watchers {
        assert_eq!(watcher.next().await["type"], "hello");
        watcher.commands(0, 5).await;
        assert_eq!(watcher.next().await["type"], "end");
        assert_eq!(close_code(&mut watcher).await, 1000);
    }
    let deadline = Instant::now() + PATIENCE;
    while server.metric("grandstand_http_connections ").await > 1.0
        || server.metric("grandstand_spectators ").await > 0.0
    {
        assert!(Instant::now() < deadline);
    }
}

#[tokio::test]
async fn sides_that_are_kept_open_keep_no_place() {
    let server = TestServer::with(|config| {
        config.spectators.connections = 3;
        config.spectators.head = Duration::from_millis(300);
    });
    let mut kept = Vec::new();
    for turn in 0..12 {
        let connection = if turn % 2 == 0 { "close" } else { "keep-alive" };
        let request = format!("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: {connection}\r\n\r\n");
        let deadline = Instant::now() + PATIENCE;
        loop {
            let mut stream = TcpStream::connect(server.http).await.unwrap();
            let mut answer = [0; 12];
            // Refused until the previous connection has released its place.
            let _ = stream.write_all(request.as_bytes()).await;
            if stream.read_exact(&mut answer).await.is_ok() && answer == *b"HTTP/1.1 200" {
                if turn % 3 == 0 {
                    stream.shutdown().await.unwrap();
                }
                break kept.push(stream);
            }
            assert!(Instant::now() < deadline, "{turn}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

#[tokio::test]
async fn more_connections_than_are_allowed() {
    let server = TestServer::with(|config| config.spectators.connections = 5);
    let mut idle = Vec::new();
    for _ in 0..5 {
        idle.push(TcpStream::connect(server.http).await.unwrap());
    }
    let mut refused = TcpStream::connect(server.http).await.unwrap();
    let read = tokio::time::timeout(PATIENCE, refused.read(&mut [0; 16])).await.unwrap();
    assert!(matches!(read, Ok(0) | Err(_)));
    drop(idle);
    let deadline = Instant::now() + PATIENCE;
    while TcpStream::connect(server.http).await.is_err()
        || server.request("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").await.0
            != 200
    {
        assert!(Instant::now() < deadline);
    }
}
