//! The wire contract: hello, scene, commands, end, `since`, HTTP.

use grandstand::CloseReason;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

use grandstand_testing::{Folder, PATIENCE};

use super::support::{TestServer, take_commands};

const OPENING: &str = "bsay hello\nset B~2 w4\r\n\n  \nwscore 3\nturns 12\njump up\n";

fn opening() -> Vec<Value> {
    vec![
        json!({"cmd": "say", "team": "black", "text": "hello"}),
        json!({"cmd": "set", "hex": "B-2", "piece": {"team": "white", "facing": "left"}}),
        json!({"cmd": "score", "team": "white", "value": 3}),
        json!({"cmd": "turns", "value": 12}),
        json!({"cmd": "unknown", "line": "jump up", "problem": {
            "column": 1, "expected": "a command: bsay, wsay, bscore, wscore, turns or set", "found": "jump"
        }}),
    ]
}

#[tokio::test]
async fn a_late_joiner_gets_the_picture_and_then_what_follows() {
    let server = TestServer::start();
    let mut game = server.draw(OPENING).await;
    let id = server.newest(5).await;
    let mut watcher = server.watch(&id, "").await;

    let hello = watcher.next().await;
    assert_eq!(hello["type"], "hello");
    assert_eq!(hello["protocol"], 1);
    let summary = &hello["match"];
    assert_eq!(summary["id"], *id);
    assert_eq!(
        (&summary["game"], &summary["state"], &summary["seq"]),
        (&json!("abalone"), &json!("live"), &json!(5))
    );
    assert_eq!(summary["result"], Value::Null);
    assert_eq!(summary["spectators"], 1);
    assert!(summary["started"].as_str().unwrap().ends_with('Z'));

    let scene = watcher.next().await;
    assert_eq!((&scene["type"], &scene["seq"]), (&json!("scene"), &json!(5)));
    assert!(scene["t"].is_number());
    assert_eq!(scene["scene"]["hexes"], json!({"B-2": {"team": "white", "facing": "left"}}));
    assert_eq!(scene["scene"]["turns"], 12);
    assert_eq!(scene["scene"]["talk"].as_array().unwrap().len(), 1);

    game.write_all(b"turns 13\nturns 14\n").await.unwrap();
    let more = watcher.commands(5, 7).await;
    assert_eq!(more, [json!({"cmd": "turns", "value": 13}), json!({"cmd": "turns", "value": 14})]);

    game.write_all(b"#gs result {\"winner\":\"black\",\"termination\":\"score\"}\n").await.unwrap();
    let (rest, close) = watcher.rest().await;
    assert_eq!(rest.len(), 1);
    assert_eq!((&rest[0]["type"], &rest[0]["seq"]), (&json!("end"), &json!(7)));
    assert_eq!(rest[0]["result"], json!({"winner": "black", "termination": "score"}));
    assert_eq!(u16::from(close.unwrap().code), 1000);
}

#[tokio::test]
async fn who_joins_while_nothing_is_drawn_is_told_the_present_time() {
    let server = TestServer::start();
    let game = server.draw(OPENING).await;
    let id = server.newest(5).await;
    tokio::time::sleep(std::time::Duration::from_millis(600)).await;
    let mut watcher = server.watch(&id, "").await;
    let now = watcher.next().await["match"]["now"].as_f64().unwrap();
    let drawn = watcher.next().await["t"].as_f64().unwrap();
    assert!(now >= drawn + 0.5, "{now} {drawn}");
    let asked = server.json(&format!("/api/matches/{id}")).await["now"].as_f64().unwrap();
    assert!(asked >= now, "{asked} {now}");
    // A list is no description of one match, and what is over has no present.
    assert_eq!(server.json("/api/matches").await[0]["now"], Value::Null);
    drop(game);
    server.matches(|list| list[0]["state"] != "live").await;
    assert_eq!(server.json(&format!("/api/matches/{id}")).await["now"], Value::Null);
}

#[tokio::test]
async fn since_resumes_anywhere_live_and_finished() {
    let server = TestServer::start();
    let mut game = server.draw(OPENING).await;
    let id = server.newest(5).await;
    for since in 0..=5 {
        let mut watcher = server.watch(&id, &format!("?since={since}")).await;
        assert_eq!(watcher.next().await["type"], "hello");
        assert_eq!(watcher.commands(since, 5).await, opening()[since as usize..]);
    }
    for wrong in ["?since=6", "?since=x", "?since=-1", "?since="] {
        assert_eq!(server.try_watch(&id, wrong, None).await.err(), Some(400), "{wrong}");
    }
    game.write_all(b"#gs result {\"termination\":\"draw\"}\n").await.unwrap();
    server.matches(|list| list[0]["state"] == "finished").await;
    // From memory first, from the file later: the same.
    for round in 0..40 {
        let since = round % 6;
        let mut watcher = server.watch(&id, &format!("?since={since}")).await;
        let (messages, close) = watcher.rest().await;
        assert_eq!(messages[0]["type"], "hello");
        assert_eq!(messages[0]["match"]["state"], "finished");
        let mut commands = Vec::new();
        let end = messages.len() - 1;
        let next = messages[1..end].iter().fold(since + 1, |next, m| take_commands(m, next, &mut commands));
        assert_eq!((next, &commands[..]), (6, &opening()[since as usize..]));
        assert_eq!(messages[end]["type"], "end");
        assert_eq!(messages[end]["seq"], 5);
        assert_eq!(messages[end]["result"], json!({"winner": null, "termination": "draw"}));
        assert_eq!(u16::from(close.unwrap().code), 1000);
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    assert_eq!(server.try_watch(&id, "?since=6", None).await.err(), Some(400));
    let (messages, _) = server.watch(&id, "").await.rest().await;
    let types: Vec<&Value> = messages.iter().map(|m| &m["type"]).collect();
    assert_eq!(types, ["hello", "scene", "end"]);
    assert_eq!((&messages[1]["seq"], &messages[1]["scene"]["turns"]), (&json!(5), &json!(12)));
}

#[tokio::test]
async fn ends_are_told_apart() {
    let server = TestServer::start();
    // An orderly end without a result.
    drop(server.draw("turns 1\nturns 2").await);
    let list = server.matches(|list| list.len() == 1 && list[0]["state"] != "live").await;
    assert_eq!(
        (&list[0]["state"], &list[0]["seq"], &list[0]["result"]),
        (&json!("finished"), &json!(2), &Value::Null)
    );
    // A reset.
    let game = server.draw("turns 1\n").await;
    server.newest(1).await;
    game.set_zero_linger().unwrap();
    drop(game);
    let list = server.matches(|list| list[0]["state"] != "live").await;
    assert_eq!(list[0]["state"], "interrupted");
    // Blank lines and empty connections make no match.
    drop(server.draw("\n  \r\n\n").await);
    drop(server.draw("").await);
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    assert_eq!(server.json("/api/matches").await.as_array().unwrap().len(), 2);

    // A stop of the server: spectators are informed, and the recordings have the state.
    let _game = server.draw("turns 7\n").await;
    let id = server.newest(1).await;
    let mut watcher = server.watch(&id, "?since=0").await;
    watcher.next().await;
    watcher.commands(0, 1).await;
    let data = server.stop().await;
    let (rest, close) = watcher.rest().await;
    assert_eq!((&rest[0]["type"], &rest[0]["result"]), (&json!("end"), &Value::Null));
    assert_eq!(u16::from(close.unwrap().code), CloseReason::Shutdown.code());
    let again = TestServer::on(data, |_| {});
    let list = again.json("/api/matches").await;
    let states: Vec<&Value> = list.as_array().unwrap().iter().map(|m| &m["state"]).collect();
    assert_eq!(states, ["interrupted", "interrupted", "finished"]);
    assert_eq!((&list[0]["id"], &list[0]["seq"]), (&json!(id), &json!(1)));
    assert_eq!((&list[2]["seq"], &list[2]["result"]), (&json!(2), &Value::Null));
}

#[tokio::test]
async fn the_header_names_game_title_and_teams_and_hides_programs() {
    let source = "let secret = 5 in secret";
    let header = json!({
        "title": "Final", "seed": 7,
        "teams": [{"name": "Ravens", "color": "black"}, {"name": "Gulls", "color": "white"}],
        "programs": [{"team": "black", "file": "a.cl", "sha256": "00", "source": source}],
    });
    let text = format!("#gs game grid\n#gs match {header}\nsize 3 2\n");
    for publish in [false, true] {
        let server = TestServer::with(|config| config.publish_programs = publish);
        let _game = server.draw(&text).await;
        let id = server.newest(1).await;
        let summary = server.json(&format!("/api/matches/{id}")).await;
        assert_eq!((&summary["game"], &summary["title"]), (&json!("grid"), &json!("Final")));
        assert_eq!(summary["teams"], header["teams"]);
        let (status, head, replay) = server.get(&format!("/api/matches/{id}/replay")).await;
        assert_eq!(status, 200);
        assert!(head.contains(&format!("{id}.replay")));
        assert_eq!(replay.lines().count(), 2, "{replay}");
        let first: Value = serde_json::from_str(replay.lines().next().unwrap()).unwrap();
        assert_eq!(
            (&first["grandstand"], &first["game"], &first["seed"]),
            (&json!(1), &json!("grid"), &json!(7))
        );
        assert_eq!(first["programs"][0]["file"], "a.cl");
        assert_eq!(first["programs"][0].get("source").is_some(), publish);
        let file = std::fs::read_to_string(server.data.path().join(format!("{id}.replay"))).unwrap();
        assert!(file.contains(source), "the recorder's own file has the sources");
    }
}

/// Every address under which something of a match can be had.
pub(super) fn addresses(id: &str) -> Vec<String> {
    let of = |rest: &str| format!("/api/matches/{id}{rest}");
    let mut addresses: Vec<String> = [
        "/",
        "/?embed=1",
        "/plain",
        "/api/matches",
        "/api/matches?limit=5",
        "/healthz",
        "/metrics",
        "/tournament/",
        "/api/tournament",
    ]
    .map(str::to_owned)
    .to_vec();
    let parts = [
        "",
        "/replay",
        "/commands",
        "/commands?from=1&to=2",
        "/commands?from=2&scene=1",
        "/seats",
        "/moves",
        "/asked",
    ];
    addresses.extend(parts.map(of));
    addresses
}

#[tokio::test]
async fn no_address_hands_out_sources_or_what_bots_asked_for() {
    let (source, asked) = ("let secret = 5 in secret", "[[5,1,[7,770077]]]");
    let id = "01JQ0000000000000000000000";
    let header = json!({
        "grandstand": 1, "game": "abalone", "title": "Final", "seed": 7, "teams": [],
        "programs": [{"team": "black", "file": "a.cl", "sha256": "00", "source": source}],
    });
    let text = format!(
        "{header}\n[0,\"c\",\"turns 1\"]\n[0,\"q\",{asked}]\n[0.3,\"c\",\"turns 2\"]\n[ 0 , \"\\u0071\" , {asked}]\n[0,\"e\",{{\"state\":\"finished\",\"seq\":2}}]\n"
    );
    for publish in [false, true] {
        let data = Folder::new();
        std::fs::write(data.path().join(format!("{id}.replay")), &text).unwrap();
        let server = TestServer::on(data, |config| config.publish_programs = publish);
        for address in addresses(id) {
            let (status, _, body) = server.get(&address).await;
            let is_told = body.contains("770077") || body.contains("secret");
            assert_eq!(is_told, publish && address.ends_with("/replay"), "{address} ({status}): {body}");
            if address.ends_with("/replay") {
                assert_eq!((status, body.matches("turns").count()), (200, 2), "{body}");
            }
        }
        for query in ["", "?since=0", "?since=1"] {
            let mut socket = server.watch(id, query).await;
            loop {
                let message = socket.next().await;
                let text = message.to_string();
                assert!(!text.contains("770077") && !text.contains("secret"), "{text}");
                if message["type"] == "end" {
                    break;
                }
            }
        }
    }
}

#[tokio::test]
async fn the_rules_are_told_of_one_match_and_not_in_the_list() {
    let server = TestServer::start();
    let rules = json!({"WINNING_SCORE": 7, "cRESPAWN_TIME": 250, "nested": {"a": [1, null]}});
    let by = json!({"grandstand": "9.9", "rules": 7, "language": 2});
    let header = json!({"title": "Ruled", "teams": [], "rules": rules, "by": by});
    let mut game = server.draw(&format!("#gs match {header}\nturns 1\n")).await;
    let id = server.newest(1).await;
    let check = async |server: &TestServer| {
        let summary = server.json(&format!("/api/matches/{id}")).await;
        assert_eq!((&summary["rules"], &summary["by"]), (&rules, &by));
        for query in ["", "?since=0"] {
            let hello = server.watch(&id, query).await.next().await;
            assert_eq!((&hello["type"], &hello["match"]["rules"]), (&json!("hello"), &rules));
            assert_eq!(hello["match"]["by"], by);
        }
        let listed = server.json("/api/matches").await;
        assert_eq!((listed[0].get("rules"), listed[0].get("by")), (None, None));
    };
    check(&server).await;
    game.shutdown().await.unwrap();
    server.matches(|list| list[0]["state"] == "finished").await;
    check(&server).await;
    // From the file alone.
    let server = TestServer::on(server.stop().await, |_| {});
    check(&server).await;
    // A match without rules has none in its summary.
    let _game = server.draw("turns 1\n").await;
    let id = server.newest(1).await;
    assert_eq!(server.json(&format!("/api/matches/{id}")).await.get("rules"), None);
}

#[tokio::test]
async fn ranges_are_exact_live_and_recorded() {
    let server = TestServer::with(|config| config.history.memory_bytes = 20_000);
    let mut game = server.draw("").await;
    for chunk in 0..50 {
        let lines: String = (chunk * 20 + 1..=chunk * 20 + 20).map(|n| format!("turns {n}\n")).collect();
        game.write_all(lines.as_bytes()).await.unwrap();
        if chunk % 10 == 0 {
            tokio::time::sleep(std::time::Duration::from_millis(3)).await;
        }
    }
    let id = server.newest(1000).await;
    let check = async |state: &str| {
        for (query, range) in [
            ("", 1..=1000),
            ("?from=1&to=1", 1..=1),
            ("?from=37&to=412", 37..=412),
            ("?from=990", 990..=1000),
            ("?to=3", 1..=3),
            ("?from=995&to=5000", 995..=1000),
            ("?from=1000&to=1000", 1000..=1000),
        ] {
            let messages = server.json(&format!("/api/matches/{id}/commands{query}")).await;
            let mut all = Vec::new();
            let mut next = *range.start();
            for message in messages.as_array().unwrap() {
                assert_eq!(message["seq"], next, "{state} {query}");
                next = take_commands(message, next, &mut all);
            }
            let turns: Vec<u64> = all.iter().map(|c| c["value"].as_u64().unwrap()).collect();
            assert_eq!(turns, range.clone().collect::<Vec<u64>>(), "{state} {query}");
        }
        assert_eq!(server.json(&format!("/api/matches/{id}/commands?from=1001")).await, json!([]));
        for (from, to) in [(1, 2), (500, 499), (640, 700), (1001, 2000)] {
            let query = format!("?scene=1&from={from}&to={}", std::cmp::max(to, from));
            let messages = server.json(&format!("/api/matches/{id}/commands{query}")).await;
            let (scene, rest) = messages.as_array().unwrap().split_first().unwrap();
            assert_eq!(
                (&scene["type"], &scene["seq"]),
                (&json!("scene"), &json!(from - 1)),
                "{state} {query}"
            );
            assert_eq!(scene["scene"]["turns"], from - 1, "{state} {query}");
            assert_eq!(rest.first().map_or(from, |message| message["seq"].as_u64().unwrap()), from);
        }
        let beyond = server.get(&format!("/api/matches/{id}/commands?scene=1&from=1002")).await;
        assert_eq!(beyond.0, 400, "{state}");
        for wrong in ["?from=5&to=4", "?from=a", "?to=-2"] {
            let (status, _, body) = server.get(&format!("/api/matches/{id}/commands{wrong}")).await;
            assert_eq!(status, 400);
            assert!(serde_json::from_str::<Value>(&body).unwrap()["error"].is_string());
        }
        // Commands dropped from memory come from the file, and then the feed continues.
        let mut watcher = server.watch(&id, "?since=0").await;
        watcher.next().await;
        assert_eq!(watcher.commands(0, 1000).await.len(), 1000);
    };
    check("live").await;
    game.shutdown().await.unwrap();
    server.matches(|list| list[0]["state"] == "finished").await;
    check("finished").await;
    let compressed = server.data.path().join(format!("{id}.replay.zst"));
    let deadline = std::time::Instant::now() + PATIENCE;
    while !compressed.exists() || server.data.path().join(format!("{id}.replay")).exists() {
        assert!(std::time::Instant::now() < deadline, "it is compressed sometime");
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    check("compressed").await;
    // The same after a restart, with the file alone.
    let data = server.stop().await;
    let server = TestServer::on(data, |_| {});
    let summary = server.json(&format!("/api/matches/{id}")).await;
    assert_eq!((&summary["seq"], &summary["state"]), (&json!(1000), &json!("finished")));
    let (_, _, replay) = server.get(&format!("/api/matches/{id}/replay")).await;
    assert_eq!(replay.lines().filter(|line| line.contains("\"c\"")).count(), 1000);
}

#[tokio::test]
async fn the_list_is_newest_first_and_has_pages() {
    let server = TestServer::start();
    for turn in 1..=7 {
        drop(server.draw(&format!("turns {turn}\n").repeat(turn)).await);
        server.matches(|list| list.len() == turn && list[0]["state"] == "finished").await;
    }
    let live = server.draw("turns 8\n").await;
    let list = server.matches(|list| list.len() == 8).await;
    let seqs = |list: &Value| {
        list.as_array().unwrap().iter().map(|m| m["seq"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(seqs(&json!(list)), [1, 7, 6, 5, 4, 3, 2, 1]);
    let page = server.json("/api/matches?limit=3").await;
    assert_eq!(seqs(&page), [1, 7, 6]);
    let before = page[2]["id"].as_str().unwrap();
    assert_eq!(seqs(&server.json(&format!("/api/matches?limit=3&before={before}")).await), [5, 4, 3]);
    assert_eq!(server.get("/api/matches?limit=x").await.0, 400);
    // Where games connect to.
    let head = server.get("/api/matches").await.1.to_lowercase();
    assert!(head.contains(&format!("grandstand-feed: {}\r\n", server.lines.port())), "{head}");
    drop(live);
}

#[tokio::test]
async fn other_addresses_and_methods() {
    let server = TestServer::start();
    assert_eq!(server.get("/healthz").await.0, 200);
    assert!(server.get("/").await.2.contains("<title>Grandstand"));
    assert!(server.get("/plain").await.2.contains("<h1>Matches</h1>"));
    let nobody = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    for path in ["/nothing", "/api/matches/x%20y", "/api/matches//live"] {
        assert_eq!(server.get(path).await.0, 404, "{path}");
    }
    for tail in ["", "/replay", "/commands", "/live"] {
        let (status, head, body) = server.get(&format!("/api/matches/{nobody}{tail}")).await;
        assert_eq!(status, 404, "{tail}");
        assert!(head.contains("application/json"));
        assert_eq!(serde_json::from_str::<Value>(&body).unwrap()["error"], "there is no such match");
    }
    assert_eq!(server.try_watch(nobody, "", None).await.err(), Some(404));
    let host = server.http;
    let post = format!(
        "POST /api/matches HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    );
    let (status, head, _) = server.request(&post).await;
    assert_eq!(status, 405);
    assert!(head.contains("allow: GET, HEAD"));
    let head = format!("HEAD /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    let (status, _, body) = server.request(&head).await;
    assert_eq!((status, &body[..]), (200, ""));
    // A plain GET of a websocket's address.
    let _game = server.draw("turns 1\n").await;
    let id = server.newest(1).await;
    assert_eq!(server.get(&format!("/api/matches/{id}/live")).await.0, 426);
}

#[tokio::test]
async fn a_name_that_is_not_this_servers_is_not_answered_to() {
    let server = TestServer::with(|config| {
        config.allow_hosts = vec!["wall.example".into()];
        config.allow_origins = vec!["https://page.example".into()];
    });
    let _game = server.draw("turns 1\n").await;
    let id = server.newest(1).await;
    let upgrade = "Connection: close, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: http://evil.example:8126\r\n";
    let length = "Connection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n";
    for (line, headers, body) in [
        ("GET /healthz".to_owned(), "Connection: close\r\n", ""),
        (format!("GET /api/matches/{id}/live"), upgrade, ""),
        (format!("POST /api/matches/{id}/seats"), length, "{}"),
    ] {
        let request = |host: &str| format!("{line} HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n{body}");
        let (status, _, words) = server.request(&request("evil.example:8126")).await;
        assert!(status == 421 && words.contains("--allow-host"), "{line}: {status} {words}");
        assert_eq!(server.request(&format!("{line} HTTP/1.1\r\n{headers}\r\n{body}")).await.0, 400, "{line}");
    }
    for host in ["localhost", "127.0.0.1:1", "[::1]", "wall.example:443", "page.example"] {
        let request = format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        assert_eq!(server.request(&request).await.0, 200, "{host}");
    }
    assert_eq!(server.request("GET /healthz HTTP/1.0\r\n\r\n").await.0, 200);
    // Each request of a connection is checked.
    let two = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n\
        GET /healthz HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    assert!(server.request(two).await.2.contains("HTTP/1.1 421 "));
}

#[tokio::test]
async fn websockets_are_for_the_same_host_and_those_allowed() {
    let server = TestServer::with(|config| config.allow_origins = vec!["https://wall.example".into()]);
    let _game = server.draw("turns 1\n").await;
    let id = server.newest(1).await;
    let own = format!("http://{}", server.http);
    for (origin, allowed) in [
        (own.as_str(), true),
        ("https://wall.example", true),
        ("https://evil.example", false),
        ("null", false),
    ] {
        let opened = server.try_watch(&id, "", Some(origin)).await;
        assert_eq!(opened.err(), (!allowed).then_some(403), "{origin}");
    }
}
