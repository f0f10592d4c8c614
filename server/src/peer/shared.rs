//! State that a peer's owner and its threads share.

use std::collections::VecDeque;
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

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
pub(super) enum Status {
    Connecting,
    Open,
    Closed,
    Failed(PeerError),
}

#[derive(Debug)]
pub(super) struct State {
    pub(super) status: Status,
    pub(super) queue: VecDeque<Arc<[u8]>>,
    pub(super) queued_bytes: usize,
    /// The owner has nothing more to send.
    pub(super) finishing: bool,
    /// Second handle to the connection, to interrupt a blocked write.
    pub(super) stream: Option<TcpStream>,
}

#[derive(Debug)]
pub(super) struct Shared {
    pub(super) state: Mutex<State>,
    pub(super) changed: Condvar,
}

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        // No code panics while it holds the lock, and the state is consistent at any moment.
        self.state.locked()
    }

    /// Waits until `ready` is true or the deadline passes.
    pub(super) fn wait(
        &self,
        deadline: Instant,
        mut ready: impl FnMut(&State) -> bool,
    ) -> MutexGuard<'_, State> {
        let left = deadline.saturating_duration_since(Instant::now());
        let state = self.lock();
        let waited = self.changed.wait_timeout_while(state, left, |state| !ready(state));
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Drops the peer and wakes its thread.
    pub(super) fn fail(&self, mut state: MutexGuard<'_, State>, error: PeerError) {
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
    pub(super) fn leave(&self, status: Status) {
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

    pub(super) fn is_failed(&self) -> bool {
        matches!(self.lock().status, Status::Failed(_))
    }
}
