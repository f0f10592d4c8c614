//! Faults, each for a few seconds. A fault's own connections may fail in any way, but what they receive of the steady
//! match must be correct.

use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use grandstand_protocol::Message;
use grandstand_rules::SplitMix64;
use grandstand_testing::process::signal;
use rustix::process::Signal;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::spectator::Spectator;
use crate::steady::{GAME, Steady};

/// Time limit of a fault's own connection: the server may be stopped, or have no descriptor for it.
const TRIES: Duration = Duration::from_secs(5);

/// The server under test, and the match that must not be affected.
pub(crate) struct Ground {
    pub(crate) lines: SocketAddr,
    pub(crate) http: SocketAddr,
    /// The server's process.
    pub(crate) server: u32,
    /// The steady match.
    pub(crate) id: String,
    pub(crate) steady: Arc<Steady>,
    /// Maximum size of a file that the server may write.
    pub(crate) file_bytes: u64,
    /// Maximum number of descriptors of the server.
    pub(crate) descriptors: u64,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Fault {
    /// Many spectators connect at once, and are killed.
    Crowd,
    /// Spectators with small buffers stop reading for a while.
    Stalled,
    /// A client requests all history, repeatedly.
    Readers,
    /// More connections than the server has descriptors.
    Descriptors,
    /// A game server is stopped, continued, and killed.
    KilledFeed,
    /// A recording reaches the size limit of its file.
    FullDisk,
    /// Random bytes, requests that never end, lines without an end.
    Noise,
    /// The server is stopped and continued, so that its clocks jump.
    ClockJump,
}

impl Fault {
    pub(crate) const ALL: [Self; 8] = [
        Self::Crowd,
        Self::Stalled,
        Self::Readers,
        Self::Descriptors,
        Self::KilledFeed,
        Self::FullDisk,
        Self::Noise,
        Self::ClockJump,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Crowd => "a crowd comes and dies",
            Self::Stalled => "spectators stall",
            Self::Readers => "history is read",
            Self::Descriptors => "the descriptors are used up",
            Self::KilledFeed => "a game server is killed",
            Self::FullDisk => "a recording has no room",
            Self::Noise => "noise on both ports",
            Self::ClockJump => "the clock jumps",
        }
    }

    pub(crate) async fn strike(self, ground: Arc<Ground>, mut random: SplitMix64) {
        match self {
            Self::Crowd => ground.crowd(&mut random).await,
            Self::Stalled => ground.stalled(&mut random).await,
            Self::Readers => ground.readers(&mut random).await,
            Self::Descriptors => ground.descriptors(&mut random).await,
            Self::KilledFeed => ground.killed_feed(&mut random).await,
            Self::FullDisk => ground.full_disk().await,
            Self::Noise => ground.noise(&mut random).await,
            Self::ClockJump => ground.clock_jump(&mut random).await,
        }
    }
}

fn millis(random: &mut SplitMix64, most: u64) -> Duration {
    Duration::from_millis(random.below(most))
}

impl Ground {
    async fn crowd(&self, random: &mut SplitMix64) {
        let mut crowd = JoinSet::new();
        for _ in 0..20 + random.below(80) {
            let query = if random.below(4) == 0 { "?since=0" } else { "" };
            let (http, id, steady) = (self.http, self.id.clone(), self.steady.clone());
            let stays = millis(random, 2_000);
            crowd.spawn(async move {
                if let Ok(Ok(mut one)) = timeout(TRIES, Spectator::join(http, &id, steady, query)).await {
                    // The websocket is closed, or the time is over.
                    let _ = timeout(stays, one.watch()).await;
                    one.die();
                }
            });
        }
        all(crowd).await;
    }

    async fn stalled(&self, random: &mut SplitMix64) {
        let mut crowd = JoinSet::new();
        for _ in 0..5 + random.below(15) {
            let query = if random.below(2) == 0 { "?since=0" } else { "" };
            let (http, id, steady) = (self.http, self.id.clone(), self.steady.clone());
            let stalls = millis(random, 6_000);
            crowd.spawn(async move {
                let socket = TcpSocket::new_v4().unwrap();
                socket.set_recv_buffer_size(1024).unwrap();
                let Ok(Ok(stream)) = timeout(TRIES, socket.connect(http)).await else { return };
                let joined = timeout(TRIES, Spectator::on(stream, http, &id, steady, query)).await;
                if let Ok(Ok(mut one)) = joined {
                    sleep(stalls).await;
                    // Messages that are read late must be complete too, as far as they go.
                    let _ = timeout(Duration::from_secs(1), one.watch()).await;
                    one.die();
                }
            });
        }
        all(crowd).await;
    }

    async fn readers(&self, random: &mut SplitMix64) {
        let mut crowd = JoinSet::new();
        for _ in 0..10 {
            let from = 1 + random.below(10_000);
            let to = from + random.below(3_000);
            let (http, id) = (self.http, self.id.clone());
            let path = match random.below(4) {
                0 => "/api/matches?limit=1000".to_owned(),
                1 => format!("/api/matches/{id}/replay"),
                _ => format!("/api/matches/{id}/commands?from={from}&to={to}"),
            };
            crowd.spawn(async move {
                let body = timeout(TRIES, get(http, &path)).await.ok().and_then(Result::ok);
                if let Some(body) = body.filter(|_| path.contains("commands")) {
                    are_commands(&body, from);
                }
            });
        }
        all(crowd).await;
    }

    async fn descriptors(&self, random: &mut SplitMix64) {
        let mut crowd = JoinSet::new();
        let stay = millis(random, 3_000);
        for _ in 0..self.descriptors + 50 {
            let port = if random.below(3) == 0 { self.lines } else { self.http };
            crowd.spawn(async move {
                if let Ok(Ok(_held)) = timeout(TRIES, TcpStream::connect(port)).await {
                    sleep(stay).await;
                }
            });
        }
        all(crowd).await;
    }

    async fn killed_feed(&self, random: &mut SplitMix64) {
        let seed = random.below(100).to_string();
        let bridge = self.lines.to_string();
        let mut game = Command::new(env!("CARGO_BIN_EXE_grandstand"));
        game.args([
            "play", "abalone", "random", "random", "--pace", "0.01", "--seed", &seed, "--bridge", &bridge,
        ]);
        let mut game = game.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        sleep(millis(random, 2_000)).await;
        if random.below(2) == 0 && game.try_wait().unwrap().is_none() {
            signal(Signal::STOP, game.id());
            sleep(millis(random, 2_000)).await;
            signal(Signal::CONT, game.id());
            sleep(millis(random, 500)).await;
        }
        // The process gets SIGKILL, or has ended by itself for lack of a connection.
        let _ = game.kill();
        game.wait().unwrap();
    }

    async fn full_disk(&self) {
        let Ok(Ok(mut stream)) = timeout(TRIES, TcpStream::connect(self.lines)).await else { return };
        let said = format!("bsay {}\n", "x".repeat(4_000)).repeat(16);
        let greedy = async {
            let mut written = 0;
            while written < self.file_bytes + self.file_bytes / 4 {
                stream.write_all(said.as_bytes()).await?;
                written += said.len() as u64;
            }
            stream.shutdown().await
        };
        // The server may have no descriptor for this connection.
        let _ = timeout(4 * TRIES, greedy).await;
    }

    async fn noise(&self, random: &mut SplitMix64) {
        let mut crowd = JoinSet::new();
        for _ in 0..10 {
            let port = if random.below(2) == 0 { self.lines } else { self.http };
            let mut bytes = match random.below(5) {
                0 => vec![b'x'; 70_000],
                1 => b"GET /api/matches HTTP/1.1\r\nHost: ".to_vec(),
                2 => b"set B~2 w4\n#gs result {\n\xff\xfe\nset".to_vec(),
                3 => format!(
                    "GET /api/matches/{}/live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                     Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                    self.id
                )
                .into_bytes(),
                _ => Vec::new(),
            };
            bytes.extend((0..random.below(300)).map(|_| random.next_u64() as u8));
            let stays = millis(random, 4_000);
            crowd.spawn(async move {
                let Ok(Ok(mut stream)) = timeout(TRIES, TcpStream::connect(port)).await else { return };
                // The connection may be closed at any byte.
                let _ = timeout(TRIES, stream.write_all(&bytes)).await;
                sleep(stays).await;
            });
        }
        all(crowd).await;
    }

    async fn clock_jump(&self, random: &mut SplitMix64) {
        // Sometimes longer than any timeout of the server.
        let jump = if random.below(8) == 0 { Duration::from_secs(7) } else { millis(random, 500) };
        signal(Signal::STOP, self.server);
        sleep(jump).await;
        signal(Signal::CONT, self.server);
    }
}

async fn all(mut tasks: JoinSet<()>) {
    while let Some(ended) = tasks.join_next().await {
        ended.unwrap();
    }
}

/// The body of a response with status 200.
async fn get(http: SocketAddr, path: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(http).await?;
    // HTTP/1.0, so that the body is not chunked.
    stream.write_all(format!("GET {path} HTTP/1.0\r\nHost: {http}\r\n\r\n").as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_default();
    Ok(if head.contains(" 200 ") { body.to_owned() } else { String::new() })
}

/// Checks that the body is whole messages with the drawn commands from `next` on.
fn are_commands(body: &str, mut next: u64) {
    // Cut off, or an error.
    let Ok(messages) = serde_json::from_str::<Vec<Value>>(body) else { return };
    for message in messages {
        let message = Message::from_json(Some(GAME), &message.to_string()).unwrap();
        let Message::Commands { seq, commands, .. } = message else { panic!("{message:?}") };
        assert_eq!(seq, next, "history");
        for command in commands {
            assert_eq!(command, Steady::command(next), "command {next}");
            next += 1;
        }
    }
}
