//! NATS that is stopped, killed or wiped, and relays that go: no match waits, no recording has a hole, and spectators go
//! on without a gap or are sent a scene.

use std::path::Path;
use std::time::Duration;

use grandstand_testing::{Random, Serve};
use rustix::process::Signal;
use serde_json::Value;
use tokio::io::AsyncWriteExt as _;

use super::support::{Nats, RelayProcess, listed, metric};
use crate::serve::support::{TestServer, Watcher};

/// Reads commands up to number `last`. A scene stands for what came before it; everything else follows without a gap.
/// Returns the numbers of the scenes.
async fn follow(watcher: &mut Watcher, mut seq: u64, last: u64) -> Vec<u64> {
    let mut scenes = Vec::new();
    while seq < last {
        let message = watcher.next().await;
        let number = message["seq"].as_u64().unwrap_or(0);
        match message["type"].as_str().unwrap() {
            "scene" => {
                assert!(number >= seq, "a scene of {number} after {seq}");
                assert_eq!(message["scene"]["turns"], number, "the scene has what the commands drew");
                scenes.push(number);
                seq = number;
            }
            "commands" => {
                assert!(number <= seq + 1, "a gap: {number} after {seq}");
                let commands = message["commands"].as_array().unwrap();
                assert!(number + commands.len() as u64 > seq + 1, "a repeat: {number} after {seq}");
                let values = commands.iter().map(|command| command["value"].as_u64().unwrap());
                assert!(values.zip(number..).all(|(value, number)| value == number), "{message:.300}");
                seq = number + commands.len() as u64 - 1;
            }
            other => panic!("{other}"),
        }
    }
    scenes
}

async fn draw(game: &mut tokio::net::TcpStream, turns: std::ops::RangeInclusive<u64>) {
    for turn in turns {
        game.write_all(format!("turns {turn}\n").as_bytes()).await.unwrap();
        if turn % 20 == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

/// The server that plays a match is asked for what a relay has not, and is further than the relay.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server"]
async fn nothing_comes_twice_where_older_commands_meet_live_ones() {
    const TURNS: u64 = 8_000;
    let nats = Nats::start();
    let origin = nats.origin("red").await;
    let relay = nats.relay_with(|config| config.nats_limits.linger = Duration::from_millis(200)).await;
    let mut game = origin.draw("turns 1\n").await;
    let id = origin.newest(1).await;
    listed(&relay, &id).await;
    let drawing = tokio::spawn(async move {
        draw(&mut game, 2..=TURNS).await;
        game
    });
    let mut seen = 0;
    while !drawing.is_finished() {
        metric(&relay, "grandstand_nats_followed", |followed| followed == 0.0).await;
        let drawn = origin.matches(|list| list.len() == 1).await[0]["seq"].as_u64().unwrap();
        let since = drawn - drawn.min(50);
        let mut watcher = relay.watch(&id, &format!("?since={since}")).await;
        watcher.next().await;
        assert!(follow(&mut watcher, since, TURNS.min(drawn + 1000)).await.is_empty());
        seen += 1;
    }
    assert!(seen > 1, "{seen} came while it was drawn");
    drawing.await.unwrap();
}

/// The recording has every command.
async fn assert_recorded(origin: &TestServer, id: &str, turns: u64) {
    let (_, _, replay) = origin.get(&format!("/api/matches/{id}/replay")).await;
    let lines: Vec<Value> = replay
        .lines()
        .skip(1)
        .filter_map(|line| serde_json::from_str(line).ok())
        .filter(|line: &Value| line[1] == "c")
        .collect();
    assert!(
        lines
            .iter()
            .map(|line| line[2].as_str().unwrap().to_owned())
            .eq((1..=turns).map(|t| format!("turns {t}")))
    );
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server"]
async fn a_spectator_goes_on_at_another_relay_with_the_number_that_it_had() {
    let nats = Nats::start();
    let origin = nats.origin("red").await;
    let (first, second) = (RelayProcess::start(&nats), nats.relay().await);
    let mut game = origin.draw("turns 1\n").await;
    let id = origin.newest(1).await;
    listed(&second, &id).await;
    let mut watcher = first.watch(&id, "?since=0").await;
    watcher.next().await;
    draw(&mut game, 2..=200).await;
    assert!(follow(&mut watcher, 0, 200).await.is_empty());
    first.kill();
    draw(&mut game, 201..=300).await;
    // The second relay may know less than the spectator has seen: that is waited for.
    let mut watcher = second.watch(&id, "?since=200").await;
    watcher.next().await;
    draw(&mut game, 301..=400).await;
    assert!(follow(&mut watcher, 200, 400).await.is_empty());
    // And back at the origin.
    let mut watcher = origin.watch(&id, "?since=350").await;
    watcher.next().await;
    assert!(follow(&mut watcher, 350, 400).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server"]
async fn a_match_goes_on_while_nats_is_suspended() {
    let nats = Nats::start();
    // So little is kept in memory that the frames of a few seconds are dropped.
    let origin = nats.origin_with("red", |config| config.history.memory_bytes = 16 * 1024).await;
    let relay = nats.relay().await;
    let mut game = origin.draw("turns 1\n").await;
    let id = origin.newest(1).await;
    listed(&relay, &id).await;
    let mut here = relay.watch(&id, "?since=0").await;
    let mut there = origin.watch(&id, "?since=0").await;
    here.next().await;
    there.next().await;
    draw(&mut game, 2..=100).await;
    assert!(follow(&mut here, 0, 100).await.is_empty());
    nats.send(Signal::STOP);
    draw(&mut game, 101..=3_000).await;
    assert!(follow(&mut there, 0, 3_000).await.is_empty());
    assert_recorded(&origin, &id, 3_000).await;
    // Long enough that what was sent is given up.
    tokio::time::sleep(Duration::from_secs(9)).await;
    nats.send(Signal::CONT);
    draw(&mut game, 3_001..=3_100).await;
    let scenes = follow(&mut here, 100, 3_100).await;
    assert!(!scenes.is_empty(), "what was missed is told");
    game.write_all(b"#gs result {\"winner\":null,\"termination\":\"score\"}\n").await.unwrap();
    assert_eq!(here.next().await["type"], "end");
    assert_recorded(&origin, &id, 3_100).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server"]
async fn what_nats_has_lost_is_made_again() {
    let mut nats = Nats::start();
    let origin = nats.origin("red").await;
    let relay = nats.relay().await;
    let mut over = origin.draw("turns 1\n").await;
    let old = origin.newest(1).await;
    over.write_all(b"#gs result {\"winner\":null,\"termination\":\"score\"}\n").await.unwrap();
    let mut game = origin.draw("turns 1\nturns 2\n").await;
    let id = origin.newest(2).await;
    listed(&relay, &id).await;
    let mut watcher = relay.watch(&id, "?since=0").await;
    watcher.next().await;
    draw(&mut game, 3..=50).await;
    assert!(follow(&mut watcher, 0, 50).await.is_empty());
    nats.wipe();
    draw(&mut game, 51..=100).await;
    nats.launch();
    metric(&origin, "grandstand_nats_connected", |connected| connected == 1.0).await;
    draw(&mut game, 101..=200).await;
    follow(&mut watcher, 50, 200).await;
    // A relay that starts now finds everything.
    let later = nats.relay().await;
    for id in [&old, &id] {
        listed(&later, id).await;
    }
    let mut watcher = later.watch(&id, "?since=10").await;
    watcher.next().await;
    assert!(follow(&mut watcher, 10, 200).await.is_empty());
    assert_recorded(&origin, &id, 200).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server"]
async fn a_match_whose_origin_is_gone_is_said_to_be_lost() {
    let nats = Nats::start();
    let relay = nats.relay().await;
    let id = {
        let data = grandstand_testing::Folder::new();
        let origin = origin_process(&nats, data.path(), &[]);
        let _game = origin.draw("turns 1\n");
        let list = relay.matches(|list| !list.is_empty()).await;
        assert_eq!(list[0]["origin"]["state"], "here");
        origin.stop(Signal::KILL);
        list[0]["id"].as_str().unwrap().to_owned()
    };
    relay.matches(|list| list[0]["origin"]["state"] == "lost").await;
    let (status, _, body) = relay.get(&format!("/api/matches/{id}/commands")).await;
    assert_eq!(
        (status, body.contains("the server `red`, where the match is played, is not there")),
        (500, true),
        "{body}"
    );
    // The relay reads the bucket again and again, which still has its last lease.
    for _ in 0..30 {
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert_eq!(relay.json("/api/matches").await[0]["origin"]["state"], "lost");
    }
}

/// An origin in a process of its own, so that it can be killed.
pub(super) fn origin_process(nats: &Nats, data: &Path, settings: &[&str]) -> Serve {
    let mut command = crate::program::grandstand();
    command.args(["serve", "--legacy", "127.0.0.1:0", "--http", "127.0.0.1:0", "--nats-name", "red"]);
    command.args(settings).args(["--nats", &nats.url()]);
    Serve::launch(command.arg("--data").arg(data))
}

/// Draws so many turns and a result; returns the id of the match.
fn play(origin: &Serve, header: &str, turns: u64) -> String {
    let turns: String = (1..=turns).map(|turn| format!("turns {turn}\n")).collect();
    let result = "#gs result {\"winner\":null,\"termination\":\"score\"}\n";
    drop(origin.draw(&format!("{header}{turns}{result}")));
    let list = origin.matches(|list| list.first().is_some_and(|entry| entry["state"] == "finished"));
    list[0]["id"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server"]
async fn a_match_that_is_over_is_shown_while_its_origin_is_gone() {
    const PUBLISHED: &str = "grandstand_nats_recordings_total";
    let mut nats = Nats::start();
    let data = grandstand_testing::Folder::new();
    let origin = origin_process(&nats, data.path(), &[]);
    let program = "{\"team\":\"black\",\"file\":\"a.cl\",\"sha256\":\"00\",\"source\":\"secret\"}";
    let id = play(&origin, &format!("#gs match {{\"title\":\"Old\",\"programs\":[{program}]}}\n"), 700);
    origin.metric(PUBLISHED, |count| count == 1.0);
    // What is lost is published again.
    nats.wipe();
    nats.launch();
    origin.metric(PUBLISHED, |count| count == 2.0);
    let paths = ["replay", "commands", "commands?from=600&to=640&scene=1", "commands?from=2&scene=1"]
        .map(|path| format!("/api/matches/{id}/{path}"));
    let expected: Vec<_> = paths.iter().map(|path| origin.get(path)).collect();
    origin.stop(Signal::KILL);

    let relay = nats.relay().await;
    relay.matches(|list| list.first().is_some_and(|entry| entry["origin"]["state"] == "lost")).await;
    for (path, expected) in paths.iter().zip(&expected) {
        let (status, _, body) = relay.get(path).await;
        assert_eq!((status, &body), (200, expected), "{path}");
        assert!(!body.contains("secret"), "{path}");
    }
    let mut watcher = relay.watch(&id, "?since=650").await;
    watcher.next().await;
    assert_eq!(watcher.commands(650, 700).await.len(), 50);
    metric(&relay, "grandstand_nats_fetched_total", |count| count == 1.0).await;

    // An origin that starts again publishes only what is not there, and removes what it shows no longer.
    let origin = origin_process(&nats, data.path(), &["--limit", "nats-recordings=1"]);
    let newer = play(&origin, "", 3);
    origin.metric(PUBLISHED, |count| count == 1.0);
    relay.matches(|list| list.iter().all(|entry| entry["id"] == newer.as_str())).await;
    let client = async_nats::connect(nats.url()).await.unwrap();
    let store = async_nats::jetstream::new(client).get_object_store("gs_recordings").await.unwrap();
    let removed = async {
        while !store.info(format!("1/{id}.replay.zst")).await.is_ok_and(|info| info.deleted) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(grandstand_testing::PATIENCE, removed).await.expect("the older one is removed");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server"]
async fn servers_that_start_before_nats_find_it_later() {
    let mut nats = Nats::start();
    nats.wipe();
    let (origin, relay) = (nats.origin("red").await, nats.relay().await);
    let (status, _, body) = relay.get("/readyz").await;
    assert_eq!((status, body.contains("NATS can't be reached")), (503, true), "{body}");
    assert_eq!(origin.get("/readyz").await.0, 200);
    let mut game = origin.draw("turns 1\n").await;
    let id = origin.newest(1).await;
    nats.launch();
    listed(&relay, &id).await;
    assert_eq!(relay.get("/readyz").await.0, 200);
    let mut watcher = relay.watch(&id, "?since=0").await;
    watcher.next().await;
    draw(&mut game, 2..=20).await;
    assert!(follow(&mut watcher, 0, 20).await.is_empty());
}

/// More frames are in flight than the client library allows by default, all of them of matches that wait for room.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server"]
async fn matches_that_wait_for_nats_do_not_wait_for_each_other() {
    let nats = Nats::start();
    let origin = nats.origin("red").await;
    let relay = nats.relay().await;
    let mut games = Vec::new();
    for _ in 0..40 {
        games.push(origin.draw("turns 1\n").await);
    }
    origin.matches(|list| list.len() == games.len()).await;
    let id = origin.newest(1).await;
    listed(&relay, &id).await;
    nats.send(Signal::STOP);
    for turn in 2..=200 {
        for game in &mut games {
            game.write_all(format!("turns {turn}\n").as_bytes()).await.unwrap();
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    nats.send(Signal::CONT);
    let mut here = relay.watch(&id, "?since=200").await;
    here.next().await;
    for game in &mut games {
        draw(game, 201..=210).await;
    }
    follow(&mut here, 200, 210).await;
}

/// Draws so many kilobytes of talk that does not compress to less than three quarters; returns the id of the match.
fn talk(origin: &Serve, random: &mut Random, kilobytes: usize) -> String {
    let mut text = String::new();
    for turn in 1..=kilobytes {
        let letters = (0..1000).map(|_| char::from(b'0' + random.below(75) as u8));
        text.extend("bsay ".chars().chain(letters).chain(['\n']));
        text.push_str(&format!("turns {turn}\n"));
    }
    text.push_str("#gs result {\"winner\":null,\"termination\":\"score\"}\n");
    let before = origin.matches(|_| true).len();
    drop(origin.draw(&text));
    let is_whole = |entry: &Value| entry["state"] == "finished" && entry["seq"] == 2 * kilobytes;
    let list = origin.matches(|list| list.len() > before && is_whole(&list[0]));
    list[0]["id"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server"]
async fn older_recordings_make_room_for_a_newer_one_and_for_nothing_that_has_none() {
    const PUBLISHED: &str = "grandstand_nats_recordings_total";
    let nats = Nats::start();
    let data = grandstand_testing::Folder::new();
    let settings = ["--limit", "nats-recordings-mib=1"];
    let mut random = Random(7);
    let origin = origin_process(&nats, data.path(), &settings);
    let old: Vec<String> = (1..=3)
        .map(|count| {
            let id = talk(&origin, &mut random, 400);
            origin.metric(PUBLISHED, |published| published == f64::from(count));
            id
        })
        .collect();
    origin.stop(Signal::KILL);
    // A process that has put nothing there yet knows what it may delete.
    let origin = origin_process(&nats, data.path(), &settings);
    let new = talk(&origin, &mut random, 400);
    origin.metric(PUBLISHED, |published| published == 1.0);
    let large = talk(&origin, &mut random, 3_000);
    let last = talk(&origin, &mut random, 1);
    origin.metric(PUBLISHED, |published| published == 2.0);

    let client = async_nats::connect(nats.url()).await.unwrap();
    let store = async_nats::jetstream::new(client).get_object_store("gs_recordings").await.unwrap();
    let mut there = Vec::new();
    for id in old.iter().chain([&new, &large, &last]) {
        let info = store.info(format!("1/{id}.replay.zst")).await;
        there.push(info.is_ok_and(|info| !info.deleted));
    }
    assert_eq!(there, [false, true, true, true, false, true]);
}
