//! Transport of one spectator: a TCP connection, plain or encrypted.
//!
//! An encrypted one is sealed by the writer itself: a record for each write, which goes to the kernel with one call, as plain
//! bytes do.

use std::io::{self, Read as _, Write as _};
use std::task::{Context, Poll};

use bytes::{Buf as _, Bytes};
use rustls::ServerConnection;
use socket2::SockRef;
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

/// Maximum bytes that are sealed at once: the content of one record.
const RECORD: usize = 16 * 1024;
/// Maximum sealed bytes that are read at once: what TLS takes in one piece.
const SEALED_ROOM: usize = 4096;

/// Maximum pieces that are read in one turn before content has come of them: a peer that sends records without content holds
/// up no other.
const PIECES: usize = 16;

/// A connection to a spectator.
#[derive(Debug)]
pub(crate) struct Transport {
    stream: TcpStream,
    session: Option<Box<Session>>,
}

/// State of an encrypted connection after its handshake.
#[derive(Debug)]
struct Session {
    tls: ServerConnection,
    /// Sealed bytes that the kernel has not taken yet: at most one record, and what TLS itself has to say.
    sealed: Bytes,
    /// Number of bytes that were decrypted and not read yet.
    decrypted: usize,
    /// Whether the end of our side was announced.
    ended: bool,
}

impl From<TcpStream> for Transport {
    fn from(stream: TcpStream) -> Self {
        Self { stream, session: None }
    }
}

impl From<TlsStream<TcpStream>> for Transport {
    fn from(stream: TlsStream<TcpStream>) -> Self {
        let (stream, mut tls) = stream.into_inner();
        // A fault is found again by the first read.
        let decrypted = tls.process_new_packets().map_or(0, |state| state.plaintext_bytes_to_read());
        let mut session = Session { tls, sealed: Bytes::new(), decrypted, ended: false };
        session.take_sealed(0);
        Self { stream, session: Some(Box::new(session)) }
    }
}

impl Transport {
    /// Whether every write is passed on at once.
    pub(crate) fn set_nodelay(&self) {
        // Without it frames are only delayed.
        let _ = self.stream.set_nodelay(true);
    }

    /// Sets the size of the kernel's buffer for what is sent.
    pub(crate) fn set_send_buffer(&self, bytes: usize) {
        // On failure it stays as it was.
        let _ = SockRef::from(&self.stream).set_send_buffer_size(bytes);
    }

    /// Number of bytes that were taken by [`Transport::write`], and not by the kernel yet.
    pub(crate) fn waiting(&self) -> usize {
        self.session.as_ref().map_or(0, |session| session.sealed.len())
    }

    /// Sends bytes; returns how many were taken, or `None` if there is no room.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<Option<usize>> {
        let Some(session) = &mut self.session else { return send(&self.stream, bytes) };
        if !session.flush(&self.stream)? {
            return Ok(None);
        }
        let bytes = &bytes[..bytes.len().min(RECORD)];
        session.tls.writer().write_all(bytes)?;
        session.take_sealed(bytes.len());
        session.flush(&self.stream)?;
        Ok(Some(bytes.len()))
    }

    /// Hands to the kernel what is left of earlier writes; `true` once nothing is.
    pub(crate) fn flush(&mut self) -> io::Result<bool> {
        self.session.as_mut().map_or(Ok(true), |session| session.flush(&self.stream))
    }

    /// Ends the sending side; `false` if the end of the encryption has to wait for room.
    pub(crate) fn shutdown(&mut self) -> io::Result<bool> {
        if let Some(session) = &mut self.session {
            if !std::mem::replace(&mut session.ended, true) {
                session.tls.send_close_notify();
                session.take_sealed(0);
            }
            if !session.flush(&self.stream)? {
                return Ok(false);
            }
        }
        // The peer may be gone already; the next read shows it.
        let _ = SockRef::from(&self.stream).shutdown(std::net::Shutdown::Write);
        Ok(true)
    }

    /// Reads what has arrived: 0 at the end, [`io::ErrorKind::WouldBlock`] if nothing has, or no content in [`PIECES`].
    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(session) = &mut self.session else { return self.stream.try_read(buffer) };
        for _ in 0..PIECES {
            if session.decrypted > 0 {
                break;
            }
            let room = buffer.len().min(SEALED_ROOM);
            let arrived = self.stream.try_read(&mut buffer[..room])?;
            if arrived == 0 {
                return Ok(0);
            }
            let ended = session.decrypt(&buffer[..arrived]);
            // Answers to what TLS itself asks, and what it has to say of a fault. What has no room goes with the next write.
            session.flush(&self.stream)?;
            if ended? {
                return Ok(0);
            }
        }
        // Without content this is `WouldBlock`; the socket stays readable.
        let read = session.tls.reader().read(buffer)?;
        session.decrypted = session.decrypted.saturating_sub(read);
        Ok(read)
    }

    /// Registers a wake-up for readable data; `Ready` if there is some now.
    pub(crate) fn poll_read_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.session.as_ref().is_some_and(|session| session.decrypted > 0) {
            return Poll::Ready(Ok(()));
        }
        self.stream.poll_read_ready(cx)
    }

    /// Registers a wake-up for room; `Ready` if there is some now.
    pub(crate) fn poll_write_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream.poll_write_ready(cx)
    }

    /// Makes the kernel discard unsent data when the connection is dropped.
    pub(crate) fn abort(&self) {
        // On failure the kernel gives up by itself, later.
        let _ = SockRef::from(&self.stream).set_linger(Some(std::time::Duration::ZERO));
    }
}

impl Session {
    /// Takes over what is ready to be sent; `content` is the number of bytes in it.
    fn take_sealed(&mut self, content: usize) {
        if !self.tls.wants_write() {
            return;
        }
        let mut sealed = Vec::with_capacity(self.sealed.len() + content + 64);
        sealed.extend_from_slice(&self.sealed);
        // Writing to memory can't fail.
        while self.tls.wants_write() && self.tls.write_tls(&mut sealed).is_ok() {}
        self.sealed = sealed.into();
    }

    /// Hands sealed bytes to the kernel; `true` once it has all.
    fn flush(&mut self, stream: &TcpStream) -> io::Result<bool> {
        while !self.sealed.is_empty() {
            let Some(taken) = send(stream, &self.sealed)? else { return Ok(false) };
            self.sealed.advance(taken);
        }
        self.sealed = Bytes::new();
        Ok(true)
    }

    /// Decrypts bytes that arrived; `true` if the peer has ended its side.
    fn decrypt(&mut self, mut arrived: &[u8]) -> io::Result<bool> {
        while !arrived.is_empty() {
            self.tls.read_tls(&mut arrived)?;
            let state = self.tls.process_new_packets().map_err(io::Error::other);
            self.take_sealed(0);
            let state = state?;
            self.decrypted = state.plaintext_bytes_to_read();
            if state.peer_has_closed() && self.decrypted == 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Sends bytes; `None` if the socket is full.
///
/// The kernel is called directly: most sockets are writable, and a look-up of the runtime's readiness state costs a
/// cache miss. Only a full socket is reported to the runtime, so that it can wake the task later.
fn send(stream: &TcpStream, bytes: &[u8]) -> io::Result<Option<usize>> {
    let blocked = |error: &io::Error| error.kind() == io::ErrorKind::WouldBlock;
    match SockRef::from(stream).send(bytes) {
        Ok(n) => return Ok(Some(n)),
        Err(error) if blocked(&error) => {}
        Err(error) => return Err(error),
    }
    match stream.try_write(bytes) {
        Ok(n) => Ok(Some(n)),
        Err(error) if blocked(&error) => Ok(None),
        Err(error) => Err(error),
    }
}
