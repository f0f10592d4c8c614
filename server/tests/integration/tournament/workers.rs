//! A tournament whose games are played by workers: processes of `grandstand worker`.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::process::Stdio;

use grandstand_testing::http::{self, Answer};
use grandstand_testing::process::{Killed, signal};
use grandstand_testing::{until, until_some};
use rustix::process::Signal;
use serde_json::{Value, json};
use sha2::Digest as _;

use super::{Cup, league};
use crate::nats::support::Nats;
use crate::program::grandstand;

/// A tournament whose director is at an address of its own, also when it is started again. Its workers speak to it there, or
/// over NATS.
pub(super) struct Hall {
    pub(super) cup: Cup,
    address: String,
    nats: Option<String>,
}

impl Hall {
    pub(super) fn new(file: &str) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        Self { cup: Cup::new(file), address: free.to_string(), nats: None }
    }

    /// Workers speak to the director over NATS.
    pub(super) fn over(nats: &Nats, file: &str) -> Self {
        Self { nats: Some(nats.url()), ..Self::new(file) }
    }

    pub(super) fn director(&self) -> Killed {
        self.director_with(&[])
    }

    pub(super) fn director_with(&self, more: &[&str]) -> Killed {
        let log =
            fs::File::options().create(true).append(true).open(self.cup.0.join("director.log")).unwrap();
        let mut command = self.cup.command(&["run", "cup.toml", "--workers", &self.address]);
        if let Some(url) = &self.nats {
            command.args(["--nats", url]);
        }
        command.args(more);
        Killed(command.stdout(Stdio::null()).stderr(log).spawn().unwrap())
    }

    pub(super) fn worker(&self, name: &str) -> Killed {
        self.worker_with(name, &[])
    }

    pub(super) fn worker_with(&self, name: &str, more: &[&str]) -> Killed {
        until("the token is there", || self.cup.0.join("cup.db.token").exists());
        let log = fs::File::create(self.cup.0.join(&format!("{name}.log"))).unwrap();
        let to = format!("http://{}", self.address);
        let mut command = grandstand();
        command.args(["worker", "--jobs", "1", "--once", "--name", name]);
        match &self.nats {
            Some(url) => command.args(["--nats", url]),
            None => command.args(["--to", &to, "--token", "cup.db.token"]),
        };
        command.args(more).current_dir(self.cup.0.path());
        Killed(command.stdout(Stdio::null()).stderr(log).spawn().unwrap())
    }

    /// Number of games that count.
    pub(super) fn counted(&self) -> usize {
        let (status, out, _) = self.cup.run(&["games", "cup.db"]);
        if status == 0 { out.lines().count().saturating_sub(1) } else { 0 }
    }

    pub(super) fn log(&self, name: &str) -> String {
        fs::read_to_string(self.cup.0.join(&format!("{name}.log"))).unwrap_or_default()
    }

    /// A request of a worker that is written here, with the token. A director that is not there yet, or can't be asked now, is
    /// asked again.
    pub(super) fn post(&self, request: &str, body: &Value) -> Answer {
        match &self.nats {
            Some(url) => by_nats(url, request, body),
            None => self.send(&format!("POST /api/worker/{request}"), "", &body.to_string()),
        }
    }

    fn send(&self, line: &str, headers: &str, body: &str) -> Answer {
        let token = fs::read_to_string(self.cup.0.join("cup.db.token")).unwrap();
        let (token, length) = (token.trim(), body.len());
        let request = format!(
            "{line} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n{headers}\
             Content-Length: {length}\r\n\r\n{body}",
            self.address
        );
        http::exchange(http::connect(&self.address), &request)
    }

    /// Uploads a recording; how a report names it, and the status of the answer.
    pub(super) fn upload(&self, session: &str, content: &[u8]) -> (Value, u16) {
        let length = content.len();
        let sha256 = data_encoding::HEXLOWER.encode(&sha2::Sha256::digest(content));
        let status = match &self.nats {
            Some(url) => {
                put(url, &format!("{session}/{sha256}"), content);
                200
            }
            None => {
                let token = fs::read_to_string(self.cup.0.join("cup.db.token")).unwrap();
                let token = token.trim();
                let head = format!(
                    "PUT /api/worker/recordings/{sha256} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
                     Authorization: Bearer {token}\r\nX-Grandstand-Session: {session}\r\nContent-Length: {length}\r\n\r\n",
                    self.address
                );
                let mut stream = http::connect(&self.address);
                stream.write_all(&[head.as_bytes(), content].concat()).unwrap();
                let mut answer = String::new();
                stream.read_to_string(&mut answer).unwrap();
                answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap()
            }
        };
        (json!({ "sha256": sha256, "bytes": length }), status)
    }

    /// The director's metrics; empty while it does not listen.
    pub(super) fn metrics(&self) -> String {
        match std::net::TcpStream::connect(&self.address) {
            Ok(stream) => http::exchange(stream, &http::get_request(&self.address, "/metrics")).body,
            Err(_) => String::new(),
        }
    }

    /// Waits until the director answers, over NATS too.
    pub(super) fn ready(&self) {
        until("the director is ready", || {
            let stream = std::net::TcpStream::connect(&self.address);
            stream.is_ok_and(|stream| {
                http::exchange(stream, &http::get_request(&self.address, "/readyz")).status == 200
            })
        });
    }

    /// Takes part by hand; the session.
    pub(super) fn hello(&self, name: &str) -> String {
        let answer = self.post("hello", &hello(name));
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.json()["session"].as_str().unwrap().to_owned()
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// A request of a worker over NATS, to the director that is found there.
fn by_nats(url: &str, request: &str, body: &Value) -> Answer {
    runtime().block_on(async {
        let client = async_nats::connect(url).await.unwrap();
        let found = loop {
            match client.request("gs.work.find", "".into()).await {
                Ok(found) => break found,
                // It subscribes soon.
                Err(_) => tokio::time::sleep(std::time::Duration::from_millis(20)).await,
            }
        };
        let found: Value = serde_json::from_slice(&found.payload).unwrap();
        let subject = format!("gs.work.{}.{request}", found["director"].as_str().unwrap());
        let answer = client.request(subject, body.to_string().into()).await.unwrap();
        let status = answer.headers.unwrap().get("Grandstand-Status").unwrap().as_str().parse().unwrap();
        Answer { status, head: String::new(), body: String::from_utf8(answer.payload.to_vec()).unwrap() }
    })
}

/// Puts a recording into the object store.
fn put(url: &str, name: &str, mut content: &[u8]) {
    runtime().block_on(async {
        let jetstream = async_nats::jetstream::new(async_nats::connect(url).await.unwrap());
        let store = jetstream.get_object_store("gs_results").await.unwrap();
        store.put(name, &mut content).await.unwrap();
    });
}

pub(super) fn hello(name: &str) -> Value {
    let version = env!("CARGO_PKG_VERSION");
    json!({ "protocol": 1, "version": version, "name": name, "jobs": 1, "cores": 1, "arch": "x86_64" })
}

/// Tables and results, without times and durations.
pub(super) fn outcome(cup: &Cup) -> String {
    let games = cup.told(&["games", "cup.db"]);
    cup.told(&["standings", "cup.db"]) + &cup.told(&["crosstable", "cup.db"]) + &games
}

#[test]
fn workers_and_a_director_that_are_killed_come_to_the_same_end() {
    killed_they_come_to_the_same_end(&Hall::new(&league(12)));
}

/// A worker and the director are killed, and the tables are those of one machine. The tournament is `league(12)`.
pub(super) fn killed_they_come_to_the_same_end(hall: &Hall) {
    let alone = Cup::new(&league(12));
    alone.told(&["run", "cup.toml", "--jobs", "1"]);
    let director = hall.director();
    let red = hall.worker("red");
    let mut blue = hall.worker("blue");
    until("games count", || hall.counted() >= 5);
    drop(red);
    let before = hall.counted();
    until("games count without red", || hall.counted() > before);
    drop(director);
    until("blue notices", || hall.log("blue").contains("it is tried again and again"));
    let mut director = hall.director();
    until("the director is done", || director.try_wait().unwrap().is_some());
    assert_eq!(director.wait().unwrap().code(), Some(0), "{}", hall.log("director"));
    assert_eq!(outcome(&hall.cup), outcome(&alone));
    until("blue is done", || blue.try_wait().unwrap().is_some());
    assert_eq!(blue.wait().unwrap().code(), Some(0), "{}", hall.log("blue"));
    for text in ["is there again", "the tournament is over"] {
        assert!(hall.log("blue").contains(text), "{text}: {}", hall.log("blue"));
    }
    for number in ["0", "71"] {
        hall.cup.told(&["games", "cup.db", "--extract", number, "--to", &format!("{number}.replay.zst")]);
    }
}

#[test]
fn a_worker_that_was_cut_off_at_the_end_is_told_by_another_start() {
    cut_off_at_the_end(&Hall::new(&league(12)));
}

/// A worker stands still until the tournament is over and its director gone. The tournament is `league(12)`.
pub(super) fn cut_off_at_the_end(hall: &Hall) {
    let mut director = hall.director();
    let mut red = hall.worker("red");
    until("red plays", || hall.counted() >= 2);
    signal(Signal::STOP, red.id());
    let mut blue = hall.worker("blue");
    assert_eq!(director.wait().unwrap().code(), Some(0), "{}", hall.log("director"));
    assert_eq!(blue.wait().unwrap().code(), Some(0), "{}", hall.log("blue"));
    signal(Signal::CONT, red.id());
    until("red notices", || hall.log("red").contains("it is tried again and again"));
    let mut director = hall.director();
    assert_eq!(red.wait().unwrap().code(), Some(0), "{}", hall.log("red"));
    assert_eq!(director.wait().unwrap().code(), Some(0), "{}", hall.log("director"));
    assert!(hall.log("red").contains("the tournament is over"), "{}", hall.log("red"));
}

#[test]
fn a_worker_that_asks_late_is_told_of_the_end() {
    let hall = Hall::new(&league(2));
    let mut director = hall.director_with(&["--compare", "0"]);
    hall.ready();
    let session = hall.hello("late");
    let mut red = hall.worker("red");
    until("red is done", || {
        hall.post("beat", &json!({ "session": session, "running": [], "kept": [] }));
        red.try_wait().unwrap().is_some()
    });
    // Less than a lease, and less than a worker waits between two attempts.
    std::thread::sleep(std::time::Duration::from_secs(3));
    for _ in 0..2 {
        // The first answer may be lost.
        let answer = hall.post("next", &json!({ "session": session }));
        assert_eq!((answer.status, &*answer.body), (200, "\"over\""));
    }
    hall.post("bye", &json!({ "session": session }));
    assert_eq!(director.wait().unwrap().code(), Some(0), "{}", hall.log("director"));
    assert!(!hall.log("director").contains("late has left"), "{}", hall.log("director"));
}

#[test]
fn programs_are_handed_out_by_their_content() {
    let file = "name = \"Cup\"\ngame = \"abalone\"\nseed = 7\nplayers = [\"bots/*.cl\"]\n\
                [settings]\nGAME_LENGTH = 2000\n[[stage]]\nformat = \"round-robin\"\ngames = 2\n";

    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/bots/abalone");
    let mut bots: Vec<_> = fs::read_dir(shipped).unwrap().map(|entry| entry.unwrap().path()).collect();
    bots.retain(|path| path.extension().is_some_and(|extension| extension == "cl"));
    bots.sort();

    let hall = Hall::new(file);
    let alone = Cup::new(file);
    for cup in [&hall.cup, &alone] {
        fs::create_dir_all(cup.0.join("bots")).unwrap();
        for bot in &bots[..2] {
            fs::copy(bot, cup.0.join("bots").join(bot.file_name().unwrap())).unwrap();
        }
    }
    alone.told(&["run", "cup.toml"]);
    let mut director = hall.director();
    hall.ready();
    // The worker runs where no program lies.
    let elsewhere = grandstand_testing::Folder::new();
    elsewhere.file("token", fs::read(hall.cup.0.join("cup.db.token")).unwrap());
    let mut worker = grandstand();
    let to = format!("http://{}", hall.address);
    worker.args(["worker", "--to", &to, "--token", "token", "--once"]).current_dir(elsewhere.path());
    let told = worker.output().unwrap();
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    assert_eq!(director.wait().unwrap().code(), Some(0), "{}", hall.log("director"));
    assert_eq!(outcome(&hall.cup), outcome(&alone));
}

#[test]
fn a_game_that_ends_three_workers_is_annulled_and_shown() {
    a_game_ends_three_workers(&Hall::new(&league(2)));
}

/// A game of `league(2)` ends three workers.
pub(super) fn a_game_ends_three_workers(hall: &Hall) {
    let mut director = hall.director();
    hall.ready();
    for name in ["red", "blue", "green"] {
        let session = hall.hello(name);
        let given = hall.post("next", &json!({ "session": session })).json();
        assert_eq!(given["job"]["job"]["number"], 0, "{given}");
        until("the worker is lost", || hall.log("director").contains(&format!("worker {name} is lost")));
    }
    let mut worker = hall.worker("white");
    assert_eq!(director.wait().unwrap().code(), Some(0), "{}", hall.log("director"));
    assert_eq!(worker.wait().unwrap().code(), Some(0));
    let shown = hall.cup.told(&["standings", "cup.db"]);
    let why = "set aside, since 3 workers were lost while they played it: red, blue, green";
    assert!(shown.contains(why), "{shown}");
    assert!(shown.contains("12 games count, over"), "{shown}");
    assert!(shown.contains("faults of the machine: 1; games that were not played again: 1"), "{shown}");
}

#[test]
fn a_result_counts_once_and_after_its_recording() {
    let hall = Hall::new(&league(2));
    let _director = a_result_counts_once(&hall);
    let session = hall.hello("blue");
    let headers = format!("X-Grandstand-Session: {session}\r\n");
    let wrong = format!("PUT /api/worker/recordings/{}", "0".repeat(64));
    assert_eq!(hall.send(&wrong, &headers, "another").status, 400);
}

/// A result of `league(2)` is said early, then with its recording, and then again.
pub(super) fn a_result_counts_once(hall: &Hall) -> Killed {
    let director = hall.director();
    hall.ready();
    let session = hall.hello("red");
    let given = hall.post("next", &json!({ "session": session })).json();
    let job = given["job"]["id"].as_str().unwrap().to_owned();
    let content = "not a recording that anybody reads";
    let sha256 = grandstand_matches::bundle::sha256(content);
    let report = json!({ "session": session, "job": job, "ending": { "played": {
        "fault": null, "winner": 0, "termination": "five", "reason": null, "score": null, "length": [9, "moves"],
        "digest": 7, "started": "2026-01-01T00:00:00Z", "wall_ms": 1, "disturbed_ms": null,
        "recording": { "sha256": sha256, "bytes": content.len() }, "inputs": null } } });
    let early = hall.post("results", &report);
    assert_eq!(early.status, 409, "{}", early.body);
    assert_eq!(early.json()["error"], "the recording was not uploaded before the result");
    for counts in [true, false] {
        let answer = until_some("the result is taken", || {
            assert_eq!(hall.upload(&session, content.as_bytes()).1, 200);
            // Over NATS the director may only now remove what was uploaded before; a worker uploads it again, too.
            Some(hall.post("results", &report)).filter(|answer| answer.status != 409)
        });
        assert_eq!(answer.json(), json!({ "counts": counts }));
    }
    until("it counts", || hall.counted() == 1);
    director
}

#[test]
fn recordings_have_their_room_before_they_come() {
    let hall = Hall::new(&league(2));
    let _director = hall.director();
    hall.ready();
    let session = hall.hello("red");
    let token = fs::read_to_string(hall.cup.0.join("cup.db.token")).unwrap();
    let put = |length: usize| {
        let head = format!(
            "PUT /api/worker/recordings/{} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: bearer {}\r\n\
             X-Grandstand-Session: {session}\r\nExpect: 100-continue\r\nContent-Length: {length}\r\n\r\n",
            "0".repeat(64),
            hall.address,
            token.trim()
        );
        let mut stream = http::connect(&hall.address);
        stream.write_all(head.as_bytes()).unwrap();
        // Its body is asked for, or it is refused.
        let mut status = [0; 12];
        stream.read_exact(&mut status).unwrap();
        (String::from_utf8(status.to_vec()).unwrap(), stream)
    };
    let (refused, _) = put((64 << 20) + 1);
    assert_eq!(refused, "HTTP/1.1 413");
    let under_way: Vec<_> = (0..16).map(|_| put(64 << 20)).collect();
    assert!(under_way.iter().all(|(status, _)| status == "HTTP/1.1 100"));
    assert_eq!(put(1).0, "HTTP/1.1 503");
    drop(under_way);
    until("there is room again", || put(1).0 == "HTTP/1.1 100");
}

#[test]
fn who_does_not_fit_is_refused_in_words() {
    let hall = Hall::new(&league(2));
    let _director = who_does_not_fit_is_refused(&hall);
    assert_eq!(http::post(&hall.address, "/api/worker/hello", &hello("red").to_string()).status, 403);
    assert_eq!(http::get(&hall.address, "/readyz").status, 200);
    assert!(http::get(&hall.address, "/metrics").body.contains("grandstand_work_workers 0"));

    hall.cup.0.file("other", "another-token-of-no-use");
    let to = format!("http://{}", hall.address);
    let told = grandstand()
        .args(["worker", "--to", &to, "--token", "other", "--once"])
        .current_dir(hall.cup.0.path())
        .output()
        .unwrap();
    assert_eq!(told.status.code(), Some(2));
    let words = String::from_utf8(told.stderr).unwrap();
    assert!(words.contains("this is not the token of the director"), "{words}");
}

/// Workers of another version, of an unknown session, and with a wrong message are refused.
pub(super) fn who_does_not_fit_is_refused(hall: &Hall) -> Killed {
    let director = hall.director();
    hall.ready();
    let mut other = hello("red");
    other["version"] = "0.0.1".into();
    let answer = hall.post("hello", &other);
    assert_eq!(answer.status, 409);
    let words = answer.json()["error"].as_str().unwrap().to_owned();
    assert!(
        words.contains("the worker is grandstand 0.0.1") && words.contains("the same version"),
        "{words}"
    );
    let unknown = hall.post("next", &json!({ "session": "0".repeat(32) }));
    assert_eq!(unknown.status, 410, "{}", unknown.body);
    let wrong = hall.post("beat", &json!({ "session": "x", "running": [] }));
    assert_eq!(
        (wrong.status, &wrong.json()["error"]),
        (400, &json!("the body: `session` is not 32 hexadecimal digits"))
    );
    director
}

#[test]
fn a_worker_that_is_asked_to_stop_gives_its_game_back() {
    let hall = Hall::new(&league(400));
    let _director = hall.director();
    let mut red = hall.worker("red");
    until("a game counts", || hall.counted() > 0);
    signal(Signal::TERM, red.id());
    assert_eq!(red.wait().unwrap().code(), Some(0), "{}", hall.log("red"));
    until("the director says so", || hall.log("director").contains("worker red has left"));
    assert!(!hall.log("director").contains("lost"), "{}", hall.log("director"));
}

#[test]
fn workers_of_other_machines_are_spoken_to_by_https_alone() {
    let cup = Cup::new(&league(2));
    let (status, _, err) = cup.run(&["run", "cup.toml", "--workers", "0.0.0.0:0"]);
    assert_eq!(status, 2);
    assert!(
        err.contains("workers on other machines are spoken to by HTTPS; give --tls-cert and --tls-key"),
        "{err}"
    );
}
