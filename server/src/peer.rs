//! Outgoing connection that receives a match's lines: a GUI on port 3126, or a bridge.
//!
//! Each peer has its own thread and queue, so that a peer that stalls or disconnects does not affect the others. The
//! queue is bounded: a peer that falls too far behind is dropped. Lines from the peer are read only after
//! [`Peer::listen`], on a second thread.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use grandstand_protocol::{Event, Limits, MatchHeader};
use thiserror::Error;

use crate::locked::Locked as _;

/// Time and queue limits for a peer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeerLimits {
    /// Time during which failed attempts to connect are repeated. Default 10 s.
    pub connect: Duration,
    /// Time without progress after which a peer is dropped. Default 5 s.
    pub stall: Duration,
    /// Bytes that may be queued for a peer. Default 1 MiB.
    pub queue_bytes: usize,
}

impl Default for PeerLimits {
    fn default() -> Self {
        Self { connect: Duration::from_secs(10), stall: Duration::from_secs(5), queue_bytes: 1 << 20 }
    }
}

/// Time between two attempts to connect.
const RETRY: Duration = Duration::from_millis(250);
/// Time for which an ending connection lingers, so that the peer can read the rest.
const LINGER: Duration = Duration::from_millis(500);
/// Longest line in bytes that is read from a peer; a longer one is skipped whole.
const LINE_BYTES_MAX: usize = 8 << 10;

/// Reason for which a peer was dropped.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PeerError {
    /// No connection could be made.
    #[error("no connection within {seconds} s: {cause}")]
    Unreachable {
        /// Length of the attempt.
        seconds: u64,
        /// Error of the last attempt.
        cause: String,
    },
    /// The peer has closed the connection, or the connection broke.
    #[error("the connection is gone: {0}")]
    Gone(String),
    /// The peer does not read its data.
    #[error("it has stalled: {0}")]
    Stalled(String),
}

#[derive(Debug)]
enum Status {
    Connecting,
    Open,
    Closed,
    Failed(PeerError),
}

#[derive(Debug)]
struct State {
    status: Status,
    queue: VecDeque<Arc<[u8]>>,
    queued_bytes: usize,
    /// The owner has nothing more to send.
    finishing: bool,
    /// Second handle to the connection, to interrupt a blocked write.
    stream: Option<TcpStream>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

/// One peer of a match. Dropping it closes the connection at once.
#[derive(Debug)]
pub struct Peer {
    address: String,
    limits: PeerLimits,
    shared: Arc<Shared>,
}

impl Peer {
    /// Starts to connect to `address` (`HOST:PORT`), in a thread of its own. If the first attempt fails, `waiting` gets
    /// the cause, once; the attempts continue.
    ///
    /// # Errors
    /// If the thread can't be started.
    pub fn open(
        address: &str,
        limits: PeerLimits,
        waiting: impl FnOnce(&str) + Send + 'static,
    ) -> io::Result<Self> {
        let state = State {
            status: Status::Connecting,
            queue: VecDeque::new(),
            queued_bytes: 0,
            finishing: false,
            stream: None,
        };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let peer = Self { address: address.to_owned(), limits: limits.clone(), shared: Arc::clone(&shared) };
        let address = address.to_owned();
        thread::Builder::new().name(format!("peer {address}")).spawn(move || {
            let status = match connect(&address, &limits, &shared, waiting) {
                Ok(mut stream) => match shared.pump(&mut stream, &limits) {
                    Ok(()) => Status::Closed,
                    Err(error) => Status::Failed(error),
                },
                Err(error) => Status::Failed(error),
            };
            shared.leave(status);
        })?;
        Ok(peer)
    }

    /// The address as given.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Waits for the connection, at most as long as attempts are made.
    ///
    /// # Errors
    /// If there is no connection by then.
    pub fn wait_open(&self) -> Result<(), PeerError> {
        // The name lookup has no timeout of its own.
        let deadline = Instant::now() + self.limits.connect + Duration::from_secs(1);
        let state = self.shared.wait(deadline, |state| !matches!(state.status, Status::Connecting));
        match &state.status {
            Status::Failed(error) => Err(error.clone()),
            Status::Open | Status::Closed => Ok(()),
            Status::Connecting => {
                let seconds = self.limits.connect.as_secs();
                let error = PeerError::Unreachable { seconds, cause: "no answer".to_owned() };
                self.shared.fail(state, error.clone());
                Err(error)
            }
        }
    }

    /// Reads the peer's lines from now on. `hear` gets each line without its line feed, and a [`PeerWriter`] for
    /// answers. Lines that are too long are skipped.
    ///
    /// # Errors
    /// If the thread can't be started, or the connection is gone.
    pub fn listen(&self, hear: impl FnMut(&[u8], &PeerWriter) + Send + 'static) -> io::Result<()> {
        let stream = match &self.shared.lock().stream {
            Some(stream) => stream.try_clone()?,
            None => return Err(io::ErrorKind::NotConnected.into()),
        };
        let writer = PeerWriter { shared: Arc::clone(&self.shared), most: self.limits.queue_bytes };
        let name = format!("from {}", self.address);
        thread::Builder::new().name(name).spawn(move || writer.listen(stream, hear))?;
        Ok(())
    }

    /// Queues bytes. With a full queue it waits up to `wait` for room, then drops the peer. An error means that the
    /// peer is dropped; queued bytes may not have arrived.
    ///
    /// # Errors
    /// If the peer is gone, or too slow.
    pub fn send(&self, bytes: &Arc<[u8]>, wait: Duration) -> Result<(), PeerError> {
        let room = |state: &State| {
            matches!(state.status, Status::Failed(_))
                || state.queue.is_empty()
                || state.queued_bytes + bytes.len() <= self.limits.queue_bytes
        };
        let mut state = self.shared.lock();
        if !room(&state) && !wait.is_zero() {
            drop(state);
            state = self.shared.wait(Instant::now() + wait, room);
        }
        if let Status::Failed(error) = &state.status {
            return Err(error.clone());
        }
        if !room(&state) {
            let error = PeerError::Stalled(format!("{} bytes wait for it", state.queued_bytes));
            self.shared.fail(state, error.clone());
            return Err(error);
        }
        state.queued_bytes += bytes.len();
        state.queue.push_back(Arc::clone(bytes));
        drop(state);
        self.shared.changed.notify_all();
        Ok(())
    }

    /// Closes the connection in order after the queue is written; a peer that does not read it in time is dropped.
    ///
    /// # Errors
    /// If some bytes may not have arrived.
    pub fn finish(self) -> Result<(), PeerError> {
        self.shared.lock().finishing = true;
        self.shared.changed.notify_all();
        let deadline = Instant::now() + self.limits.stall + LINGER;
        let state =
            self.shared.wait(deadline, |state| matches!(state.status, Status::Closed | Status::Failed(_)));
        match &state.status {
            Status::Closed => Ok(()),
            Status::Failed(error) => Err(error.clone()),
            Status::Connecting | Status::Open => {
                let error = PeerError::Stalled(format!("{} bytes still wait for it", state.queued_bytes));
                self.shared.fail(state, error.clone());
                Err(error)
            }
        }
    }
}

/// The line that announces a match. A header too long for a line is sent without the sources of the programs.
pub fn match_line(header: MatchHeader) -> String {
    let mut header = Box::new(header);
    let line = Event::Match(header.clone()).to_line();
    if line.len() < Limits::default().match_bytes {
        return line;
    }
    header.programs.iter_mut().for_each(|program| program.source = None);
    Event::Match(header).to_line()
}

/// Writer of answers to a peer, for other threads than the match's; clones share the queue.
#[derive(Debug, Clone)]
pub struct PeerWriter {
    shared: Arc<Shared>,
    most: usize,
}

impl PeerWriter {
    /// Queues a line; drops it if the queue is full or the peer is gone.
    pub fn send(&self, line: &str) {
        let mut state = self.shared.lock();
        if !matches!(state.status, Status::Open) || state.queued_bytes + line.len() >= self.most {
            return;
        }
        let bytes: Arc<[u8]> = [line.as_bytes(), b"\n"].concat().into();
        state.queued_bytes += bytes.len();
        state.queue.push_back(bytes);
        drop(state);
        self.shared.changed.notify_all();
    }

    /// Reads lines until the connection ends.
    fn listen(&self, mut stream: TcpStream, mut hear: impl FnMut(&[u8], &PeerWriter)) {
        let mut lines = Lines::default();
        let mut bytes = [0; 4096];
        loop {
            match stream.read(&mut bytes) {
                Ok(0) => return,
                Ok(n) => lines.push(&bytes[..n], |line| hear(line, self)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // Includes the timeout of [`linger`], which reads on the writing thread.
                Err(_) => return,
            }
        }
    }
}

/// Splits bytes into lines of at most [`LINE_BYTES_MAX`].
#[derive(Debug, Default)]
struct Lines {
    partial: Vec<u8>,
    /// The current line is too long and is being skipped.
    skips: bool,
}

impl Lines {
    fn push(&mut self, bytes: &[u8], mut take: impl FnMut(&[u8])) {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            let (piece, ends) = piece.strip_suffix(b"\n").map_or((piece, false), |piece| (piece, true));
            if self.partial.len() + piece.len() > LINE_BYTES_MAX {
                self.partial.clear();
                self.skips = true;
            }
            if !self.skips {
                self.partial.extend_from_slice(piece);
            }
            if ends {
                if !std::mem::take(&mut self.skips) {
                    take(self.partial.strip_suffix(b"\r").unwrap_or(&self.partial));
                }
                self.partial.clear();
            }
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let state = self.shared.lock();
        if matches!(state.status, Status::Connecting | Status::Open) {
            self.shared.fail(state, PeerError::Gone("closed by the match".to_owned()));
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // No code panics while it holds the lock, and the state is consistent at any moment.
        self.state.locked()
    }

    /// Waits until `ready` is true or the deadline passes.
    fn wait(&self, deadline: Instant, mut ready: impl FnMut(&State) -> bool) -> MutexGuard<'_, State> {
        let left = deadline.saturating_duration_since(Instant::now());
        let state = self.lock();
        let waited = self.changed.wait_timeout_while(state, left, |state| !ready(state));
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Drops the peer and wakes its thread.
    fn fail(&self, mut state: MutexGuard<'_, State>, error: PeerError) {
        state.status = Status::Failed(error);
        state.queue.clear();
        if let Some(stream) = state.stream.take() {
            // The socket may be closed already.
            let _ = stream.shutdown(Shutdown::Both);
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Sets the final status of the thread, unless the peer has failed already.
    fn leave(&self, status: Status) {
        let mut state = self.lock();
        if let Some(stream) = state.stream.take() {
            // Wakes the reading thread; the socket may be closed already.
            let _ = stream.shutdown(Shutdown::Both);
        }
        if !matches!(state.status, Status::Failed(_)) {
            state.status = status;
        }
        drop(state);
        self.changed.notify_all();
    }

    fn is_failed(&self) -> bool {
        matches!(self.lock().status, Status::Failed(_))
    }

    /// Writes the queue until the owner has finished.
    fn pump(&self, stream: &mut TcpStream, limits: &PeerLimits) -> Result<(), PeerError> {
        let gone = |error: io::Error| match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                PeerError::Stalled(format!("it took nothing for {} s", limits.stall.as_secs_f32()))
            }
            _ => PeerError::Gone(error.to_string()),
        };
        // Each turn is a few small writes that should be visible at once.
        stream.set_nodelay(true).map_err(gone)?;
        stream.set_write_timeout(Some(limits.stall)).map_err(gone)?;
        loop {
            let mut state = self.lock();
            while state.queue.is_empty() && !state.finishing && matches!(state.status, Status::Open) {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            if !matches!(state.status, Status::Open) {
                return Ok(());
            }
            let Some(bytes) = state.queue.front().map(Arc::clone) else { break };
            drop(state);
            stream.write_all(&bytes).map_err(gone)?;
            // Removed only after the write: until then the bytes count as queued.
            let mut state = self.lock();
            if state.queue.pop_front().is_some() {
                state.queued_bytes -= bytes.len();
            }
            drop(state);
            self.changed.notify_all();
        }
        linger(stream).map_err(gone)
    }
}

/// Ends a connection so that the peer can read all of it: closing a socket with unread bytes would reset the
/// connection, and discard what the peer has not read yet.
fn linger(stream: &mut TcpStream) -> io::Result<()> {
    stream.shutdown(Shutdown::Write)?;
    stream.set_read_timeout(Some(LINGER / 10))?;
    let deadline = Instant::now() + LINGER;
    let mut unread = [0; 4096];
    while Instant::now() < deadline {
        match stream.read(&mut unread) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
    }
    Ok(())
}

/// Repeats attempts until there is a connection, the time limit passes or the owner gives up.
fn connect(
    address: &str,
    limits: &PeerLimits,
    shared: &Shared,
    waiting: impl FnOnce(&str),
) -> Result<TcpStream, PeerError> {
    let deadline = Instant::now() + limits.connect;
    let mut waiting = Some(waiting);
    loop {
        let cause = match attempt(address, deadline) {
            Ok(stream) => {
                let handle = stream.try_clone().map_err(|error| PeerError::Gone(error.to_string()))?;
                let mut state = shared.lock();
                if !matches!(state.status, Status::Failed(_)) {
                    state.status = Status::Open;
                    state.stream = Some(handle);
                }
                drop(state);
                shared.changed.notify_all();
                return Ok(stream);
            }
            Err(error) => error.to_string(),
        };
        if Instant::now() + RETRY >= deadline || shared.is_failed() {
            return Err(PeerError::Unreachable { seconds: limits.connect.as_secs(), cause });
        }
        if let Some(waiting) = waiting.take() {
            waiting(&cause);
        }
        thread::sleep(RETRY);
    }
}

fn attempt(address: &str, deadline: Instant) -> io::Result<TcpStream> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
    for address in address.to_socket_addrs()? {
        let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
        match TcpStream::connect_timeout(&address, left) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cutting_bytes_changes_no_lines() {
        let long = "x".repeat(LINE_BYTES_MAX + 1);
        let text = format!("one\r\n\n{long}\ntwo\n{}\nrest", &long[1..]);
        for size in [1, 2, 3, 7, 4096, text.len()] {
            let (mut lines, mut heard) = (Lines::default(), Vec::new());
            text.as_bytes().chunks(size).for_each(|bytes| lines.push(bytes, |line| heard.push(line.len())));
            assert_eq!(heard, [3, 0, 3, LINE_BYTES_MAX], "{size}");
            assert!(lines.partial.len() <= LINE_BYTES_MAX);
        }
    }
}
