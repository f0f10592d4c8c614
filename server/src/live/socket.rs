//! One spectator's socket and its single writer: whole frames, and between them the answers to what it sent.

use std::collections::VecDeque;
use std::io;
use std::task::{Context, Poll};

use bytes::{Buf, Bytes};
use socket2::SockRef;
use tokio::net::TcpStream;

use super::CloseReason;
use super::inbound::Inbound;
use crate::hub::frame;
use crate::limits::Permit;

/// Answers that may wait for a socket that is not read: past this the peer is closed.
const ANSWERS_MAX: usize = 4 * 1024;

/// A websocket after its handshake.
///
/// Apart from the kernel's buffers it holds only what lies in `front`: the rest of a frame that was written in part,
/// and short answers. Everything else is the feed's.
#[derive(Debug)]
pub(crate) struct Socket {
    stream: TcpStream,
    /// What goes out before anything else.
    front: Option<Box<Front>>,
    inbound: Option<Box<Inbound>>,
    closing: Option<CloseReason>,
    /// Whether our side of the connection was shut down after a close frame.
    shut: bool,
    /// Messages since the caller last asked.
    messages: u32,
    _permit: Permit,
}

#[derive(Debug, Default)]
struct Front {
    chunks: VecDeque<Bytes>,
    answers: usize,
}

/// What reading came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReadOutcome {
    /// Nothing came.
    Nothing,
    /// Something came; the peer is alive.
    Heard,
    /// The connection is over and to be dropped.
    Gone,
}

impl Socket {
    pub(crate) fn new(stream: TcpStream, permit: Permit) -> Self {
        Self { stream, front: None, inbound: None, closing: None, shut: false, messages: 0, _permit: permit }
    }

    /// Puts whole frames (or the rest of one) behind what waits in front.
    pub(crate) fn push(&mut self, bytes: Bytes) {
        if !bytes.is_empty() {
            self.front.get_or_insert_default().chunks.push_back(bytes);
        }
    }

    /// Whether something waits in front.
    pub(crate) fn has_front(&self) -> bool {
        self.front.is_some()
    }

    /// Bytes that wait in front.
    pub(crate) fn waiting(&self) -> usize {
        self.front.iter().flat_map(|front| &front.chunks).map(Bytes::len).sum()
    }

    /// Why the websocket is being closed, if it is.
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

    /// Closes a socket that accepts nothing: the kernel is given room for one more frame, so that a peer that wakes up
    /// reads why.
    pub(crate) fn close_stalled(&mut self, send_buffer: usize) -> io::Result<bool> {
        self.close(CloseReason::Stalled);
        let waiting = self.waiting();
        // Failing to get room means only that the peer won't read the reason.
        let _ = SockRef::from(&self.stream).set_send_buffer_size(send_buffer + 2 * waiting + 4096);
        self.write_front()
    }

    /// Messages that the peer sent since the last call.
    pub(crate) fn take_messages(&mut self) -> u32 {
        std::mem::take(&mut self.messages)
    }

    /// Writes what is in front; `true` once nothing is left of it.
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

    /// Once the close frame is out nothing more comes from us.
    fn after_front(&mut self) {
        if self.closing.is_some() && !self.shut {
            self.shut = true;
            // The peer may be gone already; reading will tell.
            let _ = SockRef::from(&self.stream).shutdown(std::net::Shutdown::Write);
        }
    }

    /// Writes bytes that begin at a frame; `None` if the socket is full. Only when nothing is in front.
    ///
    /// The kernel is asked straight away: most sockets have room, and looking up what the runtime knows of each costs a
    /// cache miss. Only when there is none the runtime hears of it, so that it can tell when there is some again.
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

    /// Reads all that has come, into `scratch` and on to tungstenite, and queues its answers.
    pub(crate) fn read(&mut self, scratch: &mut [u8], limit: usize) -> ReadOutcome {
        let mut heard = false;
        loop {
            let n = match self.stream.try_read(scratch) {
                Ok(0) => return ReadOutcome::Gone,
                Ok(n) => n,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(_) => return ReadOutcome::Gone,
            };
            heard = true;
            self.receive(&scratch[..n], limit);
        }
        if heard { ReadOutcome::Heard } else { ReadOutcome::Nothing }
    }

    /// Takes bytes that were read, here or before the socket was ours.
    pub(crate) fn receive(&mut self, bytes: &[u8], limit: usize) {
        if self.closing.is_some() || bytes.is_empty() {
            // After a close only the end of the connection matters.
            return;
        }
        let (received, state) = Inbound::receive(self.inbound.take(), bytes, limit);
        self.inbound = state;
        self.messages = self.messages.saturating_add(received.messages);
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
            // The answer is the close frame.
            Some(CloseReason::ByPeer) => self.closing = self.closing.or(Some(CloseReason::ByPeer)),
            Some(reason) => self.close(reason),
            None => {}
        }
    }

    /// Arranges a wake-up when there is something to read; `Ready` if there is now.
    pub(crate) fn poll_read_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream.poll_read_ready(cx)
    }

    /// Arranges a wake-up when the socket takes bytes again; `Ready` if it does now.
    pub(crate) fn poll_write_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream.poll_write_ready(cx)
    }

    /// Has the kernel throw away what it still holds when the socket is dropped.
    pub(crate) fn abort(&self) {
        // If that fails the kernel gives up by itself, later.
        let _ = SockRef::from(&self.stream).set_linger(Some(std::time::Duration::ZERO));
    }
}
