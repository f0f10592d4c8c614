//! Socket of one spectator and its single writer: whole frames, and between them the answers to the spectator's frames.

use std::collections::VecDeque;
use std::io;
use std::sync::LazyLock;
use std::task::{Context, Poll};
use std::time::Instant;

use bytes::{Buf, Bytes};

use super::inbound::{Inbound, MESSAGE_COST};
use super::transport::Transport;
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
/// Apart from the kernel's buffers, and a record of an encrypted connection, it holds only `queue`: the rest of a frame
/// that was written in part, and short answers. All other bytes belong to the feed.
#[derive(Debug)]
pub(crate) struct Socket {
    transport: Transport,
    /// Queue of bytes that are sent before anything else.
    queue: Option<Box<WriteQueue>>,
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
struct WriteQueue {
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
    pub(crate) fn new(transport: Transport, permit: Option<Permit>) -> Self {
        // Frames are written whole, so waiting for more bytes only delays them.
        transport.set_nodelay();
        Self {
            transport,
            queue: None,
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
            self.queue.get_or_insert_default().chunks.push_back(bytes);
        }
    }

    /// Whether bytes are queued.
    pub(crate) fn has_queued(&self) -> bool {
        self.queue.is_some() || self.transport.waiting() > 0
    }

    /// Number of queued bytes.
    pub(crate) fn waiting(&self) -> usize {
        let queued: usize = self.queue.iter().flat_map(|queue| &queue.chunks).map(Bytes::len).sum();
        queued + self.transport.waiting()
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
        self.transport.set_send_buffer(send_buffer + 2 * waiting + 4096);
        self.flush_queue()
    }

    /// Writes the queue; `true` once it is empty.
    pub(crate) fn flush_queue(&mut self) -> io::Result<bool> {
        while let Some(chunk) = self.queue.as_mut().and_then(|queue| queue.chunks.front_mut()) {
            let Some(n) = self.transport.write(chunk)? else { return Ok(false) };
            chunk.advance(n);
            if chunk.is_empty() {
                self.drop_chunk();
            }
        }
        if !self.transport.flush()? {
            return Ok(false);
        }
        if self.closing.is_some() && !self.shut {
            self.shut = self.transport.shutdown()?;
            return Ok(self.shut);
        }
        Ok(true)
    }

    fn drop_chunk(&mut self) {
        let empty = self.queue.as_mut().is_none_or(|f| {
            f.chunks.pop_front();
            f.chunks.is_empty()
        });
        if empty {
            self.queue = None;
        }
    }

    /// Writes bytes that begin at a frame; `None` if the socket is full. Valid only while the queue is empty.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<Option<usize>> {
        self.transport.write(bytes)
    }

    /// Reads what has arrived, up to the size of `scratch`: that is one turn, so that other sockets come next. The
    /// bytes go to tungstenite, whose answers are queued.
    pub(crate) fn read(&mut self, scratch: &mut [u8], limits: &SpectatorLimits) -> ReadOutcome {
        let mut heard = None;
        let mut left = scratch.len();
        while left > 0 && self.listens() {
            let n = match self.transport.read(&mut scratch[..left]) {
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
            if let Some(queue) = &mut self.queue {
                queue.answers += answers;
                if queue.answers > ANSWERS_MAX {
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
        if self.listens() { self.transport.poll_read_ready(cx) } else { Poll::Pending }
    }

    /// Registers a wake-up for a writable socket; `Ready` if it is writable now.
    pub(crate) fn poll_write_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.transport.poll_write_ready(cx)
    }

    /// Makes the kernel discard unsent data when the socket is dropped.
    pub(crate) fn abort(&self) {
        self.transport.abort();
    }
}

/// Seconds since the first call: a quarter of the size of an `Instant` in each socket.
fn second() -> u32 {
    static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
    u32::try_from(BEGAN.elapsed().as_secs()).unwrap_or(u32::MAX)
}
