//! Socket of one spectator and its single writer: whole frames, and between them the answers to the spectator's frames.

use std::collections::VecDeque;
use std::io;
use std::sync::LazyLock;
use std::task::{Context, Poll};
use std::time::Instant;

use bytes::{Buf, Bytes};
use socket2::SockRef;
use tokio::net::TcpStream;

use super::inbound::{Inbound, MESSAGE_COST};
use crate::config::SpectatorLimits;
use crate::limits::connections::Permit;
use crate::wire::{CloseReason, frame};

/// Maximum bytes of queued answers for a peer that does not read; past it the peer is closed.
const ANSWERS_MAX: usize = 4 * 1024;
/// Interval in seconds to which `inbound-messages` applies.
const COUNTED_SECS: u32 = 10;
/// Number of reads from a socket that is being closed: the peer's close frame and the end of the connection follow what
/// it had sent before.
const CLOSING_READS: u8 = 16;

/// A websocket after its handshake.
///
/// Apart from the kernel's buffers it holds only `front`: the rest of a frame that was written in part, and short
/// answers. All other bytes belong to the feed.
#[derive(Debug)]
pub(crate) struct Socket {
    stream: TcpStream,
    /// Queue of bytes that are sent before anything else.
    front: Option<Box<Front>>,
    inbound: Option<Box<Inbound>>,
    closing: Option<CloseReason>,
    /// Whether the sending side was shut down after a close frame.
    shut: bool,
    /// Remaining reads while the socket is being closed.
    closing_reads: u8,
    /// Start of the current interval, in seconds, and the cost of the messages within it.
    counted_since: u32,
    cost: u32,
    /// Permit of the connection; `None` if another owner holds it.
    _permit: Option<Permit>,
}

#[derive(Debug, Default)]
struct Front {
    chunks: VecDeque<Bytes>,
    answers: usize,
}

/// Result of a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReadOutcome {
    /// Nothing arrived.
    Nothing,
    /// Data with this number of messages arrived; the peer is alive.
    Heard { messages: u32 },
    /// The connection is over; the socket must be dropped.
    Gone,
}

impl Socket {
    pub(crate) fn new(stream: TcpStream, permit: Option<Permit>) -> Self {
        Self {
            stream,
            front: None,
            inbound: None,
            closing: None,
            shut: false,
            closing_reads: CLOSING_READS,
            counted_since: second(),
            cost: 0,
            _permit: permit,
        }
    }

    /// Appends whole frames (or the rest of one) to the queue.
    pub(crate) fn push(&mut self, bytes: Bytes) {
        if !bytes.is_empty() {
            self.front.get_or_insert_default().chunks.push_back(bytes);
        }
    }

    /// Whether bytes are queued.
    pub(crate) fn has_front(&self) -> bool {
        self.front.is_some()
    }

    /// Number of queued bytes.
    pub(crate) fn waiting(&self) -> usize {
        self.front.iter().flat_map(|front| &front.chunks).map(Bytes::len).sum()
    }

    /// Close reason of a websocket that is being closed.
    pub(crate) fn closing(&self) -> Option<CloseReason> {
        self.closing
    }

    /// Queues a close frame; nothing else is sent after it.
    pub(crate) fn close(&mut self, reason: CloseReason) {
        if self.closing.is_none() {
            self.closing = Some(reason);
            self.push(frame::close(reason.code(), reason.text()));
        }
    }

    /// Closes a socket that accepts nothing. The kernel's buffer is enlarged by one more frame, so that a peer that
    /// resumes can read the reason.
    pub(crate) fn close_stalled(&mut self, send_buffer: usize) -> io::Result<bool> {
        self.close(CloseReason::Stalled);
        let waiting = self.waiting();
        // On failure the peer just can't read the reason.
        let _ = SockRef::from(&self.stream).set_send_buffer_size(send_buffer + 2 * waiting + 4096);
        self.write_front()
    }

    /// Writes the queue; `true` once it is empty.
    pub(crate) fn write_front(&mut self) -> io::Result<bool> {
        while let Some(chunk) = self.front.as_ref().and_then(|f| f.chunks.front()) {
            let Some(n) = self.write(chunk)? else { return Ok(false) };
            if n == chunk.len() {
                self.drop_chunk();
            } else if let Some(chunk) = self.front.as_mut().and_then(|f| f.chunks.front_mut()) {
                chunk.advance(n);
            }
        }
        self.after_front();
        Ok(true)
    }

    fn drop_chunk(&mut self) {
        let empty = self.front.as_mut().is_none_or(|f| {
            f.chunks.pop_front();
            f.chunks.is_empty()
        });
        if empty {
            self.front = None;
        }
    }

    /// Shuts down the sending side once the close frame is written.
    fn after_front(&mut self) {
        if self.closing.is_some() && !self.shut {
            self.shut = true;
            // The peer may be gone already; the next read shows it.
            let _ = SockRef::from(&self.stream).shutdown(std::net::Shutdown::Write);
        }
    }

    /// Writes bytes that begin at a frame; `None` if the socket is full. Valid only while the queue is empty.
    ///
    /// The kernel is called directly: most sockets are writable, and a look-up of the runtime's readiness state costs a
    /// cache miss. Only a full socket is reported to the runtime, so that it can wake the task later.
    pub(crate) fn write(&self, bytes: &[u8]) -> io::Result<Option<usize>> {
        let blocked = |error: &io::Error| error.kind() == io::ErrorKind::WouldBlock;
        match SockRef::from(&self.stream).send(bytes) {
            Ok(n) => return Ok(Some(n)),
            Err(error) if blocked(&error) => {}
            Err(error) => return Err(error),
        }
        match self.stream.try_write(bytes) {
            Ok(n) => Ok(Some(n)),
            Err(error) if blocked(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Reads what has arrived, up to the size of `scratch`: that is one turn, so that other sockets come next. The
    /// bytes go to tungstenite, whose answers are queued.
    pub(crate) fn read(&mut self, scratch: &mut [u8], limits: &SpectatorLimits) -> ReadOutcome {
        let mut heard = None;
        let mut left = scratch.len();
        while left > 0 && self.listens() {
            let n = match self.stream.try_read(&mut scratch[..left]) {
                Ok(0) => return ReadOutcome::Gone,
                Ok(n) => n,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(_) => return ReadOutcome::Gone,
            };
            left -= n;
            *heard.get_or_insert(0) += self.receive(&scratch[..n], limits);
        }
        heard.map_or(ReadOutcome::Nothing, |messages| ReadOutcome::Heard { messages })
    }

    /// Handles bytes that were read here, or before the socket was created; returns their number of messages.
    pub(crate) fn receive(&mut self, bytes: &[u8], limits: &SpectatorLimits) -> u32 {
        if self.closing.is_some() {
            // After a close only the end of the connection matters.
            self.closing_reads = self.closing_reads.saturating_sub(1);
            return 0;
        }
        if bytes.is_empty() {
            return 0;
        }
        let now = second();
        if now - self.counted_since >= COUNTED_SECS {
            (self.counted_since, self.cost) = (now, 0);
        }
        let allowance = limits.inbound_messages.saturating_mul(MESSAGE_COST).saturating_sub(self.cost);
        let (received, state) = Inbound::receive(self.inbound.take(), bytes, limits.inbound_bytes, allowance);
        self.inbound = state;
        self.cost = self.cost.saturating_add(received.cost);
        let answers = received.answer.len();
        if answers > 0 {
            self.push(Bytes::from(received.answer));
            if let Some(front) = &mut self.front {
                front.answers += answers;
                if front.answers > ANSWERS_MAX {
                    self.close(CloseReason::TooMany);
                }
            }
        }
        match received.close {
            // The answer already is the close frame.
            Some(CloseReason::ByPeer) => self.closing = self.closing.or(Some(CloseReason::ByPeer)),
            Some(reason) => self.close(reason),
            None => {}
        }
        received.messages
    }

    /// Whether the socket is still read.
    fn listens(&self) -> bool {
        self.closing.is_none() || self.closing_reads > 0
    }

    /// Registers a wake-up for readable data; `Ready` if there is some now.
    pub(crate) fn poll_read_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.listens() { self.stream.poll_read_ready(cx) } else { Poll::Pending }
    }

    /// Registers a wake-up for a writable socket; `Ready` if it is writable now.
    pub(crate) fn poll_write_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream.poll_write_ready(cx)
    }

    /// Makes the kernel discard unsent data when the socket is dropped.
    pub(crate) fn abort(&self) {
        // On failure the kernel gives up by itself, later.
        let _ = SockRef::from(&self.stream).set_linger(Some(std::time::Duration::ZERO));
    }
}

/// Seconds since the first call: a quarter of the size of an `Instant` in each socket.
fn second() -> u32 {
    static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
    u32::try_from(BEGAN.elapsed().as_secs()).unwrap_or(u32::MAX)
}
