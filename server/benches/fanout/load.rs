//! Load generator: one thread that publishes lines and reads every websocket.

use std::io::{self, Read, Write};
use std::os::fd::AsRawFd as _;
use std::time::{Duration, Instant};

use memchr::memmem;
use mio::unix::SourceFd;
use mio::{Events, Interest, Poll, Token};

use crate::process::{Connection, ServerProcess};

/// Maximum number of sockets that are connecting at once.
const CONNECTING: usize = 256;
/// Length of a line in bytes, including its end.
const LINE: usize = 60;
/// Prefix of the time in a line.
const MARK: &[u8] = b"T#";
/// Longer than any part takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// What spectators speak.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wire {
    Websocket,
    /// The client protocol of NATS.
    Nats,
}

impl Wire {
    /// The end of the handshake, after which frames follow.
    fn end(self) -> &'static [u8] {
        match self {
            Self::Websocket => b"\r\n\r\n",
            Self::Nats => b"PONG\r\n",
        }
    }

    /// The payload of the first whole frame, and the bytes after it.
    fn frame(self, bytes: &[u8]) -> Option<(&[u8], &[u8])> {
        match self {
            Self::Websocket => frame(bytes),
            Self::Nats => {
                let end = memmem::find(bytes, b"\r\n")?;
                let (line, rest) = (&bytes[..end], &bytes[end + 2..]);
                if !line.starts_with(b"MSG ") {
                    return Some((&[], rest));
                }
                let length = line.rsplit(|byte| *byte == b' ').next()?;
                let length: usize = std::str::from_utf8(length).ok()?.parse().ok()?;
                Some((rest.get(..length)?, rest.get(length + 2..)?))
            }
        }
    }
}

/// One spectator.
struct Watcher {
    connection: Connection,
    since: Instant,
    /// Time from its connect to its first scene.
    picture: Option<Duration>,
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
    wire: Wire,
    request: Vec<u8>,
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
    /// Number of spectators, the first ones, whose delays are measured.
    timed: usize,
    /// Number of polls for readable sockets.
    pub(crate) polls: u64,
}

impl Load {
    /// Begins a match and has `spectators` join it.
    pub(crate) fn start(server: &ServerProcess, kind: &str, spectators: usize) -> Self {
        Self::after(server, kind, spectators, 1)
    }

    /// The same with a match that has so many commands already.
    pub(crate) fn after(server: &ServerProcess, kind: &str, spectators: usize, commands: u64) -> Self {
        let own = is_own(kind);
        let before = if own { newest_match(server) } else { None };
        let mut publisher = std::net::TcpStream::connect(server.lines).unwrap();
        publisher.set_nodelay(true).unwrap();
        let path = if own {
            for chunk in (1..=commands).collect::<Vec<u64>>().chunks(10_000) {
                let lines: String = chunk.iter().map(|turn| format!("turns {turn}\n")).collect();
                publisher.write_all(lines.as_bytes()).unwrap();
            }
            let began = Instant::now();
            let id = loop {
                assert!(began.elapsed() < PATIENCE, "the match does not have its commands");
                match newest_match(server).filter(|(_, seq)| *seq >= commands) {
                    Some(found) if before.as_ref().is_none_or(|before| before.0 != found.0) => break found.0,
                    _ => std::thread::sleep(Duration::from_millis(2)),
                }
            };
            format!("/api/matches/{id}/live")
        } else {
            "/".to_owned()
        };
        let wire = if kind == "nats" { Wire::Nats } else { Wire::Websocket };
        let request = match wire {
            Wire::Websocket => format!(
                "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                 Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            ),
            Wire::Nats => "CONNECT {\"verbose\":false}\r\nSUB bench 1\r\nPING\r\n".to_owned(),
        };
        let mut load = Self {
            poll: Poll::new().unwrap(),
            wire,
            request: request.into_bytes(),
            watchers: Vec::with_capacity(spectators),
            publisher,
            chunk: vec![0; 256 * 1024],
            began: Instant::now(),
            joining: Duration::ZERO,
            delays: Vec::new(),
            deliveries: 0,
            scenes: 0,
            joined: 0,
            timed: usize::MAX,
            polls: 0,
        };
        let began = Instant::now();
        while load.joined < spectators {
            while load.watchers.len() < spectators && load.watchers.len() - load.joined < CONNECTING {
                load.connect(server);
            }
            load.read_ready(Duration::from_millis(100));
            assert!(began.elapsed() < PATIENCE, "{} of {spectators} joined", load.joined);
        }
        load.joining = began.elapsed();
        load
    }

    fn connect(&mut self, server: &ServerProcess) {
        let since = Instant::now();
        // A connect to loopback never blocks while the backlog has room.
        let mut connection = server.connect(self.watchers.len());
        connection.write_all(&self.request).unwrap();
        connection.flush().unwrap();
        connection.stream.set_nonblocking(true).unwrap();
        let socket = connection.stream.as_raw_fd();
        let token = Token(self.watchers.len());
        self.poll.registry().register(&mut SourceFd(&socket), token, Interest::READABLE).unwrap();
        self.watchers.push(Watcher {
            connection,
            since,
            picture: None,
            held: Vec::new(),
            joined: false,
            stalled: false,
            lines: 0,
        });
        // Its first bytes may have been decrypted already.
        self.read(self.watchers.len() - 1);
    }

    /// Has `spectators` more join within `length`, while `rate` lines a second are published. The delays of the lines are
    /// those of the spectators that were there before. Returns the times to the first scene, in milliseconds.
    pub(crate) fn crowd(
        &mut self,
        server: &ServerProcess,
        spectators: usize,
        rate: u32,
        length: Duration,
    ) -> Vec<f64> {
        self.reset();
        let here = self.watchers.len();
        self.timed = here;
        let began = Instant::now();
        let mut sent = 0;
        loop {
            let passed = began.elapsed();
            let due = (spectators as f64 * passed.as_secs_f64() / length.as_secs_f64()) as usize;
            while self.watchers.len() - here < due.min(spectators) {
                self.connect(server);
            }
            if passed.as_secs_f64() * f64::from(rate) >= f64::from(sent) && passed < length {
                self.publish(1);
                sent += 1;
            }
            let all = self.watchers.len() == here + spectators;
            if all && self.watchers[here..].iter().all(|watcher| watcher.picture.is_some()) {
                break;
            }
            assert!(passed < PATIENCE, "not everybody has a picture");
            self.read_ready(Duration::from_millis(1));
        }
        self.timed = usize::MAX;
        let pictures = self.watchers[here..].iter().filter_map(|watcher| watcher.picture);
        let mut pictures: Vec<f64> = pictures.map(|picture| picture.as_secs_f64() * 1e3).collect();
        pictures.sort_unstable_by(f64::total_cmp);
        pictures
    }

    /// Stops reading the last spectator's socket, with a small receive buffer so that the stall is noticed soon.
    pub(crate) fn stall_last(&mut self) {
        let last = self.watchers.last_mut().unwrap();
        last.stalled = true;
        socket2::SockRef::from(&last.connection.stream).set_recv_buffer_size(4096).unwrap();
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
            let n = match watcher.connection.read(&mut self.chunk) {
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
                let end = self.wire.end();
                let is_there = |at: &usize| rest.len() > at + end.len() || self.wire == Wire::Nats;
                match memmem::find(rest, end).filter(is_there) {
                    Some(at) => {
                        let begins = rest.starts_with(b"HTTP/1.1 101") || self.wire == Wire::Nats;
                        assert!(begins, "{}", String::from_utf8_lossy(rest));
                        rest = &rest[at + end.len()..];
                        watcher.joined = true;
                        self.joined += 1;
                    }
                    None => {
                        watcher.held = rest.to_vec();
                        continue;
                    }
                }
            }
            while let Some((payload, after)) = self.wire.frame(rest) {
                rest = after;
                if watcher.picture.is_none() && payload.starts_with(b"{\"type\":\"scene\"") {
                    watcher.picture = Some(watcher.since.elapsed());
                }
                let mut first = true;
                for at in memmem::find_iter(payload, MARK) {
                    if payload.starts_with(b"{\"type\":\"scene\"") {
                        self.scenes += 1;
                        break;
                    }
                    if std::mem::take(&mut first) && index < self.timed {
                        let digits = std::str::from_utf8(&payload[at + 2..at + 14]).unwrap();
                        self.delays.push((now - digits.parse::<u64>().unwrap()) as u32);
                    }
                    watcher.lines += 1;
                    self.deliveries += 1;
                }
            }
            watcher.held = rest.to_vec();
            // What was decrypted may be less than the socket has.
            if n < self.chunk.len() && watcher.connection.tls.is_none() {
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

/// Whether a kind is this program.
pub(crate) fn is_own(kind: &str) -> bool {
    matches!(kind, "grandstand" | "tls" | "relay" | "relays")
}

/// The id of the match that is the newest one of every relay, and the number of its last command.
fn newest_match(server: &ServerProcess) -> Option<(String, u64)> {
    let of = |at: usize| {
        let list: serde_json::Value = serde_json::from_str(&server.get(at, "/api/matches?limit=1")).ok()?;
        Some((list[0]["id"].as_str()?.to_owned(), list[0]["seq"].as_u64()?))
    };
    let all = (0..server.http.len()).map(of).collect::<Option<Vec<_>>>()?;
    let is_one = all.windows(2).all(|pair| pair[0].0 == pair[1].0);
    all.into_iter().min_by_key(|(_, seq)| *seq).filter(|_| is_one)
}
