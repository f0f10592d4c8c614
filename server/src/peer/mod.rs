//! Outgoing connection that receives a match's lines: a GUI on port 3126, or a bridge.
//!
//! Each peer has its own thread and queue, so that a peer that stalls or disconnects does not affect the others. The
//! queue is bounded: a peer that falls too far behind is dropped. Lines from the peer are read only after
//! [`Peer::listen`], on a second thread.

mod connection;
mod shared;
mod writer;

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use grandstand_protocol::{Event, Limits, MatchHeader};

use self::connection::{LINGER, connect, pump};
use self::shared::{Shared, State, Status};

pub use self::shared::{PeerError, PeerLimits};
pub use self::writer::PeerWriter;

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
                Ok(mut stream) => match pump(&shared, &mut stream, &limits) {
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

impl Drop for Peer {
    fn drop(&mut self) {
        let state = self.shared.lock();
        if matches!(state.status, Status::Connecting | Status::Open) {
            self.shared.fail(state, PeerError::Gone("closed by the match".to_owned()));
        }
    }
}
