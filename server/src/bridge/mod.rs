//! The text-line port: one connection is one match.
//!
//! Bytes are decoded as leniently as the protocol allows; every line that draws or is not understood goes to the hub.
//! Past a limit only that connection is closed, and the log says so. A connection that begins with an HTTP request is
//! closed too: a web page can have its visitor's browser send one, with lines of a match behind it. Nothing is ever
//! written to a peer that has not announced seats.

mod outbox;
mod unknown_lines;

use std::cell::RefCell;
use std::io::{self, Read as _};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use grandstand_protocol::{Command, Decoder, Event, Limits, MatchResult, Seat};
use socket2::SockRef;
use tokio::io::Interest;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tracing::{debug, info, warn};

use self::outbox::Outbox;
use self::unknown_lines::UnknownLines;
use crate::config::LineLimits;
use crate::hub::{FeedEnd, Hub, Publisher};
use crate::limits::connections::{ConnectionLimit, Permit, Port};
use crate::shutdown::until_stop;
use grandstand_players::throttle::Throttle;

/// Read buffer size in bytes.
const READ_BYTES: usize = 64 * 1024;
/// Bytes read from one connection before it yields to other tasks.
const TURN_BYTES: usize = 256 * 1024;
/// Time that a peer has to close the connection after its result.
const HANG_UP: Duration = Duration::from_secs(10);

thread_local! {
    /// Read buffer shared by the connections of a thread: an idle connection has none.
    static SCRATCH: RefCell<Box<[u8]>> = RefCell::new(vec![0; READ_BYTES].into_boxed_slice());
}

/// The listener of text lines.
#[derive(Debug)]
pub(crate) struct Bridge {
    hub: Arc<Hub>,
    limits: LineLimits,
    connection_limit: Arc<ConnectionLimit>,
    stopping: watch::Receiver<bool>,
}

impl Bridge {
    pub(crate) fn new(hub: Arc<Hub>, limits: LineLimits, stopping: watch::Receiver<bool>) -> Arc<Self> {
        let connection_limit = ConnectionLimit::new(limits.connections, limits.connections_per_address);
        Arc::new(Self { hub, limits, connection_limit, stopping })
    }

    /// Accepts connections until the server stops, then waits for the open ones.
    pub(crate) async fn serve(self: Arc<Self>, listener: TcpListener) {
        let mut stopping = self.stopping.clone();
        let mut connections = tokio::task::JoinSet::new();
        let (limit, refused) = (&self.connection_limit, &self.hub.metrics().line_refused);
        let port = Port { connection: "a text-line connection", limit, refused };
        while let Some((stream, peer, permit)) = port.accept(&listener, &mut stopping).await {
            // Removes the tasks that have ended.
            while connections.try_join_next().is_some() {}
            connections.spawn(self.clone().connection(stream, peer, permit));
        }
        while connections.join_next().await.is_some() {}
    }

    async fn connection(self: Arc<Self>, stream: TcpStream, peer: SocketAddr, _permit: Permit) {
        let metrics = self.hub.metrics();
        metrics.line_connections.up();
        metrics.line_connections_total.add(1);
        // The kernel detects a peer that vanishes without closing, in about two minutes.
        let keepalive = socket2::TcpKeepalive::new()
            .with_time(Duration::from_secs(60))
            .with_interval(Duration::from_secs(15));
        let _ = SockRef::from(&stream).set_tcp_keepalive(&keepalive);
        let mut connection = Connection {
            bridge: &self,
            peer,
            stream,
            decoder: Decoder::new(Limits { line_bytes: self.limits.line_bytes, ..Limits::default() }),
            publisher: None,
            commands: Vec::new(),
            throttle: Throttle::new(self.limits.lines_per_second, Instant::now()),
            outbox: Outbox::default(),
            unknown_lines: UnknownLines::new(self.limits.unknown_logged),
        };
        let end = connection.run().await;
        let Connection { publisher, stream, unknown_lines, .. } = connection;
        match (publisher, &end) {
            (Some(publisher), _) => {
                let (commands, unknown) = (publisher.seq(), unknown_lines.count());
                info!(%peer, id = %publisher.id(), commands, unknown, %end, "a match is over");
                publisher.finish(end.clone().into());
            }
            (None, ConnectionEnd::Result(_)) => debug!(%peer, "hung up after its result"),
            (None, _) => debug!(%peer, %end, "a text-line connection ended without a match"),
        }
        if end == ConnectionEnd::Request {
            metrics.line_refused.add(1);
            warn!(%peer, "a request of HTTP on the text-line port is hung up on");
        } else if end.is_limit() {
            metrics.line_limit_closed.add(1);
            warn!(%peer, %end, "a text-line connection is closed for a limit");
        } else if let ConnectionEnd::Result(_) = end {
            let mut stopping = self.stopping.clone();
            tokio::select! {
                () = hang_up(&stream) => {}
                () = until_stop(&mut stopping) => {}
            }
        }
        metrics.line_connections.down();
    }
}

/// Reason for the end of a connection.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
enum ConnectionEnd {
    #[error("result: {}", .0.termination)]
    Result(MatchResult),
    #[error("the connection was closed in order")]
    Orderly,
    #[error("the connection broke: {0}")]
    Broken(String),
    #[error("the server stops")]
    Shutdown,
    #[error("no first line within {0:?}")]
    NoFirstLine(Duration),
    #[error("no line for {0:?}")]
    Idle(Duration),
    #[error("{0}")]
    Line(String),
    #[error("it speaks HTTP")]
    Request,
}

impl ConnectionEnd {
    fn is_limit(&self) -> bool {
        matches!(self, Self::NoFirstLine(_) | Self::Idle(_) | Self::Line(_))
    }
}

impl From<ConnectionEnd> for FeedEnd {
    fn from(ended: ConnectionEnd) -> Self {
        match ended {
            ConnectionEnd::Result(result) => Self::Result(result),
            ConnectionEnd::Orderly => Self::Orderly,
            ConnectionEnd::Shutdown => Self::Shutdown,
            ConnectionEnd::Broken(_)
            | ConnectionEnd::NoFirstLine(_)
            | ConnectionEnd::Idle(_)
            | ConnectionEnd::Line(_)
            | ConnectionEnd::Request => Self::Broken,
        }
    }
}

struct Connection<'a> {
    bridge: &'a Bridge,
    peer: SocketAddr,
    stream: TcpStream,
    decoder: Decoder,
    /// The match; `None` before the first line that is not blank.
    publisher: Option<Publisher>,
    /// Buffer of commands that arrived together, kept for its capacity.
    commands: Vec<Command>,
    throttle: Throttle,
    /// Requests to the peer, once it has announced seats.
    outbox: Outbox,
    unknown_lines: UnknownLines,
}

impl Connection<'_> {
    async fn run(&mut self) -> ConnectionEnd {
        let mut stopping = self.bridge.stopping.clone();
        let mut since = Instant::now();
        let mut turn = TURN_BYTES;
        loop {
            let limits = &self.bridge.limits;
            let idle = if self.publisher.is_some() { limits.idle } else { limits.first_line };
            let readable = tokio::select! {
                biased;
                // First, so that requests are also sent to a peer that never stops sending.
                never = self.outbox.send(&self.stream) => match never {},
                readable = self.stream.readable() => readable,
                () = until_stop(&mut stopping) => return ConnectionEnd::Shutdown,
                () = tokio::time::sleep_until((since + idle).into()) => {
                    return if self.publisher.is_some() { ConnectionEnd::Idle(idle) } else { ConnectionEnd::NoFirstLine(idle) };
                }
            };
            let read = readable.and_then(|()| SCRATCH.with_borrow_mut(|scratch| self.read(scratch)));
            let lines = match read {
                Ok(ReadOutcome::Blocked) => continue,
                Ok(ReadOutcome::Lines { lines, bytes }) => {
                    turn = turn.saturating_sub(bytes);
                    lines
                }
                Ok(ReadOutcome::ConnectionEnd(ended)) => return ended,
                Err(error) => return ConnectionEnd::Broken(error.to_string()),
            };
            if lines > 0 {
                since = Instant::now();
                let pause = self.throttle.take(lines, since);
                if !pause.is_zero() {
                    debug!(peer = %self.peer, ?pause, "too many lines a second");
                    tokio::select! {
                        never = self.outbox.send(&self.stream) => match never {},
                        () = until_stop(&mut stopping) => return ConnectionEnd::Shutdown,
                        () = tokio::time::sleep(pause) => {}
                    }
                }
            }
            if turn == 0 {
                turn = TURN_BYTES;
                tokio::task::yield_now().await;
            }
        }
    }

    /// Reads the available bytes and publishes their commands.
    fn read(&mut self, scratch: &mut [u8]) -> io::Result<ReadOutcome> {
        let Some(n) = receive(&self.stream, scratch)? else { return Ok(ReadOutcome::Blocked) };
        self.bridge.hub.metrics().line_bytes.add(n as u64);
        if n == 0 {
            self.decoder.finish();
        } else {
            self.decoder.push(&scratch[..n]);
        }
        let mut lines = 0;
        let unknown_before = self.unknown_lines.count();
        let mut ended = (n == 0).then_some(ConnectionEnd::Orderly);
        let mut commands = std::mem::take(&mut self.commands);
        while let Some(event) = self.decoder.next() {
            lines += 1;
            match event {
                Ok(Event::Command(Command::Unknown(line)))
                    if self.publisher.is_none() && commands.is_empty() && is_request(line.bytes()) =>
                {
                    ended = Some(ConnectionEnd::Request);
                    break;
                }
                Ok(Event::Command(command)) => {
                    if let Command::Unknown(unknown) = &command {
                        let (peer, number) = (self.peer, self.decoder.line_number());
                        let id = self.publisher().id().clone();
                        self.unknown_lines.note(peer, &id, number, unknown);
                    }
                    commands.push(command);
                }
                Ok(Event::Game(game)) => self.publisher().set_game(game),
                Ok(Event::Match(mut header)) => {
                    let seats = std::mem::take(&mut header.seats);
                    self.publisher().set_header(*header);
                    self.seats(seats);
                }
                Ok(Event::Seats(seats)) => self.seats(seats),
                Ok(Event::Answer(answer)) => self.publisher().answered(answer),
                Ok(Event::Result(result)) => {
                    self.publisher();
                    ended = Some(ConnectionEnd::Result(*result));
                    break;
                }
                Err(error) => {
                    ended = Some(ConnectionEnd::Line(error.to_string()));
                    break;
                }
            }
        }
        if !commands.is_empty() {
            self.publisher().push(&commands);
            commands.clear();
        }
        self.commands = commands;
        self.bridge.hub.metrics().unknown_lines.add(self.unknown_lines.count() - unknown_before);
        Ok(match ended {
            Some(ended) => ReadOutcome::ConnectionEnd(ended),
            None => ReadOutcome::Lines { lines, bytes: n },
        })
    }

    /// Takes the seats that the peer announces.
    fn seats(&mut self, seats: Vec<Seat>) {
        if let Some(requests) = self.publisher().set_seats(seats) {
            self.outbox = Outbox::new(requests);
        }
    }

    /// The publisher; the first call begins the match.
    fn publisher(&mut self) -> &mut Publisher {
        let Self { publisher, bridge, peer, .. } = self;
        publisher.get_or_insert_with(|| {
            let publisher = bridge.hub.begin(peer.ip());
            info!(%peer, id = %publisher.id(), "a match begins");
            publisher
        })
    }
}

/// Whether a line is an HTTP request line: `METHOD TARGET HTTP/1.x`.
fn is_request(line: &[u8]) -> bool {
    let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    let mut words = line.split(|byte| *byte == b' ');
    let (method, target, version) = (words.next(), words.next(), words.next());
    words.next().is_none()
        && method.is_some_and(|word| !word.is_empty() && word.iter().all(is_token))
        && target.is_some_and(|word| !word.is_empty())
        && version.is_some_and(|word| word.strip_prefix(b"HTTP/1.").is_some_and(|x| !x.is_empty()))
}

/// Reads once; `None` if nothing was available.
///
/// A read that does not fill the buffer has emptied the socket. Telling the runtime so at once saves a system call
/// before the spectators are written to.
fn receive(stream: &TcpStream, buffer: &mut [u8]) -> io::Result<Option<usize>> {
    let mut received = None;
    let read = stream.try_io(Interest::READABLE, || {
        let n = (&*SockRef::from(stream)).read(buffer)?;
        received = Some(n);
        if n == 0 || n == buffer.len() { Ok(()) } else { Err(io::ErrorKind::WouldBlock.into()) }
    });
    match read {
        Err(error) if error.kind() != io::ErrorKind::WouldBlock => Err(error),
        _ => Ok(received),
    }
}

/// Result of one read.
enum ReadOutcome {
    /// Nothing was available.
    Blocked,
    /// Number of lines that are not blank, and number of bytes.
    Lines {
        lines: u32,
        bytes: usize,
    },
    ConnectionEnd(ConnectionEnd),
}

/// Waits at most [`HANG_UP`] for the peer to close. Closing first, with unread bytes, would reset the connection.
async fn hang_up(stream: &TcpStream) {
    let drain = async {
        while stream.readable().await.is_ok() {
            let read = SCRATCH.with_borrow_mut(|scratch| stream.try_read(scratch));
            match read {
                Ok(0) => return,
                // A peer that keeps sending would starve other tasks.
                Ok(_) => tokio::task::yield_now().await,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(_) => return,
            }
        }
    };
    // After the timeout this side closes.
    let _ = tokio::time::timeout(HANG_UP, drain).await;
}
