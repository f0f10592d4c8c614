//! Matches of an origin, for spectators and players of a relay.

use serde_json::json;
use tokio::io::AsyncWriteExt as _;

use super::support::{Nats, listed, metric, text, texts};
use crate::serve::seats::Game;

const OPENING: &str = "#gs match {\"title\":\"Final\",\"teams\":[{\"name\":\"Left\",\"color\":\"black\"}],\"rules\":{\"turns\":9}}\n";
const RESULT: &str = "#gs result {\"winner\":\"black\",\"termination\":\"score\",\"moves\":1.5}\n";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server"]
async fn a_spectator_at_a_relay_sees_what_one_at_the_origin_sees() {
    let nats = Nats::start();
    let (origin, relay) = (nats.origin("red").await, nats.relay().await);
    let mut game = origin.draw(&format!("{OPENING}set B~2 w4\nwhat is this\n")).await;
    let id = origin.newest(2).await;
    let list = relay.matches(|list| list.first().is_some_and(|entry| entry["title"] == "Final")).await;
    let entry = &list[0];
    assert_eq!(entry["state"], "live");
    assert_eq!(entry["origin"], json!({ "name": "red", "state": "here" }));

    // One from the beginning, and one that joins with the scene, at each of the two.
    let mut watchers = Vec::new();
    for query in ["?since=0", ""] {
        for server in [&origin, &relay] {
            let mut watcher = server.watch(&id, query).await;
            let hello: serde_json::Value = serde_json::from_str(&text(&mut watcher).await.unwrap()).unwrap();
            assert_eq!(hello["match"]["rules"], json!({ "turns": 9 }));
            watchers.push(watcher);
        }
    }
    for turn in 1..=300 {
        let lines = "bsay a line of talk\n".repeat(turn % 7 + 1);
        game.write_all(format!("turns {turn}\n{lines}").as_bytes()).await.unwrap();
        if turn % 50 == 0 {
            tokio::time::sleep(std::time::Duration::from_millis(30)).await;
        }
    }
    game.write_all(RESULT.as_bytes()).await.unwrap();
    let mut seen = Vec::new();
    for watcher in &mut watchers {
        seen.push(texts(watcher).await);
    }
    assert!(seen[0].len() > 5 && seen[0].last().unwrap().contains("\"moves\":1.5"), "{:?}", seen[0].last());
    assert!(seen[0] == seen[1], "from the beginning");
    assert!(seen[2] == seen[3], "from the scene");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server"]
async fn who_joins_at_a_relay_while_nothing_is_drawn_is_told_the_present_time() {
    let nats = Nats::start();
    let (origin, relay) = (nats.origin("red").await, nats.relay().await);
    let _game = origin.draw("turns 1\n").await;
    let id = origin.newest(1).await;
    listed(&relay, &id).await;
    tokio::time::sleep(std::time::Duration::from_millis(600)).await;
    let mut watcher = relay.watch(&id, "").await;
    let now = watcher.next().await["match"]["now"].as_f64().unwrap();
    let drawn = watcher.next().await["t"].as_f64().unwrap();
    assert!(now >= drawn + 0.5, "{now} {drawn}");
    // The origin's list of matches, which is published, tells nobody an old time.
    assert_eq!(relay.json("/api/matches").await[0]["now"], serde_json::Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server"]
async fn a_relay_follows_a_match_only_while_somebody_watches_it() {
    let nats = Nats::start();
    let origin = nats.origin("red").await;
    let relay = nats.relay_with(|config| config.nats_limits.linger = std::time::Duration::from_secs(1)).await;
    let mut game = origin.draw("turns 1\n").await;
    let id = origin.newest(1).await;
    listed(&relay, &id).await;
    game.write_all(b"turns 2\n").await.unwrap();
    origin.newest(2).await;
    assert_eq!(relay.metric("grandstand_nats_followed").await, 0.0);
    assert_eq!(relay.metric("grandstand_nats_frames_total").await, 0.0);

    let mut watcher = relay.watch(&id, "").await;
    watcher.next().await;
    let scene = watcher.next().await;
    game.write_all(b"turns 3\n").await.unwrap();
    watcher.commands(scene["seq"].as_u64().unwrap(), 3).await;
    assert_eq!(relay.metric("grandstand_nats_followed").await, 1.0);
    drop(watcher);
    metric(&relay, "grandstand_nats_followed", |followed| followed == 0.0).await;
    let read = relay.metric("grandstand_nats_frames_total").await;
    game.write_all(b"turns 4\nturns 5\n").await.unwrap();
    origin.newest(5).await;
    relay.matches(|list| list[0]["seq"] == 5).await;
    assert_eq!(relay.metric("grandstand_nats_frames_total").await, read);
    // Who comes again goes on with the number that it had.
    let mut watcher = relay.watch(&id, "?since=3").await;
    watcher.next().await;
    let commands = watcher.commands(3, 5).await;
    assert_eq!(commands.iter().map(|c| c["value"].as_u64().unwrap()).collect::<Vec<_>>(), [4, 5]);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server"]
async fn ranges_and_the_replay_of_a_live_match_come_from_its_origin() {
    let nats = Nats::start();
    // So little is kept in memory that most of it has to be read from the recording.
    let origin = nats.origin_with("red", |config| config.history.memory_bytes = 4096).await;
    let relay = nats.relay().await;
    let mut lines = OPENING.to_owned();
    (1..=3_000).for_each(|turn| lines.push_str(&format!("turns {turn}\n")));
    let _game = origin.draw(&lines).await;
    let id = origin.newest(3_000).await;
    listed(&relay, &id).await;
    relay.matches(|list| list[0]["seq"] == 3_000).await;
    for query in ["from=7&to=9", "from=1", "from=2500&to=2600&scene=1", "from=3000", "from=3001&to=3005"] {
        let path = format!("/api/matches/{id}/commands?{query}");
        let (here, there) = (relay.json(&path).await, origin.json(&path).await);
        assert_eq!(flat(&here), flat(&there), "{query}");
    }
    let replay = format!("/api/matches/{id}/replay");
    assert_eq!(relay.get(&replay).await.2, origin.get(&replay).await.2);
    let mut watcher = relay.watch(&id, "?since=10").await;
    watcher.next().await;
    assert_eq!(watcher.commands(10, 3_000).await.len(), 2_990);
    let (status, _, body) = relay.get(&format!("/api/matches/{id}/commands?from=9000&scene=1")).await;
    assert_eq!((status, body.contains("beyond the last command")), (400, true), "{body}");
}

/// Commands of an answer with the number of the first, however they are cut into messages; then its scenes.
fn flat(answer: &serde_json::Value) -> (Vec<serde_json::Value>, Option<u64>) {
    let messages = answer.as_array().unwrap();
    let is_commands = |message: &&serde_json::Value| message["type"] == "commands";
    let first = messages.iter().find(is_commands).and_then(|message| message["seq"].as_u64());
    let commands =
        messages.iter().filter(is_commands).flat_map(|m| m["commands"].as_array().unwrap().clone());
    let scenes = messages.iter().filter(|message| message["type"] == "scene").cloned();
    (commands.chain(scenes).collect(), first)
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server"]
async fn a_match_that_is_over_is_shown_by_the_relay_as_by_its_origin() {
    let nats = Nats::start();
    let origin = nats.origin("red").await;
    let program = "{\"team\":\"black\",\"file\":\"a.cl\",\"sha256\":\"00\",\"source\":\"secret\"}";
    let header = format!("#gs match {{\"title\":\"Old\",\"programs\":[{program}]}}\n");
    let mut game = origin.draw(&format!("{header}turns 1\nturns 2\n")).await;
    let id = origin.newest(2).await;
    game.write_all(RESULT.as_bytes()).await.unwrap();
    // A relay that starts afterwards.
    let relay = nats.relay().await;
    relay.matches(|list| list.first().is_some_and(|entry| entry["state"] == "finished")).await;
    let replay = format!("/api/matches/{id}/replay");
    let text = relay.get(&replay).await.2;
    assert_eq!(text, origin.get(&replay).await.2);
    assert!(text.contains("\"turns 2\"") && !text.contains("secret"), "{text}");
    for query in ["", "?since=1"] {
        let (mut here, mut there) = (relay.watch(&id, query).await, origin.watch(&id, query).await);
        assert_eq!(here.rest().await.0, there.rest().await.0, "{query}");
    }
    let (status, _, _) = relay.get("/api/matches/01AAAAAAAAAAAAAAAAAAAAAAAA").await;
    assert_eq!(status, 404);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server"]
async fn a_seat_is_taken_and_played_through_a_relay() {
    let nats = Nats::start();
    let (origin, relay) = (nats.origin("red").await, nats.relay().await);
    let (game, id) = Game::open(&origin).await;
    let has_seats = |entry: &serde_json::Value| entry["seats"][0]["team"] == "black" && entry["seq"] == 1;
    relay.matches(|list| list.first().is_some_and(has_seats)).await;
    let mut watcher = relay.watch(&id, "").await;
    watcher.next().await;
    let playing = tokio::spawn(game.play());
    let post = |what: &str, body: serde_json::Value| {
        let body = body.to_string();
        format!(
            "POST /api/matches/{id}/{what} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            relay.http,
            body.len()
        )
    };
    let mut tokens = Vec::new();
    for team in ["black", "white"] {
        let (status, _, body) = relay.request(&post("seats", json!({ "team": team }))).await;
        assert_eq!(status, 200, "{body}");
        let grant: serde_json::Value = serde_json::from_str(&body).unwrap();
        tokens.push(grant["token"].as_str().unwrap().to_owned());
    }
    let (status, _, body) = relay.request(&post("seats", json!({ "team": "black" }))).await;
    assert_eq!((status, body.contains("the seat of black is taken")), (409, true), "{body}");
    let (status, _, body) =
        relay.request(&post("moves", json!({ "token": "x", "ply": 0, "move": "0" }))).await;
    assert_eq!((status, body.contains("this token has no seat")), (403, true), "{body}");
    for ply in 0..3_usize {
        let body = json!({ "token": tokens[ply % 2], "ply": ply, "move": ply.to_string() });
        let (status, _, body) = relay.request(&post("moves", body)).await;
        assert_eq!((status, &*body), (200, "{\"ok\":true}"));
    }
    playing.await.unwrap();
    let (messages, _) = watcher.rest().await;
    assert!(messages.iter().any(|m| m["type"] == "seats" && m["seats"][0]["taken"] == true));
    assert_eq!(messages.last().unwrap()["type"], "end");
    let (status, _, _) = relay.request(&post("moves", json!({ "token": "x", "ply": 0, "move": "0" }))).await;
    assert_eq!(status, 410);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server"]
async fn matches_of_two_origins_are_listed_with_their_places() {
    let nats = Nats::start();
    let (red, blue, relay) = (nats.origin("red").await, nats.origin("blue").await, nats.relay().await);
    let _games = (red.draw("turns 1\n").await, blue.draw("turns 1\nturns 2\n").await);
    let ids = [red.newest(1).await, blue.newest(2).await];
    for (id, name) in ids.iter().zip(["red", "blue"]) {
        assert_eq!(listed(&relay, id).await["origin"]["name"], name);
        let mut watcher = relay.watch(id, "").await;
        assert_eq!(watcher.next().await["match"]["id"], **id);
    }
    drop(red.stop().await);
    relay.matches(|list| list.iter().any(|m| m["id"] == *ids[0] && m["state"] == "interrupted")).await;
    relay.matches(|list| list.iter().any(|m| m["id"] == *ids[1] && m["state"] == "live")).await;
}
