//! Slow and stalled readers of responses: they are distinguished, affect nobody else, and hold no memory for long.

use std::time::Duration;

use grandstand::Config;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use grandstand_testing::PATIENCE;

use super::support::TestServer;

/// Number of commands of a match that fits into no socket's buffers.
const LONG: u64 = 8_000;

/// A server with a recorded match of [`LONG`] commands of a kilobyte each.
async fn with_long_match(change: impl FnOnce(&mut Config)) -> (TestServer, String) {
    let server = TestServer::with(|config| {
        config.spectators.send_buffer_bytes = 16 * 1024;
        config.history.compress = false;
        change(config);
    });
    let lines = format!("bsay {}\n", "z".repeat(1000)).repeat(LONG as usize);
    let mut game = server.draw(&lines).await;
    game.shutdown().await.unwrap();
    let list = server.matches(|list| list.len() == 1 && list[0]["state"] == "finished").await;
    let id = list[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(list[0]["seq"], LONG);
    (server, id)
}

/// Sends a request and reads only the beginning of the response.
async fn ask(server: &TestServer, path: &str) -> (TcpStream, Vec<u8>) {
    let mut stream = TcpStream::connect(server.http).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.http);
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut begin = vec![0; 1000];
    let n = tokio::time::timeout(PATIENCE, stream.read(&mut begin)).await.expect("an answer").unwrap();
    begin.truncate(n);
    (stream, begin)
}

fn is_whole(answer: &[u8]) -> bool {
    answer.ends_with(b"\r\n0\r\n\r\n")
}

/// Waits until a metric fulfils a condition.
async fn until(server: &TestServer, name: &str, wanted: impl Fn(f64) -> bool) {
    let deadline = tokio::time::Instant::now() + PATIENCE;
    loop {
        let value = server.metric(name).await;
        if wanted(value) {
            return;
        }
        assert!(tokio::time::Instant::now() < deadline, "{name} stays {value}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn who_stalls_gets_a_part_that_does_not_look_whole() {
    let (server, id) = with_long_match(|config| config.readers.window = Duration::from_secs(1)).await;
    for path in ["replay", "commands", "commands?scene=1&from=2"] {
        let (mut stream, mut answer) = ask(&server, &format!("/api/matches/{id}/{path}")).await;
        assert!(answer.starts_with(b"HTTP/1.1 200"));
        // Only the connection of the metrics request is left.
        until(&server, "grandstand_http_connections ", |open| open == 1.0).await;
        let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await.unwrap();
        assert!(read.is_err() || !is_whole(&answer), "{path}");
        assert!(answer.len() < LONG as usize * 1000, "{path}: {} bytes", answer.len());
    }
    assert_eq!(server.metric("grandstand_memory_bytes{use=\"answers\"}").await, 0.0);
}

#[tokio::test]
async fn who_reads_slowly_but_steadily_gets_all_of_it() {
    let (server, id) = with_long_match(|config| config.readers.window = Duration::from_secs(1)).await;
    for path in ["replay", "commands"] {
        let (mut stream, mut answer) = ask(&server, &format!("/api/matches/{id}/{path}")).await;
        let mut piece = vec![0; 40_000];
        // The whole read takes longer than a stall may last.
        loop {
            let n = tokio::time::timeout(PATIENCE, stream.read(&mut piece)).await.unwrap().unwrap();
            if n == 0 {
                break;
            }
            answer.extend_from_slice(&piece[..n]);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert!(is_whole(&answer), "{path}: {} bytes", answer.len());
        assert!(answer.len() > LONG as usize * 1000, "{path}: {} bytes", answer.len());
    }
}

#[tokio::test]
async fn idle_readers_keep_nobody_waiting() {
    let (server, id) = with_long_match(|config| config.readers.from_archive = 1).await;
    let mut idle = Vec::new();
    for _ in 0..40 {
        idle.push(ask(&server, &format!("/api/matches/{id}/replay")).await);
    }
    let messages = server.json(&format!("/api/matches/{id}/commands?from=11&to=20&scene=1")).await;
    let seqs: Vec<&Value> = messages.as_array().unwrap().iter().map(|m| &m["seq"]).collect();
    assert_eq!(seqs[..2], [&json!(10), &json!(11)]);
    // Spectators of recordings take turns too.
    let mut stalled = Vec::new();
    for _ in 0..3 {
        stalled.push(server.watch(&id, "?since=0").await);
    }
    let (messages, _) = server.watch(&id, "").await.rest().await;
    assert_eq!(messages.last().unwrap()["type"], "end");
}

#[tokio::test]
async fn answers_that_nobody_reads_are_refused_when_they_are_too_many() {
    let (server, id) = with_long_match(|config| {
        config.readers.window = Duration::from_secs(2);
        config.readers.memory_bytes = 800_000;
    })
    .await;
    let path = format!("/api/matches/{id}/replay");
    let mut unread = Vec::new();
    let refused = loop {
        let (stream, answer) = ask(&server, &path).await;
        if answer.starts_with(b"HTTP/1.1 503") {
            break String::from_utf8(answer).unwrap();
        }
        unread.push(stream);
        assert!(unread.len() < 10, "300,000 bytes are too little for ten");
    };
    assert!(!unread.is_empty());
    assert!(refused.contains("retry-after: 5"), "{refused}");
    // Small responses are served meanwhile, and large ones once the others are broken off.
    assert_eq!(server.get("/healthz").await.0, 200);
    until(&server, "grandstand_memory_bytes{use=\"answers\"}", |bytes| bytes == 0.0).await;
    let (status, _, replay) = server.get(&path).await;
    assert_eq!((status, replay.lines().filter(|line| line.contains("\"c\"")).count() as u64), (200, LONG));
}

#[tokio::test]
async fn a_damaged_recording_is_not_taken_for_whole() {
    let server = TestServer::with(|config| config.history.compress = false);
    let lines: String = (1..=2_000).map(|turn| format!("turns {turn}\n")).collect();
    let mut game = server.draw(&lines).await;
    game.shutdown().await.unwrap();
    let list = server.matches(|list| list.len() == 1 && list[0]["state"] == "finished").await;
    let id = list[0]["id"].as_str().unwrap().to_owned();
    let data = server.stop().await;
    let path = data.path().join(format!("{id}.replay"));
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("\"turns 1500\"", "\"turns 15", 1)).unwrap();
    let server = TestServer::on(data, |config| config.history.compress = false);
    let (messages, close) = server.watch(&id, "?since=0").await.rest().await;
    assert_eq!(messages.last().unwrap()["type"], "error");
    assert_eq!(u16::from(close.unwrap().code), 1011);
    let path = format!("/api/matches/{id}/commands");
    let (mut stream, mut answer) = ask(&server, &path).await;
    let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await.unwrap();
    assert!(read.is_err() || !is_whole(&answer), "{} bytes", answer.len());
    let (status, _, body) = server.get(&format!("{path}?from=1490&to=1510")).await;
    assert_eq!((status, body.contains("command 1500 is missing")), (500, true), "{body}");
    assert_eq!(server.get(&format!("{path}?from=1&to=1499")).await.0, 200);
}

#[tokio::test]
async fn what_results_say_is_cut_in_summaries_and_whole_in_recordings() {
    let server = TestServer::start();
    let reason = "é".repeat(20_000);
    let result = json!({"winner": "black", "termination": "score", "reason": reason, "score": {"black": 3}});
    let _game = server.draw(&format!("turns 1\n#gs result {result}\n")).await;
    let check = async |server: &TestServer| {
        let list = server.matches(|list| list.len() == 1 && list[0]["state"] == "finished").await;
        let id = list[0]["id"].as_str().unwrap().to_owned();
        let cut = json!({
            "winner": "black", "termination": "score", "reason": "é".repeat(200) + "…", "score": {"black": 3},
        });
        assert_eq!(list[0]["result"], cut);
        assert_eq!(server.json(&format!("/api/matches/{id}")).await["result"], cut);
        let (messages, _) = server.watch(&id, "?since=0").await.rest().await;
        assert_eq!((&messages[0]["match"]["result"], &messages.last().unwrap()["result"]), (&cut, &cut));
        let (_, _, replay) = server.get(&format!("/api/matches/{id}/replay")).await;
        assert!(replay.contains(&reason));
    };
    check(&server).await;
    let server = TestServer::on(server.stop().await, |_| {});
    check(&server).await;
}

#[tokio::test]
async fn summaries_without_room_in_memory_come_from_the_recordings() {
    let server = TestServer::with(|config| config.readers.memory_bytes = 300_000);
    for turn in 1..=30 {
        let result = json!({"termination": "score", "reasons": vec!["r".repeat(3000); 4], "turn": turn});
        drop(server.draw(&format!("turns {turn}\n#gs result {result}\n")).await);
    }
    let turns = |list: &[Value]| {
        let mut turns: Vec<u64> = list.iter().filter_map(|m| m["result"]["turn"].as_u64()).collect();
        turns.sort_unstable();
        turns
    };
    let all: Vec<u64> = (1..=30).collect();
    let list = server.matches(|list| turns(list) == all).await;
    until(&server, "grandstand_memory_full_total{use=\"summaries\"}", |times| times > 0.0).await;
    let held = server.metric("grandstand_memory_bytes{use=\"summaries\"}").await;
    assert!((1.0..=37_500.0).contains(&held), "{held}");
    // Each of them, whether it is in memory or not, and in order.
    for summary in &list {
        assert_eq!(server.json(&format!("/api/matches/{}", summary["id"].as_str().unwrap())).await, *summary);
    }
    let mut paged = Vec::new();
    let mut query = String::from("?limit=7");
    while paged.len() < list.len() {
        let page = server.json(&format!("/api/matches{query}")).await;
        paged.extend(page.as_array().unwrap().iter().cloned());
        query = format!("?limit=7&before={}", paged.last().unwrap()["id"].as_str().unwrap());
    }
    assert_eq!(paged, list);
}
