//! Spectators that go from server to server with the number that they have, and check what they are sent.

use std::fmt;
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use grandstand_testing::http;
use serde_json::Value;
use tokio_tungstenite::tungstenite::{self, Message, WebSocket};

use crate::PATIENCE;

/// Silence after which a spectator goes to another server.
const SILENCE: Duration = Duration::from_secs(3);
/// Time for which a match is looked for after its spectator lost it.
const LOST: Duration = Duration::from_secs(20);

/// What spectators have seen.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) commands: u64,
    resyncs: u64,
    matches: u64,
    connections: u64,
}

impl Seen {
    pub(crate) fn add(&mut self, other: Self) {
        self.commands += other.commands;
        self.resyncs += other.resyncs;
        self.matches += other.matches;
        self.connections += other.connections;
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { commands, resyncs, matches, connections } = self;
        write!(f, "{matches} watched by {connections} connections: {commands} commands, {resyncs} resyncs")
    }
}

/// A spectator.
pub(crate) struct Spectator {
    servers: Vec<SocketAddr>,
    /// The server that is next.
    at: usize,
    seen: Seen,
}

/// The newest live match of a server.
fn live(server: SocketAddr, number: usize) -> Option<String> {
    let list = list(server)?;
    let live: Vec<&Value> = list.iter().filter(|entry| entry["state"] == "live").collect();
    Some(live.get(number % live.len().max(1))?["id"].as_str()?.to_owned())
}

fn list(server: SocketAddr) -> Option<Vec<Value>> {
    let stream = TcpStream::connect(server).ok()?;
    stream.set_read_timeout(Some(SILENCE)).ok()?;
    let answer = http::exchange(stream, &http::get_request(&server.to_string(), "/api/matches"));
    serde_json::from_str(&answer.body).ok()
}

/// Opens a websocket; `None` if the server does not have the match now.
fn open(server: SocketAddr, id: &str, next: u64) -> Option<WebSocket<TcpStream>> {
    let stream = TcpStream::connect(server).ok()?;
    stream.set_read_timeout(Some(SILENCE)).ok()?;
    let url = format!("ws://{server}/api/matches/{id}/live?since={}", next - 1);
    tungstenite::client(url, stream).ok().map(|(socket, _)| socket)
}

/// How a connection ended.
#[derive(PartialEq, Eq)]
enum Left {
    /// The match is over.
    Over,
    /// Elsewhere it may go on.
    Broken,
}

impl Spectator {
    pub(crate) fn new(servers: Vec<SocketAddr>, number: usize) -> Self {
        Self { servers, at: number, seen: Seen::default() }
    }

    /// Watches one match after another.
    pub(crate) fn watch_until(mut self, over: &AtomicBool) -> Seen {
        while !over.load(Ordering::Relaxed) {
            self.at += 1;
            let server = self.servers[self.at % self.servers.len()];
            let Some(id) = live(server, self.at) else {
                thread::sleep(Duration::from_millis(100));
                continue;
            };
            self.seen.matches += 1;
            let (mut next, mut lost) = (1, Instant::now());
            while !over.load(Ordering::Relaxed) && lost.elapsed() < LOST {
                let before = next;
                if self.connection(&id, &mut next, over) == Left::Over {
                    break;
                }
                if next > before {
                    lost = Instant::now();
                }
                self.at += 1;
                thread::sleep(Duration::from_millis(100));
            }
        }
        self.seen
    }

    /// One connection to the next server; `next` is the number of the command that comes next.
    fn connection(&mut self, id: &str, next: &mut u64, over: &AtomicBool) -> Left {
        let server = self.servers[self.at % self.servers.len()];
        let Some(mut socket) = open(server, id, *next) else { return Left::Broken };
        self.seen.connections += 1;
        let began = Instant::now();
        while !over.load(Ordering::Relaxed) {
            let message = match socket.read() {
                Ok(Message::Text(text)) => serde_json::from_str::<Value>(&text).unwrap(),
                Ok(Message::Close(_)) | Err(_) => return Left::Broken,
                Ok(_) => continue,
            };
            let seq = message["seq"].as_u64().unwrap_or_default();
            match message["type"].as_str().unwrap() {
                "scene" => {
                    assert!(seq + 1 >= *next, "{server}: a scene of {seq} where {next} should come");
                    assert_eq!(
                        message["scene"]["turns"], seq,
                        "{server}: the scene has what the commands drew"
                    );
                    *next = seq + 1;
                    self.seen.resyncs += 1;
                }
                "commands" => {
                    let commands = message["commands"].as_array().unwrap();
                    let last = seq + commands.len() as u64 - 1;
                    assert!(
                        seq <= *next && last >= *next,
                        "{server}: {seq} to {last} where {next} should come"
                    );
                    let values = commands.iter().map(|command| command["value"].as_u64().unwrap());
                    assert!(values.eq(seq..=last), "{server}: {message:.300}");
                    self.seen.commands += last + 1 - *next;
                    *next = last + 1;
                }
                "end" => {
                    assert_eq!(seq + 1, *next, "{server}: the last command");
                    return Left::Over;
                }
                "error" => return Left::Broken,
                _ => {}
            }
            // Now and then elsewhere, without a reason.
            if began.elapsed() > 3 * SILENCE {
                return Left::Broken;
            }
        }
        Left::Over
    }

    /// Waits until a server has a live match of this title.
    pub(crate) fn wait_for(server: SocketAddr, title: &str, patience: Duration) {
        let until = Instant::now() + patience;
        loop {
            let found = list(server).unwrap_or_default();
            // Origins have their own matches only.
            if found.iter().any(|entry| entry["title"] == title && entry["state"] == "live")
                || !found.iter().any(|entry| entry["origin"].is_object())
            {
                return;
            }
            assert!(Instant::now() < until, "{server} does not show {title}: {found:?}");
            thread::sleep(Duration::from_millis(200));
        }
    }
}

/// A spectator that comes late sees a match that is over from its first to its last command, wherever it is shown.
pub(crate) fn sees_all(server: SocketAddr, title: &str, last: u64) {
    let is_here = |entry: &&Value| entry["title"] == title;
    let until = Instant::now() + PATIENCE;
    let id = loop {
        let found = list(server).unwrap_or_default();
        match found.iter().find(is_here) {
            Some(entry) if entry["state"] != "live" => break entry["id"].as_str().unwrap().to_owned(),
            // Origins have their own matches only.
            None if !found.is_empty() && !found.iter().any(|entry| entry["origin"].is_object()) => return,
            _ => {}
        }
        assert!(Instant::now() < until, "{server} does not show {title} as over: {found:?}");
        thread::sleep(Duration::from_millis(200));
    };
    let began = Instant::now();
    let mut next = 1;
    let mut spectator = Spectator::new(vec![server], 0);
    while spectator.connection(&id, &mut next, &AtomicBool::new(false)) == Left::Broken {
        assert!(began.elapsed() < PATIENCE, "{server} shows {title} up to {next} of {last}");
        thread::sleep(Duration::from_millis(100));
    }
    assert_eq!((next, spectator.seen.resyncs), (last + 1, 0), "{server} shows all of {title}");
}
