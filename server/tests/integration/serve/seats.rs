//! Players over HTTP, and game servers with seats.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use grandstand_testing::PATIENCE;

use super::support::TestServer;

/// A simple game server: two players take turns placing stones in a row of three cells.
pub(crate) struct Game {
    stream: BufReader<TcpStream>,
    cells: [Option<&'static str>; 3],
    ply: u64,
}

const TEAMS: [&str; 2] = ["black", "white"];
const OPENING: &str =
    "#gs game grid\n#gs match {\"seats\":[{\"team\":\"black\"},{\"team\":\"white\"}]}\nsize 3 1\n";

impl Game {
    pub(crate) async fn open(server: &TestServer) -> (Self, String) {
        let stream = BufReader::new(server.draw(OPENING).await);
        let id = server.newest(1).await;
        (Self { stream, cells: [None; 3], ply: 0 }, id)
    }

    async fn write(&mut self, text: &str) {
        self.stream.get_mut().write_all(text.as_bytes()).await.unwrap();
    }

    /// The next request: its name and its payload.
    async fn request(&mut self) -> (String, Value) {
        let mut line = String::new();
        let read = self.stream.read_line(&mut line);
        tokio::time::timeout(PATIENCE, read).await.expect("a request").unwrap();
        let (name, payload) = line.strip_prefix("#gs ").expect(&line).split_once(' ').unwrap();
        (name.to_owned(), serde_json::from_str(payload).unwrap())
    }

    async fn answer(&mut self, request: &Value, reason: Option<&str>) {
        let answer = match reason {
            None => json!({ "id": request["id"], "ok": true }),
            Some(reason) => json!({ "id": request["id"], "ok": false, "reason": reason }),
        };
        self.write(&format!("#gs answer {answer}\n")).await;
    }

    /// Answers requests by the rules until no cell is free or a player resigns.
    pub(crate) async fn play(mut self) {
        while self.ply < 3 {
            let (name, request) = self.request().await;
            let refusal = if name == "move" { self.play_move(&request).await } else { None };
            self.answer(&request, refusal.as_deref()).await;
        }
        self.write("#gs result {\"winner\":null,\"termination\":\"full\"}\n").await;
    }

    async fn play_move(&mut self, request: &Value) -> Option<String> {
        let team = TEAMS[self.ply as usize % 2];
        if request["team"] != team {
            return Some(format!("it is {team}'s turn"));
        }
        if request["ply"] != self.ply {
            return Some("the picture has changed".to_owned());
        }
        let mv = request["move"].as_str().unwrap();
        let at = match mv.parse::<usize>().ok().filter(|at| *at < 3) {
            None => return Some(format!("`{mv}` is no cell")),
            Some(at) if self.cells[at].is_some() => return Some(format!("{at} is not empty")),
            Some(at) => at,
        };
        self.cells[at] = Some(team);
        self.ply += 1;
        self.write(&format!("cell {at},0 {}\nstep {}\n", &team[..1], self.ply)).await;
        None
    }
}

impl TestServer {
    async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let (status, _, body) = self.post_raw(path, "", &body.to_string()).await;
        (status, serde_json::from_str(&body).unwrap_or(Value::Null))
    }

    /// With additional headers, each with its line ending; a content type is added unless one of them is given.
    async fn post_raw(&self, path: &str, headers: &str, body: &str) -> (u16, String, String) {
        let kind = if headers.contains("Content-Type") { "" } else { "Content-Type: application/json\r\n" };
        let length = body.len();
        self.request(&format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{kind}{headers}Content-Length: {length}\r\n\r\n{body}",
            self.http
        ))
        .await
    }

    /// Takes a seat; returns its team and token.
    async fn sit(&self, id: &str, wish: &Value) -> (String, String) {
        let (status, taken) = self.post(&format!("/api/matches/{id}/seats"), wish).await;
        assert_eq!(status, 200, "{taken}");
        let text = |name: &str| taken[name].as_str().unwrap().to_owned();
        (text("team"), text("token"))
    }

    async fn mv(&self, id: &str, token: &str, ply: u64, mv: &str) -> (u16, Value) {
        let body = json!({ "token": token, "ply": ply, "move": mv });
        self.post(&format!("/api/matches/{id}/moves"), &body).await
    }
}

#[tokio::test]
async fn two_people_play_a_whole_match_over_http() {
    let server = TestServer::start();
    let (game, id) = Game::open(&server).await;
    let seats = json!([{ "team": "black", "taken": false }, { "team": "white", "taken": false }]);
    assert_eq!(server.json(&format!("/api/matches/{id}")).await["seats"], seats);
    let playing = tokio::spawn(game.play());
    let mut watcher = server.watch(&id, "").await;
    assert_eq!(watcher.next().await["match"]["seats"], seats);
    assert_eq!(watcher.next().await["type"], "scene");

    let (team, ann) = server.sit(&id, &json!({ "team": "white", "name": "Ann" })).await;
    assert_eq!(team, "white");
    let seats = watcher.next().await;
    assert_eq!(
        seats,
        json!({ "type": "seats", "seats": [
            { "team": "black", "taken": false }, { "team": "white", "taken": true, "name": "Ann" }] })
    );
    let (team, bo) = server.sit(&id, &json!({})).await;
    assert_eq!((team.as_str(), bo.len()), ("black", 32));
    assert_eq!(watcher.next().await["seats"][0], json!({ "team": "black", "taken": true }));
    let taken = |wish: Value| server.post_seat(&id, wish);
    assert_eq!(taken(json!({})).await, (409, "no seat is free".into()));
    assert_eq!(taken(json!({ "team": "black" })).await, (409, "the seat of black is taken".into()));
    let words = "there is no seat of the team `red`; the seats are black, white";
    assert_eq!(taken(json!({ "team": "red" })).await, (404, words.into()));

    let refused = |answer: (u16, Value)| (answer.0, answer.1["error"].as_str().unwrap_or("").to_owned());
    assert_eq!(refused(server.mv(&id, &ann, 0, "1").await), (409, "it is black's turn".into()));
    assert_eq!(server.mv(&id, &bo, 0, "1").await, (200, json!({ "ok": true })));
    assert_eq!(refused(server.mv(&id, &bo, 1, "2").await), (409, "it is white's turn".into()));
    assert_eq!(refused(server.mv(&id, &ann, 0, "2").await), (409, "the picture has changed".into()));
    assert_eq!(refused(server.mv(&id, &ann, 1, "1").await), (409, "1 is not empty".into()));
    assert_eq!(refused(server.mv(&id, &ann, 1, "z9").await), (409, "`z9` is no cell".into()));
    let words = "this token has no seat in this match";
    assert_eq!(refused(server.mv(&id, "0000", 1, "2").await), (403, words.into()));
    assert_eq!(server.mv(&id, &ann, 1, "2").await.0, 200);
    assert_eq!(server.mv(&id, &bo, 2, "0").await.0, 200);

    tokio::time::timeout(PATIENCE, playing).await.unwrap().unwrap();
    assert_eq!(refused(server.mv(&id, &ann, 3, "2").await), (410, "the match is over".into()));
    assert_eq!(server.post_seat(&id, json!({})).await, (410, "the match is over".into()));
    let summary = server.json(&format!("/api/matches/{id}")).await;
    assert_eq!((&summary["state"], summary.get("seats")), (&json!("finished"), None));
    // Neither the commands nor the recording contain the seats' holders.
    let (messages, _) = watcher.rest().await;
    assert!(messages.iter().all(|message| message["type"] != "seats"), "{messages:?}");
    let (_, _, replay) = server.get(&format!("/api/matches/{id}/replay")).await;
    assert!(!replay.contains("seat") && !replay.contains("answer") && replay.contains("cell 1,0 b"));
    server.stop().await;
}

impl TestServer {
    /// An attempt to take a seat: the status, and the error.
    async fn post_seat(&self, id: &str, wish: Value) -> (u16, String) {
        let (status, answer) = self.post(&format!("/api/matches/{id}/seats"), &wish).await;
        (status, answer["error"].as_str().unwrap_or_default().to_owned())
    }
}

#[tokio::test]
async fn a_seat_that_is_left_is_free_for_the_next_one() {
    let server = TestServer::start();
    let (mut game, id) = Game::open(&server).await;
    let path = format!("/api/matches/{id}/seats");
    let wish = json!({ "name": "  " });
    let (taken, ()) = tokio::join!(server.post(&path, &wish), async {
        let (name, request) = game.request().await;
        assert_eq!((name.as_str(), request.get("name")), ("seat", None), "a blank name is none");
        game.answer(&request, None).await;
    });
    let token = &taken.1["token"];
    let path = format!("/api/matches/{id}/leave");
    let body = json!({ "token": token });
    let (left, ()) = tokio::join!(server.post(&path, &body), async {
        let (name, request) = game.request().await;
        assert_eq!((name.as_str(), &request["team"]), ("leave", &json!("black")));
        game.answer(&request, None).await;
    });
    assert_eq!(left, (200, json!({ "ok": true })));
    assert_eq!(server.post(&path, &body).await.0, 403);
    let summary = server.json(&format!("/api/matches/{id}")).await;
    assert_eq!(summary["seats"][0], json!({ "team": "black", "taken": false }));
    server.stop().await;
}

#[tokio::test]
async fn a_silent_game_server_goes_on_drawing() {
    let server = TestServer::with(|config| config.seats.answer = Duration::from_millis(50));
    let (mut game, id) = Game::open(&server).await;
    let (status, words) = server.post_seat(&id, json!({})).await;
    assert_eq!((status, words.as_str()), (504, "the game server does not answer"));
    // The answer comes too late: nobody has the token, so the seat is given back.
    let (_, request) = game.request().await;
    game.answer(&request, None).await;
    let (name, request) = game.request().await;
    assert_eq!(name, "leave");
    game.answer(&request, None).await;
    game.write("step 1\n").await;
    server.newest(2).await;
    assert_eq!(server.json(&format!("/api/matches/{id}")).await["seats"][0]["taken"], false);
    server.stop().await;
}

#[tokio::test]
async fn junk_keeps_nobody_from_a_seat() {
    let server = TestServer::with(|config| config.seats.per_second = 1);
    let (game, id) = Game::open(&server).await;
    let playing = tokio::spawn(game.play());
    let (_, ann) = server.sit(&id, &json!({})).await;
    let mut refused = 0;
    for _ in 0..10 {
        refused += u32::from(server.mv(&id, "0000", 0, "1").await.0 == 429);
        refused += u32::from(server.post_seat(&id, json!({ "team": "red" })).await.0 == 429);
        refused += u32::from(server.post_seat(&id, json!({ "tean": "red" })).await.0 == 429);
    }
    assert!(refused > 0, "junk has a limit of its own");
    assert_eq!(server.mv(&id, &ann, 0, "1").await.0, 200);
    assert_eq!(server.sit(&id, &json!({})).await.0, "white");
    playing.abort();
    server.stop().await;
}

#[tokio::test]
async fn a_game_server_that_stays_silent_costs_no_seat() {
    let server = TestServer::with(|config| config.seats.answer = Duration::from_millis(50));
    let (mut game, id) = Game::open(&server).await;
    for _ in 0..2 {
        assert_eq!(server.post_seat(&id, json!({ "team": "white" })).await.0, 504);
        assert_eq!(game.request().await.1["team"], "white");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_peer_without_seats_gets_no_byte_and_is_not_played() {
    let server = TestServer::start();
    let mut game = server.draw("turns 1\n").await;
    let id = server.newest(1).await;
    assert!(server.json(&format!("/api/matches/{id}")).await.get("seats").is_none());
    assert_eq!(server.post_seat(&id, json!({})).await, (409, "this match has no seats".into()));
    assert_eq!(server.mv(&id, "x", 0, "a").await.0, 409);
    assert_eq!(server.post_seat("01ARZ3NDEKTSV4RRFFQ69G5FAV", json!({})).await.0, 404);
    game.write_all(b"#gs answer {\"id\":1,\"ok\":true}\nturns 2\n").await.unwrap();
    server.newest(2).await;
    server.stop().await;
    let mut received = Vec::new();
    tokio::time::timeout(PATIENCE, game.read_to_end(&mut received)).await.unwrap().unwrap();
    assert!(received.is_empty(), "{received:?}");
}

#[tokio::test]
async fn seats_may_be_announced_later_and_changed() {
    let server = TestServer::start();
    let mut game = BufReader::new(server.draw("#gs game grid\nstep 1\n").await);
    let id = server.newest(1).await;
    let mut watcher = server.watch(&id, "").await;
    assert!(watcher.next().await["match"].get("seats").is_none());
    watcher.next().await;
    let announced = b"#gs seats {\"seats\":[{\"team\":\"red\",\"taken\":true,\"name\":\"Ann\"}]}\nstep 2\n";
    game.get_mut().write_all(announced).await.unwrap();
    let seats = json!([{ "team": "red", "taken": true, "name": "Ann" }]);
    let (first, second) = (watcher.next().await, watcher.next().await);
    let (said, drawn) = if first["type"] == "seats" { (first, second) } else { (second, first) };
    assert_eq!((&said["seats"], &drawn["seq"]), (&seats, &json!(2)));
    // Spectators that join later or resume receive the seats once.
    for query in ["", "?since=0", "?since=2"] {
        let mut late = server.watch(&id, query).await;
        assert_eq!(late.next().await["match"]["seats"], seats, "{query}");
    }
    let range = server.json(&format!("/api/matches/{id}/commands")).await;
    let kinds: Vec<_> = range.as_array().unwrap().iter().map(|m| m["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["commands", "commands"]);
    assert_eq!(server.post_seat(&id, json!({})).await, (409, "no seat is free".into()));
    server.stop().await;
}

#[tokio::test]
async fn no_page_of_another_origin_can_play() {
    let server = TestServer::start();
    let (game, id) = Game::open(&server).await;
    let playing = tokio::spawn(game.play());
    let path = format!("/api/matches/{id}/seats");
    let status = |headers: String| {
        let (server, path) = (&server, &path);
        async move { server.post_raw(path, &headers, "{}").await.0 }
    };
    assert_eq!(status("Origin: https://evil.example\r\n".to_owned()).await, 403);
    assert_eq!(status("Origin: null\r\n".to_owned()).await, 403);
    for kind in
        ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonx"]
    {
        assert_eq!(status(format!("Content-Type: {kind}\r\n")).await, 415, "{kind}");
    }
    // A browser asks before it sends JSON to another origin, and gets no permission.
    let asks = format!(
        "OPTIONS {path} HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nConnection: close\r\n\r\n"
    );
    let (refused, head, _) = server.request(&asks).await;
    assert!(refused == 405 && !head.contains("access-control"), "{head}");
    let own = format!("Origin: http://{}\r\nContent-Type: application/json; charset=utf-8\r\n", server.http);
    assert_eq!(status(own).await, 200);
    assert_eq!(server.get(&path).await.0, 405);
    playing.abort();
    server.stop().await;
}

#[tokio::test]
async fn what_is_no_request_is_told_what_is_wrong_with_it() {
    let server = TestServer::with(|config| config.spectators.head = Duration::from_millis(300));
    let (_game, id) = Game::open(&server).await;
    let path = format!("/api/matches/{id}/moves");
    for (body, words) in [
        ("", "expected a JSON object"),
        ("[\"\", 0, \"h8\"]", "expected a JSON object"),
        ("{", "EOF while parsing an object"),
        ("{}", "missing field `token`"),
        (r#"{"token":"","ply":-1,"move":""}"#, "invalid value: integer `-1`"),
        (r#"{"token":"","ply":0,"move":"h8","team":"black"}"#, "unknown field `team`"),
        (r#"{"token":"","ply":0,"move":7}"#, "invalid type: integer `7`"),
    ] {
        let (status, _, answer) = server.post_raw(&path, "", body).await;
        assert!(status == 400 && answer.contains(words), "{body}: {answer}");
    }
    let (status, _, answer) = server.post_raw(&path, "", &" ".repeat(5000)).await;
    assert!(status == 413 && answer.contains("longer than 4096 bytes"), "{answer}");
    let slow = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{{"
    );
    assert_eq!(server.request(&slow).await.0, 408);
    server.stop().await;
}

#[tokio::test]
async fn who_asks_too_often_has_to_wait() {
    let server = TestServer::with(|config| config.seats.per_second = 1);
    let (_game, id) = Game::open(&server).await;
    let mut statuses = Vec::new();
    for _ in 0..4 {
        statuses.push(server.mv(&id, "x", 0, "1").await.0);
    }
    assert_eq!(statuses[..2], [403, 403]);
    assert!(statuses.contains(&429), "{statuses:?}");
    server.stop().await;
}
