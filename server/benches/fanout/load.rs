//! Load generator: one thread that publishes lines and reads every websocket.

use std::io::{self, Read, Write};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use memchr::memmem;
use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};

use crate::process::ServerProcess;

/// Maximum number of sockets that are connecting at once.
const CONNECTING: usize = 256;
/// Length of a line in bytes, including its end.
const LINE: usize = 60;
/// Prefix of the time in a line.
const MARK: &[u8] = b"T#";
/// Longer than any part takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// One spectator.
struct Watcher {
    stream: TcpStream,
    /// Bytes of an incomplete frame.
    held: Vec<u8>,
    /// Whether the handshake is over and the first frame has arrived.
    joined: bool,
    stalled: bool,
    /// Number of lines received.
    lines: u64,
}

/// All spectators and the publisher of one match.
pub(crate) struct Load {
    poll: Poll,
    watchers: Vec<Watcher>,
    publisher: std::net::TcpStream,
    chunk: Vec<u8>,
    began: Instant,
    /// Time until all had joined, from the first connect.
    pub(crate) joining: Duration,
    /// Delays from the sending of a line to its reading, in microseconds.
    pub(crate) delays: Vec<u32>,
    pub(crate) deliveries: u64,
    /// Number of frames that were scenes.
    pub(crate) scenes: u64,
    joined: usize,
    /// Number of polls for readable sockets.
    pub(crate) polls: u64,
}

impl Load {
    /// Begins a match and has `spectators` join it.
    pub(crate) fn start(server: &ServerProcess, kind: &str, spectators: usize) -> Self {
        let own = kind == "grandstand";
        let before = if own { newest_match(server.http) } else { None };
        let mut publisher = std::net::TcpStream::connect(server.lines).unwrap();
        publisher.set_nodelay(true).unwrap();
        let path = if own {
            publisher.write_all(b"turns 1\n").unwrap();
            let id = loop {
                match newest_match(server.http) {
                    Some(id) if Some(&id) != before.as_ref() => break id,
                    _ => std::thread::sleep(Duration::from_millis(2)),
                }
            };
            format!("/api/matches/{id}/live")
        } else {
            "/".to_owned()
        };
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            server.http
        );
        let mut load = Self {
            poll: Poll::new().unwrap(),
            watchers: Vec::with_capacity(spectators),
            publisher,
            chunk: vec![0; 256 * 1024],
            began: Instant::now(),
            joining: Duration::ZERO,
            delays: Vec::new(),
            deliveries: 0,
            scenes: 0,
            joined: 0,
            polls: 0,
        };
        let began = Instant::now();
        while load.joined < spectators {
            while load.watchers.len() < spectators && load.watchers.len() - load.joined < CONNECTING {
                load.connect(server.http, request.as_bytes());
            }
            load.read_ready(Duration::from_millis(100));
            assert!(began.elapsed() < PATIENCE, "{} of {spectators} joined", load.joined);
        }
        load.joining = began.elapsed();
        load
    }

    fn connect(&mut self, address: SocketAddr, request: &[u8]) {
        // A connect to loopback never blocks while the backlog has room.
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        stream.write_all(request).unwrap();
        stream.set_nonblocking(true).unwrap();
        let mut stream = TcpStream::from_std(stream);
        self.poll.registry().register(&mut stream, Token(self.watchers.len()), Interest::READABLE).unwrap();
        self.watchers.push(Watcher { stream, held: Vec::new(), joined: false, stalled: false, lines: 0 });
    }

    /// Stops reading the last spectator's socket, with a small receive buffer so that the stall is noticed soon.
    pub(crate) fn stall_last(&mut self) {
        let last = self.watchers.last_mut().unwrap();
        last.stalled = true;
        socket2::SockRef::from(&last.stream).set_recv_buffer_size(4096).unwrap();
    }

    /// Resumes reading the last spectator's socket.
    pub(crate) fn wake_last(&mut self) {
        let last = self.watchers.len() - 1;
        self.watchers[last].stalled = false;
        self.read(last);
    }

    fn now(&self) -> u64 {
        self.began.elapsed().as_nanos() as u64 / 1000
    }

    fn publish(&mut self, count: usize) {
        let time = self.now();
        let line = format!("bsay T#{time:012} {}", "x".repeat(LINE));
        let lines = format!("{}\n", &line[..LINE - 1]).repeat(count);
        self.publisher.write_all(lines.as_bytes()).unwrap();
    }

    /// Publishes a line `rate` times a second for `length`, reads meanwhile, and until all spectators have the lines.
    pub(crate) fn publish_paced(&mut self, rate: u32, length: Duration) {
        self.reset();
        let began = Instant::now();
        let period = Duration::from_secs(1) / rate;
        let mut sent = 0;
        while began.elapsed() < length {
            let due = began + period * sent;
            let now = Instant::now();
            if now >= due {
                self.publish(1);
                sent += 1;
            } else {
                self.read_ready(due - now);
            }
        }
        self.read_until(u64::from(sent));
    }

    /// Keeps `window` lines in flight, each until every spectator has it, for `length`; returns the lines a second.
    pub(crate) fn publish_window(&mut self, window: usize, length: Duration) -> f64 {
        self.reset();
        let began = Instant::now();
        let mut sent = 0;
        while began.elapsed() < length {
            self.publish(window);
            sent += window as u64;
            self.read_until(sent);
        }
        sent as f64 / began.elapsed().as_secs_f64()
    }

    /// Reads without publishing for a while.
    pub(crate) fn rest(&mut self, length: Duration) {
        let began = Instant::now();
        while began.elapsed() < length {
            self.read_ready(length.saturating_sub(began.elapsed()));
        }
    }

    fn reset(&mut self) {
        self.delays.clear();
        self.deliveries = 0;
        self.scenes = 0;
        self.polls = 0;
        self.watchers.iter_mut().for_each(|w| w.lines = 0);
    }

    /// Reads until every active spectator has `lines`, or a scene has replaced some.
    fn read_until(&mut self, lines: u64) {
        let began = Instant::now();
        let readers = self.watchers.iter().filter(|w| !w.stalled).count() as u64;
        while self.deliveries < readers * lines && self.scenes == 0 {
            self.read_ready(Duration::from_millis(200));
            assert!(began.elapsed() < PATIENCE, "{} of {} deliveries", self.deliveries, readers * lines);
        }
    }

    fn read_ready(&mut self, patience: Duration) {
        let mut events = Events::with_capacity(1024);
        self.polls += 1;
        match self.poll.poll(&mut events, Some(patience)) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return,
            other => other.unwrap(),
        }
        for event in &events {
            self.read(event.token().0);
        }
    }

    fn read(&mut self, index: usize) {
        let watcher = &mut self.watchers[index];
        if watcher.stalled {
            return;
        }
        loop {
            let n = match watcher.stream.read(&mut self.chunk) {
                Ok(0) => return,
                Ok(n) => n,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(error) => panic!("spectator {index}: {error}"),
            };
            let now = self.began.elapsed().as_nanos() as u64 / 1000;
            let bytes = if watcher.held.is_empty() {
                &self.chunk[..n]
            } else {
                watcher.held.extend_from_slice(&self.chunk[..n]);
                &watcher.held[..]
            };
            let mut rest = bytes;
            if !watcher.joined {
                match memmem::find(rest, b"\r\n\r\n").filter(|at| rest.len() > at + 4) {
                    Some(at) => {
                        assert!(rest.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(rest));
                        rest = &rest[at + 4..];
                        watcher.joined = true;
                        self.joined += 1;
                    }
                    None => {
                        watcher.held = rest.to_vec();
                        continue;
                    }
                }
            }
            while let Some((payload, after)) = frame(rest) {
                rest = after;
                let mut first = true;
                for at in memmem::find_iter(payload, MARK) {
                    if payload.starts_with(b"{\"type\":\"scene\"") {
                        self.scenes += 1;
                        break;
                    }
                    if std::mem::take(&mut first) {
                        let digits = std::str::from_utf8(&payload[at + 2..at + 14]).unwrap();
                        self.delays.push((now - digits.parse::<u64>().unwrap()) as u32);
                    }
                    watcher.lines += 1;
                    self.deliveries += 1;
                }
            }
            watcher.held = rest.to_vec();
            if n < self.chunk.len() {
                return;
            }
        }
    }

    /// A percentile of the delays, in microseconds.
    pub(crate) fn percentile(&mut self, percent: f64) -> f64 {
        self.delays.sort_unstable();
        let index =
            ((self.delays.len() as f64 * percent / 100.0) as usize).min(self.delays.len().saturating_sub(1));
        self.delays.get(index).map_or(f64::NAN, |d| f64::from(*d))
    }
}

/// The payload of the first whole frame, and the bytes after it.
fn frame(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (header, len) = match *bytes.get(1)? {
        126 => (4, u16::from_be_bytes(bytes.get(2..4)?.try_into().ok()?) as usize),
        127 => (10, u64::from_be_bytes(bytes.get(2..10)?.try_into().ok()?) as usize),
        len => (2, len as usize),
    };
    Some((bytes.get(header..header + len)?, &bytes[header + len..]))
}

/// The id of the newest match.
fn newest_match(http: SocketAddr) -> Option<String> {
    let (_, body) = get(http, "/api/matches?limit=1");
    let list: serde_json::Value = serde_json::from_str(&body).unwrap();
    list[0]["id"].as_str().map(str::to_owned)
}

/// The value of a metric of the server.
pub(crate) fn metric(http: SocketAddr, name: &str) -> f64 {
    let (_, text) = get(http, "/metrics");
    let line = text.lines().find(|line| line.starts_with(name)).unwrap();
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

fn get(http: SocketAddr, path: &str) -> (String, String) {
    let mut stream = std::net::TcpStream::connect(http).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {http}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_owned(), body.to_owned())
}
