//! A peer's connection: attempts to connect, writing, and the end in order.

use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpStream, ToSocketAddrs as _};
use std::sync::{Arc, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::shared::{PeerError, PeerLimits, Shared, Status};

/// Time between two attempts to connect.
const RETRY: Duration = Duration::from_millis(250);
/// Time for which an ending connection lingers, so that the peer can read the rest.
pub(super) const LINGER: Duration = Duration::from_millis(500);

/// Writes the queue until the owner has finished.
pub(super) fn pump(shared: &Shared, stream: &mut TcpStream, limits: &PeerLimits) -> Result<(), PeerError> {
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
        let mut state = shared.lock();
        while state.queue.is_empty() && !state.finishing && matches!(state.status, Status::Open) {
            state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if !matches!(state.status, Status::Open) {
            return Ok(());
        }
        let Some(bytes) = state.queue.front().map(Arc::clone) else { break };
        drop(state);
        stream.write_all(&bytes).map_err(gone)?;
        // Removed only after the write: until then the bytes count as queued.
        let mut state = shared.lock();
        if state.queue.pop_front().is_some() {
            state.queued_bytes -= bytes.len();
        }
        drop(state);
        shared.changed.notify_all();
    }
    linger(stream).map_err(gone)
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
pub(super) fn connect(
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
