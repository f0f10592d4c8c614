//! Large snapshots: shared between spectators, without effects on others, and within the memory budget.

use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::support::{TestServer, take_commands};

/// The lines of a board of size 999 with `rows` full rows of stones.
fn board(rows: u32) -> String {
    let column = |mut x: u32| {
        let mut name = String::new();
        loop {
            name.insert(0, char::from(b'a' + (x % 26) as u8));
            match (x / 26).checked_sub(1) {
                Some(rest) => x = rest,
                None => return name,
            }
        }
    };
    let columns: Vec<String> = (0..999).map(column).collect();
    let mut lines = String::from("#gs game gomoku\nboard 999\n");
    for row in 1..=rows {
        for name in &columns {
            lines.push_str(&format!("set {name}{row} b\n"));
        }
    }
    lines
}

/// A live match with `rows` full rows, its id, and its number of commands.
async fn large(server: &TestServer, rows: u32) -> (TcpStream, String, u64) {
    let game = server.draw(&board(rows)).await;
    let seq = u64::from(rows * 999 + 1);
    let id = server.newest(seq).await;
    (game, id, seq)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn joiners_of_a_large_board_share_its_picture() {
    let server = TestServer::with(|config| config.spectators.send_buffer_bytes = 16 * 1024);
    let (mut game, id, seq) = large(&server, 60).await;
    // All at once, and none of them reads.
    let idle = futures_util::future::join_all((0..30).map(|_| server.watch(&id, ""))).await;
    let held = server.metric("grandstand_memory_bytes{use=\"pictures\"}").await;
    let mut watcher = server.watch(&id, "").await;
    assert_eq!(watcher.next().await["match"]["seq"], seq);
    let scene = watcher.next().await;
    assert_eq!((&scene["type"], &scene["seq"]), (&json!("scene"), &json!(seq)));
    let stones = scene["scene"]["stones"]["black"].as_object().unwrap();
    assert_eq!((stones.len() as u64, stones.contains_key("alk60")), (seq - 1, true));
    let size = scene.to_string().len() as f64;
    assert!((size * 0.9..size * 1.5).contains(&held), "{held} bytes for one picture of {size}");
    // A spectator that joins after a few more commands may get the same snapshot, and the commands since: without a
    // gap.
    game.write_all(b"set a999 w\nset b999 w\nset c999 w\n").await.unwrap();
    server.newest(seq + 3).await;
    let mut late = server.watch(&id, "").await;
    late.next().await;
    let scene = late.next().await;
    let mut next = scene["seq"].as_u64().unwrap() + 1;
    assert!(next > seq);
    while next <= seq + 3 {
        next = take_commands(&late.next().await, next, &mut Vec::new());
    }
    assert_eq!(watcher.commands(seq, seq + 3).await.len(), 3);
    drop(idle);
}

#[tokio::test]
async fn long_rules_without_room_are_left_out_of_the_greeting() {
    for (memory, told) in [(256 << 20, true), (800_000, false)] {
        let server = TestServer::with(|config| config.readers.memory_bytes = memory);
        let rules = json!({"words": "r".repeat(500_000)});
        let header = json!({"title": "Ruled", "teams": [], "rules": rules});
        let mut game = server.draw(&format!("#gs match {header}\nturns 1\n")).await;
        let id = server.newest(1).await;
        let check = async || {
            for query in ["", "?since=0"] {
                let hello = server.watch(&id, query).await.next().await;
                assert_eq!(hello["match"]["title"], "Ruled");
                assert_eq!(hello["match"].get("rules"), told.then_some(&rules), "{query}");
            }
        };
        check().await;
        game.shutdown().await.unwrap();
        server.matches(|list| list[0]["state"] == "finished").await;
        check().await;
    }
}

#[tokio::test]
async fn a_picture_without_room_is_refused_and_others_are_not() {
    let server = TestServer::with(|config| config.readers.memory_bytes = 800_000);
    let (_game, id, seq) = large(&server, 30).await;
    assert_eq!(server.try_watch(&id, "", None).await.err(), Some(503));
    let range = format!("/api/matches/{id}/commands?scene=1&from={seq}");
    let (status, head, _) = server.get(&range).await;
    assert_eq!((status, head.contains("retry-after: ")), (503, true), "{head}");
    // Spectators that need no snapshot, or a small one, are served.
    let mut watcher = server.watch(&id, &format!("?since={}", seq - 10)).await;
    watcher.next().await;
    assert_eq!(watcher.commands(seq - 10, seq).await.len(), 10);
    let _small = server.draw("turns 1\n").await;
    let small = server.newest(1).await;
    let mut watcher = server.watch(&small, "").await;
    watcher.next().await;
    assert_eq!(watcher.next().await["scene"]["turns"], 1);
    assert_eq!(server.metric("grandstand_memory_bytes{use=\"places\"}").await, 0.0);
}
