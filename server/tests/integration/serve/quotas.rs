//! Recording quotas, and matches whose recordings end early.

use grandstand::Config;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::support::TestServer;

const KIB: u64 = 1024;
const RESULT: &str = "#gs result {\"winner\":\"black\",\"termination\":\"score\"}\n";

fn server(change: impl FnOnce(&mut Config)) -> TestServer {
    TestServer::with(|config| {
        config.history.compress = false;
        config.history.data_free = 0;
        change(config);
    })
}

/// A match with `lines` lines, most of them drawn at once: each is about twenty bytes in the file.
async fn drawn(server: &TestServer, lines: u64) -> (TcpStream, String) {
    let mut game = server.draw(&"turns 1\n".repeat(100)).await;
    let id = server.newest(100).await;
    // Written to the file before the rest is sent.
    server.get(&format!("/api/matches/{id}/replay")).await;
    game.write_all("turns 2\n".repeat(lines as usize - 100).as_bytes()).await.unwrap();
    server.newest(lines).await;
    // The rest is written too.
    server.get(&format!("/api/matches/{id}/replay")).await;
    (game, id)
}

fn replay(server: &TestServer, id: &str) -> String {
    std::fs::read_to_string(server.data.path().join(format!("{id}.replay"))).unwrap()
}

#[tokio::test]
async fn a_too_long_recording_ends_and_its_match_goes_on() {
    let server = server(|config| config.history.recording = 64 * KIB);
    let (mut game, id) = drawn(&server, 20_000).await;
    let mut watcher = server.watch(&id, "").await;
    assert_eq!(watcher.next().await["type"], "hello");
    assert_eq!(watcher.next().await["seq"], 20_000);
    game.write_all(b"turns 3\n").await.unwrap();
    assert_eq!(watcher.commands(20_000, 20_001).await, [json!({"cmd": "turns", "value": 3})]);
    let cut = "grandstand_recordings_cut_total{reason=\"recording-mib\"}";
    assert_eq!(server.metric(cut).await, 1.0);
    let text = replay(&server, &id);
    let word: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    let recorded = word[2]["seq"].as_u64().unwrap();
    assert!((100..20_000).contains(&recorded), "{recorded}");
    assert_eq!(word[1], "e");
    assert_eq!(word[2], json!({"state": "interrupted", "seq": recorded, "cut": "recording-mib"}));

    game.write_all(RESULT.as_bytes()).await.unwrap();
    watcher.rest().await;
    // The whole match stays in memory for a while.
    let list = server.matches(|list| list[0]["state"] == "finished").await;
    assert_eq!(list[0]["seq"], 20_001);
    let data = server.stop().await;
    let server = TestServer::on(data, |config| config.history.compress = false);
    let list = server.matches(|list| list.len() == 1).await;
    assert_eq!((&list[0]["state"], &list[0]["seq"]), (&json!("finished"), &json!(recorded)));
    assert_eq!(list[0]["result"]["winner"], "black");
    let text = replay(&server, &id);
    let lines: Vec<&str> = text.lines().collect();
    assert!((text.len() as u64) < 65 * KIB);
    assert_eq!(lines.iter().filter(|line| line.contains("\"c\"")).count() as u64, recorded);
    assert!(
        lines[lines.len() - 2].contains("\"r\"")
            && lines[lines.len() - 1].contains("\"cut\":\"recording-mib\"")
    );
    let (messages, _) = server.watch(&id, "?since=0").await.rest().await;
    assert_eq!(messages.last().unwrap()["seq"], recorded);
}

#[tokio::test]
async fn feeds_that_flood_fill_no_more_than_is_allowed() {
    let server = server(|config| config.history.data = 256 * KIB);
    let (_first, _) = drawn(&server, 20_000).await;
    let (_second, _) = drawn(&server, 20_000).await;
    // A third match is shown as usual.
    let (_third, id) = drawn(&server, 200).await;
    let (_, _, said) = server.get(&format!("/api/matches/{id}/replay")).await;
    assert!(said.contains("this match has no recording"), "{said}");
    assert_eq!(server.json(&format!("/api/matches/{id}/commands?from=150")).await[0]["seq"], 150);
    assert_eq!(server.metric("grandstand_recording").await, 0.0);
    let files = std::fs::read_dir(server.data.path()).unwrap();
    let sizes: Vec<u64> = files.map(|file| file.unwrap().metadata().unwrap().len()).collect();
    assert!(sizes.iter().sum::<u64>() <= 256 * KIB, "{sizes:?}");
}

#[tokio::test]
async fn an_address_that_has_recorded_an_hours_worth_waits_for_more() {
    let server = server(|config| config.history.recording_hourly = 64 * KIB);
    let (_first, id) = drawn(&server, 20_000).await;
    assert!(replay(&server, &id).ends_with("\"cut\":\"recording-hourly-mib\"}]\n"));
    let cut = "grandstand_recordings_cut_total{reason=\"recording-hourly-mib\"}";
    assert_eq!(server.metric(cut).await, 1.0);
    // The remaining quota is for other addresses.
    assert_eq!(server.metric("grandstand_recording ").await, 1.0);
}
